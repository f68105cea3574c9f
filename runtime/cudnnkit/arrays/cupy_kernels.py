"""Elementwise kernels for CuPy: one fused kernel for each combination, compiled at its first use.

Half data computes in float32 and is rounded once.
"""

from __future__ import annotations

from typing import Any

from cudnnkit.arrays.kernels import activation_parameters
from cudnnkit.arrays.pooling import ModuleMath, pool, pool_backward

__all__ = ["CupyKernels"]

_SIGMOID = "(1 / (1 + exp(-({0}))))"
_INNER = "tanh((C)0.7978845608028654 * (v + (C)0.044715 * v * v * v))"
_VALUES = {
    "identity": "v",
    "relu": "max(v, (C)0)",
    "relu6": "min(max(v, (C)0), (C)6)",
    "clipped_relu": "min(max(v, (C)0), p)",
    "leaky_relu": "v > 0 ? v : p * v",
    "elu": "v > 0 ? v : p * expm1(v)",
    "sigmoid": _SIGMOID.format("v"),
    "tanh": "tanh(v)",
    "gelu": "(C)0.5 * v * (1 + erf(v * (C)0.7071067811865476))",
    "gelu_tanh": f"(C)0.5 * v * (1 + {_INNER})",
    "silu": f"v * {_SIGMOID.format('v')}",
    "swish": f"v * {_SIGMOID.format('p * v')}",
    "softplus": "(max(p * v, (C)0) + log1p(exp(-abs(p * v)))) / p",
}
_SLOPES = {
    "identity": "1",
    "relu": "v > 0 ? 1 : 0",
    "relu6": "v > 0 && v < 6 ? 1 : 0",
    "clipped_relu": "v > 0 && v < p ? 1 : 0",
    "leaky_relu": "v > 0 ? (C)1 : p",
    "elu": "v > 0 ? (C)1 : p * exp(v)",
    "sigmoid": f"{_SIGMOID.format('v')} * (1 - {_SIGMOID.format('v')})",
    "tanh": "1 - tanh(v) * tanh(v)",
    "gelu": "(C)0.5 * (1 + erf(v * (C)0.7071067811865476)) + v * exp(-v * v / 2) * (C)0.3989422804014327",
    "gelu_tanh": (
        f"(C)0.5 * (1 + {_INNER}) + (C)0.5 * v * (1 - {_INNER} * {_INNER})"
        " * (C)0.7978845608028654 * (1 + (C)0.134145 * v * v)"
    ),
    "silu": f"{_SIGMOID.format('v')} * (1 + v * (1 - {_SIGMOID.format('v')}))",
    "swish": f"{_SIGMOID.format('p * v')} * (1 + p * v * (1 - {_SIGMOID.format('p * v')}))",
    "softplus": _SIGMOID.format("p * v"),
}


class CupyKernels:
    """Implements ``Kernels``."""

    def __init__(self) -> None:
        import cupy

        self._cupy: Any = cupy
        self._made: dict[tuple[Any, ...], Any] = {}

    def _kernel(self, name: str, inputs: tuple[str, ...], body: str, dtype: Any) -> Any:
        """An ElementwiseKernel whose operands all have type T and whose arithmetic has type C."""
        key = name, inputs, body, dtype
        found = self._made.get(key)
        if found is None:
            wide = "double" if dtype.name == "float64" else "float"
            signature = ", ".join(
                [*(f"T {one}" for one in inputs), f"{'float64' if wide == 'double' else 'float32'} p"]
            )
            found = self._cupy.ElementwiseKernel(
                signature, "T out", body.replace("(C)", f"({wide})").replace("C ", f"{wide} "), f"cudnnkit_{name}"
            )
            self._made[key] = found
        return found

    def copy(self, source: Any, target: Any) -> None:
        """``target[...] = source``."""
        target[...] = source

    def fill(self, array: Any, value: float) -> None:
        """``array.fill(value)``."""
        array.fill(value)

    def randomize(self, array: Any) -> None:
        """Uniform random numbers in -1 to 1; the user's random state is left alone."""
        random = self._cupy.random.RandomState(0)
        array[...] = random.random_sample(array.shape, dtype="f4") * 2 - 1

    def scale(self, x: Any, out: Any, alpha: float, beta: float) -> None:
        """``out = alpha * x + beta * out``."""
        if x is None:
            if beta:
                out *= out.dtype.type(beta)
            else:
                out.fill(0)
        elif beta:
            body = "out = (T)(p * (C)x + (C)old)" if beta == 1 else ""
            if body:
                self._kernel("add_scaled", ("x", "old"), body, out.dtype)(x, out, alpha, out)
            else:
                out *= out.dtype.type(beta)
                self.scale(x, out, alpha, 1.0)
        else:
            self._kernel("scaled", ("x",), "out = (T)(p * (C)x)", out.dtype)(x, alpha, out)

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
        """``out = activation(x + residual + bias)``, or ``activation(x + bias) + residual``, in one kernel."""
        given: list[Any] = [x]
        names, total, last = ["x"], "(C)x", ""
        for name, operand in (("residual", residual), ("bias", bias)):
            if operand is not None:
                given.append(operand if operand.dtype == x.dtype else operand.astype(x.dtype))
                names.append(name)
                if name == "residual" and residual_after:
                    last = f" + (C){name}"
                else:
                    total += f" + (C){name}"
        activation = activation or "identity"
        body = f"C v = {total}; out = (T)(({_VALUES[activation]}){last})"
        self._kernel(activation, tuple(names), body, x.dtype)(*given, self._parameter(activation, parameters), out)

    @staticmethod
    def _parameter(activation: str, parameters: tuple[float, ...]) -> float:
        return (*activation_parameters(activation, parameters), 0.0)[0]

    def activation_backward(self, dy: Any, x: Any, out: Any, activation: str, parameters: tuple[float, ...]) -> None:
        """``out = dy * activation'(x)`` in one kernel."""
        body = f"C v = (C)x; C s = {_SLOPES[activation]}; out = (T)((C)dy * s)"
        kernel = self._kernel(f"{activation}_backward", ("dy", "x"), body, x.dtype)
        kernel(dy, x, self._parameter(activation, parameters), out)

    def _wide(self, array: Any) -> Any:
        return array if array.dtype.itemsize >= 4 else array.astype("f4")

    def softmax(self, x: Any, out: Any, axis: int, log: bool) -> None:
        """Softmax along an axis, the maximum taken away first."""
        cupy, value = self._cupy, self._wide(x)
        value = value - value.max(axis=axis, keepdims=True)
        exponential = cupy.exp(value)
        total = exponential.sum(axis=axis, keepdims=True)
        out[...] = value - cupy.log(total) if log else exponential / total

    def softmax_backward(self, y: Any, dy: Any, out: Any, axis: int, log: bool) -> None:
        """Gradient of softmax from its result."""
        result, slope = self._wide(y), self._wide(dy)
        if log:
            out[...] = slope - self._cupy.exp(result) * slope.sum(axis=axis, keepdims=True)
        else:
            out[...] = result * (slope - (result * slope).sum(axis=axis, keepdims=True))

    def channel_sum(self, dy: Any, out: Any, alpha: float, beta: float) -> None:
        """Sum over all axes but 1."""
        axes = tuple(axis for axis in range(dy.ndim) if axis != 1)
        total = self._wide(dy).sum(axis=axes).reshape(out.shape) * alpha
        out[...] = total + self._wide(out) * beta if beta else total

    def pool(self, x: Any, out: Any, spec: Any) -> None:
        """Tap by tap."""
        pool(ModuleMath(self._cupy), x, out, spec)

    def pool_backward(self, dy: Any, y: Any, x: Any, out: Any, spec: Any, *, deterministic: bool) -> None:  # noqa: ARG002
        """Tap by tap, the same on every run."""
        pool_backward(ModuleMath(self._cupy), dy, y, x, out, spec)

    def product(self, a: Any, b: Any, out: Any) -> None:
        """``cupy.matmul``."""
        self._cupy.matmul(a, b, out=out)

    def dot(self, a: Any, b: Any) -> float:
        """Sum of products in float64."""
        return float((a.astype("f8") * b.astype("f8")).sum())

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
        return bool(self._cupy.isnan(array).any())
