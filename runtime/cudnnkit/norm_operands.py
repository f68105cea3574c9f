"""Operands of batch normalisation as cuDNN and the array libraries want them."""

from __future__ import annotations

from dataclasses import replace

from cudnnkit.arrays.layouts import prefers_channels_last
from cudnnkit.arrays.view import channels_last_strides, contiguous_strides
from cudnnkit.problem import Problem, TensorSpec

__all__ = ["epsilon", "unusual"]

_IMAGES = ("x", "y", "dy", "dx", "residual", "dresidual")


def epsilon(problem: Problem) -> float:
    """What is added to the variance."""
    return float(dict(problem.parameters)["epsilon"])


def unusual(problem: Problem) -> dict[int, TensorSpec]:
    """Places of the operands that cuDNN does not take as they are, with what each would have to be.

    Images are dense in x's layout, vectors dense and of the type that is computed in.
    """
    x = problem.tensor("x")
    last = len(x.shape) > 2 and prefers_channels_last(x.shape, x.strides)
    changed: dict[int, TensorSpec] = {}
    for place, one in enumerate(problem.tensors):
        if one.role == "reserve":
            continue
        image = one.role in _IMAGES
        strides = (channels_last_strides if image and last else contiguous_strides)(one.shape)
        dtype = one.dtype if image else problem.compute
        if (one.strides, one.dtype) != (strides, dtype):
            changed[place] = replace(one, strides=strides, dtype=dtype, alignment=16)
    return changed
