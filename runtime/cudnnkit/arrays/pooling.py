"""Pooling tap by tap: one elementwise operation for every place of the window.

For array libraries without pooling kernels, and for what those kernels lack: padding that differs before and after, and
gradients that are the same on every run. Written once over what NumPy, CuPy and torch have in common.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any, Protocol

from cudnnkit.problem import PoolingSpec

__all__ = ["ArrayMath", "ModuleMath", "pool", "pool_backward"]


class ArrayMath(Protocol):
    """What pooling needs of an array library."""

    def maximum(self, a: Any, b: Any, out: Any) -> Any:
        """``out = max(a, b)`` element by element; NaN if either is."""
        ...

    def isnan(self, x: Any) -> Any:
        """Where x is NaN."""
        ...

    def where(self, condition: Any, yes: Any, no: float) -> Any:
        """`yes` where the condition holds, else `no`."""
        ...

    def zeros(self, like: Any, shape: tuple[int, ...], dtype: str) -> Any:
        """Zeros on the device of `like`, in its layout if that can be; `dtype` is float32, float64 or bool."""
        ...


class ModuleMath:
    """:class:`ArrayMath` of NumPy and of what has its names."""

    def __init__(self, module: Any) -> None:
        self.maximum, self.isnan, self.where = module.maximum, module.isnan, module.where
        self._zeros = module.zeros

    def zeros(self, like: Any, shape: tuple[int, ...], dtype: str) -> Any:  # noqa: ARG002
        """Zeros in C order."""
        return self._zeros(shape, dtype)


def _taps(spec: PoolingSpec, image: tuple[int, ...], result: tuple[int, ...]) -> Iterator[tuple[Any, Any]]:
    """For each place of the window: the results whose window has an element of the image there, and those elements."""
    for tap in itertools.product(*map(range, spec.window)):
        there: list[slice] = []
        here: list[slice] = []
        for axis, offset in enumerate(tap):
            shift, step, size, count = offset - spec.pre_padding[axis], spec.stride[axis], image[axis], result[axis]
            low = max(0, -(shift // step))
            high = min(count, (size - 1 - shift) // step + 1)
            if high <= low:
                break
            there.append(slice(low, high))
            here.append(slice(low * step + shift, (high - 1) * step + shift + 1, step))
        else:
            yield (..., *there), (..., *here)


def _wide(out: Any) -> str:
    return "float64" if "float64" in str(out.dtype) else "float32"


def _counts(m: ArrayMath, spec: PoolingSpec, image: tuple[int, ...], like: Any, result: tuple[int, ...]) -> Any:
    """How many elements are averaged: a number, or one for each result, where padding does not count."""
    if spec.mode == "average_include_padding" or not any(spec.pre_padding + spec.post_padding):
        return float(math.prod(spec.window))
    counts = m.zeros(like, (1, 1, *result), _wide(like))
    for there, _ in _taps(spec, image, result):
        counts[there] += 1.0
    return counts


def pool(m: ArrayMath, x: Any, out: Any, spec: PoolingSpec) -> None:
    """``out = pooling of x``; means are added up in float32 or wider, and rounded once."""
    image, result = tuple(x.shape[2:]), tuple(out.shape[2:])
    if spec.mode == "max":
        out[...] = -math.inf
        for there, here in _taps(spec, image, result):
            part = out[there]
            m.maximum(part, x[here], out=part)
        return
    total = m.zeros(x, tuple(out.shape), _wide(x))
    for there, here in _taps(spec, image, result):
        total[there] += x[here]
    total /= _counts(m, spec, image, x, result)
    out[...] = total


def pool_backward(m: ArrayMath, dy: Any, y: Any, x: Any, out: Any, spec: PoolingSpec) -> None:
    """``out = gradient`` of the image x; y and x are read for maxima only.

    The first element in the window's order that is the maximum, or NaN, takes the whole gradient.
    """
    image, result = tuple(out.shape[2:]), tuple(dy.shape[2:])
    total = m.zeros(dy, tuple(out.shape), _wide(out))
    if spec.mode == "max":
        open_ = ~m.zeros(dy, tuple(dy.shape), "bool")
        for there, here in _taps(spec, image, result):
            part = x[here]
            taken = ((part == y[there]) | m.isnan(part)) & open_[there]
            total[here] += m.where(taken, dy[there], 0.0)
            open_[there] &= ~taken
    else:
        share = m.zeros(dy, tuple(dy.shape), _wide(dy))
        share += dy
        share /= _counts(m, spec, image, dy, result)
        for there, here in _taps(spec, image, result):
            total[here] += share[there]
    out[...] = total
