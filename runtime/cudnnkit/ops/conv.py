"""Convolution of one, two and three dimensions, with everything that can follow it in the same call."""

from __future__ import annotations

from typing import Any

from cudnnkit.dispatch import call
from cudnnkit.geometry import Mode, Padding
from cudnnkit.ops.common import Activation
from cudnnkit.ops.convolution import extended, operation
from cudnnkit.policy import Policy

__all__ = ["conv", "conv1d", "conv2d", "conv3d"]

_CONV = operation("conv", "forward")
_CONV1D = operation("conv1d", "forward", 1)
_CONV2D = operation("conv2d", "forward", 2)
_CONV3D = operation("conv3d", "forward", 3)


def conv(
    x: Any,
    w: Any,
    bias: Any = None,
    *,
    padding: Padding = 0,
    stride: int | tuple[int, ...] = 1,
    dilation: int | tuple[int, ...] = 1,
    groups: int = 1,
    mode: Mode = "cross-correlation",
    residual: Any = None,
    residual_after: bool = False,
    activation: Activation = None,
    alpha: float = 1.0,
    beta: float = 0.0,
    out: Any = None,
    policy: Policy | None = None,
    **limits: Any,
) -> Any:
    """``activation(alpha * convolution(x, w) + beta * out + residual + bias)`` in one call.

    Parameters
    ----------
    x
        Images, (N, C, spatial) with one to three spatial axes; float16, bfloat16, float32 or float64; any strides.
        Channels-last strides (NHWC) are the fast ones for half data.
    w
        Filters, (K, C / groups, window), of x's type.
    bias
        (K,) or (1, K, 1, ...), of x's type, or float32 beside half data.
    padding
        A number, one for each spatial axis, a pair (before, after) for each, ``"same"`` or ``"valid"``.
    stride, dilation
        A number, or one for each spatial axis; at least 1.
    groups
        Groups of channels that do not mix; C for a depthwise convolution.
    mode
        ``"cross-correlation"``, what deep learning calls convolution, or ``"convolution"``, which flips the window.
    residual
        Added before the activation; of the result's shape. It may be `out` itself.
    residual_after
        Add the residual behind the activation, as Darknet's blocks do:
        ``activation(alpha * convolution(x, w) + beta * out + bias) + residual``.
    activation
        A name or a name with its parameter: relu, relu6, ("clipped_relu", 6.0), ("leaky_relu", 0.01), ("elu", 1.0),
        sigmoid, tanh, gelu, gelu_tanh, silu, ("swish", 1.0), ("softplus", 1.0), identity.
    alpha, beta
        Factors; beta needs `out`, whose old content it scales.
    out
        Where the result goes; returned as given. A new array of x's library, in x's layout, otherwise.
    policy, **limits
        The policy for this call, or fields of it: ``precision``, ``deterministic``, ``workspace``, ``search``,
        ``budget_ms``, ``tolerance``, ``after``; see :class:`cudnnkit.Policy`.

    Returns
    -------
    array
        (N, K, spatial).

    Raises
    ------
    ArgumentError
        Shapes, types, devices or parameters do not fit; the message names the argument and the way out.
    UnsupportedError
        The policy admits nothing that computes this.
    OutOfMemoryError
        Device memory did not suffice for any candidate.

    Notes
    -----
    The first call of a problem searches among ``cudnnConvolutionForward``,
    ``cudnnConvolutionBiasActivationForward`` with every algorithm and math type, the graph API's engines
    (``cudnnBackendExecute``) with and without the epilogue fused, and the epilogue as a kernel of the array library.
    Half data is added up in float32.
    """
    statics: tuple[Any, ...] = (padding, stride, dilation, groups, mode, activation)
    if residual_after is not False:
        statics = extended(statics, residual_after)
    return call(_CONV, (x, w, bias, residual), out, statics, alpha, beta, policy, limits)


def conv1d(
    x: Any,
    w: Any,
    bias: Any = None,
    *,
    padding: Padding = 0,
    stride: int | tuple[int, ...] = 1,
    dilation: int | tuple[int, ...] = 1,
    groups: int = 1,
    mode: Mode = "cross-correlation",
    residual: Any = None,
    residual_after: bool = False,
    activation: Activation = None,
    alpha: float = 1.0,
    beta: float = 0.0,
    out: Any = None,
    policy: Policy | None = None,
    **limits: Any,
) -> Any:
    """A convolution with one spatial axis: :func:`conv` of x (N, C, L) with w (K, C / groups, S).

    Returns
    -------
    array
        (N, K, L'), of x's type: float16, bfloat16, float32 or float64.

    Raises
    ------
    ArgumentError, UnsupportedError, OutOfMemoryError
        As :func:`conv`; x has another number of axes.

    Notes
    -----
    All parameters, and the cuDNN functions that compete, are those of :func:`conv`.
    """
    statics: tuple[Any, ...] = (padding, stride, dilation, groups, mode, activation)
    if residual_after is not False:
        statics = extended(statics, residual_after)
    return call(_CONV1D, (x, w, bias, residual), out, statics, alpha, beta, policy, limits)


def conv2d(
    x: Any,
    w: Any,
    bias: Any = None,
    *,
    padding: Padding = 0,
    stride: int | tuple[int, ...] = 1,
    dilation: int | tuple[int, ...] = 1,
    groups: int = 1,
    mode: Mode = "cross-correlation",
    residual: Any = None,
    residual_after: bool = False,
    activation: Activation = None,
    alpha: float = 1.0,
    beta: float = 0.0,
    out: Any = None,
    policy: Policy | None = None,
    **limits: Any,
) -> Any:
    """``activation(alpha * convolution(x, w) + beta * out + residual + bias)`` of images, in one call.

    Parameters
    ----------
    x
        Images, (N, C, H, W); float16, bfloat16, float32 or float64; any strides. Channels-last strides (NHWC) are the
        fast ones for half data, and the result has the layout of x.
    w
        Filters, (K, C / groups, R, S), of x's type.
    bias
        (K,) or (1, K, 1, 1), of x's type, or float32 beside half data.
    padding
        A number, ``(rows, columns)``, ``((above, below), (left, right))``, ``"same"`` or ``"valid"``.
    stride, dilation
        A number, or ``(rows, columns)``; at least 1.
    groups
        Groups of channels that do not mix; C for a depthwise convolution.
    mode
        ``"cross-correlation"``, what deep learning calls convolution, or ``"convolution"``, which flips the window.
    residual
        Added before the activation; of the result's shape and type. It may be `out` itself.
    residual_after
        Add the residual behind the activation instead, as Darknet's blocks do.
    activation
        A name or a name with its parameter: relu, relu6, ("clipped_relu", 6.0), ("leaky_relu", 0.01), ("elu", 1.0),
        sigmoid, tanh, gelu, gelu_tanh, silu, ("swish", 1.0), ("softplus", 1.0), identity.
    alpha, beta
        Factors; beta needs `out`, whose old content it scales.
    out
        Where the result goes; returned as given. A new array of x's library otherwise.
    policy, **limits
        The policy for this call, or fields of it: ``precision``, ``deterministic``, ``workspace``, ``search``,
        ``budget_ms``, ``tolerance``, ``after``; see :class:`cudnnkit.Policy`.

    Returns
    -------
    array
        (N, K, H', W') with ``H' = (H + above + below - dilation * (R - 1) - 1) // stride + 1``, of x's type.

    Raises
    ------
    ArgumentError
        Shapes, types, devices or parameters do not fit; the message names the argument and the way out.
    UnsupportedError
        The policy admits nothing that computes this.
    OutOfMemoryError
        Device memory did not suffice for any candidate.

    Notes
    -----
    ``cudnnConvolutionForward`` and ``cudnnConvolutionBiasActivationForward`` with every algorithm and math type, the
    graph API's engines (``cudnnBackendExecute``) with and without the epilogue fused, ``cublasLtMatmul`` for windows of
    one element, and the epilogue as a kernel of the array library compete. Half data is added up in float32.

    Examples
    --------
    >>> y = conv2d(x, w, bias, padding=1, activation="relu")  # doctest: +SKIP
    >>> z = conv2d(x, w, bias, padding=1, residual=y, activation="relu", precision="strict")  # doctest: +SKIP
    """
    statics: tuple[Any, ...] = (padding, stride, dilation, groups, mode, activation)
    if residual_after is not False:
        statics = extended(statics, residual_after)
    return call(_CONV2D, (x, w, bias, residual), out, statics, alpha, beta, policy, limits)


def conv3d(
    x: Any,
    w: Any,
    bias: Any = None,
    *,
    padding: Padding = 0,
    stride: int | tuple[int, ...] = 1,
    dilation: int | tuple[int, ...] = 1,
    groups: int = 1,
    mode: Mode = "cross-correlation",
    residual: Any = None,
    residual_after: bool = False,
    activation: Activation = None,
    alpha: float = 1.0,
    beta: float = 0.0,
    out: Any = None,
    policy: Policy | None = None,
    **limits: Any,
) -> Any:
    """A convolution with three spatial axes: :func:`conv` of x (N, C, D, H, W) with w (K, C / groups, T, R, S).

    Returns
    -------
    array
        (N, K, D', H', W'), of x's type: float16, bfloat16, float32 or float64.

    Raises
    ------
    ArgumentError, UnsupportedError, OutOfMemoryError
        As :func:`conv`; x has another number of axes.

    Notes
    -----
    All parameters, and the cuDNN functions that compete, are those of :func:`conv`.
    """
    statics: tuple[Any, ...] = (padding, stride, dilation, groups, mode, activation)
    if residual_after is not False:
        statics = extended(statics, residual_after)
    return call(_CONV3D, (x, w, bias, residual), out, statics, alpha, beta, policy, limits)
