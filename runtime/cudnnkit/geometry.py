"""Output sizes of convolution, its gradients, transposed convolution and pooling.

Shapes are (N, C, spatial...); filters are (K, C / groups, spatial...). The three directions of a convolution share one
relation per spatial axis::

    out = (in + pre + post - dilation * (kernel - 1) - 1) // stride + 1

Nothing is clamped: a window larger than the padded image is an error that names the argument, except over an image
that is empty itself, whose result is empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, get_args

from cudnnkit.errors import ArgumentError, ArgumentTypeError
from cudnnkit.numbers import equal_int
from cudnnkit.problem import ConvolutionSpec, PoolingSpec

__all__ = [
    "Padding",
    "channels_hint",
    "convolution_output",
    "convolution_spec",
    "dgrad_output",
    "pooling_output",
    "pooling_spec",
    "round_up",
    "transposed_output",
    "wgrad_output",
    "window_output",
]

Shape: TypeAlias = tuple[int, ...]
Padding: TypeAlias = int | Sequence[int] | Sequence[Sequence[int]] | Literal["same", "valid"]
"""One number; one per axis; one pair (before, after) per axis; ``"valid"`` for none; ``"same"`` to keep sizes."""

Mode: TypeAlias = Literal["cross-correlation", "convolution"]
PoolingMode: TypeAlias = Literal["max", "average_include_padding", "average_exclude_padding"]


_LARGEST = 2**31 - 1


def _integer(argument: str, value: object, given: object) -> int:
    found = equal_int(value)
    if found is None:
        raise ArgumentTypeError(argument, given, "takes whole numbers")
    return found


def _per_axis(argument: str, value: object, rank: int, smallest: int) -> Shape:
    """`value` as one whole number per spatial axis, none below `smallest`."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        numbers = tuple(_integer(argument, one, value) for one in value)
        if len(numbers) != rank:
            raise ArgumentError(
                argument, value, f"has {len(numbers)} entries for {rank} spatial axes; give 1 or {rank}"
            )
    else:
        numbers = (_integer(argument, value, value),) * rank
    if any(one < smallest for one in numbers):
        raise ArgumentError(argument, value, f"must be at least {smallest} on every axis")
    if any(one > _LARGEST for one in numbers):
        raise ArgumentError(argument, value, f"must be at most {_LARGEST}, what cuDNN's 32 bits hold")
    return numbers


def _paddings(padding: Padding, kernel: Shape, stride: Shape, dilation: Shape) -> tuple[Shape, Shape]:
    rank = len(stride)
    if isinstance(padding, str):
        if padding == "valid":
            return (0,) * rank, (0,) * rank
        if padding != "same":
            raise ArgumentError("padding", padding, "allowed are 'same', 'valid', numbers, and pairs (before, after)")
        if any(step != 1 for step in stride):
            raise ArgumentError("padding", padding, f"needs stride 1, and the stride is {stride}; give numbers instead")
        total = tuple(step * (size - 1) for step, size in zip(dilation, kernel, strict=True))
        return tuple(one // 2 for one in total), tuple(one - one // 2 for one in total)
    if isinstance(padding, Sequence) and any(isinstance(one, Sequence) for one in padding):
        pairs: Sequence[Any] = padding
        if any(not isinstance(one, Sequence) or len(one) != 2 for one in pairs):
            raise ArgumentError("padding", padding, "mixes pairs (before, after) with something else")
        before = _per_axis("padding", [one[0] for one in pairs], rank, 0)
        return before, _per_axis("padding", [one[1] for one in pairs], rank, 0)
    both = _per_axis("padding", padding, rank, 0)
    return both, both


def convolution_spec(
    kernel: Sequence[int],
    *,
    padding: Padding = 0,
    stride: int | Sequence[int] = 1,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
    mode: Mode = "cross-correlation",
) -> ConvolutionSpec:
    """Checked parameters of a convolution whose filter has the spatial sizes `kernel`.

    Raises
    ------
    ArgumentError
        Padding is negative, stride or dilation or groups is 0 or less, a sequence has the wrong length, ``"same"``
        comes with a stride, or the mode is unknown.
    """
    rank = len(kernel)
    steps = _per_axis("stride", stride, rank, 1)
    gaps = _per_axis("dilation", dilation, rank, 1)
    before, after = _paddings(padding, tuple(kernel), steps, gaps)
    count = _integer("groups", groups, groups)
    if count < 1:
        raise ArgumentError("groups", groups, "must be at least 1")
    if mode not in get_args(Mode):
        raise ArgumentError("mode", mode, f"allowed are {', '.join(map(repr, get_args(Mode)))}")
    return ConvolutionSpec(before, after, steps, gaps, count, mode)


def window_output(
    shape: Sequence[int],
    axis: int,
    window: int,
    pre: int,
    post: int,
    stride: int,
    dilation: int = 1,
    *,
    argument: str = "x",
    way: str = "",
) -> int:
    """How often a window of `window` taps fits on an axis of images of `shape`, both paddings counted.

    Raises
    ------
    ArgumentError
        The window, dilation counted, is larger than the padded axis. `argument` is the name to blame, `way` what helps.
    """
    size = shape[axis]
    extent = dilation * (window - 1) + 1
    padded = size + pre + post
    if padded < extent:
        if size == 0:
            return 0
        way = way or ("pad more, or dilate less" if dilation > 1 else "pad more, or take smaller filters")
        told = f"axis {axis}, of {size}, is {padded} long with padding, less than the window's {extent}; {way}"
        raise ArgumentError(argument, tuple(shape), told)
    return (padded - extent) // stride + 1


def _ranks(name: str, shape: Sequence[int], other_name: str, other: Sequence[int]) -> int:
    if len(shape) != len(other) or not 3 <= len(shape) <= 5:
        raise ArgumentError(
            name,
            tuple(shape),
            f"and {other_name} {tuple(other)} need the same number of axes: 3, 4 or 5 (N, C, spatial)",
        )
    return len(shape) - 2


def channels_hint(names: str, rank: int) -> str:
    """What to do with arrays whose channels are their last axis, as the end of a sentence."""
    order = (0, rank - 1, *range(1, rank - 1))
    shape = "(N, C, spatial)" if rank > 2 else "(N, C)"
    return (
        f"; the last axis would fit: shapes are {shape} in every layout, and strides tell the layout: "
        f"give a view of {names}, with transpose{order} or torch's permute"
    )


def _last_meant(x_name: str, x: Sequence[int], x_channels: int, w: Sequence[int], groups: int) -> str:
    """A hint where the channels of one array or of both would match if they were the last axis."""
    fits = {
        x_name: x[-1] == w[1] * groups,
        "w": w[-1] * groups == x_channels,
        f"{x_name} and of w": x[-1] == w[-1] * groups,
    }
    meant = next((names for names, fit in fits.items() if fit), None)
    return "" if meant is None else channels_hint(meant, len(x))


def _check_filter(x_name: str, x_channels: int, x: Sequence[int], w: Sequence[int], spec: ConvolutionSpec) -> None:
    if any(size < 1 for size in w[2:]):
        raise ArgumentError("w", tuple(w), "has an empty window; every spatial size must be at least 1")
    if x_channels != w[1] * spec.groups:
        raise ArgumentError(
            "w",
            tuple(w),
            f"takes {w[1]} channels in each of {spec.groups} groups, {w[1] * spec.groups} together, "
            f"but {x_name} {tuple(x)} has {x_channels}{_last_meant(x_name, x, x_channels, w, spec.groups)}",
        )
    if w[0] % spec.groups:
        raise ArgumentError("groups", spec.groups, f"does not divide the {w[0]} filters of w {tuple(w)}")


def convolution_output(x: Sequence[int], w: Sequence[int], spec: ConvolutionSpec) -> Shape:
    """Shape of y for x (N, C, ...) and w (K, C / groups, ...).

    Raises
    ------
    ArgumentError
        Ranks or channels do not match, groups does not divide the filters, or the window is larger than the image.
    """
    rank = _ranks("x", x, "w", w)
    _check_filter("x", x[1], x, w, spec)
    return (
        x[0],
        w[0],
        *(
            window_output(
                x, 2 + axis, w[2 + axis], spec.pre_padding[axis], spec.post_padding[axis], spec.stride[axis],
                spec.dilation[axis],
            )
            for axis in range(rank)
        ),
    )  # fmt: skip


def dgrad_output(
    dy: Sequence[int],
    w: Sequence[int],
    spec: ConvolutionSpec,
    *,
    x: Sequence[int] | None = None,
    output_padding: int | Sequence[int] = 0,
) -> Shape:
    """Shape of dx for dy (N, K, ...) and w (K, C / groups, ...).

    With a stride several image sizes lead to the same dy. `x` names the one that is meant and is checked; without it
    the smallest is taken, enlarged by `output_padding`.

    Raises
    ------
    ArgumentError
        Ranks or channels do not match, `x` does not lead to dy, or output_padding is as large as the stride or the
        dilation.
    """
    rank = _ranks("dy", dy, "w", w)
    if dy[1] != w[0]:
        hint = channels_hint("dy", len(dy)) if dy[-1] == w[0] else ""
        raise ArgumentError("dy", tuple(dy), f"has {dy[1]} channels, but w {tuple(w)} has {w[0]} filters{hint}")
    if x is not None:
        if convolution_output(x, w, spec) != tuple(dy):
            led = convolution_output(x, w, spec)
            raise ArgumentError("dy", tuple(dy), f"does not belong to x {tuple(x)}, whose result is {led}")
        return tuple(x)
    channels = w[1] * spec.groups
    _check_filter("dx", channels, (dy[0], channels, *dy[2:]), w, spec)
    extra = _per_axis("output_padding", output_padding, rank, 0)
    sizes = []
    for axis in range(rank):
        if extra[axis] and extra[axis] >= max(spec.stride[axis], spec.dilation[axis]):
            raise ArgumentError(
                "output_padding",
                output_padding,
                f"must stay below the stride {spec.stride} or the dilation {spec.dilation}",
            )
        extent = spec.dilation[axis] * (w[2 + axis] - 1) + 1
        pads = spec.pre_padding[axis] + spec.post_padding[axis]
        size = (dy[2 + axis] - 1) * spec.stride[axis] + extent - pads + extra[axis] if dy[2 + axis] else 0
        if size < 0:
            raise ArgumentError("padding", pads, f"takes away more than there is on spatial axis {axis}; pad less")
        sizes.append(size)
    return (dy[0], channels, *sizes)


def transposed_output(
    x: Sequence[int], w: Sequence[int], spec: ConvolutionSpec, *, output_padding: int | Sequence[int] = 0
) -> Shape:
    """Shape of a transposed convolution of x (N, C, ...) with w (C, K / groups, ...): the data gradient's shape.

    Raises
    ------
    ArgumentError
        As :func:`dgrad_output`, in this function's own names.
    """
    try:
        return dgrad_output(x, w, spec, output_padding=output_padding)
    except ArgumentError as error:
        if error.argument != "dy":
            raise
        raise ArgumentError("x", error.value, error.hint) from None


def wgrad_output(x: Sequence[int], dy: Sequence[int], spec: ConvolutionSpec, kernel: Sequence[int]) -> Shape:
    """Shape of dw for x (N, C, ...), dy (N, K, ...) and the filter's spatial sizes.

    Raises
    ------
    ArgumentError
        Ranks, batches or channels do not match, groups divides neither, or dy is not what x and `kernel` lead to.
    """
    rank = _ranks("x", x, "dy", dy)
    if len(kernel) != rank:
        raise ArgumentError("kernel", tuple(kernel), f"has {len(kernel)} entries for {rank} spatial axes")
    if x[0] != dy[0]:
        raise ArgumentError("dy", tuple(dy), f"has batch {dy[0]}, but x {tuple(x)} has {x[0]}")
    if x[1] % spec.groups or dy[1] % spec.groups:
        raise ArgumentError("groups", spec.groups, f"does not divide the channels of x {tuple(x)} and dy {tuple(dy)}")
    dw = (dy[1], x[1] // spec.groups, *kernel)
    led = convolution_output(x, dw, spec)
    if led != tuple(dy):
        raise ArgumentError(
            "dy", tuple(dy), f"does not belong to x {tuple(x)} with kernel {tuple(kernel)}: expected {led}"
        )
    return dw


def pooling_spec(
    shape: Sequence[int],
    window: int | Sequence[int],
    mode: PoolingMode,
    *,
    padding: Padding = 0,
    stride: int | Sequence[int] | None = None,
    argument: str = "x",
) -> PoolingSpec:
    """Checked parameters of a pooling of images of `shape` (N, C, ...); the stride is the window unless given.

    Parameters
    ----------
    argument
        The name of the images, to blame.

    Raises
    ------
    ArgumentError
        The images have no or more than 3 spatial axes; the window or the stride is 0 or less; padding is negative or
        more than half the window, where a window could see nothing but padding.
    """
    rank = len(shape) - 2
    if not 1 <= rank <= 3:
        raise ArgumentError(argument, tuple(shape), "needs 3, 4 or 5 axes: N, C, spatial")
    sizes = _per_axis("window", window, rank, 1)
    steps = sizes if stride is None else _per_axis("stride", stride, rank, 1)
    before, after = _paddings(padding, sizes, steps, (1,) * rank)
    if any(max(pair) > size // 2 for *pair, size in zip(before, after, sizes, strict=True)):
        raise ArgumentError("padding", padding, f"must be at most half the window {sizes} on every side")
    return PoolingSpec(mode, sizes, before, after, steps)


def pooling_output(shape: Sequence[int], spec: PoolingSpec, *, argument: str = "x") -> Shape:
    """Shape of a pooling of images of `shape` (N, C, ...); sizes round down.

    Raises
    ------
    ArgumentError
        The window is larger than the padded image, or sees nothing but padding since the image is empty.
    """
    result = [shape[0], shape[1]]
    for axis, size in enumerate(shape[2:]):
        one = window_output(
            shape, 2 + axis, spec.window[axis], spec.pre_padding[axis], spec.post_padding[axis], spec.stride[axis],
            argument=argument, way="take a smaller window, or pad by up to half of it",
        )  # fmt: skip
        if one and not size:
            raise ArgumentError(argument, tuple(shape), "holds no element to pool; pad less")
        result.append(one)
    return tuple(result)


def round_up(size: int, multiple: int) -> int:
    """The least multiple that is not below `size`."""
    return -(-size // multiple) * multiple
