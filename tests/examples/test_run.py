"""The command of the examples, without a GPU."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from examples.arrays import Arrays
from examples.run import main

ROOT = Path(__file__).resolve().parents[2]


def test_the_command_runs_from_anywhere_without_a_gpu(tmp_path: Path) -> None:
    words = [sys.executable, ROOT / "examples" / "run.py", "darknet19", "--simulated", "--tiny"]
    result = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert result.returncode == 0, result.stderr
    first, eager, captured, simulated, tune = result.stdout.splitlines()
    assert first.startswith("Darknet-19, 2 images of 32x32, float16: top-1 index of the first image ")
    assert (eager.split()[0], captured.split()[0]) == ("eager", "captured")
    assert simulated == "simulated: NumPy's times, which say nothing of a GPU"
    assert tune.endswith("python -m cudnnkit tune --network darknet19 --dtype float16")


def run(*words: str) -> tuple[int, str]:
    found = subprocess.run(
        [sys.executable, ROOT / "examples" / "run.py", *words], capture_output=True, text=True, check=False
    )
    return found.returncode, found.stderr


def test_without_a_gpu_or_an_array_library_the_reason_is_told() -> None:
    status, told = run("darknet19", "--batch", "1")
    if status == 0:
        pytest.skip("there is a GPU")
    assert status == 1
    assert told.startswith("run.py: error: ")
    assert told.count("\n") == 1
    assert "--simulated --tiny needs n" in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--batch", "-1"), "argument --batch: '-1' is no whole number of 1 to 2147483647"),
        (("--batch", "0"), "argument --batch: '0' is no whole number of 1 to 2147483647"),
        (("--batch", "2147483648"), "argument --batch: '2147483648' is no whole number of 1 to 2147483647"),
        (("--batch", "9" * 5000), "9' is no whole number of 1 to 2147483647"),
        (("--repeats", "9" * 20), f"argument --repeats: '{'9' * 20}' is no whole number of 1 to 2147483647"),
        (("--repeats", "few"), "argument --repeats: 'few' is no whole number of 1 to 2147483647"),
        (("--dtype", "int3"), "argument --dtype: invalid choice: 'int3'"),
        (("--library", "torch"), "argument --library: --simulated computes with NumPy's arrays; leave one of them out"),
        (("--dtype", "bfloat16"), "argument --dtype: only torch has arrays of bfloat16"),
    ],
)
def test_wrong_words_are_told_by_name(words: tuple[str, ...], said: str) -> None:
    status, told = run("darknet19", "--simulated", "--tiny", *words)
    assert status == 2
    assert said in told.splitlines()[-1]
    assert "needs no GPU" not in told


@pytest.mark.parametrize("error", [MemoryError("no 9 GiB"), RuntimeError("CUDA out of memory. Tried to\nallocate")])
def test_too_many_images_for_the_memory_are_one_sentence(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise error

    monkeypatch.setattr(Arrays, "images", full)
    assert main(["darknet19", "--simulated", "--tiny"]) == 1
    told = str(error).splitlines()[0]
    assert capsys.readouterr().err == f"run.py: error: {told}; a smaller --batch needs less memory\n"
    monkeypatch.setattr(Arrays, "images", None)
    with pytest.raises(TypeError):  # a fault of another kind is not taken for that
        main(["darknet19", "--simulated", "--tiny"])


def test_a_batch_that_is_given_counts_with_tiny_images_too() -> None:
    words = [sys.executable, ROOT / "examples" / "run.py", "darknet19", "--simulated", "--tiny", "--batch", "1"]
    result = subprocess.run(words, capture_output=True, text=True, check=True)
    assert result.stdout.startswith("Darknet-19, 1 images of 32x32")
