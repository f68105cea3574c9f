"""Pooling over windows and over whole images, forward and backward."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from typing import Any

from cudnnkit.arrays.layouts import channels_innermost
from cudnnkit.arrays.view import ArrayView
from cudnnkit.dispatch import Operation, call
from cudnnkit.errors import ArgumentError, ArgumentTypeError
from cudnnkit.geometry import Padding, PoolingMode, pooling_output, pooling_spec
from cudnnkit.numbers import equal_int
from cudnnkit.ops.common import Empty, make_problem, result_strides, view_named
from cudnnkit.policy import Policy
from cudnnkit.problem import PoolingSpec, TensorSpec
from cudnnkit.request import FRESH_ALIGNMENT, Call, Request, check_out, float_views, spec_of

__all__ = [
    "avg_pool", "avg_pool_backward", "global_avg_pool", "global_avg_pool_backward", "global_max_pool", "max_pool",
    "max_pool_backward",
]  # fmt: skip

Shape = tuple[int, ...]


class _Window(Enum):
    """A window that no numbers say."""

    WHOLE = "whole images"


def max_pool(
    x: Any,
    window: int | tuple[int, ...],
    *,
    stride: int | tuple[int, ...] | None = None,
    padding: Padding = 0,
    out: Any = None,
    policy: Policy | None = None,
    **limits: Any,
) -> Any:
    """The maximum of every window of x.

    Parameters
    ----------
    x
        Images, (N, C, spatial) with one to three spatial axes; float16, bfloat16, float32 or float64; any strides.
    window
        A number, or one for each spatial axis; at least 1.
    stride
        The same; the window where None.
    padding
        A number, one for each spatial axis, a pair (before, after) for each, ``"same"`` or ``"valid"``; at most half
        the window. Padding is never the maximum.
    out
        Where the result goes; returned as given. A new array of x's library, in x's layout, otherwise.
    policy, **limits
        As in :func:`cudnnkit.conv`.

    Returns
    -------
    array
        (N, C, spatial), each spatial size being ``(size + before + after - window) // stride + 1``; NaN where a window
        has one.

    Raises
    ------
    ArgumentError
        The window is larger than the padded image, or an argument does not fit; the message names it.
    UnsupportedError, OutOfMemoryError
        As in :func:`cudnnkit.conv`.

    Notes
    -----
    ``cudnnPoolingForward``, the graph API's resampling (``CUDNN_BACKEND_OPERATION_RESAMPLE_FWD_DESCRIPTOR``), the array
    library's kernels and one of this package's own compete; where the window is the whole image, the graph API's
    reduction does as well. cuDNN itself allows any padding; the limit of half the window is torch's rule.
    """
    return call(_FORWARD, (x,), out, ("max", window, stride, padding), 1.0, 0.0, policy, limits)


def avg_pool(
    x: Any,
    window: int | tuple[int, ...],
    *,
    stride: int | tuple[int, ...] | None = None,
    padding: Padding = 0,
    include_padding: bool = True,
    out: Any = None,
    policy: Policy | None = None,
    **limits: Any,
) -> Any:
    """The mean of every window of x, added up in float32 for half data.

    Parameters
    ----------
    x, window, stride, padding, out, policy, **limits
        As in :func:`max_pool`.
    include_padding
        Padding counts as zeros; else the mean is over the image's own elements.

    Returns
    -------
    array
        As :func:`max_pool`.

    Raises
    ------
    ArgumentError, UnsupportedError, OutOfMemoryError
        As :func:`max_pool`.

    Notes
    -----
    As :func:`max_pool`.
    """
    statics = (_average(include_padding), window, stride, padding)
    return call(_FORWARD, (x,), out, statics, 1.0, 0.0, policy, limits)


def global_avg_pool(x: Any, *, out: Any = None, policy: Policy | None = None, **limits: Any) -> Any:
    """The mean of every channel of every image.

    Parameters
    ----------
    x
        Images, (N, C, spatial) with one to three spatial axes of at least one element; float16, bfloat16, float32 or
        float64; any strides.
    out, policy, **limits
        As in :func:`avg_pool`.

    Returns
    -------
    array
        (N, C, 1, ...), of x's type; half data is added up in float32.

    Raises
    ------
    ArgumentError, UnsupportedError, OutOfMemoryError
        As :func:`avg_pool`; an image has no element.

    Notes
    -----
    ``cudnnPoolingForward``, the graph API's resampling and reduction, the array library's kernels and one of this
    package's own compete, as in :func:`avg_pool`.
    """
    return call(_FORWARD, (x,), out, (_average(True), _Window.WHOLE, None, 0), 1.0, 0.0, policy, limits)


def global_max_pool(x: Any, *, out: Any = None, policy: Policy | None = None, **limits: Any) -> Any:
    """The maximum of every channel of every image.

    Parameters
    ----------
    x
        Images, (N, C, spatial) with one to three spatial axes of at least one element; float16, bfloat16, float32 or
        float64; any strides.
    out, policy, **limits
        As in :func:`max_pool`.

    Returns
    -------
    array
        (N, C, 1, ...), of x's type; NaN where an image has one.

    Raises
    ------
    ArgumentError, UnsupportedError, OutOfMemoryError
        As :func:`max_pool`; an image has no element.

    Notes
    -----
    ``cudnnPoolingForward``, the graph API's resampling and reduction, the array library's kernels and one of this
    package's own compete, as in :func:`max_pool`.
    """
    return call(_FORWARD, (x,), out, ("max", _Window.WHOLE, None, 0), 1.0, 0.0, policy, limits)


def max_pool_backward(
    dy: Any,
    y: Any,
    x: Any,
    window: int | tuple[int, ...],
    *,
    stride: int | tuple[int, ...] | None = None,
    padding: Padding = 0,
    out: Any = None,
    policy: Policy | None = None,
    **limits: Any,
) -> Any:
    """dx, the gradient of :func:`max_pool` with respect to x.

    Where several elements of a window are its maximum, any of them may take the gradient, or all of them parts of it:
    each is a right answer, and candidates differ in it. With ``deterministic=True`` every run gives the same one.

    Parameters
    ----------
    dy
        Gradient of the result.
    y, x
        What :func:`max_pool` answered, and the images it was given.
    window, stride, padding, out, policy, **limits
        As in :func:`max_pool`, of the forward pooling.

    Returns
    -------
    array
        Of x's shape, in x's layout.

    Raises
    ------
    ArgumentError, UnsupportedError, OutOfMemoryError
        As :func:`max_pool`, or dy or y has another shape than the result.

    Notes
    -----
    ``cudnnPoolingBackward`` (``CUDNN_POOLING_MAX``, ``CUDNN_POOLING_MAX_DETERMINISTIC``), the graph API's resampling
    (``CUDNN_BACKEND_OPERATION_RESAMPLE_BWD_DESCRIPTOR``), the array library's kernels and one of this package's own
    compete. In the last, as in torch's, the first maximum in the window takes all of the gradient.
    """
    return call(_MAX_BACKWARD, (y, dy, x), out, (window, stride, padding), 1.0, 0.0, policy, limits)


def avg_pool_backward(
    dy: Any,
    window: int | tuple[int, ...],
    x_shape: tuple[int, ...],
    *,
    stride: int | tuple[int, ...] | None = None,
    padding: Padding = 0,
    include_padding: bool = True,
    out: Any = None,
    policy: Policy | None = None,
    **limits: Any,
) -> Any:
    """dx, the gradient of :func:`avg_pool` with respect to its images.

    Parameters
    ----------
    dy
        Gradient of the result.
    x_shape
        Shape of the images, (N, C, spatial): dy alone does not tell it, since sizes were rounded down.
    window, stride, padding, include_padding, out, policy, **limits
        As in :func:`avg_pool`, of the forward pooling.

    Returns
    -------
    array
        Of shape `x_shape`, in dy's layout.

    Raises
    ------
    ArgumentError, UnsupportedError, OutOfMemoryError
        As :func:`max_pool`, or dy does not belong to `x_shape`.

    Notes
    -----
    As :func:`max_pool_backward`.
    """
    statics = (_average(include_padding), window, stride, padding, x_shape)
    return call(_AVERAGE_BACKWARD, (dy,), out, statics, 1.0, 0.0, policy, limits)


def global_avg_pool_backward(
    dy: Any, x_shape: tuple[int, ...], *, out: Any = None, policy: Policy | None = None, **limits: Any
) -> Any:
    """dx, the gradient of :func:`global_avg_pool` with respect to its images.

    Parameters
    ----------
    dy
        Gradient of the result, (N, C, 1, ...); float16, bfloat16, float32 or float64; any strides.
    x_shape
        Shape of the images, (N, C, spatial).
    out, policy, **limits
        As in :func:`max_pool`.

    Returns
    -------
    array
        Of shape `x_shape`, in dy's layout. Where dy's strides do not tell, as those of a plain (N, C, 1, 1) array do
        not, they count as NCHW: give `out` for another one.

    Raises
    ------
    ArgumentError, UnsupportedError, OutOfMemoryError
        As :func:`avg_pool_backward`; an image has no element.

    Notes
    -----
    ``cudnnPoolingBackward``, the graph API's resampling, the array library's kernels and one of this package's own
    compete, as in :func:`avg_pool_backward`.
    """
    statics = (_average(True), _Window.WHOLE, None, 0, x_shape)
    return call(_AVERAGE_BACKWARD, (dy,), out, statics, 1.0, 0.0, policy, limits)


def _average(include_padding: bool) -> PoolingMode:
    if not isinstance(include_padding, bool):
        raise ArgumentTypeError("include_padding", include_padding, "must be True or False")
    return "average_include_padding" if include_padding else "average_exclude_padding"


def _spec(shape: Shape, mode: PoolingMode, rest: tuple[Any, ...], argument: str) -> PoolingSpec:
    window, stride, padding = rest
    if window is not _Window.WHOLE:
        spec = pooling_spec(shape, window, mode, padding=padding, stride=stride, argument=argument)
        if mode == "average_exclude_padding" and not any(spec.pre_padding + spec.post_padding):
            return replace(spec, mode="average_include_padding")  # one problem, not two
        return spec
    if 0 in shape[2:]:
        raise ArgumentError(argument, shape, "holds no element to pool; every spatial size must be at least 1")
    return pooling_spec(shape, shape[2:] if len(shape) > 2 else 1, mode, argument=argument)


def _forward(call_: Call) -> Request:
    views = float_views(call_)
    x = view_named(views, "x")
    mode, *rest = call_.statics
    spec = _spec(x.shape, mode, tuple(rest), "x")
    shape = pooling_output(x.shape, spec)
    return _request(call_, "pool_forward", views, x, "y", shape, spec)


def _max_backward(call_: Call) -> Request:
    views = float_views(call_)
    x = view_named(views, "x")
    spec = _spec(x.shape, "max", call_.statics, "x")
    shape = pooling_output(x.shape, spec)
    for name in ("dy", "y"):
        if view_named(views, name).shape != shape:
            raise ArgumentError(name, views[name].shape, f"does not belong to x {x.shape}, whose result is {shape}")
    return _request(call_, "pool_backward", views, x, "dx", x.shape, spec)


def _average_backward(call_: Call) -> Request:
    mode, window, stride, padding, x_shape = call_.statics
    views = float_views(call_)
    dy = view_named(views, "dy")
    shape = _shape(x_shape)
    spec = _spec(shape, mode, (window, stride, padding), "x_shape")
    led = pooling_output(shape, spec, argument="x_shape")
    if dy.shape != led:
        raise ArgumentError("dy", dy.shape, f"does not belong to x_shape {shape}, whose result is {led}")
    return _request(call_, "pool_backward", views, dy, "dx", shape, spec)


def _shape(given: Any) -> Shape:
    """A shape of whole numbers.

    Raises
    ------
    ArgumentTypeError
        It is none.
    """
    found = [equal_int(one) for one in given] if isinstance(given, Sequence) else [None]
    sizes = tuple(one for one in found if one is not None)
    if len(sizes) < len(found):
        raise ArgumentTypeError("x_shape", given, "must be a shape: a tuple of whole numbers")
    if any(size < 0 for size in sizes):
        raise ArgumentError("x_shape", given, "has negative sizes")
    return sizes


def _request(
    call_: Call, operation: str, views: dict[str, ArrayView], like: ArrayView, role: str, shape: Shape,
    spec: PoolingSpec,
) -> Request:  # fmt: skip
    """The request of a pooling whose result is laid out as `like`, unless it was given."""
    check_out(call_, views, shape, ())
    out = views.get("out")
    strides = out.strides if out is not None else result_strides(shape, like)
    last = channels_innermost(shape, strides)
    tensors = [spec_of(name, view, channels_last=last) for name, view in views.items() if name != "out"]
    if out is not None:
        tensors.append(spec_of(role, out, channels_last=last, output=True))
    else:
        tensors.append(TensorSpec(role, shape, strides, like.dtype, FRESH_ALIGNMENT, output=True))
    trivial = 0 in shape
    problem = make_problem(
        call_, operation, tensors, like.device, pooling=spec, parameters=(("library", like.library.name),),
        trivial=trivial,
    )  # fmt: skip
    return Request(
        problem, like.library, like.device, shape, strides, like.dtype,
        trivial=Empty(problem, like.library.kernels) if trivial else None,
    )  # fmt: skip


_FORWARD = Operation("max_pool", ("x",), _forward)
_MAX_BACKWARD = Operation("max_pool_backward", ("y", "dy", "x"), _max_backward)
_AVERAGE_BACKWARD = Operation("avg_pool_backward", ("dy",), _average_backward)
