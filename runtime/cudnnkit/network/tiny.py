"""A network's problems made small: what NumPy computes in no time, on simulated devices."""

from __future__ import annotations

from dataclasses import replace

from cudnnkit.geometry import convolution_output, pooling_output
from cudnnkit.network.shipped import usual_strides
from cudnnkit.problem import Problem

__all__ = ["CHANNELS", "SIZE", "tiny"]

CHANNELS, SIZE = 16, 7
"""What the numbers of channels and the sizes of images are divided by."""
_FEW = 4
"""Channels that an image of colours may have; they stay."""


def tiny(problem: Problem) -> Problem:
    """The problem for one image of a seventh of the size with a sixteenth of the channels; windows stay as they are.

    Parameters
    ----------
    problem
        A convolution, a pooling or a matrix product of a shipped network: channels last, the batch first.
    """
    x = problem.tensor("x").shape
    window = problem.pooling.window if problem.pooling is not None else (1,) * (len(x) - 2)
    image = tuple(max(size // SIZE, least) for size, least in zip(x[2:], window, strict=True))
    shapes = {"x": (1, _fewer(x[1]), *image)}
    if problem.pooling is not None:
        shapes["y"] = (*shapes["x"][:2], *pooling_output(shapes["x"], problem.pooling)[2:])
    else:
        w = problem.tensor("w").shape
        filters = _fewer(w[0])
        convolution = problem.convolution
        if convolution is None:
            shapes |= {"w": (filters, shapes["x"][1]), "y": (1, filters)}
        else:
            groups = max(convolution.groups // CHANNELS, 1)
            convolution = replace(convolution, groups=groups)
            problem = replace(problem, convolution=convolution)
            shapes["w"] = (filters, shapes["x"][1] // groups, *w[2:])
            shapes["y"] = convolution_output(shapes["x"], shapes["w"], convolution)
        shapes |= {"bias": (filters,), "residual": shapes["y"]}
    tensors = (replace(one, shape=shapes[one.role], strides=usual_strides(shapes[one.role])) for one in problem.tensors)
    return replace(problem, tensors=tuple(tensors))


def _fewer(channels: int) -> int:
    return channels if channels <= _FEW else max(channels // CHANNELS, 1)
