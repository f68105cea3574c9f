"""Transposed convolution: the data gradient of a convolution, used forwards."""

from __future__ import annotations

from typing import Any

from cudnnkit.dispatch import call
from cudnnkit.geometry import Mode, Padding
from cudnnkit.ops.common import Activation
from cudnnkit.ops.convolution import operation
from cudnnkit.policy import Policy

__all__ = ["conv_transpose1d", "conv_transpose2d", "conv_transpose3d"]

_TRANSPOSE1D = operation("conv_transpose1d", "transposed", 1)
_TRANSPOSE2D = operation("conv_transpose2d", "transposed", 2)
_TRANSPOSE3D = operation("conv_transpose3d", "transposed", 3)


def conv_transpose1d(
    x: Any,
    w: Any,
    bias: Any = None,
    *,
    padding: Padding = 0,
    stride: int | tuple[int, ...] = 1,
    dilation: int | tuple[int, ...] = 1,
    groups: int = 1,
    output_padding: int | tuple[int, ...] = 0,
    mode: Mode = "cross-correlation",
    residual: Any = None,
    activation: Activation = None,
    alpha: float = 1.0,
    beta: float = 0.0,
    out: Any = None,
    policy: Policy | None = None,
    **limits: Any,
) -> Any:
    """A transposed convolution with one spatial axis: as :func:`conv_transpose2d`.

    x is (N, C, L), w is (C, K / groups, S).

    Returns
    -------
    array
        (N, K, L'), of x's type; sizes as in :func:`conv_transpose2d`.

    Raises
    ------
    ArgumentError, UnsupportedError, OutOfMemoryError
        As :func:`cudnnkit.conv`; x has another number of axes.

    Notes
    -----
    ``cudnnConvolutionBackwardData`` and the graph API's engines compete, as in :func:`conv_transpose2d`.
    """
    statics = (padding, stride, dilation, groups, mode, activation, None, output_padding)
    return call(_TRANSPOSE1D, (w, x, bias, residual), out, statics, alpha, beta, policy, limits)


def conv_transpose2d(
    x: Any,
    w: Any,
    bias: Any = None,
    *,
    padding: Padding = 0,
    stride: int | tuple[int, ...] = 1,
    dilation: int | tuple[int, ...] = 1,
    groups: int = 1,
    output_padding: int | tuple[int, ...] = 0,
    mode: Mode = "cross-correlation",
    residual: Any = None,
    activation: Activation = None,
    alpha: float = 1.0,
    beta: float = 0.0,
    out: Any = None,
    policy: Policy | None = None,
    **limits: Any,
) -> Any:
    """``activation(alpha * transposed convolution(x, w) + beta * out + residual + bias)``.

    Parameters
    ----------
    x
        Images, (N, C, H, W); float16, bfloat16, float32 or float64; any strides.
    w
        Filters, (C, K / groups, R, S), of x's type: those of the convolution whose data gradient this is.
    bias
        (K,) or (1, K, 1, 1).
    padding, stride, dilation, groups, mode
        Of that convolution; see :func:`cudnnkit.conv`. Padding takes away from the result.
    output_padding
        Makes the result larger at its ends, where a stride leaves several sizes; below stride or dilation.
    residual, activation, alpha, beta, out, policy, **limits
        As in :func:`cudnnkit.conv`.

    Returns
    -------
    array
        (N, K, H', W') with ``H' = (H - 1) * stride + dilation * (R - 1) + 1 - padding + output_padding``.

    Raises
    ------
    ArgumentError, UnsupportedError, OutOfMemoryError
        As :func:`cudnnkit.conv`.

    Notes
    -----
    ``cudnnConvolutionBackwardData`` and the graph API's engines compete, fused and with the array library's epilogue.
    """
    statics = (padding, stride, dilation, groups, mode, activation, None, output_padding)
    return call(_TRANSPOSE2D, (w, x, bias, residual), out, statics, alpha, beta, policy, limits)


def conv_transpose3d(
    x: Any,
    w: Any,
    bias: Any = None,
    *,
    padding: Padding = 0,
    stride: int | tuple[int, ...] = 1,
    dilation: int | tuple[int, ...] = 1,
    groups: int = 1,
    output_padding: int | tuple[int, ...] = 0,
    mode: Mode = "cross-correlation",
    residual: Any = None,
    activation: Activation = None,
    alpha: float = 1.0,
    beta: float = 0.0,
    out: Any = None,
    policy: Policy | None = None,
    **limits: Any,
) -> Any:
    """A transposed convolution with three spatial axes: as :func:`conv_transpose2d`.

    x is (N, C, D, H, W), w is (C, K / groups, T, R, S).

    Returns
    -------
    array
        (N, K, D', H', W'), of x's type; sizes as in :func:`conv_transpose2d`.

    Raises
    ------
    ArgumentError, UnsupportedError, OutOfMemoryError
        As :func:`cudnnkit.conv`; x has another number of axes.

    Notes
    -----
    ``cudnnConvolutionBackwardData`` and the graph API's engines compete, as in :func:`conv_transpose2d`.
    """
    statics = (padding, stride, dilation, groups, mode, activation, None, output_padding)
    return call(_TRANSPOSE3D, (w, x, bias, residual), out, statics, alpha, beta, policy, limits)
