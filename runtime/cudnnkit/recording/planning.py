"""Where arrays lie in one buffer, so that those that are never alive together share memory.

Greedy by size with the best-fitting gap (Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net
Inference", 2020), in several orders, of which the smallest result is taken.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["ALIGNMENT", "FOREVER", "MemoryPlan", "Range", "most_alive", "plan_memory"]

ALIGNMENT = 256
"""Bytes; what array libraries align their own memory to, at least as far as any kernel cares."""
FOREVER = sys.maxsize


@dataclass(frozen=True, slots=True)
class Range:
    """The life of some memory. Time counts births: `born` is the place in their order.

    Attributes
    ----------
    nbytes
        Size.
    born
        When it was made.
    died
        The first birth that came after its end; `FOREVER` when it outlived them all.
    """

    nbytes: int
    born: int
    died: int = FOREVER

    def meets(self, other: Range) -> bool:
        """Whether both are alive at some time."""
        return self.born < other.died and other.born < self.died


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """Offsets in one buffer.

    Attributes
    ----------
    ranges
        What was planned, in order of birth.
    offsets
        Where each begins, bytes; multiples of `ALIGNMENT`.
    nbytes
        Size of the buffer.
    """

    ranges: tuple[Range, ...]
    offsets: tuple[int, ...]
    nbytes: int

    @property
    def total(self) -> int:
        """Bytes that it would take without sharing."""
        return sum(map(_padded, self.ranges))


def _padded(one: Range) -> int:
    return -(-one.nbytes // ALIGNMENT) * ALIGNMENT


def most_alive(ranges: Sequence[Range]) -> int:
    """Most bytes alive at any time: no plan is smaller."""
    changes = [(one.born, _padded(one)) for one in ranges] + [(one.died, -_padded(one)) for one in ranges]
    most = now = 0
    for _, change in sorted(changes):  # at the same time the dead leave first
        now += change
        most = max(most, now)
    return most


_ORDERS: tuple[Callable[[Range], tuple[int, ...]], ...] = (
    lambda one: (-one.nbytes, one.born),
    lambda one: (-one.nbytes * (min(one.died, one.born + 10**6) - one.born), one.born),
    lambda one: (one.born,),
)


def plan_memory(ranges: Sequence[Range]) -> MemoryPlan:
    """Offsets for lifetimes; two that meet never share a byte.

    Parameters
    ----------
    ranges
        In order of birth.
    """
    least, best = most_alive(ranges), None
    for order in _ORDERS:
        offsets, nbytes = _place(ranges, order)
        if best is None or nbytes < best.nbytes:
            best = MemoryPlan(tuple(ranges), tuple(offsets), nbytes)
        if nbytes == least:
            break
    assert best is not None  # there are orders
    return best


def _place(ranges: Sequence[Range], order: Callable[[Range], tuple[int, ...]]) -> tuple[list[int], int]:
    offsets = [0] * len(ranges)
    placed: list[int] = []  # by offset
    nbytes = 0
    for at in sorted(range(len(ranges)), key=lambda one: order(ranges[one])):
        mine, size = ranges[at], _padded(ranges[at])
        if not size:
            continue
        best, gap, end = -1, FOREVER, 0
        for other in placed:
            if not ranges[other].meets(mine):
                continue
            free = offsets[other] - end
            if size <= free < gap:
                best, gap = end, free
            end = max(end, offsets[other] + _padded(ranges[other]))
        offsets[at] = end if best < 0 else best
        nbytes = max(nbytes, offsets[at] + size)
        placed.append(at)
        placed.sort(key=offsets.__getitem__)
    return offsets, nbytes
