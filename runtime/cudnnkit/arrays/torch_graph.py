"""CUDA graphs of torch's work."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from cudnnkit.arrays.graph import node_count, relaxed

__all__ = ["TorchGraph"]

T = TypeVar("T")
_spoilt: list[Any] = []
"""Graphs that could not be ended."""


class TorchGraph:
    """Implements ``Graph`` by ``torch.cuda.CUDAGraph``, which sees to torch's random numbers and memory.

    Parameters
    ----------
    torch
        The module.
    device
        Index of the device.
    """

    def __init__(self, torch: Any, device: int) -> None:
        self._torch, self._device = torch, device
        self._graph: Any = None
        self._pool = torch.cuda.graph_pool_handle()
        self._stream = torch.cuda.Stream(device)
        self._home = self._last = torch.cuda.current_stream(device)
        self.nodes: int | None = None

    def record(self, function: Callable[[], T]) -> T:
        """``capture_begin``, the function, ``capture_end``, on a stream of its own.

        Other threads may use the device meanwhile (``thread_local``).
        """
        cuda = self._torch.cuda
        graph, before = cuda.CUDAGraph(), self._graph
        self._stream.wait_stream(self._home)
        with cuda.stream(self._stream):
            # The pool of an earlier recording is used again; that one is let go only afterwards, and the pool with it.
            graph.capture_begin(pool=self._pool, capture_error_mode="thread_local")
            try:
                result = function()
                self.nodes = node_count(self._stream.cuda_stream)
            except BaseException:
                self._abandon(graph)
                raise
            try:
                graph.capture_end()
            except BaseException:
                self._clean(graph)
                raise
        self._graph = graph
        if before is not None:
            before.reset()
        return result

    def _abandon(self, graph: Any) -> None:
        try:
            graph.capture_end()
        except Exception:  # the recording was spoilt by what the function did
            self._clean(graph)

    def _clean(self, graph: Any) -> None:
        """Undo what torch leaves behind when a recording cannot be ended.

        Its allocators still ask the graph whether memory is for its pool, so the object has to stay; its generators
        still count for a graph: a short recording that ends well puts that right.
        """
        torch = self._torch
        _spoilt.append(graph)
        for name in ("_cuda_endAllocateToPool", "_cuda_endAllocateCurrentStreamToPool", "_cuda_releasePool"):
            with contextlib.suppress(Exception):
                getattr(torch._C, name)(self._device, self._pool)
        with contextlib.suppress(Exception):
            room = torch.empty(1, device=f"cuda:{self._device}")
            short = torch.cuda.CUDAGraph()
            short.capture_begin(capture_error_mode="thread_local")
            room.zero_()
            short.capture_end()

    def given(self, array: Any) -> Any:
        """`array` itself."""
        return array

    @contextlib.contextmanager
    def outside(self) -> Iterator[None]:
        """Torch's stream of before: its memory comes from the ordinary pool."""
        with relaxed(), self._torch.cuda.stream(self._home):
            yield

    def follow(self) -> None:
        """``Stream.wait_stream``."""
        now = self._torch.cuda.current_stream(self._device)
        if now != self._last:
            now.wait_stream(self._last)
            self._last = now

    def replay(self) -> None:
        """``CUDAGraph.replay``."""
        self._graph.replay()

    def close(self) -> None:
        """``CUDAGraph.reset``."""
        graph, self._graph = self._graph, None
        if graph is not None:
            if self._last != self._home:
                self._last.synchronize()
            graph.reset()
