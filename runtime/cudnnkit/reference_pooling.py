"""Elements of a pooling's result, or of its gradient, in float64 from the operands; see :mod:`cudnnkit.reference`."""

from __future__ import annotations

import itertools
import math
from typing import Any

from cudnnkit.arrays.kernels import Kernels
from cudnnkit.problem import PoolingSpec, Problem

__all__ = ["pooled_element"]

_MOST_ELEMENTS = 2**20
_MOST_WINDOWS = 128

_EXACT = 1e-30


def pooled_element(
    problem: Problem, arrays: dict[str, Any], kernels: Kernels, index: tuple[int, ...], relative: float, least: float
) -> tuple[float, float] | None:
    """The value at an index of the result, and how far a right one may be from it; None where it is too much work.

    Parameters
    ----------
    problem
        A pool_forward or pool_backward.
    arrays
        Operands by role.
    kernels
        Reads them.
    index
        Of y, or of dx.
    relative
        Rounding error, as a part of the sum of the terms' magnitudes.
    least
        Rounding error of what is very small.
    """
    spec = problem.pooling
    if spec is None or math.prod(spec.window) > _MOST_ELEMENTS:
        return None
    if problem.operation == "pool_forward":
        values = kernels.values(arrays["x"][_window(spec, arrays["x"].shape[2:], index)])
        if spec.mode == "max":
            return (math.nan if any(map(math.isnan, values)) else max(values)), _EXACT
        count = len(values) if spec.mode == "average_exclude_padding" else math.prod(spec.window)
        # Not math.fsum: what is infinite, or becomes so, is a result.
        return sum(values) / count, relative * sum(map(abs, values)) / count + least + _EXACT
    return _gradient(spec, arrays, kernels, index, relative, least)


def _window(spec: PoolingSpec, image: tuple[int, ...], index: tuple[int, ...]) -> tuple[Any, ...]:
    """The image's elements that one result is made of."""
    found: list[Any] = list(index[:2])
    for at, step, pre, taps, size in zip(index[2:], spec.stride, spec.pre_padding, spec.window, image, strict=True):
        first = at * step - pre
        found.append(slice(max(first, 0), min(first + taps, size)))
    return tuple(found)


def _gradient(
    spec: PoolingSpec, arrays: dict[str, Any], kernels: Kernels, index: tuple[int, ...], relative: float, least: float
) -> tuple[float, float] | None:
    dy, image = arrays["dy"], arrays["dx"].shape[2:]
    ranges = []
    for at, step, pre, taps, count in zip(
        index[2:], spec.stride, spec.pre_padding, spec.window, dy.shape[2:], strict=True
    ):
        ranges.append(range(max(0, -((taps - 1 - at - pre) // step)), min(count, (at + pre) // step + 1)))
    if math.prod(map(len, ranges)) > _MOST_WINDOWS:
        return None
    low = high = size = 0.0
    mine = kernels.read(arrays["x"], index) if spec.mode == "max" else 0.0
    for where in itertools.product(*ranges):
        one = (*index[:2], *where)
        slope, window = kernels.read(dy, one), _window(spec, image, one)
        if spec.mode == "max":
            values = kernels.values(arrays["x"][window])
            if any(map(math.isnan, values)):
                return math.nan, math.inf
            top = max(values)
            if mine != top:
                continue
            # Of several maxima each may take all of it, a part, or nothing.
            tied = values.count(top) > 1
            low += min(slope, 0.0) if tied else slope
            high += max(slope, 0.0) if tied else slope
        else:
            inside = math.prod(part.stop - part.start for part in window[2:])
            slope /= inside if spec.mode == "average_exclude_padding" else math.prod(spec.window)
            low, high = low + slope, high + slope
        size += abs(slope)
    # Each window's share may be rounded for itself.
    return (low + high) / 2, (high - low) / 2 + relative * size + least * (1 + math.prod(map(len, ranges))) + _EXACT
