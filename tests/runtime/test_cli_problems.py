"""What the commands that compute are given: types, values and files of problems, on simulated devices."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cudnnkit.cli import main

from .test_cli_cache import document, failure, record


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDNNKIT_CACHE_DIR", str(tmp_path / "home"))


def test_a_network_of_a_type_without_arrays_is_refused_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    told = failure(capsys, "tune", "--network", "vgg19", "--simulated", "--dtype", "bfloat16")
    assert told == "dtype='bfloat16': NumPy, which --simulated computes with, has no such arrays; torch has"


def test_a_stored_problem_of_a_type_without_arrays_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = document(tmp_path / "b.json", record(1))
    path.write_text(path.read_text().replace('"float16"', '"bfloat16"').replace('"float32"', '"bfloat16"'))
    assert main(["tune", str(path), "--simulated"]) == 1
    assert "dtype='bfloat16': NumPy, which --simulated computes with, has no such arrays" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["demo"], ["explain", "relu", "x=2x4"], ["tune", "--network", "vgg19"]])
def test_simulated_devices_take_no_other_arrays(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    told = failure(capsys, *words, "--simulated", "--library", "torch")
    assert told == "library='torch': --simulated computes with NumPy's arrays; leave one of them out"


@pytest.mark.parametrize(
    "wrong", [{"operation": "conv9d"}, 3, {"operation": "relu", "x": [2, -1]}, {"key_version": 99}]
)
def test_an_entry_that_is_no_request_is_named_and_the_others_are_served(
    wrong: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.json"
    path.write_text(json.dumps([{"operation": "relu", "x": [2, 4]}, wrong, {"operation": "tanh", "x": [2, 4]}]))
    assert main(["tune", str(path), "--simulated"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["searched", "failed", "searched", "3", "simulated:"]
    assert lines[1].startswith("failed    problem 2: ")
    assert lines[3].endswith("1 failed")
    assert main(["explain", "--problem", str(path), "--simulated"]) == 1
    told = capsys.readouterr()
    assert told.out.count("in use: ") == 2
    assert told.err.startswith(f"cudnnkit: error: {path}: problem 2: ")


@pytest.mark.parametrize(
    ("word", "key", "told"),
    [
        ("activation=('elu', 1.0)", "epilogue", "elu"),
        ('activation=["elu", 1.0]', "epilogue", "elu"),
        ("activation='relu'", "epilogue", "relu"),
        ("activation=None", "epilogue", None),
        ("padding=((1, 1), (0, 0))", "convolution", [1, 0]),
        ("padding=(1, 0)", "convolution", [1, 0]),
    ],
)
def test_values_are_taken_as_python_writes_them(
    word: str, key: str, told: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", "conv2d", "x=2x4x8x8", "w=8x4x3x3", word, "--simulated", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["problem"].get(key) or {}
    assert found.get("activation" if key == "epilogue" else "pre_padding") == told


@pytest.mark.parametrize("word", ["alpha=.5", "alpha=+2", "alpha=1.", "x=(2,4,8,8)", "x=[2, 4, 8, 8]"])
def test_numbers_and_shapes_are_taken_as_python_writes_them(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = word.partition("=")[0]
    words = [one for one in ("x=2x4x8x8", "w=8x4x3x3", word) if one == word or not one.startswith(f"{name}=")]
    assert main(["explain", "conv2d", *words, "--simulated", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["problem"]["tensors"][0]["shape"] == [2, 4, 8, 8]


def test_a_value_that_is_nothing_of_that_is_a_text(capsys: pytest.CaptureFixture[str]) -> None:
    told = failure(capsys, "explain", "conv2d", "x=2x4x8x8", "w=8x4x3x3", "padding=(1, x)", "--simulated")
    assert told.startswith("padding='(1, x)': ")
