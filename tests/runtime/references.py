"""Convolutions by plain loops over single elements, and operands for them. Slow, and independent of the package."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


def random(*shape: int, dtype: str = "float64", seed: int = 0, last: bool = False) -> Any:
    values = np.random.default_rng([seed, *shape]).standard_normal(shape).astype(dtype)
    return channels_last(values) if last else values


def channels_last(array: Any) -> Any:
    """The same values with the channels innermost."""
    moved = np.ascontiguousarray(np.moveaxis(array, 1, -1))
    return np.moveaxis(moved, -1, 1)


def is_channels_last(array: Any) -> bool:
    return bool(np.moveaxis(array, 1, -1).flags.c_contiguous)


def meetings(
    x: tuple[int, ...], w: tuple[int, ...], y: tuple[int, ...], *, pre: Any, stride: Any, dilation: Any, groups: int,
    flip: bool = False,
) -> Any:  # fmt: skip
    """Every (index into x, index into w, index into y) whose product counts."""
    rank = len(x) - 2
    per_filter = y[1] // groups
    for n, k in itertools.product(range(y[0]), range(y[1])):
        for position in itertools.product(*map(range, y[2:])):
            for c in range(w[1]):
                for tap in itertools.product(*map(range, w[2:])):
                    at = tuple(position[a] * stride[a] + tap[a] * dilation[a] - pre[a] for a in range(rank))
                    if all(0 <= at[a] < x[2 + a] for a in range(rank)):
                        used = tuple(w[2 + a] - 1 - tap[a] for a in range(rank)) if flip else tap
                        yield (n, k // per_filter * w[1] + c, *at), (k, c, *used), (n, k, *position)


def out_size(x: int, window: int, pre: int, post: int, stride: int, dilation: int) -> int:
    """By counting the positions of the window."""
    reach = dilation * (window - 1)
    return len([start for start in range(-pre, x + post - reach) if (start + pre) % stride == 0])


def convolve(x: Array, w: Array, *, post: Any, **where: Any) -> Array:
    pre, stride, dilation = where["pre"], where["stride"], where["dilation"]
    axes = range(x.ndim - 2)
    sizes = [out_size(x.shape[2 + a], w.shape[2 + a], pre[a], post[a], stride[a], dilation[a]) for a in axes]
    y = np.zeros((x.shape[0], w.shape[0], *sizes))
    for i, j, k in meetings(x.shape, w.shape, y.shape, **where):
        y[k] += float(x[i]) * float(w[j])
    return y


def data_gradient(dy: Array, w: Array, x_shape: Any, **where: Any) -> Array:
    dx = np.zeros(x_shape)
    for i, j, k in meetings(x_shape, w.shape, dy.shape, **where):
        dx[i] += float(dy[k]) * float(w[j])
    return dx


def filter_gradient(x: Array, dy: Array, w_shape: Any, **where: Any) -> Array:
    dw = np.zeros(w_shape)
    for i, j, k in meetings(x.shape, w_shape, dy.shape, **where):
        dw[j] += float(x[i]) * float(dy[k])
    return dw
