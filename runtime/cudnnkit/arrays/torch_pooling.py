"""Pooling by torch's own kernels, called so that they write where they are told to.

Torch's maxima come with 64-bit places of the maxima, which cost as much memory traffic as the data itself; nothing in
torch leaves them out.
"""

from __future__ import annotations

from typing import Any

from cudnnkit.arrays.pooling import pool, pool_backward
from cudnnkit.problem import PoolingSpec

__all__ = ["TorchPooling"]


class _Math:
    """Implements ``ArrayMath``."""

    def __init__(self, torch: Any) -> None:
        self.maximum, self.isnan, self.where = torch.maximum, torch.isnan, torch.where
        self._torch = torch

    def zeros(self, like: Any, shape: tuple[int, ...], dtype: str) -> Any:
        torch = self._torch
        made = torch.zeros(shape, dtype=getattr(torch, dtype), device=like.device)
        if len(shape) == 4 and like.is_contiguous(memory_format=torch.channels_last):
            return made.to(memory_format=torch.channels_last)
        return made


def _lifted(arrays: tuple[Any, ...], spec: PoolingSpec) -> tuple[tuple[Any, ...], dict[str, list[int]]]:
    """Arrays with at least two spatial axes, and the parameters as torch names them."""
    rank = len(spec.window)
    sizes = {"kernel_size": spec.window, "stride": spec.stride, "padding": spec.pre_padding}
    if rank > 1:
        return arrays, {name: list(one) for name, one in sizes.items()}
    fill = {"kernel_size": 1, "stride": 1, "padding": 0}
    taller = tuple(one.unsqueeze(2) for one in arrays)
    return taller, {name: [fill[name], *one] for name, one in sizes.items()}


def _misplaced(out: Any) -> bool:
    """Whether torch would write a result in C order whatever its strides, as its poolings of volumes do."""
    return bool(out.dim() == 5 and not out.is_contiguous())


class TorchPooling:
    """Forward and backward; to be called without gradients being recorded."""

    def __init__(self, torch: Any) -> None:
        self._torch, self._math, self._aten = torch, _Math(torch), torch.ops.aten

    def forward(self, x: Any, out: Any, spec: PoolingSpec) -> None:
        """``out = pooling of x``."""
        torch = self._torch
        axes = tuple(range(2, x.dim()))
        if spec.window == tuple(x.shape[2:]) and not any(spec.pre_padding + spec.post_padding):
            if spec.mode == "max":
                torch.amax(x, axes, keepdim=True, out=out)
            else:
                torch.mean(x, axes, keepdim=True, out=out)
            return
        if not spec.symmetric:
            pool(self._math, x, out, spec)
            return
        if _misplaced(out):
            dense = torch.empty(out.shape, dtype=out.dtype, device=out.device)
            self.forward(x, dense, spec)
            out.copy_(dense)
            return
        (x, out), sizes = _lifted((x, out), spec)
        if spec.mode == "max":
            self._maxima(x, out, sizes)
            return
        function = self._aten.avg_pool2d.out if x.dim() == 4 else self._aten.avg_pool3d.out
        function(x, **sizes, ceil_mode=False, count_include_pad=spec.mode == "average_include_padding", out=out)

    def _maxima(self, x: Any, out: Any, sizes: dict[str, list[int]]) -> Any:
        """Maxima, and where they are."""
        aten = self._aten
        function = aten.max_pool2d_with_indices.out if x.dim() == 4 else aten.max_pool3d_with_indices.out
        places = self._torch.empty_like(out, dtype=self._torch.int64)
        function(x, **sizes, dilation=[1] * (x.dim() - 2), ceil_mode=False, out=out, indices=places)
        return places

    def backward(self, dy: Any, y: Any, x: Any, out: Any, spec: PoolingSpec, deterministic: bool) -> None:
        """``out = gradient of the image``."""
        torch, aten = self._torch, self._aten
        average = spec.mode != "max"
        whole = spec.window == tuple(out.shape[2:]) and not any(spec.pre_padding + spec.post_padding)
        if average and whole:
            torch.mul(dy.expand(out.shape), 1.0 / max(out[0, 0].numel(), 1), out=out)
            return
        # Torch adds with atomic operations where windows overlap in volumes, and calls its maxima nondeterministic.
        overlap = any(step < size for step, size in zip(spec.stride, spec.window, strict=True))
        unsteady = not average or (len(spec.window) == 3 and overlap)
        if not spec.symmetric or (deterministic and unsteady):
            pool_backward(self._math, dy, y, x, out, spec)
            return
        if _misplaced(out):
            dense = torch.empty(out.shape, dtype=out.dtype, device=out.device)
            self.backward(dy, y, x, dense, spec, deterministic)
            out.copy_(dense)
            return
        if average:
            (dy, out), sizes = _lifted((dy, out), spec)
            function = aten.avg_pool2d_backward if dy.dim() == 4 else aten.avg_pool3d_backward
            include = spec.mode == "average_include_padding"
            # Of its third operand, the image, it takes nothing but shape and layout.
            function.grad_input(
                dy, out, **sizes, ceil_mode=False, count_include_pad=include, divisor_override=None, grad_input=out
            )
            return
        (dy, y, x, out), sizes = _lifted((dy, y, x, out), spec)
        places = self._maxima(x, torch.empty_like(y), sizes)
        flat = dy.dim() == 4
        function = aten.max_pool2d_with_indices_backward if flat else aten.max_pool3d_with_indices_backward
        dilation = [1] * (dy.dim() - 2)
        function.grad_input(dy, x, **sizes, dilation=dilation, ceil_mode=False, indices=places, grad_input=out)
