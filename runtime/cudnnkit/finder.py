"""Finds the decision for one problem: gathers the candidates of every origin, and has them chosen from.

What only a search needs is imported by the first one: with decisions on disk a process may never need it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cudnnkit.candidates import Candidate, CandidateId
from cudnnkit.choice import Unsupported
from cudnnkit.errors import OutOfMemoryError, UnsupportedError
from cudnnkit.workspace import Cap, CapRule, free_memory

if TYPE_CHECKING:
    from cudnnkit.backend import Backend
    from cudnnkit.decompose.setting import Setting
    from cudnnkit.decompose.staged import Solved
    from cudnnkit.operands import Operands
    from cudnnkit.policy import Policy
    from cudnnkit.problem import Problem
    from cudnnkit.search import Outcome

__all__ = ["ProblemFinder", "rebuild"]

RULE = CapRule()
GLANCE = 0.2
"""Share of the budget for each step of a way at first."""


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
        self._offered: list[Candidate[Any]] = []
        self._ways: list[Solved] = []

    def heuristic(self) -> Outcome[Any]:
        """The first candidate in order that can be prepared."""
        return self._find(search=False)

    def search(self) -> Outcome[Any]:
        """The best measured one.

        Ways of taking the problem apart have problems of their own, and searching all of those well would take several
        times as long as this search. So each way gets a glance first, its steps searched for a share of the budget;
        only those that come near the best are searched well, and run against it once more.
        """
        policy = self._setting.policy
        if policy.search == "exhaustive":
            return self._find(search=True, steps=policy)
        glance = policy.but(budget_ms=policy.budget_ms * GLANCE)
        found = self._find(search=True, steps=glance)
        from cudnnkit.contest import merged, near_ways, rivals

        near = near_ways(found, self._ways, policy)
        if not near:
            return found
        with self._backend.on(self._setting.device):
            candidates = [*rivals(found, self._offered, near), *(one.way.solved(self._operands) for one in near)]
            return merged(found, self._choose(candidates, search=True))

    def _find(self, *, search: bool, steps: Policy | None = None) -> Outcome[Any]:
        setting = self._setting
        with self._backend.on(setting.device):
            context = self._backend.context(setting.device)
            self._offered, refusals = self._candidates(context, search=search, steps=steps)
            outcome = self._choose(self._offered, search=search)
        decision = outcome.decision
        if isinstance(decision, Unsupported):
            return replace(outcome, decision=replace(decision, reasons=(*refusals, *decision.reasons)))
        return outcome

    def _choose(self, candidates: Sequence[Candidate[Any]], *, search: bool) -> Outcome[Any]:
        from cudnnkit.bench import ArrayBench
        from cudnnkit.search import choose_by_heuristic, choose_by_measuring

        setting, problem = self._setting, self._problem
        bench = ArrayBench(self._backend, setting.library, setting.device, problem, self._operands, setting.live)
        choose = choose_by_measuring if search else choose_by_heuristic
        return choose(problem, setting.policy, candidates, bench, self._cap())

    def _cap(self) -> Cap:
        setting = self._setting
        free, total = free_memory(setting.library, setting.device)
        policy = setting.policy
        return RULE.cap(self._problem.nbytes, policy.limit, free=free, total=total, deterministic=policy.deterministic)

    def _candidates(
        self, context: Any, *, search: bool, steps: Policy | None
    ) -> tuple[list[Candidate[Any]], list[tuple[str, str]]]:
        from cudnnkit.decompose.kernels import array_candidates
        from cudnnkit.decompose.layouts import LAST_RESORT
        from cudnnkit.decompose.offer import decompositions
        from cudnnkit.decompose.split import is_large

        problem, setting = self._problem, self._setting
        found: list[Candidate[Any]] = []
        refusals: list[tuple[str, str]] = []
        if is_large(problem):
            refusals.append(("cuDNN", "counts elements in 32 bits"))
        elif ("strided", 1.0) in problem.parameters:
            refusals.append(("cuDNN", "takes dense operands in one layout here"))
        else:
            offered = self._backend.offer(problem, context)
            found += offered.candidates
            refusals += offered.refusals
        for way in decompositions(problem, setting, offered=bool(found)):
            if not search or way.rank >= LAST_RESORT:
                found.append(way)
                continue
            try:
                # Solved before this problem's own budget begins to run.
                solved = way.solved(self._operands, steps)
                self._ways.append(solved)
                found.append(solved)
            except (UnsupportedError, OutOfMemoryError) as error:
                refusals.append((way.name, str(error).splitlines()[0]))
        # By its heuristic cuDNN comes first; the array library is a candidate among others.
        found += array_candidates(problem, setting)
        return found, refusals


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
