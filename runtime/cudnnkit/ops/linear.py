"""Fully connected layers: forward, and the gradients of input, weights and bias."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from cudnnkit.arrays.view import ArrayView, contiguous_strides
from cudnnkit.dispatch import Operation, call
from cudnnkit.errors import ArgumentError
from cudnnkit.ops.common import Activation, Empty, epilogue_of, make_problem, view_named
from cudnnkit.policy import Policy
from cudnnkit.problem import STRIDED, Epilogue, TensorSpec, normalize_strides
from cudnnkit.request import FRESH_ALIGNMENT, Call, Request, check_out, float_views

__all__ = ["linear", "linear_bias_gradient", "linear_data_gradient", "linear_filter_gradient"]

Shape = tuple[int, ...]


def linear(
    x: Any,
    w: Any,
    bias: Any = None,
    *,
    activation: Activation = None,
    residual: Any = None,
    out: Any = None,
    policy: Policy | None = None,
    **limits: Any,
) -> Any:
    """``activation(x @ w.T + residual + bias)`` in one call: a fully connected layer.

    Parameters
    ----------
    x
        (..., C_in), at least 2 axes; float16, bfloat16, float32 or float64; any strides.
    w
        (C_out, C_in), of x's type.
    bias
        (C_out,), of x's type, or float32 beside half data.
    activation
        As in :func:`cudnnkit.conv`.
    residual
        Added before the activation; of the result's shape. It may be `out` itself.
    out
        Where the result goes; returned as given. A new dense array of x's library otherwise.
    policy, **limits
        As in :func:`cudnnkit.conv`.

    Returns
    -------
    array
        (..., C_out).

    Raises
    ------
    ArgumentError
        Shapes, types or devices do not fit; the message names the argument and the way out.
    UnsupportedError, OutOfMemoryError
        As :func:`cudnnkit.conv`.

    Notes
    -----
    ``cublasLtMatmul`` with bias and activation in its epilogue, a matrix product of cuDNN's graph API
    (``CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR``) with what follows fused, a 1x1 convolution in all its forms and the
    array library's own product compete.
    """
    return call(_LINEAR, (x, w, bias, residual), out, (activation,), 1.0, 0.0, policy, limits)


def linear_data_gradient(dy: Any, w: Any, *, out: Any = None, policy: Policy | None = None, **limits: Any) -> Any:
    """``dy @ w``: the gradient of :func:`cudnnkit.linear` with respect to x.

    Parameters
    ----------
    dy
        (..., C_out), at least 2 axes.
    w
        (C_out, C_in), of dy's type.
    out, policy, **limits
        As in :func:`cudnnkit.linear`.

    Returns
    -------
    array
        (..., C_in).

    Raises
    ------
    ArgumentError, UnsupportedError, OutOfMemoryError
        As :func:`cudnnkit.linear`.

    Notes
    -----
    ``cublasLtMatmul``, a matrix product and a 1x1 convolution of cuDNN, and the array library's product compete.
    """
    return call(_DATA, (dy, w), out, (), 1.0, 0.0, policy, limits)


def linear_filter_gradient(x: Any, dy: Any, *, out: Any = None, policy: Policy | None = None, **limits: Any) -> Any:
    """The gradient of :func:`cudnnkit.linear` with respect to w: products of dy and x, added up over all rows.

    Parameters
    ----------
    x, dy
        (..., C_in) and (..., C_out), with the same sizes in front, at least 2 axes.
    out, policy, **limits
        As in :func:`cudnnkit.linear`.

    Returns
    -------
    array
        (C_out, C_in); half data is added up in float32.

    Raises
    ------
    ArgumentError, UnsupportedError, OutOfMemoryError
        As :func:`cudnnkit.linear`.

    Notes
    -----
    ``cublasLtMatmul``, a matrix product and a 1x1 convolution of cuDNN, and the array library's product compete.
    """
    return call(_FILTER, (x, dy), out, (), 1.0, 0.0, policy, limits)


def linear_bias_gradient(dy: Any, *, out: Any = None, policy: Policy | None = None, **limits: Any) -> Any:
    """The gradient of :func:`cudnnkit.linear` with respect to its bias: dy added up over everything but channels.

    Parameters
    ----------
    dy
        (..., C_out), at least 2 axes.
    out, policy, **limits
        As in :func:`cudnnkit.linear`.

    Returns
    -------
    array
        (C_out,); half data is added up in float32.

    Raises
    ------
    ArgumentError, UnsupportedError, OutOfMemoryError
        As :func:`cudnnkit.linear`.

    Notes
    -----
    A reduction of cuDNN's graph API and the array library's sum compete.
    """
    return call(_BIAS, (dy,), out, (), 1.0, 0.0, policy, limits)


@dataclass(frozen=True)
class _Kind:
    """One direction: its problem, the arrays' names and roles, the result's role, and its shape."""

    problem: str
    arrays: tuple[str, ...]
    result: str
    shape: Callable[[dict[str, ArrayView]], Shape]


def _forward(views: dict[str, ArrayView]) -> Shape:
    x, w = views["x"].shape, views["w"].shape
    if len(w) != 2 or w[1] != x[-1]:
        raise ArgumentError("w", w, f"is not (C_out, {x[-1]}), which x {x} needs")
    return (*x[:-1], w[0])


def _data(views: dict[str, ArrayView]) -> Shape:
    dy, w = views["dy"].shape, views["w"].shape
    if len(w) != 2 or w[0] != dy[-1]:
        raise ArgumentError("w", w, f"is not ({dy[-1]}, C_in), which dy {dy} needs")
    return (*dy[:-1], w[1])


def _filter(views: dict[str, ArrayView]) -> Shape:
    x, dy = views["x"].shape, views["dy"].shape
    if x[:-1] != dy[:-1]:
        raise ArgumentError("dy", dy, f"and x {x} need the same sizes in front of their channels")
    return dy[-1], x[-1]


def _describe(kind: _Kind, made: Call) -> Request:
    views = float_views(made, same=("bias",))
    for name in kind.arrays[:2]:
        shape = view_named(views, name).shape
        if name != "w" and len(shape) < 2:
            raise ArgumentError(name, shape, "needs at least 2 axes: rows and channels")
    shape = kind.shape(views)
    shared = check_out(made, views, shape, ("residual",))
    activation = made.statics[0] if made.statics else None
    epilogue = epilogue_of(activation, bias="bias" in views, residual="residual" in views)
    if epilogue.bias and views["bias"].shape != (shape[-1],):
        raise ArgumentError("bias", views["bias"].shape, f"has another shape than ({shape[-1]},), one for each channel")
    if epilogue.residual and views["residual"].shape != shape:
        raise ArgumentError("residual", views["residual"].shape, f"has another shape than the result, {shape}")
    return _request(kind, made, views, epilogue, shape, shared)


def _request(
    kind: _Kind, made: Call, views: dict[str, ArrayView], epilogue: Epilogue, shape: Shape, shared: list[str]
) -> Request:
    first, out = views[kind.arrays[0]], views.get("out")
    strides = out.strides if out is not None else contiguous_strides(shape)
    given = [(name, views[name].shape, views[name].strides, views[name]) for name in kind.arrays if name in views]
    given.append((kind.result, shape, strides, out))  # type: ignore[arg-type]
    trivial = any(0 in size for name, size, _, _ in given if name != "bias")
    matrices = [_rows(size, steps) for _, size, steps, _ in given]
    dense = trivial or None not in matrices
    tensors = [
        TensorSpec(
            name, *((matrix or (size, steps)) if dense else (size, steps)), first.dtype if view is None else view.dtype,
            FRESH_ALIGNMENT if view is None else view.alignment, output=name == kind.result,
        )
        for (name, size, steps, view), matrix in zip(given, matrices, strict=True)
    ]  # fmt: skip
    problem = make_problem(
        made, kind.problem, tensors, first.device,
        epilogue=epilogue,
        parameters=(("library", first.library.name), *(() if dense else (STRIDED,))),
        aliasing=tuple((name, kind.result) for name in shared),
        trivial=trivial,
    )  # fmt: skip
    return Request(
        problem, first.library, first.device, shape, strides, first.dtype, ("residual",),
        trivial=Empty(problem, first.library.kernels) if trivial else None,
    )  # fmt: skip


def _rows(shape: Shape, strides: Shape) -> tuple[Shape, Shape] | None:
    """All axes but the last as one; None where they do not follow each other in memory. A vector stays one."""
    if len(shape) == 1:
        return shape, normalize_strides(shape, strides)
    size, step = 1, 0
    for length, stride in zip(reversed(shape[:-1]), reversed(strides[:-1]), strict=True):
        if length == 1:
            continue
        if size > 1 and stride != step * size:
            return None
        step = stride if size == 1 else step
        size *= length
    matrix = size, shape[-1]
    if (size > 1 and step <= 0) or (shape[-1] > 1 and strides[-1] <= 0):
        return None
    return matrix, normalize_strides(matrix, (step, strides[-1]))


_KINDS = {
    "linear": _Kind("linear_forward", ("x", "w", "bias", "residual"), "y", _forward),
    "linear_data_gradient": _Kind("linear_dgrad", ("dy", "w"), "dx", _data),
    "linear_filter_gradient": _Kind("linear_wgrad", ("x", "dy"), "dw", _filter),
    "linear_bias_gradient": _Kind("linear_bias_grad", ("dy",), "dbias", lambda views: (views["dy"].shape[-1],)),
}
_LINEAR, _DATA, _FILTER, _BIAS = (
    Operation(name, kind.arrays, partial(_describe, kind)) for name, kind in _KINDS.items()
)
