from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from typing import Any

import pytest
from cudnnkit.candidates import CandidateId
from cudnnkit.choice import Choice, Unsupported
from cudnnkit.errors import OutOfMemoryError
from cudnnkit.measure import launches_for, measuring
from cudnnkit.policy import Policy
from cudnnkit.search import Outcome, choose_by_heuristic, choose_by_measuring
from cudnnkit.workspace import Cap
from hypothesis import given
from hypothesis import strategies as st

from .fakes import GIB, FakeBench, FakeCandidate, FakeClock, StatusError, graph, legacy
from .problems import convolution

WIDE = Cap(32 * GIB, 32 * GIB)


def measure(
    candidates: Sequence[FakeCandidate],
    *,
    bench: FakeBench | None = None,
    cap: Cap = WIDE,
    problem: dict[str, Any] | None = None,
    **policy: Any,
) -> Outcome[dict[str, str]]:
    rules = Policy(**policy)
    key = convolution(policy=rules.key, **{"aliasing": (), **(problem or {})})
    return choose_by_measuring(key, rules, candidates, bench or FakeBench(), cap, denied=())


def chosen(outcome: Outcome[Any]) -> CandidateId:
    assert isinstance(outcome.decision, Choice)
    return outcome.decision.best.id


def statuses(outcome: Outcome[Any]) -> dict[str, str]:
    return {str(row.description.id): row.status for row in outcome.report.rows}


def test_the_fastest_of_both_apis_wins() -> None:
    candidates = [
        FakeCandidate(graph(1), 0.004, rank=0),
        FakeCandidate(graph(2), 0.003, rank=1),
        FakeCandidate(legacy("WINOGRAD_NONFUSED"), 0.00175, 891 * 2**20, rank=3),
    ]
    outcome = measure(candidates)
    assert chosen(outcome) == legacy("WINOGRAD_NONFUSED")
    assert isinstance(outcome.decision, Choice)
    assert outcome.decision.best.seconds == 0.00175
    assert outcome.decision.best.workspace == 891 * 2**20
    assert [one.id for one in outcome.decision.smaller] == [graph(2)]
    assert outcome.executable is candidates[2].made[0]
    assert [made.closed for one in candidates for made in one.made] == [1, 1, 0]
    assert [len(one.made) for one in candidates] == [1, 1, 1]  # nothing is prepared twice


def test_order_of_the_heuristic_does_not_matter() -> None:
    for seed in range(10):
        candidates = [FakeCandidate(graph(engine), 1 + engine, rank=0) for engine in range(8)]
        random.Random(seed).shuffle(candidates)
        assert chosen(measure(candidates)) == graph(0)


def test_tolerance_does_not_compound() -> None:
    """1.00, 1.09 and 1.18 with ever less workspace: within 10 % of the best is the second, not the third."""
    candidates = [
        FakeCandidate(graph(0), 1.30, 5000),
        FakeCandidate(graph(1), 1.18, 10, rank=1),
        FakeCandidate(graph(2), 1.09, 100, rank=2),
        FakeCandidate(graph(3), 1.00, 1000, rank=3),
    ]
    assert chosen(measure(candidates, tolerance=0.10)) == graph(2)
    assert chosen(measure(candidates, tolerance=0.20)) == graph(1)
    assert chosen(measure(candidates, tolerance=0.0)) == graph(3)


@given(
    st.lists(st.tuples(st.floats(0.001, 0.1), st.integers(0, 5)), min_size=1, max_size=9),
    st.floats(0, 0.5),
)
def test_tolerance_rule(rows: list[tuple[float, int]], tolerance: float) -> None:
    candidates = [FakeCandidate(graph(place), time, size, rank=place) for place, (time, size) in enumerate(rows)]
    outcome = measure(candidates, tolerance=tolerance, search="exhaustive")
    assert isinstance(outcome.decision, Choice)
    best = outcome.decision.best
    time, size = rows[best.id.engine or 0]
    fastest = min(time for time, _ in rows)
    assert time <= fastest * (1 + tolerance)
    assert time <= rows[0][0]  # never slower than the heuristic's own first answer
    bar = min(fastest * (1 + tolerance), rows[0][0])
    assert size == min(size for time, size in rows if time <= bar)
    assert len(outcome.report.rows) == len(rows)


def test_never_slower_than_the_heuristics_first_answer() -> None:
    candidates = [FakeCandidate(graph(0), 1.00, 100), FakeCandidate(graph(1), 1.05, 0, rank=1)]
    assert chosen(measure(candidates, tolerance=0.10)) == graph(0)


def test_the_heuristics_first_answer_is_measured_without_any_budget() -> None:
    candidates = [FakeCandidate(graph(0), 1.0), FakeCandidate(graph(1), 0.5, rank=1)]
    outcome = measure(candidates, budget_ms=0)
    assert chosen(outcome) == graph(0)
    assert outcome.report.cut
    assert outcome.decision.cut_ms == 0
    assert statuses(outcome) == {"graph engine 0": "chosen", "graph engine 1": "skipped"}
    assert candidates[1].made == []


def test_first_answer_that_fails_gives_its_guarantee_to_the_next() -> None:
    broken = FakeCandidate(graph(0), run_error=StatusError("CUDNN_STATUS_EXECUTION_FAILED"))
    outcome = measure([broken, FakeCandidate(graph(1), rank=1), FakeCandidate(graph(2), rank=2)], budget_ms=0)
    assert statuses(outcome) == {
        "graph engine 0": "failed",
        "graph engine 1": "chosen",
        "graph engine 2": "skipped",
    }


def test_budget_is_spent_in_the_order_of_the_heuristics() -> None:
    clock = FakeClock()
    candidates = [FakeCandidate(graph(engine), 1.0, rank=engine) for engine in range(40)]
    outcome = measure(candidates, bench=FakeBench(clock, cost=0.010), budget_ms=200)
    tried = [row.description.id.engine for row in outcome.report.rows if row.samples]
    assert tried == list(range(3))  # a warm-up and five runs each; a fifth of the budget is kept for the final
    assert outcome.report.seconds < 0.3
    assert all("budget" in row.reason for row in outcome.report.rows if row.status == "skipped")
    assert len(measure(candidates, bench=FakeBench(cost=0.010), search="exhaustive").report.rows) == 40
    assert not measure(candidates, bench=FakeBench(cost=0.010), search="exhaustive", budget_ms=1).report.cut


def test_what_compiles_comes_last_and_only_while_there_is_time_for_it() -> None:
    clock = FakeClock()
    slow = [
        FakeCandidate(graph(engine), 0.1, needs_compilation=True, compile_seconds=2.0, clock=clock, rank=engine)
        for engine in range(3)
    ]
    plain = FakeCandidate(graph(9), 1.0, rank=9)
    bench = FakeBench(clock)
    outcome = measure([*slow, plain], bench=bench, budget_ms=3000)
    assert bench.order[0] == graph(9)
    assert [len(one.made) for one in slow] == [1, 0, 0]  # a second one would take 2 s again and end at 4 s
    assert chosen(outcome) == graph(0)
    assert outcome.report.cut
    assert [len(one.made) for one in slow] == [1, 0, 0]


def test_hopeless_candidates_take_two_runs() -> None:
    candidates = [FakeCandidate(graph(0), 1.0), FakeCandidate(graph(1), 5.0, rank=1)]
    rows = {row.description.id.engine: row.samples for row in measure(candidates).report.rows}
    assert rows[1] >= 2
    assert candidates[1].runs <= 3 + 6  # warm-up and two runs, then one round as a finalist


@pytest.mark.parametrize(
    ("best", "slow", "runs"),
    [(1e-3, 0.201, 1), (1e-3, 0.199, 2), (1e-3, 1.9e-3, 4), (1e-3, 1.15e-3, 6), (0.15, 0.21, 4)],
)
def test_what_is_far_behind_is_run_less_often(best: float, slow: float, runs: int) -> None:
    """A hopeless run of 0.2 s: no more, that one is checked. Else one more, three where it is behind, or five."""
    slow_one = FakeCandidate(graph(20), slow, rank=20)
    outcome = measure([*(FakeCandidate(graph(at), best, rank=at) for at in range(8)), slow_one], budget_ms=60_000)
    assert slow_one.runs == runs
    assert statuses(outcome)["graph engine 20"] == "measured"


def test_a_first_run_that_loads_code_does_not_give_an_engine_up() -> None:
    loading = FakeCandidate(graph(20), lambda run: 0.1 if run == 0 else 1e-4, rank=20)
    assert chosen(measure([*(FakeCandidate(graph(at), 1e-3, rank=at) for at in range(8)), loading])) == graph(20)


@pytest.mark.parametrize("api", ["array", "decomposed"])
def test_a_first_run_that_compiles_does_not_give_the_array_librarys_kernels_up(api: Any) -> None:
    compiling = FakeCandidate(CandidateId(api, name="own"), lambda run: 0.5 if run == 0 else 1e-4, rank=20)
    assert chosen(measure([*(FakeCandidate(graph(at), 1e-3, rank=at) for at in range(8)), compiling])) == compiling.id


def test_compiling_a_kernel_of_our_own_is_not_on_the_budget() -> None:
    clock = FakeClock()
    own = FakeCandidate(CandidateId("array", name="own"), 0.5e-3, clock=clock, compile_seconds=5.0)
    others = [FakeCandidate(graph(at), (20 - at) * 1e-3, rank=at) for at in range(8)]
    outcome = measure([own, *others], bench=FakeBench(clock), budget_ms=400)
    assert set(statuses(outcome).values()) == {"chosen", "measured"}
    assert chosen(outcome) == own.id
    assert not outcome.report.cut


def noisy(quiet: float, loud: float, *, runs: range) -> Any:
    return lambda run: loud if run in runs else quiet


def test_outliers_do_not_move_a_median() -> None:
    jumpy = FakeCandidate(graph(1), lambda run: 9.0 if run % 4 == 0 else 1.0, rank=1)
    assert chosen(measure([FakeCandidate(graph(0), 1.5), jumpy])) == graph(1)


def test_other_work_on_the_device_must_strike_twice() -> None:
    """The best candidate is disturbed during its whole first round, but is a finalist and is timed again."""
    best = FakeCandidate(graph(1), noisy(1.0, 1.6, runs=range(1, 8)), rank=1)
    outcome = measure([FakeCandidate(graph(0), 1.5), best])
    assert chosen(outcome) == graph(1)
    assert not outcome.report.disturbed


def test_drift_of_the_reference_is_seen_and_everything_timed_again() -> None:
    """All of the first round ran beside other work: ten candidates, the best of them looked hopeless."""
    reference = FakeCandidate(graph(0), noisy(1.0, 3.0, runs=range(1, 7)))
    middling = [FakeCandidate(graph(engine), 2.0, rank=engine) for engine in range(1, 9)]
    best = FakeCandidate(graph(9), noisy(0.5, 8.0, runs=range(1, 4)), rank=9)
    outcome = measure([reference, *middling, best])
    assert outcome.report.disturbed
    assert chosen(outcome) == graph(9)
    assert isinstance(outcome.decision, Choice)
    assert outcome.decision.provisional


def test_finalists_take_turns_with_launches_back_to_back() -> None:
    """The heuristic's first, 19 % slower than the best, is in the final of kernels of 10 us; 21 % slower is not.

    A single launch is not timed more finely than 1.5 us: 5 % and that.
    """
    bench = FakeBench()
    candidates = [
        FakeCandidate(graph(0), 11.9e-6),
        FakeCandidate(graph(1), 10.0e-6, rank=1),
        FakeCandidate(graph(2), 12.1e-6, rank=2),
    ]
    outcome = measure(candidates, bench=bench)
    assert {one for one, _ in bench.bursts} == {graph(0), graph(1)}
    assert {launches for _, launches in bench.bursts} == {30}  # 0.3 ms together
    order = [one for one, _ in bench.bursts]
    assert order == order[:2] * (len(order) // 2)
    assert len(order) >= 20
    rows = {row.description.id: row.samples for row in outcome.report.rows}
    assert rows[graph(1)] > rows[graph(2)]


def test_long_kernels_are_near_within_five_percent() -> None:
    bench = FakeBench()
    measure(
        [FakeCandidate(graph(at), 1e-3 * factor, rank=at) for at, factor in enumerate((1.04, 1.0, 1.06))], bench=bench
    )
    assert {one for one, _ in bench.bursts} == {graph(0), graph(1)}


def test_a_final_has_a_dozen_places_and_the_heuristics_first_is_in_it() -> None:
    bench = FakeBench()
    times = [1.049, *(1 + at / 1000 for at in range(20))]
    measure([FakeCandidate(graph(at), 1e-3 * factor, rank=at) for at, factor in enumerate(times)], bench=bench)
    assert {one for one, _ in bench.bursts} == {graph(0), *map(graph, range(1, 12))}


@pytest.mark.parametrize(("seconds", "launches"), [(1e-9, 32), (10e-6, 30), (0.1e-3, 3), (0.5e-3, 1), (1.0, 1)])
def test_long_runs_are_not_repeated_within_a_sample(seconds: float, launches: int) -> None:
    assert launches_for(seconds) == launches


def test_the_final_decides_between_what_single_launches_cannot_tell_apart() -> None:
    """Single launches see the second 2 % ahead; back to back, as in a network, it is 2 % behind."""

    class Burst(FakeBench):
        def burst(self, executable: Any, arguments: dict[str, str], workspace: int, launches: int) -> float:
            single = super().burst(executable, arguments, workspace, launches)
            return {graph(1): 1.02, graph(0): 0.98}[executable.candidate.id] * single

    candidates = [FakeCandidate(graph(0), 1.00), FakeCandidate(graph(1), 0.99, rank=1)]
    assert chosen(measure(candidates)) == graph(1)
    assert chosen(measure(candidates, bench=Burst())) == graph(0)


class Cold(FakeBench):
    """Back to back on other operands everything takes 1.6 times as long as alone."""

    def burst(self, executable: Any, arguments: dict[str, str], workspace: int, launches: int) -> float:
        return 1.6 * super().burst(executable, arguments, workspace, launches)


@pytest.mark.parametrize("first", [0, 1, 2])
def test_times_of_the_final_are_compared_with_each_other_only(first: int) -> None:
    times = (1.00e-3, 1.01e-3, 1.30e-3)
    candidates = [FakeCandidate(graph(at), times[at], rank=(at - first) % 3) for at in range(3)]
    outcome = measure(candidates, bench=Cold())
    assert chosen(outcome) == graph(0)
    rows = {row.description.id: row for row in outcome.report.rows}
    assert [rows[graph(at)].seconds for at in range(3)] == list(times)
    assert [rows[graph(at)].final for at in range(3)] == [1.6 * times[0], 1.6 * times[1], None]
    assert rows[graph(1)].reason.startswith("1.01 times the fastest's time")
    assert rows[graph(2)].reason == "1.3 times the fastest's time, and so not in the final"
    order = [row.description.id for row in sorted(outcome.report.rows, key=lambda row: row.order)]
    assert order == [graph(0), graph(1), graph(2)]


def test_the_smallest_workspace_within_the_tolerance_is_a_finalist() -> None:
    """However many are faster, and beyond the 5 % that are near: else its time could not be compared."""
    candidates = [FakeCandidate(graph(at), (1 + at / 1000) * 1e-3, 100, rank=at) for at in range(15)]
    candidates.append(FakeCandidate(graph(20), 1.15e-3, 10, rank=20))
    candidates.insert(0, FakeCandidate(graph(21), 1.19e-3, 100, rank=-1))
    for bench in (FakeBench(), Cold()):
        assert chosen(measure(candidates, bench=bench, tolerance=0.2)) == graph(20)
        assert chosen(measure(candidates, bench=bench, tolerance=0.1)) == graph(0)


def test_fallbacks_of_a_final_come_before_those_that_were_not_in_it() -> None:
    sizes = {0: 100, 1: 50, 2: 10}
    candidates = [FakeCandidate(graph(at), (1, 1.01, 1.3)[at] * 1e-3, sizes[at], rank=at) for at in range(3)]
    decision = measure(candidates, bench=Cold()).decision
    assert isinstance(decision, Choice)
    assert [one.id for one in decision.chain] == [graph(0), graph(1), graph(2)]


def test_a_finalist_that_fails_in_the_final_is_out() -> None:
    class Tired(FakeBench):
        def burst(self, executable: Any, arguments: dict[str, str], workspace: int, launches: int) -> float:
            if executable.candidate.id == graph(1):
                raise StatusError("CUDNN_STATUS_EXECUTION_FAILED")
            return super().burst(executable, arguments, workspace, launches)

    outcome = measure([FakeCandidate(graph(0), 1.00), FakeCandidate(graph(1), 0.99, rank=1)], bench=Tired())
    assert statuses(outcome) == {"graph engine 0": "chosen", "graph engine 1": "failed"}


def test_out_of_memory_in_the_final_leaves_the_decision_to_the_rounds() -> None:
    class Shrinking(FakeBench):
        def burst(self, *_: Any) -> float:
            raise MemoryError("no copies")

    outcome = measure([FakeCandidate(graph(0), 1.00), FakeCandidate(graph(1), 0.99, rank=1)], bench=Shrinking())
    assert chosen(outcome) == graph(1)


def test_two_results_with_equal_time_are_both_listed() -> None:
    outcome = measure([FakeCandidate(graph(0), 1.0, 8), FakeCandidate(graph(1), 1.0, 8, rank=1)])
    assert sorted(statuses(outcome).values()) == ["chosen", "measured"]
    assert [row.seconds for row in outcome.report.rows] == [1.0, 1.0]


FAULTS = {
    "prepare": FakeCandidate(graph(1), 0.1, rank=1, prepare_error=StatusError("CUDNN_STATUS_NOT_SUPPORTED")),
    "run": FakeCandidate(graph(1), 0.1, rank=1, run_error=StatusError("CUDNN_STATUS_EXECUTION_FAILED")),
    "garbage": FakeCandidate(graph(1), 0.1, rank=1, garbage=True),
    "absurd": FakeCandidate(graph(1), 0.1, 2**60, rank=1),
    "absurd when prepared": FakeCandidate(graph(1), 0.1, rank=1, needs=2**60),
    "negative": FakeCandidate(graph(1), 0.1, -8, rank=1),
    "over the cap": FakeCandidate(graph(1), 0.1, 33 * GIB, rank=1),
    "over the cap when prepared": FakeCandidate(graph(1), 0.1, rank=1, needs=33 * GIB),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_faulty_candidate_never_wins_and_says_why(name: str) -> None:
    faulty = FAULTS[name]
    faulty.made.clear()
    outcome = measure([FakeCandidate(graph(0), 1.0), faulty])
    assert chosen(outcome) == graph(0)
    row = next(row for row in outcome.report.rows if row.description.id == graph(1))
    assert row.status in ("failed", "refused")
    assert row.reason
    assert all(made.closed == 1 for made in faulty.made)


def test_only_memory_for_zero_workspace() -> None:
    bench = FakeBench(memory=100)
    outcome = measure([FakeCandidate(graph(0), 1.0, 4096), FakeCandidate(graph(1), 3.0, 0, rank=1)], bench=bench)
    assert chosen(outcome) == graph(1)
    assert isinstance(outcome.decision, Choice)
    assert outcome.decision.provisional
    assert outcome.report.constrained


def test_out_of_memory_is_not_reported_as_no_engine() -> None:
    bench = FakeBench(memory=100)
    refused = FakeCandidate(graph(2), prepare_error=StatusError("CUDNN_STATUS_NOT_SUPPORTED"), rank=2)
    with pytest.raises(OutOfMemoryError) as caught:
        measure([FakeCandidate(graph(0), 1.0, 4096), FakeCandidate(graph(1), 1.0, 8192, rank=1), refused], bench=bench)
    assert [(one.candidate, one.workspace, one.free) for one in caught.value.attempts] == [
        ("graph engine 0", 4096, 100),
        ("graph engine 1", 8192, 100),
    ]


@pytest.mark.parametrize("status", ["CUDNN_STATUS_EXECUTION_FAILED", "CUDNN_STATUS_INTERNAL_ERROR"])
def test_memory_failures_in_disguise(status: str) -> None:
    starved = FakeCandidate(graph(0), run_error=StatusError(status))
    with pytest.raises(OutOfMemoryError):
        measure([starved], bench=FakeBench(memory=2**20))
    assert isinstance(measure([starved], bench=FakeBench()).decision, Unsupported)


def test_nothing_serves() -> None:
    outcome = measure(
        [FakeCandidate(graph(0), numerical=frozenset({"tensor_core"})), FakeCandidate(graph(1), deterministic=False)],
        precision="strict",
        deterministic=True,
    )
    assert isinstance(outcome.decision, Unsupported)
    assert [name for name, _ in outcome.decision.reasons] == ["graph engine 0", "graph engine 1"]
    assert "precision='fast'" in outcome.decision.hint
    assert "deterministic=False" in outcome.decision.hint


def test_a_heuristic_that_returns_nothing() -> None:
    outcome = measure([])
    assert outcome.decision == Unsupported(level=1)
    assert choose_by_heuristic(convolution(), Policy(), [], FakeBench(), WIDE).decision == Unsupported(level=0)


CANDIDATES = [
    FakeCandidate(graph(0), 1.0, 0, numerical=frozenset({"tensor_core"})),
    FakeCandidate(graph(1), 2.0, 4 * GIB, rank=1),
    FakeCandidate(graph(2), 3.0, 2**20, rank=2),
    FakeCandidate(graph(3), 0.5, 8 * GIB, rank=3, numerical=frozenset({"tensor_core"})),
    FakeCandidate(graph(4), 0.2, 0, rank=4, deterministic=False),
]


@pytest.mark.parametrize(("cap", "expected"), [(0, 2), (2**20, 2), (4 * GIB, 1), (32 * GIB, 1)])
def test_raising_the_cap_never_changes_precision_or_determinism(cap: int, expected: int) -> None:
    for way in (measure, by_heuristic):
        outcome = way(CANDIDATES, cap=Cap(cap, cap), precision="strict", deterministic=True)
        if way is measure:
            assert chosen(outcome) == graph(expected)
        assert chosen(outcome) in (graph(1), graph(2))


def by_heuristic(candidates: Sequence[FakeCandidate], *, cap: Cap = WIDE, **policy: Any) -> Outcome[dict[str, str]]:
    rules = Policy(**policy)
    return choose_by_heuristic(convolution(policy=rules.key), rules, candidates, FakeBench(), cap, denied=())


def test_heuristic_takes_the_first_that_can_be_prepared() -> None:
    candidates = [
        FakeCandidate(graph(0), needs_compilation=True),
        FakeCandidate(graph(1), rank=1, prepare_error=StatusError("CUDNN_STATUS_NOT_SUPPORTED")),
        FakeCandidate(graph(2), 9.0, 4096, rank=2),
        FakeCandidate(graph(3), 1.0, 0, rank=3),
    ]
    outcome = by_heuristic(candidates)
    assert chosen(outcome) == graph(2)
    assert isinstance(outcome.decision, Choice)
    assert outcome.decision.level == 0
    assert outcome.decision.best.seconds is None
    assert [one.id for one in outcome.decision.smaller] == [graph(3), graph(0)]
    assert [one.runs for one in candidates] == [0, 0, 0, 0]
    assert outcome.executable is candidates[2].made[0]


def test_our_own_cap_never_leaves_nothing_but_the_users_limit_does() -> None:
    candidates = [FakeCandidate(graph(0), 1.0, 8000), FakeCandidate(graph(1), 1.0, 4000, rank=1)]
    outcome = measure(candidates, cap=Cap(100, 1000))
    assert chosen(outcome) == graph(1)
    assert statuses(outcome)["graph engine 0"] == "refused"
    limited = measure(candidates, cap=Cap(100, 1000, ceiling=1000))
    assert isinstance(limited.decision, Unsupported)
    assert limited.decision.hint == "allow more workspace"


def test_a_cap_of_the_moment_makes_the_choice_provisional() -> None:
    candidates = [FakeCandidate(graph(0), 1.0, 8000), FakeCandidate(graph(1), 2.0, 0, rank=1)]
    outcome = measure(candidates, cap=Cap(100, 10_000))
    assert chosen(outcome) == graph(1)
    assert isinstance(outcome.decision, Choice)
    assert outcome.decision.provisional
    assert "free now" in outcome.report.rows[0].reason
    lasting = measure(candidates, cap=Cap(100, 100))
    assert isinstance(lasting.decision, Choice)
    assert not lasting.decision.provisional


@pytest.mark.parametrize(
    ("problem", "scratch"),
    [({}, False), ({"beta": "one"}, True), ({"beta": "general"}, True), ({"aliasing": (("x", "y"),)}, True)],
)
def test_user_data_survives_a_search(problem: dict[str, Any], scratch: bool) -> None:
    bench = FakeBench()
    measure([FakeCandidate(graph(0)), FakeCandidate(graph(1), rank=1, garbage=True)], bench=bench, problem=problem)
    assert bench.used_scratch == [scratch]
    if scratch:
        assert bench.user == {"x": "input", "y": "user's data"}


def test_no_room_for_scratch_outputs() -> None:
    bench = FakeBench()
    bench.no_scratch = True
    outcome = measure([FakeCandidate(graph(0))], bench=bench, problem={"beta": "one"})
    assert chosen(outcome) == graph(0)
    assert isinstance(outcome.decision, Choice)
    assert outcome.decision.provisional
    assert outcome.decision.level == 0
    assert bench.user["y"] == "user's data"


def test_the_search_gives_its_memory_back() -> None:
    bench = FakeBench()
    measure([FakeCandidate(graph(engine), 1.0, GIB, rank=engine) for engine in range(9)], bench=bench)
    assert (bench.held, bench.peak, bench.trims) == (0, GIB, 1)


def test_an_interrupt_closes_everything_and_opens_the_gate() -> None:
    bench = FakeBench()
    first = FakeCandidate(graph(0))
    stopping = FakeCandidate(graph(1), rank=1, run_error=KeyboardInterrupt())  # type: ignore[arg-type]
    with pytest.raises(KeyboardInterrupt):
        measure([first, stopping], bench=bench)
    assert [made.closed for one in (first, stopping) for made in one.made] == [1, 1]
    assert bench.trims == 1
    free: list[bool] = []

    def enter() -> None:
        with measuring(0):
            free.append(True)

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join(10)
    assert free == [True]


def test_one_measurement_per_device_at_a_time() -> None:
    bench = FakeBench()
    bench.pause = lambda: threading.Event().wait(0.0002)  # lets the others run into this measurement if they can
    outcomes: list[Outcome[Any]] = []
    start = threading.Barrier(8)

    def search(batch: int) -> None:
        start.wait(10)
        candidates = [FakeCandidate(graph(engine), 1.0 + engine, rank=engine) for engine in range(6)]
        outcomes.append(
            choose_by_measuring(convolution(batch), Policy(search="exhaustive"), candidates, bench, WIDE, denied=())
        )

    threads = [threading.Thread(target=search, args=(batch,)) for batch in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [chosen(one) for one in outcomes] == [graph(0)] * 8
    assert bench.collisions == 0
    assert all(row.status in ("chosen", "measured") for one in outcomes for row in one.report.rows)


def test_a_candidate_may_search_while_it_is_prepared() -> None:
    class Nested(FakeCandidate):
        def prepare(self) -> Any:
            inner = measure([FakeCandidate(graph(5), 1.0)])
            assert chosen(inner) == graph(5)
            return super().prepare()

    assert chosen(measure([Nested(CandidateId("decomposed", name="two steps"), 1.0)])).name == "two steps"


def test_report_for_people_and_machines() -> None:
    candidates = [
        FakeCandidate(graph(0), 0.004, 2**20, numerical=frozenset({"tensor_core"})),
        FakeCandidate(legacy("FFT"), 0.00396, 2**30, numerical=frozenset({"fft"})),
        FakeCandidate(graph(7), 0.1, 2**60, rank=1),
        FakeCandidate(graph(8), 0.1, rank=2, deterministic=False, prepare_error=StatusError("NOT_SUPPORTED")),
    ]
    report = measure(candidates, tolerance=0.015).report
    text = report.text()
    assert report.chosen is not None
    assert report.chosen.description.id == graph(0)
    assert report.chosen.reason == "the smallest workspace within 1.5 % of the fastest of 2 measured (1.0 % slower)"
    lines = text.splitlines()
    assert lines[0].startswith("conv_forward (x 8x64x56x56 float32")
    assert lines[2].split() == ["ms", "final", "workspace", "candidate", "status", "notes", "why"]
    assert lines[3].split()[:5] == ["3.96", "3.96", "1", "GiB", "legacy"]
    assert "within 1.5 % of the fastest, but needs 1 GiB of workspace against 1 MiB" in lines[3]
    assert lines[4].split()[:5] == ["4", "4", "1", "MiB", "graph"]
    assert "tensor_core, deterministic" in lines[4]
    assert "not deterministic" in lines[6]
    assert "StatusError: NOT_SUPPORTED" in lines[6]
    data = report.to_json()
    assert [row["status"] for row in data["rows"]] == ["chosen", "measured", "refused", "failed"]
    assert data["rows"][1]["candidate"] == legacy("FFT").to_json()


def test_at_the_same_workspace_the_report_tells_what_else_decided() -> None:
    first = FakeCandidate(graph(3), 0.00402, 2**30)
    kept = FakeCandidate(graph(0), 0.00400, 2**22, rank=1)
    slower = FakeCandidate(graph(1), 0.00402, 2**22, rank=2)
    last = FakeCandidate(graph(4), 0.00403, 2**22, rank=3)
    compiled = FakeCandidate(graph(2), 0.00398, 2**22, rank=4, needs_compilation=True)
    same = "within 1.5 % of the fastest with the same workspace, 4 MiB, but"

    report = measure([first, kept, slower, last, compiled], tolerance=0.015).report
    told = {row.description.id: row.reason for row in report.rows}
    assert told[graph(0)].startswith(
        "no compilation and no more workspace within 1.5 % of the fastest of 5 measured (0.5 "
    )
    assert told[graph(1)] == f"{same} 0.5 % slower than the winner"
    assert told[graph(4)] == "1.3 % slower than the fastest, and slower than the first that was tried"
    assert told[graph(2)] == f"{same} has to be compiled first, which the winner has not"


def test_a_candidate_that_fails_when_timed_again_is_out() -> None:
    """The heuristic's first runs well in the first round only; what was measured besides it still serves."""

    class Tiring(FakeCandidate):
        def prepare(self) -> Any:
            self.run_error = None
            return super().prepare()

    for place in (0, 1):
        tiring = Tiring(graph(place), 1.0, rank=place)

        def seconds(run: int, tiring: FakeCandidate = tiring) -> float:
            if run == 6:
                tiring.run_error = StatusError("CUDNN_STATUS_EXECUTION_FAILED")
            return 1.0

        tiring.seconds = seconds
        outcome = measure([tiring, FakeCandidate(graph(2), 1.5, rank=1 - place)])
        assert chosen(outcome) == graph(2)
        assert statuses(outcome)[f"graph engine {place}"] == "failed"
        assert [made.closed for made in tiring.made] == [1]


def test_no_room_for_scratch_and_nothing_serves() -> None:
    bench = FakeBench()
    bench.no_scratch = True
    outcome = measure(
        [FakeCandidate(graph(0), deterministic=False)], bench=bench, problem={"beta": "one"}, deterministic=True
    )
    assert isinstance(outcome.decision, Unsupported)
