"""Recorded launches, with a driver made of Python functions behind C's calling convention."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

import _cffi_backend
import pytest
from cudnnkit.candidates import CandidateId
from cudnnkit.choice import Alternative
from cudnnkit.engines.graph_engines import graph_candidates
from cudnnkit.engines.legacy_plan import Call, LegacyPlan
from cudnnkit.graph_launch import MOST_SECONDS, Recorder, records, worthwhile

from .recorded import Engine, RecordedContext
from .test_engines_candidates import context, executed, plan
from .test_engines_graph import problem

ADDRESSES = (16, 32, 48)
CAPTURE, GRAPH, READY = 0x700, 0x800, 0x900
KERNEL, MEMCPY, MEMSET = 0, 1, 2


class Driver:
    """Answers every call with success unless told otherwise, and keeps what was called.

    `nodes` are the types of the nodes that a recording holds.
    """

    def __init__(self, nodes: tuple[int, ...] = (KERNEL, MEMSET), **codes: int) -> None:
        self.nodes, self.modes = nodes, [0][:0]
        self.codes, self.calls, self.captured = codes, [], 0
        self.launched: list[tuple[int, int]] = []
        out, word = ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_int)
        self._make("cuStreamCreate", self._fill(CAPTURE), out, ctypes.c_uint)
        self._make("cuStreamBeginCapture_v2", lambda _, mode: self.modes.append(mode), ctypes.c_void_p, ctypes.c_int)
        self._make("cuStreamEndCapture", lambda _, graph: self._fill(GRAPH)(graph), ctypes.c_void_p, out)
        self._make("cuThreadExchangeStreamCaptureMode", None, word)
        self._make("cuGraphInstantiateWithFlags", self._fill(READY), out, ctypes.c_void_p, ctypes.c_ulonglong)
        self._make("cuGraphDestroy", None, ctypes.c_void_p)
        self._make("cuGraphExecDestroy", None, ctypes.c_void_p)
        self._make("cuGraphLaunch", lambda *two: self.launched.append(two), ctypes.c_size_t, ctypes.c_size_t)
        self._make("cuStreamIsCapturing", self._is_capturing, ctypes.c_size_t, word)
        many = ctypes.POINTER(ctypes.c_size_t)
        self._make("cuGraphGetNodes", self._get_nodes, ctypes.c_void_p, many, many)
        self._make("cuGraphNodeGetType", self._get_type, ctypes.c_void_p, word)

    @staticmethod
    def _fill(value: int) -> Any:
        def fill(target: Any, *_: Any) -> None:
            target[0] = value

        return fill

    def _is_capturing(self, _: int, status: Any) -> None:
        status[0] = self.captured

    def _get_nodes(self, _: int, nodes: Any, count: Any) -> None:
        if nodes:
            for place in range(count[0]):
                nodes[place] = 1 + place
        count[0] = len(self.nodes)

    def _get_type(self, node: int, kind: Any) -> None:
        kind[0] = self.nodes[node - 1]

    def _make(self, name: str, act: Any, *kinds: Any) -> None:
        def call(*arguments: Any) -> int:
            self.calls.append(name)
            if not self.codes.get(name) and act is not None:
                act(*arguments)
            return self.codes.get(name, 0)

        setattr(self, name, ctypes.CFUNCTYPE(ctypes.c_int, *kinds)(call))


def recorder(driver: Driver) -> Recorder:
    ffi = _cffi_backend.FFI("made_up", _version=0x2601)
    return Recorder(SimpleNamespace(_ffi=ffi, _new=ffi.new), driver)


def ready(driver: Driver, stream: int = 5) -> tuple[Any, Any]:
    here = context(A=[Engine(3)])
    here.stream = stream
    one = plan(here)
    one.record(recorder(driver))
    return here, one


def test_a_launch_that_comes_back_is_recorded_and_launched_again() -> None:
    driver = Driver()
    here, one = ready(driver)
    for _ in range(20):
        one.launch(ADDRESSES, 0)
    # The ninth records: what it executes then is recorded on a stream of its own, and runs by the graph's launch.
    assert (len(executed(here)), len(driver.launched)) == (9, 12)
    assert driver.modes == [2]
    assert set(driver.launched) == {(READY, 5)}
    assert here.streams == [CAPTURE, 5]
    assert (driver.calls.count("cuGraphDestroy"), driver.calls.count("cuThreadExchangeStreamCaptureMode")) == (1, 2)


def test_other_addresses_are_other_launches_and_few_are_recorded() -> None:
    driver = Driver()
    here, one = ready(driver)
    for address in range(40):
        for _ in range(9):
            one.launch((16, 32, 64 * address), 0)
    assert driver.calls.count("cuGraphInstantiateWithFlags") == 32
    assert len(driver.launched) == 32
    one.close()
    assert driver.calls.count("cuGraphExecDestroy") == 32
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
        "cuGraphGetNodes",
        "cuGraphNodeGetType",
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


def test_a_recording_that_copies_is_not_used(caplog: pytest.LogCaptureFixture) -> None:
    driver = Driver(nodes=(KERNEL, MEMCPY))
    here, one = ready(driver)
    with caplog.at_level("INFO", logger="cudnnkit"):
        for _ in range(20):
            one.launch(ADDRESSES, 0)
    assert driver.launched == []
    assert driver.calls.count("cuGraphGetNodes") == 2
    assert "cuGraphInstantiateWithFlags" not in driver.calls
    assert [one.getMessage() for one in caplog.records] == [
        "graph engine 3 could not be recorded as a CUDA graph; it is launched plainly from now on"
    ]
    assert here.stream == 5


def legacy(stream: int = 5, refused: int = 0) -> tuple[LegacyPlan, list[int]]:
    """A plan of a legacy call that succeeds but on one stream, and the streams that it was called on."""
    called: list[int] = []

    def convolution(*_: Any) -> int:
        called.append(here.stream)
        return 3000 if here.stream == refused else 0

    ffi = _cffi_backend.FFI("made_up", _version=0x2601)
    library = SimpleNamespace(_lib=SimpleNamespace(cudnnSomething=convolution), _ffi=ffi, _new=ffi.new)
    here: Any = RecordedContext(library)
    here.stream = stream
    made = LegacyPlan(here, "cudnnSomething", Call(lambda at, *rest: (*at, *rest), ()), 0, "legacy GEMM", False)
    return made, called


def test_legacy_calls_are_recorded_where_they_allocate_nothing() -> None:
    driver, (one, called) = Driver(), legacy()
    one.record(recorder(driver))
    for _ in range(20):
        one.launch(ADDRESSES, 0, 1.0, 0.0)
    assert (called, len(driver.launched)) == ([5] * 8 + [CAPTURE], 12)
    assert driver.modes == [1]  # CU_STREAM_CAPTURE_MODE_THREAD_LOCAL: an allocation breaks the recording
    one.launch(ADDRESSES, 0, 2.0, 0.0)  # other factors are another launch
    assert (called[9:], len(driver.launched)) == ([5], 12)
    one.close()
    assert driver.calls.count("cuGraphExecDestroy") == 1


def test_a_legacy_call_that_refuses_to_be_recorded() -> None:
    driver, (one, called) = Driver(), legacy(refused=CAPTURE)
    one.record(recorder(driver))
    for _ in range(20):
        one.launch(ADDRESSES, 0)
    assert driver.launched == []
    assert "cuGraphInstantiateWithFlags" not in driver.calls
    assert called == [5] * 8 + [CAPTURE] + [5] * 12


def test_plans_of_every_scale_are_recorded() -> None:
    driver, here = Driver(), context(A=[Engine(3)])
    here.stream = 5
    (found,) = graph_candidates(problem("conv_dgrad", "w dy dx", alpha="general", beta="general"), here)
    one = found.prepare()
    one.launch(ADDRESSES, 0, 0.5, 2.0)
    one.record(recorder(driver))
    for scale in ((0.5, 2.0), (0.25, 0.0)):
        for _ in range(9):
            one.launch(ADDRESSES, 0, *scale)
    assert driver.calls.count("cuGraphInstantiateWithFlags") == 2
    assert len(driver.launched) == 3
    one.close()
    assert driver.calls.count("cuGraphExecDestroy") == 2


def test_what_is_worth_recording(monkeypatch: pytest.MonkeyPatch) -> None:
    short, engine = MOST_SECONDS / 2, CandidateId("graph", 3)
    assert records(Alternative(engine, 0, short))
    assert records(Alternative(CandidateId("legacy", algorithm="FFT", math_type="FMA"), 0, short))
    assert not records(Alternative(engine, 0, MOST_SECONDS * 2))
    assert not records(Alternative(engine, 0))
    assert not records(Alternative(CandidateId("array", name="x"), 0, short))
    monkeypatch.setenv("CUDNNKIT_GRAPH_LAUNCH", "0")
    assert not worthwhile(short)
