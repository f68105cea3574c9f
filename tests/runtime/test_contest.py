"""Ways of taking a problem apart: a glance at each, and a second contest for those that came near."""

from __future__ import annotations

import gc
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.candidates import CandidateId, Description
from cudnnkit.choice import Alternative, Choice, smaller_and_smaller
from cudnnkit.contest import merged, near_ways
from cudnnkit.decompose.staged import Staged
from cudnnkit.errors import OutOfMemoryError, UnsupportedError
from cudnnkit.finder import ProblemFinder
from cudnnkit.problem import Epilogue, Problem
from cudnnkit.report import Row, SearchReport
from cudnnkit.search import Outcome
from cudnnkit.testing import SimulatedCandidate, SimulatedDevice, simulated

from .references import random

X, W = random(1, 3, 5, 5), random(4, 3, 3, 3, seed=1)
B = np.zeros(4)
SLOW = 0.010


def bare(problem: Problem) -> bool:
    return problem.epilogue == Epilogue()


def graph(engine: int, seconds: float, alone: float, workspace: int = 0) -> SimulatedCandidate:
    """An engine's times for a fused problem and for a bare convolution."""
    return SimulatedCandidate(
        CandidateId("graph", engine), lambda problem: alone if bare(problem) else seconds, workspace=workspace
    )


def explained(candidates: list[SimulatedCandidate], budget_ms: float = 1000.0) -> tuple[Any, Any, Any]:
    """Explanation of conv + bias + relu; what is known of the bare convolution; how many plans are left open."""
    with simulated() as device, ck.use_policy(budget_ms=budget_ms):
        device.candidates[:] = candidates
        device.kernel_seconds = SLOW / 100
        told = ck.explain(ck.conv2d, X, W, B, activation="relu")
        (inner,) = bare_decisions(device)
        gc.collect()
        live = len(device.live)
    return told, inner, live


def bare_decisions(device: SimulatedDevice) -> list[Any]:
    table = device.tuner.cache._table._entries
    return [entry.decision for problem, entry in table.items() if bare(problem)]


def test_a_way_that_came_near_wins_by_a_step_that_a_glance_does_not_reach() -> None:
    # Fused 12 ms everywhere. Alone 12 ms at first; the engine that takes 5 ms comes last, behind 100 ms a candidate.
    engines = [graph(n, 1.2 * SLOW, 1.1 * SLOW) for n in range(6)] + [graph(9, 1.2 * SLOW, SLOW / 2)]
    told, inner, _ = explained(engines, budget_ms=2000)
    assert inner.best.id == CandidateId("graph", 9)
    assert inner.cut_ms is None, "searched with the whole budget"
    assert told.choice.best.id.api == "decomposed"


def test_a_hopeless_way_gets_no_more_than_the_glance() -> None:
    engines = [graph(n, SLOW / 10, 10 * SLOW) for n in range(8)]
    told, inner, _ = explained(engines)
    assert told.choice.best.id.api == "graph"
    assert inner.cut_ms == 200.0
    row = next(row for row in told.report.rows if "then bias + relu" in row.description.id.name)
    assert row.seconds >= 10 * SLOW, "it was measured all the same"


def test_exhaustive_searches_every_step_to_the_end() -> None:
    engines = [graph(n, SLOW / 10, SLOW) for n in range(8)]
    with simulated() as device:
        device.candidates[:] = engines
        ck.conv2d(X, W, B, activation="relu", search="exhaustive")
        (inner,) = bare_decisions(device)
    assert inner.cut_ms is None


def test_the_report_has_every_candidate_once_and_the_fallbacks_of_both_contests() -> None:
    engines = [graph(n, 1.2 * SLOW + n * SLOW / 50, 1.1 * SLOW, workspace=(9 - n) * 2**20) for n in range(6)]
    engines.append(graph(9, 2 * SLOW, SLOW / 2, workspace=10 * 2**20))
    told, _, live = explained(engines, budget_ms=2000)
    ids = [row.description.id for row in told.report.rows]
    assert len(ids) == len(set(ids))
    assert {CandidateId("graph", n) for n in (0, 1, 2, 3, 4, 5, 9)} <= set(ids)
    assert [row.status for row in told.report.rows].count("chosen") == 1
    needs = [one.workspace for one in told.choice.chain]
    assert needs == sorted(needs, reverse=True)
    assert len(needs) > 2, "engines of the first contest are there to fall back on"
    assert not live, "what lost is closed"


@pytest.mark.parametrize(
    ("owner", "name", "error"),
    [
        (Staged, "solved", UnsupportedError("conv", ())),
        (Staged, "solved", OutOfMemoryError("conv", [])),
        (ProblemFinder, "_choose", OutOfMemoryError("conv", [])),
    ],
    ids=["a step unsupported", "a step without memory", "the contest without memory"],
)
def test_a_second_contest_that_fails_takes_no_answer_away(
    owner: Any, name: str, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = getattr(owner, name)
    chosen: list[Any] = []
    failed = 0

    def failing(self: Any, *arguments: Any, **more: Any) -> Any:
        nonlocal failed
        if owner is Staged:
            second = len(arguments) < 2  # a glance says how well to search, the second contest does not
        else:
            second = any(one is self for one in chosen)
            chosen.append(self)
        if second:
            failed += 1
            raise error
        return real(self, *arguments, **more)

    monkeypatch.setattr(owner, name, failing)
    engines = [graph(n, 1.2 * SLOW, 1.1 * SLOW) for n in range(6)] + [graph(9, 1.2 * SLOW, SLOW / 2)]
    told, _, live = explained(engines, budget_ms=2000)
    assert failed
    assert told.choice is not None
    assert not live


@pytest.mark.parametrize("starved", ["the scratch outputs", "what was chosen"])
def test_a_second_contest_without_room_to_measure_in_takes_no_measured_choice_away(
    starved: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = ProblemFinder._choose
    contests: list[ProblemFinder] = []
    winner = CandidateId("graph", 5)

    def choose(self: ProblemFinder, candidates: Any, *, search: bool) -> Any:
        contests.append(self)
        if contests.count(self) < 2:
            return real(self, candidates, search=search)
        if starved == "the scratch outputs":
            outcome = real(self, candidates, search=False)  # as `choose_by_measuring` answers then
            return replace(outcome, decision=replace(cast(Choice, outcome.decision), provisional=True))
        outcome = real(self, [one for one in candidates if one.description.id != winner], search=True)
        row = Row(Description(winner, 0), "skipped", "out of memory")
        report = replace(outcome.report, rows=(*outcome.report.rows, row), constrained=True)
        return replace(outcome, report=report)

    monkeypatch.setattr(ProblemFinder, "_choose", choose)
    engines = [graph(n, 1.2 * SLOW, 1.1 * SLOW, workspace=n) for n in range(5)] + [graph(5, SLOW, 1.1 * SLOW)]
    told, _, live = explained(engines, budget_ms=2000)
    assert max(map(contests.count, contests)) == 2
    assert (told.choice.best.id, told.choice.level) == (winner, 1)
    assert told.choice.best.seconds == pytest.approx(SLOW)
    assert told.choice.provisional
    assert not live


@pytest.mark.parametrize("slow", [Epilogue(), Epilogue(bias=True)], ids=["bare is slow", "with bias is slow"])
def test_a_slow_way_that_ran_first_runs_again_in_the_second_contest(slow: Epilogue) -> None:
    """Nothing is fused whole, so a way is the first that ran; what lost the first contest is closed by then."""
    engines = [
        SimulatedCandidate(
            CandidateId("graph", n),
            lambda problem: 10 * SLOW if problem.epilogue == slow else SLOW,
            refuses=lambda problem: "fuses no activation" if problem.epilogue.activation else None,
        )
        for n in range(8)
    ]
    with simulated() as device, ck.use_policy(budget_ms=1000):
        device.candidates[:] = engines
        device.kernel_seconds = SLOW / 100
        report = ck.explain(ck.conv2d, X, W, B, activation="relu").report
        gc.collect()
        assert not device.live
    assert report is not None
    ways = [row for row in report.rows if row.description.id.api == "decomposed" and "then" in row.description.id.name]
    assert len(ways) == 2
    assert [row.reason for row in ways if row.seconds is None] == []


def test_ways_near_the_best_are_found_by_single_launches() -> None:
    """The best was in a final, 1.6 times as long as alone: a way of twice its time alone is not near."""
    engine = Row(Description(CandidateId("graph", 1), 0), "chosen", "", SLOW, 1, 0, 1.6 * SLOW)
    asked: list[Any] = []
    for times in (1.2, 2.0):
        way = Row(Description(CandidateId("decomposed", name="way"), 1), "measured", "", times * SLOW)
        report = SearchReport("conv", "measure", (engine, way), 0.0, 0)
        solved = SimpleNamespace(description=way.description, unsettled=lambda policy: True)  # noqa: ARG005
        found = Outcome[Any](Choice(Alternative(engine.description.id, 0), level=1), report)
        asked.append(len(near_ways(found, [cast(Any, solved)], ck.Policy())))
    assert asked == [1, 0]


def outcome(*ran: tuple[CandidateId, int]) -> Outcome[Any]:
    """A contest of candidates with their workspace, the fastest first."""
    best, *others = (Alternative(one, workspace, at * SLOW) for at, (one, workspace) in enumerate(ran, start=1))
    rows = [Row(Description(one.id, 0), "measured", "", one.seconds, 1, one.workspace) for one in (best, *others)]
    chosen = Choice(best, smaller_and_smaller(best, others), level=1)
    return Outcome(chosen, SearchReport("conv", "measure", tuple(rows), 0.0, 0))


def test_fallbacks_that_were_never_measured_stay() -> None:
    way, engine = CandidateId("decomposed", name="way"), CandidateId("graph", 3)
    guessed = Choice(Alternative(engine, 50), level=0)
    first = Outcome(guessed, SearchReport("conv", "measure", (), 0.0, 0))
    decision = merged(first, outcome((way, 100))).decision
    assert isinstance(decision, Choice)
    assert [one.id for one in decision.chain] == [way, engine]


@pytest.mark.parametrize("wins", [True, False])
def test_a_way_that_needs_more_by_now_hides_no_fallback(wins: bool) -> None:
    way, engine, best = CandidateId("decomposed", name="way"), CandidateId("graph", 3), CandidateId("graph", 4)
    first = outcome((best, 90), (way, 10), (engine, 50))
    second = outcome((way, 100), (best, 90)) if wins else outcome((best, 90), (way, 100))
    decision = merged(first, second).decision
    assert isinstance(decision, Choice)
    assert [(one.id, one.workspace) for one in decision.chain] == [*[(way, 100)] * wins, (best, 90), (engine, 50)]
