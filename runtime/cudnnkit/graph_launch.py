"""Launches of the graph API, recorded into CUDA graphs.

``cudnnBackendExecute`` costs the host about 10 us, a launch of the same kernels, recorded once, about 3 us, and the
device takes as long either way (``docs/results/launches.md``). A recorded graph takes memory, so it is for kernels that
are short enough to wait for the host.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from typing import Any

__all__ = ["MOST_SECONDS", "Recorded", "Recorder", "records", "worthwhile"]

MOST_SECONDS = 100e-6
"""Measured device time up to which launches are recorded: beyond it the host is far ahead of the device anyway."""
_RELAXED = 2  # CU_STREAM_CAPTURE_MODE_RELAXED
_NON_BLOCKING = 1  # CU_STREAM_NON_BLOCKING
_FUNCTIONS = (
    "cuStreamCreate", "cuStreamBeginCapture_v2", "cuStreamEndCapture", "cuThreadExchangeStreamCaptureMode",
    "cuGraphInstantiateWithFlags", "cuGraphDestroy", "cuGraphExecDestroy", "cuGraphLaunch", "cuStreamIsCapturing",
)  # fmt: skip


def records(one: Any) -> bool:
    """Whether launches of a chosen alternative (``choice.Alternative``) are recorded."""
    return one.id.api == "graph" and worthwhile(one.seconds)


def worthwhile(seconds: float | None) -> bool:
    """Whether a launch that takes the device so long is recorded; ``CUDNNKIT_GRAPH_LAUNCH=0`` turns that off."""
    return seconds is not None and seconds <= MOST_SECONDS and os.environ.get("CUDNNKIT_GRAPH_LAUNCH", "1") != "0"


class Recorded:
    """An instantiated CUDA graph; freed with the object.

    Attributes
    ----------
    address
        Its ``CUgraphExec``.
    """

    __slots__ = ("_destroy", "_process", "address")

    def __init__(self, address: int, destroy: Callable[..., int]) -> None:
        self.address, self._destroy, self._process = address, destroy, os.getpid()

    def __del__(self) -> None:
        # At exit the driver frees it, and in a forked child it is not ours.
        if not sys.is_finalizing() and os.getpid() == self._process:
            self._destroy(ctypes.c_void_p(self.address))


class Recorder:
    """Records launches of one thread on one device.

    Parameters
    ----------
    library
        The cuDNN library.
    cuda
        The driver as ctypes loads it.

    Attributes
    ----------
    launch
        ``launch(address, stream)``: ``cuGraphLaunch``.

    Raises
    ------
    AttributeError
        The driver is too old for this.
    """

    __slots__ = ("_capturing", "_cuda", "_status", "_stream", "launch")

    def __init__(self, library: Any, cuda: Any) -> None:
        ffi = library._ffi
        self._cuda = {name: getattr(cuda, name) for name in _FUNCTIONS}
        # Called for each launch; through cffi in two thirds of the time that ctypes takes.
        self.launch: Callable[[int, int], int] = self._through(ffi, "int(*)(uintptr_t, uintptr_t)", "cuGraphLaunch")
        self._capturing = self._through(ffi, "int(*)(uintptr_t, int *)", "cuStreamIsCapturing")
        self._status = library._new("int *")
        self._stream: int | None = None

    def _through(self, ffi: Any, kind: str, name: str) -> Any:
        return ffi.cast(kind, ctypes.cast(self._cuda[name], ctypes.c_void_p).value)

    def capturing(self, stream: int) -> bool:
        """Whether a stream is being recorded by its owner: it takes no recorded launch (``cuStreamIsCapturing``)."""
        return bool(self._capturing(stream, self._status) or self._status[0])

    def record(self, context: Any, launch: Callable[[], int]) -> Recorded | None:
        """What `launch` launches on the context's stream, ready to be launched again; None where that cannot be had.

        Nothing runs. The context's stream is the same afterwards; its device must be the current one.
        """
        mode = ctypes.c_int(_RELAXED)  # so that no other thread's recording is disturbed
        exchange = self._cuda["cuThreadExchangeStreamCaptureMode"]
        if exchange(ctypes.byref(mode)):
            return None
        try:
            return self._record(context, launch)
        finally:
            exchange(ctypes.byref(mode))

    def _record(self, context: Any, launch: Callable[[], int]) -> Recorded | None:
        cuda = self._cuda
        if self._stream is None:
            made = ctypes.c_void_p()
            if cuda["cuStreamCreate"](ctypes.byref(made), _NON_BLOCKING):
                return None
            self._stream = made.value or 0
        stream, before, graph = ctypes.c_void_p(self._stream), context.stream, ctypes.c_void_p()
        if cuda["cuStreamBeginCapture_v2"](stream, _RELAXED):
            return None
        try:
            context.use_stream(self._stream)
            failed = launch()
        finally:
            ended = cuda["cuStreamEndCapture"](stream, ctypes.byref(graph))
            context.use_stream(before)
        if ended or not graph.value:
            return None
        ready = ctypes.c_void_p()
        try:
            if failed or cuda["cuGraphInstantiateWithFlags"](ctypes.byref(ready), graph, ctypes.c_ulonglong(0)):
                return None
        finally:
            cuda["cuGraphDestroy"](graph)
        return Recorded(ready.value or 0, cuda["cuGraphExecDestroy"])
