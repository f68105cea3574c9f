"""Elementwise kernels of torch: its native functions where it has them, the formulas elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cudnnkit.arrays.kernels import FORMULAS, GRADIENTS, activation_parameters
from cudnnkit.arrays.torch_pooling import TorchPooling

__all__ = ["TorchKernels"]

_SOFTPLUS_IS_LINEAR = 40.0
"""From here on softplus(z) is z in float64 too; torch's default, 20, is off by 2e-9. exp(40) fits into float32."""


class _Math:
    def __init__(self, torch: Any) -> None:
        self.exp, self.expm1, self.log1p, self.tanh, self.erf = (
            torch.exp, torch.expm1, torch.log1p, torch.tanh, torch.erf,
        )  # fmt: skip
        self.where = torch.where
        self._torch = torch

    def maximum(self, x: Any, other: Any) -> Any:
        return x.clamp(min=other) if isinstance(other, float) else self._torch.maximum(x, other)

    def minimum(self, x: Any, other: Any) -> Any:
        return x.clamp(max=other) if isinstance(other, float) else self._torch.minimum(x, other)


def _in_place(torch: Any) -> dict[str, Callable[..., Any]]:
    """Activations that torch applies to a tensor in place."""
    f = torch.nn.functional
    return {
        "identity": lambda v: v,
        "relu": torch.relu_,
        "relu6": lambda v: v.clamp_(0.0, 6.0),
        "clipped_relu": lambda v, limit: v.clamp_(0.0, limit),
        "leaky_relu": f.leaky_relu_,
        "elu": f.elu_,
        "sigmoid": torch.sigmoid_,
        "tanh": torch.tanh_,
        "silu": lambda v: f.silu(v, inplace=True),
    }


def _elsewhere(torch: Any) -> dict[str, Callable[..., Any]]:
    """Activations that torch only writes somewhere else: ``function(x, *parameters, out=...)``."""
    nn = torch._C._nn
    return {
        "gelu": lambda v, out: nn.gelu(v, approximate="none", out=out),
        "gelu_tanh": lambda v, out: nn.gelu(v, approximate="tanh", out=out),
        "silu": lambda v, out: nn.silu(v, out=out),
        "softplus": lambda v, beta, out: nn.softplus(v, beta, _SOFTPLUS_IS_LINEAR, out=out),
        "leaky_relu": lambda v, slope, out: nn.leaky_relu(v, slope, out=out),
        "elu": lambda v, alpha, out: nn.elu(v, alpha, out=out),
        "sigmoid": lambda v, out: torch.sigmoid(v, out=out),
        "tanh": lambda v, out: torch.tanh(v, out=out),
        "relu": lambda v, out: torch.clamp_min(v, 0.0, out=out),
        "relu6": lambda v, out: torch.clamp(v, 0.0, 6.0, out=out),
        "clipped_relu": lambda v, limit, out: torch.clamp(v, 0.0, limit, out=out),
    }


def _gradients(torch: Any) -> dict[str, Callable[..., Any]]:
    """``out`` from (dy, x) by torch's own backward kernels; out may be one of them."""
    aten = torch.ops.aten
    threshold, hardtanh = aten.threshold_backward.grad_input, aten.hardtanh_backward.grad_input
    leaky, elu = aten.leaky_relu_backward.grad_input, aten.elu_backward.grad_input
    gelu, softplus = aten.gelu_backward.grad_input, aten.softplus_backward.grad_input
    silu = aten.silu_backward.grad_input
    return {
        "identity": lambda dy, x, out: out.copy_(dy),  # noqa: ARG005
        "relu": lambda dy, x, out: threshold(dy, x, 0.0, grad_input=out),
        "relu6": lambda dy, x, out: hardtanh(dy, x, 0.0, 6.0, grad_input=out),
        "clipped_relu": lambda dy, x, limit, out: hardtanh(dy, x, 0.0, limit, grad_input=out),
        "leaky_relu": lambda dy, x, slope, out: leaky(dy, x, slope, False, grad_input=out),
        "elu": lambda dy, x, alpha, out: elu(dy, alpha, 1.0, 1.0, False, x, grad_input=out),
        "gelu": lambda dy, x, out: gelu(dy, x, approximate="none", grad_input=out),
        "gelu_tanh": lambda dy, x, out: gelu(dy, x, approximate="tanh", grad_input=out),
        "silu": lambda dy, x, out: silu(dy, x, grad_input=out),
        "softplus": lambda dy, x, beta, out: softplus(dy, x, beta, _SOFTPLUS_IS_LINEAR, grad_input=out),
    }


class TorchKernels:
    """Implements ``Kernels``."""

    def __init__(self) -> None:
        import torch

        self._torch: Any = torch
        self._math = _Math(torch)
        self._pooling = TorchPooling(torch)
        self._inplace, self._outside, self._slopes = _in_place(torch), _elsewhere(torch), _gradients(torch)

    def copy(self, source: Any, target: Any) -> None:
        """``target.copy_(source)``, in inference mode where the target was made in it."""
        torch = self._torch
        with torch.inference_mode() if target.is_inference() else torch.no_grad():
            target.copy_(source)

    def fill(self, array: Any, value: float) -> None:
        """``array.fill_(value)``."""
        with self._torch.no_grad():
            array.fill_(value)

    def randomize(self, array: Any) -> None:
        """Normal random numbers; the user's random state is left alone."""
        torch = self._torch
        generator = torch.Generator(device=array.device).manual_seed(0)
        for axis, step in enumerate(array.stride()):
            if step == 0 and array.shape[axis] > 1:  # expanded: torch writes no element twice
                array = array.narrow(axis, 0, 1)
        with torch.no_grad():
            array.copy_(torch.randn(array.shape, generator=generator, device=array.device, dtype=torch.float32))

    def scale(self, x: Any, out: Any, alpha: float, beta: float) -> None:
        """``out = alpha * x + beta * out``."""
        with self._torch.no_grad():
            if not beta:
                if x is None:
                    out.zero_()
                else:
                    self._torch.mul(x, alpha, out=out)
                return
            if beta != 1:
                out.mul_(beta)
            if x is not None:
                out.add_(x, alpha=alpha)

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
        """``out = activation(x + residual + bias)``, or ``activation(x + bias) + residual``.

        Torch computes each step in float32 and rounds after it.
        """
        torch = self._torch
        with torch.no_grad():
            value = x
            if residual is not None and residual_after:
                if residual.data_ptr() == out.data_ptr():
                    residual = residual.clone()
                self.epilogue(x, out, bias, None, activation, parameters)
                out.add_(residual)
                return
            if residual is not None:
                value = torch.add(value, residual, out=out)
            if bias is not None:
                value = torch.add(value, bias, out=out)
            self._activate(value, out, activation, parameters)

    def _activate(self, value: Any, out: Any, activation: str | None, parameters: tuple[float, ...]) -> None:
        if activation is None or activation == "identity":
            if value is not out and value.data_ptr() != out.data_ptr():
                out.copy_(value)
            return
        given = activation_parameters(activation, parameters)
        within = self._inplace.get(activation)
        if value is out and within is not None:
            within(out, *given)
            return
        function = self._outside.get(activation)
        if function is None or value is out or value.data_ptr() == out.data_ptr():
            out.copy_(FORMULAS[activation](self._math, value.float() if value.element_size() < 4 else value, *given))
        else:
            function(value, *given, out=out)

    def activation_backward(self, dy: Any, x: Any, out: Any, activation: str, parameters: tuple[float, ...]) -> None:
        """``out = dy * activation'(x)``."""
        given = activation_parameters(activation, parameters)
        with self._torch.no_grad():
            native = self._slopes.get(activation)
            if native is not None:
                native(dy, x, *given, out=out)
                return
            wide = x.float() if x.element_size() < 4 else x
            out.copy_(dy * GRADIENTS[activation](self._math, wide, *given))

    def softmax(self, x: Any, out: Any, axis: int, log: bool) -> None:
        """``torch.softmax``, ``torch.log_softmax``."""
        torch = self._torch
        with torch.no_grad():
            if x.data_ptr() == out.data_ptr():
                x = x.clone()
            (torch.log_softmax if log else torch.softmax)(x, axis, out=out)

    def softmax_backward(self, y: Any, dy: Any, out: Any, axis: int, log: bool) -> None:
        """Torch's backward kernels of both."""
        torch, aten = self._torch, self._torch.ops.aten
        with torch.no_grad():
            function = aten._log_softmax_backward_data if log else aten._softmax_backward_data
            out.copy_(function(dy, y, axis, y.dtype))

    def channel_sum(self, dy: Any, out: Any, alpha: float, beta: float) -> None:
        """Sum over all axes but 1."""
        axes = tuple(axis for axis in range(dy.dim()) if axis != 1)
        with self._torch.no_grad():
            wide = self._torch.float32 if dy.element_size() < 4 else dy.dtype
            total = dy.sum(dim=axes, dtype=wide).reshape(out.shape).mul_(alpha)
            out.copy_(total.add_(out, alpha=beta) if beta else total)

    def pool(self, x: Any, out: Any, spec: Any) -> None:
        """Torch's pooling kernels where the padding is symmetric, reductions over whole images, else tap by tap."""
        with self._torch.no_grad():
            self._pooling.forward(x, out, spec)

    def pool_backward(self, dy: Any, y: Any, x: Any, out: Any, spec: Any, *, deterministic: bool) -> None:
        """Torch's backward kernels, or tap by tap where those differ from run to run and must not."""
        with self._torch.no_grad():
            self._pooling.backward(dy, y, x, out, spec, deterministic)

    def product(self, a: Any, b: Any, out: Any) -> None:
        """``torch.matmul``."""
        with self._torch.no_grad():
            self._torch.matmul(a, b, out=out)

    def dot(self, a: Any, b: Any) -> float:
        """Sum of products in float64."""
        with self._torch.no_grad():
            return float((a.double() * b.double()).sum())

    def read(self, array: Any, index: tuple[int, ...]) -> float:
        """One element."""
        return float(array[index].item())

    def values(self, array: Any) -> list[float]:
        """All elements."""
        found: list[float] = array.double().flatten().tolist()
        return found

    def largest(self, array: Any) -> float:
        """``abs(array).max()``."""
        with self._torch.no_grad():
            return float(array.abs().max()) if array.numel() else 0.0

    def nan(self, array: Any) -> bool:
        """Whether any element is NaN."""
        return bool(self._torch.isnan(array).any())
