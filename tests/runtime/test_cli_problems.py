"""What the commands that compute are given: types, values and files of problems, on simulated devices."""

from __future__ import annotations

from pathlib import Path

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
