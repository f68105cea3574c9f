"""Descriptions of elementwise operations: bias, activations forward and backward."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cudnnkit.arrays.view import ArrayView, contiguous_strides
from cudnnkit.dispatch import Operation
from cudnnkit.errors import ArgumentError
from cudnnkit.ops.common import Empty, dense_order, epilogue_of, make_problem, normal_axis, view_named
from cudnnkit.problem import STRIDED, Epilogue, TensorSpec
from cudnnkit.request import FRESH_ALIGNMENT, Call, Request, check_out, float_views

__all__ = ["ACTIVATION", "ACTIVATION_BACKWARD", "BIAS_ADD", "elementwise_request", "one_layout", "split_at"]

Shape = tuple[int, ...]


def elementwise_request(
    call: Call,
    operation: str,
    roles: Sequence[tuple[str, str]],
    result: str,
    views: dict[str, ArrayView],
    *,
    shape: Shape | None,
    axis: int,
    epilogue: Epilogue | None = None,
    parameters: tuple[tuple[str, str], ...] = (),
    in_place: tuple[str, ...],
    vector: ArrayView | None = None,
) -> Request:
    """A request whose operands all have x's shape.

    Parameters
    ----------
    call, operation, views
        The call, the problem's operation, and the operands' views by the caller's names.
    roles
        Pairs of the caller's name and the problem's role.
    result
        The result's role.
    shape
        The dense operands as the problem sees them; None where they are not dense, or not in one layout.
    axis
        The arrays' axis that the problem's axis 1 stands for.
    epilogue, parameters
        Of the problem.
    in_place
        Names that may be the output itself.
    vector
        The bias, along axis 1.
    """
    first = views[roles[0][0]]
    shared = check_out(call, views, first.shape, in_place)
    out = views.get("out")
    strides = out.strides if out is not None else _strides_like(first)
    dense = shape is not None
    size, steps = (shape, contiguous_strides(shape)) if shape is not None else (first.shape, first.strides)
    tensors = [
        TensorSpec(role, size, steps if dense else views[name].strides, views[name].dtype, views[name].alignment)
        for name, role in roles
    ]
    if vector is not None:
        tensors.append(TensorSpec("bias", vector.shape, vector.strides, vector.dtype, vector.alignment))
    alignment = FRESH_ALIGNMENT if out is None else out.alignment
    tensors.append(TensorSpec(result, size, steps if dense else strides, first.dtype, alignment, output=True))
    names = dict(roles)
    trivial = 0 in first.shape
    library = first.library
    more = () if dense else (STRIDED,)
    problem = make_problem(
        call,
        operation,
        tensors,
        first.device,
        epilogue=epilogue or Epilogue(),
        parameters=(*parameters, ("library", library.name), *more),
        aliasing=tuple((names[name], result) for name in shared),
        trivial=trivial,
    )
    return Request(
        problem, library, first.device, first.shape, strides, first.dtype, in_place, axis,
        Empty(problem, library.kernels) if trivial else None,
    )  # fmt: skip


def _strides_like(view: ArrayView) -> Shape:
    """Strides of a new array in the layout of another; C order where that one has gaps or runs backwards."""
    order = dense_order(view.shape, view.strides)
    if order is None:
        order = sorted(range(len(view.shape)), key=lambda axis: -abs(view.strides[axis]))
    strides, step = [0] * len(order), 1
    for axis in reversed(order):
        strides[axis] = step
        step *= max(view.shape[axis], 1)
    return tuple(strides)


def one_layout(views: dict[str, ArrayView], names: Sequence[str]) -> list[int] | None:
    """The common order of axes of dense operands; None where they differ, or an output has another shape."""
    first = views[names[0]]
    order = dense_order(first.shape, first.strides)
    for name in (*names[1:], "out"):
        other = views.get(name)
        if other is None:
            continue
        steps = zip(first.shape, first.strides, other.strides, strict=False)
        if other.shape != first.shape or any(size > 1 and a != b for size, a, b in steps):
            return None
    return order


def _flat(views: dict[str, ArrayView], names: Sequence[str]) -> Shape | None:
    order = one_layout(views, names)
    if order is None:
        return None
    # One long row of channels: engines vectorise along the channels.
    return (1, math.prod(views[names[0]].shape), 1, 1)


def split_at(view: ArrayView, axis: int, order: list[int]) -> Shape:
    """(outer, axis, inner) in memory order."""
    place = order.index(axis)
    outer = math.prod(view.shape[one] for one in order[:place])
    return (outer, view.shape[axis], math.prod(view.shape[one] for one in order[place + 1 :]))


def _same_shape(views: dict[str, ArrayView], name: str, other: str) -> None:
    if views[name].shape != views[other].shape:
        raise ArgumentError(name, views[name].shape, f"has another shape than {other}, {views[other].shape}")


def _activation(call: Call) -> Request:
    views = float_views(call)
    view_named(views, "x")
    epilogue = epilogue_of(call.statics[0], bias=False, residual=False)
    return elementwise_request(
        call, "epilogue", [("x", "x")], "y", views, shape=_flat(views, ["x"]), axis=1, epilogue=epilogue,
        in_place=("x",),
    )  # fmt: skip


def _activation_backward(call: Call) -> Request:
    views = float_views(call)
    for name in ("dy", "x"):
        view_named(views, name)
    names = [name for name in ("y", "dy", "x") if name in views]
    for name in names:
        _same_shape(views, name, "x")
    epilogue = epilogue_of(call.statics[0], bias=False, residual=False)
    return elementwise_request(
        call, "activation_backward", [(name, name) for name in names], "dx", views, shape=_flat(views, names), axis=1,
        epilogue=epilogue, in_place=("dy", "x"),
    )  # fmt: skip


def _bias_add(call: Call) -> Request:
    axis_given, activation = call.statics
    views = float_views(call, same=("bias",))
    x, bias = view_named(views, "x"), view_named(views, "bias")
    axis = normal_axis(axis_given, len(x.shape))
    epilogue = epilogue_of(activation, bias=True, residual=False)
    vector = _vector_along(x, bias, axis)
    order = one_layout(views, ["x"])
    shape = split_at(x, axis, order) if vector is not None and order is not None else None
    return elementwise_request(
        call, "epilogue", [("x", "x")], "y", views, shape=shape, axis=axis if vector is not None else -1,
        epilogue=epilogue, in_place=("x",), vector=vector or bias,
    )  # fmt: skip


def _vector_along(x: ArrayView, bias: ArrayView, axis: int) -> ArrayView | None:
    """The bias as a vector along an axis; None for any other shape that broadcasts.

    Raises
    ------
    ArgumentError
        It does not broadcast against x.
    """
    size = x.shape[axis]
    flat = tuple(size if one == axis else 1 for one in range(len(x.shape)))
    if bias.shape in ((size,), flat):
        step = next((s for n, s in zip(bias.shape, bias.strides, strict=True) if n == size and n > 1), 1)
        return ArrayView(bias.pointer, (size,), (step,), bias.dtype, bias.device, bias.source, bias.library)
    padded = (1,) * (len(x.shape) - len(bias.shape)) + bias.shape
    if len(padded) != len(x.shape) or any(b not in (1, a) for a, b in zip(x.shape, padded, strict=True)):
        raise ArgumentError(
            "bias", bias.shape, f"is neither ({size},), along axis {axis}, nor broadcasts against x {x.shape}"
        )
    return None


ACTIVATION = Operation("activation", ("x",), _activation)
ACTIVATION_BACKWARD = Operation("activation_backward", ("y", "dy", "x"), _activation_backward)
BIAS_ADD = Operation("bias_add", ("x", "bias"), _bias_add)
