"""The least time that a network's layers could take on a device. Nothing here needs a GPU."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cudnnkit.problem import Problem

__all__ = ["floor_ms", "layer_floor_ms", "operations"]


def operations(problem: Problem) -> int:
    """Multiplications and additions of a problem's convolution or matrix product; what else it does is memory's affair.

    Fast algorithms (Winograd) need fewer multiplications: a floor made of this can be beaten where they apply.
    """
    roles = {one.role: one.shape for one in problem.tensors}
    if problem.convolution is not None:
        result = roles.get("y") or roles.get("dy")
        filters = roles.get("w") or roles.get("dw")
        if result is None or filters is None:
            return 0  # a bias gradient
        return 2 * result[0] * math.prod(result[2:]) * math.prod(filters)
    if problem.operation.startswith(("linear", "matmul")):
        filters = roles.get("w") or roles.get("dw")
        rows = roles.get("x") or roles.get("dy")
        if filters is None or rows is None:
            return 0
        return 2 * math.prod(rows[:1] if len(rows) > 2 and math.prod(rows[2:]) == 1 else rows[:-1]) * math.prod(filters)
    return 0


def layer_floor_ms(problem: Problem, precision: str, peaks: Mapping[str, float]) -> float:
    """max(operations / peak, each operand once / bandwidth).

    Parameters
    ----------
    problem
        A layer; everything fused into it is read and written with it.
    precision
        Of the row.
    peaks
        Operations per second by precision, and ``bandwidth`` in bytes per second.
    """
    return 1000 * max(operations(problem) / peaks[precision], problem.nbytes / peaks["bandwidth"])


def floor_ms(layers: Iterable[tuple[Problem, int]], precision: str, peaks: Mapping[str, float]) -> float:
    """The sum over layers; each comes with how often it stands in the network."""
    return math.fsum(count * layer_floor_ms(problem, precision, peaks) for problem, count in layers)
