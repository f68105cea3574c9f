"""A candidate of several steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cudnnkit.candidates import CandidateId, Description
from cudnnkit.decompose.setting import Ready, Setting
from cudnnkit.operands import ArrayExecutable, Operands, hold, launch
from cudnnkit.policy import Policy
from cudnnkit.problem import Problem, TensorSpec

__all__ = ["Solved", "Staged", "StagedExecutable", "but", "places_of", "step"]

Run = Callable[[Operands, int, Sequence[Ready]], None]
"""Runs all steps: operands of the whole, workspace, the solved problems."""


class StagedExecutable(ArrayExecutable):
    """Steps over solved problems, which share one workspace: they follow each other on one stream."""

    def __init__(self, solved: Sequence[Ready], run: Run) -> None:
        self.solved, self._run = solved, run

    @property
    def workspace(self) -> int:  # type: ignore[override]  # what a step needs may turn out to be more
        """Bytes that the hungriest step needs."""
        return max((one.executable.workspace for one in self.solved), default=0)

    @property
    def stale(self) -> bool:
        """A step is (see ``engines.legacy_plan``)."""
        return any(getattr(one.executable, "stale", False) for one in self.solved)

    def run_on(self, operands: Operands, workspace: int) -> None:
        """All steps in order."""
        self._run(operands, workspace, self.solved)

    def hold(self) -> None:
        """Hold every step's (see `operands.hold`)."""
        for one in self.solved:
            hold(one.executable)

    def close(self) -> None:
        """Close what the steps prepared."""
        for one in self.solved:
            one.executable.close()


@dataclass(frozen=True)
class Solved:
    """A candidate of several steps that are solved already."""

    description: Description
    executable: StagedExecutable
    way: Staged

    def prepare(self) -> StagedExecutable:
        """The steps."""
        return self.executable

    def unsettled(self, policy: Policy) -> bool:
        """Whether a step was searched less well than the policy asks."""
        return not all(one.choice.satisfies(policy) for one in self.executable.solved)


@dataclass(frozen=True)
class Staged:
    """A way of taking a problem apart.

    Attributes
    ----------
    name
        The steps in words; part of the identity.
    rank
        When to try it.
    setting
        Where.
    problems
        The steps' own problems.
    run
        Runs the steps.
    shared
        Places of the operands that the first problem's own operands are; None where they are made for it.
    load
        Compiles and loads kernels of the run's own, so that its first run is as fast as the others.
    """

    name: str
    rank: int
    setting: Setting
    problems: tuple[Problem, ...]
    run: Run
    shared: tuple[int, ...] | None = None
    load: Callable[[], None] | None = None

    @property
    def description(self) -> Description:
        """Precision and determinism are the steps' own affair: their problems carry the same policy."""
        return Description(CandidateId("decomposed", name=self.name), self.rank)

    def solve(self, operands: Operands | None = None, policy: Policy | None = None) -> list[Ready]:
        """Every step's problem, solved; searches where nothing is known of it, on the caller's operands if it can.

        `policy` says how well; the setting's own unless given.
        """
        given = None
        if operands is not None and self.shared is not None:
            given = Operands(
                tuple(operands.arrays[at] for at in self.shared),
                tuple(operands.pointers[at] for at in self.shared),
                operands.stream,
                operands.alpha,
                1.0 if self.problems[0].beta == "one" else operands.beta,
            )
        inner = replace(self.setting, live=given is not None, policy=policy or self.setting.policy)
        first, *rest = self.problems
        ready = [inner.resolver.ready(first, inner, given), *(inner.resolver.ready(one, inner) for one in rest)]
        if self.load is not None:
            self.load()
        return ready

    def prepare(self) -> StagedExecutable:
        """The steps, prepared."""
        return StagedExecutable(self.solve(), self.run)

    def solved(self, operands: Operands | None = None, policy: Policy | None = None) -> Solved:
        """The same with every step solved now, as well as `policy` asks; the setting's own unless given."""
        return Solved(self.description, StagedExecutable(self.solve(operands, policy), self.run), self)


def step(solved: Ready, operands: Operands, workspace: int) -> None:
    """Launch one solved problem."""
    launch(solved.executable, operands, workspace)


def but(problem: Problem, tensors: Sequence[TensorSpec], **changes: Any) -> Problem:
    """The same problem with other tensors; pairs that no longer share memory are dropped."""
    roles = {one.role for one in tensors}
    aliasing = tuple(pair for pair in problem.aliasing if set(pair) <= roles)
    return replace(problem, tensors=tuple(tensors), **{"aliasing": aliasing, **changes})


def places_of(problem: Problem) -> dict[str, int]:
    """Role to place among the tensors."""
    return {one.role: place for place, one in enumerate(problem.tensors)}
