"""The one description of a convolution's three directions.

A direction differs from the others in the names of its two operands, in which of them is the image, and in how the
shape of its result follows. A transposed convolution is the data gradient under other names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from cudnnkit.arrays.layouts import channels_innermost
from cudnnkit.arrays.view import ArrayView
from cudnnkit.dispatch import Operation
from cudnnkit.errors import ArgumentError, ArgumentTypeError
from cudnnkit.geometry import convolution_output, convolution_spec, dgrad_output, transposed_output, wgrad_output
from cudnnkit.numbers import equal_int
from cudnnkit.ops.common import Empty, epilogue_of, make_problem, result_strides, view_named
from cudnnkit.problem import ConvolutionSpec, Epilogue, TensorSpec
from cudnnkit.request import FRESH_ALIGNMENT, Call, Request, check_out, float_views, spec_of

__all__ = ["Parameters", "extended", "operation"]

Shape = tuple[int, ...]


class Parameters(NamedTuple):
    """The other arguments of a call, in one form for all directions.

    Attributes
    ----------
    padding, stride, dilation, groups, mode
        Of the convolution.
    activation
        With its parameter, or None.
    shape
        What the operands leave open: the image's shape for the data gradient, the window's for the filter gradient.
    output_padding
        Of a transposed convolution.
    residual_after
        The residual is added behind the activation.
    """

    padding: Any
    stride: Any
    dilation: Any
    groups: Any
    mode: Any
    activation: Any = None
    shape: Any = None
    output_padding: Any = 0
    residual_after: bool = False


@dataclass(frozen=True)
class _Direction:
    """One direction as users see it.

    Attributes
    ----------
    problem
        The problem's operation.
    operands
        Pairs of the caller's name and the problem's role, in the problem's order.
    image
        The caller's name of the operand whose layout the result follows.
    result
        The result's role.
    shape
        The result's shape from the views, the convolution, and the parameters.
    """

    problem: str
    operands: tuple[tuple[str, str], ...]
    image: str
    result: str
    shape: Callable[[dict[str, ArrayView], ConvolutionSpec, Parameters], Shape]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.operands)


def _shape_tuple(argument: str, value: Any) -> Shape:
    sizes = [equal_int(one) for one in value] if isinstance(value, Sequence) else [None]
    found = tuple(one for one in sizes if one is not None)
    if len(found) < len(sizes):
        raise ArgumentTypeError(argument, value, "must be a tuple of whole numbers")
    return found


def _forward(views: dict[str, ArrayView], spec: ConvolutionSpec, parameters: Parameters) -> Shape:  # noqa: ARG001
    return convolution_output(views["x"].shape, views["w"].shape, spec)


def _data_gradient(views: dict[str, ArrayView], spec: ConvolutionSpec, parameters: Parameters) -> Shape:
    dy, w = views["dy"].shape, views["w"].shape
    name, x = "x_shape", None
    if parameters.shape is not None:
        x = _shape_tuple(name, parameters.shape)
    elif "out" in views:
        name, x = "out", views["out"].shape
    try:
        return dgrad_output(dy, w, spec, x=x)
    except ArgumentError:
        if x is None:
            raise
    smallest = dgrad_output(dy, w, spec)  # tells what is wrong whatever the images are
    raise ArgumentError(name, x, f"is no shape of images that lead to dy {dy} with w {w}; {smallest} is the smallest")


def _transposed(views: dict[str, ArrayView], spec: ConvolutionSpec, parameters: Parameters) -> Shape:
    return transposed_output(views["x"].shape, views["w"].shape, spec, output_padding=parameters.output_padding)


def _filter_gradient(views: dict[str, ArrayView], spec: ConvolutionSpec, parameters: Parameters) -> Shape:
    return wgrad_output(views["x"].shape, views["dy"].shape, spec, _window(views, parameters))


def _window(views: dict[str, ArrayView], parameters: Parameters) -> Shape:
    if parameters.shape is not None:
        given = parameters.shape
        rank = len(views["x"].shape) - 2
        size = equal_int(given)
        return _shape_tuple("kernel", given) if size is None else (size,) * rank
    if "out" in views:
        x, out = views["x"].shape, views["out"].shape
        if len(out) != len(x):
            raise ArgumentError("out", out, f"and x {x} need the same number of axes")
        return out[2:]
    raise ArgumentTypeError("kernel", None, "must be given, since the operands leave the window's size open")


def extended(statics: tuple[Any, ...], residual_after: Any) -> tuple[Any, ...]:
    """The arguments of a forward convolution whose residual is added last.

    Raises
    ------
    ArgumentTypeError
        `residual_after` is no bool. Told here, since 1 equals True and would find its plan.
    """
    if not isinstance(residual_after, bool):
        raise ArgumentTypeError("residual_after", residual_after, "must be True or False")
    return (*statics, None, 0, residual_after)


_EXTRAS = (("bias", "bias"), ("residual", "residual"))
_DIRECTIONS = {
    "forward": _Direction("conv_forward", (("x", "x"), ("w", "w"), *_EXTRAS), "x", "y", _forward),
    "data": _Direction("conv_dgrad", (("w", "w"), ("dy", "dy")), "dy", "dx", _data_gradient),
    "filter": _Direction("conv_wgrad", (("x", "x"), ("dy", "dy")), "x", "dw", _filter_gradient),
    "transposed": _Direction("conv_dgrad", (("w", "w"), ("x", "dy"), *_EXTRAS), "x", "dx", _transposed),
}


def operation(name: str, direction: str, spatial: int | None = None) -> Operation:
    """An operation for callers.

    Parameters
    ----------
    name
        Its public name.
    direction
        forward, data, filter or transposed.
    spatial
        How many spatial axes it demands; None for 1 to 3.
    """
    one = _DIRECTIONS[direction]
    return Operation(name, one.names, partial(_describe, one, spatial))


def _describe(direction: _Direction, spatial: int | None, call: Call) -> Request:
    parameters = Parameters(*call.statics)
    views = float_views(call, same=("bias",))
    image = view_named(views, direction.image)
    rank = len(image.shape)
    if spatial is not None and rank != spatial + 2:
        raise ArgumentError(
            direction.image, image.shape, f"has {rank} axes; this operation takes {spatial + 2}: N, C, spatial"
        )
    for name in direction.names[:2]:
        if len(view_named(views, name).shape) != rank:
            raise ArgumentError(
                name, views[name].shape, f"and {direction.image} {image.shape} need the same number of axes"
            )
    if not 3 <= rank <= 5:
        raise ArgumentError(direction.image, image.shape, "needs 3, 4 or 5 axes: N, C, spatial")
    window = _window(views, parameters) if direction.result == "dw" else views["w"].shape[2:]
    spec = convolution_spec(
        window, padding=parameters.padding, stride=parameters.stride, dilation=parameters.dilation,
        groups=parameters.groups, mode=parameters.mode,
    )  # fmt: skip
    shape = direction.shape(views, spec, parameters)
    shared = check_out(call, views, shape, ("residual",))
    epilogue = epilogue_of(
        parameters.activation, bias="bias" in views, residual="residual" in views,
        residual_after=parameters.residual_after,
    )  # fmt: skip
    _check_extras(views, shape)
    return _request(direction, call, views, spec, epilogue, shape, shared)


def _check_extras(views: dict[str, ArrayView], shape: Shape) -> None:
    bias, residual = views.get("bias"), views.get("residual")
    if bias is not None:
        wanted = (1, shape[1], *(1 for _ in shape[2:]))
        if bias.shape not in ((shape[1],), wanted):
            raise ArgumentError("bias", bias.shape, f"has another shape than ({shape[1]},), one for each channel")
    if residual is not None and residual.shape != shape:
        raise ArgumentError("residual", residual.shape, f"has another shape than the result, {shape}")


def _request(
    direction: _Direction,
    call: Call,
    views: dict[str, ArrayView],
    spec: ConvolutionSpec,
    epilogue: Epilogue,
    shape: Shape,
    shared: list[str],
) -> Request:
    image, out = views[direction.image], views.get("out")
    strides = out.strides if out is not None else result_strides(shape, image, views.get("w"))
    last = channels_innermost(shape, strides)
    tensors = [spec_of(role, views[name], channels_last=last) for name, role in direction.operands if name in views]
    if out is not None:
        tensors.append(spec_of(direction.result, out, channels_last=last, output=True))
    else:
        tensors.append(TensorSpec(direction.result, shape, strides, image.dtype, FRESH_ALIGNMENT, output=True))
    trivial = 0 in shape or any(0 in one.shape for one in tensors if one.role not in ("bias", "residual"))
    library = image.library
    fused = epilogue.bias or epilogue.residual or epilogue.activation is not None
    problem = make_problem(
        call,
        direction.problem,
        tensors,
        image.device,
        convolution=spec,
        epilogue=epilogue,
        # What the array library adds afterwards competes with the fused engines.
        parameters=(("library", library.name),) if fused else (),
        aliasing=tuple((name, direction.result) for name in shared),
        trivial=trivial,
    )
    return Request(
        problem, library, image.device, shape, strides, image.dtype, ("residual",),
        trivial=Empty(problem, library.kernels) if trivial else None,
    )  # fmt: skip
