"""A second contest: ways of taking a problem apart that came near the best, with their steps searched well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from cudnnkit.candidates import Candidate, Description
from cudnnkit.choice import Alternative, Choice, smaller_and_smaller
from cudnnkit.decompose.staged import Solved
from cudnnkit.policy import Policy
from cudnnkit.search import Outcome

__all__ = ["Kept", "counts", "merged", "near_ways", "rivals"]

NEAR = 1.3
"""Ways that take up to this times the best time may still win when their steps are searched well; chosen, not measured
against other factors."""


@dataclass(frozen=True)
class Kept:
    """A candidate that is prepared already."""

    description: Description
    executable: Any

    def prepare(self) -> Any:
        """It is there."""
        return self.executable


def near_ways(found: Outcome[Any], ways: Sequence[Solved], policy: Policy) -> list[Solved]:
    """The ways that may win yet; none where all of those were searched as well as the policy asks already."""
    # Of single launches, which every row has: a final's times compare with a final's only.
    times = {row.description.id: row.seconds for row in found.report.rows if row.seconds is not None}
    bar = NEAR * min(times.values(), default=0.0)
    near = [one for one in ways if times.get(one.description.id, bar * 2) <= bar]
    return near if any(one.unsettled(policy) for one in near) else []


def rivals(
    found: Outcome[Any], offered: Sequence[Candidate[Any]], near: Sequence[Candidate[Any]]
) -> list[Candidate[Any]]:
    """Whom those ways have to beat: the fastest of the other candidates, and the first that ran.

    The first that ran is the heuristic's own answer, which no choice may be slower than. What `found` chose is passed
    on as it is, prepared; where nobody wants it, it is closed.
    """
    ways = {one.description.id for one in near}
    rows = [row for row in found.report.rows if row.seconds is not None]
    others = [row for row in rows if row.description.id not in ways]
    wanted = {row.description.id for row in rows[:1]} - ways
    if others:
        wanted.add(min(others, key=lambda row: row.order).description.id)
    chosen = found.decision.best.id if isinstance(found.decision, Choice) else None
    result: list[Candidate[Any]] = []
    for one in offered:
        about = one.description
        if about.id in wanted:
            keep = about.id == chosen and found.executable is not None
            result.append(Kept(about, found.executable) if keep else one)
    if found.executable is not None and chosen not in wanted:
        found.executable.close()
    return result


def counts(first: Outcome[Any], second: Outcome[Any]) -> bool:
    """Whether the second contest's choice is the better one: measured, and against the first one's.

    It may have had no room to measure in, or for what the first one chose, or no time left for that.
    """
    one, two = first.decision, second.decision
    if not (isinstance(one, Choice) and isinstance(two, Choice)):
        return isinstance(two, Choice)
    judged = {row.description.id for row in second.report.rows if row.status != "skipped"}
    return two.level > one.level or (two.level == one.level and one.best.id in judged)


def merged(first: Outcome[Any], second: Outcome[Any]) -> Outcome[Any]:
    """The second contest's decision with what the first one knows besides: fallbacks, and every other candidate."""
    again = {row.description.id for row in second.report.rows}
    rows = (*second.report.rows, *(row for row in first.report.rows if row.description.id not in again))
    demoted = tuple(
        replace(row, status="measured", reason="beaten in the second contest") if row.status == "chosen" else row
        for row in rows[len(second.report.rows) :]
    )
    report = replace(
        second.report,
        rows=(*second.report.rows, *demoted),
        seconds=first.report.seconds + second.report.seconds,
        cut=first.report.cut or second.report.cut,
        constrained=first.report.constrained or second.report.constrained,
        disturbed=first.report.disturbed or second.report.disturbed,
        refusals=first.report.refusals,
    )
    one, two = first.decision, second.decision
    if not (isinstance(one, Choice) and isinstance(two, Choice)):
        return replace(second, report=report)
    decision = replace(
        two,
        smaller=smaller_and_smaller(two.best, (*two.smaller, *_others(first, second, one.chain))),
        provisional=one.provisional or two.provisional,
        cut_ms=one.cut_ms if two.cut_ms is None else two.cut_ms,
    )
    return replace(second, decision=decision, report=report)


def _others(first: Outcome[Any], second: Outcome[Any], chain: Sequence[Alternative]) -> list[Alternative]:
    """Who may be fallen back on besides, the fastest first.

    A way that ran again was judged by the workspace that its steps need now. What it needed before kept out others.
    """
    judged = {row.description.id for row in second.report.rows if row.seconds is not None or row.status == "failed"}
    ran = [row for row in first.report.rows if row.seconds is not None and row.status != "failed"]
    ran.sort(key=lambda row: row.order)
    found = [Alternative(row.description.id, row.workspace, row.final or row.seconds) for row in ran]
    found += chain  # the first decision's: the heuristic's, where nothing could be measured
    return [one for one in found if one.id not in judged]
