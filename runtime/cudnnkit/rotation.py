"""Several sets of one problem's operands, so that a launch does not find its own data in the cache."""

from __future__ import annotations

from typing import Any

from cudnnkit.arrays.view import ArrayLibrary
from cudnnkit.operands import Operands
from cudnnkit.problem import Problem, TensorSpec

__all__ = ["CACHE_BYTES", "rotating"]

CACHE_BYTES = 128 * 2**20
"""What the sets come to together: more than twice the second-level cache of any GPU so far (50 MB on an H200)."""
_MOST_SETS = 24


def rotating(problem: Problem, library: ArrayLibrary, device: int, first: Operands) -> list[Operands]:
    """The operands, and as many copies of them as it takes to outgrow the cache; fewer where memory is short.

    In a network a layer finds its filters in memory, since every other layer's came in between, and of its image what
    the layer before wrote last. Repeating one launch on one set would have all of it in the cache where it fits, and
    favour other engines.
    """
    count = max(1, min(_MOST_SETS, -(-CACHE_BYTES // max(problem.nbytes, 1))))
    sets = [first]
    try:
        while len(sets) < count:
            sets.append(_copy(problem, library, device, first))
    except MemoryError:
        pass
    return sets


def _copy(problem: Problem, library: ArrayLibrary, device: int, first: Operands) -> Operands:
    made: dict[Any, Any] = {}  # what is one array stays one; others may begin at the same address
    arrays = []
    for spec, array, pointer in zip(problem.tensors, first.arrays, first.pointers, strict=True):
        key = pointer, spec.shape, spec.strides, spec.dtype
        new = made.get(key)
        if new is None:
            new = made[key] = _like(array, spec, library, device)
        arrays.append(new)
    return first._replace(arrays=tuple(arrays), pointers=tuple(map(library.pointer, arrays)))


def _like(array: Any, spec: TensorSpec, library: ArrayLibrary, device: int) -> Any:
    view = library.view(array, spec.role)
    if any(step <= 0 and size > 1 for step, size in zip(view.strides, view.shape, strict=True)):
        return array  # expanded or reversed: all sets share it
    new = library.empty(view.shape, view.strides, spec.dtype, device).source
    library.kernels.copy(array, new)
    return new
