"""What element types hold, and whether operands alone may make a NaN; see :mod:`cudnnkit.reference`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from cudnnkit.arrays.kernels import Kernels
from cudnnkit.operands import Operands
from cudnnkit.problem import UPDATED, Problem

__all__ = ["STEP", "Tame", "beyond", "left_unchecked"]

_LARGEST = {"float16": 65504.0, "bfloat16": 3.3e38, "float32": 3.4e38, "float64": 1.7e308}
"""What a type holds, about; half of it counts as near."""
STEP = {"float16": 2.0**-24, "bfloat16": 2.0**-126, "float32": 2.0**-126, "float64": 1e-300}
"""What a rounded result may be off by however small it is: the distance of float16's subnormal numbers, which hardware
keeps, and the least normal number of the other types, below which hardware may answer 0."""
_TAME = {"float64": 1e150}
"""Below it products of two overflow in no sum, nor does what an activation makes of them, by the type computed in."""
_TAME_IN_FLOAT32 = 1e15


def beyond(value: float, dtype: str) -> bool:
    """Whether a value, computed in float64, is more than a type holds, or nearly so."""
    return not abs(value) < _LARGEST[dtype] / 2


@contextlib.contextmanager
def left_unchecked(problem: Problem) -> Iterator[None]:
    """Go on where what a result should be cannot be computed, without memory for one; the log says so once.

    That is no fault of a candidate's.
    """
    try:
        yield
    except Exception as error:
        _note(problem.label, f"{type(error).__name__}: {error}".splitlines()[0])


@lru_cache(256)
def _note(label: str, reason: str) -> None:
    import logging

    logging.getLogger("cudnnkit").warning("%s: results are not checked everywhere: %s", label, reason)


class Tame:
    """Whether operands are such that no right candidate makes a NaN of them: finite, and far from overflowing.

    Parameters
    ----------
    problem
        The problem.
    operands
        The operands before any candidate ran: outputs that are read hold their old content.
    kernels
        Reads them.
    """

    def __init__(self, problem: Problem, operands: Operands, kernels: Kernels) -> None:
        factors = max(1.0, *map(abs, (operands.alpha, operands.beta, *problem.epilogue.parameters)))
        self._kernels, self._most = kernels, _TAME.get(problem.tensors[0].dtype, _TAME_IN_FLOAT32) / factors
        pairs = list(zip(problem.tensors, operands.arrays, strict=True))
        reads = problem.beta != "zero" or bool(problem.aliasing)
        old = [array for spec, array in pairs if spec.output and (reads or spec.role in UPDATED)]
        shared = {role for pair in problem.aliasing for role in pair}
        self._inputs = [
            array for spec, array in pairs if not spec.output and spec.role not in shared and spec.role != "reserve"
        ]
        # What candidates overwrite is looked at now, the rest only where a result has a NaN.
        self._found: bool | None = None if self._all(old) else False

    def _all(self, arrays: list[Any]) -> bool:
        try:
            return all(self._kernels.largest(one) < self._most for one in arrays)
        except Exception:  # no memory, say, which is no fault of a candidate's
            return False

    def __bool__(self) -> bool:
        if self._found is None:
            self._found = self._all(self._inputs)
        return self._found
