from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any

import pytest
from cudnnkit.cache import RETRY_AFTER, DecisionCache, Limits
from cudnnkit.choice import Alternative, Choice, Decision, Unsupported
from cudnnkit.errors import OutOfMemoryError
from cudnnkit.policy import Policy
from cudnnkit.problem import Problem
from cudnnkit.report import SearchReport
from cudnnkit.search import Outcome
from cudnnkit.table import RETRIES

from .fakes import FakeClock, graph
from .problems import convolution

HEURISTIC, MEASURE, EXHAUSTIVE = (Policy(search=mode) for mode in ("heuristic", "measure", "exhaustive"))
REPORT = SearchReport("conv", "measure", (), 0.0, 0)


def choice(level: int = 1, engine: int = 1, **changes: Any) -> Choice:
    return Choice(Alternative(graph(engine), 0), level=level, **changes)


class FakeFinder:
    """Answers engine 0 by heuristic and engine `level` by search; counts what it was asked."""

    def __init__(self, level: int = 1, clock: FakeClock | None = None, **changes: Any) -> None:
        self.found: Decision = choice(level, level, **changes)
        self.clock = clock
        self.heuristics = self.searches = 0
        self.error: BaseException | None = None
        self.during: Callable[[], None] | None = None

    def heuristic(self) -> Outcome[Any]:
        self.heuristics += 1
        return Outcome(choice(0, 0), REPORT)

    def search(self) -> Outcome[Any]:
        self.searches += 1
        if self.clock is not None:
            self.clock.advance(0.6)
        if self.during is not None:
            self.during()
        if self.error is not None:
            raise self.error
        return Outcome(self.found, REPORT)


class FakeStore:
    def __init__(self) -> None:
        self.rows: dict[Problem, Decision] = {}
        self.writes = 0

    def get(self, problem: Problem) -> Decision | None:
        return self.rows.get(problem)

    def put(self, problem: Problem, decision: Decision, report: SearchReport | None = None) -> None:
        assert report is None or report is REPORT
        self.writes += 1
        self.rows[problem] = decision

    def delete(self, problem: Problem) -> None:
        self.rows.pop(problem, None)


def engine(cache: DecisionCache, policy: Policy, finder: FakeFinder, batch: int = 8, **options: Any) -> int | None:
    decision = cache.decide(convolution(batch), policy, finder, **options).decision
    assert isinstance(decision, Choice)
    return decision.best.id.engine


def threads(count: int, work: Callable[[], None]) -> None:
    started = [threading.Thread(target=work) for _ in range(count)]
    for one in started:
        one.start()
    for one in started:
        one.join(30)
        assert not one.is_alive()


def test_found_once_then_from_memory() -> None:
    cache, finder = DecisionCache(), FakeFinder()
    assert [engine(cache, MEASURE, finder) for _ in range(5)] == [1] * 5
    counters = cache.counters
    assert (finder.searches, finder.heuristics) == (1, 0)
    assert (counters.hits, counters.misses, counters.searches, counters.heuristics) == (4, 1, 1, 0)
    assert cache.report(convolution()) is REPORT


def test_search_seconds_are_counted_failures_included() -> None:
    clock = FakeClock()
    cache, finder = DecisionCache(clock=lambda: clock.now), FakeFinder(clock=clock)
    engine(cache, MEASURE, finder)
    finder.error = RuntimeError()
    with pytest.raises(RuntimeError):
        engine(cache, MEASURE, finder, batch=2)
    assert cache.counters.search_seconds == pytest.approx(1.2)


def test_change_of_mode_reaches_problems_already_seen() -> None:
    cache, finder = DecisionCache(), FakeFinder(1)
    assert engine(cache, HEURISTIC, finder) == 0
    assert engine(cache, MEASURE, finder) == 1  # a heuristic entry does not answer a request to measure
    assert engine(cache, HEURISTIC, finder) == 1  # a measured one answers a request for the heuristic
    finder.found = choice(2, 2)
    assert engine(cache, EXHAUSTIVE, finder) == 2
    assert engine(cache, MEASURE, finder) == 2
    assert (finder.heuristics, finder.searches) == (1, 2)


def test_a_larger_budget_searches_again_where_the_first_was_cut() -> None:
    cache, finder = DecisionCache(), FakeFinder(1, cut_ms=100.0)
    engine(cache, Policy(budget_ms=100), finder)
    engine(cache, Policy(budget_ms=50), finder)
    assert finder.searches == 1
    finder.found = choice(1, 5)
    assert engine(cache, Policy(budget_ms=500), finder) == 5
    assert engine(cache, Policy(budget_ms=5000), finder) == 5
    assert finder.searches == 2


@pytest.mark.parametrize("effort", [HEURISTIC, MEASURE])
def test_one_search_however_many_threads_ask(effort: Policy) -> None:
    cache, finder = DecisionCache(), FakeFinder()
    start = threading.Barrier(8)
    answers: list[int | None] = []

    def ask() -> None:
        start.wait(10)
        answers.append(engine(cache, effort, finder))

    if effort is MEASURE:
        # The search ends only once the other seven wait for it.
        finder.during = lambda: wait_until(lambda: cache.counters.waits == 7)
    threads(8, ask)
    assert finder.searches + finder.heuristics == 1
    assert set(answers) == {1 if effort is MEASURE else 0}


def wait_until(condition: Callable[[], bool]) -> None:
    pause = threading.Event()
    for _ in range(10_000):
        if condition():
            return
        pause.wait(0.001)
    raise AssertionError("the others never came")


def test_no_lock_is_held_across_a_search() -> None:
    """While one problem is being searched, others are found, pinned, counted and dropped by another thread."""
    cache, finder = DecisionCache(), FakeFinder()

    def meanwhile() -> None:
        def work() -> None:
            assert engine(cache, HEURISTIC, FakeFinder(), batch=2) == 0
            assert engine(cache, HEURISTIC, FakeFinder()) == 0  # the problem itself, for less effort, does not wait
            cache.pin(convolution(3), graph(9))
            cache.forget(convolution(2))
            assert cache.counters.searches == 1

        threads(1, work)

    finder.during = meanwhile
    assert engine(cache, MEASURE, finder) == 1
    assert engine(cache, HEURISTIC, finder) == 1  # the heuristic answer given meanwhile did not replace it
    assert engine(cache, MEASURE, finder, batch=3) == 9


def test_a_heuristic_answer_that_comes_late_does_not_replace_a_measured_one() -> None:
    class Slow(FakeFinder):
        def heuristic(self) -> Outcome[Any]:
            threads(1, lambda: engine(cache, MEASURE, FakeFinder()))
            return super().heuristic()

    cache = DecisionCache()
    assert engine(cache, HEURISTIC, Slow()) == 0
    assert cache.peek(convolution()) == choice(1, 1)


def test_an_error_reaches_everyone_who_waited_and_is_not_remembered() -> None:
    cache, finder = DecisionCache(), FakeFinder()
    finder.error = OutOfMemoryError("conv", ())
    finder.during = lambda: wait_until(lambda: cache.counters.waits == 3)
    caught: list[BaseException] = []

    def ask() -> None:
        try:
            engine(cache, MEASURE, finder)
        except OutOfMemoryError as error:
            caught.append(error)

    threads(4, ask)
    assert finder.searches == 1
    assert len(set(map(id, caught))) == 4  # an exception raised in two threads would mix their tracebacks
    assert {str(one) for one in caught} == {str(finder.error)}
    finder.error = finder.during = None
    assert engine(cache, MEASURE, finder) == 1


def test_an_interrupted_search_is_taken_over_by_who_waited() -> None:
    cache, finder = DecisionCache(), FakeFinder()
    finder.error = KeyboardInterrupt()

    def interrupted() -> None:
        wait_until(lambda: cache.counters.waits >= 1)
        finder.during = None

    finder.during = interrupted
    ended: list[object] = []

    def ask() -> None:
        try:
            ended.append(engine(cache, MEASURE, finder))
        except KeyboardInterrupt as error:
            finder.error = None
            ended.append(error)

    def ask_later() -> None:
        wait_until(lambda: finder.searches == 1)
        other = FakeFinder()
        ended.append(engine(cache, MEASURE, other))

    first, second = threading.Thread(target=ask), threading.Thread(target=ask_later)
    first.start()
    second.start()
    first.join(30)
    second.join(30)
    assert sorted(map(repr, ended)) == ["1", "KeyboardInterrupt()"]


def test_a_search_that_needs_its_own_problem_does_not_wait_for_itself() -> None:
    cache, finder = DecisionCache(), FakeFinder()
    inner: list[int | None] = []
    finder.during = lambda: inner.append(engine(cache, MEASURE, finder))
    assert engine(cache, MEASURE, finder) == 1
    assert inner == [0]


def test_unsupported_is_remembered_but_not_on_disk() -> None:
    store = FakeStore()
    cache, finder = DecisionCache(store), FakeFinder()
    finder.found = Unsupported((("graph engine 1", "no"),), level=1)
    for _ in range(3):
        assert cache.decide(convolution(), MEASURE, finder).decision == finder.found
    assert (finder.searches, store.writes) == (1, 0)


def test_the_finding_thread_gets_the_prepared_candidate() -> None:
    class Prepared:
        workspace = 0

        def run(self, arguments: Any, workspace: int) -> None: ...

        def close(self) -> None: ...

    class Finder(FakeFinder):
        def search(self) -> Outcome[Any]:
            return Outcome(self.found, REPORT, prepared)

    prepared = Prepared()
    cache, finder = DecisionCache(), Finder()
    assert cache.decide(convolution(), MEASURE, finder).executable is prepared
    assert cache.decide(convolution(), MEASURE, finder).executable is None


def test_capture_never_searches_and_never_waits() -> None:
    cache, finder = DecisionCache(), FakeFinder()
    assert engine(cache, MEASURE, finder, capturing=True) == 0
    assert finder.searches == 0
    assert engine(cache, MEASURE, finder, capturing=True) == 0  # known now
    assert finder.heuristics == 1
    assert engine(cache, MEASURE, finder) == 1  # afterwards it is measured
    assert engine(cache, MEASURE, finder, capturing=True) == 1

    inside: list[int | None] = []
    finder.during = lambda: threads(1, lambda: inside.append(engine(cache, MEASURE, FakeFinder(), 2, capturing=True)))
    engine(cache, MEASURE, finder, batch=2)
    assert inside == [0]


# Bounds ------------------------------------------------------------------------------------------------------------


def test_sixteen_widths_and_a_bound_on_searches() -> None:
    clock = FakeClock()
    cache = DecisionCache(limits=Limits(searches=3), clock=lambda: clock.now)
    finder = FakeFinder(clock=clock)
    answers = [engine(cache, MEASURE, finder, batch) for batch in range(1, 17)]
    assert answers == [1] * 3 + [0] * 13
    again = [engine(cache, MEASURE, finder, batch) for batch in range(1, 17)]
    assert again == answers
    assert (finder.searches, finder.heuristics) == (3, 13)
    assert cache.counters.hits == 16  # past the bound, what the heuristic said is a hit like any other
    assert cache.counters.search_seconds == pytest.approx(1.8)


def test_a_bound_on_time_spent_searching() -> None:
    clock = FakeClock()
    cache = DecisionCache(limits=Limits(search_seconds=1.0), clock=lambda: clock.now)
    finder = FakeFinder(clock=clock)
    assert [engine(cache, MEASURE, finder, batch) for batch in range(1, 5)] == [1, 1, 0, 0]


def test_a_raised_bound_reaches_problems_that_were_denied() -> None:
    cache, finder = DecisionCache(limits=Limits(searches=0)), FakeFinder()
    assert engine(cache, MEASURE, finder) == 0
    cache.limits = Limits(searches=1)
    assert engine(cache, MEASURE, finder) == 1


def test_least_recently_asked_for_goes_first() -> None:
    cache, finder = DecisionCache(limits=Limits(entries=3)), FakeFinder()
    for batch in (1, 2, 3, 1, 4):
        engine(cache, MEASURE, finder, batch)
    assert [cache.peek(convolution(batch)) is not None for batch in (1, 2, 3, 4)] == [True, False, True, True]
    assert (len(cache), cache.counters.evictions) == (3, 1)


def test_cycling_eight_shapes_within_eight_entries_searches_eight_times() -> None:
    cache, finder = DecisionCache(limits=Limits(entries=8)), FakeFinder()
    for turn in range(40):
        engine(cache, MEASURE, finder, 1 + turn % 8)
    assert finder.searches == 8


def test_what_was_evicted_comes_back_from_disk_without_a_search() -> None:
    cache, finder = DecisionCache(FakeStore(), Limits(entries=2)), FakeFinder()
    for turn in range(24):
        engine(cache, MEASURE, finder, 1 + turn % 8)
    assert finder.searches == 8
    assert cache.counters.disk_hits == 16


def test_bound_in_bytes() -> None:
    cache, finder = DecisionCache(), FakeFinder()
    for batch in range(1, 11):
        engine(cache, MEASURE, finder, batch)
    one = 4 * len(convolution(1).canonical()) + 1024
    cache.limits = Limits(nbytes=5 * one + 100)
    assert len(cache) == 5
    engine(cache, MEASURE, finder, 99)
    assert len(cache) == 5
    assert cache.peek(convolution(99)) is not None
    assert cache.peek(convolution(6)) is None


def test_pinned_entries_stay() -> None:
    cache, finder = DecisionCache(limits=Limits(entries=1)), FakeFinder()
    cache.pin(convolution(1), graph(9))
    for batch in (2, 3, 4):
        engine(cache, MEASURE, finder, batch)
    assert engine(cache, EXHAUSTIVE, finder, 1) == 9


# Weakly on, provisional --------------------------------------------------------------------------------------------


def test_weakly_on_measures_once_a_problem_came_back_often_enough() -> None:
    cache, finder = DecisionCache(), FakeFinder()
    policy = Policy(after=3)
    assert [engine(cache, policy, finder) for _ in range(6)] == [0, 0, 0, 1, 1, 1]
    assert engine(cache, policy, finder, batch=2) == 0
    assert (finder.searches, finder.heuristics) == (1, 2)
    assert engine(cache, Policy(), finder, batch=2) == 1  # who asks at once gets it at once


def test_weakly_on_stays_within_the_bounds() -> None:
    cache, finder = DecisionCache(limits=Limits(searches=1)), FakeFinder()
    policy = Policy(after=1)
    assert [engine(cache, policy, finder, batch) for batch in (1, 2, 1, 2, 2, 2)] == [0, 0, 1, 0, 0, 0]
    assert (finder.searches, finder.heuristics) == (1, 2)


def test_provisional_choices_are_looked_at_again_later_and_not_for_ever() -> None:
    store = FakeStore()
    cache, finder = DecisionCache(store), FakeFinder(1, provisional=True)
    asked = sum(RETRY_AFTER << retry for retry in range(RETRIES)) + 1
    for _ in range(asked):
        engine(cache, MEASURE, finder)
    assert finder.searches == 1 + RETRIES
    for _ in range(10 * asked):
        engine(cache, MEASURE, finder)
    assert finder.searches == 1 + RETRIES
    assert store.writes == 0


def test_a_provisional_choice_becomes_a_lasting_one() -> None:
    store = FakeStore()
    cache, finder = DecisionCache(store), FakeFinder(1, provisional=True)
    for _ in range(RETRY_AFTER):
        assert engine(cache, MEASURE, finder) == 1
    finder.found = choice(1, 7)
    assert engine(cache, MEASURE, finder) == 7
    assert store.rows[convolution()] == finder.found


def test_a_search_that_could_not_measure_is_not_repeated_at_every_call() -> None:
    cache, finder = DecisionCache(), FakeFinder(0, provisional=True)
    for _ in range(50):
        engine(cache, MEASURE, finder)
    assert finder.searches == 1


# Disk, pins, replay ------------------------------------------------------------------------------------------------


def test_disk_answers_a_second_process_without_a_search() -> None:
    store = FakeStore()
    engine(DecisionCache(store), MEASURE, FakeFinder(1))
    second, finder = DecisionCache(store), FakeFinder()
    assert engine(second, MEASURE, finder) == 1
    assert engine(second, HEURISTIC, finder) == 1
    assert (finder.searches, finder.heuristics, store.writes) == (0, 0, 1)
    assert (second.counters.disk_hits, second.counters.hits) == (1, 1)
    assert engine(DecisionCache(store), EXHAUSTIVE, FakeFinder(2)) == 2
    assert store.rows[convolution()].level == 2


def test_heuristic_answers_do_not_go_to_disk() -> None:
    store = FakeStore()
    engine(DecisionCache(store), HEURISTIC, FakeFinder())
    assert store.writes == 0


def test_pin_here_and_on_disk_until_forgotten() -> None:
    store = FakeStore()
    cache, finder = DecisionCache(store), FakeFinder()
    engine(cache, MEASURE, finder)
    cache.pin(convolution(), graph(9), 4096)
    answer = cache.decide(convolution(), EXHAUSTIVE, finder).decision
    assert answer == Choice(Alternative(graph(9), 4096), level=3)
    assert engine(DecisionCache(store), EXHAUSTIVE, finder) == 9
    cache.forget(convolution())
    assert store.rows == {}
    assert engine(cache, MEASURE, finder) == 1


def test_a_stored_candidate_that_cannot_be_replayed() -> None:
    store = FakeStore()
    store.rows[convolution()] = choice(1, 42)
    cache, finder = DecisionCache(store), FakeFinder()
    assert engine(cache, MEASURE, finder) == 42
    cache.reject(convolution(), graph(42))
    assert engine(cache, MEASURE, finder) == 1
    assert store.rows[convolution()] == choice(1, 1)
    assert cache.counters.rejected == 1


def test_a_read_only_store_does_not_bring_a_rejected_candidate_back() -> None:
    class ReadOnly(FakeStore):
        def delete(self, problem: Problem) -> None: ...

        def put(self, problem: Problem, decision: Decision, report: SearchReport | None = None) -> None: ...

    store = ReadOnly()
    store.rows[convolution()] = choice(1, 42)
    cache, finder = DecisionCache(store), FakeFinder()
    engine(cache, MEASURE, finder)
    cache.reject(convolution(), graph(42))
    assert [engine(cache, MEASURE, finder) for _ in range(3)] == [1, 1, 1]
    assert finder.searches == 1


def test_colliding_hashes_keep_decisions_apart() -> None:
    cache = DecisionCache()
    problems = [convolution(batch) for batch in range(1, 9)]
    for place, problem in enumerate(problems):
        object.__setattr__(problem, "_hash", 1)
        cache.pin(problem, graph(place))
    found = [cache.decide(problem, MEASURE, FakeFinder()).decision for problem in problems]
    assert [one.best.id.engine for one in found if isinstance(one, Choice)] == list(range(8))


def test_clear_keeps_the_disk() -> None:
    store = FakeStore()
    cache, finder = DecisionCache(store), FakeFinder()
    engine(cache, MEASURE, finder)
    cache.clear()
    assert len(cache) == 0
    assert cache.report(convolution()) is None
    assert engine(cache, MEASURE, finder) == 1
    assert finder.searches == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_does_not_wait_for_the_parents_searches() -> None:
    cache, finder = DecisionCache(), FakeFinder()
    searching, end = threading.Event(), threading.Event()

    def during() -> None:
        searching.set()
        end.wait(30)

    finder.during = during
    parent = threading.Thread(target=lambda: engine(cache, MEASURE, finder))
    parent.start()
    assert searching.wait(10)
    child = os.fork()
    if child == 0:
        answers: list[int | None] = []
        worker = threading.Thread(target=lambda: answers.append(engine(cache, MEASURE, FakeFinder())), daemon=True)
        worker.start()
        worker.join(10)
        os._exit(0 if answers == [1] else 1)
    _, status = os.waitpid(child, 0)
    end.set()
    parent.join(10)
    assert os.waitstatus_to_exitcode(status) == 0
