"""Problems of 2**31 elements and more, split over the batch: cuDNN counts elements in 32 bits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from cudnnkit.arrays.view import element_size, span
from cudnnkit.decompose.setting import Ready, Setting
from cudnnkit.decompose.staged import Staged, but, step
from cudnnkit.errors import UnsupportedError
from cudnnkit.operands import Operands
from cudnnkit.problem import Problem, TensorSpec

__all__ = ["LARGEST", "is_large", "split"]

LARGEST = 2**31 - 1
"""Elements that one tensor may have."""

_ALIGNED = 16
"""So many images, of whatever size, take a multiple of 16 bytes: pieces of a multiple of them lie as the whole does."""

_BATCHED = ("x", "y", "dx", "dy", "residual")


def is_large(problem: Problem) -> bool:
    """Whether a tensor has too many elements, its gaps counted."""
    return any(_is_large(one.shape, one.strides) for one in problem.tensors)


def _is_large(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    low, high = span(shape, strides)
    return high - low > LARGEST


def _part(whole: TensorSpec, images: int, piece: int) -> TensorSpec:
    """A piece of a tensor, aligned as every multiple of `piece` images is."""
    offset = piece * whole.strides[0] * element_size(whole.dtype)
    return replace(whole, shape=(images, *whole.shape[1:]), alignment=math.gcd(whole.alignment, offset))


def split(problem: Problem, setting: Setting) -> Staged:
    """The batch in pieces; gradients that are sums over the batch add up.

    Raises
    ------
    UnsupportedError
        A single image, or the filter, is too large by itself.
    """
    batched = [place for place, one in enumerate(problem.tensors) if one.role in _BATCHED]
    batch = problem.tensors[batched[0]].shape[0]
    for place, one in enumerate(problem.tensors):
        image = (1, *one.shape[1:]) if place in batched else one.shape
        if _is_large(image, one.strides):
            raise UnsupportedError(
                problem.label,
                ((one.role, f"has {math.prod(image)} elements that cannot be split over the batch"),),
                "cuDNN counts elements in 32 bits: make the images or the filter smaller than 2**31 elements",
            )
    piece = min(LARGEST // max(abs(problem.tensors[place].strides[0]), 1) for place in batched)
    if _ALIGNED < piece < batch:
        piece -= piece % _ALIGNED
    piece = max(1, min(piece, batch))
    sums = next(one for one in problem.tensors if one.output).role not in _BATCHED
    starts = range(0, batch, piece)
    kinds: list[Problem] = []
    plan: list[tuple[int, int, int]] = []  # first, end, which problem
    for start in starts:
        stop = min(start + piece, batch)
        tensors = [
            _part(one, stop - start, piece) if place in batched else one for place, one in enumerate(problem.tensors)
        ]
        part = but(problem, tensors, **({"beta": "one"} if sums and start else {}))
        if part not in kinds:
            kinds.append(part)
        plan.append((start, stop, kinds.index(part)))
    library = setting.library

    def run(operands: Operands, workspace: int, solved: Sequence[Ready]) -> None:
        for start, stop, which in plan:
            arrays = [one[start:stop] if place in batched else one for place, one in enumerate(operands.arrays)]
            beta = 1.0 if sums and start else operands.beta
            step(solved[which], operands.but(library, arrays, alpha=operands.alpha, beta=beta), workspace)

    return Staged(f"the batch in {len(plan)} pieces", 0, setting, tuple(kinds), run)
