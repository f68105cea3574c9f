"""The command of the examples, without a GPU."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_command_runs_from_anywhere_without_a_gpu(tmp_path: Path) -> None:
    words = [sys.executable, ROOT / "examples" / "run.py", "darknet19", "--simulated", "--tiny"]
    result = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert result.returncode == 0, result.stderr
    first, eager, captured, tune = result.stdout.splitlines()
    assert first.startswith("Darknet-19, 2 images of 32x32, float16: top-1 index of the first image ")
    assert (eager.split()[0], captured.split()[0]) == ("eager", "captured")
    assert tune.endswith("python -m cudnnkit tune --network darknet19 --dtype float16")


def test_without_a_gpu_the_reason_is_told() -> None:
    words = [sys.executable, ROOT / "examples" / "run.py", "darknet19", "--batch", "1"]
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    if result.returncode == 0:
        pytest.skip("there is a GPU")
    assert result.returncode == 1
    assert result.stderr.startswith("run.py: error: ")
    assert result.stderr.rstrip().endswith("--simulated --tiny needs no GPU")
