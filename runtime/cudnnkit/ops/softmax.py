"""Softmax and its logarithm along any axis.

cuDNN's modes are not numbers of axes: the data is seen as (outer, axis, inner), in the order in which it lies in
memory.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, get_args

from cudnnkit.dispatch import Operation, call
from cudnnkit.errors import ArgumentError
from cudnnkit.ops.common import normal_axis, view_named
from cudnnkit.ops.elementwise import elementwise_request, one_layout, split_at
from cudnnkit.policy import Policy
from cudnnkit.request import Call, Request, float_views

__all__ = ["log_softmax", "log_softmax_backward", "softmax", "softmax_backward"]

Algorithm = Literal["accurate", "fast"]


def softmax(
    x: Any,
    axis: int = -1,
    *,
    algorithm: Algorithm = "accurate",
    out: Any = None,
    policy: Policy | None = None,
    **limits: Any,
) -> Any:
    """``exp(x) / sum of exp(x)`` along an axis.

    Parameters
    ----------
    x
        Any shape with at least one axis; float16, bfloat16, float32 or float64; any strides.
    axis
        Negative ones count from the end.
    algorithm
        ``"accurate"`` takes the maximum away first; ``"fast"`` need not, and overflows for large x.
    out
        Where the result goes; returned as given; x itself overwrites it. A new array in x's layout otherwise.
    policy, **limits
        As in :func:`cudnnkit.conv`.

    Returns
    -------
    array
        Of x's shape and type.

    Raises
    ------
    ArgumentError
        There is no such axis or algorithm, or x cannot be used.

    Notes
    -----
    ``cudnnSoftmaxForward`` for instances (where the axis is the innermost) and for channels, and the array library
    compete; strided data is the array library's.
    """
    return call(_FORWARD, (x,), out, (axis, algorithm), 1.0, 0.0, policy, limits)


def log_softmax(x: Any, axis: int = -1, *, out: Any = None, policy: Policy | None = None, **limits: Any) -> Any:
    """The logarithm of :func:`softmax`, without the loss of accuracy of taking it afterwards.

    Parameters
    ----------
    x, axis, out, policy, **limits
        As in :func:`softmax`.

    Returns
    -------
    array
        Of x's shape and type: ``x - log(sum of exp(x))`` along the axis.

    Raises
    ------
    ArgumentError
        There is no such axis, or x cannot be used.

    Notes
    -----
    ``cudnnSoftmaxForward`` with ``CUDNN_SOFTMAX_LOG`` and the array library compete, as in :func:`softmax`.
    """
    return call(_LOG_FORWARD, (x,), out, (axis, None), 1.0, 0.0, policy, limits)


def softmax_backward(
    dy: Any,
    y: Any,
    axis: int = -1,
    *,
    algorithm: Algorithm = "accurate",
    out: Any = None,
    policy: Policy | None = None,
    **limits: Any,
) -> Any:
    """The gradient of :func:`softmax` with respect to its input, from its result.

    Parameters
    ----------
    dy, y
        Gradient of the result, and the result; same shape and type, float16, bfloat16, float32 or float64.
    axis, algorithm, out, policy, **limits
        As in :func:`softmax`; `out` may be neither dy nor y.

    Returns
    -------
    array
        Of y's shape and type.

    Raises
    ------
    ArgumentError
        As :func:`softmax`, or shapes differ.

    Notes
    -----
    ``cudnnSoftmaxBackward`` in both modes, and the array library. For channels it is 10 to 90 times slower than for
    instances on long axes, so the latter is tried where the axis is the innermost.
    """
    return call(_BACKWARD, (y, dy), out, (axis, algorithm), 1.0, 0.0, policy, limits)


def log_softmax_backward(
    dy: Any, y: Any, axis: int = -1, *, out: Any = None, policy: Policy | None = None, **limits: Any
) -> Any:
    """The gradient of :func:`log_softmax` with respect to its input, from its result.

    Parameters
    ----------
    dy, y
        Gradient of the result, and the result; same shape and type, float16, bfloat16, float32 or float64.
    axis, out, policy, **limits
        As in :func:`softmax`; `out` may be neither dy nor y.

    Returns
    -------
    array
        Of y's shape and type: ``dy - exp(y) * (sum of dy)`` along the axis.

    Raises
    ------
    ArgumentError
        There is no such axis, shapes differ, or an array cannot be used.

    Notes
    -----
    ``cudnnSoftmaxBackward`` with ``CUDNN_SOFTMAX_LOG`` and the array library compete, as in :func:`softmax_backward`.
    """
    return call(_LOG_BACKWARD, (y, dy), out, (axis, None), 1.0, 0.0, policy, limits)


def _describe(backward: bool, log: bool, call_: Call) -> Request:
    given_axis, algorithm = call_.statics
    if not log and algorithm not in get_args(Algorithm):
        raise ArgumentError("algorithm", algorithm, "allowed are 'accurate' and 'fast'; see log_softmax, too")
    names = ["y", "dy"] if backward else ["x"]
    views = float_views(call_)
    first = view_named(views, names[0])
    for name in names[1:]:
        if view_named(views, name).shape != first.shape:
            raise ArgumentError(name, views[name].shape, f"has another shape than {names[0]}, {first.shape}")
    if not first.shape:
        raise ArgumentError(names[0], (), "has no axis")
    axis = normal_axis(given_axis, len(first.shape))
    order = one_layout(views, names)
    return elementwise_request(
        call_,
        "softmax_backward" if backward else "softmax_forward",
        [(name, name) for name in names],
        "dx" if backward else "y",
        views,
        shape=None if order is None else split_at(first, axis, order),
        axis=axis,
        parameters=(("algorithm", "log" if log else algorithm),),
        in_place=() if backward else ("x",),
    )


_FORWARD = Operation("softmax", ("x",), partial(_describe, False, False))
_LOG_FORWARD = Operation("log_softmax", ("x",), partial(_describe, False, True))
_BACKWARD = Operation("softmax_backward", ("y", "dy"), partial(_describe, True, False))
_LOG_BACKWARD = Operation("log_softmax_backward", ("y", "dy"), partial(_describe, True, True))
