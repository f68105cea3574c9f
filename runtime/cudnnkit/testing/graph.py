"""Simulated CUDA graphs: launches are noted while they are recorded, and run when they are replayed."""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Callable, Iterator
from threading import get_ident
from typing import TYPE_CHECKING, Any, TypeVar

from cudnnkit.arrays.view import span

if TYPE_CHECKING:
    from cudnnkit.testing.device import SimulatedDevice

__all__ = ["SimulatedGraph"]

T = TypeVar("T")
_WAITING = ("dot", "read", "values", "finite", "nan")
"""Kernels whose result the host waits for."""


class SimulatedGraph:
    """Implements ``Graph``. What NumPy itself computes is host work, and is refused.

    Parameters
    ----------
    device
        Where.

    Attributes
    ----------
    process
        The process that made it: a forked child records nothing of its parent's.
    replays
        How often it was replayed.
    stream
        The stream that it is recorded on.
    """

    stream = 0x9A9

    def __init__(self, device: SimulatedDevice) -> None:
        self._device = device
        self._steps: list[Callable[[], None]] = []
        self._memory: list[Any] = []
        self._spoilt = False
        self._owns = True
        self.process = os.getpid()
        self.replays = 0

    @property
    def nodes(self) -> int | None:
        """Launches."""
        return len(self._steps)

    def record(self, function: Callable[[], T]) -> T:
        """Launches of this thread are noted until the function returns."""
        thread = get_ident()
        if self._device.recording is not None:
            raise RuntimeError("the stream is capturing already")
        self._device.recordings[thread] = self
        self._steps, self._memory, self._spoilt = [], [], False
        try:
            result = function()
        finally:
            self._device.recordings.pop(thread, None)
        if self._spoilt:
            raise RuntimeError("the capture was invalidated by an earlier error")
        return result

    def given(self, array: Any) -> Any:
        """`array`, but what NumPy itself would do with it is refused, unless the device is told otherwise."""
        from cudnnkit.testing.recorded import RecordedArray

        return array.view(RecordedArray) if self._device.refuses_numpy else array

    @contextlib.contextmanager
    def outside(self) -> Iterator[None]:
        """What is taken from the pool meanwhile goes back to it."""
        before, self._owns = self._owns, False
        try:
            yield
        finally:
            self._owns = before

    def follow(self) -> None:
        """The host has one order."""

    def replay(self) -> None:
        """Run what was noted."""
        self.replays += 1
        for step in self._steps:
            step()

    def close(self) -> None:
        """Forget it all."""
        self._steps.clear()
        self._memory.clear()

    def note(self, step: Callable[[], None]) -> None:
        """One launch; it must hold no array, as a launch on a device holds none."""
        self._steps.append(step)

    def own(self, memory: Any) -> None:
        """Memory taken from the pool meanwhile is the graph's."""
        if self._owns:
            self._memory.append(memory)

    def kernel(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """A kernel of the array library, noted when it is called."""

        def noted(*arguments: Any) -> None:
            if name in _WAITING:
                self._spoilt = True
                raise RuntimeError(f"{name}: operation not permitted when stream is capturing")
            bare = tuple(map(_detached, arguments))
            self.note(lambda: function(*bare))

        return noted


def _detached(value: Any) -> Any:
    """An array over the same memory that does not keep it alive; anything else as it is."""
    import numpy

    if not isinstance(value, numpy.ndarray) or not value.size:
        return value
    low, high = span(value.shape, value.strides)  # of the elements' first bytes
    memory: Any = (ctypes.c_char * (high - 1 + value.itemsize - low)).from_address(value.ctypes.data + low)
    bare: Any = numpy.ndarray(value.shape, value.dtype, memory, -low, value.strides)
    return bare
