from __future__ import annotations

import json
from typing import Any

import pytest
from cudnnkit.candidates import HINDMOST, CandidateId, Description, in_try_order, legacy_notes
from cudnnkit.errors import CacheError
from hypothesis import given
from hypothesis import strategies as st

from .fakes import graph, legacy

DECOMPOSED = CandidateId("decomposed", name="conv+bias, add, relu", parts=(graph(4, k2=1), legacy("WINOGRAD")))


def test_labels() -> None:
    assert str(graph(12)) == "graph engine 12"
    assert str(graph(12, k7=1, k2=0)) == "graph engine 12 (knobs 2=0, 7=1)"
    assert str(legacy("WINOGRAD_NONFUSED")) == "legacy WINOGRAD_NONFUSED with FMA math"
    assert str(DECOMPOSED) == (
        "decomposed conv+bias, add, relu [graph engine 4 (knobs 2=1); legacy WINOGRAD with FMA math]"
    )


def test_order_of_knobs_is_no_part_of_the_identity() -> None:
    assert graph(1, k2=0, k7=3) == graph(1, k7=3, k2=0)
    assert graph(1, k2=0) != graph(1, k2=1)


knobs = st.lists(st.tuples(st.integers(0, 40), st.integers(-5, 500)), max_size=3, unique_by=lambda pair: pair[0])
graphs = st.builds(lambda engine, pairs: CandidateId("graph", engine, tuple(pairs)), st.integers(0, 300), knobs)
legacies = st.builds(legacy, st.sampled_from(["FFT", "WINOGRAD"]), st.sampled_from(["FMA", "DEFAULT"]))
ids = st.one_of(
    graphs, legacies, st.builds(lambda parts: CandidateId("decomposed", parts=tuple(parts)), st.lists(graphs))
)


@given(ids, ids)
def test_json_keeps_identity(one: CandidateId, other: CandidateId) -> None:
    texts = [json.dumps(each.to_json(), sort_keys=True) for each in (one, other)]
    assert CandidateId.from_json(json.loads(texts[0])) == one
    assert (texts[0] == texts[1]) == (one == other)


@pytest.mark.parametrize(
    "data", [None, 3, {}, {"api": "index"}, {"api": "graph", "knobs": [1]}, {"api": "graph", "index": 3}]
)
def test_damaged_identities_are_cache_errors(data: Any) -> None:
    with pytest.raises(CacheError):
        CandidateId.from_json(data)


def test_what_compiles_comes_last_and_apis_take_turns() -> None:
    described = [
        Description(legacy("SLOW"), HINDMOST),
        Description(graph(9), 0, needs_compilation=True),
        Description(legacy("A"), 1),
        Description(legacy("B"), 0),
        Description(graph(2), 1),
        Description(graph(1), 0),
        Description(CandidateId("array", name="ufunc"), 0),
    ]
    order = [str(one) for one in in_try_order((one.id, one) for one in described)]
    assert order == [
        "graph engine 1",
        "legacy B with FMA math",
        "array ufunc",
        "graph engine 2",
        "legacy A with FMA math",
        "graph engine 9",
        "legacy SLOW with FMA math",
    ]


def test_an_engine_behind_a_hundred_knobs_of_another_has_an_early_turn() -> None:
    knobs = [Description(graph(1, k0=at), at) for at in range(100)]
    described = [*knobs[:-1], Description(graph(5), 99)]
    order = in_try_order((one, one) for one in described)
    assert [one.rank for one in order[:10]] == [0, 1, 2, 3, 4, 5, 6, 7, 99, 8]
    assert sorted(one.rank for one in order) == list(range(100))


@pytest.mark.parametrize(
    ("algorithm", "math_type", "dtype", "expected"),
    [
        ("IMPLICIT_PRECOMP_GEMM", "FMA", "float32", set()),
        ("IMPLICIT_PRECOMP_GEMM", "DEFAULT", "float32", {"tensor_core"}),
        ("IMPLICIT_PRECOMP_GEMM", "DEFAULT", "float16", set()),
        ("IMPLICIT_PRECOMP_GEMM", "TENSOR_OP", "float16", {"tensor_core"}),
        ("FFT_TILING", "TENSOR_OP_ALLOW_CONVERSION", "float32", {"tensor_core", "down_convert_inputs", "fft"}),
        ("WINOGRAD_NONFUSED", "FMA", "float32", {"winograd"}),
    ],
)
def test_notes_of_legacy_algorithms(algorithm: str, math_type: str, dtype: str, expected: set[str]) -> None:
    assert legacy_notes(algorithm, math_type, dtype) == expected
