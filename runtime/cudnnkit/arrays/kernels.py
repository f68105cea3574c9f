"""What the array libraries' own elementwise kernels do, as one protocol; and the activations' formulas.

These kernels are candidates beside cuDNN's, finish what no engine fuses, and answer where there is nothing to compute.
Formulas are written once over a small namespace (``exp``, ``tanh``, ``where``, ...), which NumPy, torch and plain
floats provide.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from cudnnkit.problem import PoolingSpec

__all__ = ["FORMULAS", "GRADIENTS", "Kernels", "ScalarMath", "activation_parameters"]


class Kernels(Protocol):
    """Elementwise kernels of one array library, on its current stream. Arrays are the library's own."""

    def copy(self, source: Any, target: Any) -> None:
        """Copy the elements into an array of the same shape, whatever the strides."""
        ...

    def fill(self, array: Any, value: float) -> None:
        """Set every element."""
        ...

    def randomize(self, array: Any) -> None:
        """Fill with random numbers of about size one."""
        ...

    def scale(self, x: Any, out: Any, alpha: float, beta: float) -> None:
        """``out = alpha * x + beta * out``; x None counts as zero. With beta 0 the old out is not read."""
        ...

    def epilogue(
        self,
        x: Any,
        out: Any,
        bias: Any,
        residual: Any,
        activation: str | None,
        parameters: tuple[float, ...],
        residual_after: bool = False,
    ) -> None:
        """``out = activation(x + residual + bias)``, or with `residual_after` ``activation(x + bias) + residual``.

        bias broadcasts against x; out may be x or residual.
        """
        ...

    def activation_backward(self, dy: Any, x: Any, out: Any, activation: str, parameters: tuple[float, ...]) -> None:
        """``out = dy * activation'(x)``; out may be dy or x."""
        ...

    def softmax(self, x: Any, out: Any, axis: int, log: bool) -> None:
        """Softmax, or its logarithm, along an axis."""
        ...

    def softmax_backward(self, y: Any, dy: Any, out: Any, axis: int, log: bool) -> None:
        """Gradient of softmax from its result y."""
        ...

    def channel_sum(self, dy: Any, out: Any, alpha: float, beta: float) -> None:
        """``out = alpha * sum of dy over all axes but 1 + beta * out``."""
        ...

    def pool(self, x: Any, out: Any, spec: PoolingSpec) -> None:
        """``out = pooling of x``, over axes 2 and on."""
        ...

    def pool_backward(self, dy: Any, y: Any, x: Any, out: Any, spec: PoolingSpec, *, deterministic: bool) -> None:
        """Gradient of a pooling's image; y and x, its result and the image, are given for maxima only."""
        ...

    def product(self, a: Any, b: Any, out: Any) -> None:
        """``out = a @ b``; b is a matrix, a may have more axes in front; out is none of both."""
        ...

    def dot(self, a: Any, b: Any) -> float:
        """Sum of products of two small arrays, in float64."""
        ...

    def read(self, array: Any, index: tuple[int, ...]) -> float:
        """One element."""
        ...

    def values(self, array: Any) -> list[float]:
        """All elements of a small array, in its axes' order."""
        ...

    def largest(self, array: Any) -> float:
        """The greatest magnitude of all elements, NaN where one is NaN; 0 of an empty array."""
        ...

    def nan(self, array: Any) -> bool:
        """Whether any element is NaN."""
        ...


def _softplus(m: Any, x: Any, beta: float) -> Any:
    z = beta * x
    # For large z the exponential overflows and softplus is z.
    return (m.maximum(z, 0.0 * z) + m.log1p(m.exp(-abs(z)))) / beta


def _sigmoid(m: Any, x: Any) -> Any:
    return 0.5 * (1.0 + m.tanh(0.5 * x))


def _cdf(m: Any, x: Any) -> Any:
    return 0.5 * (1.0 + m.erf(x * math.sqrt(0.5)))


def _inner(m: Any, x: Any) -> Any:
    return m.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x))


def _gelu_tanh_gradient(m: Any, x: Any) -> Any:
    t = _inner(m, x)
    slope = math.sqrt(2 / math.pi) * (1.0 + 3 * 0.044715 * x * x)
    return 0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * slope


def _swish_gradient(m: Any, x: Any, beta: float = 1.0) -> Any:
    s = _sigmoid(m, beta * x)
    return s + beta * x * s * (1.0 - s)


def _negative(m: Any, x: Any) -> Any:
    return m.minimum(x, 0.0 * x)


FORMULAS: dict[str, Callable[..., Any]] = {
    "identity": lambda m, x: x,  # noqa: ARG005
    "relu": lambda m, x: m.maximum(x, 0.0),
    "relu6": lambda m, x: m.minimum(m.maximum(x, 0.0), 6.0),
    "clipped_relu": lambda m, x, limit: m.minimum(m.maximum(x, 0.0), limit),
    "leaky_relu": lambda m, x, slope: m.where(x > 0, x, slope * x),
    "elu": lambda m, x, alpha: m.where(x > 0, x, alpha * m.expm1(_negative(m, x))),
    "sigmoid": _sigmoid,
    "tanh": lambda m, x: m.tanh(x),
    "gelu": lambda m, x: x * _cdf(m, x),
    "gelu_tanh": lambda m, x: 0.5 * x * (1.0 + _inner(m, x)),
    "silu": lambda m, x: x * _sigmoid(m, x),
    "swish": lambda m, x, beta: x * _sigmoid(m, beta * x),
    "softplus": _softplus,
}
"""Activation to its value: ``formula(m, x, *parameters)``."""

GRADIENTS: dict[str, Callable[..., Any]] = {
    "identity": lambda m, x: 1.0 + 0.0 * x,  # noqa: ARG005
    "relu": lambda m, x: m.where(x > 0, 1.0, 0.0),
    "relu6": lambda m, x: m.where((x > 0) & (x < 6.0), 1.0, 0.0),
    "clipped_relu": lambda m, x, limit: m.where((x > 0) & (x < limit), 1.0, 0.0),
    "leaky_relu": lambda m, x, slope: m.where(x > 0, 1.0, slope),
    "elu": lambda m, x, alpha: m.where(x > 0, 1.0, alpha * m.exp(_negative(m, x))),
    "sigmoid": lambda m, x: _sigmoid(m, x) * (1.0 - _sigmoid(m, x)),
    "tanh": lambda m, x: 1.0 - m.tanh(x) ** 2,
    "gelu": lambda m, x: _cdf(m, x) + x * m.exp(-0.5 * x * x) / math.sqrt(2 * math.pi),
    "gelu_tanh": _gelu_tanh_gradient,
    "silu": _swish_gradient,
    "swish": _swish_gradient,
    "softplus": lambda m, x, beta: _sigmoid(m, beta * x),
}
"""Activation to its derivative with respect to its input."""

_DEFAULTS: dict[str, tuple[float, ...]] = {
    "clipped_relu": (6.0,),
    "leaky_relu": (0.01,),
    "elu": (1.0,),
    "swish": (1.0,),
    "softplus": (1.0,),
}


def activation_parameters(activation: str, given: tuple[float, ...]) -> tuple[float, ...]:
    """The parameters of an activation's formula, defaults for those that are not given."""
    if activation == "silu":
        return ()
    return (*given, *_DEFAULTS.get(activation, ())[len(given) :])


class ScalarMath:
    """The formulas' namespace for plain floats."""

    exp, expm1, log1p, erf, tanh = math.exp, math.expm1, math.log1p, math.erf, math.tanh
    maximum, minimum = staticmethod(max), staticmethod(min)

    @staticmethod
    def where(condition: bool, yes: float, no: float) -> float:
        """`yes` if the condition holds, else `no`."""
        return yes if condition else no
