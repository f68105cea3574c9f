"""Elementwise kernels in NumPy, computed in float64 and rounded once."""

from __future__ import annotations

import math
from typing import Any

from cudnnkit.arrays.kernels import FORMULAS, GRADIENTS, activation_parameters
from cudnnkit.arrays.pooling import ModuleMath, pool, pool_backward

__all__ = ["NumpyKernels"]


class _Math:
    def __init__(self, numpy: Any) -> None:
        self.exp, self.expm1, self.log1p, self.tanh = numpy.exp, numpy.expm1, numpy.log1p, numpy.tanh
        self.maximum, self.minimum, self.where = numpy.maximum, numpy.minimum, numpy.where
        self.erf = numpy.vectorize(math.erf, otypes=["f8"])


class NumpyKernels:
    """Implements ``Kernels``."""

    def __init__(self) -> None:
        import numpy

        self._numpy: Any = numpy
        self._math = _Math(numpy)
        self._random: Any = numpy.random.default_rng(0)

    def _wide(self, array: Any) -> Any:
        return array.astype("f8")

    def copy(self, source: Any, target: Any) -> None:
        """``target[...] = source``."""
        target[...] = source

    def fill(self, array: Any, value: float) -> None:
        """``array[...] = value``."""
        array[...] = value

    def randomize(self, array: Any) -> None:
        """Normal random numbers."""
        array[...] = self._random.standard_normal(array.shape)

    def scale(self, x: Any, out: Any, alpha: float, beta: float) -> None:
        """``out = alpha * x + beta * out``."""
        value: Any = 0.0 if x is None else alpha * self._wide(x)
        out[...] = value + beta * self._wide(out) if beta else value

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
        """``out = activation(x + residual + bias)``, or ``activation(x + bias) + residual``."""
        value = self._wide(x)
        if residual is not None and not residual_after:
            value = value + self._wide(residual)
        if bias is not None:
            value = value + self._wide(bias)
        if activation is not None:
            value = FORMULAS[activation](self._math, value, *activation_parameters(activation, parameters))
        if residual is not None and residual_after:
            value = value + self._wide(residual)
        out[...] = value

    def activation_backward(self, dy: Any, x: Any, out: Any, activation: str, parameters: tuple[float, ...]) -> None:
        """``out = dy * activation'(x)``."""
        slope = GRADIENTS[activation](self._math, self._wide(x), *activation_parameters(activation, parameters))
        out[...] = self._wide(dy) * slope

    def softmax(self, x: Any, out: Any, axis: int, log: bool) -> None:
        """Softmax along an axis, the maximum taken away first."""
        numpy, value = self._numpy, self._wide(x)
        value = value - value.max(axis=axis, keepdims=True)
        total = numpy.exp(value).sum(axis=axis, keepdims=True)
        out[...] = value - numpy.log(total) if log else numpy.exp(value) / total

    def softmax_backward(self, y: Any, dy: Any, out: Any, axis: int, log: bool) -> None:
        """Gradient of softmax from its result."""
        result, slope = self._wide(y), self._wide(dy)
        if log:
            out[...] = slope - self._numpy.exp(result) * slope.sum(axis=axis, keepdims=True)
        else:
            out[...] = result * (slope - (result * slope).sum(axis=axis, keepdims=True))

    def channel_sum(self, dy: Any, out: Any, alpha: float, beta: float) -> None:
        """Sum over all axes but 1."""
        axes = tuple(axis for axis in range(dy.ndim) if axis != 1)
        total = alpha * self._wide(dy).sum(axis=axes).reshape(out.shape)
        out[...] = total + beta * self._wide(out) if beta else total

    def pool(self, x: Any, out: Any, spec: Any) -> None:
        """Tap by tap."""
        pool(ModuleMath(self._numpy), x, out, spec)

    def pool_backward(self, dy: Any, y: Any, x: Any, out: Any, spec: Any, *, deterministic: bool) -> None:  # noqa: ARG002
        """Tap by tap, the same on every run."""
        pool_backward(ModuleMath(self._numpy), dy, y, x, out, spec)

    def product(self, a: Any, b: Any, out: Any) -> None:
        """``a @ b``, added up in float32 or wider."""
        out[...] = self._wide(a) @ self._wide(b)

    def dot(self, a: Any, b: Any) -> float:
        """Sum of products in float64."""
        return float((self._wide(a) * self._wide(b)).sum())

    def read(self, array: Any, index: tuple[int, ...]) -> float:
        """One element."""
        return float(array[index])

    def values(self, array: Any) -> list[float]:
        """All elements."""
        found: list[float] = array.astype("f8").ravel().tolist()
        return found

    def largest(self, array: Any) -> float:
        """``abs(array).max()``."""
        return float(abs(array).max()) if array.size else 0.0

    def nan(self, array: Any) -> bool:
        """Whether any element is NaN."""
        return bool(self._numpy.isnan(array).any())
