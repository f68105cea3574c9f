"""Timing one prepared candidate, and keeping other measurements off the device meanwhile."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from cudnnkit.candidates import Executable
from cudnnkit.workspace import is_out_of_memory

__all__ = ["Bench", "Samples", "in_turns", "launches_for", "measuring", "median", "sample"]

FEWEST, MOST = 5, 25
"""Samples of a round; chosen, not measured."""
SPREAD = 0.03
"""Samples are taken until the middle half of them lies within this share of the median; chosen, not measured."""

BURST_SECONDS = 0.3e-3
"""Launches of a sample in the final take about this long together: a hundred times what events resolve."""
MOST_LAUNCHES = 32
TURNS = 11
"""Samples of each finalist; in an odd number of them the median is one of them."""

A = TypeVar("A")
K = TypeVar("K")


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

    def burst(self, executable: Executable[A], arguments: A, workspace: int, launches: int) -> float:
        """Seconds a launch takes on the device, of so many back to back on operands that the cache does not hold."""
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

    Other work on the device only ever adds time, so of the rounds' medians the least is the most trustworthy. Times of
    a final in which finalists took turns are better still. They are of launches back to back on operands that the cache
    does not hold: they are compared with each other, and never with a round's.
    """

    rounds: list[list[float]] = field(default_factory=list)
    final: list[float] = field(default_factory=list)

    @property
    def single(self) -> float:
        """A launch on its own: the least of the rounds' medians."""
        return min(median(one) for one in self.rounds)

    @property
    def seconds(self) -> float:
        """The median of the final, else as `single`."""
        return median(self.final) if self.final else self.single

    @property
    def order(self) -> tuple[bool, float]:
        """For sorting, the fastest first: those of the final stand before all others, as they did to get there."""
        return not self.final, self.seconds

    @property
    def count(self) -> int:
        """How many samples were taken."""
        return sum(map(len, self.rounds)) + len(self.final)


def _stable(times: list[float]) -> bool:
    if len(times) < FEWEST:
        return False
    ordered = sorted(times)
    quarter = len(ordered) // 4
    return ordered[-1 - quarter] - ordered[quarter] <= SPREAD * median(times)


def sample(
    bench: Bench[A],
    executable: Executable[A],
    arguments: A,
    workspace: int,
    *,
    hopeless: float,
    behind: float,
    deadline: float,
    first: float = 0.0,
) -> list[float]:
    """Times of one candidate, until they are stable.

    Parameters
    ----------
    bench, executable, arguments, workspace
        What to run.
    hopeless, behind
        Seconds beyond which two runs, and three, suffice to give a candidate up.
    first
        Seconds of a run before these, which may have loaded code: a hopeless one is confirmed by a single run more.
    deadline
        On the bench's clock: no further run is begun after it, but one there always is.
    """
    times: list[float] = []
    while len(times) < MOST and not _stable(times):
        if times and bench.now() >= deadline:
            break
        times.append(bench.time(executable, arguments, workspace))
        least, count = min(times), len(times)
        if (least > hopeless and count + (first > hopeless) >= 2) or (least > behind and count >= 3):
            break
    return times


def launches_for(seconds: float) -> int:
    """How many launches make a sample of the final, where one takes so long."""
    return max(1, min(MOST_LAUNCHES, round(BURST_SECONDS / seconds)))


def in_turns(
    bench: Bench[A],
    contenders: dict[K, Executable[A]],
    arguments: A,
    workspace: int,
    *,
    launches: int,
    deadline: float,
    failed: Callable[[K, Exception], None],
) -> list[dict[K, float]]:
    """Seconds a launch of each contender, turn by turn, so that what disturbs one disturbs all.

    Parameters
    ----------
    bench, arguments, workspace
        On what to run; the workspace is the largest that any of them needs.
    contenders
        Who takes part; who fails is struck out, and `failed` is called.
    launches
        Back to back, for one sample.
    deadline
        On the bench's clock: no further turn is begun after it.

    Raises
    ------
    MemoryError
        Memory ran out.
    """
    turns: list[dict[K, float]] = []
    # The first turn is not counted: it makes the copies of the operands, and shows what launches cost the host.
    while len(turns) <= TURNS and bench.now() < deadline:
        times = {}
        for one, executable in tuple(contenders.items()):
            try:
                times[one] = bench.burst(executable, arguments, workspace, launches)
            except Exception as error:  # noqa: PERF203 (an engine may fail in any way)
                if is_out_of_memory(error, bench.free()):
                    raise MemoryError(str(error)) from error
                del contenders[one]
                failed(one, error)
        turns.append(times)
    return turns[1:]
