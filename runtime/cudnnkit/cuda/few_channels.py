"""What kernels for convolutions of up to four channels have in common: whom they serve, and constants."""

from __future__ import annotations

import math
from collections.abc import Iterator

from cudnnkit.axes import lift_axes
from cudnnkit.cuda.activations import has_activation
from cudnnkit.cuda.source import INDEX_MAX
from cudnnkit.cuda.words import WORDS
from cudnnkit.problem import ConvolutionSpec, Problem, TensorSpec

__all__ = ["few_channels", "fits_tensor_cores", "layer_constants"]

_OLDEST = (8, 0)
"""Compute capability from which there are asynchronous copies, and products of bfloat16 and TF32."""
_MOST_CHANNELS = 4
_MOST_TAPS = 256
"""Elements of a window; chosen, not measured."""


def few_channels(problem: Problem, operation: str) -> ConvolutionSpec | None:
    """The convolution of a problem that these kernels are for, else None.

    That is an `operation` on one type, in one group of up to four channels on one or two axes, summed up in float32.
    What a kernel asks of types, layouts and epilogues is its own.
    """
    spec = problem.convolution
    if problem.operation != operation or spec is None or spec.groups != 1:
        return None
    if (problem.alpha, problem.beta, problem.aliasing) != ("one", "zero", ()):
        return None
    if any(name != "library" for name, _ in problem.parameters):  # channels padded for cuDNN's engines
        return None
    x = problem.tensor("x")
    if any(one.dtype != x.dtype for one in problem.tensors) or problem.compute != "float32":
        return None
    if not 3 <= len(x.shape) <= 4 or x.shape[1] > _MOST_CHANNELS:
        return None
    return spec if all(0 < math.prod(one.shape) <= INDEX_MAX for one in problem.tensors) else None


def fits_tensor_cores(problem: Problem) -> bool:
    """Whether tensor cores multiply x's type, float32 as TF32 where the policy admits that."""
    dtype = problem.tensor("x").dtype
    if dtype not in WORDS or problem.device.architecture < _OLDEST:
        return False
    return dtype != "float32" or problem.policy.precision == "fast"


def layer_constants(problem: Problem) -> dict[str, int] | None:
    """The constants of a kernel's text that a forward problem fixes; None where these kernels do not serve.

    They are for filters of any strides, a bias or none, and any activation but softplus whose parameters float32 holds.
    One axis is the width.
    """
    spec, epilogue = few_channels(problem, "conv_forward"), problem.epilogue
    if spec is None or epilogue.residual or not has_activation(epilogue):
        return None
    x, w, y = (problem.tensor(role) for role in ("x", "w", "y"))
    if math.prod(w.shape[2:]) > _MOST_TAPS:
        return None
    reach = sum((count - 1) * stride for count, stride in _axes(w))
    if min(w.strides) < 0 or reach > INDEX_MAX:
        return None
    bias = [(count, stride) for one in problem.tensors if one.role == "bias" for count, stride in _axes(one)]
    if any(count > 1 and stride != 1 for count, stride in bias):
        return None
    constants = {
        "IMAGES": x.shape[0], "CHANNELS": x.shape[1], "FILTERS": w.shape[0], "W_K": w.strides[0], "W_C": w.strides[1],
        "MIRRORED": int(spec.mode == "convolution"), "BIAS": int(epilogue.bias),
    }  # fmt: skip
    for name, values, filler in (
        ("{}", x.shape[2:], 1),
        ("OUT_{}", y.shape[2:], 1),
        ("TAPS_{}", w.shape[2:], 1),
        ("STRIDE_{}", spec.stride, 1),
        ("DILATION_{}", spec.dilation, 1),
        ("PAD_{}", spec.pre_padding, 0),
        ("W_{}", w.strides[2:], 0),
    ):
        axes = ("HEIGHT", "WIDTH") if name in ("{}", "OUT_{}") else ("H", "W")
        constants.update(zip(map(name.format, axes), lift_axes(values, filler), strict=True))
    return constants


def _axes(one: TensorSpec) -> Iterator[tuple[int, int]]:
    return zip(one.shape, one.strides, strict=True)
