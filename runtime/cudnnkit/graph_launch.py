"""Launches of cuDNN's two APIs, recorded into CUDA graphs.

``cudnnBackendExecute`` costs the host about 10 us and a legacy call up to 140 us, a launch of the same kernels,
recorded once, about 3 us. It is for kernels so short that they wait for the host: a recorded graph takes memory, and
where several take turns the device takes longer from one to the next (``docs/results/launches.md``).
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from typing import Any

__all__ = ["MOST_SECONDS", "Recorded", "Recorder", "Recording", "records", "worthwhile"]

MOST_SECONDS = 8e-6
"""Measured device time up to which launches are recorded. Above it a queue of work is soon ahead of the device, which
takes 1.5 to 2.7 us longer between launches that were recorded apart (``docs/results/launches.md``)."""
_RECORD_AT = 8
"""A launch is recorded when it came back so often."""
_MOST_RECORDED = 32
"""Launches that one plan keeps recorded: the first that came back; making room would cost more than it brings."""
_THREAD_LOCAL, _RELAXED = 1, 2  # CU_STREAM_CAPTURE_MODE_...
_HARMLESS = (0, 2, 5)  # CU_GRAPH_NODE_TYPE_KERNEL, _MEMSET, _EMPTY
_NON_BLOCKING = 1  # CU_STREAM_NON_BLOCKING
_FUNCTIONS = (
    "cuStreamCreate", "cuStreamBeginCapture_v2", "cuStreamEndCapture", "cuThreadExchangeStreamCaptureMode",
    "cuGraphInstantiateWithFlags", "cuGraphDestroy", "cuGraphExecDestroy", "cuGraphLaunch", "cuStreamIsCapturing",
    "cuGraphGetNodes", "cuGraphNodeGetType",
)  # fmt: skip


def records(one: Any) -> bool:
    """Whether launches of a chosen alternative (``choice.Alternative``) are recorded."""
    return one.id.api in ("graph", "legacy") and worthwhile(one.seconds)


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

    def record(self, context: Any, launch: Callable[[], int], *, cautious: bool = False) -> Recorded | None:
        """What `launch` launches on the context's stream, ready to be launched again; None where that cannot be had.

        Nothing runs. The context's stream is the same afterwards; its device must be the current one.

        Parameters
        ----------
        context, launch
            Where, and what; `launch` answers a status.
        cautious
            Refuse a launch that allocates or frees memory, which would be gone when the launch is repeated.
        """
        kind = _THREAD_LOCAL if cautious else _RELAXED
        mode = ctypes.c_int(kind)  # so that no other thread's recording is disturbed
        exchange = self._cuda["cuThreadExchangeStreamCaptureMode"]
        if exchange(ctypes.byref(mode)):
            return None
        try:
            return self._record(context, launch, kind)
        finally:
            exchange(ctypes.byref(mode))

    def _record(self, context: Any, launch: Callable[[], int], kind: int) -> Recorded | None:
        cuda = self._cuda
        if self._stream is None:
            made = ctypes.c_void_p()
            if cuda["cuStreamCreate"](ctypes.byref(made), _NON_BLOCKING):
                return None
            self._stream = made.value or 0
        stream, before, graph = ctypes.c_void_p(self._stream), context.stream, ctypes.c_void_p()
        if cuda["cuStreamBeginCapture_v2"](stream, kind):
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
            if failed or not self._harmless(graph):
                return None
            if cuda["cuGraphInstantiateWithFlags"](ctypes.byref(ready), graph, ctypes.c_ulonglong(0)):
                return None
        finally:
            cuda["cuGraphDestroy"](graph)
        return Recorded(ready.value or 0, cuda["cuGraphExecDestroy"])

    def _harmless(self, graph: ctypes.c_void_p) -> bool:
        """Whether a graph holds kernels and fills alone: a copy may read host memory that is another's by then."""
        cuda, count = self._cuda, ctypes.c_size_t()
        if cuda["cuGraphGetNodes"](graph, None, ctypes.byref(count)):
            return False
        nodes, kind = (ctypes.c_size_t * count.value)(), ctypes.c_int()
        if cuda["cuGraphGetNodes"](graph, nodes, ctypes.byref(count)):
            return False
        get = cuda["cuGraphNodeGetType"]
        return all(
            not get(ctypes.c_void_p(node), ctypes.byref(kind)) and kind.value in _HARMLESS
            for node in nodes[: count.value]
        )


class Recording:
    """Base of plans that record the launches which come back at the same addresses.

    Parameters
    ----------
    context
        The plan's context.
    label
        The candidate in words.
    """

    __slots__ = ("_context", "_label", "_recorded", "_recorder", "_uses")

    _cautious = False

    def __init__(self, context: Any, label: str) -> None:
        self._context, self._label = context, label
        self._uses: dict[Any, int] = {}
        self._recorder: Recorder | None = None
        self._recorded: dict[Any, Recorded] = {}

    def record(self, recorder: Recorder) -> None:
        """From now on record launches that come back at the same addresses."""
        if self._recorder is None:
            self._recorder = recorder

    def stop_recording(self) -> None:
        """Launch plainly from now on."""
        self._recorder = None
        self._recorded.clear()
        self._uses.clear()

    def _plain(self, key: Any) -> Callable[[], int] | None:
        """The plain launch of what was launched before; None for its first time."""
        raise NotImplementedError

    def _relaunched(self, recorder: Recorder, key: Any) -> bool:
        """Whether `key` was launched as it was recorded; if not, it is to be launched plainly."""
        recorded = self._recorded.get(key) or self._record(recorder, key)
        if recorded is None:
            return False
        stream = self._context.stream
        # The legacy stream, 0, cannot be captured by anyone.
        if stream and recorder.capturing(stream):
            return False
        if recorder.launch(recorded.address, stream):
            self._give_up("could not be launched as recorded")
            return False
        return True

    def _record(self, recorder: Recorder, key: Any) -> Recorded | None:
        """The launch recorded, if it came back often enough; what cannot be recorded is not tried again."""
        plain = self._plain(key)
        if plain is None:
            return None  # its first launch, which also loads what it needs: that must not happen in a recording
        uses = self._uses[key] = self._uses.get(key, 0) + 1
        if uses != _RECORD_AT or len(self._recorded) >= _MOST_RECORDED or self._context.stream < 0:
            return None
        recorded = recorder.record(self._context, plain, cautious=self._cautious)
        if recorded is None:
            self._give_up("could not be recorded")
        else:
            self._recorded[key] = recorded
        return recorded

    def _forget(self, key: Any) -> None:
        self._uses.pop(key, None)
        self._recorded.pop(key, None)

    def _give_up(self, reason: str) -> None:
        import logging

        logging.getLogger("cudnnkit").info(
            "%s %s as a CUDA graph; it is launched plainly from now on", self._label, reason
        )
        self.stop_recording()
