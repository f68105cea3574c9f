"""CUDA graphs of CuPy's work."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from cudnnkit.arrays.graph import node_count, relaxed

__all__ = ["CupyGraph"]

T = TypeVar("T")
_THREAD_LOCAL = 1  # cudaStreamCaptureModeThreadLocal


class CupyGraph:
    """Implements ``Graph`` by ``Stream.begin_capture``.

    What CuPy itself allocates meanwhile comes out of a pool of the graph's own, which lives as long as the graph:
    out of the ordinary pool that memory would go to others while the graph still uses it.

    Parameters
    ----------
    cupy
        The module.
    device
        Index of the device.
    """

    def __init__(self, cupy: Any, device: int) -> None:
        self._cupy, self._device = cupy, device
        with cupy.cuda.Device(device):
            self._stream = cupy.cuda.Stream(non_blocking=True)
        self._home = self._last = cupy.cuda.get_current_stream(device)
        self._allocator = cupy.cuda.get_allocator()
        self._pool: Any = cupy.cuda.MemoryPool()
        self._graph: Any = None
        self.nodes: int | None = None

    def record(self, function: Callable[[], T]) -> T:
        """``begin_capture``, the function, ``end_capture``; other threads may use the device meanwhile."""
        cuda, stream = self._cupy.cuda, self._stream
        with cuda.Device(self._device), stream, cuda.using_allocator(self._allocate):
            stream.begin_capture(_THREAD_LOCAL)
            try:
                result = function()
                self.nodes = node_count(stream.ptr)
            except BaseException:
                with contextlib.suppress(Exception):  # spoilt by what the function did
                    stream.end_capture()
                raise
            self._graph = stream.end_capture()
        return result

    def _allocate(self, nbytes: int) -> Any:
        with relaxed():
            return self._pool.malloc(nbytes)

    def given(self, array: Any) -> Any:
        """`array` itself."""
        return array

    @contextlib.contextmanager
    def outside(self) -> Iterator[None]:
        """The stream and the allocator of before."""
        with relaxed(), self._home, self._cupy.cuda.using_allocator(self._allocator):
            yield

    def follow(self) -> None:
        """``Stream.wait_event``."""
        now = self._cupy.cuda.get_current_stream(self._device)
        if now != self._last:
            now.wait_event(self._last.record())
            self._last = now

    def replay(self) -> None:
        """``Graph.launch`` on the current stream."""
        self._graph.launch()

    def close(self) -> None:
        """Free the graph, then its pool."""
        if self._graph is not None:
            self._last.synchronize()  # the pool's memory goes back to the device
            self._graph = None
        self._pool.free_all_blocks()
