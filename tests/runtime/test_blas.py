"""Matrix products: which problems are taken and as what, judged by a library that computes on host memory."""

from __future__ import annotations

import gc
import json
import math
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from cudnnkit.admission import refusal
from cudnnkit.candidates import CandidateId
from cudnnkit.engines import Arguments
from cudnnkit.engines.blas import blas_candidates, rebuild_blas_candidate
from cudnnkit.engines.blas.library import BlasError, BlasLibrary, report, use_library
from cudnnkit.engines.blas.product import Matrix, Product, product_of
from cudnnkit.policy import Policy
from cudnnkit.problem import ConvolutionSpec, Epilogue, Problem, TensorSpec
from cudnnkit.workspace import is_out_of_memory

from .fake_blas import FakeBlas, FakeContext, Known, fake_blas
from .problems import DEVICE, VERSIONS

PLAIN = Epilogue()
ROLES = {"conv_forward": ("x", "w", "y"), "conv_dgrad": ("w", "dy", "dx"), "conv_wgrad": ("x", "dy", "dw")}
IMAGES = ("x", "y", "dx", "dy", "residual")
BOUNDS = {"float16": 2e-3, "float32": 1e-6, "float64": 1e-14}
TF32 = 77
APART = "takes operands whose pixels, and whose channels, follow each other in memory"
ONE_TYPE = "takes one floating type for all operands here, not"


def laid_out(values: Any, last: bool) -> Any:
    """A copy in NHWC or NCHW memory."""
    if not last:
        return np.ascontiguousarray(values)
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(values, 1, -1)), -1, 1)


def case(
    operation: str = "conv_forward",
    image: tuple[int, ...] = (3, 5, 4, 6),
    filters: int = 7,
    window: tuple[int, ...] = (1, 1),
    *,
    last: bool = True,
    dtype: str = "float32",
    epilogue: Epilogue = PLAIN,
    **changes: Any,
) -> tuple[Problem, dict[str, Any]]:
    """A problem with its operands; the output holds old values."""
    rng = np.random.default_rng(0)
    result = tuple(a - b + 1 for a, b in zip(image[2:], window, strict=True))
    shapes = {"x": image, "w": (filters, image[1], *window), "y": (image[0], filters, *result)}
    shapes |= {f"d{role}": shape for role, shape in shapes.items()}
    out = ROLES[operation][2]
    channels = shapes[out][1]
    roles = list(ROLES[operation][:2])
    if epilogue.bias:
        shapes["bias"] = (channels,)
        roles.append("bias")
    if epilogue.residual:
        shapes["residual"] = shapes[out]
        roles.append("residual")
    roles.append(out)
    arrays = {}
    for role in roles:
        values = rng.standard_normal(shapes[role]).astype(dtype)
        arrays[role] = values if role == "bias" else laid_out(values, last)
    return described(operation, arrays, out, epilogue, **changes), arrays


def described(operation: str, arrays: dict[str, Any], out: str, epilogue: Epilogue = PLAIN, **changes: Any) -> Problem:
    tensors = tuple(
        TensorSpec(
            role, one.shape, tuple(step // one.itemsize for step in one.strides), str(one.dtype), output=role == out
        )
        for role, one in arrays.items()
    )
    compute = "float64" if tensors[0].dtype == "float64" else "float32"
    rank = arrays["x" if "x" in arrays else "dy"].ndim - 2
    spec = ConvolutionSpec((0,) * rank, (0,) * rank, (1,) * rank, (1,) * rank)
    made = Problem(operation, tensors, compute, DEVICE, VERSIONS, Policy().key, convolution=spec, epilogue=epilogue)
    return replace(made, **changes)


def product(problem: Problem, arrays: dict[str, Any]) -> Any:
    """The bare convolution in float64, by its definition."""
    wide = {role: one.astype("f8") for role, one in arrays.items()}
    if problem.operation == "conv_forward":
        size = wide["w"].shape[2:]
        patches = np.lib.stride_tricks.sliding_window_view(wide["x"], size, axis=tuple(range(2, 2 + len(size))))
        return np.einsum("nc...z,kcz->nk...", patches.reshape(*patches.shape[: 2 + len(size)], -1),
                         wide["w"].reshape(*wide["w"].shape[:2], -1))  # fmt: skip
    if problem.operation == "conv_dgrad" and set(wide["w"].shape[2:]) == {1}:
        return np.einsum("nk...,kc->nc...", wide["dy"], wide["w"].reshape(wide["w"].shape[:2]))
    if problem.operation == "conv_dgrad":
        return np.einsum("nk,kc...->nc...", wide["dy"].reshape(wide["dy"].shape[:2]), wide["w"])
    if set(problem.tensor("dw").shape[2:]) == {1}:
        n, c, k = *wide["x"].shape[:2], wide["dy"].shape[1]
        dw = np.einsum("ncs,nks->kc", wide["x"].reshape(n, c, -1), wide["dy"].reshape(n, k, -1))
        return dw.reshape(problem.tensor("dw").shape)
    return np.einsum("nc...,nk->kc...", wide["x"], wide["dy"].reshape(wide["dy"].shape[:2]))


def whole(problem: Problem, arrays: dict[str, Any], alpha: float = 1.0, beta: float = 0.0) -> Any:
    """With everything that follows."""
    out = arrays[next(one.role for one in problem.tensors if one.output)].astype("f8")
    value = alpha * product(problem, arrays) + beta * out
    if "residual" in arrays:
        value = value + arrays["residual"].astype("f8")
    if "bias" in arrays:
        value = value + arrays["bias"].astype("f8").reshape(1, -1, *(1 for _ in value.shape[2:]))
    if problem.epilogue.activation == "relu":
        value = np.maximum(value, 0)
    if problem.epilogue.activation == "gelu_tanh":
        value = 0.5 * value * (1 + np.tanh(math.sqrt(2 / math.pi) * (value + 0.044715 * value**3)))
    return value


def run(problem: Problem, arrays: dict[str, Any], alpha: float = 1.0, beta: float = 0.0) -> float:
    """Run the first candidate; the relative error of its result."""
    expected = whole(problem, arrays, alpha, beta)
    role = next(one.role for one in problem.tensors if one.output)
    if problem.beta == "zero" and "residual" not in str(problem.aliasing):
        arrays[role][...] = np.nan
    plan = blas_candidates(problem, FakeContext())[0].prepare()
    pointers = tuple(arrays[one.role].ctypes.data for one in problem.tensors)
    plan.run(Arguments(pointers, 5, alpha, beta), 0)
    return float(np.linalg.norm(arrays[role].astype("f8") - expected) / np.linalg.norm(expected))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize(("image", "window"), [((3, 5, 4, 6), (1, 1)), ((3, 5, 2, 3), (2, 3)), ((3, 5, 9), (1,))])
@pytest.mark.parametrize("last", [True, False], ids=["NHWC", "NCHW"])
@pytest.mark.parametrize("operation", list(ROLES))
def test_every_direction_in_both_layouts(
    operation: str, last: bool, image: tuple[int, ...], window: tuple[int, ...], dtype: str
) -> None:
    problem, arrays = case(operation, image, window=window, last=last, dtype=dtype)
    if operation == "conv_wgrad" and not last and window != image[2:]:
        assert product_of(problem) == APART
        return
    with fake_blas():
        assert run(problem, arrays) < BOUNDS[dtype]


@pytest.mark.parametrize("activation", [None, "identity", "relu", "gelu_tanh"])
@pytest.mark.parametrize(("bias", "residual"), [(True, False), (False, True), (True, True)])
@pytest.mark.parametrize("operation", ["conv_forward", "conv_dgrad"])
def test_bias_residual_and_activation_are_one_call(
    operation: str, bias: bool, residual: bool, activation: str | None
) -> None:
    problem, arrays = case(operation, epilogue=Epilogue(bias, residual, activation))
    with fake_blas() as fake:
        assert run(problem, arrays) < 1e-6
    (call,) = fake.calls
    assert call["scale"] == [1.0, 1.0 if residual else 0.0]
    assert call["epilogue"] == (4 * bias + {"relu": 2, "gelu_tanh": 32}.get(activation or "", 0) or 1)
    assert call["stream"] == 5


@pytest.mark.parametrize("activation", [None, "relu", "gelu_tanh"])
def test_without_a_bias_images_with_innermost_pixels_are_fused_too(activation: str | None) -> None:
    problem, arrays = case(last=False, epilogue=Epilogue(residual=True, activation=activation))
    with fake_blas() as fake:
        assert run(problem, arrays) < 1e-6
    assert fake.calls[0]["batch"] == 3


def test_a_residual_that_is_the_result() -> None:
    problem, arrays = case(epilogue=Epilogue(True, True, "relu"), aliasing=(("residual", "y"),))
    arrays["y"] = arrays["residual"]
    with fake_blas():
        before = {**arrays, "residual": arrays["residual"].copy()}
        expected = whole(problem, before)
        run(problem, arrays)
    assert np.allclose(arrays["y"], expected, atol=1e-5)


@pytest.mark.parametrize(("alpha", "beta"), [("general", "general"), ("one", "one"), ("zero", "general")])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_factors(alpha: Any, beta: Any, dtype: str) -> None:
    problem, arrays = case(dtype=dtype, alpha=alpha, beta=beta)
    values = {"general": 0.75, "one": 1.0, "zero": 0.0}
    with fake_blas():
        assert run(problem, arrays, values[alpha], values[beta]) < BOUNDS[dtype]


def test_values_of_classes_with_one_value_are_not_the_callers() -> None:
    problem, arrays = case(beta="one")
    with fake_blas() as fake:
        run(problem, arrays, 1.0, 1.0)
        blas_candidates(problem, FakeContext())[0].prepare().launch(
            tuple(arrays[one.role].ctypes.data for one in problem.tensors), 0, 9.0, 9.0
        )
    assert [one["scale"] for one in fake.calls] == [[1.0, 1.0], [1.0, 1.0]]


def test_channels_that_are_part_of_a_wider_tensor() -> None:
    _, arrays = case(image=(3, 12, 4, 6))
    wide = laid_out(np.random.default_rng(1).standard_normal((3, 20, 4, 6)).astype("f4"), True)
    arrays |= {"x": wide[:, 2:14], "y": laid_out(np.zeros((3, 11, 4, 6), "f4"), True)[:, 4:]}
    problem = described("conv_forward", arrays, "y")
    found = product_of(problem)
    assert isinstance(found, Product)
    assert (found.b.leading, found.d.leading, found.batch) == (20, 11, 1)
    with fake_blas():
        assert run(problem, arrays) < 1e-6


@pytest.mark.parametrize("operation", ["conv_forward", "conv_dgrad"])
def test_images_that_do_not_follow_each_other_are_products_of_their_own(operation: str) -> None:
    problem, arrays = case(operation, epilogue=Epilogue(bias=True))
    role = ROLES[operation][2]
    arrays[role] = laid_out(np.zeros((3, arrays[role].shape[1], 9, 6), "f4"), True)[:, :, 2:6]
    problem = described(operation, arrays, role, problem.epilogue)
    with fake_blas() as fake:
        assert run(problem, arrays) < 1e-6
    assert fake.calls[0]["batch"] == 3


def test_the_matrices_of_a_forward_layer() -> None:
    problem, _ = case(image=(8, 64, 56, 56), filters=256, epilogue=Epilogue(True, True, "relu"))
    pixels = 8 * 56 * 56
    # By columns: y' (256, pixels) = w' (64, 256) transposed times x' (64, pixels).
    assert product_of(problem) == Product(
        Matrix(1, 64, 256, 64, transposed=True), Matrix(0, 64, pixels, 64), Matrix(3, 256, pixels, 256),
        Matrix(4, 256, pixels, 256), bias=2, activation="relu", adds_residual=True,
    )  # fmt: skip
    first, _ = case(image=(8, 64, 56, 56), filters=256, last=False)
    # y' (3136, 256) = x' (3136, 64) times w' (64, 256), once for each image.
    assert product_of(first) == Product(
        Matrix(0, 3136, 64, 3136, 64 * 3136), Matrix(1, 64, 256, 64), Matrix(2, 3136, 256, 3136, 256 * 3136),
        Matrix(2, 3136, 256, 3136, 256 * 3136), batch=8,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"window": (2, 2)}, "windows of one element"),
        ({"convolution": ConvolutionSpec((1, 0), (0, 0), (1, 1), (1, 1))}, "pad"),
        ({"convolution": ConvolutionSpec((0, 0), (0, 0), (2, 1), (1, 1))}, "stride 1"),
        ({"convolution": ConvolutionSpec((0, 0), (0, 0), (1, 1), (1, 1), 5)}, "groups"),
        ({"window": (4, 6), "convolution": ConvolutionSpec((0, 0), (0, 0), (1, 1), (1, 1), 1, "convolution")}, "cover"),
        ({"epilogue": Epilogue(activation="gelu")}, "fuse gelu"),
        ({"epilogue": Epilogue(activation="gelu_tanh"), "dtype": "float64"}, "eleven digits"),
        ({"epilogue": Epilogue(activation="leaky_relu", parameters=(0.1,))}, "fuse leaky_relu"),
        ({"epilogue": Epilogue(bias=True), "last": False}, "bias along"),
        ({"epilogue": Epilogue(residual=True), "beta": "one"}, "not both"),
        ({"epilogue": Epilogue(residual=True, activation="relu", residual_after=True)}, "before the activation"),
        ({"operation": "conv_wgrad", "last": False}, "follow each other"),
        ({"compute": "float16"}, "compute in float16"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_what_is_left_to_others(changes: dict[str, Any], word: str) -> None:
    problem, _ = case(**changes)
    found = product_of(problem)
    assert isinstance(found, str)
    assert word in found
    with fake_blas(), pytest.raises(ValueError, match=word):
        blas_candidates(problem, FakeContext())


def test_operands_that_are_left_to_others() -> None:
    problem, arrays = case()
    x, w, y = (arrays[role] for role in "xwy")
    gaps = laid_out(np.zeros((3, 10, 4, 12), "f4"), True)[:, ::2, :, ::2]
    odd: list[tuple[str, dict[str, Any], str]] = [
        ("both innermost axes have gaps", {"x": gaps}, "takes operands in which pixels or channels are innermost"),
        ("repeated channels", {"x": np.broadcast_to(x[:, :1], x.shape)}, APART),
        ("backwards", {"x": x[:, ::-1]}, APART),
        ("another residual layout", {"residual": laid_out(y, False)}, "takes residuals in the result's layout"),
        ("bias with gaps", {"bias": np.zeros(14, "f4")[::2]}, "takes a bias without gaps"),
        ("bias of another type", {"bias": np.zeros(7, "f8")}, f"{ONE_TYPE} float32, float64"),
    ]
    for name, changes, reason in odd:
        all_of = {"x": x, "w": w, **changes, "y": y}
        epilogue = Epilogue("bias" in changes, "residual" in changes)
        assert product_of(described("conv_forward", all_of, "y", epilogue)) == reason, name
    mixed = {"x": laid_out(x[:, :, :2, :3], True), "w": laid_out(np.zeros((7, 5, 2, 3), "f4"), False)}
    mixed["y"] = np.zeros((3, 7, 1, 1), "f4")
    assert product_of(described("conv_forward", mixed, "y")) == APART
    assert product_of(replace(problem, operation="softmax_forward")) == "has no such operation"


def test_a_result_without_columns_has_a_leading_dimension_all_the_same() -> None:
    problem, arrays = case(image=(1, 5, 1, 1), epilogue=Epilogue(bias=True))
    with fake_blas():
        assert run(problem, arrays) < 1e-6


def test_the_heuristic_hears_how_operands_are_aligned() -> None:
    problem, _ = case(epilogue=Epilogue(bias=True))
    aligned = dict(zip(("x", "w", "bias", "y"), (2, 4, 8, 16), strict=True))
    problem = replace(problem, tensors=tuple(replace(one, alignment=aligned[one.role]) for one in problem.tensors))
    with fake_blas() as fake:
        blas_candidates(problem, FakeContext())
    # A is w, B is x, C and D are y; the bias is told by an address.
    assert set(fake.alignments) == {(4, 2, 16, 16)}
    assert {what.number(8) for _, _, what in fake.queries} == {8}


def test_identities_name_id_and_configuration_and_are_rebuilt() -> None:
    one = Known(66, (1, 2, 2, 1, 3, 5, 4, 6), workspace=100)
    problem, arrays = case(policy=Policy(precision="strict").key)
    with fake_blas(Known(21), one) as fake:
        found = blas_candidates(problem, FakeContext())[1].description
        stored = CandidateId.from_json(json.loads(json.dumps(found.id.to_json())))
        assert (stored.api, stored.engine, stored.math_type) == ("blas", 66, "F32")
        assert dict(stored.knobs) == {1: 1, 2: 2, 3: 2, 4: 1, 5: 3, 6: 5, 7: 4, 8: 6}
        fake.known.reverse()
        again = rebuild_blas_candidate(problem, stored, FakeContext())
        assert again.description == replace(found, rank=0)
        plan = again.prepare()
        pointers = tuple(arrays[role].ctypes.data for role in "xwy")
        with pytest.raises(BlasError, match="INVALID_VALUE"):
            plan.launch(pointers, 0)
        plan.launch(pointers, 64)
        assert fake.calls[-1]["algorithm"] == one
        fake.known.remove(one)
        with pytest.raises(BlasError, match="NOT_SUPPORTED"):
            rebuild_blas_candidate(problem, stored, FakeContext())
        for wrong in (
            CandidateId("blas"),
            CandidateId("blas", 66, math_type="F16"),
            CandidateId("blas", 21, ((99, 1),), math_type="F32"),
        ):
            with pytest.raises((BlasError, ValueError)):
                rebuild_blas_candidate(problem, wrong, FakeContext())


def test_an_algorithm_that_its_configuration_does_not_rebuild_is_not_offered() -> None:
    problem, _ = case(dtype="float64")
    with fake_blas(Known(5, hidden=9), Known(6)):
        assert [one.description.id.engine for one in blas_candidates(problem, FakeContext())] == [6]


def test_precision_is_the_compute_type() -> None:
    fast, arrays = case()
    with fake_blas(Known(66)) as fake:
        found = [one.description for one in blas_candidates(fast, FakeContext())]
        assert [one.id.math_type for one in found] == ["F32_FAST_TF32", "F32"]
        assert [one.rank for one in found] == [0, 1]
        for precision in ("no-tf32", "strict"):
            other = replace(fast, policy=Policy(precision=precision).key)  # type: ignore[arg-type]
            assert [one.description.id.math_type for one in blas_candidates(other, FakeContext())] == ["F32"]
            assert [refusal(one, other) is None for one in found] == [False, True]
        run(fast, arrays)
    assert fake.calls[0]["compute"] == TF32


def test_notes_tell_what_rounds_and_what_wavers() -> None:
    tensor, half, narrow = 2, 1 << 16, 1 << 8
    split = (20, 4, 1, 0, 0, 35, 0, 0)
    with fake_blas(
        Known(1, flags=tensor | half), Known(2, split), Known(3, (20, 4, 4, 0, 0, 35, 0, 0)), Known(4, flags=narrow)
    ):
        single, _ = case(policy=Policy(precision="no-tf32").key)
        wide = {one.description.id.engine: one.description for one in blas_candidates(single, FakeContext())}
        double, _ = case(dtype="float16")
        short = {one.description.id.engine: one.description for one in blas_candidates(double, FakeContext())}
    assert wide[1].numerical == {"tensor_core", "down_convert_inputs"}
    assert wide[2].numerical == {"nondeterministic"}
    assert not wide[2].deterministic
    assert wide[3].numerical == frozenset()
    assert short[1].numerical == {"tensor_core"}
    assert short[2].numerical == {"tensor_core", "nondeterministic", "reduced_precision_reduction"}
    assert short[3].numerical == {"tensor_core", "reduced_precision_reduction"}
    assert short[4].numerical == {"tensor_core", "reduced_precision_reduction"}
    strict = replace(double, policy=Policy(precision="strict", deterministic=True).key)
    assert [refusal(one, strict) is None for one in short.values()] == [True, False, False, False]


def test_algorithms_without_workspace_are_asked_for_as_well() -> None:
    problem, _ = case(dtype="float64")
    many = [Known(number, workspace=1000) for number in range(30)]
    with fake_blas(*many, Known(77)) as fake:
        found = [one.description for one in blas_candidates(problem, FakeContext())]
    assert [one.workspace for one in found] == [1000] * 16 + [0]
    assert [room for _, room, _ in fake.queries] == [32 * 2**20, 0]


def test_without_a_library_there_is_a_reason() -> None:
    problem, _ = case()
    before = use_library(BlasError("libcublasLt", "NOT_FOUND", "install it"))
    try:
        with pytest.raises(BlasError, match="NOT_FOUND \\(install it\\)"):
            blas_candidates(problem, FakeContext())
        assert report() == "cuBLASLt: libcublasLt: NOT_FOUND (install it)"
    finally:
        use_library(before)
    with fake_blas():
        assert report() == "cuBLASLt 13.1.0 at fake"


def test_without_a_finder_of_wheels_there_is_a_reason_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cudnnkit.engines.blas.library._SONAMES", ())
    monkeypatch.setitem(sys.modules, "cuda", None)
    monkeypatch.delitem(sys.modules, "cuda.pathfinder", raising=False)
    before = use_library(None)
    try:
        assert report().endswith("and cuda-pathfinder, which looks into wheels, is not installed)")
    finally:
        use_library(before)


def test_an_old_library_lacks_functions() -> None:
    with pytest.raises(BlasError, match="lacks a function"):
        BlasLibrary(object(), "old")


@pytest.mark.parametrize(
    "name",
    ["cublasLtCreate", "cublasLtMatmulDescCreate", "cublasLtMatrixLayoutCreate", "cublasLtMatmulAlgoGetHeuristic"],
)
def test_a_call_that_fails_is_named(name: str) -> None:
    problem, _ = case()
    with fake_blas() as fake:
        fake.codes[name] = 1
        with pytest.raises(BlasError, match=f"{name}: NOT_INITIALIZED"):
            blas_candidates(problem, FakeContext())


def test_a_launch_that_fails_names_the_candidate_and_lack_of_memory_is_seen() -> None:
    problem, arrays = case()
    with fake_blas() as fake:
        plan = blas_candidates(problem, FakeContext())[0].prepare()
        pointers = tuple(arrays[role].ctypes.data for role in "xwy")
        for bound in (plan.bind(pointers, 0), lambda: plan.launch(pointers, 0)):
            fake.codes["cublasLtMatmul"] = 13
            with pytest.raises(BlasError, match=r"EXECUTION_FAILED.*algorithm 66"):
                bound()
            fake.codes["cublasLtMatmul"] = 3
            with pytest.raises(BlasError) as caught:
                bound()
            assert is_out_of_memory(caught.value)


def test_arguments_are_kept_by_address_and_everything_is_freed() -> None:
    problem, arrays = case(epilogue=Epilogue(bias=True))
    with fake_blas() as fake:
        context = FakeContext()
        candidates = blas_candidates(problem, context)
        plan = candidates[0].prepare()
        pointers = tuple(arrays[one.role].ctypes.data for one in problem.tensors)
        plan.launch(pointers, 0)
        made = len(fake.descriptors)
        plan.launch(pointers, 0)
        assert len(fake.descriptors) == made
        other = {**arrays, "bias": np.ones(7, "f4")}
        plan.launch(tuple(other[one.role].ctypes.data for one in problem.tensors), 0)
        assert len(fake.descriptors) == made + 1
        assert np.allclose(arrays["y"], whole(problem, other), atol=1e-5)
        assert len(fake.handles) == 1
        plan.close()
        del plan, candidates, context
        gc.collect()
        assert (fake.descriptors, fake.handles) == ({}, set())


def test_each_context_has_a_handle_of_its_own() -> None:
    problem, _ = case()
    with fake_blas() as fake:
        one, two = FakeContext(), FakeContext()
        first = blas_candidates(problem, one)[0].handle
        assert blas_candidates(problem, one)[0].handle is first
        assert blas_candidates(problem, two)[0].handle is not first
        assert isinstance(fake, FakeBlas)
        assert len(fake.handles) == 2


def test_a_bound_launch_follows_the_stream() -> None:
    problem, arrays = case()
    with fake_blas() as fake:
        context = FakeContext()
        plan = blas_candidates(problem, context)[0].prepare()
        pointers = tuple(arrays[role].ctypes.data for role in "xwy")
        bound = plan.bind(pointers, 0)
        for stream in (7, 9):
            context.use_stream(stream)
            bound()
        plan.run(Arguments(pointers, 11), 0)
    assert [one["stream"] for one in fake.calls] == [7, 9, 11]
    assert context.streams == [7, 9, 11]
