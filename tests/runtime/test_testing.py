"""The simulated library itself."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.testing import SimulatedDevice, SimulatedStatusError, default_candidates, simulated

from .references import random

X, W = random(1, 3, 5, 5), random(4, 3, 3, 3, seed=1)


def test_outside_of_the_block_everything_is_as_before() -> None:
    with simulated() as outer:
        with simulated() as inner:
            ck.relu(X)
        assert inner.launches
        assert not outer.launches
        ck.relu(X)
        assert outer.launches
    with pytest.raises(ck.ArgumentTypeError, match=r"host memory.* without a GPU, call inside of .*simulated\(\)"):
        ck.relu(X)


def test_a_mistyped_fault_is_told() -> None:
    with simulated() as device:
        with pytest.raises(ValueError, match=r"fails='runs': allowed are 'prepare', 'run', None"):
            device.candidates[0].fails = "runs"  # type: ignore[assignment]
        with pytest.raises(AttributeError, match=r"no field 'garbled'; it has id, seconds, .*garbage"):
            device.candidates[0].garbled = True  # type: ignore[attr-defined]
        device.candidates[0].fails = None


def test_without_numpy_the_error_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "from cudnnkit.errors import MissingPackageError\n"
        "from cudnnkit.testing import simulated\n"
        "try:\n    simulated().__enter__()\n"
        "except MissingPackageError as error: print(error.name, '|', error)\n"
        "from cudnnkit.cli import main\n"
        "print(main(['demo', '--simulated']))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert found.stdout.splitlines() == [
        "numpy | the simulated library (cudnnkit.testing) needs the package numpy; install it with: pip install numpy",
        "1",
    ]
    assert found.stderr.startswith("cudnnkit: error: the simulated library (cudnnkit.testing) needs the package numpy")
    assert found.stderr.count("\n") == 1


def test_time_passes_on_its_own_clock(device: SimulatedDevice) -> None:
    device.candidates[0].seconds = lambda problem: 5.0 if problem.convolution.groups == 1 else 0.5
    begun = device.now()
    ck.conv2d(X, W, search="heuristic")
    assert device.now() - begun == pytest.approx(5.0)
    begun = device.now()
    ck.conv2d(X, random(3, 1, 3, 3), groups=3, search="heuristic")
    assert device.now() - begun == pytest.approx(0.5)


@pytest.mark.parametrize("fails", ["prepare", "run"])
def test_failures_carry_the_status(fails: Any, device: SimulatedDevice) -> None:
    device.candidates = default_candidates()[:1]
    device.candidates[0].fails, device.candidates[0].status = fails, "INTERNAL_ERROR"
    error = ck.UnsupportedError if fails == "prepare" else SimulatedStatusError
    with pytest.raises(error, match="INTERNAL_ERROR"):
        ck.conv2d(X, W, search="heuristic")


def test_workspace_counts_against_the_memory(device: SimulatedDevice) -> None:
    ck.conv2d(X, W, search="heuristic")
    assert 4 * 2**20 <= device.peak < 5 * 2**20
    with simulated(memory=2**20) as small:
        ck.conv2d(X, W, search="heuristic")
        assert small.launches[-1][1] == small.candidate("IMPLICIT_GEMM").id


def test_a_prepared_candidate_keeps_to_its_thread(device: SimulatedDevice) -> None:
    problem = ck.plan(ck.conv2d, X, W).problem
    executable = device.offer(problem, None).candidates[1].prepare()
    errors = []

    def run() -> None:
        try:
            executable.launch((0, 0, 0), 0)
        except AssertionError as error:
            errors.append(str(error))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert "another thread" in errors[0]


def test_dlpack_arrays_are_taken_in(device: SimulatedDevice) -> None:
    class Foreign:
        def __init__(self, array: Any) -> None:
            self._array = array

        def __dlpack__(self, **keywords: Any) -> Any:
            return self._array.__dlpack__(**keywords)

        def __dlpack_device__(self) -> Any:
            return self._array.__dlpack_device__()

    y = ck.conv2d(Foreign(X), Foreign(W))
    np.testing.assert_array_equal(y, ck.conv2d(X, W))
    out = Foreign(np.zeros((1, 4, 3, 3)))
    assert ck.conv2d(Foreign(X), W, out=out) is out
    np.testing.assert_array_equal(out._array, y)
    assert device.launches
