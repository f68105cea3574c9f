"""The gradients of a convolution, and the transposed convolution, which is one of them under another name."""

from __future__ import annotations

from functools import partial
from typing import Any

from cudnnkit.arrays.layouts import channels_innermost
from cudnnkit.dispatch import Operation, call
from cudnnkit.errors import ArgumentError
from cudnnkit.geometry import Mode, Padding
from cudnnkit.ops.common import Empty, make_problem, view_named
from cudnnkit.ops.convolution import operation
from cudnnkit.policy import Policy
from cudnnkit.problem import TensorSpec
from cudnnkit.request import FRESH_ALIGNMENT, Call, Request, check_out, float_views, spec_of

__all__ = ["conv_bias_gradient", "conv_data_gradient", "conv_filter_gradient"]

_DATA = operation("conv_data_gradient", "data")
_FILTER = operation("conv_filter_gradient", "filter")


def conv_data_gradient(
    dy: Any,
    w: Any,
    x_shape: tuple[int, ...] | None = None,
    *,
    padding: Padding = 0,
    stride: int | tuple[int, ...] = 1,
    dilation: int | tuple[int, ...] = 1,
    groups: int = 1,
    mode: Mode = "cross-correlation",
    alpha: float = 1.0,
    beta: float = 0.0,
    out: Any = None,
    policy: Policy | None = None,
    **limits: Any,
) -> Any:
    """dx, the gradient of :func:`cudnnkit.conv` with respect to its images (dgrad).

    Parameters
    ----------
    dy
        Gradient of the result, (N, K, spatial).
    w
        Filters, (K, C / groups, window).
    x_shape
        Shape of the images. With a stride several lead to the same result; the smallest is taken where neither this
        nor `out` says which.
    padding, stride, dilation, groups, mode, alpha, beta, out, policy, **limits
        As in :func:`cudnnkit.conv`, of the forward convolution.

    Returns
    -------
    array
        (N, C, spatial), in dy's layout.

    Raises
    ------
    ArgumentError, UnsupportedError, OutOfMemoryError
        As :func:`cudnnkit.conv`.

    Notes
    -----
    ``cudnnConvolutionBackwardData`` and the graph API's engines compete.
    """
    statics = (padding, stride, dilation, groups, mode, None, x_shape)
    return call(_DATA, (w, dy), out, statics, alpha, beta, policy, limits)


def conv_filter_gradient(
    x: Any,
    dy: Any,
    kernel: int | tuple[int, ...] | None = None,
    *,
    padding: Padding = 0,
    stride: int | tuple[int, ...] = 1,
    dilation: int | tuple[int, ...] = 1,
    groups: int = 1,
    mode: Mode = "cross-correlation",
    alpha: float = 1.0,
    beta: float = 0.0,
    out: Any = None,
    policy: Policy | None = None,
    **limits: Any,
) -> Any:
    """dw, the gradient of :func:`cudnnkit.conv` with respect to its filters (wgrad).

    Parameters
    ----------
    x
        Images, (N, C, spatial).
    dy
        Gradient of the result, (N, K, spatial).
    kernel
        Spatial sizes of the window; taken from `out` where that is given.
    padding, stride, dilation, groups, mode, alpha, beta, out, policy, **limits
        As in :func:`cudnnkit.conv`, of the forward convolution.

    Returns
    -------
    array
        (K, C / groups, window), in x's layout.

    Raises
    ------
    ArgumentError, UnsupportedError, OutOfMemoryError
        As :func:`cudnnkit.conv`.

    Notes
    -----
    ``cudnnConvolutionBackwardFilter`` and the graph API's engines compete.
    """
    statics = (padding, stride, dilation, groups, mode, None, kernel)
    return call(_FILTER, (x, dy), out, statics, alpha, beta, policy, limits)


def conv_bias_gradient(
    dy: Any, *, alpha: float = 1.0, beta: float = 0.0, out: Any = None, policy: Policy | None = None, **limits: Any
) -> Any:
    """dbias, the gradient of a bias along the channels: dy added up over everything else.

    Parameters
    ----------
    dy
        Gradient of the result, (N, K, spatial).
    alpha, beta, out, policy, **limits
        As in :func:`cudnnkit.conv`.

    Returns
    -------
    array
        (K,), of dy's type; half data is added up in float32.

    Raises
    ------
    ArgumentError
        dy has no channels, or out another shape.

    Notes
    -----
    ``cudnnConvolutionBackwardBias``, a reduction of the graph API and the array library's sum compete.
    """
    return call(_BIAS, (dy,), out, (), alpha, beta, policy, limits)


def _describe_bias(call_: Call) -> Request:
    views = float_views(call_)
    dy = view_named(views, "dy")
    if not 2 <= len(dy.shape) <= 5:
        raise ArgumentError("dy", dy.shape, "needs 2 to 5 axes: N, K, spatial")
    shape: tuple[int, ...] = (dy.shape[1],)
    out = views.get("out")
    if out is not None and out.shape == (1, dy.shape[1], *(1 for _ in dy.shape[2:])):
        shape = out.shape
    check_out(call_, views, shape, ())
    last = channels_innermost(dy.shape, dy.strides)
    result = (
        TensorSpec("dbias", shape, (1,), dy.dtype, FRESH_ALIGNMENT, output=True)
        if out is None
        else spec_of("dbias", out, channels_last=False, output=True)
    )
    trivial = 0 in dy.shape
    problem = make_problem(
        call_, "conv_bias_grad", [spec_of("dy", dy, channels_last=last), result], dy.device,
        parameters=(("library", dy.library.name),), trivial=trivial,
    )  # fmt: skip
    return Request(
        problem, dy.library, dy.device, shape, result.strides, dy.dtype,
        trivial=Empty(problem, dy.library.kernels) if trivial else None,
    )  # fmt: skip


_BIAS = Operation("conv_bias_gradient", ("dy",), partial(_describe_bias))
