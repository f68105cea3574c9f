"""Problem to decision, in memory: shared by threads, bounded where asked, one search however many threads ask.

The lock guards tables only. It is never held while cuDNN is called, memory is allocated, or the disk is read; who asks
for a problem that is being searched waits for that search's own event.
"""

from __future__ import annotations

import copy
import os
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Generic, Protocol, TypeVar

from cudnnkit.candidates import CandidateId, Executable
from cudnnkit.choice import Alternative, Choice, Decision, Unsupported
from cudnnkit.policy import EFFORTS, Policy
from cudnnkit.problem import Problem
from cudnnkit.report import SearchReport
from cudnnkit.search import Outcome
from cudnnkit.table import Entry, Limits, Table

__all__ = ["Answer", "Backing", "Counters", "DecisionCache", "Finder", "Limits"]

A = TypeVar("A")

RETRY_AFTER = 100
"""A provisional choice is looked at again when it was asked for this often, and each further time twice as late."""
_KEPT_REPORTS = 256


class Finder(Protocol[A]):
    """Finds the decision for one problem under one policy; see ``cudnnkit.search``."""

    def heuristic(self) -> Outcome[A]: ...

    def search(self) -> Outcome[A]: ...


class Backing(Protocol):
    """Where decisions outlive the process; see ``cudnnkit.store``. Neither method raises for a damaged file."""

    def get(self, problem: Problem) -> Decision | None: ...

    def put(self, problem: Problem, decision: Decision, report: SearchReport | None = None) -> None: ...

    def delete(self, problem: Problem) -> None: ...


@dataclass(frozen=True)
class Counters:
    """What a cache did since it was made.

    `hits` were answered from memory, `misses` were not; of the misses `disk_hits` came from disk, `waits` from another
    thread's search, and the rest from `searches`, which took `search_seconds`, or from `heuristics`. Searches for
    the steps of a way to take a problem apart are part of the problem's own.
    """

    hits: int = 0
    misses: int = 0
    disk_hits: int = 0
    waits: int = 0
    searches: int = 0
    search_seconds: float = 0.0
    heuristics: int = 0
    evictions: int = 0
    rejected: int = 0


@dataclass(slots=True)
class Answer(Generic[A]):
    """A decision; with its report and the prepared candidate for the thread that found it."""

    decision: Decision
    report: SearchReport | None = None
    executable: Executable[A] | None = None


class _Pending:
    """A decision that some thread is finding."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.owner = threading.get_ident()
        self.done = threading.Event()
        self.decision: Decision | None = None
        self.error: Exception | None = None

    def answers(self, policy: Policy) -> bool:
        """Whether a request of the same effort would have led to the same."""
        if self.decision is None:
            return False
        asked = self.policy.budget_ms >= policy.budget_ms and self.policy.after <= policy.after
        return asked or self.decision.satisfies(policy)


class DecisionCache:
    """Decisions by problem.

    Parameters
    ----------
    store
        What outlives the process; None for memory only.
    limits
        Bounds.
    clock
        Seconds, for counting search time.
    """

    def __init__(
        self, store: Backing | None = None, limits: Limits | None = None, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self.store = store
        self._limits = limits or Limits()
        self._clock = clock
        self._table = Table(self._limits)
        self._reports: OrderedDict[Problem, SearchReport] = OrderedDict()
        self._rejected: set[tuple[Problem, CandidateId]] = set()
        self._counts: dict[str, Any] = asdict(Counters())
        self._epoch = 0
        self._thread = threading.local()  # `depth`: searches within searches, for the steps of a way, are part of one
        self._begin()
        _caches.add(self)

    def _begin(self) -> None:
        # A forked child has only the forking thread: locks and searches of the others would be waited for in vain.
        self._lock = threading.RLock()
        self._pending: dict[tuple[Problem, int], _Pending] = {}

    # What users see ------------------------------------------------------------------------------------------------

    def decide(self, problem: Problem, policy: Policy, finder: Finder[A], *, capturing: bool = False) -> Answer[A]:
        """The decision for a problem, from memory, from disk, or found now.

        Parameters
        ----------
        problem
            The complete key.
        policy
            How much effort the caller asks for.
        finder
            Finds it if need be, in this thread.
        capturing
            The stream records a CUDA graph: nothing is measured and nobody waited for; what is known or the heuristic
            answers.

        Raises
        ------
        Exception
            Whatever the finder raises; threads that waited for it get a copy.
        """
        with self._lock:
            entry = self._table.get(problem)
            if entry is not None and self._answers(entry, policy, capturing):
                self._counts["hits"] += 1
                self._table.touch(problem)
                return Answer(entry.decision)
            self._counts["misses"] += 1
        return self._miss(problem, policy, finder, capturing)

    def peek(self, problem: Problem) -> Decision | None:
        """What memory holds, without counting as a request."""
        entry = self._table.get(problem)
        return None if entry is None else entry.decision

    def report(self, problem: Problem) -> SearchReport | None:
        """How this process came to its decision, for the last few hundred problems."""
        return self._reports.get(problem)

    def pin(self, problem: Problem, candidate: CandidateId, workspace: int = 0) -> None:
        """Make `candidate` the answer for a problem, here and on disk, until :meth:`forget`."""
        decision = Choice(Alternative(candidate, workspace), level=EFFORTS["pinned"])
        with self._lock:
            self._table.put(problem, Entry(decision))
        if self.store is not None:
            self.store.put(problem, decision)

    def adopt(self, problem: Problem, choice: Choice, *, lasting: bool = False) -> None:
        """Replace a decision by one that was found elsewhere, in the whole network for example.

        Parameters
        ----------
        problem, choice
            What, and the choice, with the effort that stands behind it.
        lasting
            On disk as well; what the search there found is kept beside it.
        """
        with self._lock:
            self._table.put(problem, Entry(choice))
        if lasting and self.store is not None and choice.level and not choice.provisional:
            self.store.put(problem, choice, self.report(problem))

    def forget(self, problem: Problem) -> None:
        """Drop what is known of a problem, here and on disk, a pin included."""
        with self._lock:
            self._table.drop(problem)
        if self.store is not None:
            self.store.delete(problem)

    def reject(self, problem: Problem, candidate: CandidateId) -> None:
        """A stored candidate cannot be replayed: forget it, and do not take it from disk again.

        The next :meth:`decide` finds another. A read-only store keeps its row; it is passed over.
        """
        with self._lock:
            self._rejected.add((problem, candidate))
            self._counts["rejected"] += 1
            entry = self._table.get(problem)
            mine = entry is not None and _names(entry.decision, candidate)
        if mine:
            self.forget(problem)

    def clear(self) -> None:
        """Empty the memory; the disk and the counters keep what they have."""
        with self._lock:
            self._table.clear()
            self._reports.clear()
            self._rejected.clear()

    @property
    def limits(self) -> Limits:
        """The bounds; setting them lets problems that were denied a search ask again."""
        return self._limits

    @limits.setter
    def limits(self, limits: Limits) -> None:
        with self._lock:
            self._limits = limits
            self._epoch += 1
            self._table.limit(limits)

    @property
    def counters(self) -> Counters:
        """What happened so far."""
        with self._lock:
            return Counters(**{**self._counts, "evictions": self._table.evictions})

    def __len__(self) -> int:
        return len(self._table)

    # How it works --------------------------------------------------------------------------------------------------

    def _answers(self, entry: Entry, policy: Policy, capturing: bool) -> bool:
        """Whether an entry answers a request; counts the request where that depends on how many there were."""
        if capturing:
            return True
        settled = entry.settled >= policy.effort and entry.epoch == self._epoch
        if settled or entry.decision.satisfies(policy):
            if not entry.provisional or policy.effort == 0:
                return True
            due = RETRY_AFTER << entry.retries
        elif policy.after:
            due = policy.after
        else:
            return False
        entry.uses += 1
        return entry.uses < due

    def _miss(self, problem: Problem, policy: Policy, finder: Finder[A], capturing: bool) -> Answer[A]:
        if capturing:
            # Nobody is waited for inside a capture; two threads may both ask the heuristic.
            return self._found(problem, self._resolve(problem, policy, finder, capturing))
        key = problem, policy.effort
        while True:
            with self._lock:
                pending = self._pending.get(key)
                if pending is None:
                    pending = self._pending[key] = _Pending(policy)
                    break
                self._counts["waits"] += 1
            if pending.owner == threading.get_ident():
                # The search needs its own problem solved: waiting would be for ever.
                outcome = finder.heuristic()
                return Answer(outcome.decision, outcome.report, outcome.executable)
            pending.done.wait()
            if pending.error is not None:
                raise copy.copy(pending.error) from pending.error
            if pending.decision is not None and pending.answers(policy):
                return Answer(pending.decision)
            # The owner was interrupted, or asked for less: one of those who waited takes over.
        try:
            answer = self._found(problem, self._resolve(problem, policy, finder, capturing))
            pending.decision = answer.decision
            return answer
        except Exception as error:
            pending.error = error
            raise
        finally:
            with self._lock:
                if self._pending.get(key) is pending:
                    del self._pending[key]
            pending.done.set()

    def _resolve(self, problem: Problem, policy: Policy, finder: Finder[A], capturing: bool) -> tuple[Answer[A], Entry]:
        """From disk, by a search, or by the heuristic, without the lock."""
        entry = self._table.get(problem)
        # Another thread may have finished between the first look and this one.
        if entry is not None and not entry.provisional and entry.decision.satisfies(policy):
            return Answer(entry.decision), entry
        stored = self._stored(problem)
        if stored is not None and stored.satisfies(policy):
            with self._lock:
                self._counts["disk_hits"] += 1
            return Answer(stored), Entry(stored)
        due = not policy.after or (entry is not None and (entry.uses >= policy.after or entry.provisional))
        if policy.effort and due and not capturing and self._may_search():
            return self._searched(entry, policy, finder)
        # No search for now: what is known, however little work stands behind it, else the heuristic.
        bounded = bool(policy.effort and due and not capturing)
        known = entry.decision if entry is not None else stored
        answer: Answer[A]
        if known is not None:
            answer = Answer(known)
        else:
            outcome = finder.heuristic()
            answer = Answer(outcome.decision, outcome.report, outcome.executable)
            with self._lock:
                self._counts["heuristics"] += 1
        made = Entry(answer.decision, retries=0 if entry is None else entry.retries)
        made.uses = entry.uses if entry is not None and not bounded else 0
        if bounded:
            made.settled, made.epoch = policy.effort, self._epoch
        return answer, made

    def _searched(self, entry: Entry | None, policy: Policy, finder: Finder[A]) -> tuple[Answer[A], Entry]:
        epoch, begun = self._epoch, self._clock()
        self._thread.depth = depth = getattr(self._thread, "depth", 0) + 1
        try:
            outcome = finder.search()
        finally:
            self._thread.depth = depth - 1
            if depth == 1:
                with self._lock:
                    self._counts["search_seconds"] += self._clock() - begun
        retries = 0 if entry is None or not entry.provisional else entry.retries + 1
        made = Entry(outcome.decision, retries=retries)
        if not outcome.decision.satisfies(policy):
            # It could not measure after all. Asking again at once would not help.
            made.settled, made.epoch = policy.effort, epoch
        return Answer(outcome.decision, outcome.report, outcome.executable), made

    def _stored(self, problem: Problem) -> Decision | None:
        stored = None if self.store is None else self.store.get(problem)
        if isinstance(stored, Choice) and any((problem, one.id) in self._rejected for one in stored.chain):
            return None
        return stored

    def _may_search(self) -> bool:
        """Whether the bounds leave room for one more search, which then counts; one within another belongs to it."""
        if getattr(self._thread, "depth", 0):
            return True
        with self._lock:
            bound, seconds = self._limits.searches, self._limits.search_seconds
            if bound is not None and self._counts["searches"] >= bound:
                return False
            if seconds is not None and self._counts["search_seconds"] >= seconds:
                return False
            self._counts["searches"] += 1
            return True

    def _found(self, problem: Problem, found: tuple[Answer[A], Entry]) -> Answer[A]:
        """Remember, first here and then on disk."""
        answer, entry = found
        with self._lock:
            if not (isinstance(answer.decision, Unsupported) and answer.decision.fleeting):
                self._table.put(problem, entry)
            if answer.report is not None:
                self._reports[problem] = answer.report
                self._reports.move_to_end(problem)
                while len(self._reports) > _KEPT_REPORTS:
                    self._reports.popitem(last=False)
        decision = answer.decision
        # On disk go measured choices of this call. That nothing serves may be the fault of this machine today.
        lasting = isinstance(decision, Choice) and decision.level > 0 and not decision.provisional
        if lasting and answer.report is not None and self.store is not None:
            self.store.put(problem, decision, answer.report)
        return answer


def _names(decision: Decision, candidate: CandidateId) -> bool:
    return isinstance(decision, Choice) and any(one.id == candidate for one in decision.chain)


_caches: weakref.WeakSet[DecisionCache] = weakref.WeakSet()


def _after_fork() -> None:
    for one in list(_caches):
        one._begin()


os.register_at_fork(after_in_child=_after_fork)
