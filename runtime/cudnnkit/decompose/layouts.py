"""Operands copied into a form that engines take: padded by hand, or into one dense layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cudnnkit.arrays.layouts import prefers_channels_last
from cudnnkit.arrays.view import channels_last_strides, contiguous_strides
from cudnnkit.candidates import HINDMOST
from cudnnkit.decompose.setting import Ready, Setting
from cudnnkit.decompose.staged import Staged, but, places_of, step
from cudnnkit.operands import Operands
from cudnnkit.problem import Epilogue, Problem, TensorSpec

__all__ = ["dense", "padded"]

_VECTORS = ("bias", "dbias")


def padded(problem: Problem, setting: Setting) -> Staged | None:
    """Asymmetric padding: what one side has more than the other becomes part of the image."""
    spec = problem.convolution
    if spec is None or spec.symmetric:
        return None
    image = "dx" if problem.operation == "conv_dgrad" else "x"
    if image == "dx" and problem.epilogue != Epilogue():
        return None
    old = problem.tensor(image)
    low = tuple(map(min, spec.pre_padding, spec.post_padding))
    before = [pre - common for pre, common in zip(spec.pre_padding, low, strict=True)]
    after = [post - common for post, common in zip(spec.post_padding, low, strict=True)]
    sizes = [size + pre + post for size, pre, post in zip(old.shape[2:], before, after, strict=True)]
    shape = (*old.shape[:2], *sizes)
    last = prefers_channels_last(old.shape, old.strides)
    larger = replace(
        old, shape=shape, strides=(channels_last_strides if last else contiguous_strides)(shape), alignment=16
    )
    even = replace(spec, pre_padding=low, post_padding=low)
    tensors = [larger if one.role == image else one for one in problem.tensors]
    inner = but(problem, tensors, convolution=even, **({"beta": "zero"} if image == "dx" else {}))
    inside = (slice(None), slice(None), *(slice(pre, pre + n) for pre, n in zip(before, old.shape[2:], strict=True)))
    at, library = places_of(problem)[image], setting.library

    def run(operands: Operands, workspace: int, solved: Sequence[Ready]) -> None:
        kernels, room = library.kernels, setting.empty(larger)
        if image == "x":
            kernels.fill(room, 0.0)
            kernels.copy(operands.arrays[at], room[inside])
        beta = 0.0 if image == "dx" else operands.beta
        arrays = [room if place == at else one for place, one in enumerate(operands.arrays)]
        step(solved[0], operands.but(library, arrays, alpha=operands.alpha, beta=beta), workspace)
        if image == "dx":
            kernels.scale(room[inside], operands.arrays[at], 1.0, operands.beta if problem.beta != "zero" else 0.0)

    return Staged("padding by hand, then convolution", HINDMOST, setting, (inner,), run)


def dense(problem: Problem, setting: Setting) -> Staged | None:
    """Every operand in one dense layout, the image's own; None where all are so already."""
    image = -2 if problem.pooling is not None else 1 if problem.operation == "conv_dgrad" else 0
    first = problem.tensors[image]
    strides_of = channels_last_strides if prefers_channels_last(first.shape, first.strides) else contiguous_strides
    changed: dict[int, TensorSpec] = {}
    for place, one in enumerate(problem.tensors):
        wanted = contiguous_strides(one.shape) if one.role in _VECTORS else strides_of(one.shape)
        if one.strides != wanted:
            changed[place] = replace(one, strides=wanted, alignment=16)
    if not changed:
        return None
    tensors = [changed.get(place, one) for place, one in enumerate(problem.tensors)]
    moved = {tensors[place].role for place in changed}
    aliasing = tuple(pair for pair in problem.aliasing if not moved & set(pair))
    inner = but(problem, tensors, aliasing=aliasing)
    library = setting.library

    def run(operands: Operands, workspace: int, solved: Sequence[Ready]) -> None:
        arrays, kernels = list(operands.arrays), library.kernels
        for place, spec in changed.items():
            room = setting.empty(spec)
            if not spec.output or problem.beta != "zero":
                kernels.copy(arrays[place], room)
            arrays[place] = room
        step(solved[0], operands.but(library, arrays, alpha=operands.alpha, beta=operands.beta), workspace)
        for place, spec in changed.items():
            if spec.output:
                kernels.copy(arrays[place], operands.arrays[place])

    then = "convolution" if problem.pooling is None else "pooling"
    return Staged(f"dense copies of {', '.join(sorted(moved))}, then {then}", 2, setting, (inner,), run)
