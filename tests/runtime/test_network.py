"""Whole functions on simulated devices: their problems listed, tuned inside one budget, chosen in the network."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.candidates import CandidateId
from cudnnkit.choice import Choice
from cudnnkit.network import problems_of, refining, tune_network, tune_problems
from cudnnkit.network.tuning import Measured, Tuned
from cudnnkit.problem import Problem
from cudnnkit.store import Store
from cudnnkit.testing import SimulatedCandidate, SimulatedDevice, simulated
from cudnnkit.tuner import tuner

ALONE, STEADY = CandidateId("graph", 7), CandidateId("graph", 8)
W = np.ones((4, 4, 3, 3), "f4")
X = np.ones((2, 4, 6, 6), "f4")


def network(x: Any) -> Any:
    """Three convolutions, two of them one problem, each behind an activation that is a kernel of its own."""
    for _ in range(2):
        x = ck.relu(ck.conv2d(x, W, padding=1))
    return ck.conv2d(x, W, padding=1, stride=2)


def candidates() -> list[SimulatedCandidate]:
    """One that is fast when it follows itself and slow behind anything else, and one that is always the same."""
    return [SimulatedCandidate(ALONE, refuses=_others), SimulatedCandidate(STEADY, 1.1e-3, refuses=_others)]


def _others(problem: Problem) -> str | None:
    return None if problem.operation.startswith("conv") else "is no convolution"


def make_slow_behind_others(device: SimulatedDevice) -> None:
    def seconds(problem: Problem) -> float:  # noqa: ARG001
        return 1e-3 if device.launches and device.launches[-1][1] == ALONE else 2e-3

    device.candidate("engine 7").seconds = seconds


# Listing -----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("device")
def test_problems_are_listed_once_with_their_counts() -> None:
    found = problems_of(network, X)
    assert [(one.problem.operation, one.count) for one in found] == [
        ("conv_forward", 2), ("epilogue", 2), ("conv_forward", 1),
    ]  # fmt: skip
    assert found[0].problem.tensor("y").shape == (2, 4, 6, 6)
    assert found[2].problem.tensor("y").shape == (2, 4, 3, 3)
    assert ck.counters().searches == 0


def test_without_running_nothing_is_launched_and_the_problems_are_the_same(device: SimulatedDevice) -> None:
    found = problems_of(network, X, run=False)
    assert not device.launches
    assert [(one.problem, one.count) for one in found] == [(one.problem, one.count) for one in problems_of(network, X)]
    assert len(device.launches) == 5


@pytest.mark.usefixtures("device")
def test_a_captured_function_is_listed_by_what_it_captured() -> None:
    captured = ck.capture(network)
    captured(X)
    assert [one.count for one in problems_of(captured, X)] == [2, 2, 1]


@pytest.mark.usefixtures("device")
def test_calls_after_the_listing_are_not_listed_and_plans_inside_do_not_end_it() -> None:
    def with_plan(x: Any) -> Any:
        ck.plan(ck.conv2d, x, W)
        return ck.conv2d(x, W)

    found = problems_of(with_plan, X)
    assert [one.count for one in found] == [1]
    network(X)
    assert [one.count for one in found] == [1]
    assert problems_of(lambda: None) == []


def test_an_empty_call_is_no_problem_and_an_error_leaves_nothing_behind(device: SimulatedDevice) -> None:
    assert problems_of(lambda: ck.conv2d(X[:0], W)) == []
    with pytest.raises(ck.ArgumentError, match="takes 4 channels"):
        problems_of(lambda: ck.conv2d(X[:, :3], W))
    assert ck.conv2d(X, W).shape == (2, 4, 4, 4)
    assert device.launches


# Tuning ------------------------------------------------------------------------------------------------------------


def test_tuning_tells_what_each_decision_saves() -> None:
    slow_first = [SimulatedCandidate(ALONE, 3e-3), SimulatedCandidate(STEADY, 1e-3)]
    with simulated(candidates=slow_first):
        found = tune_problems(problems_of(network, X))
        assert [one.status for one in found] == ["searched"] * 3
        first = found[0]
        assert first.choice is not None
        assert first.first is not None
        assert (first.choice.best.id, first.first.id) == (STEADY, ALONE)
        assert first.saved == pytest.approx(2 * 2e-3)
        assert [one.status for one in tune_problems(problems_of(network, X))] == ["known"] * 3


@pytest.mark.usefixtures("device")
def test_what_is_saved_compares_times_of_one_kind() -> None:
    """The first was not in the final: its 1.3 ms are of single launches, as are the choice's 1.0, and not its 1.6."""
    (asked,) = problems_of(ck.conv2d, X, W)
    first = Measured(STEADY, 1.3e-3)
    found = Tuned(asked.problem, 2, first=first, measured=Measured(ALONE, 1.0e-3, 0, 1.6e-3))
    assert found.saved == pytest.approx(2 * 0.3e-3)
    assert replace(found, first=replace(first, final=1.7e-3)).saved == pytest.approx(2 * 0.1e-3)
    assert replace(found, measured=None).saved is None


def test_past_the_budget_the_heuristic_answers_and_nothing_is_searched() -> None:
    with simulated() as device:
        device.candidates[0].seconds = 0.4
        found = tune_problems(problems_of(network, X), seconds=1.0)
        assert [one.status for one in found] == ["searched", "left", "left"]
        assert ck.counters().searches == 1
        assert found[1].saved is None
        assert [one.status for one in tune_problems(problems_of(network, X), seconds=0)] == ["known", "left", "left"]


def test_one_problem_that_fails_does_not_stop_the_others() -> None:
    with simulated(candidates=[]) as device:
        found = tune_problems(problems_of(lambda: ck.relu(X)))
        device.candidates.clear()
        asked = problems_of(network, X, run=False)
        assert [one.status for one in tune_problems(asked)] == ["failed", "known", "failed"]
        assert [one.status for one in found] == ["searched"]
        assert "UnsupportedError" in tune_problems(asked)[0].failure


# Refining ----------------------------------------------------------------------------------------------------------


def test_what_wins_alone_and_loses_in_the_network_is_found_out(tmp_path: Path) -> None:
    store = Store(tmp_path / "t.sqlite")
    with simulated(candidates=candidates(), store=store) as device:
        make_slow_behind_others(device)
        captured = ck.capture(network)
        expected = captured(X)
        before = ck.explain(ck.conv2d, X, W, padding=1).choice
        assert before is not None
        assert before.best.id == ALONE
        report = tune_network(captured, X, seconds=100)
        assert [(one.before, one.after) for one in report.changes] == [(ALONE, STEADY)] * 2
        assert {one.problem.operation for one in report.changes} == {"conv_forward"}
        assert report.before == pytest.approx(2 * 2e-3 + 1e-3 + 2 * 1.5e-3)  # the first follows the last replay's last
        assert report.after == pytest.approx(3 * 1.1e-3 + 2 * 1.5e-3)
        assert report.changes[-1].seconds[1] == pytest.approx(report.after)
        assert not report.failures
        # A decision like any other: remembered, on disk, and what was recorded before is recorded anew.
        after = ck.explain(ck.conv2d, X, W, padding=1).choice
        assert after is not None
        assert (after.best.id, after.level) == (STEADY, before.level)
        assert {one.decision.best.id for one in store.records() if one.problem.operation == "conv_forward"} == {STEADY}
        device.launches.clear()
        np.testing.assert_array_equal(captured(X), expected)
        assert ALONE not in {one for _, one in device.launches}
        assert "instead of graph engine 7" in str(report)


def test_what_wins_in_the_network_as_well_stays() -> None:
    with simulated(candidates=candidates()) as device:
        report = tune_network(network, X)
        assert report.changes == ()
        assert report.tried
        choice = ck.explain(ck.conv2d, X, W, padding=1).choice
        assert choice is not None
        assert choice.best.id == ALONE
        device.launches.clear()
        network(X)
        assert [one for _, one in device.launches if one.api == "graph"] == [ALONE] * 3


def test_no_more_is_tried_than_the_budget_allows() -> None:
    with simulated(candidates=candidates()) as device:
        make_slow_behind_others(device)
        report = tune_network(network, X, seconds=0)
        assert (report.tried, report.changes) == (0, ())
        assert report.left
        assert report.problems == 3


def test_a_pinned_choice_stays() -> None:
    with simulated(candidates=candidates()) as device:
        make_slow_behind_others(device)
        ck.pin(ALONE, ck.conv2d, X, W, padding=1)
        report = tune_network(network, X)
        assert [one.problem.tensor("y").shape for one in report.changes] == [(2, 4, 3, 3)]


def test_a_runner_up_that_fails_in_the_network_is_told_and_nothing_changes() -> None:
    with simulated(candidates=candidates()) as device:
        network(X)
        device.candidate("engine 8").fails = "prepare"
        report = tune_network(network, X)
        assert report.changes == ()
        assert len(report.failures) == 2
        assert "could not be prepared again" in report.failures[0][1]
        assert network(X).shape == (2, 4, 3, 3)


@pytest.mark.parametrize(("accepted", "best"), [(0, [ALONE, ALONE]), (1, [STEADY, ALONE])])
def test_an_interruption_keeps_what_proved_itself_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, accepted: int, best: list[CandidateId]
) -> None:
    store = Store(tmp_path / "t.sqlite")
    with simulated(candidates=candidates(), store=store) as device:
        make_slow_behind_others(device)
        asked = problems_of(network, X, search=True)
        compare, calls = refining._Refining._compare, []

        def interrupted(*arguments: Any) -> Any:
            calls.append(arguments)
            if len(calls) > accepted:
                raise KeyboardInterrupt
            return compare(*arguments)

        monkeypatch.setattr(refining._Refining, "_compare", interrupted)
        with pytest.raises(KeyboardInterrupt):
            tune_network(network, X)
        problems = [one.problem for one in asked if one.problem.operation.startswith("conv")]
        here = [tuner().cache.peek(one) for one in problems]
        there = {one.problem: one.decision.best.id for one in store.records()}
        assert [one.best.id for one in here if isinstance(one, Choice)] == best
        assert [there[one] for one in problems] == best
        assert network(X).shape == (2, 4, 3, 3)


def test_decisions_from_disk_bring_their_runners_up_along(tmp_path: Path) -> None:
    with simulated(candidates=candidates(), store=Store(tmp_path / "t.sqlite")):
        network(X)
    with simulated(candidates=candidates(), store=Store(tmp_path / "t.sqlite")) as device:
        make_slow_behind_others(device)
        assert len(tune_network(network, X).changes) == 2
        assert ck.counters().searches == 0


@pytest.mark.parametrize(("name", "value"), [("seconds", -1), ("seconds", "long"), ("within", -0.1), ("within", True)])
@pytest.mark.usefixtures("device")
def test_wrong_bounds_are_named(name: str, value: Any) -> None:
    with pytest.raises(ck.ArgumentError, match=name):
        tune_network(network, X, **{name: value})


@pytest.mark.usefixtures("device")
def test_a_function_without_operations_is_told() -> None:
    with pytest.raises(ck.ArgumentError, match="calls no operation"):
        tune_network(lambda x: x, X)
