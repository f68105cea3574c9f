"""Sizes, held against direct counting of window positions and an actual convolution in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cudnnkit.errors import ArgumentError, ArgumentTypeError
from cudnnkit.geometry import (
    convolution_output,
    convolution_spec,
    dgrad_output,
    pooling_output,
    pooling_spec,
    transposed_output,
    wgrad_output,
    window_output,
)
from hypothesis import assume, given
from hypothesis import strategies as st

small = st.integers(1, 4)


def positions(size: int, window: int, pre: int, post: int, stride: int, dilation: int) -> int:
    """How many window positions there are, by walking along the padded axis."""
    padded = [False] * pre + [True] * size + [False] * post
    count = start = 0
    while start + dilation * (window - 1) < len(padded):
        count += 1
        start += stride
    return count


def test_a_window_that_does_not_fit_is_told_with_what_helps() -> None:
    told = r"^x=\(1, 1, 5\): axis 2, of 5, is 5 long with padding, less than the window's"
    with pytest.raises(ArgumentError, match=f"{told} 9; take a smaller window, or pad by up to half of it$"):
        pooling_output((1, 1, 5), pooling_spec((1, 1, 5), 9, "max"))
    for dilation, way in ((1, "9; pad more, or take smaller filters"), (2, "17; pad more, or dilate less")):
        with pytest.raises(ArgumentError, match=f"{told} {way}$"):
            window_output((1, 1, 5), 2, 9, 0, 0, 1, dilation)


@pytest.mark.parametrize(
    ("x", "w", "meant"),
    [
        ((2, 12, 12, 16), (8, 16, 3, 3), "x, with transpose(0, 3, 1, 2)"),
        ((2, 16, 12, 12), (8, 3, 3, 16), "w, with transpose(0, 3, 1, 2)"),
        ((2, 12, 12, 16), (8, 3, 3, 16), "x and of w, with transpose(0, 3, 1, 2)"),
        ((2, 12, 16), (8, 16, 3), "x, with transpose(0, 2, 1)"),
        ((2, 12, 12, 5), (8, 16, 3, 3), ""),
    ],
)
def test_channels_on_the_last_axis_are_told_where_they_belong(x: Any, w: Any, meant: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        convolution_output(x, w, convolution_spec(w[2:]))
    told = f"shapes are (N, C, spatial) in every layout, and strides tell the layout: give a view of {meant} or torch's"
    assert (told in str(caught.value)) == bool(meant)
    assert ("last axis" in str(caught.value)) == bool(meant)


def test_gradients_on_the_last_axis_are_told_where_they_belong() -> None:
    with pytest.raises(ArgumentError, match=r"dy=\(2, 12, 12, 8\).* give a view of dy, with transpose\(0, 3, 1, 2\)"):
        dgrad_output((2, 12, 12, 8), (8, 16, 3, 3), convolution_spec((3, 3)))


@given(st.integers(0, 12), st.integers(1, 5), st.integers(0, 4), st.integers(0, 4), small, small)
def test_window_count(size: int, window: int, pre: int, post: int, stride: int, dilation: int) -> None:
    expected = positions(size, window, pre, post, stride, dilation)
    if expected or size == 0:
        assert window_output((1, 1, size), 2, window, pre, post, stride, dilation) == expected
    else:
        with pytest.raises(ArgumentError, match="less than the window's"):
            window_output((1, 1, size), 2, window, pre, post, stride, dilation)


@given(st.integers(1, 9), st.integers(1, 9), small, small, st.tuples(small, small), st.tuples(small, small), st.data())
def test_two_axes_groups_and_asymmetric_padding(
    height: int, width: int, groups: int, per_group: int, stride: Any, dilation: Any, data: st.DataObject
) -> None:
    padding = data.draw(st.tuples(*[st.tuples(st.integers(0, 3), st.integers(0, 3))] * 2))
    kernel = (3, 2)
    spec = convolution_spec(kernel, padding=padding, stride=stride, dilation=dilation, groups=groups)
    assert (spec.pre_padding, spec.post_padding) == tuple(zip(*padding, strict=True))
    assert spec.symmetric == all(before == after for before, after in padding)
    expected = tuple(
        positions(size, kernel[axis], *padding[axis], stride[axis], dilation[axis])
        for axis, size in enumerate((height, width))
    )
    assume(all(expected))
    x, w = (2, groups * per_group, height, width), (groups * 3, per_group, *kernel)
    y = convolution_output(x, w, spec)
    assert y == (2, groups * 3, *expected)
    # The gradients' shapes are the operands they belong to.
    assert dgrad_output(y, w, spec, x=x) == x
    assert wgrad_output(x, y, spec, kernel) == w
    # Without x: the smallest image that leads to y; each further pixel below the stride leads to the same y. Padding
    # beyond what the windows reach would make it negative.
    reach = [
        (count - 1) * stride[axis] + dilation[axis] * (kernel[axis] - 1) + 1 for axis, count in enumerate(expected)
    ]
    assume(all(one >= sum(pads) for one, pads in zip(reach, padding, strict=True)))
    smallest = dgrad_output(y, w, spec)
    assert all(0 <= given - least < step for given, least, step in zip(x[2:], smallest[2:], stride, strict=True))
    extra = tuple(given - least for given, least in zip(x[2:], smallest[2:], strict=True))
    assert dgrad_output(y, w, spec, output_padding=extra) == x


@pytest.mark.parametrize(
    ("size", "kernel", "stride", "dilation", "pre", "post"), [(9, 3, 2, 1, 1, 0), (7, 2, 3, 2, 0, 2)]
)
def test_against_a_real_convolution(size: int, kernel: int, stride: int, dilation: int, pre: int, post: int) -> None:
    taps = np.zeros(dilation * (kernel - 1) + 1)
    taps[::dilation] = 1
    y = np.convolve(np.pad(np.ones(size), (pre, post)), taps, mode="valid")[::stride]
    spec = convolution_spec((kernel,), padding=((pre, post),), stride=stride, dilation=dilation)
    assert convolution_output((1, 1, size), (1, 1, kernel), spec) == (1, 1, len(y))
    # The transposed convolution spreads y by the stride, convolves fully, and cuts the padding off.
    spread = np.zeros((len(y) - 1) * stride + 1)
    spread[::stride] = y
    full = np.convolve(spread, taps, mode="full")
    assert transposed_output((1, 1, len(y)), (1, 1, kernel), spec) == (1, 1, len(full) - pre - post)


def test_known_layers() -> None:
    """ResNet's stem, a depthwise layer, a dilated one and a 3-D one, sizes as published or counted by hand."""
    assert convolution_output((64, 3, 224, 224), (64, 3, 7, 7), convolution_spec((7, 7), padding=3, stride=2)) == (
        64, 64, 112, 112,
    )  # fmt: skip
    assert convolution_output((1, 32, 9, 9), (32, 1, 3, 3), convolution_spec((3, 3), padding=1, groups=32)) == (
        1, 32, 9, 9,
    )  # fmt: skip
    assert convolution_output((1, 8, 10), (4, 8, 3), convolution_spec((3,), dilation=4)) == (1, 4, 2)
    assert convolution_output((1, 2, 4, 5, 6), (3, 2, 2, 2, 2), convolution_spec((2, 2, 2))) == (1, 3, 3, 4, 5)
    assert pooled((64, 64, 112, 112), 3, padding=1, stride=2) == (64, 64, 56, 56)
    assert pooled((1, 4, 5, 7), 2) == (1, 4, 2, 3)


def pooled(shape: tuple[int, ...], window: Any, **more: Any) -> tuple[int, ...]:
    return pooling_output(shape, pooling_spec(shape, window, "max", **more))


def test_same_and_valid() -> None:
    for kernel, dilation in ((3, 1), (4, 1), (3, 2), (1, 1)):
        spec = convolution_spec((kernel,), padding="same", dilation=dilation)
        assert convolution_output((1, 1, 11), (1, 1, kernel), spec) == (1, 1, 11)
    assert convolution_spec((4,), padding="same").pre_padding == (1,)
    assert convolution_spec((4,), padding="same").post_padding == (2,)
    assert convolution_output((1, 1, 11), (1, 1, 3), convolution_spec((3,), padding="valid")) == (1, 1, 9)


def test_asymmetric_padding_stays_asymmetric() -> None:
    spec = convolution_spec((3, 3), padding=((0, 1), (2, 0)))
    assert (spec.pre_padding, spec.post_padding) == ((0, 2), (1, 0))
    assert convolution_output((1, 1, 5, 5), (1, 1, 3, 3), spec) == (1, 1, 4, 5)


def test_same_padding_tells_the_stride_that_it_cannot_have() -> None:
    with pytest.raises(ArgumentError) as caught:
        convolution_spec((3, 3), padding="same", stride=2)
    assert str(caught.value) == "padding='same': needs stride 1, and the stride is (2, 2); give numbers instead"


def test_small_images_are_not_clamped_against_the_window() -> None:
    spec = convolution_spec((5, 5))
    with pytest.raises(ArgumentError, match="less than the window's 5") as caught:
        convolution_output((1, 1, 3, 9), (1, 1, 5, 5), spec)
    assert caught.value.argument == "x"
    with pytest.raises(ArgumentError, match="less than the window's 4"):
        pooled((1, 1, 3, 9), 4)
    assert convolution_output((1, 1, 3, 9), (1, 1, 5, 5), convolution_spec((5, 5), padding=1)) == (1, 1, 1, 7)


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        ((0, 2, 5, 5), (0, 4, 5, 5)),
        ((3, 2, 0, 5), (3, 4, 0, 5)),
    ],
)
def test_empty_input_empty_result(x: tuple[int, ...], expected: tuple[int, ...]) -> None:
    spec = convolution_spec((3, 3), padding=1)
    assert convolution_output(x, (4, 2, 3, 3), spec) == expected


def test_result_larger_than_its_empty_input() -> None:
    assert convolution_output((1, 1, 0), (1, 1, 3), convolution_spec((3,), padding=2)) == (1, 1, 2)


def test_no_filters_no_channels() -> None:
    spec = convolution_spec((3,))
    assert convolution_output((1, 2, 5), (0, 2, 3), spec) == (1, 0, 3)
    assert convolution_output((1, 0, 5), (4, 0, 3), spec) == (1, 4, 3)
    assert dgrad_output((1, 4, 0), (4, 2, 3), spec) == (1, 2, 0)


@pytest.mark.parametrize(
    ("argument", "options"),
    [
        ("dilation", {"dilation": 0}),
        ("dilation", {"dilation": (1, -1)}),
        ("stride", {"stride": 0}),
        ("stride", {"stride": (1, 2, 3)}),
        ("padding", {"padding": -1}),
        ("padding", {"padding": ((0, 1), (0, -1))}),
        ("padding", {"padding": ((0, 1),)}),
        ("padding", {"padding": ((0, 1), 2)}),
        ("padding", {"padding": ((0, 1, 2), (0, 1))}),
        ("padding", {"padding": "full"}),
        ("padding", {"padding": "same", "stride": 2}),
        ("groups", {"groups": 0}),
        ("mode", {"mode": "correlation"}),
    ],
)
def test_bad_parameters_are_named(argument: str, options: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError) as caught:
        convolution_spec((3, 3), **options)
    assert caught.value.argument == argument


@pytest.mark.parametrize("options", [{"stride": 1.5}, {"padding": (1, 1.5)}, {"groups": "1"}, {"dilation": None}])
def test_bad_types_are_named(options: dict[str, Any]) -> None:
    with pytest.raises(ArgumentTypeError, match="whole numbers") as caught:
        convolution_spec((3, 3), **options)
    assert [caught.value.argument] == list(options)


def test_numpy_integers_are_numbers() -> None:
    assert convolution_spec((3,), stride=np.int64(2)).stride == (2,)


SPEC = convolution_spec((3, 3))


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("w", lambda: convolution_output((1, 3, 8, 8), (4, 2, 3, 3), SPEC)),
        ("w", lambda: convolution_output((1, 4, 8, 8), (4, 4, 3, 3), convolution_spec((3, 3), groups=2))),
        ("w", lambda: convolution_output((1, 3, 8, 8), (4, 3, 0, 3), SPEC)),
        ("groups", lambda: convolution_output((1, 4, 8, 8), (3, 2, 3, 3), convolution_spec((3, 3), groups=2))),
        ("x", lambda: convolution_output((3, 8, 8), (4, 3, 3, 3), SPEC)),
        ("x", lambda: convolution_output((3, 8), (4, 3), convolution_spec(()))),
        ("dy", lambda: dgrad_output((1, 5, 6, 6), (4, 3, 3, 3), SPEC)),
        ("dy", lambda: dgrad_output((1, 4, 6, 6), (4, 3, 3, 3), SPEC, x=(1, 3, 9, 9))),
        ("output_padding", lambda: dgrad_output((1, 4, 6, 6), (4, 3, 3, 3), SPEC, output_padding=1)),
        ("padding", lambda: dgrad_output((1, 4, 1, 1), (4, 3, 3, 3), convolution_spec((3, 3), padding=3))),
        ("dy", lambda: wgrad_output((2, 3, 8, 8), (1, 4, 6, 6), SPEC, (3, 3))),
        ("dy", lambda: wgrad_output((1, 3, 8, 8), (1, 4, 5, 6), SPEC, (3, 3))),
        ("kernel", lambda: wgrad_output((1, 3, 8, 8), (1, 4, 6, 6), SPEC, (3,))),
        ("groups", lambda: wgrad_output((1, 3, 8, 8), (1, 4, 6, 6), convolution_spec((3, 3), groups=2), (3, 3))),
        ("x", lambda: transposed_output((1, 5, 6, 6), (4, 3, 3, 3), SPEC)),
        ("x", lambda: pooled((1, 5), 2)),
        ("x", lambda: pooled((1, 1, 1, 1, 1, 1), 1)),
        ("x", lambda: pooled((1, 1, 0), 2, padding=1)),
        ("window", lambda: pooled((1, 1, 8, 8), 0)),
        ("window", lambda: pooled((1, 1, 8, 8), (2,))),
        ("padding", lambda: pooled((1, 1, 8, 8), 3, padding=2)),
        ("padding", lambda: pooled((1, 1, 8, 8), 1, padding=((0, 0), (0, 1)))),
        ("padding", lambda: pooled((1, 1, 8, 8), 3, padding=-1)),
        ("stride", lambda: pooled((1, 1, 8, 8), 2, stride=0)),
    ],
)
def test_mismatches_are_named(argument: str, call: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        call()
    assert caught.value.argument == argument


@given(st.integers(1, 10), small, st.integers(0, 3), small)
def test_pooling_counts_windows(size: int, window: int, pad: int, stride: int) -> None:
    assume(pad <= window // 2)
    expected = positions(size, window, pad, 0, stride, 1)
    assume(expected)
    assert pooled((1, 1, size), window, padding=((pad, 0),), stride=stride) == (1, 1, expected)
