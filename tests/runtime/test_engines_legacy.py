"""Candidates of the legacy API: descriptors by the real library, and queries, which need a GPU, by a stand-in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cudnn_ffi
import pytest
from cudnn_ffi import StatusError
from cudnn_ffi.v9 import enums
from cudnnkit.candidates import CandidateId
from cudnnkit.engines import Arguments, rebuild
from cudnnkit.engines.directions import DIRECTIONS
from cudnnkit.engines.legacy import legacy_candidates, unsupported
from cudnnkit.policy import Policy
from cudnnkit.problem import ConvolutionSpec, Epilogue, Problem, TensorSpec

from .recorded import RecordedContext, status_error
from .test_engines_graph import problem

FUSED = problem("conv_forward", "x w bias y", epilogue=Epilogue(True, False, "relu"))


def row(algo: Any, math: str, status: int = 0, determinism: int = 1) -> Any:
    return SimpleNamespace(
        algo=algo, math_type=enums.MathType[math], status=status, determinism=enums.Determinism(determinism)
    )


class Stand:
    """The real library but for what needs a handle."""

    def __init__(self, library: Any) -> None:
        self._real = library
        self.rows: list[Any] = []
        self.asked: list[tuple[str, str]] = []
        self.ranked_with: list[str] = []
        self.unsupported: set[str] = set()
        self.sizes: dict[tuple[str, str], int] = {}
        self.calls: list[tuple[str, tuple[Any, ...]]] = []
        self.status = 0
        self._lib = self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("get_") and name.endswith("_v7"):
            return self._rank
        if name.endswith("_workspace_size"):
            return self._size
        if name.startswith("cudnn"):
            return lambda *arguments: self.calls.append((name, arguments)) or self.status
        return getattr(self._real, name)

    def _math(self, convolution: Any) -> str:
        found: str = self._real.get_convolution_math_type(convolution).name
        return found

    def _rank(self, _handle: Any, _first: Any, _second: Any, convolution: Any, _result: Any) -> list[Any]:
        self.ranked_with.append(self._math(convolution))
        if self.rows and isinstance(self.rows[0], Exception):
            raise self.rows[0]
        return self.rows

    def _size(self, _h: Any, _a: Any, _b: Any, convolution: Any, _c: Any, algorithm: int) -> int:
        name, math = enums.ConvolutionFwdAlgo(algorithm).name, self._math(convolution)
        self.asked.append((name, math))
        if name in self.unsupported:
            raise status_error("cudnnGetConvolutionForwardWorkspaceSize")
        return self.sizes.get((name, math), 64)


@pytest.fixture(scope="module")
def real(real_library: Callable[[int], Path]) -> Any:
    return cudnn_ffi.load(real_library(9))


@pytest.fixture
def stand(real: Any) -> Stand:
    return Stand(real)


@pytest.fixture
def here(stand: Stand, real: Any) -> Any:
    made = RecordedContext(stand)
    made.handle = SimpleNamespace(_ptr=real._ffi.NULL)
    return made


def labels(found: Any) -> list[str]:
    return [f"{one.description.id.algorithm}/{one.description.id.math_type}" for one in found]


def test_every_algorithm_with_every_math_type_the_ranked_first(stand: Stand, here: Any) -> None:
    algorithms = enums.ConvolutionFwdAlgo
    stand.rows = [row(algorithms.WINOGRAD, "TENSOR_OP_MATH"), row(algorithms.GEMM, "DEFAULT_MATH")]
    found = legacy_candidates(problem("conv_forward", "x w y"), here)
    assert labels(found)[:2] == ["WINOGRAD/TENSOR_OP", "GEMM/DEFAULT"]
    assert sorted(labels(found)) == sorted(
        f"{name}/{math}" for name in DIRECTIONS["conv_forward"].algorithms for math in ("TENSOR_OP", "DEFAULT")
    )
    assert [one.description.rank % 100 for one in found] == list(range(16))
    # Half data without tensor cores is tried when everything else was.
    assert {one.description.id.math_type for one in found if one.description.rank >= 100} == {"DEFAULT"}
    assert {one.description.id.math_type for one in found if one.description.rank < 100} == {"TENSOR_OP"}


def test_rows_that_failed_or_are_unknown_do_not_rank(stand: Stand, here: Any) -> None:
    algorithms = enums.ConvolutionFwdAlgo
    stand.rows = [
        row(algorithms.FFT, "TENSOR_OP_MATH", status=3000),
        row(algorithms(57), "TENSOR_OP_MATH"),
        row(algorithms.WINOGRAD, "TENSOR_OP_MATH"),
    ]
    assert labels(legacy_candidates(problem("conv_forward", "x w y"), here))[0] == "WINOGRAD/TENSOR_OP"


@pytest.mark.parametrize("rows", [[], [status_error()]])
def test_without_a_ranking_all_algorithms_are_still_there(stand: Stand, here: Any, rows: list[Any]) -> None:
    stand.rows = rows
    assert len(legacy_candidates(problem("conv_forward", "x w y"), here)) == 16


def test_what_cudnn_gives_no_workspace_for_is_left_out(stand: Stand, here: Any) -> None:
    stand.unsupported = {"DIRECT", "FFT"}
    assert not {"DIRECT", "FFT"} & {one.description.id.algorithm for one in legacy_candidates(FUSED, here)}


def test_workspace_belongs_to_algorithm_and_math_type(stand: Stand, here: Any) -> None:
    stand.sizes = {("GEMM", "FMA_MATH"): 100, ("GEMM", "DEFAULT_MATH"): 200}
    found = legacy_candidates(problem("conv_forward", "x w y", dtype="float32"), here)
    sizes = {labels([one])[0]: one.description.workspace for one in found}
    assert (sizes["GEMM/FMA"], sizes["GEMM/DEFAULT"], sizes["FFT/FMA"]) == (100, 200, 64)
    assert all(one.prepare().workspace == one.description.workspace for one in found)


def test_strict_ranks_with_fma_and_notes_tell_math_types_apart(stand: Stand, here: Any) -> None:
    single = problem("conv_forward", "x w y", dtype="float32")
    found = legacy_candidates(replace(single, policy=Policy(precision="strict").key), here)
    legacy_candidates(single, here)
    assert stand.ranked_with == ["FMA_MATH", "DEFAULT_MATH"]
    notes = {labels([one])[0]: one.description.numerical for one in found}
    assert notes["GEMM/FMA"] == frozenset()
    assert notes["GEMM/DEFAULT"] == {"tensor_core"}
    assert notes["WINOGRAD_NONFUSED/FMA"] == {"winograd"}
    assert not any("ALLOW_CONVERSION" in label for label in notes)


def test_determinism_is_what_the_worse_of_table_and_ranking_says(stand: Stand, here: Any) -> None:
    stand.rows = [row(enums.ConvolutionFwdAlgo.GEMM, "TENSOR_OP_MATH", determinism=0)]
    found = {labels([one])[0]: one.description for one in legacy_candidates(problem("conv_forward", "x w y"), here)}
    assert not found["GEMM/DEFAULT"].deterministic
    assert "nondeterministic" in found["GEMM/DEFAULT"].numerical
    assert found["IMPLICIT_GEMM/DEFAULT"].deterministic
    assert DIRECTIONS["conv_dgrad"].nondeterministic == {"ALGO_0"}
    assert DIRECTIONS["conv_wgrad"].nondeterministic == {"ALGO_0", "ALGO_3"}


@pytest.mark.parametrize("activation", [None, "identity"])
def test_the_fused_identity_only_with_the_precomputed_implicit_gemm(here: Any, activation: str | None) -> None:
    found = legacy_candidates(replace(FUSED, epilogue=Epilogue(True, False, activation)), here)
    assert {one.description.id.algorithm for one in found} == {"IMPLICIT_PRECOMP_GEMM"}
    assert len(legacy_candidates(FUSED, here)) == 16


STRIDED = replace(FUSED.tensors[1], strides=(200, 25, 5, 1))


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (problem("conv_forward", "x w y", convolution=ConvolutionSpec((0, 0), (1, 1), (1, 1), (1, 1))), "pads both"),
        (replace(FUSED, tensors=(FUSED.tensors[0], STRIDED, *FUSED.tensors[2:])), "needs a dense w"),
        (replace(FUSED, epilogue=Epilogue(True, False, "relu6")), "does not fuse relu6"),
        (replace(FUSED, epilogue=Epilogue(False, False, "relu")), "only with a bias"),
        (problem("conv_dgrad", "w dy bias dx", epilogue=Epilogue(True)), "only into the forward"),
        (replace(FUSED, operation="softmax_forward"), "no such operation"),
        (replace(FUSED, compute="float16"), "does not compute in float16"),
        (
            replace(FUSED, tensors=(replace(FUSED.tensors[0], dtype="float32"), *FUSED.tensors[1:])),
            "one floating type for all operands, not float16, float32",
        ),
        (
            problem("conv_forward", "x w bias residual y", epilogue=Epilogue(True, True, "relu"), beta="one"),
            "not both",
        ),
    ],
)
def test_what_it_cannot_serve_is_said_without_a_call(one: Problem, reason: str, here: Any) -> None:
    assert reason in (unsupported(one) or "")
    assert legacy_candidates(one, here) == []


def scalars(arguments: tuple[Any, ...], *places: int) -> list[float]:
    return [arguments[place][0] for place in places]


def addresses(real: Any, arguments: tuple[Any, ...], *places: int) -> list[int]:
    return [int(real._ffi.cast("uintptr_t", arguments[place])) for place in places]


@pytest.mark.parametrize(("operation", "roles"), [("conv_forward", "x w y"), ("conv_dgrad", "w dy dx")])
def test_the_call_takes_operands_workspace_and_factors(
    stand: Stand, here: Any, real: Any, operation: str, roles: str
) -> None:
    one = problem(operation, roles, alpha="general", beta="general")
    plan = legacy_candidates(one, here)[0].prepare()
    plan.run(Arguments((16, 32, 48), 9, 0.5, -2.0), 4096)
    ((name, arguments),) = stand.calls
    assert name == DIRECTIONS[operation].function
    assert len(arguments) == 13
    assert scalars(arguments, 1, 10) == [0.5, -2.0]
    assert addresses(real, arguments, 3, 5, 8, 12) == [16, 32, 4096, 48]
    assert arguments[9] == 64
    assert real.get_convolution_math_type(
        legacy_candidates(one, here)[0].descriptors.convolution("TENSOR_OP")
    ).name == ("TENSOR_OP_MATH")
    assert here.streams == [9]


def test_factors_of_a_fixed_class_do_not_depend_on_what_is_given(stand: Stand, here: Any) -> None:
    plan = legacy_candidates(problem("conv_forward", "x w y"), here)[0].prepare()
    plan.launch((16, 32, 48), 0, 5.0, 7.0)
    assert scalars(stand.calls[0][1], 1, 10) == [1.0, 0.0]


@pytest.mark.parametrize(
    ("more", "roles", "beta", "added", "factor"),
    [
        ({}, "x w bias y", 0.0, 64, 0.0),
        ({"beta": "general"}, "x w bias y", 0.25, 64, 0.25),
        ({"residual": True}, "x w bias residual y", 0.0, 64, 1.0),
    ],
)
def test_the_fused_call_adds_residual_or_old_output(
    stand: Stand, here: Any, real: Any, more: dict[str, Any], roles: str, beta: float, added: int, factor: float
) -> None:
    residual = more.pop("residual", False)
    one = problem("conv_forward", roles, epilogue=Epilogue(True, residual, "relu"), **more)
    plan = legacy_candidates(one, here)[0].prepare()
    plan.launch(tuple(range(16, 16 * (len(one.tensors) + 1), 16)), 0, 1.0, beta)
    ((name, arguments),) = stand.calls
    assert name == "cudnnConvolutionBiasActivationForward"
    assert scalars(arguments, 1, 10) == [1.0, factor]
    assert addresses(real, arguments, 3, 5, 12, 14) == [16, 32, added, 48]
    assert addresses(real, arguments, 17) == [16 * len(one.tensors)]


def test_double_data_takes_double_factors(stand: Stand, here: Any, real: Any) -> None:
    plan = legacy_candidates(problem("conv_forward", "x w y", dtype="float64", last=False), here)[0].prepare()
    plan.launch((16, 32, 48), 0)
    assert real._ffi.typeof(stand.calls[0][1][1]).cname == "double *"


def test_bias_gradient(stand: Stand, here: Any, real: Any) -> None:
    (found,) = legacy_candidates(problem("conv_bias_grad", "dy dbias", beta="one"), here)
    assert str(found.description.id) == "legacy BACKWARD_BIAS"
    plan = found.prepare()
    plan.launch((16, 32), 0)
    ((name, arguments),) = stand.calls
    assert (name, len(arguments)) == ("cudnnConvolutionBackwardBias", 7)
    assert addresses(real, arguments, 3, 6) == [16, 32]
    assert scalars(arguments, 1, 4) == [1.0, 1.0]


def test_arguments_are_kept_by_address_and_bounded(stand: Stand, here: Any) -> None:
    plan = legacy_candidates(problem("conv_forward", "x w y"), here)[0].prepare()
    plan.launch((16, 32, 48), 0)
    plan.launch((16, 32, 48), 0)
    assert all(one is two for one, two in zip(stand.calls[0][1], stand.calls[1][1], strict=True))
    for address in range(300):
        plan.launch((16, 32, 16 * address), 0)
    assert len(plan._calls) == 256
    plan.close()
    plan.close()
    assert not plan._calls


def test_a_refused_launch_names_function_and_candidate(stand: Stand, here: Any) -> None:
    found = legacy_candidates(problem("conv_forward", "x w y"), here)[0]
    plan = found.prepare()
    bound = plan.bind((16, 32, 48), 0)
    stand.status = 3000
    for launch in (lambda: plan.launch((16, 32, 48), 0), bound):
        with pytest.raises(StatusError, match="cudnnConvolutionForward") as caught:
            launch()
        assert caught.value.arguments["candidate"].strip("'") == str(found.description.id)


def test_an_identity_is_rebuilt_and_a_foreign_one_refused(here: Any) -> None:
    one = problem("conv_forward", "x w y")
    again = rebuild(one, CandidateId("legacy", algorithm="GEMM", math_type="TENSOR_OP"), here)
    assert (again.description.id.algorithm, again.description.workspace) == ("GEMM", 64)
    for foreign in (
        CandidateId("legacy", algorithm="ALGO_1", math_type="FMA"),
        CandidateId("legacy", algorithm="GEMM"),
    ):
        with pytest.raises(ValueError, match="the legacy API does not serve this problem"):
            rebuild(one, foreign, here)


def test_a_filter_that_fits_both_layouts_takes_the_images(real: Any, here: Any) -> None:
    formats = {}
    for last in (True, False):
        base = problem("conv_forward", "x w y", last=last)
        narrow = TensorSpec("w", (8, 1, 1, 1), (1, 1, 1, 1), "float16")
        one = replace(base, tensors=(base.tensors[0], narrow, base.tensors[2]))
        candidate = legacy_candidates(one, here)[0]
        formats[last] = real.get_filter_nd_descriptor(candidate.descriptors.operand("w")).format.name
    assert formats == {True: "NHWC", False: "NCHW"}


GEMM = CandidateId("legacy", algorithm="GEMM", math_type="TENSOR_OP")


def test_a_remembered_workspace_is_not_asked_for_again(stand: Stand, here: Any) -> None:
    one = rebuild(problem("conv_forward", "x w y"), GEMM, here, 4096)
    prepared = one.prepare()
    prepared.launch((16, 32, 48), 64)
    assert (one.description.workspace, prepared.workspace, stand.asked, stand.ranked_with) == (4096, 4096, [], [])
    asked = rebuild(problem("conv_forward", "x w y"), GEMM, here)
    assert (asked.prepare().workspace, len(stand.asked)) == (64, 1)


@pytest.mark.parametrize(("needed", "workspace"), [(8192, 8192), (4096, 4096), (64, 4096)])
def test_a_launch_that_fails_asks_for_the_workspace_once(stand: Stand, here: Any, needed: int, workspace: int) -> None:
    stand.sizes["GEMM", "TENSOR_OP_MATH"] = needed
    prepared = rebuild(problem("conv_forward", "x w y"), GEMM, here, 4096).prepare()
    stand.status = 2000
    for _ in range(2):
        with pytest.raises(StatusError, match="cudnnConvolutionForward"):
            prepared.launch((16, 32, 48), 64)
    assert (prepared.workspace, prepared.stale, len(stand.asked)) == (workspace, False, 1)
    stand.status = 0
    prepared.launch((16, 32, 48), 64)
    assert workspace in stand.calls[-1][1]  # the size is one of the arguments


def test_a_remembered_algorithm_that_does_not_serve_any_more(stand: Stand, here: Any) -> None:
    prepared = rebuild(problem("conv_forward", "x w y"), GEMM, here, 4096).prepare()
    stand.status, stand.unsupported = 3000, {"GEMM"}
    with pytest.raises(StatusError):
        prepared.launch((16, 32, 48), 64)
    assert prepared.stale
