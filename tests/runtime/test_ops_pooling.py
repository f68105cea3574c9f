"""Pooling on the simulated library against plain loops over windows; every fault by itself."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import cudnn_ffi
import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.cli.requests import from_arguments
from cudnnkit.decompose.offer import decompositions
from cudnnkit.geometry import pooling_output, pooling_spec
from cudnnkit.operands import Operands, allocate
from cudnnkit.problem import Problem, TensorSpec
from cudnnkit.reference import Reference
from cudnnkit.testing import SimulatedDevice

from .references import channels_last, is_channels_last, random

CASES: list[tuple[tuple[int, ...], Any, dict[str, Any]]] = [
    ((2, 3, 9, 10), 3, {"stride": 2, "padding": 1}),
    ((2, 3, 8, 8), 2, {}),
    ((2, 3, 7, 9), (3, 2), {"stride": (1, 3), "padding": (1, 0)}),
    ((2, 3, 7, 9), 3, {"stride": 2, "padding": ((0, 1), (1, 0))}),
    ((2, 3, 5, 5), 4, {"stride": 3, "padding": 2}),
    ((2, 3, 6, 6), 3, {"stride": 1, "padding": "same"}),
    ((2, 3, 6, 6), 4, {"stride": 1, "padding": "same"}),
    ((2, 3, 11), 3, {"stride": 2, "padding": 1}),
    ((1, 2, 5, 6, 4), (2, 3, 2), {"stride": (2, 1, 2), "padding": (1, 1, 0)}),
    ((2, 3, 6, 7), (6, 7), {}),
]


def windows(shape: tuple[int, ...], window: Any, stride: Any = None, padding: Any = 0) -> Any:
    """Result index (spatial) and the image's elements in its window, by counting. Also how many there are of each."""
    rank = len(shape) - 2
    taps = window if isinstance(window, tuple) else (window,) * rank
    if padding == "same":
        padding = tuple(((tap - 1) // 2, tap - 1 - (tap - 1) // 2) for tap in taps)
    steps = taps if stride is None else stride if isinstance(stride, tuple) else (stride,) * rank
    pads = padding if isinstance(padding, tuple) else (padding,) * rank
    both = [pad if isinstance(pad, tuple) else (pad, pad) for pad in pads]
    starts = [
        range(-before, size + after - tap + 1, step)
        for size, tap, step, (before, after) in zip(shape[2:], taps, steps, both, strict=True)
    ]
    sizes = tuple(map(len, starts))
    found = []
    for where in itertools.product(*map(range, sizes)):
        begin = [one[at] for one, at in zip(starts, where, strict=True)]
        reach = itertools.product(*(range(a, a + tap) for a, tap in zip(begin, taps, strict=True)))
        inside = [at for at in reach if all(0 <= a < size for a, size in zip(at, shape[2:], strict=True))]
        found.append((where, inside))
    return sizes, math.prod(taps), found


def pooled(x: Any, mode: str, window: Any, **more: Any) -> Any:
    sizes, taps, found = windows(x.shape, window, **more)
    y = np.full((*x.shape[:2], *sizes), np.nan)
    for n, c in np.ndindex(*x.shape[:2]):
        for where, inside in found:
            values = [float(x[(n, c, *at)]) for at in inside]
            count = len(values) if mode == "exclude" else taps
            y[(n, c, *where)] = max(values) if mode == "max" else sum(values) / count
    return y


def gradient(dy: Any, x: Any, mode: str, window: Any, **more: Any) -> Any:
    _, taps, found = windows(x.shape, window, **more)
    dx = np.zeros(x.shape)
    for n, c in np.ndindex(*x.shape[:2]):
        for where, inside in found:
            slope = float(dy[(n, c, *where)])
            if mode == "max":
                values = [float(x[(n, c, *at)]) for at in inside]
                dx[(n, c, *inside[values.index(max(values))])] += slope
                continue
            for at in inside:
                dx[(n, c, *at)] += slope / (len(inside) if mode == "exclude" else taps)
    return dx


@pytest.fixture(params=["library", "array"])
def side(request: pytest.FixtureRequest, device: SimulatedDevice) -> str:
    """Whose kernels are the fastest."""
    device.kernel_seconds = 1e-6 if request.param == "array" else 1.0
    return str(request.param)


@pytest.mark.usefixtures("side")
@pytest.mark.parametrize("last", [False, True], ids=["nchw", "nhwc"])
@pytest.mark.parametrize(("shape", "window", "more"), CASES, ids=str)
def test_forward_and_backward(shape: tuple[int, ...], window: Any, more: dict[str, Any], last: bool) -> None:
    x = random(*shape, last=last)
    y = ck.max_pool(x, window, **more)
    np.testing.assert_array_equal(y, pooled(x, "max", window, **more))
    assert is_channels_last(y) == (last or y.size == y.shape[0] * y.shape[1])
    dy = random(*y.shape, seed=1, last=last)
    dx = ck.max_pool_backward(dy, y, x, window, **more)
    np.testing.assert_allclose(dx, gradient(dy, x, "max", window, **more), atol=1e-13)
    assert is_channels_last(dx) == last
    for include, mode in ((True, "include"), (False, "exclude")):
        mean = ck.avg_pool(x, window, include_padding=include, **more)
        np.testing.assert_allclose(mean, pooled(x, mode, window, **more), atol=1e-14)
        dx = ck.avg_pool_backward(dy, window, shape, include_padding=include, **more)
        np.testing.assert_allclose(dx, gradient(dy, x, mode, window, **more), atol=1e-14)


@pytest.mark.usefixtures("side")
@pytest.mark.parametrize("shape", [(2, 3, 7), (2, 3, 7, 5), (2, 3, 4, 3, 5)], ids=str)
@pytest.mark.parametrize("last", [False, True], ids=["nchw", "nhwc"])
def test_whole_images(shape: tuple[int, ...], last: bool) -> None:
    x = random(*shape, last=last)
    one = (2, 3, *(1 for _ in shape[2:]))
    axes = tuple(range(2, len(shape)))
    mean, top = ck.global_avg_pool(x), ck.global_max_pool(x)
    assert mean.shape == top.shape == one
    np.testing.assert_allclose(mean, x.mean(axes, keepdims=True), atol=1e-15)
    np.testing.assert_array_equal(top, x.max(axes, keepdims=True))
    out = np.full_like(x, np.nan)
    assert ck.global_avg_pool_backward(mean, shape, out=out) is out
    np.testing.assert_allclose(out, np.broadcast_to(mean / math.prod(shape[2:]), shape), atol=1e-15)
    # The result's strides carry the layout on to the gradient.
    assert is_channels_last(ck.global_avg_pool_backward(mean, shape)) == last


@pytest.mark.usefixtures("device")
def test_a_reduction_is_tried_for_whole_images_only() -> None:
    x = random(2, 3, 6, 6)
    names = [row.description.id.name for row in ck.explain(ck.global_avg_pool, x).report.rows]
    assert "a reduction over the whole image" in names
    names = [row.description.id.name for row in ck.explain(ck.avg_pool, x, 6, padding=1).report.rows]
    assert "a reduction over the whole image" not in names
    assert "a reduction over the whole image" not in [
        row.description.id.name for row in ck.explain(ck.avg_pool, x, 3).report.rows
    ]


@pytest.mark.usefixtures("side")
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_half_data_is_added_up_in_float32(dtype: str) -> None:
    x = np.full((1, 1, 64, 64), 1.001, dtype)  # 4096 of them overflow nothing but lose everything in float16
    x[..., ::2] = 0.25
    exact = (float(x[0, 0, 0, 0]) + float(x[0, 0, 0, 1])) / 2
    assert abs(float(ck.global_avg_pool(x)[0, 0, 0, 0]) - exact) <= exact * max(np.finfo(dtype).eps, 1e-4)
    assert ck.global_avg_pool(x).dtype == dtype


@pytest.mark.usefixtures("side")
def test_any_strides() -> None:
    wide = random(4, 6, 9, 20)
    for x in (wide[::2, ::2, :, ::2], wide[:, :, ::-1, ::-1], channels_last(wide)[:, 1:4], wide.transpose(1, 0, 3, 2)):
        y = ck.max_pool(x, 3, stride=2, padding=1)
        np.testing.assert_array_equal(y, pooled(x, "max", 3, stride=2, padding=1))
        dy = random(*y.shape[:3], 2 * y.shape[3], seed=1)[..., ::2]
        found = ck.max_pool_backward(dy, y, x, 3, stride=2, padding=1)
        np.testing.assert_allclose(found, gradient(dy, x, "max", 3, stride=2, padding=1), atol=1e-13)
    room = np.full((4, 6, 10, 20), np.nan)
    target = room[:, :, ::2, ::2]
    assert ck.avg_pool(wide[:, :, :, :], (5, 2), stride=(1, 2), out=target) is target
    np.testing.assert_allclose(target, pooled(wide, "include", (5, 2), stride=(1, 2)), atol=1e-14)
    assert np.isnan(room[:, :, 1::2]).all()


@pytest.mark.usefixtures("side")
def test_nan_propagates_and_stays_in_its_windows() -> None:
    x = random(1, 1, 6, 6)
    x[0, 0, 2, 3] = np.nan
    y = ck.max_pool(x, 2)
    assert np.isnan(y[0, 0, 1, 1])
    assert np.isnan(y).sum() == 1
    dx = ck.max_pool_backward(np.ones_like(y), y, x, 2)
    assert dx[0, 0, 2, 3] == 1
    assert dx.sum() == 9
    low = np.full((1, 1, 4, 4), -np.inf)
    np.testing.assert_array_equal(ck.max_pool(low, 3, padding=1, stride=1), low)


@pytest.mark.usefixtures("side")
def test_of_equal_maxima_the_first_takes_the_gradient() -> None:
    x = np.zeros((1, 1, 4, 4))
    y = ck.max_pool(x, 2)
    dx = ck.max_pool_backward(np.full_like(y, 2.0), y, x, 2, deterministic=True)
    assert dx[0, 0, ::2, ::2].tolist() == [[2, 2], [2, 2]]
    assert dx.sum() == 8


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("shape", [(0, 3, 6, 6), (2, 0, 6, 6), (2, 3, 0, 6)])
def test_empty_images_are_answered_without_cudnn(shape: tuple[int, ...], device: SimulatedDevice) -> None:
    x = np.zeros(shape)
    y = ck.max_pool(x, 2)
    assert y.shape == (*shape[:2], shape[2] // 2, 3)
    assert ck.avg_pool(x, 2).shape == y.shape
    assert ck.max_pool_backward(y, y, x, 2).shape == shape
    assert ck.avg_pool_backward(y, 2, shape).shape == shape
    assert not device.launches
    assert not device.offered


X = np.zeros((2, 3, 8, 8))
Y = np.zeros((2, 3, 4, 4))


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("x", lambda: ck.max_pool(X[0, 0], 2)),
        ("x", lambda: ck.max_pool(X[:, :, :1], 2)),
        ("x", lambda: ck.max_pool(X, (9, 2))),
        ("x", lambda: ck.max_pool(X.astype("i4"), 2)),
        ("x", lambda: ck.max_pool(None, 2)),
        ("window", lambda: ck.max_pool(X, 0)),
        ("window", lambda: ck.max_pool(X, (2, 2, 2))),
        ("window", lambda: ck.max_pool(X, 2.5)),  # type: ignore[arg-type]
        ("window", lambda: ck.max_pool(X, None)),  # type: ignore[arg-type]
        ("stride", lambda: ck.max_pool(X, 2, stride=0)),
        ("padding", lambda: ck.max_pool(X, 3, padding=-1)),
        ("padding", lambda: ck.max_pool(X, 3, padding=2)),
        ("padding", lambda: ck.max_pool(X, 3, padding=((0, 2), (0, 0)))),
        ("padding", lambda: ck.max_pool(X, 2, padding="same")),
        ("include_padding", lambda: ck.avg_pool(X, 2, include_padding="no")),  # type: ignore[arg-type]
        ("out", lambda: ck.max_pool(X, 2, out=X)),
        ("dy", lambda: ck.max_pool_backward(Y[:1], Y, X, 2)),
        ("y", lambda: ck.max_pool_backward(Y, Y[:, :1], X, 2)),
        ("y", lambda: ck.max_pool_backward(Y, None, X, 2)),
        ("dy", lambda: ck.max_pool_backward(Y, Y.astype("f4"), X, 2)),
        ("dy", lambda: ck.avg_pool_backward(Y, 2, (2, 3, 12, 8))),
        ("dy", lambda: ck.global_avg_pool_backward(Y, (2, 3, 8, 8))),
        ("x_shape", lambda: ck.avg_pool_backward(Y, 2, 8)),  # type: ignore[arg-type]
        ("x_shape", lambda: ck.avg_pool_backward(Y, 2, (2, 3, -8, 8))),
        ("x_shape", lambda: ck.avg_pool_backward(Y, 9, (2, 3, 8, 8))),
        ("x", lambda: ck.global_avg_pool(X[:, :, :0])),
        ("x", lambda: ck.global_max_pool(X[0, 0])),
        ("x_shape", lambda: ck.global_avg_pool_backward(Y, (2, 3, 0, 8))),
    ],
)
def test_faults_name_their_argument(argument: str, call: Any) -> None:
    with pytest.raises(ck.ArgumentError) as caught:
        call()
    assert caught.value.argument == argument


@pytest.mark.parametrize("what", ["garbage", "partial"])
def test_a_wrong_candidate_never_wins(what: str, device: SimulatedDevice) -> None:
    worst = device.candidates[0]
    worst.seconds = 1e-9
    setattr(worst, what, True)
    x = random(2, 3, 9, 9)
    np.testing.assert_array_equal(ck.max_pool(x, 3, padding=1), pooled(x, "max", 3, padding=1))
    y = ck.max_pool(x, 3, padding=1)
    dx = ck.max_pool_backward(y, y, x, 3, padding=1)
    np.testing.assert_allclose(dx, gradient(y, x, "max", 3, padding=1))
    assert worst.id not in [one for _, one in device.launches[-2:]]


def problem_of(function: Any, *arguments: Any, **more: Any) -> Problem:
    found: Problem = ck.plan(function, *arguments, **more).problem
    return found


def test_any_subgradient_of_tied_maxima_passes_and_nothing_else(device: SimulatedDevice) -> None:
    x = np.zeros((1, 1, 2, 2))
    y, dy = np.zeros((1, 1, 1, 1)), np.full((1, 1, 1, 1), 4.0)
    problem = problem_of(ck.max_pool_backward, dy, y, x, 2)
    for dx, right in (
        ([[4, 0], [0, 0]], True),
        ([[0, 0], [0, 4]], True),
        ([[1, 1], [1, 1]], True),
        ([[5, 0], [0, 0]], False),
        ([[-1, 0], [0, 5]], False),
    ):
        arrays = (y, dy, x, np.array(dx, "f8").reshape(1, 1, 2, 2))
        operands = Operands(arrays, (0, 0, 0, 0))
        reference = Reference(problem, operands, device.library.kernels)
        assert (reference.check(operands) is None) == right, dx


def test_maxima_must_be_exact_and_means_may_be_rounded(device: SimulatedDevice) -> None:
    x = random(1, 1, 4, 4, dtype="float32")
    for function, off in ((ck.max_pool, False), (ck.avg_pool, True)):
        problem, y = problem_of(function, x, 2), function(x, 2)
        operands = Operands((x, y * np.float32(1 + 1e-6)), (0, 0))
        assert (Reference(problem, operands, device.library.kernels).check(operands) is None) == off
    operands = Operands((x, y * np.float32(1.1)), (0, 0))
    assert Reference(problem, operands, device.library.kernels).check(operands)


def test_random_operands_of_a_maximum_s_gradient_belong_together(device: SimulatedDevice) -> None:
    x = random(2, 3, 8, 8)
    y = ck.max_pool(x, 2)
    problem = problem_of(ck.max_pool_backward, y, y, x, 2)
    made = allocate(problem, device.library, 0)
    np.testing.assert_array_equal(made.arrays[0], pooled(made.arrays[2], "max", 2))


def test_from_the_command_line(device: SimulatedDevice) -> None:
    for operation, words, shape in (
        ("max_pool", ["x=2x3x8x8", "window=3", "stride=2", "padding=1"], (2, 3, 4, 4)),
        ("avg_pool_backward", ["dy=2x3x4x4", "window=2", "x_shape=[2, 3, 8, 8]"], (2, 3, 8, 8)),
        ("global_avg_pool", ["x=2x3x8x8"], (2, 3, 1, 1)),
    ):
        function, keywords = from_arguments(operation, words).call(device.library, 0)
        assert function(**keywords).shape == shape


@pytest.mark.usefixtures("device")
def test_more_than_cudnn_counts_is_split_over_the_batch() -> None:
    x = random(2, 3, 8, 8)
    small = problem_of(ck.max_pool, x, 2)
    side = 2**15
    tensors = tuple(
        TensorSpec(one.role, (4, 1, size, size), (size * size, size * size, size, 1), "float32", output=one.output)
        for one, size in zip(small.tensors, (side, side // 2), strict=True)
    )
    large: Any = replace(small, tensors=tensors)
    setting: Any = type("Setting", (), {"library": None})()
    (way,) = decompositions(large, setting, offered=False)
    assert [one.tensors[0].shape[0] for one in way.problems] == [1]


def test_the_problem_in_words_and_as_json(device: SimulatedDevice) -> None:  # noqa: ARG001
    one = problem_of(ck.avg_pool, channels_last(X), 3, padding=((1, 0), (1, 1)), stride=2)
    assert "average include padding 3x3, stride 2x2, padding 1x1 and 0x1" in one.label
    assert Problem.from_json(json.loads(one.canonical())) == one
    assert problem_of(ck.avg_pool, X, 8) == problem_of(ck.global_avg_pool, X)
    assert problem_of(ck.avg_pool, X, 8, include_padding=False) == problem_of(ck.global_avg_pool, X)


def test_sizes_are_cudnn_s_own(real_library: Any) -> None:
    """``cudnnGetPoolingNdForwardOutputDim`` of the real library, for many poolings."""
    library: Any = cudnn_ffi.load(Path(real_library(9)))
    choose = np.random.default_rng(0)
    compared = 0
    for _ in range(400):
        rank = int(choose.integers(2, 4))
        window, stride = (tuple(map(int, choose.integers(1, 6, rank))) for _ in range(2))
        pads = tuple(int(choose.integers(0, one // 2 + 1)) for one in window)
        shape = (2, 3, *map(int, choose.integers(1, 14, rank)))
        tensor, what = library.create_tensor_descriptor(), library.create_pooling_descriptor()
        strides = tuple(one // 8 for one in np.empty(shape).strides)
        library.set_tensor_nd_descriptor(tensor, library.enums.DataType.FLOAT, shape, strides)
        propagate = library.enums.NanPropagation.PROPAGATE_NAN
        library.set_pooling_nd_descriptor(what, library.enums.PoolingMode.MAX, propagate, window, pads, stride)
        try:
            theirs = tuple(library.get_pooling_nd_forward_output_dim(what, tensor, len(shape)))
        except cudnn_ffi.StatusError:
            theirs = None
        try:
            ours = pooling_output(shape, pooling_spec(shape, window, "max", padding=pads, stride=stride))
        except ck.ArgumentError:
            ours = None
        assert ours == theirs, (shape, window, pads, stride)
        compared += ours is not None
    assert compared > 100
