"""Timing on the device with CUDA events, through ``libcuda`` alone.

A launch costs the host more than a small kernel costs the device, so an idle device would wait inside the timed span.
Therefore memory is set first, for longer than the launch takes the host: when the span begins, everything is queued.
Setting as much memory as the second-level cache holds also makes every run begin with the same, cold cache.
"""

from __future__ import annotations

import contextlib
import ctypes
import time
from collections.abc import Callable
from typing import Any

from cudnnkit.driver import DriverError, driver

__all__ = ["EventTimer"]

_LEAD_BYTES = 64 * 2**20
_BYTES_PER_SECOND = 2.5e12
"""How fast memory is set, a cautious guess: setting longer than needed does no harm."""
_MOST_LEADS = 64
_LONGEST_LAUNCH = 2e-3
"""Seconds of the host's time that a lead covers, for several launches together; 64 leads last about as long."""


class EventTimer:
    """Times one piece of work at a time, of one launch or several, on a stream.

    Parameters
    ----------
    device, stream
        Where; the device is the thread's current one while it is used.
    """

    def __init__(self, device: int, stream: int) -> None:
        self._cuda: Any = driver()._cuda
        self._stream = ctypes.c_void_p(stream)
        self._events = ctypes.c_void_p(), ctypes.c_void_p()
        self._lead = ctypes.c_uint64()
        self._host_seconds = 50e-6
        with driver().on(device):
            for event in self._events:
                self._call("cuEventCreate", ctypes.byref(event), 0)
            # Without this memory times of small kernels include some of the host's; that is no reason to fail.
            if self._cuda.cuMemAlloc_v2(ctypes.byref(self._lead), ctypes.c_size_t(_LEAD_BYTES)):
                self._lead = ctypes.c_uint64()

    def _call(self, name: str, *arguments: Any) -> None:
        code = getattr(self._cuda, name)(*arguments)
        if code:
            raise DriverError(name, code, f"CUresult {code} while a candidate was timed")

    def __call__(self, work: Callable[[], None]) -> float:
        """Seconds between two events around `work`; raises what the device reports when it is done."""
        before, after = self._events
        if self._lead.value:
            needed = 1.5 * self._host_seconds * _BYTES_PER_SECOND / _LEAD_BYTES
            for _ in range(min(_MOST_LEADS, 1 + int(needed))):
                self._call("cuMemsetD8Async", self._lead, ctypes.c_ubyte(0), ctypes.c_size_t(_LEAD_BYTES), self._stream)
        self._call("cuEventRecord", before, self._stream)
        begun = time.perf_counter()
        work()
        # Candidates take turns: the next one's launches may cost the host more than this one's.
        self._host_seconds = min(max(time.perf_counter() - begun, 0.7 * self._host_seconds), _LONGEST_LAUNCH)
        self._call("cuEventRecord", after, self._stream)
        self._call("cuEventSynchronize", after)
        passed = ctypes.c_float()
        self._call("cuEventElapsedTime", ctypes.byref(passed), before, after)
        return passed.value / 1000

    def __del__(self) -> None:
        with contextlib.suppress(Exception):  # at the interpreter's end the driver may be gone
            for event in self._events:
                if event.value:
                    self._cuda.cuEventDestroy_v2(event)
            if self._lead.value:
                self._cuda.cuMemFree_v2(self._lead)
