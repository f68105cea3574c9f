"""From a problem to a prepared candidate: memory, then disk, then a search; never a search while a graph is recorded.

Decisions are shared by all threads; what is prepared belongs to the thread that asked.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cudnnkit.admission import refusal
from cudnnkit.cache import Counters, DecisionCache, Limits
from cudnnkit.candidates import CandidateId
from cudnnkit.choice import Choice, Decision, Unsupported
from cudnnkit.errors import ArgumentError, Attempt, OutOfMemoryError, UnsupportedError
from cudnnkit.finder import ProblemFinder, rebuild
from cudnnkit.policy import Policy
from cudnnkit.report import SearchReport
from cudnnkit.sizes import format_bytes
from cudnnkit.workspace import free_memory, is_out_of_memory, workspaces

if TYPE_CHECKING:
    from cudnnkit.arrays.view import ArrayLibrary
    from cudnnkit.backend import Backend
    from cudnnkit.cache import Backing
    from cudnnkit.decompose.setting import Ready, Setting
    from cudnnkit.operands import Operands
    from cudnnkit.problem import Problem

__all__ = ["GENERATION", "Tuner", "set_tuner", "tuner", "use_tuner"]

GENERATION = [0]
"""Counts changes of tuner, pins and forks: what was prepared before is not used again."""

_REPLAYS = 4
"""Choices of a problem that are tried: each that cannot be prepared again is rejected, and another one made."""


class Tuner:
    """Decides and prepares.

    Parameters
    ----------
    backend
        What computes.
    store
        Decisions on disk; None for none.
    limits
        Bounds of the cache in memory, and of searches.
    """

    def __init__(self, backend: Backend, store: Backing | None = None, limits: Limits | None = None) -> None:
        self.backend = backend
        self.cache = DecisionCache(store, limits)

    @property
    def counters(self) -> Counters:
        """Hits, misses, searches and their time. Calls that a thread's own plans answered do not get here."""
        return self.cache.counters

    def ready(self, problem: Problem, setting: Setting, operands: Operands | None = None) -> Ready:
        """The choice for a problem, prepared for the calling thread.

        Parameters
        ----------
        problem, setting
            What, and where.
        operands
            The caller's, to be measured on; None for random ones.

        Raises
        ------
        UnsupportedError
            Nothing computes it under the policy; the reasons of every candidate are listed.
        OutOfMemoryError
            Memory did not suffice for any candidate, or for a remembered choice and all that it falls back on.
        """
        from cudnnkit.decompose.setting import Ready

        finder = ProblemFinder(self.backend, problem, setting, operands)
        reasons: list[tuple[str, str]] = []
        for _ in range(_REPLAYS):
            answer = self.cache.decide(problem, setting.policy, finder, capturing=setting.capturing)
            decision = answer.decision
            if isinstance(decision, Unsupported):
                raise UnsupportedError(problem.label, (*reasons, *decision.reasons), decision.hint)
            if answer.executable is not None:
                return Ready(problem, decision, answer.executable)
            executable = self._replayed(problem, decision, setting, reasons)
            if executable is not None:
                return Ready(problem, decision, executable)
        raise UnsupportedError(problem.label, reasons, "remembered choices could not be prepared again")

    def _replayed(
        self, problem: Problem, choice: Choice, setting: Setting, reasons: list[tuple[str, str]]
    ) -> Any | None:
        """A remembered choice prepared again; None where it is to be had no more, to choose anew.

        Without memory the pools are trimmed and the choice tried once more; then comes what it falls back on.

        Raises
        ------
        OutOfMemoryError
            Memory did not suffice for any of them; each is listed with workspace, status and free memory.
        """
        attempts: list[Attempt] = []
        once_more = 0 if setting.capturing else 1  # a pool that a recorded graph takes from is left alone
        for place, one in enumerate((*choice.chain[:once_more], *choice.chain)):
            if once_more and place == 1:
                workspaces.use(setting.library, setting.device)
                workspaces.trim(setting.device)
            try:
                return self.prepare(problem, one.id, setting, one.workspace)
            except Exception as error:  # whatever keeps a remembered candidate from being had again
                told = f"{type(error).__name__}: {error}"
                free, _ = free_memory(setting.library, setting.device)
                starved = is_out_of_memory(error, free)
            # Outside the handler: the traceback, and what it holds, is gone by now.
            if place == 0 and not starved:
                reasons.append((str(one.id), told))
                if choice.pinned:
                    raise UnsupportedError(problem.label, reasons, "the choice is pinned; unpin it")
                self.cache.reject(problem, one.id)
                return None
            if place >= once_more:
                attempts.append(Attempt(str(one.id), one.workspace, told.splitlines()[0], free))
        raise OutOfMemoryError(problem.label, attempts)

    def prepare(self, problem: Problem, one: CandidateId, setting: Setting, workspace: int | None = None) -> Any:
        """A candidate by its identity, admitted by the policy and prepared.

        `workspace` is what a decision says it needs, bytes; None where there is no such decision.

        Raises
        ------
        ArgumentError
            The policy does not admit it, or not the workspace that it needs.
        Exception
            It cannot be had.
        """
        backend = self.backend
        with backend.on(setting.device):
            candidate = rebuild(backend, problem, one, setting, backend.context(setting.device), workspace)
            reason = refusal(candidate.description, problem)
            if reason is not None:
                raise ArgumentError("candidate", str(one), reason)
            executable = candidate.prepare()
        # The user's own limit; a search's further rules are no matter of what was chosen already.
        ceiling = setting.policy.limit.resolve(free_memory(setting.library, setting.device)[1])
        if ceiling is not None and executable.workspace > ceiling:
            need = executable.workspace
            executable.close()
            reason = f"needs {format_bytes(need)} of workspace, {format_bytes(ceiling)} are allowed"
            raise ArgumentError("candidate", str(one), reason)
        return executable

    def final(self, decision: Decision, policy: Policy) -> bool:
        """Whether asking again under the same policy would change nothing."""
        if policy.effort == 0:
            return True
        return decision.satisfies(policy) and not (isinstance(decision, Choice) and decision.provisional)

    def again(self, problem: Problem, setting: Setting, operands: Operands) -> Decision:
        """The decision as of now, one more request counted; it may search."""
        finder = ProblemFinder(self.backend, problem, setting, operands)
        answer = self.cache.decide(problem, setting.policy, finder, capturing=setting.capturing)
        if answer.executable is not None:
            answer.executable.close()
        return answer.decision

    def tune(self, problem: Problem, library: ArrayLibrary, policy: Policy, device: int = 0) -> SearchReport | None:
        """Decide a problem on random operands, for tuning ahead of use; how the decision was made, if it was made now.

        Raises
        ------
        UnsupportedError, OutOfMemoryError
            As :meth:`ready`.
        """
        from cudnnkit.decompose.setting import Setting

        before = self.cache.report(problem)
        self.ready(problem, Setting(self, policy, library, device)).executable.close()
        found = self.cache.report(problem)
        return None if found is before else found

    def explain(self, problem: Problem, setting: Setting, operands: Operands | None = None) -> SearchReport:
        """How the decision for a problem came about.

        A decision from disk is explained by measuring anew; while a graph is recorded nothing is measured, and its
        candidates are listed without times.
        """
        self.ready(problem, setting, operands).executable.close()
        report = self.cache.report(problem)
        if report is None:
            finder = ProblemFinder(self.backend, problem, replace(setting, live=True), operands)
            outcome = finder.heuristic() if setting.capturing else finder.search()
            if outcome.executable is not None:
                outcome.executable.close()
            report = outcome.report
        decision = self.cache.peek(problem)
        if not isinstance(decision, Choice):
            return report
        if decision.pinned:
            return report.with_choice(decision.best.id, "pinned")
        won = report.chosen is not None and report.chosen.description.id == decision.best.id
        return report if won else report.with_choice(decision.best.id, "decided before, and kept")

    def pin(self, problem: Problem, one: CandidateId, setting: Setting) -> None:
        """Make a candidate the answer for a problem, after preparing it once to see that it can be.

        Raises
        ------
        ArgumentError
            The policy does not admit it, or not the workspace that it needs.
        Exception
            It cannot be prepared.
        """
        executable = self.prepare(problem, one, setting)
        workspace = int(executable.workspace)
        executable.close()
        self.cache.pin(problem, one, workspace)
        GENERATION[0] += 1

    def unpin(self, problem: Problem) -> None:
        """Forget what is known of a problem, a pin included."""
        self.cache.forget(problem)
        GENERATION[0] += 1


_tuner: Tuner | None = None
_lock = threading.Lock()


def tuner() -> Tuner:
    """The process's tuner: cuDNN with the decisions of the user's cache folder, unless another one was put in force."""
    global _tuner
    found = _tuner
    if found is None:
        from cudnnkit.backend import CudnnBackend
        from cudnnkit.folder import is_read_only
        from cudnnkit.store import Store

        with _lock:
            found = _tuner = _tuner or Tuner(CudnnBackend(), Store(read_only=is_read_only()))
    return found


def set_tuner(chosen: Tuner | None) -> Tuner | None:
    """Put a tuner in force (None: the default, made anew); answer the one before."""
    global _tuner
    before, _tuner = _tuner, chosen
    GENERATION[0] += 1
    return before


@contextlib.contextmanager
def use_tuner(chosen: Tuner) -> Iterator[Tuner]:
    """Put a tuner in force for a block, in the whole process."""
    before = set_tuner(chosen)
    try:
        yield chosen
    finally:
        set_tuner(before)


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()
    GENERATION[0] += 1


os.register_at_fork(after_in_child=_after_fork)
