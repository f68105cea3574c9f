"""Fully connected layers on the simulated library, and the graph that cuDNN gets for them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.admission import refusal
from cudnnkit.candidates import CandidateId
from cudnnkit.decompose.kernels import array_candidates
from cudnnkit.engines.blas import blas_candidates
from cudnnkit.engines.blas.product import Matrix, Product, product_of
from cudnnkit.engines.graph_build import build_operations
from cudnnkit.policy import Policy
from cudnnkit.problem import Problem
from cudnnkit.testing import SimulatedCandidate, simulated

from .fake_blas import FakeContext, fake_blas
from .recorded import RecordedLibrary

RNG = np.random.default_rng(3)


@pytest.fixture(autouse=True)
def device() -> Iterator[Any]:
    with simulated() as one:
        yield one


def numbers(*shape: int, dtype: str = "float32") -> Any:
    return RNG.standard_normal(shape).astype(dtype)


def problem_of(function: Any, *arrays: Any, **more: Any) -> Problem:
    return ck.plan(function, *arrays, **more).problem


@pytest.mark.parametrize("lead", [(6,), (2, 3), (2, 1, 3, 2)])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_forward_and_gradients(lead: tuple[int, ...], dtype: str) -> None:
    x, w, dy = numbers(*lead, 5, dtype=dtype), numbers(7, 5, dtype=dtype), numbers(*lead, 7, dtype=dtype)
    bound = {"float16": 2e-3, "float32": 1e-6, "float64": 1e-14}[dtype]
    wide = [one.astype("f8") for one in (x, w, dy)]
    flat = [wide[0].reshape(-1, 5), wide[2].reshape(-1, 7)]
    for found, expected in (
        (ck.linear(x, w), wide[0] @ wide[1].T),
        (ck.linear_data_gradient(dy, w), wide[2] @ wide[1]),
        (ck.linear_filter_gradient(x, dy), flat[1].T @ flat[0]),
        (ck.linear_bias_gradient(dy), flat[1].sum(0)),
    ):
        assert (found.shape, found.dtype) == (expected.shape, x.dtype)
        assert np.linalg.norm(found - expected) <= bound * np.linalg.norm(expected)


@pytest.mark.parametrize("activation", [None, "relu", "gelu", ("leaky_relu", 0.1)])
@pytest.mark.parametrize("api", ["graph", "array", "decomposed"])
def test_what_follows_whoever_computes(api: str, activation: Any) -> None:
    x, w, bias, residual = numbers(2, 3, 5), numbers(7, 5), numbers(7), numbers(2, 3, 7)
    rows = ck.explain(ck.linear, x, w, bias, residual=residual, activation=activation).report.rows  # type: ignore[union-attr]
    (one, *_) = [row.description.id for row in rows if row.description.id.api == api]
    ck.pin(one, ck.linear, x, w, bias, residual=residual, activation=activation)
    value = x.astype("f8") @ w.T.astype("f8") + bias + residual
    expected = {
        None: lambda v: v,
        "relu": lambda v: np.maximum(v, 0),
        "gelu": lambda v: v * 0.5 * (1 + np.vectorize(math.erf)(v / math.sqrt(2))),
        ("leaky_relu", 0.1): lambda v: np.where(v > 0, v, 0.1 * v),
    }[activation](value)
    assert np.allclose(ck.linear(x, w, bias, residual=residual, activation=activation), expected, atol=1e-5)


def test_every_way_competes() -> None:
    x, w = numbers(4, 5), numbers(7, 5)
    report = ck.explain(ck.linear, x, w).report
    assert report is not None
    names = {str(row.description.id) for row in report.rows}
    assert {"array linear_forward by numpy", "decomposed as a 1x1 convolution", "graph engine 0"} <= names
    assert [row.status for row in report.rows if row.description.id.api == "decomposed"] == ["measured"]


def test_out_is_returned_and_may_be_the_residual() -> None:
    x, w, out = numbers(4, 5), numbers(7, 5), numbers(4, 7)
    expected = np.maximum(x @ w.T + out, 0)
    assert ck.linear(x, w, residual=out, out=out, activation="relu") is out
    assert np.allclose(out, expected, atol=1e-5)


@pytest.mark.parametrize("precision", ["fast", "strict"])
def test_any_strides(precision: Any) -> None:
    wide = numbers(2, 6, 3, 10)
    x, w = wide[:, ::2, :, 1::2], numbers(5, 7).T  # rows that do not follow each other, channels with gaps
    residual = numbers(3, 2, 3, 7).transpose(1, 0, 2, 3)
    out = numbers(2, 3, 3, 14)[..., ::2]
    with ck.use_policy(precision=precision):
        assert ck.linear(x, w, residual=residual, out=out) is out
        assert np.allclose(out, x @ w.T + residual, atol=1e-5)
        dy = np.broadcast_to(numbers(7), (2, 3, 3, 7))
        assert np.allclose(ck.linear_filter_gradient(x, dy), dy.reshape(-1, 7).T @ x.reshape(-1, 5), atol=1e-5)
        assert np.allclose(ck.linear_bias_gradient(dy), dy.reshape(-1, 7).sum(0), atol=1e-5)


def test_rows_with_gaps_between_them_are_a_matrix() -> None:
    x, w = numbers(2, 3, 9)[..., :5], numbers(7, 5)
    problem = problem_of(ck.linear, x, w)
    assert problem.tensor("x").shape == (6, 5)
    assert problem.tensor("x").strides == (9, 1)
    assert np.allclose(ck.linear(x, w), x @ w.T, atol=1e-5)


def test_the_products_of_a_layer() -> None:
    x, w, dy, bias = numbers(2, 3, 5), numbers(7, 5), numbers(2, 3, 7), numbers(7)
    forward = problem_of(ck.linear, x, w, bias, activation="relu")
    # By columns: y' (7, 6) = w' (5, 7) transposed times x' (5, 6).
    assert product_of(forward) == Product(
        Matrix(1, 5, 7, 5, transposed=True), Matrix(0, 5, 6, 5), Matrix(3, 7, 6, 7), Matrix(3, 7, 6, 7),
        bias=2, activation="relu",
    )  # fmt: skip
    # dx' (5, 6) = w' (5, 7) times dy' (7, 6).
    result = Matrix(2, 5, 6, 5)
    assert product_of(problem_of(ck.linear_data_gradient, dy, w)) == Product(
        Matrix(1, 5, 7, 5), Matrix(0, 7, 6, 7), result, result
    )
    # dw' (5, 7) = x' (5, 6) times dy' (7, 6) transposed.
    result = Matrix(2, 5, 7, 5)
    assert product_of(problem_of(ck.linear_filter_gradient, x, dy)) == Product(
        Matrix(0, 5, 6, 5), Matrix(1, 7, 6, 7, transposed=True), result, result
    )


def test_garbage_does_not_win(device: Any) -> None:
    bad = SimulatedCandidate(CandidateId("blas", 66, ((1, 2),), math_type="F32"), 1e-9, garbage=True)
    device.candidates.append(bad)
    x, w, dy = numbers(4, 5), numbers(7, 5), numbers(4, 7)
    for function, arrays in (
        (ck.linear, (x, w)), (ck.linear_data_gradient, (dy, w)), (ck.linear_filter_gradient, (x, dy)),
    ):  # fmt: skip
        report = ck.explain(function, *arrays).report
        assert report is not None
        (row,) = [row for row in report.rows if row.description.id == bad.id]
        assert (row.status, "wrong results" in row.reason) == ("failed", True)


def test_nothing_to_compute(device: Any) -> None:
    w, bias = numbers(7, 5), numbers(7)
    assert ck.linear(numbers(0, 5), w, bias).shape == (0, 7)
    assert np.array_equal(ck.linear(numbers(2, 3, 0), numbers(7, 0), bias), np.broadcast_to(bias, (2, 3, 7)))
    assert np.array_equal(ck.linear_filter_gradient(numbers(0, 5), numbers(0, 7)), np.zeros((7, 5), "f4"))
    assert np.array_equal(ck.linear_bias_gradient(numbers(0, 7)), np.zeros(7, "f4"))
    assert {one.api for _, one in device.launches} <= {"array"}  # the bias of an empty sum, by the array library


def test_a_plan_and_its_arrays() -> None:
    x, w, bias = numbers(2, 3, 5), numbers(7, 5), numbers(7)
    step = ck.plan(ck.linear, x, w, bias)
    other = numbers(2, 3, 5)
    assert np.allclose(step(other, w, bias), other @ w.T + bias, atol=1e-5)


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: ck.linear(numbers(4, 5), numbers(7, 6)), "w="),
        (lambda: ck.linear(numbers(4, 5), numbers(7, 5, 1)), "w="),
        (lambda: ck.linear(numbers(5), numbers(7, 5)), "x="),
        (lambda: ck.linear(numbers(4, 5), numbers(7, 5), numbers(1, 7)), "bias="),
        (lambda: ck.linear(numbers(4, 5), numbers(7, 5), residual=numbers(4, 5)), "residual="),
        (lambda: ck.linear(numbers(4, 5), numbers(7, 5, dtype="float16")), "w="),
        (lambda: ck.linear(numbers(4, 5), numbers(7, 5), out=numbers(4, 5)), "out="),
        (lambda: ck.linear(numbers(4, 5), numbers(7, 5), activation="tanhh"), "activation="),
        (lambda: ck.linear_data_gradient(numbers(4, 7), numbers(5, 7)), "w="),
        (lambda: ck.linear_filter_gradient(numbers(4, 5), numbers(3, 7)), "dy="),
        (lambda: ck.linear_bias_gradient(numbers(7)), "dy="),
        (lambda: ck.linear(None, numbers(7, 5)), "x="),
    ],
)
def test_what_does_not_fit_is_named(call: Any, word: str) -> None:
    with pytest.raises(ck.ArgumentError, match=f"^{word}"):
        call()


def test_the_array_librarys_product_says_how_it_rounds() -> None:
    def offered(dtype: str, **limits: Any) -> Any:
        made = ck.plan(ck.linear, numbers(4, 5, dtype=dtype), numbers(7, 5, dtype=dtype), **limits)
        found = array_candidates(made.problem, made._prepared.setting)
        return made.problem, [one.description for one in found]

    for precision in ("no-tf32", "strict"):
        assert offered("float32", precision=precision)[1] == []
    problem, (half,) = offered("float16", precision="strict")
    assert "too coarse" in str(refusal(half, problem))
    problem, (single,) = offered("float32")
    assert refusal(single, problem) is None
    assert refusal(single, replace(problem, policy=Policy(precision="strict").key)) is not None
    assert len(offered("float64", precision="strict")[1]) == 1


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_products_of_a_layer_compute_it(dtype: str) -> None:
    x, w, dy, bias = (numbers(*shape, dtype=dtype) for shape in ((2, 3, 5), (7, 5), (2, 3, 7), (7,)))
    residual = numbers(2, 3, 7, dtype=dtype)
    wide = [one.astype("f8") for one in (x, w, dy, bias, residual)]
    problems = [
        (problem_of(ck.linear, x, w, bias, residual=residual, activation="relu"), (x, w, bias, residual),
         np.maximum(wide[0] @ wide[1].T + wide[3] + wide[4], 0)),
        (problem_of(ck.linear_data_gradient, dy, w), (dy, w), wide[2] @ wide[1]),
        (problem_of(ck.linear_filter_gradient, x, dy), (x, dy), wide[2].reshape(-1, 7).T @ wide[0].reshape(-1, 5)),
    ]  # fmt: skip
    with fake_blas():
        for problem, arrays, expected in problems:
            out = np.full(expected.shape, np.nan, dtype)
            plan = blas_candidates(problem, FakeContext())[0].prepare()
            plan.launch(tuple(one.ctypes.data for one in (*arrays, out)), 0)
            bound = {"float16": 2e-3, "float32": 1e-6, "float64": 1e-14}[dtype]
            assert np.linalg.norm(out - expected) <= bound * np.linalg.norm(expected)


def test_the_graphs_of_a_layer() -> None:
    x, w, dy, bias = numbers(2, 3, 5), numbers(7, 5), numbers(2, 3, 7), numbers(14)[::2]

    def matrices(problem: Problem) -> Any:
        _, (node, *rest) = build_operations(RecordedLibrary({}), problem)
        places = [node[f"OPERATION_MATMUL_{name}"] for name in ("ADESC", "BDESC", "CDESC")]
        return [(one["TENSOR_DIMENSIONS"][1:], one["TENSOR_STRIDES"][1:]) for one in places], rest

    forward, (adding, *_) = matrices(problem_of(ck.linear, x, w, bias))
    assert forward == [((6, 5), (5, 1)), ((5, 7), (1, 5)), ((6, 7), (7, 1))]
    along = adding["OPERATION_POINTWISE_BDESC"]
    assert (along["TENSOR_DIMENSIONS"], along["TENSOR_STRIDES"]) == ((1, 1, 7), (14, 14, 2))
    data, _ = matrices(problem_of(ck.linear_data_gradient, dy, w))
    assert data == [((6, 7), (7, 1)), ((7, 5), (5, 1)), ((6, 5), (5, 1))]
    weights, _ = matrices(problem_of(ck.linear_filter_gradient, x, dy))
    assert weights == [((7, 6), (1, 7)), ((6, 5), (5, 1)), ((7, 5), (5, 1))]
