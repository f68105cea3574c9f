"""What kernels for convolutions of up to four channels have in common: constants of their text, and epilogues."""

from __future__ import annotations

import math
from collections.abc import Iterator

from cudnnkit.arrays.kernels import activation_parameters
from cudnnkit.arrays.view import channels_last_strides, contiguous_strides
from cudnnkit.engines.operands import lift_axes
from cudnnkit.problem import Problem, TensorSpec, normalize_strides

__all__ = ["activation_source", "is_dense", "layer_constants"]

_MOST_CHANNELS = 4
_MOST_TAPS = 256
_LARGEST = 2**31 - 1
_NORMAL = 2.0**-126, (2 - 2.0**-23) * 2.0**127
"""Smallest and largest normal number of float32."""
_ACTIVATIONS = {
    "identity": "v",
    "relu": "v <= 0 ? 0 : v",
    "relu6": "v <= 0 ? 0 : v >= 6 ? 6 : v",
    "clipped_relu": "v <= 0 ? (0 < {0} ? 0 : {0}) : v >= {0} ? {0} : v",
    "leaky_relu": "v > 0 ? v : {0} * v",
    "elu": "v > 0 ? v : {0} * expm1f(v)",
    "sigmoid": "1 / (1 + expf(-v))",
    "tanh": "tanhf(v)",
    "silu": "v / (1 + expf(-v))",
    "swish": "v / (1 + expf(-{0} * v))",
    "gelu": "0.5f * v * (1 + erff(v * 0.70710678f))",
    "gelu_tanh": "0.5f * v * (1 + tanhf(0.79788456f * (v + 0.044715f * v * v * v)))",
}
"""In CUDA C++; what is no number stays none. Softplus has no formula here."""


def is_dense(one: TensorSpec, *, last: bool) -> bool:
    """Whether a tensor is dense in NHWC (`last`) or NCHW; the stride of an axis of size 1 is any."""
    dense = channels_last_strides(one.shape) if last else contiguous_strides(one.shape)
    return normalize_strides(one.shape, one.strides, channels_last=last) == dense


def layer_constants(problem: Problem) -> dict[str, int] | None:
    """The constants of a kernel's text that a problem fixes; None where these kernels do not serve.

    They are for one type, one group of up to four channels on one or two axes, filters of any strides, a bias or none,
    and any activation but softplus whose parameters float32 holds. One axis is the width. What a kernel asks of types
    and layouts is its own.
    """
    spec, epilogue = problem.convolution, problem.epilogue
    if problem.operation != "conv_forward" or spec is None or spec.groups != 1 or epilogue.residual:
        return None
    x, w, y = (problem.tensor(role) for role in ("x", "w", "y"))
    if any(one.dtype != x.dtype for one in problem.tensors) or problem.compute != "float32":
        return None
    if (problem.alpha, problem.beta, problem.aliasing) != ("one", "zero", ()):
        return None
    if any(name != "library" for name, _ in problem.parameters):  # channels padded for cuDNN's engines
        return None
    if (epilogue.activation or "identity") not in _ACTIVATIONS or not all(map(_held, epilogue.parameters)):
        return None
    if not 3 <= len(x.shape) <= 4 or x.shape[1] > _MOST_CHANNELS or math.prod(w.shape[2:]) > _MOST_TAPS:
        return None
    if any(not 0 < math.prod(one.shape) <= _LARGEST for one in (x, w, y)):
        return None
    reach = sum((count - 1) * stride for count, stride in _axes(w))
    if min(w.strides) < 0 or reach > _LARGEST:
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


def _held(parameter: float) -> bool:
    """Whether float32 holds a number as it is but for rounding; a compiler refuses others, or makes 0 of them."""
    least, most = _NORMAL
    return parameter == 0 or least <= abs(parameter) <= most


def activation_source(problem: Problem) -> str:
    """CUDA C++ for the epilogue's activation: ``float activated(float)``."""
    name = problem.epilogue.activation or "identity"
    parameters = activation_parameters(name, problem.epilogue.parameters)
    formula = _ACTIVATIONS[name].format(*(f"({one!r}f)" for one in map(float, parameters)))
    return f"__device__ inline float activated(float v) {{ return {formula}; }}"


def _axes(one: TensorSpec) -> Iterator[tuple[int, int]]:
    return zip(one.shape, one.strides, strict=True)
