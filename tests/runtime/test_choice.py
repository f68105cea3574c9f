from __future__ import annotations

import json
from typing import Any

import pytest
from cudnnkit.candidates import CandidateId
from cudnnkit.choice import (
    Alternative,
    Choice,
    Unsupported,
    decision_from_json,
    decision_to_json,
    smaller_and_smaller,
)
from cudnnkit.errors import CacheError
from cudnnkit.policy import EFFORTS, Policy

from .fakes import graph, legacy

BEST = Alternative(graph(1, k2=3), 4096, 0.001)
CHOICE = Choice(BEST, (Alternative(legacy("FFT"), 0, 0.002),), level=1, cut_ms=500.0)
NOTHING = Unsupported((("graph engine 1", "is not deterministic"),), "allow deterministic=False", level=2)


@pytest.mark.parametrize("decision", [CHOICE, NOTHING, Choice(Alternative(graph(2), 0), level=0)])
def test_json_round_trip(decision: Any) -> None:
    assert decision_from_json(json.loads(json.dumps(decision_to_json(decision)))) == decision


@pytest.mark.parametrize(
    "change",
    [
        {"level": 9},
        {"level": "high"},
        {"chain": []},
        {"chain": [{"id": {"api": "graph"}}]},
        {"chain": 3},
        {"cut_ms": "soon"},
    ],
)
def test_damaged_decisions_are_cache_errors(change: dict[str, Any]) -> None:
    with pytest.raises(CacheError):
        decision_from_json({**decision_to_json(CHOICE), **change})


@pytest.mark.parametrize("data", [None, 3, {}, {"level": 1, "cut_ms": None}])
def test_what_is_no_decision_is_a_cache_error(data: Any) -> None:
    with pytest.raises(CacheError):
        decision_from_json(data)


def test_more_work_answers_for_less_and_never_the_reverse() -> None:
    requests = [Policy(search=mode) for mode in ("heuristic", "measure", "exhaustive")]
    answers = {
        name: [Choice(BEST, level=level).satisfies(request) for request in requests] for name, level in EFFORTS.items()
    }
    assert answers == {
        "heuristic": [True, False, False],
        "measure": [True, True, False],
        "exhaustive": [True, True, True],
        "pinned": [True, True, True],
    }


def test_a_search_that_the_budget_cut_does_not_answer_for_a_larger_budget() -> None:
    cut = Choice(BEST, level=1, cut_ms=100.0)
    assert cut.satisfies(Policy(budget_ms=100))
    assert cut.satisfies(Policy(budget_ms=50))
    assert not cut.satisfies(Policy(budget_ms=101))
    assert cut.satisfies(Policy(search="heuristic", budget_ms=10_000))
    assert Choice(BEST, level=1).satisfies(Policy(budget_ms=10_000))


def test_fallbacks_need_less_and_less() -> None:
    sizes = [4096, 5000, 100, 100, 200, 0, 0]
    others = [Alternative(graph(place), size, 0.002) for place, size in enumerate(sizes)]
    assert [one.workspace for one in smaller_and_smaller(BEST, others)] == [100, 0]
    assert CHOICE.chain == (BEST, *CHOICE.smaller)


def test_what_was_never_prepared_keeps_out_its_own_kind_alone() -> None:
    own, other = CandidateId("array", name="a kernel of cudnnkit's own"), legacy("FFT")
    guessed = [
        Alternative(graph(4, k1=1), 0),  # as an engine says that is asked before a plan is made of it
        Alternative(graph(4, k1=2), 0),
        Alternative(own, 0),
        Alternative(graph(5), 2048),
        Alternative(other, 4096),
    ]
    assert smaller_and_smaller(BEST, guessed) == (guessed[0], guessed[2], guessed[3])
    measured = Alternative(graph(6), 100, 0.002)
    assert smaller_and_smaller(BEST, [guessed[2], measured, guessed[3]]) == (guessed[2], measured)


def test_what_was_known_of_a_candidate_before_hides_no_other() -> None:
    now, before = Alternative(graph(1), 4096, 0.001), Alternative(graph(1), 10, 0.002)
    others = [before, Alternative(graph(2), 100, 0.003), Alternative(graph(2), 50, 0.003), Alternative(graph(3), 60)]
    assert [(one.id, one.workspace) for one in smaller_and_smaller(now, others)] == [(graph(2), 100), (graph(3), 60)]
