"""What the array libraries' own kernels do of batch normalisation, and their formulas for NumPy and CuPy.

Vectors have one element for each channel, which is axis 1. Half data is computed in float32 and rounded once; NumPy,
which stands behind the simulated library, computes everything in float64.
"""

from __future__ import annotations

from typing import Any, Protocol

__all__ = ["ArrayNorm", "NormKernels"]


class NormKernels(Protocol):
    """Batch normalisation by one array library, on its current stream. Arrays are the library's own."""

    def fold(
        self, w: Any, bias: Any, mean: Any, variance: Any, scale: Any, shift: Any, eps: float, w_out: Any, bias_out: Any
    ) -> None:
        """Filters (K, ...) and bias (K,) of a convolution that a normalisation of its K results follows.

        ``w_out = w * f`` and ``bias_out = (bias - mean) * f + shift`` with ``f = scale / sqrt(variance + eps)``; bias,
        scale and shift may be None.
        """
        ...

    def normalize(self, x: Any, mean: Any, spread: Any, eps: float | None, scale: Any, bias: Any, out: Any) -> None:
        """``out = (x - mean) * f * scale + bias``.

        f is ``1 / sqrt(spread + eps)``, or spread itself where eps is None; scale and bias may be None.
        """
        ...

    def statistics(
        self, x: Any, running: tuple[Any, Any] | None, momentum: float, eps: float, mean: Any, inverse_std: Any
    ) -> None:
        """The batch's mean and inverse deviation, mixed into the running statistics."""
        ...

    def training(
        self, x: Any, scale: Any, bias: Any, running: tuple[Any, Any] | None, momentum: float, eps: float, out: Any,
        mean: Any, inverse_std: Any,
    ) -> None:  # fmt: skip
        """As ``normalize`` by the batch's own statistics, which are written, and mixed into the running ones."""
        ...

    def backward(
        self, dy: Any, x: Any, scale: Any, mean: Any, inverse_std: Any, dx: Any, dscale: Any, dbias: Any
    ) -> None:
        """Gradients of x, scale and bias from that of the result."""
        ...

    def sums(self, dy: Any, x: Any, mean: Any, inverse_std: Any, dscale: Any, dbias: Any) -> None:
        """The gradients of scale and bias alone."""
        ...

    def apply(self, dy: Any, x: Any, scale: Any, mean: Any, inverse_std: Any, dscale: Any, dbias: Any, dx: Any) -> None:
        """The gradient of x from those of scale and bias."""
        ...


class ArrayNorm:
    """Implements ``NormKernels`` for NumPy and CuPy.

    Parameters
    ----------
    module
        ``numpy`` or ``cupy``.
    wide
        The narrowest type that arithmetic has.
    """

    def __init__(self, module: Any, wide: str) -> None:
        self._module, self._least = module, wide

    def _wide(self, array: Any, rank: int = 0, axis: int = 1) -> Any:
        """In the type of arithmetic; a vector along one of `rank` axes."""
        kind = self._module.promote_types(array.dtype, self._least) if array.dtype.name != "bfloat16" else self._least
        array = array.astype(kind, copy=False)
        return array.reshape((-1,) + (1,) * (rank - 1 - axis)) if rank else array

    def fold(
        self, w: Any, bias: Any, mean: Any, variance: Any, scale: Any, shift: Any, eps: float, w_out: Any, bias_out: Any
    ) -> None:
        """Both in the type of arithmetic, rounded once."""
        factor = 1 / self._module.sqrt(self._wide(variance) + eps)
        if scale is not None:
            factor = factor * self._wide(scale)
        w_out[...] = self._wide(w) * factor.reshape((-1,) + (1,) * (w.ndim - 1))
        offset = -self._wide(mean) * factor if bias is None else (self._wide(bias) - self._wide(mean)) * factor
        bias_out[...] = offset if shift is None else offset + self._wide(shift)

    def normalize(self, x: Any, mean: Any, spread: Any, eps: float | None, scale: Any, bias: Any, out: Any) -> None:
        """One factor and one offset for each channel."""
        factor = self._wide(spread) if eps is None else 1 / self._module.sqrt(self._wide(spread) + eps)
        if scale is not None:
            factor = factor * self._wide(scale)
        value = (self._wide(x) - self._wide(mean, x.ndim)) * self._wide(factor, x.ndim)
        out[...] = value if bias is None else value + self._wide(bias, x.ndim)

    def training(
        self, x: Any, scale: Any, bias: Any, running: tuple[Any, Any] | None, momentum: float, eps: float, out: Any,
        mean: Any, inverse_std: Any,
    ) -> None:  # fmt: skip
        """The statistics, then the normalisation by them."""
        average, inverse = self._statistics(x, running, momentum, eps)
        mean[...], inverse_std[...] = average, inverse
        self.normalize(x, average, inverse, None, scale, bias, out)

    def statistics(
        self, x: Any, running: tuple[Any, Any] | None, momentum: float, eps: float, mean: Any, inverse_std: Any
    ) -> None:
        """Two passes: the mean, then the squares about it."""
        mean[...], inverse_std[...] = self._statistics(x, running, momentum, eps)

    def _statistics(self, x: Any, running: tuple[Any, Any] | None, momentum: float, eps: float) -> tuple[Any, Any]:
        """In the type of arithmetic."""
        axes = tuple(axis for axis in range(x.ndim) if axis != 1)
        wide, count = self._wide(x), x.size // x.shape[1]
        average = wide.mean(axis=axes)
        variance = ((wide - self._wide(average, x.ndim)) ** 2).mean(axis=axes)
        if running is not None:
            unbiased = variance * (count / max(count - 1, 1))
            for kept, new in zip(running, (average, unbiased), strict=True):
                kept[...] = (1 - momentum) * self._wide(kept) + momentum * new
        return average, 1 / self._module.sqrt(variance + eps)

    def backward(
        self, dy: Any, x: Any, scale: Any, mean: Any, inverse_std: Any, dx: Any, dscale: Any, dbias: Any
    ) -> None:
        """The sums, then the gradient of x by them."""
        along, total = self._sums(dy, x, mean, inverse_std)
        dscale[...], dbias[...] = along, total
        self.apply(dy, x, scale, mean, inverse_std, along, total, dx)

    def sums(self, dy: Any, x: Any, mean: Any, inverse_std: Any, dscale: Any, dbias: Any) -> None:
        """Those of dy and of dy times the normalised x."""
        dscale[...], dbias[...] = self._sums(dy, x, mean, inverse_std)

    def _sums(self, dy: Any, x: Any, mean: Any, inverse_std: Any) -> tuple[Any, Any]:
        axes, slope = tuple(axis for axis in range(x.ndim) if axis != 1), self._wide(dy)
        normal = (self._wide(x) - self._wide(mean, x.ndim)) * self._wide(inverse_std, x.ndim)
        return (slope * normal).sum(axis=axes), slope.sum(axis=axes)

    def apply(self, dy: Any, x: Any, scale: Any, mean: Any, inverse_std: Any, dscale: Any, dbias: Any, dx: Any) -> None:
        """``dx = scale * inverse_std * (dy - mean of dy - normalised x * mean of dy times it)``."""
        rank, count = x.ndim, x.size // x.shape[1]
        normal = (self._wide(x) - self._wide(mean, rank)) * self._wide(inverse_std, rank)
        rest = self._wide(dy) - (self._wide(dbias, rank) + normal * self._wide(dscale, rank)) / count
        dx[...] = self._wide(self._wide(scale) * self._wide(inverse_std), rank) * rest
