"""Timing one prepared candidate, and keeping other measurements off the device meanwhile."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from cudnnkit.candidates import Executable

__all__ = ["Bench", "Samples", "measuring", "median", "sample"]

FEWEST = 5
MOST = 25
SPREAD = 0.03
"""Samples are taken until the middle half of them lies within this share of the median."""

A = TypeVar("A")


class Bench(Protocol[A]):
    """Everything that measuring needs of the outside world; tests put in a clock of their own.

    `A` is what an executable runs on: the addresses of operands, or arrays.
    """

    @property
    def device(self) -> int:
        """Ordinal of the device, for the gate that keeps measurements apart."""
        ...

    def arguments(self, *, scratch: bool) -> AbstractContextManager[A]:
        """Operands for the time of the search; with `scratch` the outputs are memory that nobody else sees.

        Raises
        ------
        MemoryError
            There is no memory for scratch outputs.
        """
        ...

    def workspace(self, nbytes: int) -> AbstractContextManager[int]:
        """The address of so much workspace, given back at the end of the block; MemoryError when there is none."""
        ...

    def poison(self, arguments: A) -> None:
        """Fill the outputs with what no correct candidate leaves there; where beta reads them, with known values."""
        ...

    def check(self, arguments: A) -> str | None:
        """Why the outputs are wrong, None when they are right."""
        ...

    def time(self, executable: Executable[A], arguments: A, workspace: int) -> float:
        """Seconds that one run takes on the device. Synchronises, so that a fault of the run is raised here."""
        ...

    def now(self) -> float:
        """The host's clock, seconds."""
        ...

    def free(self) -> int | None:
        """Free bytes of the device, None when unknown."""
        ...

    def trim(self) -> None:
        """Give back what the search made the pool take."""
        ...


_gates: dict[int, threading.RLock] = {}
os.register_at_fork(after_in_child=_gates.clear)


@contextlib.contextmanager
def measuring(device: int) -> Iterator[None]:
    """Hold a device's measuring gate: two measurements at a time would time each other.

    Nothing but measurements waits at it, finalisers and ordinary calls least of all. A candidate made of other
    operations may search for those while it is prepared, hence a gate that its holder passes again.
    """
    with _gates.setdefault(device, threading.RLock()):
        yield


def median(times: list[float]) -> float:
    """The middle time; of an even number the upper of the two. (``statistics`` takes longer to import than we do.)"""
    return sorted(times)[len(times) // 2]


@dataclass
class Samples:
    """Times of one candidate, in rounds taken at different moments.

    Other work on the device only ever adds time, so of the rounds' medians the least is the most trustworthy.
    """

    rounds: list[list[float]] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """The least of the rounds' medians."""
        return min(median(one) for one in self.rounds)

    @property
    def count(self) -> int:
        """How many runs were timed."""
        return sum(map(len, self.rounds))


def _stable(times: list[float]) -> bool:
    if len(times) < FEWEST:
        return False
    ordered = sorted(times)
    quarter = len(ordered) // 4
    return ordered[-1 - quarter] - ordered[quarter] <= SPREAD * median(times)


def sample(
    bench: Bench[A], executable: Executable[A], arguments: A, workspace: int, *, hopeless: float, deadline: float
) -> list[float]:
    """Times of one candidate, until they are stable.

    Parameters
    ----------
    bench, executable, arguments, workspace
        What to run.
    hopeless
        Seconds beyond which two runs suffice to give a candidate up.
    deadline
        On the bench's clock: no further run is begun after it, but one there always is.
    """
    times: list[float] = []
    while len(times) < MOST and not _stable(times):
        if times and bench.now() >= deadline:
            break
        times.append(bench.time(executable, arguments, workspace))
        if len(times) >= 2 and min(times) > hopeless:
            break
    return times
