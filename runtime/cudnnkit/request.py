"""A call described: the problem behind it, where it runs, and what its result looks like. The slow path only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cudnnkit.arrays.layouts import shares_elements
from cudnnkit.arrays.registry import kind_of, view_of
from cudnnkit.arrays.view import ArrayLibrary, ArrayView, span_bytes
from cudnnkit.errors import ArgumentError, ArgumentTypeError
from cudnnkit.operands import ArrayExecutable, Operands
from cudnnkit.policy import Policy
from cudnnkit.problem import Problem, TensorSpec, normalize_strides
from cudnnkit.tuner import Tuner

__all__ = [
    "FLOATS",
    "Call",
    "Request",
    "Written",
    "check_out",
    "check_writable",
    "compute_type",
    "float_views",
    "mixed_places",
    "operands_of",
    "spec_of",
]

FLOATS = ("float16", "bfloat16", "float32", "float64")
FRESH_ALIGNMENT = 16
"""Alignment of what array libraries allocate (they align more strictly; more does not matter)."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a user's call gave.

    Attributes
    ----------
    arrays
        Inputs in the operation's own order, None where left out.
    names
        Their names, for errors.
    out
        The given output, or None.
    statics
        The other arguments, as the operation lists them.
    alpha, beta
        Scaling factors.
    policy
        The policy of this call.
    tuner
        Who decides.
    """

    arrays: tuple[Any, ...]
    names: tuple[str, ...]
    out: Any
    statics: tuple[Any, ...]
    alpha: float
    beta: float
    policy: Policy
    tuner: Tuner


class Written:
    """The arrays that a call writes beside its result, none of which may share memory with another array of the call.

    Parameters
    ----------
    views
        The call's arrays by name, in its order, `out` last or left out.
    names
        Which of them are written.
    out
        The result's shape and strides in elements, and its type.
    """

    __slots__ = ("_names", "_places", "_spans")

    def __init__(
        self, views: dict[str, ArrayView], names: Sequence[str], out: tuple[tuple[int, ...], tuple[int, ...], str]
    ) -> None:
        others = {name: view for name, view in views.items() if name != "out"}
        self._names = [*others, "out"]
        self._places = [self._names.index(name) for name in names if name in others]
        self._spans = [span_bytes(one.shape, one.strides, one.dtype) for one in others.values()] + [span_bytes(*out)]

    def check(self, pointers: Sequence[int]) -> None:
        """See that none overlaps another array: for every call, as equal signatures say nothing of addresses.

        Parameters
        ----------
        pointers
            Addresses in the order of the views; that of a result which is still to be made may be left out.

        Raises
        ------
        ArgumentError
            One does.
        """
        extents = [(at + low, at + high) for at, (low, high) in zip(pointers, self._spans, strict=False)]
        end = 0
        for low, high in sorted(extents):
            if low < end:
                break
            end = high
        else:
            return  # nothing overlaps at all, as nearly always
        for place in self._places:
            first, last = extents[place]
            for other, (low, high) in enumerate(extents):
                if low < last and first < high and other != place and low < high:
                    name, hit = self._names[place], self._names[other]
                    raise ArgumentError(name, f"overlaps {hit}", "shares memory with it and is written; give another")


@dataclass(slots=True)
class Request:
    """A call described.

    Attributes
    ----------
    problem
        The problem.
    library, device
        Whose array the result is, and where.
    out_shape, out_strides, out_dtype
        The result; strides in elements.
    in_place
        Roles that may be the very array that `out` is.
    axis
        The arrays' own axis that the problem's axis 1 stands for.
    trivial
        Answers without cuDNN: nothing is to be computed.
    written
        What is written beside the result; None for nothing.
    """

    problem: Problem
    library: ArrayLibrary
    device: int
    out_shape: tuple[int, ...]
    out_strides: tuple[int, ...]
    out_dtype: str
    in_place: tuple[str, ...] = ()
    axis: int = 1
    trivial: ArrayExecutable | None = None
    written: Written | None = None

    def check_written(self, pointers: Sequence[int]) -> None:
        """As :meth:`Written.check`, by the addresses of a call's arrays."""
        if self.written is not None:
            self.written.check(pointers)


def float_views(call: Call, *, same: Sequence[str] = ()) -> dict[str, ArrayView]:
    """The call's arrays by name, on one device, of floating types.

    Parameters
    ----------
    call
        The call.
    same
        Names of arrays that may be float32 beside half data; all others share one type.

    Raises
    ------
    ArgumentTypeError
        An argument is no GPU array.
    ArgumentError
        A type is no floating one or differs, or an array is on another device.
    """
    views: dict[str, ArrayView] = {}
    given = [*zip(call.names, call.arrays, strict=True), ("out", call.out)]
    for name, array in given:
        if array is not None:
            views[name] = view_of(array, name)
    if not views:
        raise ArgumentTypeError(call.names[0], None, "must be given")
    first_name = next(iter(views))
    first = views[first_name]
    for name, view in views.items():
        if view.dtype not in FLOATS:
            raise ArgumentError(name, view.dtype, f"must be one of {', '.join(FLOATS)}; convert it")
        if view.device != first.device:
            raise ArgumentError(
                name, f"on device {view.device}", f"but {first_name} is on device {first.device}; move one of them"
            )
        if view.dtype != first.dtype and not (name in same and view.dtype == "float32" and first.dtype != "float64"):
            raise ArgumentError(name, view.dtype, f"but {first_name} is {first.dtype}; convert one of them")
    return views


def compute_type(dtype: str) -> str:
    """Half data computes in float32."""
    return "float64" if dtype == "float64" else "float32"


def spec_of(role: str, view: ArrayView, *, channels_last: bool, output: bool = False) -> TensorSpec:
    """An operand of the problem."""
    strides = normalize_strides(view.shape, view.strides, channels_last=channels_last)
    return TensorSpec(role, view.shape, strides, view.dtype, view.alignment, output)


def check_out(call: Call, views: dict[str, ArrayView], shape: tuple[int, ...], in_place: Sequence[str]) -> list[str]:
    """Names of inputs that are the output itself.

    Raises
    ------
    ArgumentTypeError
        beta is given without the output that it scales.
    ArgumentError
        The output cannot be written, has another shape or type, or overlaps an input other than by being the same
        array.
    """
    out = views.get("out")
    if out is None:
        if call.beta != 0:
            raise ArgumentTypeError("beta", call.beta, "scales the old content of out, which was not given")
        return []
    check_writable("out", out)
    if out.shape != shape:
        raise ArgumentError("out", out.shape, f"has another shape than the result, {shape}")
    shared = []
    for name, view in views.items():
        if name == "out" or not view.overlaps(out):
            continue
        same = view.pointer == out.pointer and view.shape == out.shape and view.strides == out.strides
        if same and name in in_place:
            shared.append(name)
            continue
        if same:
            raise ArgumentError("out", f"the same array as {name}", "would be written while it is read; give another")
        raise ArgumentError("out", f"overlaps {name}", "shares memory with it; copy one of them")
    return shared


def check_writable(name: str, view: ArrayView) -> None:
    """See that an array may be written.

    Raises
    ------
    ArgumentError
        It is read-only, or its strides do not keep its elements apart.
    """
    if view.read_only and view.size:
        raise ArgumentError(name, f"an array of shape {view.shape}", "is read-only and would be written; give a copy")
    if shares_elements(view.shape, view.strides):
        hint = "may share memory by these strides, and would be written; give a copy"
        raise ArgumentError(name, view.strides, f"elements of a {view.shape} array {hint}")


def operands_of(request: Request, arrays: Sequence[Any], call: Call) -> Operands:
    """The operands of the first launch, all of the result's library."""
    library = request.library
    pointers = tuple(view_of(one, "array").pointer for one in arrays)
    mixed = mixed_places(request, arrays)
    taken = tuple(library.take(one) if place in mixed else one for place, one in enumerate(arrays))
    return Operands(taken, pointers, library.stream(request.device), call.alpha, call.beta)


def mixed_places(request: Request, arrays: Sequence[Any]) -> tuple[int, ...]:
    """Places of the arrays that are of another library than the result."""
    return tuple(place for place, one in enumerate(arrays) if kind_of(one, "array").library is not request.library)
