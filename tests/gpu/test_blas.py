"""Matrix products by cuBLASLt on the real GPU: right against float64, replayable from disk, strict where asked."""

from __future__ import annotations

import ctypes
import json
from dataclasses import replace
from typing import Any

import cudnnkit as ck
import pytest
from cudnnkit.admission import refusal
from cudnnkit.candidates import CandidateId
from cudnnkit.engines import rebuild
from cudnnkit.engines.blas import blas_candidates
from cudnnkit.engines.blas.candidates import _compute_types
from cudnnkit.engines.blas.enums import HeuristicResult, PreferenceAttribute
from cudnnkit.engines.blas.library import BlasError, handle_of, library
from cudnnkit.engines.blas.operation import Operation, _Descriptor
from cudnnkit.engines.blas.product import Product, product_of
from cudnnkit.policy import Policy
from cudnnkit.problem import Epilogue
from cudnnkit.tuner import Tuner, use_tuner

from .engine_cases import DIRECTIONS, Case, Setting, activate, bound, here, make, random

TYPES = ["float16", "bfloat16", "float32", "float64"]
EPILOGUES = [
    Epilogue(bias=True),
    Epilogue(activation="relu"),
    Epilogue(bias=True, activation="relu"),
    Epilogue(bias=True, activation="gelu_tanh"),
    Epilogue(residual=True),
    Epilogue(bias=True, residual=True, activation="relu"),
]


@pytest.fixture(autouse=True, scope="module")
def _needs_blas() -> None:
    try:
        library()
    except BlasError as error:
        pytest.skip(str(error))


def layer(dtype: str, last: bool, *, whole: bool = False) -> Case:
    return Case((16, 64, 7, 7), (96, 7, 7), dtype, last) if whole else Case((8, 64, 14, 14), (96, 1, 1), dtype, last)


def judged(setting: Setting, *, some: bool = True) -> list[str]:
    """Every candidate runs right; their identities."""
    try:
        found = blas_candidates(setting.problem, here())
    except (BlasError, ValueError):  # nobody serves, or the problem is for others
        if some:
            raise
        return []
    wrong = []
    for one in found:
        about = one.description
        plan = one.prepare()
        error = setting.run(plan)
        plan.close()
        if not error < bound(about.numerical, setting.problem.tensors[0].dtype, setting.problem.operation):
            wrong.append(f"{about.id} {sorted(about.numerical)}: error {error:.2e}")
    assert not wrong, "\n".join([setting.problem.label, *wrong])
    return [str(one.description.id) for one in found]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("last", [True, False], ids=["NHWC", "NCHW"])
@pytest.mark.parametrize("whole", [False, True], ids=["1x1", "whole"])
@pytest.mark.parametrize("operation", list(DIRECTIONS))
def test_every_direction(operation: str, whole: bool, last: bool, dtype: str) -> None:
    setting = make(layer(dtype, last, whole=whole), operation)
    if isinstance(product_of(setting.problem), Product):
        assert judged(setting)
    else:
        assert (operation, whole, last) == ("conv_wgrad", False, False)


@pytest.mark.parametrize(
    "epilogue", EPILOGUES, ids=lambda one: str(one.activation) + "+b" * one.bias + "+r" * one.residual
)
@pytest.mark.parametrize("dtype", TYPES)
def test_epilogues(dtype: str, epilogue: Epilogue, capsys: pytest.CaptureFixture[str]) -> None:
    # float64 may have no fused kernels: then others compete, and it is told.
    found = judged(make(layer(dtype, True), epilogue=epilogue), some=dtype in ("float16", "bfloat16"))
    with capsys.disabled():
        print(f"\n  {dtype} {epilogue}: {len(found)} candidates", end="")


@pytest.mark.parametrize("epilogue", [Epilogue(residual=True, activation="relu"), Epilogue(activation="gelu_tanh")])
def test_epilogues_of_images_with_innermost_pixels(epilogue: Epilogue) -> None:
    judged(make(layer("float16", False), epilogue=epilogue), some=False)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("operation", list(DIRECTIONS))
def test_alpha_and_beta(operation: str, dtype: str) -> None:
    assert judged(make(layer(dtype, True), operation, alpha=0.75, beta=0.5))


def test_a_residual_that_is_the_result() -> None:
    setting = make(layer("float16", True), epilogue=Epilogue(True, True, "relu"))
    setting.problem = replace(setting.problem, aliasing=(("residual", "y"),))
    setting.start = setting.arrays["residual"].clone()
    setting.arrays["y"] = setting.arrays["residual"]
    assert judged(setting)


@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize("operation", ["conv_forward", "conv_dgrad"])
def test_strict_is_strict(operation: str, last: bool) -> None:
    setting = make(layer("float32", last), operation, policy=Policy(precision="strict"))
    errors = {}
    for one in blas_candidates(setting.problem, here()):
        assert refusal(one.description, setting.problem) is None, one.description
        errors[str(one.description.id)] = setting.run(one.prepare())
    assert errors
    assert max(errors.values()) < 2e-6, errors


@pytest.mark.parametrize("dtype", TYPES)
def test_a_choice_from_disk_gives_the_same_bits(dtype: str) -> None:
    import torch

    setting = make(layer(dtype, True))
    for one in blas_candidates(setting.problem, here()):
        setting.run(one.prepare())
        first = setting.arrays["y"].clone()
        stored = CandidateId.from_json(json.loads(json.dumps(one.description.id.to_json())))
        again = rebuild(setting.problem, stored, here())
        assert replace(again.description, rank=0) == replace(one.description, rank=0)
        setting.run(again.prepare())
        if one.description.deterministic:
            assert torch.equal(first, setting.arrays["y"]), str(stored)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_what_is_called_deterministic_is(dtype: str) -> None:
    import torch

    # A long sum and a small result: where splitting along k pays.
    setting = make(Case((64, 64, 28, 28), (64, 1, 1), dtype), "conv_wgrad")
    for one in blas_candidates(setting.problem, here()):
        plan, results = one.prepare(), []
        for _ in range(5):
            setting.run(plan)
            results.append(setting.arrays["dw"].clone())
        if one.description.deterministic:
            assert all(torch.equal(results[0], other) for other in results), str(one.description.id)


def test_configurations_say_all_there_is_to_an_algorithm(capsys: pytest.CaptureFixture[str]) -> None:
    """What the heuristic answers and what its configuration rebuilds: told, since a difference may cost speed."""
    context = here()
    lines = []
    for dtype in TYPES:
        problem = make(Case((64, 64, 56, 56), (256, 1, 1), dtype)).problem
        product = product_of(problem)
        assert isinstance(product, Product)
        for compute in _compute_types(problem):
            handle = handle_of(context)
            operation = Operation(handle, problem, product, compute)
            preference = _Descriptor(handle.library, "MatmulPreference")
            preference.put(PreferenceAttribute.MAX_WORKSPACE_BYTES, 32 * 2**20, ctypes.c_uint64)
            rows, count = (HeuristicResult * 16)(), ctypes.c_int()
            handle.library.call(
                "cublasLtMatmulAlgoGetHeuristic", handle.address, operation._description.address, *operation.layouts,
                preference.address, 16, rows, ctypes.addressof(count),
            )  # fmt: skip
            rebuilt = {bytes(one.data) for one in operation.suggested(16, 32 * 2**20)}
            same = sum(bytes(row.algo) in rebuilt for row in rows[: count.value])
            lines.append(
                f"{dtype} {compute.name}: {count.value} answers, {len(rebuilt)} rebuilt, {same} to the last bit"
            )
            assert rebuilt
    with capsys.disabled():
        print("\n  " + "\n  ".join(lines))


def test_the_search_offers_products_and_a_graph_records_them() -> None:
    import torch
    from cudnnkit.backend import CudnnBackend

    setting = make(layer("float16", True), epilogue=Epilogue(bias=True, activation="relu"))
    x, w, b = (setting.arrays[role] for role in ("x", "w", "bias"))
    with use_tuner(Tuner(CudnnBackend())), ck.use_policy(budget_ms=500):
        report = ck.explain(ck.conv2d, x, w, b, activation="relu").report
        assert report is not None
        best = min((row for row in report.rows if row.description.id.api == "blas" and row.seconds),
                   key=lambda row: row.seconds or 0.0)  # fmt: skip
        ck.pin(best.description.id, ck.conv2d, x, w, b, activation="relu")
        y = ck.conv2d(x, w, b, activation="relu")
        assert (y.double() - setting.reference).norm() / setting.reference.norm() < 2e-3
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            ck.conv2d(x, w, b, activation="relu", out=y)
        y.zero_()
        graph.replay()
        torch.cuda.synchronize()
        assert (y.double() - setting.reference).norm() / setting.reference.norm() < 2e-3


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("precision", ["fast", "strict"])
def test_linear_and_its_gradients(dtype: str, precision: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Every candidate of every origin is measured and checked by the search; the chosen one against float64 here."""
    from cudnnkit.backend import CudnnBackend

    x, w, dy = (random(shape, dtype, False, seed=at) for at, shape in enumerate(((4, 64, 96), (128, 96), (4, 64, 128))))
    bias, residual = random((128,), dtype, False, seed=5), random((4, 64, 128), dtype, False, seed=6)
    wide_x, wide_w, wide_dy = x.double(), w.double(), dy.double()
    value = wide_x @ wide_w.T + bias.double()
    calls: list[tuple[Any, tuple[Any, ...], dict[str, Any], Any]] = [
        (ck.linear, (x, w, bias), {"activation": name}, activate(name, value)) for name in ("relu", "gelu", "gelu_tanh")
    ]
    calls += [
        (ck.linear, (x, w), {}, wide_x @ wide_w.T),
        (ck.linear, (x, w, bias), {"residual": residual, "activation": "relu"}, (value + residual.double()).relu()),
        (ck.linear_data_gradient, (dy, w), {}, wide_dy @ wide_w),
        (ck.linear_filter_gradient, (x, dy), {}, wide_dy.flatten(0, 1).T @ wide_x.flatten(0, 1)),
        (ck.linear_bias_gradient, (dy,), {}, wide_dy.sum((0, 1))),
    ]
    limit = {"float16": 2e-3, "bfloat16": 1.2e-2, "float32": 2e-3 if precision == "fast" else 3e-6, "float64": 1e-12}
    lines = []
    with use_tuner(Tuner(CudnnBackend())), ck.use_policy(budget_ms=200, precision=precision):
        for function, arrays, more, expected in calls:
            found = function(*arrays, **more).double()
            assert found.shape == expected.shape
            error = float((found - expected).norm() / expected.norm())
            report = ck.explain(function, *arrays, **more).report
            assert report is not None
            assert report.chosen is not None
            assert error < limit[dtype], f"{function.__name__} {more.get('activation')}: {error:.2e}\n{report.text()}"
            tried = sorted({row.description.id.api for row in report.rows if row.seconds is not None})
            wrong = [f"{row.description.id}: {row.reason}" for row in report.rows if "wrong results" in row.reason]
            assert not wrong, wrong
            lines.append(f"{function.__name__} {list(more.values())[-1:]}: {report.chosen.description.id} of {tried}")
    with capsys.disabled():
        print(f"\n  {dtype} {precision}\n    " + "\n    ".join(lines))


@pytest.mark.parametrize("precision", ["fast", "strict"])
def test_linear_of_any_strides(precision: Any) -> None:
    import torch
    from cudnnkit.backend import CudnnBackend

    x = torch.randn(8, 12, 6, 80, device="cuda")[:, ::2, :, ::2]
    w, out = torch.randn(40, 24, device="cuda").T, torch.zeros(8, 6, 6, 48, device="cuda")[..., ::2]
    residual = torch.randn(6, 8, 6, 24, device="cuda").transpose(0, 1)
    with use_tuner(Tuner(CudnnBackend())), ck.use_policy(budget_ms=200, precision=precision):
        assert ck.linear(x, w, residual=residual, out=out) is out
    expected = x.double() @ w.double().T + residual.double()
    assert (out.double() - expected).norm() / expected.norm() < (2e-3 if precision == "fast" else 3e-6)
