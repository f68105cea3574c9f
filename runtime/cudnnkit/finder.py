"""Finds the decision for one problem: gathers the candidates of every origin, and has them chosen from.

What only a search needs is imported by the first one: with decisions on disk a process may never need it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from cudnnkit.candidates import HINDMOST, Candidate, CandidateId
from cudnnkit.choice import Choice, Unsupported
from cudnnkit.errors import OutOfMemoryError, UnsupportedError
from cudnnkit.problem import STRIDED, Problem
from cudnnkit.workspace import Cap, CapRule, free_memory

if TYPE_CHECKING:
    from cudnnkit.backend import Backend
    from cudnnkit.decompose.setting import Setting
    from cudnnkit.decompose.staged import Solved
    from cudnnkit.operands import Operands
    from cudnnkit.policy import Policy
    from cudnnkit.search import Outcome

__all__ = ["ProblemFinder", "rebuild"]

RULE = CapRule()
GLANCE = 0.2
"""Share of the budget for each step of a way at first; chosen, not measured against other shares."""


class _Gathered(NamedTuple):
    """Candidates; the solved ways among them; pairs of an origin and why it offers nothing."""

    candidates: Sequence[Candidate[Any]]
    ways: Sequence[Solved]
    refusals: Sequence[tuple[str, str]]


class ProblemFinder:
    """Implements ``cache.Finder``.

    Parameters
    ----------
    backend
        What computes.
    problem, setting
        What, and where.
    operands
        The caller's, to be measured on; None for random ones.
    """

    def __init__(self, backend: Backend, problem: Problem, setting: Setting, operands: Operands | None) -> None:
        self._backend, self._problem, self._setting, self._operands = backend, problem, setting, operands

    def heuristic(self) -> Outcome[Any]:
        """The first candidate in order that can be prepared."""
        with self._backend.on(self._setting.device):
            gathered = self._gathered(None)
            return _told(self._choose(gathered.candidates, search=False), gathered)

    def search(self) -> Outcome[Any]:
        """The best measured one.

        Ways of taking the problem apart have problems of their own, and searching all of those well would take several
        times as long as this search. So each way gets a glance first, its steps searched for a share of the budget;
        only those that come near the best are searched well, and run against it once more.
        """
        policy = self._setting.policy
        exhaustive = policy.search == "exhaustive"
        steps = policy if exhaustive else policy.but(budget_ms=policy.budget_ms * GLANCE)
        with self._backend.on(self._setting.device):
            gathered = self._gathered(steps)
            found = _told(self._contest(gathered.candidates), gathered)
            return found if exhaustive else self._again(found, gathered, steps)

    def _again(self, found: Outcome[Any], gathered: _Gathered, glance: Policy) -> Outcome[Any]:
        """The second contest, where one is due. It can better an answer, and never take it away."""
        from cudnnkit.contest import counts, merged, near_ways, rivals
        from cudnnkit.decompose.staged import Solved

        near: list[Solved] = []
        for solved in near_ways(found, gathered.ways, self._setting.policy):
            with contextlib.suppress(UnsupportedError, OutOfMemoryError):
                near.append(solved.way.solved(self._operands))
        if not near:
            return found
        against: list[Candidate[Any]] = []
        for one in rivals(found, gathered.candidates, near):
            # What a way had prepared was closed when it lost; what its steps' searches found is remembered.
            with contextlib.suppress(UnsupportedError, OutOfMemoryError):
                against.append(one.way.solved(self._operands, glance) if isinstance(one, Solved) else one)
        starved = False
        try:
            again = self._contest([*against, *near])
            if counts(found, again):
                return merged(found, again)
            starved = again.report.constrained or (isinstance(again.decision, Choice) and again.decision.provisional)
            if again.executable is not None:
                again.executable.close()
        except OutOfMemoryError:
            starved = True
        decision = found.decision
        if starved and isinstance(decision, Choice):
            decision = replace(decision, provisional=True)
        return replace(found, decision=decision, executable=None)  # who asked prepares the choice anew

    def _contest(self, candidates: Sequence[Candidate[Any]]) -> Outcome[Any]:
        """Measure; what came prepared and did not win is closed, though its turn may never have come."""
        from cudnnkit.contest import Kept
        from cudnnkit.decompose.staged import Solved

        won = None
        try:
            outcome = self._choose(candidates, search=True)
            won = outcome.executable
            return outcome
        finally:
            for one in candidates:
                if isinstance(one, Solved | Kept) and one.executable is not won:
                    one.executable.close()

    def _choose(self, candidates: Sequence[Candidate[Any]], *, search: bool) -> Outcome[Any]:
        from cudnnkit.bench import ArrayBench
        from cudnnkit.decompose.kernels import LIBRARY
        from cudnnkit.reference_whole import WholeReference
        from cudnnkit.search import choose_by_heuristic, choose_by_measuring

        setting, problem = self._setting, self._problem
        whole = search and problem.operation in WholeReference.OPERATIONS
        trusted = LIBRARY[problem.operation](problem, setting) if whole else None
        bench = ArrayBench(
            self._backend, setting.library, setting.device, problem, self._operands, setting.live, trusted
        )
        choose = choose_by_measuring if search else choose_by_heuristic
        return choose(problem, setting.policy, candidates, bench, self._cap())

    def _cap(self) -> Cap:
        setting = self._setting
        free, total = free_memory(setting.library, setting.device)
        policy = setting.policy
        return RULE.cap(self._problem.nbytes, policy.limit, free=free, total=total, deterministic=policy.deterministic)

    def _gathered(self, steps: Policy | None) -> _Gathered:
        """Candidates of every origin. `steps` says how well the problems of their steps are searched, None for not."""
        from cudnnkit.decompose.kernels import array_candidates
        from cudnnkit.decompose.offer import decompositions
        from cudnnkit.decompose.split import is_large

        problem, setting = self._problem, self._setting
        found: list[Candidate[Any]] = []
        ways: list[Solved] = []
        refusals: list[tuple[str, str]] = []
        if is_large(problem):
            refusals.append(("cuDNN", "counts elements in 32 bits"))
        elif STRIDED in problem.parameters:
            refusals.append(("cuDNN", "takes dense operands in one layout here"))
        else:
            offered = self._backend.offer(problem, self._backend.context(setting.device))
            found += offered.candidates
            refusals += offered.refusals
        for way in decompositions(problem, setting, offered=bool(found)):
            if steps is None or way.rank >= HINDMOST:
                found.append(way)
                continue
            try:
                # Solved before this problem's own budget begins to run.
                ways.append(way.solved(self._operands, steps))
            except (UnsupportedError, OutOfMemoryError) as error:
                refusals.append((way.name, str(error).splitlines()[0]))
        # By its heuristic cuDNN comes first; the array library is a candidate among others.
        return _Gathered([*found, *ways, *array_candidates(problem, setting)], ways, refusals)


def _told(outcome: Outcome[Any], gathered: _Gathered) -> Outcome[Any]:
    """With what offered nothing in the report; among the reasons, too, where nothing serves."""
    decision, refusals = outcome.decision, tuple(gathered.refusals)
    if isinstance(decision, Unsupported):
        decision = replace(decision, reasons=(*refusals, *decision.reasons))
    return replace(outcome, decision=decision, report=replace(outcome.report, refusals=refusals))


def rebuild(
    backend: Backend, problem: Problem, one: CandidateId, setting: Setting, context: Any, workspace: int | None = None
) -> Candidate[Any]:
    """The candidate that a decision names; `workspace` is what the decision says it needs, None where it says nothing.

    Raises
    ------
    Exception
        It cannot be had any more.
    """
    if one.api not in ("array", "decomposed"):
        return backend.rebuild(problem, one, context, workspace)
    from cudnnkit.decompose.kernels import array_candidates
    from cudnnkit.decompose.offer import decompositions

    known: Sequence[Candidate[Any]]
    if one.api == "array":
        known = array_candidates(problem, setting)
    else:
        known = decompositions(problem, setting, offered=False)
    for candidate in known:
        if candidate.description.id == one:
            return candidate
    raise ValueError(f"{one} is no way to compute {problem.label}")
