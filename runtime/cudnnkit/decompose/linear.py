"""Fully connected layers: the array library's own product, a 1x1 convolution, and dense copies of what has gaps.

A problem sees its operands as matrices (rows, channels); arrays may have any number of axes in front of the channels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from cudnnkit.arrays.view import contiguous_strides
from cudnnkit.candidates import Description
from cudnnkit.decompose.setting import Ready, Setting
from cudnnkit.decompose.staged import Staged, but, places_of, step
from cudnnkit.operands import ArrayExecutable, Operands
from cudnnkit.problem import STRIDED, ConvolutionSpec, Epilogue, Problem, TensorSpec, normalize_strides

__all__ = ["CONVOLUTIONS", "array_product", "described", "is_strided", "linear_ways"]

CONVOLUTIONS = {
    "linear_forward": ("conv_forward", ("x", "w", "bias", "residual", "y")),
    "linear_dgrad": ("conv_dgrad", ("w", "dy", "dx")),
    "linear_wgrad": ("conv_wgrad", ("x", "dy", "dw")),
}
"""The 1x1 convolution that each is, and the order of its operands."""

_FACTORS = {"linear_forward": ("x", "w"), "linear_dgrad": ("dy", "w"), "linear_wgrad": ("dy", "x")}
"""Left and right factor of each product."""

_ONE = ConvolutionSpec((0, 0), (0, 0), (1, 1), (1, 1))


def is_strided(problem: Problem) -> bool:
    """Whether the axes in front of the channels do not follow each other in memory, so that nothing is a matrix."""
    return STRIDED in problem.parameters


def linear_ways(problem: Problem, setting: Setting) -> list[Staged]:
    """A matrix of pixels is an image of height and width 1; what is no matrix is copied into one first."""
    return [_copied(problem, setting) if is_strided(problem) else _convolved(problem, setting)]


def _convolved(problem: Problem, setting: Setting) -> Staged:
    operation, roles = CONVOLUTIONS[problem.operation]
    places = places_of(problem)
    picked = [places[role] for role in roles if role in places]
    tensors = []
    for place in picked:
        spec = problem.tensors[place]
        if spec.role != "bias":
            shape, strides = (*spec.shape, 1, 1), (*spec.strides, 1, 1)
            spec = replace(spec, shape=shape, strides=normalize_strides(shape, strides, channels_last=True))
        tensors.append(spec)
    changes: dict[str, Any] = {"operation": operation, "convolution": _ONE}
    if problem.epilogue == Epilogue():
        # A bare convolution has no kernel of an array library as a candidate: the same problem whoever asks.
        changes["parameters"] = tuple(pair for pair in problem.parameters if pair[0] != "library")
    inner = but(problem, tensors, **changes)
    shapes = [None if one.role == "bias" else one.shape for one in tensors]

    def run(operands: Operands, workspace: int, solved: Sequence[Ready]) -> None:
        arrays = tuple(operands.arrays[place] for place in picked)
        if isinstance(solved[0].executable, ArrayExecutable):
            arrays = tuple(
                one if shape is None else one.reshape(shape) for one, shape in zip(arrays, shapes, strict=True)
            )
        pointers = tuple(operands.pointers[place] for place in picked)
        step(solved[0], operands._replace(arrays=arrays, pointers=pointers), workspace)

    return Staged("as a 1x1 convolution", 1, setting, (inner,), run)


def _matrix(spec: TensorSpec) -> TensorSpec:
    """A dense matrix with the same channels."""
    shape = spec.shape if len(spec.shape) == 1 else (math.prod(spec.shape[:-1]), spec.shape[-1])
    return replace(spec, shape=shape, strides=contiguous_strides(shape), alignment=16)


def _copied(problem: Problem, setting: Setting) -> Staged:
    dense = [_matrix(one) for one in problem.tensors]
    changed = [place for place, one in enumerate(problem.tensors) if one.strides != contiguous_strides(one.shape)]
    moved = {problem.tensors[place].role for place in changed}
    inner = but(
        problem, dense,
        parameters=tuple(pair for pair in problem.parameters if pair != STRIDED),
        aliasing=tuple(pair for pair in problem.aliasing if not moved & set(pair)),
    )  # fmt: skip
    library = setting.library

    def run(operands: Operands, workspace: int, solved: Sequence[Ready]) -> None:
        arrays, rooms = list(operands.arrays), {}
        for place in changed:
            spec = problem.tensors[place]
            rooms[place] = room = setting.empty(replace(spec, strides=contiguous_strides(spec.shape)))
            if not spec.output:
                library.kernels.copy(arrays[place], room)
            arrays[place] = room
        matrices = [one.reshape(spec.shape) for one, spec in zip(arrays, dense, strict=True)]
        step(solved[0], operands.but(library, matrices), workspace)
        for place, room in rooms.items():
            if problem.tensors[place].output:
                library.kernels.copy(room, operands.arrays[place])

    return Staged(f"dense copies of {', '.join(sorted(moved))}, then a product", 2, setting, (inner,), run)


def described(problem: Problem, description: Description) -> Description | None:
    """What is said of the array library's product; None where it may not serve.

    Whether it rounds float32 to TF32 is a setting of the library that may change at any time, so it serves float32 only
    where that is admitted. Half data may be added up in parts that are rounded.
    """
    dtype, notes = problem.tensors[0].dtype, {"tensor_core"}
    if problem.aliasing or (dtype == "float32" and problem.policy.precision != "fast"):
        return None
    if dtype in ("float16", "bfloat16"):
        notes.add("reduced_precision_reduction")
    return replace(description, numerical=frozenset(notes))


def array_product(problem: Problem, setting: Setting) -> Callable[[Operands], None]:
    """The product, then what follows by the library's elementwise kernels, in place."""
    places, kernels, epilogue = places_of(problem), setting.library.kernels, problem.epilogue
    first, second = (places[role] for role in _FACTORS[problem.operation])
    out, bias, residual = len(problem.tensors) - 1, places.get("bias"), places.get("residual")
    plain = epilogue == Epilogue()
    weights = problem.operation == "linear_wgrad"

    def run(operands: Operands) -> None:
        arrays = operands.arrays
        a, b, y = arrays[first], arrays[second], arrays[out]
        if weights:
            a, b = a.reshape(-1, a.shape[-1]).T, b.reshape(-1, b.shape[-1])
        elif problem.operation == "linear_forward":
            b = b.T
        kernels.product(a, b, y)
        if not plain:
            added = None if bias is None else arrays[bias]
            more = None if residual is None else arrays[residual]
            kernels.epilogue(y, y, added, more, epilogue.activation, epilogue.parameters, epilogue.residual_after)

    return run
