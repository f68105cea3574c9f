"""Recorded launches, with a driver made of Python functions behind C's calling convention."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

import _cffi_backend
import pytest
from cudnnkit.candidates import CandidateId
from cudnnkit.choice import Alternative
from cudnnkit.graph_launch import MOST_SECONDS, Recorder, records, worthwhile

from .recorded import Engine
from .test_engines_candidates import context, executed, plan

ADDRESSES = (16, 32, 48)
CAPTURE, GRAPH, READY = 0x700, 0x800, 0x900


class Driver:
    """Answers every call with success unless told otherwise, and keeps what was called."""

    def __init__(self, **codes: int) -> None:
        self.codes, self.calls, self.captured = codes, [], 0
        self.launched: list[tuple[int, int]] = []
        out, word = ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_int)
        self._make("cuStreamCreate", self._fill(CAPTURE), out, ctypes.c_uint)
        self._make("cuStreamBeginCapture_v2", None, ctypes.c_void_p, ctypes.c_int)
        self._make("cuStreamEndCapture", lambda _, graph: self._fill(GRAPH)(graph), ctypes.c_void_p, out)
        self._make("cuThreadExchangeStreamCaptureMode", None, word)
        self._make("cuGraphInstantiateWithFlags", self._fill(READY), out, ctypes.c_void_p, ctypes.c_ulonglong)
        self._make("cuGraphDestroy", None, ctypes.c_void_p)
        self._make("cuGraphExecDestroy", None, ctypes.c_void_p)
        self._make("cuGraphLaunch", lambda *two: self.launched.append(two), ctypes.c_size_t, ctypes.c_size_t)
        self._make("cuStreamIsCapturing", self._is_capturing, ctypes.c_size_t, word)

    @staticmethod
    def _fill(value: int) -> Any:
        def fill(target: Any, *_: Any) -> None:
            target[0] = value

        return fill

    def _is_capturing(self, _: int, status: Any) -> None:
        status[0] = self.captured

    def _make(self, name: str, act: Any, *kinds: Any) -> None:
        def call(*arguments: Any) -> int:
            self.calls.append(name)
            if not self.codes.get(name) and act is not None:
                act(*arguments)
            return self.codes.get(name, 0)

        setattr(self, name, ctypes.CFUNCTYPE(ctypes.c_int, *kinds)(call))


def ready(driver: Driver, stream: int = 5) -> tuple[Any, Any]:
    here = context(A=[Engine(3)])
    here.stream = stream
    one = plan(here)
    ffi = _cffi_backend.FFI("made_up", _version=0x2601)
    one.record(Recorder(SimpleNamespace(_ffi=ffi, _new=ffi.new), driver))
    return here, one


def test_a_launch_that_comes_back_is_recorded_and_launched_again() -> None:
    driver = Driver()
    here, one = ready(driver)
    for _ in range(20):
        one.launch(ADDRESSES, 0)
    # The ninth records: what it executes then is recorded on a stream of its own, and runs by the graph's launch.
    assert (len(executed(here)), len(driver.launched)) == (9, 12)
    assert set(driver.launched) == {(READY, 5)}
    assert here.streams == [CAPTURE, 5]
    assert (driver.calls.count("cuGraphDestroy"), driver.calls.count("cuThreadExchangeStreamCaptureMode")) == (1, 2)


def test_other_addresses_are_other_launches_and_few_are_recorded() -> None:
    driver = Driver()
    here, one = ready(driver)
    for address in range(12):
        for _ in range(9):
            one.launch((16, 32, 64 * address), 0)
    assert driver.calls.count("cuGraphInstantiateWithFlags") == 8
    assert len(driver.launched) == 8
    one.close()
    assert driver.calls.count("cuGraphExecDestroy") == 8
    assert len(here.library.made) > 0


def test_a_stream_that_its_owner_records_takes_plain_launches() -> None:
    driver = Driver()
    here, one = ready(driver)
    for _ in range(9):
        one.launch(ADDRESSES, 0)
    driver.captured, before = 1, len(executed(here))
    one.launch(ADDRESSES, 0)
    assert (len(driver.launched), len(executed(here))) == (1, before + 1)
    driver.captured = 0
    one.launch(ADDRESSES, 0)
    assert len(driver.launched) == 2


def test_the_legacy_stream_is_not_asked() -> None:
    driver = Driver()
    _, one = ready(driver, stream=0)
    for _ in range(10):
        one.launch(ADDRESSES, 0)
    assert driver.launched == [(READY, 0)] * 2
    assert "cuStreamIsCapturing" not in driver.calls


@pytest.mark.parametrize(
    "name",
    [
        "cuStreamCreate",
        "cuStreamBeginCapture_v2",
        "cuStreamEndCapture",
        "cuThreadExchangeStreamCaptureMode",
        "cuGraphInstantiateWithFlags",
        "cuGraphLaunch",
    ],
)
def test_what_the_driver_refuses_is_launched_plainly_from_then_on(name: str) -> None:
    driver = Driver(**{name: 801})
    here, one = ready(driver)
    for _ in range(20):
        one.launch(ADDRESSES, 0)
    assert driver.calls.count(name) == 1
    assert len(executed(here)) >= 20
    assert here.stream == 5


def test_an_engine_that_cannot_be_recorded_is_launched_plainly() -> None:
    driver = Driver()
    here, one = ready(driver)
    for _ in range(8):
        one.launch(ADDRESSES, 0)
    execute = here.library._lib.cudnnBackendExecute
    one._execute = lambda *given: execute(*given) or 3000 * (here.stream == CAPTURE)
    one.launch(ADDRESSES, 0)
    one.launch(ADDRESSES, 0)
    assert driver.launched == []
    assert "cuGraphInstantiateWithFlags" not in driver.calls
    assert driver.calls.count("cuGraphDestroy") == 1
    assert here.stream == 5


def test_a_driver_without_the_functions() -> None:
    ffi = _cffi_backend.FFI("made_up", _version=0x2601)
    with pytest.raises(AttributeError, match="cuStreamCreate"):
        Recorder(SimpleNamespace(_ffi=ffi, _new=ffi.new), SimpleNamespace())


def test_what_is_worth_recording(monkeypatch: pytest.MonkeyPatch) -> None:
    short, engine = MOST_SECONDS / 2, CandidateId("graph", 3)
    assert records(Alternative(engine, 0, short))
    assert not records(Alternative(engine, 0, MOST_SECONDS * 2))
    assert not records(Alternative(engine, 0))
    assert not records(Alternative(CandidateId("array", name="x"), 0, short))
    monkeypatch.setenv("CUDNNKIT_GRAPH_LAUNCH", "0")
    assert not worthwhile(short)
