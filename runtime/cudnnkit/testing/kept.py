"""Results that the simulated library has computed already.

A search runs each candidate some twenty times on operands that do not change, and all candidates compute the same: so
NumPy is asked once. A result serves again only where every bit that it was computed from is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from cudnnkit.problem import Problem
from cudnnkit.testing.compute import compute, tensor_at

__all__ = ["MOST_BYTES", "KeptResults"]

MOST_BYTES = 256 * 2**20
"""Operands and results together; chosen, so that a search of a tensor of 64 MiB fits."""


class _Kept(NamedTuple):
    """Operands as they were read, and the result."""

    read: list[Any]
    result: Any

    @property
    def nbytes(self) -> int:
        return sum(one.nbytes for one in (*self.read, self.result))


class KeptResults:
    """Computes, or repeats what it computed for the same problem on operands of the same bits."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Problem, float, float], _Kept] = {}

    def compute(self, problem: Problem, pointers: Sequence[int], alpha: float, beta: float) -> None:
        """Compute a problem on the operands at these addresses."""
        tensors = [(spec, tensor_at(at, spec)) for spec, at in zip(problem.tensors, pointers, strict=True)]
        outputs = [array for spec, array in tensors if spec.output]
        if len(outputs) != 1:
            compute(problem, pointers, alpha, beta)
            return
        key = problem, alpha, beta
        read = [array for spec, array in tensors if not spec.output or problem.beta != "zero"]
        known = self._kept.get(key)
        if known is not None and all(map(_same, known.read, read)):
            outputs[0][...] = known.result
            return
        self._kept.pop(key, None)
        before = [array.copy() for array in read]  # what is read may be written
        compute(problem, pointers, alpha, beta)
        self._kept[key] = _Kept(before, outputs[0].copy())
        self._trim()

    def _trim(self) -> None:
        """Forget the oldest until the rest may be held."""
        kept = dict(self._kept)  # other threads compute, too
        held = sum(one.nbytes for one in kept.values())
        for key, one in kept.items():
            if held <= MOST_BYTES:
                break
            self._kept.pop(key, None)
            held -= one.nbytes


def _same(one: Any, other: Any) -> bool:
    """Whether two arrays of a problem's operand have the same bits; a NaN equals itself, and 0.0 is not -0.0."""
    import numpy

    word = f"u{one.itemsize}"
    return bool(numpy.array_equal(one.view(word), other.view(word)))
