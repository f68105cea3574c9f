"""The problems of known networks as data, and ``python -m cudnnkit tune --network`` on simulated devices."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.cli import main
from cudnnkit.network import problems_of, shipped, tuning
from cudnnkit.network.tiny import tiny
from cudnnkit.policy import Policy
from cudnnkit.store import Store
from cudnnkit.testing import SimulatedDevice

from .test_cli_cache import failure

ROOT = Path(__file__).parents[2]
USER = """
import cudnnkit as ck
import numpy as np

x, w = np.ones((2, 4, 6, 6), "f4"), np.ones((4, 4, 3, 3), "f4")

def network(x):
    for _ in range(2):
        x = ck.conv2d(x, w, padding=1)
    return ck.relu(x)

def runs():
    network(x)

def answers():
    return network, (x,)

def nothing():
    pass

number = 3
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("CUDNNKIT_CACHE_DIR", str(tmp_path / "home"))
    (tmp_path / "user_network.py").write_text(USER)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("user_network", None)


def last(*shape: int) -> Any:
    """Channels last, never written."""
    made = np.empty((shape[0], *shape[2:], shape[1]), "f2")
    return np.moveaxis(made, -1, 1)


def tune(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["tune", "--simulated", "--json", *words]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


# Data --------------------------------------------------------------------------------------------------------------


def test_every_kind_of_problem_comes_back_as_it_was(device: SimulatedDevice) -> None:
    x, w, bias = last(2, 8, 10, 10), last(16, 4, 3, 3), np.empty(16, "f2")
    rows, matrix = np.empty((6, 8), "f2"), np.empty((5, 8), "f2")

    def network() -> None:
        y = ck.conv2d(x, w, bias, stride=2, padding=1, groups=2, activation=("leaky_relu", 0.1))
        ck.conv2d(y, last(16, 16, 1, 1), residual=y, activation="relu")
        ck.max_pool(y, 3, stride=2, padding=1)
        ck.global_avg_pool(y)
        ck.linear(rows, matrix, activation="relu")
        ck.bias_add(y, bias, axis=1, activation="relu", out=y)
        ck.softmax(rows, axis=1)
        ck.conv2d(np.empty((2, 3, 9, 9), "f2"), np.empty((4, 3, 3, 3), "f2"))  # channels first
        ck.conv2d(x, w, np.empty(16, "f4"), groups=2)  # a wider bias

    asked = problems_of(network, run=False)
    assert len(asked) == 9
    for one in asked:
        row = json.loads(json.dumps(shipped.packed(one.problem, one.count, "float16", one.setting.axis)))
        again = shipped.unpacked(row, "float16", "numpy").to_json()
        expected = one.problem.to_json()
        for unknown in ("device", "versions"):
            del again[unknown], expected[unknown]
        assert again == json.loads(json.dumps(expected))
    assert not device.launches


def test_a_network_is_tuned_for_the_type_library_and_policy_that_run_it(device: SimulatedDevice) -> None:
    tuner: Any = device.tuner
    found = shipped.asked_of("resnet50", tuner, device.library, 0, Policy(precision="strict"), "float32")
    first = found[0].problem
    assert first.tensor("x").shape == (64, 3, 224, 224)
    assert first.tensor("x").strides == (150528, 1, 672, 3)
    assert {one.dtype for one in first.tensors} == {"float32"}
    assert (first.policy.precision, first.device.name) == ("strict", "Simulated 0")
    assert dict(first.parameters)["library"] == "numpy"
    # What the network asks for with such arrays is the same problem.
    x, w = (np.moveaxis(np.empty(shape, "f4"), -1, 1) for shape in ((64, 224, 224, 3), (64, 7, 7, 3)))
    bias = np.empty(64, "f4")
    (asked,) = problems_of(
        lambda: ck.conv2d(x, w, bias, stride=2, padding=3, activation="relu", precision="strict"), run=False
    )
    assert asked.problem == first


def test_the_networks_have_all_their_convolutions() -> None:
    convolutions = {"vgg19": 16, "darknet19": 19, "resnet50": 53, "darknet53": 52, "resnext50": 53}
    assert set(shipped.names()) == set(convolutions)
    for name, count in convolutions.items():
        rows = shipped._shipped()[name]["problems"]
        assert sum(one["count"] for one in rows if one["operation"] == "conv_forward") == count


def test_the_file_is_what_the_examples_ask_for() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "list_problems.py"), "--check", "darknet19", "resnext50"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


# Command -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", ["runs", "answers"])
def test_a_users_function_is_tuned_and_kept(entry: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--network", f"user_network:{entry}", "--path", str(tmp_path / "t.sqlite"))
    found = tune(capsys, *words)
    assert [(one["count"], one["status"]) for one in found["problems"]] == [(2, "searched"), (1, "searched")]
    assert found["problems"][0]["ms"] == pytest.approx(1.0)
    assert found["problems"][0]["saved_ms"] == pytest.approx(0.0)
    kept = {one.problem.operation for one in Store(tmp_path / "t.sqlite").records()}
    assert {"conv_forward", "epilogue"} <= kept
    assert [one["status"] for one in tune(capsys, *words)["problems"]] == ["known", "known"]
    assert [one["status"] for one in tune(capsys, *words, "--again")["problems"]] == ["searched", "searched"]


def test_text_tells_what_is_saved_and_what_was_left(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", "--simulated", "--network", "user_network:runs"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["saved", "ms"]
    assert lines[-2].startswith("2 problems: 2 searched in ")
    assert "ms by the heuristic's first answers" in lines[-1]
    assert main(["tune", "--simulated", "--network", "user_network:runs", "--budget-seconds", "0"]) == 0
    assert "0 searched in 0 s, 2 left for lack of time" in capsys.readouterr().out


def test_runners_up_are_tried_in_the_whole_function(capsys: pytest.CaptureFixture[str]) -> None:
    found = tune(capsys, "--network", "user_network:answers", "--refine-seconds", "20")
    assert found["network"]["before_ms"] == pytest.approx(found["network"]["after_ms"])
    assert "needs a function and its arrays" in failure(
        capsys, "tune", "--simulated", "--network", "user_network:runs", "--refine-seconds", "1"
    )


@pytest.mark.parametrize("name", ["resnet50", "vgg19", "darknet53", "resnext50"])
def test_a_known_network_is_tiny_on_simulated_devices(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = tune(capsys, "--network", name, "--budget-seconds", "0", "--dtype", "float32")
    assert {one["status"] for one in found["problems"]} == {"left"}
    assert sum(one["count"] for one in found["problems"] if one["label"].startswith("conv_forward")) >= 16
    assert all("x 1x" in one["label"] and "float32" in one["label"] for one in found["problems"])


def test_a_tiny_problem_is_one_still(device: SimulatedDevice) -> None:
    tuner: Any = device.tuner
    asked = shipped.asked_of("resnext50", tuner, device.library, 0, Policy())
    made = [tiny(one.problem) for one in asked]
    assert made[0].tensor("x").shape == (1, 3, 32, 32)
    assert made[0].tensor("y").shape == (1, 4, 16, 16)
    assert made[0].tensor("y").strides == (1024, 1, 64, 4)
    grouped = [one for one in made if one.convolution is not None and one.convolution.groups > 1]
    assert {one.convolution.groups for one in grouped if one.convolution} == {2}
    assert all(one.tensor("w").shape[1] == one.tensor("x").shape[1] // 2 for one in grouped)
    assert len(set(made)) == len(asked)


def test_the_budget_passes_on_the_wall_too(device: SimulatedDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    import user_network

    wall = iter(range(0, 10_000, 100))
    monkeypatch.setattr(tuning.time, "monotonic", lambda: next(wall))
    asked = problems_of(user_network.network, user_network.x)
    found = tuning.tune_problems(asked, seconds=150)
    assert [one.status for one in found] == ["searched", "left"]
    assert device.now() < 150


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--network", "resnet51"], "there are vgg19"),
        (["--network", "resnet50", "--dtype", "int3"], "allowed are float16"),
        (["--network", "no_such_module:f"], "cannot be imported"),
        (["--network", "resnet50", "--budget-seconds", "-1"], "budget-seconds=-1.0"),
        (["--network", "resnet50", "--workspace", "much"], "workspace="),
        (["--network", "user_network:runs", "--dtype", "float32"], "dtype='float32': goes with a known network"),
        (["{}", "--workspace", "much"], "workspace="),
    ],
)
def test_arguments_are_told_before_a_gpu_is_asked_for(
    words: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked() -> None:
        raise AssertionError("the driver was asked")

    monkeypatch.setattr("cudnnkit.driver.driver", asked)
    file = tmp_path / "one.json"
    file.write_text('{"operation": "softmax", "x": [1]}')
    assert told in failure(capsys, "tune", *(one.replace("{}", str(file)) for one in words))


@pytest.mark.parametrize("option", ["--dtype", "--budget-seconds", "--refine-seconds"])
def test_options_of_a_network_need_one(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["tune", "--simulated", "p.json", option, "1"])
    assert f"{option}: only with --network" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--network", "resnet51"], "there are vgg19, darknet19, resnet50, darknet53, resnext50"),
        (["--network", "resnet50", "--dtype", "int8"], "allowed are float16"),
        (["--network", "no_such_module:f"], "cannot be imported"),
        (["--network", "user_network:no_such"], "cannot be imported"),
        (["--network", "user_network:number"], "is no function (int); name a function without arguments"),
        (["--network", "os:path"], "is no function (module)"),
        (["--network", "user_network:nothing"], "calls no operation"),
        (["--network", "user_network:runs", "--budget-seconds", "-1"], "budget-seconds=-1.0"),
    ],
)
def test_what_is_wrong_is_one_sentence(capsys: pytest.CaptureFixture[str], words: list[str], told: str) -> None:
    assert told in failure(capsys, "tune", "--simulated", *words)


def test_a_file_or_a_network(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], ["p.json", "--network", "resnet50"]):
        with pytest.raises(SystemExit, match="2"):
            main(["tune", "--simulated", *words])
        assert "either a file of problems or --network" in capsys.readouterr().err
