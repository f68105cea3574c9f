"""Convolution in its three directions against plain loops, on the simulated library."""

from __future__ import annotations

from typing import Any, NamedTuple

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.testing import SimulatedDevice

from .references import channels_last, convolve, data_gradient, filter_gradient, is_channels_last, random

pytestmark = pytest.mark.usefixtures("device")


class Case(NamedTuple):
    x: tuple[int, ...]
    filters: tuple[int, ...]
    pre: tuple[int, ...]
    post: tuple[int, ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    groups: int = 1
    flip: bool = False

    @property
    def w(self) -> tuple[int, ...]:
        return (self.filters[0], self.x[1] // self.groups, *self.filters[1:])

    @property
    def arguments(self) -> dict[str, Any]:
        return {
            "padding": tuple(zip(self.pre, self.post, strict=True)),
            "stride": self.stride,
            "dilation": self.dilation,
            "groups": self.groups,
            "mode": "convolution" if self.flip else "cross-correlation",
        }

    @property
    def loops(self) -> dict[str, Any]:
        return {
            "pre": self.pre,
            "stride": self.stride,
            "dilation": self.dilation,
            "groups": self.groups,
            "flip": self.flip,
        }


CASES = [
    Case((2, 3, 6, 5), (4, 3, 3), (1, 1), (1, 1), (1, 1), (1, 1)),
    Case((1, 4, 7, 6), (6, 3, 2), (0, 1), (0, 1), (2, 1), (1, 2), groups=2),
    Case((2, 3, 5, 5), (3, 3, 3), (1, 1), (1, 1), (1, 1), (1, 1), groups=3),
    Case((1, 2, 6, 6), (2, 3, 3), (0, 2), (1, 1), (1, 1), (1, 1)),
    Case((1, 2, 5, 6), (3, 3, 2), (1, 0), (1, 0), (1, 1), (1, 1), flip=True),
    Case((2, 3, 9), (4, 4), (2,), (2,), (2,), (1,)),
    Case((1, 2, 4, 5, 4), (3, 2, 3, 2), (1, 1, 0), (1, 1, 0), (1, 2, 1), (1, 1, 1)),
]


@pytest.mark.parametrize("last", [False, True], ids=["first", "last"])
@pytest.mark.parametrize("case", CASES)
def test_forward(case: Case, last: bool) -> None:
    x, w = random(*case.x, last=last), random(*case.w, seed=1, last=last)
    y = ck.conv(x, w, **case.arguments)
    np.testing.assert_allclose(y, convolve(x, w, post=case.post, **case.loops), atol=1e-12)
    assert is_channels_last(y) == last


@pytest.mark.parametrize("last", [False, True], ids=["first", "last"])
@pytest.mark.parametrize("case", CASES)
def test_data_gradient(case: Case, last: bool) -> None:
    x, w = random(*case.x), random(*case.w, seed=1, last=last)
    shape = convolve(x, w, post=case.post, **case.loops).shape
    dy = random(*shape, seed=2, last=last)
    dx = ck.conv_data_gradient(dy, w, case.x, **case.arguments)
    np.testing.assert_allclose(dx, data_gradient(dy, w, case.x, **case.loops), atol=1e-12)
    assert is_channels_last(dx) == last


@pytest.mark.parametrize("last", [False, True], ids=["first", "last"])
@pytest.mark.parametrize("case", CASES)
def test_filter_gradient(case: Case, last: bool) -> None:
    x, w = random(*case.x, last=last), random(*case.w, seed=1)
    shape = convolve(x, w, post=case.post, **case.loops).shape
    dy = random(*shape, seed=2, last=last)
    dw = ck.conv_filter_gradient(x, dy, case.filters[1:], **case.arguments)
    np.testing.assert_allclose(dw, filter_gradient(x, dy, case.w, **case.loops), atol=1e-12)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_half_data_computes_in_float32_and_keeps_its_type(dtype: str) -> None:
    x, w = random(1, 4, 5, 5, dtype=dtype), random(3, 4, 3, 3, dtype=dtype, seed=1)
    y = ck.conv2d(x, w)
    assert y.dtype == dtype
    assert ck.plan(ck.conv2d, x, w).problem.compute == ("float64" if dtype == "float64" else "float32")
    bound = 1e-13 if dtype == "float64" else float(np.finfo(dtype).eps)  # rounded once
    exact = convolve(x, w, pre=(0, 0), post=(0, 0), stride=(1, 1), dilation=(1, 1), groups=1)
    np.testing.assert_allclose(y, exact, rtol=bound, atol=bound)


def test_bias_gradient() -> None:
    dy = random(2, 5, 3, 4)
    np.testing.assert_allclose(ck.conv_bias_gradient(dy), [dy[:, k].sum() for k in range(5)], atol=1e-12)
    out = np.arange(5.0)
    assert ck.conv_bias_gradient(dy, alpha=2, beta=3, out=out) is out
    np.testing.assert_allclose(out, [2 * dy[:, k].sum() + 3 * k for k in range(5)], atol=1e-12)


@pytest.mark.parametrize("spatial", [1, 2, 3])
def test_transposed_is_the_data_gradient(spatial: int) -> None:
    x, w = random(2, 3, *(4,) * spatial), random(3, 2, *(3,) * spatial, seed=1)
    bias = random(2, seed=2)
    function = {1: ck.conv_transpose1d, 2: ck.conv_transpose2d, 3: ck.conv_transpose3d}[spatial]
    y = function(x, w, bias, stride=2, padding=1, output_padding=1, activation="relu")
    assert y.shape == (2, 2, *(8,) * spatial)
    one = (1,) * spatial
    dx = data_gradient(x, w, y.shape, pre=one, stride=(2,) * spatial, dilation=one, groups=1)
    np.testing.assert_allclose(y, np.maximum(dx + bias.reshape(1, 2, *one), 0), atol=1e-12)


def test_same_and_valid_padding() -> None:
    x, w = random(1, 2, 6, 7), random(2, 2, 3, 4, seed=1)
    assert ck.conv2d(x, w, padding="same").shape == (1, 2, 6, 7)
    assert ck.conv2d(x, w, padding="valid").shape == (1, 2, 4, 4)
    assert ck.conv2d(x, w, padding=[1, 2]).shape == (1, 2, 6, 8)


def test_alpha_and_beta_on_the_first_call_as_on_the_second() -> None:
    x, w, old = random(1, 3, 5, 5), random(2, 3, 3, 3, seed=1), random(1, 2, 3, 3, seed=2)
    expected = 0.5 * convolve(x, w, pre=(0, 0), post=(0, 0), stride=(1, 1), dilation=(1, 1), groups=1) + 2 * old
    for _ in range(2):
        out = old.copy()
        assert ck.conv2d(x, w, alpha=0.5, beta=2, out=out) is out
        np.testing.assert_allclose(out, expected, atol=1e-12)


def test_a_given_output_is_untouched_until_there_is_a_result(device: SimulatedDevice) -> None:
    for one in device.candidates:
        one.fails = "run"
    out = np.full((1, 2, 3, 3), 7.0)
    with pytest.raises(ck.UnsupportedError):
        ck.conv2d(random(1, 3, 5, 5), random(2, 3, 3, 3), out=out)
    assert (out == 7).all()


@pytest.mark.parametrize("change", ["x sliced", "x transposed", "w channels last", "out sliced", "reversed"])
def test_any_strides(change: str) -> None:
    x, w, out = random(2, 3, 6, 6), random(4, 3, 3, 3, seed=1), None
    if change == "x sliced":
        x = random(2, 6, 6, 12)[:, ::2, :, ::2]
    elif change == "x transposed":
        x = random(6, 3, 2, 6).transpose(2, 1, 0, 3)
    elif change == "w channels last":
        w = channels_last(w)
    elif change == "out sliced":
        out = np.full((2, 4, 4, 8), np.nan)[..., ::2]
    else:
        x = x[:, :, ::-1]
    y = ck.conv2d(x, w, out=out)
    assert out is None or y is out
    loops = {"pre": (0, 0), "post": (0, 0), "stride": (1, 1), "dilation": (1, 1), "groups": 1}
    np.testing.assert_allclose(y, convolve(x, w, **loops), atol=1e-12)


def test_operands_in_other_layouts_are_copied_where_no_engine_takes_them(device: SimulatedDevice) -> None:
    def dense(problem: Any) -> str | None:
        layouts = {one.strides[1] == 1 for one in problem.tensors if len(one.shape) == 4}
        return "mixed layouts" if len(layouts) > 1 else None

    for one in device.candidates:
        one.refuses = dense
    x, w = random(2, 3, 6, 6, last=True), random(4, 3, 3, 3, seed=1)
    y = ck.conv2d(x, w)
    loops = {"pre": (0, 0), "post": (0, 0), "stride": (1, 1), "dilation": (1, 1), "groups": 1}
    np.testing.assert_allclose(y, convolve(x, w, **loops), atol=1e-12)
    assert is_channels_last(y)
    assert "dense copies of w" in str(ck.explain(ck.conv2d, x, w))


@pytest.mark.parametrize("operation", ["forward", "data", "filter"])
def test_asymmetric_padding_is_done_by_hand_where_no_engine_takes_it(operation: str, device: SimulatedDevice) -> None:
    for one in device.candidates:
        one.refuses = lambda problem: None if problem.convolution.symmetric else "asymmetric"
    case = CASES[3]
    x, w = random(*case.x), random(*case.w, seed=1)
    y = convolve(x, w, post=case.post, **case.loops)
    if operation == "forward":
        found = ck.conv2d(x, w, random(2, seed=5), activation="relu", **case.arguments)
        y = np.maximum(y + random(2, seed=5).reshape(1, 2, 1, 1), 0)
    elif operation == "data":
        old = random(*case.x, seed=4)
        found = ck.conv_data_gradient(y, w, beta=2, out=old.copy(), **case.arguments)
        y = data_gradient(y, w, case.x, **case.loops) + 2 * old
    else:
        found = ck.conv_filter_gradient(x, y, 3, **case.arguments)
        y = filter_gradient(x, y, case.w, **case.loops)
    np.testing.assert_allclose(found, y, atol=1e-11)
