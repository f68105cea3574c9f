from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from cudnnkit.admission import denials, read_denials, refusal
from cudnnkit.candidates import CandidateId, Description, legacy_notes
from cudnnkit.errors import CacheError
from cudnnkit.policy import Policy

from .fakes import graph, legacy
from .problems import DEVICE, VERSIONS, convolution


def why(precision: Any, dtype: str, *notes: str) -> str | None:
    problem = convolution(dtype=dtype, policy=Policy(precision=precision).key)
    return refusal(Description(graph(1), 0, numerical=frozenset(notes)), problem)


@pytest.mark.parametrize(
    ("precision", "dtype", "notes", "admitted"),
    [
        ("fast", "float32", ["tensor_core"], True),
        ("fast", "float32", ["tensor_core", "down_convert_inputs"], False),
        ("fast", "float64", ["down_convert_inputs"], False),
        ("fast", "float16", ["down_convert_inputs"], True),
        ("fast", "float32", ["note_99"], True),
        ("no-tf32", "float32", ["tensor_core"], False),
        ("no-tf32", "float32", ["down_convert_inputs"], False),
        ("no-tf32", "float32", ["note_99"], False),
        ("no-tf32", "float32", ["reduced_precision_reduction"], True),
        ("no-tf32", "float32", ["winograd", "winograd_tile_13x13", "fft"], True),
        ("no-tf32", "float16", ["tensor_core"], True),
        ("no-tf32", "float64", ["tensor_core"], True),
        ("strict", "float32", [], True),
        ("strict", "float32", ["winograd"], True),
        ("strict", "float32", ["tensor_core"], False),
        ("strict", "float32", ["winograd", "winograd_tile_13x13"], False),
        ("strict", "float16", ["tensor_core"], True),
        ("strict", "float16", ["tensor_core", "reduced_precision_reduction"], False),
        ("strict", "bfloat16", ["down_convert_inputs"], False),
    ],
)
def test_precision(precision: str, dtype: str, notes: list[str], admitted: bool) -> None:
    assert (why(precision, dtype, *notes) is None) == admitted


@pytest.mark.parametrize(
    ("precision", "dtype", "admitted"),
    [
        ("fast", "float32", True), ("no-tf32", "float32", False), ("strict", "float32", False),
        ("strict", "float16", True), ("strict", "float64", True),
    ],
)  # fmt: skip
def test_engines_that_leave_float32_to_cublaslt_may_use_tf32(precision: Any, dtype: str, admitted: bool) -> None:
    """Matrix product engine 0 (cuDNN 9.19, H200) notes no tensor cores and is 3e-4 off float64."""
    problem = convolution(dtype=dtype, policy=Policy(precision=precision).key)
    one = Description(graph(0), 0, behaviour=frozenset({"cublaslt_dependency"}))
    assert (refusal(one, problem) is None) == admitted


def test_fast_float32_never_drops_below_tf32_by_either_api() -> None:
    problem = convolution(dtype="float32", policy=Policy(precision="fast").key)
    for math_type, admitted in {"FMA": True, "DEFAULT": True, "TENSOR_OP_ALLOW_CONVERSION": False}.items():
        notes = legacy_notes("IMPLICIT_PRECOMP_GEMM", math_type, "float32")
        one = Description(legacy("IMPLICIT_PRECOMP_GEMM", math_type), 0, numerical=notes)
        assert (refusal(one, problem) is None) == admitted, math_type


def test_a_float32_bias_does_not_make_half_data_float32() -> None:
    problem = convolution(dtype="float16", policy=Policy(precision="strict").key)
    bias = replace(problem.tensors[0], role="bias", dtype="float32")
    problem = replace(problem, tensors=(*problem.tensors, bias))
    assert refusal(Description(graph(1), 0, numerical=frozenset({"tensor_core"})), problem) is None


@pytest.mark.parametrize("workspace", [2**60, 2**64 - 1, -1])
def test_absurd_workspaces_are_unsupported(workspace: int) -> None:
    assert "unsupported" in str(refusal(Description(graph(1), 0, workspace), convolution()))


def test_reordered_operands_are_refused() -> None:
    one = Description(graph(1), 0, behaviour=frozenset({"requires_filter_int8x32_reorder"}))
    assert "reordered" in str(refusal(one, convolution()))
    assert refusal(replace(one, behaviour=frozenset({"runtime_compilation"})), convolution()) is None


def test_determinism_by_flag_and_by_note() -> None:
    exact = convolution(policy=Policy(deterministic=True).key)
    for one in (
        Description(graph(1), 0, deterministic=False),
        Description(graph(1), 0, numerical=frozenset({"nondeterministic"})),
    ):
        assert refusal(one, exact) == "is not deterministic"
        assert refusal(one, convolution()) is None
    assert refusal(Description(graph(1), 0), exact) is None


LIST = read_denials(
    {
        "format": 1,
        "denied": [
            {
                "scope": "deterministic",
                "api": "legacy",
                "algorithm": "ALGO_1",
                "operation": "conv_wgrad",
                "since": "9.1",
                "below": "9.10",
                "architectures": [[9, 0]],
                "reason": "seen to differ",
            },
            {"scope": "always", "api": "graph", "engine": 7, "reason": "writes past the end"},
        ],
    }
)


@pytest.mark.parametrize(
    ("changes", "denied"),
    [
        ({}, True),
        ({"deterministic": False}, False),
        ({"version": "9.0.9"}, False),
        ({"version": "9.1.0"}, True),
        ({"version": "9.9.5"}, True),  # 9.9 comes before 9.10
        ({"version": "9.10.0"}, False),
        ({"architecture": (8, 0)}, False),  # every other GPU keeps its fast algorithm
        ({"operation": "conv_dgrad"}, False),
        ({"algorithm": "ALGO_3"}, False),
    ],
)
def test_deny_list_is_scoped(changes: dict[str, Any], denied: bool) -> None:
    problem = convolution(
        operation=changes.get("operation", "conv_wgrad"),
        policy=Policy(deterministic=changes.get("deterministic", True)).key,
        versions=replace(VERSIONS, cudnn=changes.get("version", "9.5.1")),
        device=replace(DEVICE, architecture=changes.get("architecture", (9, 0))),
    )
    one = Description(legacy(changes.get("algorithm", "ALGO_1")), 0)
    assert (refusal(one, problem, LIST) == "on the deny list: seen to differ") == denied


def test_deny_list_reaches_parts_and_ignores_knobs() -> None:
    whole = CandidateId("decomposed", parts=(graph(3), graph(7, k2=1)))
    assert refusal(Description(whole, 0), convolution(), LIST) == "on the deny list: writes past the end"
    assert refusal(Description(graph(7, k1=4), 0), convolution(), LIST) is not None
    assert refusal(Description(graph(3), 0), convolution(), LIST) is None


@pytest.mark.parametrize(
    "row",
    [
        {"scope": "sometimes", "api": "graph", "engine": 1, "reason": "r"},
        {"scope": "always", "api": "graph", "reason": "r"},
        {"scope": "always", "api": "graph", "engine": 1},
        {"scope": "always", "api": "graph", "engine": 1, "reason": "r", "colour": 1},
        {"scope": "always", "api": "graph", "engine": 1, "reason": "r", "architectures": [9]},
    ],
)
def test_a_wrong_deny_list_says_which_entry(row: dict[str, Any]) -> None:
    with pytest.raises(CacheError, match="entry 0"):
        read_denials({"denied": [row]})


def test_the_shipped_deny_list_is_readable() -> None:
    assert isinstance(denials(), tuple)
