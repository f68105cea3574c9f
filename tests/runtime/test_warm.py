"""Warming up: what is loaded and run, what failures do, and what the real library loads for which descriptor."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cudnnkit as ck
import pytest
from cudnnkit.candidates import CandidateId
from cudnnkit.testing import SimulatedDevice, simulated
from cudnnkit.testing.candidates import SimulatedCandidate
from cudnnkit.warm_problems import tiny

from .problems import DEVICE, VERSIONS

LEGACY = CandidateId("legacy", algorithm="IMPLICIT_GEMM", math_type="FMA")
WINOGRAD = replace(LEGACY, algorithm="WINOGRAD_NONFUSED")
TINY = ["a convolution by a graph engine", "a legacy convolution", "a legacy convolution by Winograd"]


def names(report: ck.WarmUp) -> list[str]:
    return [one.name for one in report.steps]


def test_it_prepares_and_runs_tiny_problems_and_leaves_nothing(device: SimulatedDevice) -> None:
    used = device.used
    report = ck.warm_up()
    assert [one.failure for one in report.steps] == [""] * len(report.steps)
    assert names(report)[:2] == ["Python modules", "handle"]
    assert names(report)[-3:] == TINY
    assert device.launches == [("conv_forward", one) for one in (device.candidates[0].id, LEGACY, WINOGRAD)]
    assert (device.live, device.used) == (set(), used)
    assert device.tuner.counters.searches == device.tuner.counters.misses == 0
    assert report.seconds == sum(one.seconds for one in report.steps)
    assert str(report).splitlines()[-1].endswith("in all")


def test_operations_are_chosen(device: SimulatedDevice) -> None:
    report = ck.warm_up(0, operations=("softmax",))
    assert names(report)[-1] == "a legacy softmax"
    assert [operation for operation, _ in device.launches] == ["softmax_forward"]
    with pytest.raises(ck.ArgumentError, match="conv, softmax") as caught:
        ck.warm_up(operations=("conv", "fft"))
    assert (caught.value.argument, caught.value.value) == ("operations", "fft")


def test_what_fails_is_noted_and_stops_nobody(caplog: pytest.LogCaptureFixture) -> None:
    broken = SimulatedCandidate(CandidateId("graph", 7), fails="prepare")
    slow = SimulatedCandidate(CandidateId("graph", 8), needs_compilation=True)
    with simulated(candidates=[broken, slow]) as device, caplog.at_level("INFO", logger="cudnnkit"):
        report = ck.warm_up()
        assert device.launches == []
    failed = {one.name: one.failure for one in report.steps if one.failure}
    assert failed == dict.fromkeys(TINY, "SimulatedStatusError: NOT_SUPPORTED")
    assert len(caplog.records) == 3
    assert "a legacy convolution: SimulatedStatusError" in str(report)


def test_a_refusing_engine_leaves_the_next_one() -> None:
    broken = SimulatedCandidate(CandidateId("graph", 7), fails="prepare")
    with simulated(candidates=[broken, SimulatedCandidate(CandidateId("graph", 9))]) as device:
        ck.warm_up()
        assert device.launches == [("conv_forward", CandidateId("graph", 9))]


def test_nothing_is_launched_into_a_recording(device: SimulatedDevice) -> None:
    device.stream, device.capturing = 9, True
    ck.warm_up()
    assert device.launches == []
    assert device.live == set()


class Store:
    def __init__(self) -> None:
        self.asked: list[Any] = []

    def get(self, problem: Any) -> None:
        self.asked.append(problem)

    def put(self, *_: Any) -> None:
        raise AssertionError("a warm-up stores nothing")

    delete = put


def test_the_tuning_cache_is_opened_and_read() -> None:
    store = Store()
    with simulated(store=store):
        assert "tuning cache" in names(ck.warm_up())
    assert len(store.asked) == 1


def test_a_broken_library_is_raised() -> None:
    with simulated() as device:

        def fail(_: int) -> Any:
            raise ck.CudnnKitError("no handle")

        device.context = fail  # type: ignore[method-assign]
        with pytest.raises(ck.CudnnKitError, match="no handle"):
            ck.warm_up()


def test_the_real_library_takes_the_descriptors(real_library: Callable[[int], Path]) -> None:
    """In a process of its own: the sub-libraries that a descriptor loads stay loaded."""
    code = """
import sys
from cudnnkit.backend import CudnnBackend
from cudnnkit.warm_problems import tiny
import cudnn_ffi, cudnnkit.library
from tests.runtime.problems import DEVICE, VERSIONS
cudnnkit.library.set_library(cudnn_ffi.load(sys.argv[1]))
def loaded(): return {part for part in ("ops", "cnn") if f"libcudnn_{part}." in open("/proc/self/maps").read()}
before = loaded()
failure = ""
try:
    CudnnBackend().preload(tiny("conv", DEVICE, VERSIONS)[0].problem)
except cudnn_ffi.StatusError as error:  # the copy that tests use lacks engines
    failure = error.status_name
print(sorted(before), sorted(loaded()), failure in ("", "CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED"))
"""
    if not sys.platform.startswith("linux"):
        pytest.skip("what a process has loaded is read from /proc")
    root = str(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", code, str(real_library(9))], capture_output=True, text=True, check=False, cwd=root
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[0] == "[] ['cnn', 'ops'] True"


def test_tiny_problems_are_tiny_and_of_known_shape() -> None:
    first, second, third = tiny("conv", DEVICE, VERSIONS)
    assert [one.dtype for one in first.problem.tensors] == ["float16"] * 4
    assert first.problem.epilogue.activation == "relu"
    assert second.candidate == LEGACY
    assert third.candidate == WINOGRAD
    assert third.problem == second.problem
    assert max(first.problem.nbytes, second.problem.nbytes) < 8192
