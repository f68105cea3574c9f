"""Axes of tensors as kernels count them: at least two spatial ones, in one dense layout or not."""

from __future__ import annotations

from typing import NamedTuple

from cudnnkit.arrays.view import channels_last_strides, contiguous_strides
from cudnnkit.problem import TensorSpec, normalize_strides

__all__ = ["Layout", "is_dense", "lift", "lift_axes"]

_FEWEST_AXES = 4


class Layout(NamedTuple):
    """Sizes, and strides in elements."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]


def lift(shape: tuple[int, ...], strides: tuple[int, ...]) -> Layout:
    """The same memory with at least four axes: cuDNN's convolutions are 2-D or 3-D, a 1-D one has height 1.

    >>> lift((8, 64, 100), (6400, 100, 1))
    Layout(shape=(8, 64, 1, 100), strides=(6400, 100, 100, 1))
    """
    while len(shape) < _FEWEST_AXES:
        step = strides[2] * shape[2] if len(shape) > 2 else 1
        shape, strides = (*shape[:2], 1, *shape[2:]), (*strides[:2], step, *strides[2:])
    return Layout(shape, strides)


def lift_axes(values: tuple[int, ...], filler: int) -> tuple[int, ...]:
    """Parameters of the spatial axes with `filler` for the axis that :func:`lift` adds.

    >>> lift_axes((3,), 1)
    (1, 3)
    """
    return (filler,) * (_FEWEST_AXES - 2 - len(values)) + values


def is_dense(one: TensorSpec, *, last: bool) -> bool:
    """Whether a tensor is dense in NHWC (`last`) or NCHW; the stride of an axis of size 1 is any.

    >>> is_dense(TensorSpec("x", (8, 1, 4, 4), (16, 16, 4, 1), "float16"), last=True)
    True
    """
    dense = channels_last_strides(one.shape) if last else contiguous_strides(one.shape)
    return normalize_strides(one.shape, one.strides, channels_last=last) == dense
