"""Deciding the problems of a function inside one budget, and what each decision saves."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from cudnnkit.candidates import CandidateId
from cudnnkit.choice import Choice
from cudnnkit.decompose.setting import Setting
from cudnnkit.network.listing import Asked
from cudnnkit.policy import EFFORTS
from cudnnkit.problem import Problem
from cudnnkit.report import SearchReport

__all__ = ["Measured", "Tuned", "measured_of", "tune_problems"]


@dataclass(frozen=True)
class Measured:
    """A candidate that a search timed.

    Attributes
    ----------
    id
        Which one.
    seconds, final
        Median time on the device of a launch on its own, and in the search's final (see ``cudnnkit.report.Row``).
    workspace
        Bytes.
    """

    id: CandidateId
    seconds: float
    workspace: int = 0
    final: float | None = None

    @property
    def order(self) -> tuple[bool, float]:
        """For sorting, the fastest first: finalists by the final, then the others by single launches."""
        return self.final is None, self.final or self.seconds


def measured_of(problem: Problem, setting: Setting) -> tuple[Measured, ...]:
    """What the search behind a decision timed, in the order in which it was tried: the heuristic's first answer first.

    From this process's report, else from the one that was stored beside the decision; empty where there is neither.
    """
    cache = setting.resolver.cache  # type: ignore[attr-defined]
    report: SearchReport | None = cache.report(problem)
    if report is not None:
        return tuple(
            Measured(row.description.id, row.seconds, row.workspace, row.final)
            for row in report.rows
            if row.seconds is not None and row.status in ("chosen", "measured")
        )
    stored = getattr(cache.store, "report", None)
    rows: Mapping[str, Any] | None = None if stored is None else stored(problem)
    return tuple(
        Measured(
            CandidateId.from_json(row["candidate"]), float(row["seconds"]), int(row["workspace"]), row.get("final")
        )
        for row in (rows or {}).get("rows", ())
        if row["seconds"] is not None and row["status"] in ("chosen", "measured")
    )


@dataclass(frozen=True)
class Tuned:
    """What became of one problem.

    Attributes
    ----------
    problem, count
        What, and how often it stands in the function.
    choice
        The decision; None where there is none.
    first
        The heuristic's first answer with its times; None where nothing was measured.
    seconds
        What the search took; 0 where the decision was known.
    status
        ``searched``, ``known``, ``left`` (the budget was spent: the heuristic answers) or ``failed``.
    failure
        Why it failed.
    measured
        The choice with its times; None where the search behind it is not known.
    """

    problem: Problem
    count: int
    choice: Choice | None = None
    first: Measured | None = None
    seconds: float = 0.0
    status: str = "searched"
    failure: str = ""
    measured: Measured | None = None

    @property
    def times(self) -> tuple[float, float] | None:
        """Seconds of the heuristic's first answer and of the choice: both of the final, else both of single launches.

        None where unknown.
        """
        first, chosen = self.first, self.measured
        if first is None or chosen is None:
            return None
        if first.final is None or chosen.final is None:
            return first.seconds, chosen.seconds
        return first.final, chosen.final

    @property
    def saved(self) -> float | None:
        """Seconds that one run of the function saves against the heuristic's first answers; None where unknown."""
        times = self.times
        return None if times is None else self.count * (times[0] - times[1])


def tune_problems(
    asked: Iterable[Asked],
    *,
    seconds: float | None = None,
    search: str = "measure",
    step: Callable[[str], None] = lambda label: None,  # noqa: ARG005
) -> list[Tuned]:
    """Decide problems, and keep the decisions as every search does.

    Parameters
    ----------
    asked
        Of :func:`cudnnkit.network.problems_of`, in the order of importance.
    seconds
        For all searches together; each has what its policy allows and what is left. None for no bound. They pass on the
        device's clock or on the wall, whichever is ahead: a simulated device is slow and does not know it.
    search
        Of the policy: ``"measure"`` or ``"exhaustive"``. What an earlier search of that kind decided stays.
    step
        Told of each problem before its turn.
    """
    asked = list(asked)
    if not asked:
        return []
    backend: Any = asked[0].setting.resolver.backend  # type: ignore[attr-defined]
    begun, wall = backend.now(), time.monotonic()
    found = []
    for one in asked:
        step(one.problem.label)
        left = None if seconds is None else seconds - max(backend.now() - begun, time.monotonic() - wall)
        found.append(_tuned(one, left, search))
    return found


def _tuned(one: Asked, left: float | None, search: str) -> Tuned:
    tuner: Any = one.setting.resolver
    base = one.setting.policy
    policy = base.but(search=search, after=0)
    if left is not None and search == "measure":
        policy = policy.but(budget_ms=max(min(base.budget_ms, left * 1000), 0.0))
    before = tuner.counters
    try:
        known = tuner.cache.peek(one.problem)
        spent = left is not None and left <= 0
        if spent and not (isinstance(known, Choice) and known.level):
            policy = policy.but(search="heuristic")
        ready = tuner.ready(one.problem, replace(one.setting, policy=policy))
        ready.executable.close()
    except Exception as error:  # the other problems shall still be decided
        told = (str(error).splitlines() or ["no reason given"])[0]
        return Tuned(one.problem, one.count, status="failed", failure=f"{type(error).__name__}: {told}")
    after = tuner.counters
    choice: Choice = ready.choice
    rows = measured_of(one.problem, one.setting)
    status = "searched" if after.searches > before.searches else "known"
    if choice.level == EFFORTS["heuristic"]:
        status = "left"
    taken = after.search_seconds - before.search_seconds
    chosen = next((row for row in rows if row.id == choice.best.id), None)
    first = rows[0] if rows else None
    return Tuned(one.problem, one.count, choice, first, taken, status, measured=chosen)
