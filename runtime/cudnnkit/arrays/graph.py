"""What a CUDA graph is to the runtime: recorded by an array library, since its own kernels and memory take part."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

__all__ = ["Graph", "node_count", "relaxed"]

T = TypeVar("T")
_RELAXED = 2  # CU_STREAM_CAPTURE_MODE_RELAXED


class Graph(Protocol):
    """One CUDA graph."""

    @property
    def nodes(self) -> int | None:
        """How many nodes it has; None where the driver cannot tell."""
        ...

    def record(self, function: Callable[[], T]) -> T:
        """Call `function` while its work is recorded on a stream of its own, not run; answers its result.

        Recording again replaces what was recorded. Whatever happens, nothing is recording afterwards, and the caller's
        stream is current again. What would allocate or free device memory behind the array library's back fails: it
        would be gone at the next replay.

        Raises
        ------
        Exception
            What the function raised, or why the recording could not be ended.
        """
        ...

    def given(self, array: Any) -> Any:
        """What the function is given for an array of the recording's while it is recorded; as a rule `array` itself."""
        ...

    def outside(self) -> AbstractContextManager[Any]:
        """A block, within a recording, in which memory comes from the library's ordinary pool."""
        ...

    def follow(self) -> None:
        """Make the library's current stream wait for what was launched on the one before."""
        ...

    def replay(self) -> None:
        """Launch it on the library's current stream."""
        ...

    def close(self) -> None:
        """Free it, after its last launch is done if that was on another stream than its memory's."""
        ...


@contextlib.contextmanager
def relaxed() -> Iterator[None]:
    """A block in which a pool may grow although the thread records (``cuThreadExchangeStreamCaptureMode``)."""
    from cudnnkit.driver import driver

    mode = ctypes.c_int(_RELAXED)
    exchange = driver().cuda.cuThreadExchangeStreamCaptureMode
    exchange(ctypes.byref(mode))
    try:
        yield
    finally:
        exchange(ctypes.byref(mode))


def node_count(stream: int) -> int | None:
    """Nodes that a stream has recorded so far (``cuStreamGetCaptureInfo_v2``, ``cuGraphGetNodes``)."""
    from cudnnkit.driver import driver

    status, identity, graph, count = ctypes.c_int(), ctypes.c_ulonglong(), ctypes.c_void_p(), ctypes.c_size_t()
    with contextlib.suppress(AttributeError):  # a driver without this version of the function
        cuda = driver().cuda
        failed = cuda.cuStreamGetCaptureInfo_v2(
            ctypes.c_void_p(stream), ctypes.byref(status), ctypes.byref(identity), ctypes.byref(graph), None, None
        )
        if not failed and graph.value and not cuda.cuGraphGetNodes(graph, None, ctypes.byref(count)):
            return count.value
    return None
