"""Gives memory to a function's operations by a plan while they are recorded."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from cudnnkit.arrays.layouts import extent_bytes
from cudnnkit.recording.planning import MemoryPlan
from cudnnkit.rooms import Room, paused

if TYPE_CHECKING:
    from cudnnkit.arrays.view import ArrayLibrary

__all__ = ["Placement"]


class Placement:
    """Implements ``Rooms``: the n-th memory that is asked for lies where the plan has its n-th range.

    It never gives out memory that is still alive, whatever the plan says: a function that does something else than
    when it was traced gets memory of its own from the pool for what does not fit. So a plan can be bad, but not wrong.

    Parameters
    ----------
    plan
        The plan.
    base, buffer
        The buffer's address, and what owns it.
    seen
        Addresses of the operands when the function was traced. What lies there again was not made by the function.

    Attributes
    ----------
    outside
        Arrays by address that the function did not make: weights, for example. The graph reads their memory.
    prepared
        The plans that were launched: the graph runs kernels that they loaded.
    unplanned
        How many requests the plan did not fit.
    launches, last
        Number of launches, and the last one in words.
    """

    def __init__(self, plan: MemoryPlan, base: int, buffer: Any, seen: set[int]) -> None:
        self._plan, self._base, self._buffer, self._seen = plan, base, buffer, seen
        self._next = 0
        self._alive: dict[int, tuple[int, int]] = {}
        self.outside: dict[int, Any] = {}
        self.prepared: dict[int, Any] = {}
        self.unplanned = self.launches = 0
        self.last = ""

    def array(
        self, library: ArrayLibrary, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str, device: int
    ) -> Any:
        """A new array where the plan has it."""
        nbytes = extent_bytes(shape, strides, dtype)
        room = self._room(nbytes, device) if nbytes else None
        if room is not None:
            return library.over(room, shape, strides, dtype)
        with paused():
            return library.empty(shape, strides, dtype, device).source

    def workspace(self, library: ArrayLibrary, nbytes: int, device: int) -> Any:
        """Workspace where the plan has it."""
        return self._room(nbytes, device) or library.allocate(nbytes, device)

    def launched(self, prepared: Any, pointers: Sequence[int], arrays: Sequence[Any]) -> None:
        """What the graph will need later is kept."""
        end = self._base + self._plan.nbytes
        for pointer, array in zip(pointers, arrays, strict=True):
            if pointer in self._seen and not self._base <= pointer < end:
                self.outside.setdefault(pointer, array)
        self.prepared[id(prepared)] = prepared
        self.launches += 1
        self.last = f"launch {self.launches}, {prepared.request.problem.label}"

    def _room(self, nbytes: int, device: int) -> Room | None:
        at, plan = self._next, self._plan
        self._next += 1
        if at < len(plan.ranges) and nbytes <= plan.ranges[at].nbytes:
            low = plan.offsets[at]
            high = low + nbytes
            if not any(low < last and first < high for first, last in tuple(self._alive.values())):
                self._alive[at] = low, high
                return Room(self._base + low, nbytes, device, partial(self._alive.pop, at, None), self._buffer)
        self.unplanned += 1
        import logging

        logging.getLogger("cudnnkit").info("recording: request %d of %d bytes does not fit the plan", at, nbytes)
        return None
