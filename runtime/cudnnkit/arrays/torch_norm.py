"""Batch normalisation by torch's native CUDA kernels (not by torch's use of cuDNN)."""

from __future__ import annotations

from typing import Any

__all__ = ["TorchNorm"]


class TorchNorm:
    """Implements ``NormKernels`` with ``aten::native_batch_norm`` and plain arithmetic."""

    def __init__(self) -> None:
        import torch

        self._torch: Any = torch

    @staticmethod
    def _wide(array: Any) -> Any:
        return array.float() if array.element_size() < 4 else array

    def fold(
        self, w: Any, bias: Any, mean: Any, variance: Any, scale: Any, shift: Any, eps: float, w_out: Any, bias_out: Any
    ) -> None:
        """Both in float32 at least, rounded once."""
        wide = self._wide
        with self._torch.no_grad():
            factor = (wide(variance) + eps).rsqrt()
            if scale is not None:
                factor = factor * wide(scale)
            w_out.copy_(wide(w) * factor.reshape((-1,) + (1,) * (w.dim() - 1)))
            offset = -wide(mean) * factor if bias is None else (wide(bias) - wide(mean)) * factor
            bias_out.copy_(offset if shift is None else offset + wide(shift))

    def normalize(self, x: Any, mean: Any, spread: Any, eps: float | None, scale: Any, bias: Any, out: Any) -> None:
        """``torch.batch_norm_elemt`` takes the inverse of the deviation."""
        with self._torch.no_grad():
            inverse = spread if eps is None else (spread + eps).rsqrt()
            self._torch.batch_norm_elemt(x, scale, bias, mean, inverse, 0.0, out=out)

    def training(
        self, x: Any, scale: Any, bias: Any, running: tuple[Any, Any] | None, momentum: float, eps: float, out: Any,
        mean: Any, inverse_std: Any,
    ) -> None:  # fmt: skip
        """``aten::native_batch_norm``, which updates the running statistics as it goes."""
        torch = self._torch
        kept = (None, None) if running is None else running
        with torch.no_grad():
            torch.ops.aten.native_batch_norm.out(
                x, scale, bias, *kept, True, momentum, eps, out=out, save_mean=mean, save_invstd=inverse_std
            )

    def statistics(
        self, x: Any, running: tuple[Any, Any] | None, momentum: float, eps: float, mean: Any, inverse_std: Any
    ) -> None:
        """``torch.batch_norm_stats``; the running ones by what torch has for several devices, of which this is one."""
        torch = self._torch
        with torch.no_grad():
            average, inverse = torch.batch_norm_stats(x, eps)
            if running is not None:
                count = x.numel() // x.shape[1]
                torch.batch_norm_gather_stats(x, average[None], inverse[None], *running, momentum, eps, count)
            mean.copy_(average)
            inverse_std.copy_(inverse)

    def backward(
        self, dy: Any, x: Any, scale: Any, mean: Any, inverse_std: Any, dx: Any, dscale: Any, dbias: Any
    ) -> None:
        """``aten::native_batch_norm_backward``; its results are copied, since it takes no outputs."""
        torch = self._torch
        with torch.no_grad():
            found = torch.ops.aten.native_batch_norm_backward(
                dy, x, scale, None, None, mean, inverse_std, True, 0.0, [True, True, True]
            )
            for target, value in zip((dx, dscale, dbias), found, strict=True):
                target.copy_(value)

    def sums(self, dy: Any, x: Any, mean: Any, inverse_std: Any, dscale: Any, dbias: Any) -> None:
        """``torch.batch_norm_backward_reduce``; without a weight it answers no gradient of one, but sums it can be
        made of: those of dy, and of dy times x without its mean.
        """
        torch = self._torch
        with torch.no_grad():
            total, along, _, _ = torch.batch_norm_backward_reduce(dy, x, mean, inverse_std, None, True, False, False)
            torch.mul(along, inverse_std, out=dscale)
            dbias.copy_(total)

    def apply(self, dy: Any, x: Any, scale: Any, mean: Any, inverse_std: Any, dscale: Any, dbias: Any, dx: Any) -> None:
        """``torch.batch_norm_backward_elemt``, which takes the sum of dy times x without its mean."""
        torch = self._torch
        with torch.no_grad():
            count = torch.full((1,), x.numel() // x.shape[1], dtype=torch.int32, device=x.device)
            along = dscale / inverse_std
            dx.copy_(torch.batch_norm_backward_elemt(dy, x, mean, inverse_std, scale, dbias, along, count))
