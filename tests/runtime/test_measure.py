from __future__ import annotations

import math
import os
import threading

import pytest
from cudnnkit.measure import Samples, measuring, sample

from .fakes import FakeBench, FakeCandidate, FakeClock, graph
from .forks import status_of_child


def times(
    seconds: object,
    *,
    hopeless: float = math.inf,
    behind: float = math.inf,
    deadline: float = math.inf,
    cost: float = 0.001,
) -> list[float]:
    candidate = FakeCandidate(graph(0), seconds)  # type: ignore[arg-type]
    bench = FakeBench(FakeClock(), cost=cost)
    return sample(bench, candidate.prepare(), {}, 0, hopeless=hopeless, behind=behind, deadline=deadline)


def test_a_steady_candidate_takes_five_runs() -> None:
    assert times(0.5) == [0.5] * 5


def test_an_unsteady_one_is_repeated_until_steady_or_twenty_five() -> None:
    assert len(times(lambda run: 1.0 + run % 2)) == 25
    settling = times(lambda run: 9.0 if run <= 2 else 1.0)
    assert 5 < len(settling) < 25
    assert Samples([settling]).seconds == 1.0


def test_hopeless_ends_after_two_and_the_deadline_after_one() -> None:
    assert times(3.0, hopeless=2.0) == [3.0, 3.0]
    assert times(3.0, hopeless=4.0, behind=2.0) == [3.0] * 3
    # Disturbed once or twice, it may yet be good.
    assert len(times(lambda run: 3.0 if run < 2 else 1.0, behind=2.0)) > 3
    assert len(times(lambda run: 3.0 if run == 1 else 1.0, hopeless=2.0)) > 2  # one slow run is no verdict
    assert times(1.0, deadline=0.0) == [1.0]
    assert len(times(1.0, deadline=0.0035)) == 4


def test_the_least_median_of_the_rounds_counts() -> None:
    assert Samples([[5.0, 6.0, 7.0], [1.0, 2.0, 9.0]]).seconds == 2.0
    assert Samples([[5.0, 6.0, 7.0], [1.0]]).count == 4


def test_gates_of_two_devices_are_apart() -> None:
    inside = threading.Event()

    def other() -> None:
        with measuring(1):
            inside.set()

    with measuring(0):
        thread = threading.Thread(target=other)
        thread.start()
        assert inside.wait(10)
        thread.join(10)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_finds_the_gate_open() -> None:
    def work() -> None:
        with measuring(0):
            pass

    assert status_of_child(measuring(0), work) == 0
