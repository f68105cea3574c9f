"""Graphs of torch's and CuPy's work, with modules made of Python that say what was called."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from cudnnkit import driver as driver_module
from cudnnkit.arrays.cupy_graph import CupyGraph
from cudnnkit.arrays.graph import node_count, relaxed
from cudnnkit.arrays.torch_graph import TorchGraph


class Calls(list[str]):
    """What was called, in order; each call fails when told so."""

    def __init__(self) -> None:
        self.failing: set[str] = set()

    def note(self, name: str) -> None:
        self.append(name)
        if name in self.failing:
            raise RuntimeError(f"{name} failed")


@pytest.fixture
def calls() -> Calls:
    return Calls()


@pytest.fixture(autouse=True)
def _driver(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts three nodes; its capture mode is exchanged."""
    modes = [0]

    def exchange(mode: Any) -> int:
        value = ctypes.cast(mode, ctypes.POINTER(ctypes.c_int)).contents
        modes[0], value.value = value.value, modes[0]
        calls.note(f"mode {modes[0]}")
        return 0

    def info(stream: Any, status: Any, identity: Any, graph: Any, *_: Any) -> int:  # noqa: ARG001
        ctypes.cast(graph, ctypes.POINTER(ctypes.c_void_p)).contents.value = 77
        return 0

    def nodes(graph: Any, place: Any, count: Any) -> int:
        assert (graph.value, place) == (77, None)
        ctypes.cast(count, ctypes.POINTER(ctypes.c_size_t)).contents.value = 3
        return 0

    cuda = SimpleNamespace(
        cuThreadExchangeStreamCaptureMode=exchange, cuStreamGetCaptureInfo_v2=info, cuGraphGetNodes=nodes
    )
    monkeypatch.setattr(driver_module, "driver", lambda: SimpleNamespace(cuda=cuda))


class Stream:
    """A stream of either library."""

    def __init__(self, calls: Calls, name: str) -> None:
        self._calls, self.name = calls, name
        self.cuda_stream = self.ptr = 5

    def wait_stream(self, other: Stream) -> None:
        self._calls.note(f"{self.name} waits for {other.name}")

    def wait_event(self, event: str) -> None:
        self._calls.note(f"{self.name} waits for {event}")

    def record(self) -> str:
        return self.name

    def synchronize(self) -> None:
        self._calls.note(f"wait for {self.name}")


def torch_module(calls: Calls) -> Any:
    """As much of torch as recording takes."""

    class Graph:
        def capture_begin(self, *, capture_error_mode: str, pool: Any = None) -> None:
            assert capture_error_mode == "thread_local"
            calls.note(f"begin {pool}")

        def capture_end(self) -> None:
            calls.note("end")
            calls.failing.discard("end")

        def reset(self) -> None:
            calls.note("reset")

        def replay(self) -> None:
            calls.note("replay")

    streams = [Stream(calls, "home")]

    @contextlib.contextmanager
    def use(stream: Stream) -> Iterator[None]:
        streams.append(stream)
        calls.note(f"on {stream.name}")
        try:
            yield
        finally:
            streams.pop()

    cuda = SimpleNamespace(
        CUDAGraph=Graph, graph_pool_handle=lambda: "pool", Stream=lambda _: Stream(calls, "side"),
        current_stream=lambda _: streams[-1], stream=use,
    )  # fmt: skip
    private = SimpleNamespace(
        _cuda_endAllocateToPool=lambda *given: calls.note(f"end pool {given}"),
        _cuda_releasePool=lambda *given: calls.note(f"release pool {given}"),
    )
    empty = lambda *_, **__: SimpleNamespace(zero_=lambda: calls.note("zero"))  # noqa: E731
    return SimpleNamespace(cuda=cuda, _C=private, empty=empty, streams=streams)


def test_torch_records_and_replays(calls: Calls) -> None:
    torch = torch_module(calls)
    graph = TorchGraph(torch, 0)
    assert graph.record(lambda: calls.append("work") or 7) == 7
    assert calls == ["side waits for home", "on side", "begin pool", "work", "end"]
    assert graph.nodes == 3
    graph.record(lambda: None)
    assert calls[5:] == ["side waits for home", "on side", "begin pool", "end", "reset"]  # in the same pool
    graph.replay()
    torch.streams.append(Stream(calls, "other"))
    graph.follow()
    graph.follow()
    graph.close()
    graph.close()
    assert calls[10:] == ["replay", "other waits for home", "wait for other", "reset"]


def test_memory_outside_of_torchs_graph(calls: Calls) -> None:
    torch = torch_module(calls)
    graph = TorchGraph(torch, 0)

    def work() -> None:
        with graph.outside():
            calls.append("memory")
            assert torch.streams[-1].name == "home"

    graph.record(work)
    assert calls[3:] == ["mode 2", "on home", "memory", "mode 0", "end"]


def fail() -> None:
    raise ValueError("the function's own")


def test_a_function_that_fails_under_torch(calls: Calls) -> None:
    torch = torch_module(calls)
    graph = TorchGraph(torch, 0)
    with pytest.raises(ValueError, match="own"):
        graph.record(fail)
    assert calls[-1] == "end"
    calls.failing.add("end")
    with pytest.raises(ValueError, match="own"):
        graph.record(fail)
    # The pool is let go, and a short recording that ends well sets the generators right.
    assert calls[-6:] == ["end", "end pool (0, 'pool')", "release pool (0, 'pool')", "begin None", "zero", "end"]


def test_a_recording_that_torch_cannot_end(calls: Calls) -> None:
    graph = TorchGraph(torch_module(calls), 0)
    calls.failing.add("end")
    with pytest.raises(RuntimeError, match="end failed"):
        graph.record(lambda: None)
    assert calls[-6:] == ["end", "end pool (0, 'pool')", "release pool (0, 'pool')", "begin None", "zero", "end"]
    graph.close()
    calls.failing |= {"end pool (0, 'pool')", "begin None"}
    calls.failing.add("end")
    with pytest.raises(RuntimeError, match="end failed"):
        graph.record(lambda: None)  # what cannot be cleaned hides no error


def cupy_module(calls: Calls) -> Any:
    """As much of CuPy as recording takes."""

    class Recording(Stream):
        def begin_capture(self, mode: int) -> None:
            calls.note(f"begin {mode}")

        def end_capture(self) -> Any:
            calls.note("end")
            return SimpleNamespace(launch=lambda: calls.note("launch"))

        def __enter__(self) -> None:
            calls.note(f"on {self.name}")

        def __exit__(self, *_: Any) -> None:
            calls.note(f"off {self.name}")

    allocators: list[Any] = ["ordinary"]

    @contextlib.contextmanager
    def using(allocator: Any) -> Iterator[None]:
        allocators.append(allocator)
        try:
            yield
        finally:
            allocators.pop()

    current = [Recording(calls, "home")]
    pool = SimpleNamespace(malloc=lambda size: calls.note(f"malloc {size}"), free_all_blocks=lambda: calls.note("free"))
    cuda = SimpleNamespace(
        Device=lambda _: contextlib.nullcontext(), Stream=lambda **_: Recording(calls, "side"), MemoryPool=lambda: pool,
        get_current_stream=lambda _: current[-1], get_allocator=lambda: allocators[-1], using_allocator=using,
    )  # fmt: skip
    return SimpleNamespace(cuda=cuda, allocators=allocators, current=current)


def test_cupy_records_and_replays(calls: Calls) -> None:
    cupy = cupy_module(calls)
    graph = CupyGraph(cupy, 0)

    def work() -> int:
        cupy.allocators[-1](64)
        with graph.outside():
            assert cupy.allocators[-1] == "ordinary"
        return 7

    assert graph.record(work) == 7
    assert graph.nodes == 3
    assert calls == [
        "on side", "begin 1", "mode 2", "malloc 64", "mode 0", "mode 2", "on home", "off home", "mode 0", "end",
        "off side",
    ]  # fmt: skip
    calls.clear()
    graph.replay()
    cupy.current.append(Stream(calls, "other"))
    graph.follow()
    graph.close()
    graph.close()
    assert calls == ["launch", "other waits for home", "wait for other", "free", "free"]


@pytest.mark.parametrize("ends", [True, False])
def test_a_function_that_fails_under_cupy(ends: bool, calls: Calls) -> None:
    cupy = cupy_module(calls)
    graph = CupyGraph(cupy, 0)
    if not ends:
        calls.failing.add("end")
    with pytest.raises(ValueError, match="own"):
        graph.record(fail)
    assert calls == ["on side", "begin 1", "end", "off side"]
    assert cupy.allocators == ["ordinary"]


def test_a_driver_without_the_function_counts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_module, "driver", lambda: SimpleNamespace(cuda=SimpleNamespace()))
    assert node_count(5) is None


def test_the_mode_comes_back_after_an_error(calls: Calls) -> None:
    with pytest.raises(ValueError, match="own"), relaxed():
        fail()
    assert calls == ["mode 2", "mode 0"]
