"""Activations in CUDA C++, for kernels that end with one."""

from __future__ import annotations

from cudnnkit.arrays.kernels import activation_parameters
from cudnnkit.problem import Epilogue

__all__ = ["activation_source", "has_activation"]

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
"""By name, of v; what is no number stays none. Softplus has no formula here."""


def has_activation(epilogue: Epilogue) -> bool:
    """Whether there is a formula for an epilogue's activation, and float32 holds its parameters."""
    return (epilogue.activation or "identity") in _ACTIVATIONS and all(map(_held, epilogue.parameters))


def activation_source(epilogue: Epilogue) -> str:
    """CUDA C++ for an epilogue's activation: ``float activated(float)``."""
    name = epilogue.activation or "identity"
    parameters = activation_parameters(name, epilogue.parameters)
    formula = _ACTIVATIONS[name].format(*(f"({one!r}f)" for one in map(float, parameters)))
    return f"__device__ inline float activated(float v) {{ return {formula}; }}"


def _held(parameter: float) -> bool:
    """Whether float32 holds a number as it is but for rounding; a compiler refuses others, or makes 0 of them."""
    least, most = _NORMAL
    return parameter == 0 or least <= abs(parameter) <= most
