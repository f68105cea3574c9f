"""The table behind the cache: entries in the order in which they were asked for, bounded where asked.

It takes no lock; its owner does.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from cudnnkit.choice import Choice, Decision
from cudnnkit.policy import EFFORTS
from cudnnkit.problem import Problem

__all__ = ["RETRIES", "Entry", "Limits", "Table"]

RETRIES = 3
"""How often a provisional choice is looked at again before it stays."""
_OVERHEAD = 512


@dataclass(frozen=True)
class Limits:
    """Bounds of a cache; None for none.

    Attributes
    ----------
    entries, nbytes
        Size in memory (bytes are estimated). The entry that was asked for longest ago goes first; pinned ones stay.
    searches, search_seconds
        How many searches this process makes, and how long they may take together. Past either the heuristic answers:
        with ever-changing shapes it is the searching that costs.
    """

    entries: int | None = None
    nbytes: int | None = None
    searches: int | None = None
    search_seconds: float | None = None


@dataclass
class Entry:
    """A decision in memory.

    Attributes
    ----------
    decision
        What was decided.
    nbytes
        About how much memory it takes; 0 while nobody asked.
    settled, epoch
        Effort that this answers in that epoch of the limits, although less work stands behind it.
    uses
        Requests that it answered while more work was due later.
    retries
        How often a provisional choice was looked at again.
    """

    decision: Decision
    nbytes: int = 0
    settled: int = -1
    epoch: int = 0
    uses: int = 0
    retries: int = 0

    @property
    def provisional(self) -> bool:
        """It shall be looked at again later."""
        return isinstance(self.decision, Choice) and self.decision.provisional and self.retries < RETRIES

    @property
    def pinned(self) -> bool:
        """The user chose it."""
        return self.decision.level == EFFORTS["pinned"]


class Table:
    """Entries by problem, least recently asked for first."""

    def __init__(self, limits: Limits) -> None:
        self._entries: OrderedDict[Problem, Entry] = OrderedDict()
        self._limits = limits
        self._nbytes = 0
        self.evictions = 0

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, problem: Problem) -> Entry | None:
        """The entry, which keeps its place."""
        return self._entries.get(problem)

    def touch(self, problem: Problem) -> None:
        """Note that an entry was asked for."""
        self._entries.move_to_end(problem)

    def put(self, problem: Problem, entry: Entry) -> None:
        """Add or replace an entry; one with more work behind it stays, but takes over that it was asked for in vain."""
        old = self._entries.get(problem)
        if old is not None and old.decision.level > entry.decision.level:
            old.settled, old.epoch, old.uses = entry.settled, entry.epoch, entry.uses
            old.retries = max(old.retries, entry.retries)
            return
        self.drop(problem)
        if self._limits.nbytes is not None:
            entry.nbytes = _size(problem, entry.decision)
        self._entries[problem] = entry
        self._nbytes += entry.nbytes
        self._evict()

    def drop(self, problem: Problem) -> None:
        """Remove an entry if there is one."""
        old = self._entries.pop(problem, None)
        if old is not None:
            self._nbytes -= old.nbytes

    def clear(self) -> None:
        """Remove all."""
        self._entries.clear()
        self._nbytes = 0

    def limit(self, limits: Limits) -> None:
        """Put other bounds in force."""
        self._limits = limits
        if limits.nbytes is not None:
            for problem, entry in self._entries.items():
                entry.nbytes = entry.nbytes or _size(problem, entry.decision)
            self._nbytes = sum(entry.nbytes for entry in self._entries.values())
        self._evict()

    def _evict(self) -> None:
        most, room = self._limits.entries, self._limits.nbytes
        if (most is None or len(self._entries) <= most) and (room is None or self._nbytes <= room):
            return
        for problem in [one for one, entry in self._entries.items() if not entry.pinned]:
            if (most is None or len(self._entries) <= most) and (room is None or self._nbytes <= room):
                return
            self.drop(problem)
            self.evictions += 1


def _size(problem: Problem, decision: Decision) -> int:
    """About how many bytes an entry takes: objects are some times larger than their text."""
    links = len(decision.chain) if isinstance(decision, Choice) else len(decision.reasons)
    return 4 * len(problem.canonical()) + _OVERHEAD * (1 + links)
