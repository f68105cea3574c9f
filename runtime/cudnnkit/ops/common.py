"""What the descriptions of several operations share."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any, TypeAlias

from cudnnkit.arrays.kernels import Kernels
from cudnnkit.arrays.layouts import prefers_channels_last
from cudnnkit.arrays.view import ArrayView, channels_last_strides, contiguous_strides
from cudnnkit.engines.activations import ACTIVATIONS
from cudnnkit.errors import ArgumentError, ArgumentTypeError
from cudnnkit.numbers import equal_float, equal_int
from cudnnkit.operands import ArrayExecutable, Operands
from cudnnkit.problem import DeviceSpec, Epilogue, Problem, TensorSpec, VersionSpec, scale_class
from cudnnkit.request import Call, compute_type

__all__ = [
    "NOWHERE", "Activation", "Empty", "dense_order", "epilogue_of", "make_problem", "normal_axis", "result_strides",
    "view_named",
]  # fmt: skip

Activation: TypeAlias = str | tuple[str, float] | None
"""A name, or a name with its parameter: ``"relu"``, ``("leaky_relu", 0.2)``."""

NOWHERE = DeviceSpec((0, 0), 0, 0, "none"), VersionSpec("none", "none")
"""Device and versions of what is answered without cuDNN."""


def view_named(views: dict[str, ArrayView], name: str) -> ArrayView:
    """The view of an argument that must be there.

    Raises
    ------
    ArgumentTypeError
        It was left out.
    """
    found = views.get(name)
    if found is None:
        raise ArgumentTypeError(name, None, "must be given")
    return found


def epilogue_of(activation: Any, *, bias: bool, residual: bool, residual_after: bool = False) -> Epilogue:
    """The checked epilogue of a call.

    Raises
    ------
    ArgumentError
        The activation is not known, or its parameter is not a finite number.
    """
    name, *given = activation if isinstance(activation, tuple) and activation else (activation,)
    if name is None and not given:
        return Epilogue(bias, residual)
    if not isinstance(name, str) or name not in ACTIVATIONS:
        allowed = ", ".join(map(repr, ACTIVATIONS))
        raise ArgumentError("activation", activation, f"allowed are {allowed}, with a parameter as ('elu', 1.0)")
    most = len(ACTIVATIONS[name].attributes)
    if len(given) > most:
        raise ArgumentError("activation", activation, f"{name} takes {most} parameter(s)")
    parameters = [one for one in map(equal_float, given) if one is not None and isfinite(one)]
    if len(parameters) < len(given):
        raise ArgumentError("activation", activation, "its parameter must be a finite number")
    if name == "silu" and parameters:
        name = "swish"
    if name == "swish" and (not parameters or parameters[0] == 1):
        name, parameters = "silu", []
    if name in ("clipped_relu", "softplus", "swish") and parameters and parameters[0] <= 0:
        raise ArgumentError("activation", activation, "its parameter must be greater than 0")
    if name == "identity":
        return Epilogue(bias, residual)
    return Epilogue(bias, residual, name, tuple(parameters), residual and residual_after)


def result_strides(shape: tuple[int, ...], image: ArrayView, other: ArrayView | None = None) -> tuple[int, ...]:
    """Strides of a new result: channels last where the image is so, by `other` where the image fits both layouts."""
    first = image.strides if image.shape else ()
    ambiguous = first in (contiguous_strides(image.shape), ()) and _fits(image, channels_last=True)
    decides = other if ambiguous and other is not None and not _fits(other, channels_last=False) else image
    last = prefers_channels_last(decides.shape, decides.strides)
    return (channels_last_strides if last else contiguous_strides)(shape)


def _fits(view: ArrayView, *, channels_last: bool) -> bool:
    dense = (channels_last_strides if channels_last else contiguous_strides)(view.shape)
    return all(size <= 1 or step == fit for size, step, fit in zip(view.shape, view.strides, dense, strict=True))


def make_problem(call: Call, operation: str, tensors: Sequence[TensorSpec], device: int, **more: Any) -> Problem:
    """The problem of a call."""
    backend = call.tuner.backend
    trivial = more.pop("trivial", False)
    spec, versions = NOWHERE if trivial else (backend.spec(device), backend.versions())
    return Problem(
        operation,
        tuple(tensors),
        compute_type(tensors[0].dtype),
        spec,
        versions,
        call.policy.key,
        alpha=scale_class(call.alpha),
        beta=scale_class(call.beta),
        **more,
    )


def normal_axis(axis: Any, rank: int) -> int:
    """An axis counted from the front.

    Raises
    ------
    ArgumentError
        There is no such axis.
    """
    found = equal_int(axis)
    if found is None:
        raise ArgumentTypeError("axis", axis, "must be a whole number")
    if not -rank <= found < rank:
        raise ArgumentError("axis", axis, f"is outside of the {rank} axes of x")
    return found % rank


def dense_order(shape: tuple[int, ...], strides: tuple[int, ...]) -> list[int] | None:
    """Axes from the slowest to the fastest of a tensor without gaps; None where it has some, or runs backwards."""
    order = sorted(range(len(shape)), key=lambda axis: (-strides[axis], shape[axis] == 1, axis))
    expected = 1
    for axis in reversed(order):
        if shape[axis] == 1:
            continue
        if strides[axis] != expected:
            return None
        expected *= shape[axis]
    return order


class Empty(ArrayExecutable):
    """Nothing is added up: the result is what beta, residual, bias and activation make of zeros."""

    def __init__(self, problem: Problem, kernels: Kernels) -> None:
        roles = [one.role for one in problem.tensors]
        self._kernels, self._epilogue, self._reads = kernels, problem.epilogue, problem.beta != "zero"
        self._bias = roles.index("bias") if "bias" in roles else None
        self._residual = roles.index("residual") if "residual" in roles else None
        self._nothing = 0 in problem.tensors[-1].shape
        self._rank = len(problem.tensors[-1].shape)
        self._shared = any("residual" in pair for pair in problem.aliasing)

    def run_on(self, operands: Operands, workspace: int) -> None:  # noqa: ARG002
        """Fill the result."""
        if self._nothing:
            return
        arrays, kernels, epilogue = operands.arrays, self._kernels, self._epilogue
        out = arrays[-1]
        residual = None if self._residual is None else arrays[self._residual]
        if residual is not None and self._shared and epilogue.residual_after:
            residual = residual * 1  # a copy, since it is the output
        elif residual is not None and self._shared:
            residual = None  # it is the output, which keeps its content
            kernels.scale(None, out, 0.0, 1.0 + (operands.beta if self._reads else 0.0))
        if residual is not None or not self._shared:
            kernels.scale(None, out, 0.0, operands.beta if self._reads else 0.0)
        if epilogue.bias or residual is not None or epilogue.activation:
            bias = None if self._bias is None else arrays[self._bias].reshape((1, -1) + (1,) * (self._rank - 2))
            kernels.epilogue(
                out, out, bias, residual, epilogue.activation, epilogue.parameters, epilogue.residual_after
            )
