"""Observes the memory of a function's operations: what they make, how large, how long it lives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, Any

from cudnnkit.arrays.layouts import extent_bytes
from cudnnkit.recording.planning import FOREVER, Range
from cudnnkit.rooms import Room, paused

if TYPE_CHECKING:
    from cudnnkit.arrays.view import ArrayLibrary

__all__ = ["Trace"]


class Trace:
    """Implements ``Rooms``: all memory comes from the array library's pool, and its lifetime is noted.

    A function's references end in the same order each time it runs, and the device works in the order of one stream:
    so memory may be used again once the last reference to it is gone.

    Parameters
    ----------
    outside
        Opens a block in which memory does not count as the graph's own.

    Attributes
    ----------
    seen
        Addresses of all operands of all launches.
    launches
        Their number.
    last
        The last launched problem in words.
    largest
        The largest workspace, bytes.
    streams
        The streams that were launched on.
    libraries
        The array libraries of the results.
    """

    def __init__(self, outside: Callable[[], AbstractContextManager[Any]]) -> None:
        self._outside = outside
        self._sizes: list[int] = []
        self._deaths: list[int] = []
        self.seen: set[int] = set()
        self.streams: set[int] = set()
        self.libraries: set[ArrayLibrary] = set()
        self.launches = self.largest = 0
        self.last = ""

    def array(
        self, library: ArrayLibrary, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str, device: int
    ) -> Any:
        """A new array over memory whose end is seen."""
        nbytes = extent_bytes(shape, strides, dtype)
        with paused(), self._outside():
            if not nbytes:
                return library.empty(shape, strides, dtype, device).source
            memory = library.empty((nbytes,), (1,), "uint8", device).source
        return library.over(self._room(library.pointer(memory), nbytes, device, memory), shape, strides, dtype)

    def workspace(self, library: ArrayLibrary, nbytes: int, device: int) -> Room:
        """Memory that lives until its launch is queued."""
        with paused(), self._outside():
            block = library.allocate(nbytes, device)
        self.largest = max(self.largest, nbytes)
        return self._room(block.pointer, nbytes, device, block)

    def _room(self, pointer: int, nbytes: int, device: int, keep: Any) -> Room:
        born = len(self._sizes)
        self._sizes.append(nbytes)
        self._deaths.append(FOREVER)
        return Room(pointer, nbytes, device, partial(self._gone, born), keep)

    def _gone(self, born: int) -> None:
        self._deaths[born] = len(self._sizes)

    @property
    def ranges(self) -> list[Range]:
        """Lifetimes so far. With more than one stream nothing ends: streams have no common order."""
        shared = len(self.streams) < 2
        return [
            Range(nbytes, born, died if shared else FOREVER)
            for born, (nbytes, died) in enumerate(zip(self._sizes, self._deaths, strict=True))
        ]

    def launched(self, prepared: Any, pointers: Sequence[int], arrays: Sequence[Any]) -> None:  # noqa: ARG002
        """Its operands are noted by address."""
        library = prepared.request.library
        self.libraries.add(library)
        self.streams.add(library.stream(prepared.request.device))
        self.seen.update(pointers)
        self.launches += 1
        self.last = f"launch {self.launches}, {prepared.request.problem.label}"
