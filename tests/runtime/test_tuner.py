"""From memory, from disk, by a search: what a decision is worth when it is asked for again."""

from __future__ import annotations

import gc
import time
from pathlib import Path
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.arrays.registry import kind_of
from cudnnkit.candidates import CandidateId
from cudnnkit.choice import Choice
from cudnnkit.report import Row, SearchReport
from cudnnkit.store import Store
from cudnnkit.table import Limits
from cudnnkit.testing import SimulatedCandidate, SimulatedDevice, simulated

from .references import convolve, random

X, W = random(1, 3, 5, 5), random(4, 3, 3, 3, seed=1)
EXPECTED = convolve(X, W, pre=(0, 0), post=(0, 0), stride=(1, 1), dilation=(1, 1), groups=1)


def graph(engine: int, **fields: Any) -> SimulatedCandidate:
    return SimulatedCandidate(CandidateId("graph", engine), **fields)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "decisions.sqlite3"


def test_a_second_process_does_not_search(path: Path) -> None:
    with simulated(store=Store(path)) as first:
        ck.conv2d(X, W)
        assert first.tuner.counters.searches == 1
    with simulated(store=Store(path)) as second:
        y = ck.conv2d(X, W)
        assert (second.tuner.counters.searches, second.tuner.counters.disk_hits) == (0, 1)
        assert second.offered == 0
        assert second.launches == [("conv_forward", second.candidates[0].id)]
        np.testing.assert_allclose(y, EXPECTED, atol=1e-12)


def test_decomposed_and_array_choices_come_back_from_disk(path: Path) -> None:
    for _ in range(2):
        with simulated(store=Store(path)) as device:
            device.kernel_seconds = 1e-6
            for one in device.candidates:
                one.refuses = lambda problem: "no" if problem.epilogue.activation else None
            y = ck.conv2d(X, W, activation="gelu")
            ck.relu(X)
            kinds = {one.api for _, one in device.launches}
    assert device.tuner.counters.searches == 0
    assert kinds == {"graph", "array"}
    with simulated():
        np.testing.assert_allclose(y, ck.gelu(EXPECTED), atol=1e-12)


def test_a_shuffled_heuristic_does_not_change_what_is_replayed(path: Path) -> None:
    with simulated(store=Store(path)) as device:
        ck.conv2d(X, W)
        chosen = device.launches[-1][1]
    with simulated(store=Store(path)) as device:
        device.candidates.reverse()
        ck.conv2d(X, W)
        assert device.launches[-1][1] == chosen


@pytest.mark.parametrize("change", ["gone", "fails", "refused"])
def test_a_stored_choice_that_cannot_be_replayed_is_chosen_anew(path: Path, change: str) -> None:
    x, w = X.astype("f4"), W.astype("f4")
    with simulated(store=Store(path)):
        ck.conv2d(x, w, precision="no-tf32")
    with simulated(store=Store(path)) as device:
        stored = device.candidate("WINOGRAD")
        if change == "gone":
            device.candidates.remove(stored)
        elif change == "fails":
            stored.fails = "prepare"
        else:  # an engine that says now that it rounds to TF32: the policy is asked again
            stored.numerical = frozenset({"tensor_core"})
        y = ck.conv2d(x, w, precision="no-tf32")
        np.testing.assert_allclose(y, EXPECTED, atol=1e-5)
        assert device.tuner.counters.rejected == 1
        assert device.launches[-1][1] == device.candidate("graph engine 0").id


def test_other_versions_and_devices_search_for_themselves(path: Path) -> None:
    for cudnn, memory in [("9.19.0", 2**34), ("9.20.0", 2**34), ("9.19.0", 2**36)]:
        with simulated(memory, store=Store(path), cudnn=cudnn) as device:
            ck.conv2d(X, W)
            assert device.tuner.counters.searches == 1


def test_no_search_while_a_graph_is_recorded(device: SimulatedDevice) -> None:
    device.capturing = True
    np.testing.assert_allclose(ck.conv2d(X, W), EXPECTED, atol=1e-12)
    assert device.tuner.counters.searches == 0
    assert len(device.launches) == 1
    device.capturing = False
    ck.conv2d(X, W)
    assert device.tuner.counters.searches == 1


def test_in_a_graph_the_cache_answers_before_the_heuristic(device: SimulatedDevice) -> None:
    device.candidates[0].seconds = 0.01  # the heuristic's first answer is the slowest
    ck.conv2d(X, W)
    best = device.launches[-1][1]
    device.capturing = True
    ck.conv2d(X + 0, W + 0, out=np.empty((1, 4, 3, 3)))
    assert device.launches[-1][1] == best


def test_search_modes(device: SimulatedDevice) -> None:
    device.candidates[0].seconds = 0.01
    ck.conv2d(X, W, search="heuristic")
    assert device.launches == [("conv_forward", device.candidates[0].id)]
    ck.conv2d(X, W)  # more effort for the same problem: the mode must have an effect
    assert device.launches[-1][1] == device.candidate("WINOGRAD").id
    ck.conv2d(X, W, search="heuristic", padding=0)
    assert device.tuner.counters.searches == 1


def test_weakly_on(device: SimulatedDevice) -> None:
    device.candidates[0].seconds = 0.01
    used = []
    for _ in range(6):
        ck.conv2d(X, W, after=3)
        used.append(device.launches[-1][1] == device.candidates[0].id)
    assert used[0]
    assert not used[-1]
    assert device.tuner.counters.searches == 1
    searched = used.index(False)
    assert 2 <= searched <= 4


def test_a_bound_on_searches() -> None:
    with simulated(limits=Limits(searches=2)) as device:
        for width in range(5, 15):
            ck.conv2d(random(1, 3, 5, width), W)
        assert device.tuner.counters.searches == 2
        assert device.tuner.counters.heuristics == 8


def test_garbage_and_unwritten_elements_lose() -> None:
    wrong = [graph(7, seconds=1e-6, garbage=True), graph(8, seconds=1e-6, partial=True)]
    with simulated(candidates=[*wrong, graph(9, seconds=1.0)]) as device:
        np.testing.assert_allclose(ck.conv2d(X, W), EXPECTED, atol=1e-12)
        assert device.launches[-1][1].engine == 9
        text = str(ck.explain(ck.conv2d, X, W))
        assert text.count("wrong results") == 2
        old = random(1, 4, 3, 3, seed=9)
        for function in (ck.conv_data_gradient, ck.conv_transpose2d):
            function(old, W)
            assert device.launches[-1][1].engine == 9
        ck.conv_filter_gradient(X, old, 3)
        assert device.launches[-1][1].engine == 9


def test_garbage_with_beta_loses_too() -> None:
    old = random(1, 4, 3, 3, seed=2)
    with simulated(candidates=[graph(7, seconds=1e-6, garbage=True), graph(9, seconds=1.0)]):
        y = ck.conv2d(X, W, beta=2, out=old.copy())
        np.testing.assert_allclose(y, EXPECTED + 2 * old, atol=1e-12)


@pytest.mark.parametrize("workspace", [2**60, -5])
def test_absurd_workspace_counts_as_unsupported(workspace: int) -> None:
    with simulated(candidates=[graph(7, seconds=1e-6, workspace=workspace), graph(9)]) as device:
        ck.conv2d(X, W)
        assert {one.engine for _, one in device.launches} == {9}
        assert device.peak < 2**30


def test_nothing_offered_says_so() -> None:
    with simulated(candidates=[]), pytest.raises(ck.UnsupportedError, match="offered none"):
        ck.conv2d(X, W)


def test_every_reason_is_listed() -> None:
    candidates = [
        graph(1, fails="prepare", status="ARCH_MISMATCH"),
        graph(2, fails="run", status="EXECUTION_FAILED"),
        graph(3, numerical=frozenset({"down_convert_inputs"})),
        graph(4, refuses=lambda _: "odd channels"),
    ]
    with simulated(candidates=candidates), pytest.raises(ck.UnsupportedError) as caught:
        ck.conv2d(X, W, precision="strict")
    text = str(caught.value)
    for word in ("ARCH_MISMATCH", "EXECUTION_FAILED", "rounds its inputs", "odd channels", "precision='fast'"):
        assert word in text


def test_unsupported_problems_are_remembered(device: SimulatedDevice) -> None:
    device.candidates = [graph(1, fails="prepare")]
    for _ in range(3):
        with pytest.raises(ck.UnsupportedError):
            ck.conv2d(X, W)
    assert device.tuner.counters.searches == 1


@pytest.mark.parametrize("failures", range(1, 9))
def test_out_of_memory_at_every_allocation(failures: int) -> None:
    for skipped in range(6):
        with simulated() as device:
            taken = device._take
            state = {"left": skipped}

            def take(nbytes: int, taken: Any = taken, state: Any = state, device: Any = device) -> None:
                if state["left"] == 0:
                    device.fail_allocations, state["left"] = failures, -1
                state["left"] -= state["left"] > 0
                taken(nbytes)

            device._take = take  # type: ignore[method-assign]
            try:
                y = ck.conv2d(X, W, random(4, seed=2), activation="relu", padding=((0, 1), (1, 1)))
            except (ck.OutOfMemoryError, MemoryError):
                device.fail_allocations, state["left"] = 0, -1
                y = ck.conv2d(X, W, random(4, seed=2), activation="relu", padding=((0, 1), (1, 1)))
            assert y.shape == (1, 4, 4, 5)
            assert np.isfinite(y).all()


def test_nothing_leaks(device: SimulatedDevice) -> None:
    from cudnnkit.workspace import workspaces

    for width in range(5, 12):
        ck.conv2d(random(1, 3, 5, width), W, activation="relu", beta=1, out=np.zeros((1, 4, 3, width - 2)))
    gc.collect()
    alive = len(device.live)
    for width in range(5, 12):
        ck.conv2d(random(1, 3, 5, width), W, activation="relu", beta=1, out=np.zeros((1, 4, 3, width - 2)))
    gc.collect()
    assert len(device.live) == alive
    workspaces.trim()
    gc.collect()
    assert device.used == 0


def test_pin_and_unpin(device: SimulatedDevice) -> None:
    ck.conv2d(X, W)
    slow = device.candidate("IMPLICIT_GEMM").id
    ck.pin(slow, ck.conv2d, X, W)
    for search in ("heuristic", "measure", "exhaustive"):
        ck.conv2d(X, W, search=search)
        assert device.launches[-1][1] == slow
    assert ck.plan(ck.conv2d, X, W).choice.best.id == slow
    ck.unpin(ck.conv2d, X, W)
    ck.conv2d(X, W)
    assert device.launches[-1][1] == device.candidates[0].id
    with pytest.raises(ck.ArgumentError, match="TF32"):
        ck.pin(device.candidates[0].id, ck.conv2d, X.astype("f4"), W.astype("f4"), precision="strict")
    with pytest.raises(Exception, match="NOT_SUPPORTED"):
        ck.pin(CandidateId("graph", 99), ck.conv2d, X, W)


@pytest.mark.usefixtures("device")
def test_a_row_of_an_explanation_is_pinned_and_told() -> None:
    def in_use(pinned: bool) -> tuple[SearchReport, Row, Choice]:
        told = ck.explain(ck.conv2d, X, W)
        assert told.report is not None
        assert told.choice is not None
        (row,) = [row for row in told.report.rows if row.status == "chosen"]
        assert row.description.id == told.choice.best.id
        assert (row.reason == "pinned") is ("pinned until ck.unpin" in str(told)) is pinned
        assert told.pinned is told.to_json()["pinned"] is pinned
        return told.report, row, told.choice

    report, fast, choice = in_use(pinned=False)
    slow = next(row for row in report.rows if "IMPLICIT_GEMM" in str(row.description.id))
    for one in (slow, slow.description, slow.description.id):
        ck.pin(one, ck.conv2d, X, W)
        report, row, _ = in_use(pinned=True)
        assert row.description == slow.description
        assert "won this search" in next(one.reason for one in report.rows if one.description == fast.description)
        ck.unpin(ck.conv2d, X, W)
        in_use(pinned=False)
    ck.pin(choice.best, ck.conv2d, X, W)
    in_use(pinned=True)


def fails(device: SimulatedDevice, word: str, status: str) -> None:
    """Let a candidate fail when it is prepared from now on."""
    one = device.candidate(word)
    one.fails, one.status = "prepare", status


def test_what_a_known_choice_falls_back_on_without_memory(path: Path) -> None:
    """Trim the pool, the choice once more, then the next smaller one; else an error with every one of them."""
    sizes = {5: 2**20, 6: 2**10, 7: 0}
    with simulated(candidates=[], store=Store(path)) as device:
        device.candidates[:] = [graph(at, seconds=at * 1e-3, workspace=size) for at, size in sizes.items()]
        y = ck.conv2d(X, W)
    with simulated(candidates=[], store=Store(path)) as device:
        device.candidates[:] = [graph(at, seconds=at * 1e-3, workspace=size) for at, size in sizes.items()]
        fails(device, "engine 5", "ALLOC_FAILED")
        fails(device, "engine 6", "NOT_SUPPORTED")
        np.testing.assert_array_equal(ck.conv2d(X, W), y)
        assert device.launches == [("conv_forward", CandidateId("graph", 7))]
        assert device.trims == 1
        fails(device, "engine 7", "ALLOC_FAILED")
        with pytest.raises(ck.OutOfMemoryError) as caught:
            ck.conv2d(X, W, out=np.empty_like(y))
        attempts = caught.value.attempts
        assert [(one.candidate, one.workspace) for one in attempts] == [
            (f"graph engine {at}", size) for at, size in sizes.items()
        ]
        assert [one.status.split(": ", 1)[1] for one in attempts] == ["ALLOC_FAILED", "NOT_SUPPORTED", "ALLOC_FAILED"]
        assert all(one.free is not None for one in attempts)
        assert device.trims == 2
        assert device.tuner.counters.rejected == 0


@pytest.mark.parametrize(("status", "rejected"), [("ALLOC_FAILED", 0), ("NOT_SUPPORTED", 1)])
def test_a_plan_goes_on_where_what_was_decided_since_cannot_be_prepared(
    device: SimulatedDevice, status: str, rejected: int, caplog: pytest.LogCaptureFixture
) -> None:
    device.candidates[0].seconds = 0.01
    y = ck.conv2d(X, W, after=3)
    ck.conv2d(X, W)  # decides for all threads
    fails(device, "WINOGRAD", status)
    for _ in range(6):
        np.testing.assert_array_equal(ck.conv2d(X, W, after=3), y)
    assert device.launches[-1][1] != device.candidate("WINOGRAD").id
    assert device.tuner.counters.rejected == rejected
    assert [status in one.getMessage() and "goes on" in one.getMessage() for one in caplog.records] == [True]


def test_a_plan_goes_on_where_no_search_succeeds(device: SimulatedDevice, caplog: pytest.LogCaptureFixture) -> None:
    y = ck.conv2d(X, W, after=2)
    running = device.launches[-1]
    for one in device.candidates:
        one.fails, one.status = "prepare", "ALLOC_FAILED"
    for _ in range(6):
        np.testing.assert_array_equal(ck.conv2d(X, W, after=2), y)
    assert device.launches[-1] == running
    assert len(caplog.records) == 1


def test_searches_for_the_steps_of_a_way_are_part_of_one(device: SimulatedDevice) -> None:
    """Three problems of bias and activation, each with ways whose convolutions are searched within."""
    device.tuner.cache.limits = Limits(searches=2)
    begun = time.perf_counter()
    for size in (5, 6, 7):
        ck.conv2d(np.ones((1, 3, size, size)), W, np.ones(len(W)), activation="relu")
    counters = device.tuner.counters
    assert (counters.searches, counters.heuristics) == (2, 1)
    assert 0 < counters.search_seconds < time.perf_counter() - begun


def test_nothing_is_measured_for_an_explanation_while_a_graph_is_recorded(path: Path) -> None:
    for recorded in (False, True):
        with simulated(store=Store(path)) as device:
            device.stream, device.capturing = 9, recorded
            found = ck.explain(ck.conv2d, X, W)
            assert found.report is not None
            assert bool(device.launches) is not recorded
    assert found.choice is not None
    assert str(found.choice.best.id) in str(found)


def test_tuning_reports_a_search_once(device: SimulatedDevice) -> None:
    problem = ck.plan(ck.conv2d, X, W, search="heuristic").problem
    library = kind_of(X, "x").library
    found = device.tuner.tune(problem, library, ck.Policy())
    assert found is not None
    assert found.seconds > 0
    assert device.tuner.tune(problem, library, ck.Policy()) is None


@pytest.mark.usefixtures("device")
def test_the_echo_of_an_explanation_is_one_line() -> None:
    assert "\n" not in repr(ck.explain(ck.conv2d, X, W))
    assert "print it for the table" in repr(ck.explain(ck.conv2d, X, W))
    assert "nothing to compute" in repr(ck.explain(ck.conv2d, X[:0], W))


def test_a_pinned_candidate_that_vanished_is_no_silent_change(device: SimulatedDevice) -> None:
    slow = device.candidate("IMPLICIT_GEMM")
    ck.pin(slow.id, ck.conv2d, X, W)
    device.candidates.remove(slow)
    with pytest.raises(ck.UnsupportedError, match="pinned"):
        ck.conv2d(X, W)


def test_explain(path: Path) -> None:
    with simulated(store=Store(path)) as device:
        found = ck.explain(ck.conv2d, X, W, padding=1)
        text = str(found)
        for one in device.candidates:
            assert str(one.id) in text
        assert "in use: graph engine 1" in text
        assert found.report.chosen.description.id == found.choice.best.id
        assert found.to_json()["report"]["rows"]
        assert str(ck.explain(ck.conv2d, np.zeros((0, 3, 5, 5)), W)).endswith("nothing to compute")
    with simulated(store=Store(path)) as device:
        again = ck.explain(ck.conv2d, X, W, padding=1)
        assert again.choice == found.choice
        assert len(again.report.rows) == len(found.report.rows)
        assert device.tuner.counters.disk_hits == 1


def test_explain_does_not_write_into_the_output(device: SimulatedDevice) -> None:
    out = np.full((1, 4, 3, 3), 7.0)
    ck.explain(ck.conv2d, X, W, out=out)
    assert (out == 7).all()
    assert device.launches


def test_tune_ahead(device: SimulatedDevice) -> None:
    problem = ck.plan(ck.conv2d, X, W, random(4, seed=2), activation="relu", search="heuristic").problem
    report = device.tuner.tune(problem, device.library, ck.Policy())
    assert report is not None
    assert report.chosen is not None
    searches = device.tuner.counters.searches
    ck.conv2d(X, W, random(4, seed=2), activation="relu")
    assert device.tuner.counters.searches == searches


def test_the_deterministic_choice_does_not_depend_on_free_memory() -> None:
    chosen = set()
    for taken in (0, 15):
        with simulated() as device:
            device.used = taken * 2**30
            ck.conv2d(X, W, deterministic=True)
            chosen.add(device.launches[-1][1])
    assert len(chosen) == 1
