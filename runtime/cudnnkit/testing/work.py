"""How long NumPy takes for a problem, which the simulated library computes in full: a guess, to be told beforehand."""

from __future__ import annotations

import math

from cudnnkit.problem import Problem
from cudnnkit.testing.kept import MOST_BYTES

__all__ = ["LARGE", "multiplications", "search_seconds"]

LARGE = 10**9
"""Multiplications from which a problem takes noticeable time."""
_PER_SECOND = 2e9
"""Multiplications, on two cores: 1.8e9 with three channels, 1e10 with 64."""
_RUNS = 100
"""What a search has computed where its results are too large to be kept: 40 runs, or 140 where it comes in steps."""


def multiplications(problem: Problem) -> int:
    """How many there are in a convolution or a matrix product, in any direction; elsewhere the elements looked at."""
    sizes = {one.role: one.shape for one in problem.tensors}
    result = math.prod(sizes.get("dy") or sizes.get("y") or ())
    filters = sizes.get("w") or sizes.get("dw")
    if filters is not None:
        return result * math.prod(filters[1:])
    if problem.pooling is not None:
        return result * math.prod(problem.pooling.window)
    return sum(math.prod(shape) for shape in sizes.values())


def search_seconds(problem: Problem) -> float:
    """About how long a search of the problem takes: NumPy computes it once where the result can be kept."""
    runs = 1 if 3 * problem.nbytes <= MOST_BYTES else _RUNS
    return runs * multiplications(problem) / _PER_SECOND
