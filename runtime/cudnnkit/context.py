"""One cuDNN handle for each thread and device.

A handle serves one thread at a time. Each thread gets its own and gives it back to a pool when it ends, since creating
one takes up to seconds on a cold GPU. The stream is set when it changes and not otherwise.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from typing import Any

from cudnnkit.library import library

__all__ = ["Context", "context", "forget"]

_generation = 0
"""Counts forks and changes of library: what belongs to an earlier generation is not used again."""
_pool: dict[int, deque[Any]] = {}


class Context:
    """A device as one thread sees it.

    Attributes
    ----------
    device
        Its ordinal.
    library
        The cuDNN library.
    handle
        The cuDNN handle (``cudnnCreate``); its ``_ptr`` is what C takes.
    stream
        Address of the stream that was set last; -1 when none was yet.
    """

    __slots__ = ("__weakref__", "_generation", "_recorder", "device", "handle", "library", "stream")

    def __init__(self, device: int) -> None:
        self.device = device
        self.library: Any = library()
        self._generation = _generation
        self.stream = -1
        self._recorder: Any = None
        self.handle: Any = None
        try:
            self.handle = _pool.setdefault(device, deque()).pop()
        except IndexError:
            self.handle = self._create()

    def _create(self) -> Any:
        from cudnnkit.driver import driver

        # cudnnCreate takes the current device; a thread that never used CUDA has none.
        with driver().on(self.device):
            return self.library.create()

    def use_stream(self, stream: int) -> None:
        """Launch on `stream` (its address) from now on: ``cudnnSetStream``, when it is another one than before."""
        if stream != self.stream:
            self.library.set_stream(self.handle, stream)
            self.stream = stream

    def recorder(self) -> Any:
        """What records launches here (``graph_launch.Recorder``); None where the driver cannot."""
        if self._recorder is None:
            from cudnnkit.driver import driver
            from cudnnkit.graph_launch import Recorder

            try:
                self._recorder = Recorder(self.library, driver().cuda)
            except AttributeError:
                return None
        return self._recorder

    def __del__(self) -> None:
        # A finaliser takes no lock: a deque's append is atomic. Handles of before a fork are left alone.
        handle = getattr(self, "handle", None)
        if handle is not None and self._generation == _generation:
            waiting = _pool.get(self.device)
            if waiting is not None:
                waiting.append(handle)

    def __repr__(self) -> str:
        return f"<Context of device {self.device}, stream {self.stream:#x}>"


class _Threads(threading.local):
    def __init__(self) -> None:
        self.contexts: dict[int, Context] = {}
        self.generation = _generation


_threads = _Threads()


def context(device: int) -> Context:
    """The calling thread's context of a device, made at the first call.

    Raises
    ------
    LibraryError
        There is no usable cuDNN.
    DriverError
        There is no such device.
    """
    threads = _threads
    if threads.generation != _generation:
        threads.contexts, threads.generation = {}, _generation
    found = threads.contexts.get(device)
    if found is None:
        found = threads.contexts[device] = Context(device)
    return found


def forget() -> None:
    """Start anew: later calls make new contexts. Those that are in use stay as they are."""
    global _generation
    _generation += 1
    _pool.clear()


# In a child CUDA's state is not usable, and the parent's handles are not the child's to destroy.
os.register_at_fork(after_in_child=forget)
