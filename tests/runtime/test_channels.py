"""Channels padded or gathered: exact against float64, whatever the sizes, and no candidate where it makes no sense."""

from __future__ import annotations

from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.testing import SimulatedDevice

from .references import channels_last, convolve, data_gradient, filter_gradient, random

PLAIN = {"pre": (1, 1), "stride": (1, 1), "dilation": (1, 1), "groups": 1}
# A sum is rounded once, into the result's type; a result of the padded filter gradient once more where beta reads.
ROUNDING = {"float16": 1e-3, "float32": 1e-6}


def image(*shape: int, dtype: str = "float16", seed: int = 0) -> Any:
    return random(*shape, dtype=dtype, seed=seed, last=True)


def ways(function: Any, *arguments: Any, **keywords: Any) -> dict[str, Any]:
    """Name to identity of what a search measured of the ways that this file is about."""
    rows = ck.explain(function, *arguments, **keywords).report.rows
    measured = [row.description.id for row in rows if row.status in ("chosen", "measured")]
    return {one.name: one for one in measured if "padded to" in one.name or "gathered" in one.name}


def pinned(way: Any, function: Any, *arguments: Any, **keywords: Any) -> Any:
    """The result of one way."""
    ck.pin(way, function, *arguments, **keywords)
    assert ck.plan(function, *arguments, **keywords).choice.best.id == way
    return function(*arguments, **keywords)


def agree(found: Any, expected: Any) -> None:
    bound = ROUNDING[found.dtype.name] * np.abs(expected).max()
    np.testing.assert_allclose(found.astype("f8"), expected, rtol=0, atol=2 * bound)


@pytest.mark.parametrize(
    ("dtype", "channels", "widths"),
    [
        ("float16", 3, [4, 8]),
        ("float16", 2, [4, 8]),
        ("float16", 4, [8]),
        ("float16", 6, [8]),
        ("float16", 9, [12, 16]),
        ("float16", 8, []),
        ("float32", 3, [4]),
        ("float32", 4, []),
        ("float64", 3, []),
    ],
)
@pytest.mark.usefixtures("device")
def test_widths(dtype: str, channels: int, widths: list[int]) -> None:
    x, w = image(2, channels, 5, 4, dtype=dtype), image(8, channels, 3, 3, dtype=dtype, seed=1)
    assert list(ways(ck.conv2d, x, w)) == [f"channels padded to {width}, then convolution" for width in widths]


@pytest.mark.usefixtures("device")
def test_not_for_groups_nor_for_channels_first() -> None:
    x = random(2, 6, 5, 5, dtype="float16")
    assert ways(ck.conv2d, x, random(4, 6, 3, 3, dtype="float16")) == {}
    assert ways(ck.conv2d, channels_last(x), image(4, 3, 3, 3), groups=2) == {}


@pytest.mark.parametrize("last", [True, False], ids=["w-last", "w-first"])
@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.usefixtures("device")
def test_padded_forward_with_the_whole_epilogue(dtype: str, last: bool) -> None:
    x, w = image(2, 3, 5, 4, dtype=dtype), random(6, 3, 3, 3, dtype=dtype, seed=1, last=last)
    bias, z, old = (
        random(6, dtype=dtype),
        image(2, 6, 5, 4, dtype=dtype, seed=2),
        image(2, 6, 5, 4, dtype=dtype, seed=3),
    )
    call = {"padding": 1, "residual": z, "activation": "relu", "alpha": 2.0, "beta": 0.5}
    value = 2.0 * convolve(x, w, post=(1, 1), **PLAIN) + 0.5 * old.astype("f8")
    expected = np.maximum(value + z.astype("f8") + bias.astype("f8").reshape(1, -1, 1, 1), 0)
    found = ways(ck.conv2d, x, w, bias, out=channels_last(old.copy()), **call)
    assert len(found) == (2 if dtype == "float16" else 1)
    for way in found.values():
        out = channels_last(old.copy())
        assert pinned(way, ck.conv2d, x, w, bias, out=out, **call) is out
        agree(out, expected)


@pytest.mark.parametrize("beta", [0.0, 0.5])
@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.usefixtures("device")
def test_padded_gradients_drop_what_was_added(dtype: str, beta: float) -> None:
    x, w, dy = (image(*shape, dtype=dtype, seed=1) for shape in ((2, 3, 5, 4), (8, 3, 3, 3), (2, 8, 5, 4)))
    for function, arguments, like, expected in (
        (ck.conv_data_gradient, (dy, w, x.shape), x, data_gradient(dy, w, x.shape, **PLAIN)),
        (ck.conv_filter_gradient, (x, dy, 3), w, filter_gradient(x, dy, w.shape, **PLAIN)),
    ):
        before = image(*like.shape, dtype=dtype, seed=5)
        call = {"padding": 1, "alpha": 2.0, "beta": beta}
        found = ways(function, *arguments, out=channels_last(before.copy()), **call)
        assert found
        for way in found.values():
            out = pinned(way, function, *arguments, out=channels_last(before.copy()), **call)
            agree(out, 2 * expected + beta * before.astype("f8"))


@pytest.mark.usefixtures("device")
def test_padding_lets_no_infinity_of_one_channel_into_another() -> None:
    """Zeros are put beside the channels, not multiplied onto neighbours."""
    x, w = image(1, 3, 4, 4), image(8, 3, 1, 1, seed=1)
    x[0, 0, 0, 1] = np.inf
    expected = ck.conv2d(x.astype("f8"), w.astype("f8"))
    for way in ways(ck.conv2d, x, w).values():
        found = pinned(way, ck.conv2d, x, w)
        assert np.array_equal(np.isfinite(found), np.isfinite(expected))


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize(
    ("size", "window", "before", "after"),
    [
        ((12, 10), (7, 7), (3, 3), (3, 3)),
        ((11, 10), (7, 5), (3, 2), (3, 2)),
        ((9, 9), (3, 3), (1, 1), (1, 1)),
        ((9, 8), (3, 3), (0, 0), (0, 0)),
        ((8, 9), (2, 3), (0, 1), (0, 1)),
        ((8, 7), (4, 3), (1, 0), (2, 1)),
        ((5, 5), (3, 3), (4, 5), (4, 5)),
        ((2, 3), (6, 7), (3, 3), (3, 3)),
    ],
    ids=str,
)
@pytest.mark.usefixtures("device")
def test_gathered_pixels_are_exact(size: Any, window: Any, before: Any, after: Any, channels: int) -> None:
    x, w = image(2, channels, *size, dtype="float32"), image(5, channels, *window, dtype="float32", seed=1)
    bias = random(5, dtype="float32")
    padding = tuple(zip(before, after, strict=True))
    expected = convolve(x, w, pre=before, post=after, stride=(2, 2), dilation=(1, 1), groups=1)
    # With one channel the operands leave the layout open: the output tells it.
    out = channels_last(np.full_like(expected, np.nan, dtype="f4"))
    call = {"padding": padding, "stride": 2, "activation": "relu", "out": out}
    found = ways(ck.conv2d, x, w, bias, **call)
    name = f"2x2 pixels gathered into {4 * channels} channels, then convolution without stride"
    assert name in found
    agree(pinned(found[name], ck.conv2d, x, w, bias, **call), np.maximum(expected + bias.reshape(1, -1, 1, 1), 0))


@pytest.mark.parametrize(
    ("channels", "window", "arguments"),
    [
        (3, 3, {"stride": (2, 1)}),
        (3, 3, {"stride": 3}),
        (3, 3, {"stride": 2, "dilation": 2}),
        (3, 3, {"stride": 2, "mode": "convolution"}),
        (3, 1, {"stride": 2}),
        (5, 3, {"stride": 2}),
        (4, 3, {"stride": 2, "groups": 2}),
    ],
)
@pytest.mark.usefixtures("device")
def test_gathering_is_for_stride_two_and_few_channels(channels: int, window: int, arguments: Any) -> None:
    x = image(1, channels, 9, 9)
    w = image(4, channels // arguments.get("groups", 1), window, window, seed=1)
    assert not any("gathered" in name for name in ways(ck.conv2d, x, w, **arguments))


def test_the_seven_by_seven_layer_on_rgb_becomes_four_by_four_on_sixteen(device: SimulatedDevice) -> None:
    """Engines are slow on odd channels: the convolution within runs on sixteen, and wins with its epilogue fused."""
    launched: list[Any] = []

    def seconds(problem: Any) -> float:
        launched.append(problem)
        x, w, *_ = problem.tensors
        return 0.02 if x.shape[1] % 8 else 1e-3 * w.shape[2]

    for one in device.candidates:
        one.seconds = seconds
    x, w, bias = image(1, 3, 14, 14), image(8, 3, 7, 7, seed=1), random(8, dtype="float16")
    plan = ck.plan(ck.conv2d, x, w, bias, stride=2, padding=3, activation="relu")
    assert plan.choice.best.id.name == "2x2 pixels gathered into 16 channels, then convolution without stride"
    launched.clear()
    plan(x, w, bias)
    (within,) = launched
    assert [one.shape for one in within.tensors[:2]] == [(1, 16, 10, 10), (8, 16, 4, 4)]
    assert (within.epilogue.bias, within.epilogue.activation) == (True, "relu")
    assert within.convolution.stride == (1, 1)


@pytest.mark.usefixtures("device")
def test_what_is_padded_is_not_padded_again() -> None:
    x, w = image(1, 3, 9, 9), image(4, 3, 3, 3, seed=1)
    (four, *_) = ways(ck.conv2d, x, w, stride=2).values()
    assert four.name == "channels padded to 4, then convolution"
    explained = ck.explain(ck.conv2d, *(image(*one.shape[:1], 4, *one.shape[2:]) for one in (x, w)), stride=2)
    assert any("padded to 8" in row.description.id.name for row in explained.report.rows)  # a user's own four are
