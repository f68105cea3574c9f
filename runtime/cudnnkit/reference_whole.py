"""A whole result by the array library's own kernel, for operations that are done again as cheaply as sampled."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from cudnnkit.arrays.kernels import Kernels
from cudnnkit.operands import Operands
from cudnnkit.problem import Problem, TensorSpec
from cudnnkit.reference import Reference
from cudnnkit.reference_range import STEP, left_unchecked

__all__ = ["WholeReference"]

_BOUNDS = {"float16": 2e-2, "bfloat16": 6e-2, "float32": 1e-2, "float64": 1e-6}
"""Of the largest element: room for another order of sums, and another formula of an activation, and not for garbage."""


def _of_sums(problem: Problem, operands: Operands, kernels: Kernels) -> float:
    """What sums over instances and pixels may be off, though they cancel: as the sum of magnitudes, at most."""
    if not problem.operation.endswith("bias_grad"):
        return 0.0
    dy, out = problem.tensors[0], next(one for one in problem.tensors if one.output)
    share = 1e-12 if dy.dtype == "float64" else 1e-6
    return share * math.prod(dy.shape) / math.prod(out.shape) * kernels.largest(operands.arrays[0])


class WholeReference:
    """Expected results of one problem on given operands; see :class:`cudnnkit.reference.Reference`.

    Parameters
    ----------
    problem, operands, kernels
        As there.
    like
        Makes memory like an array's.
    run
        Computes the problem by the array library.
    """

    OPERATIONS = ("epilogue", "softmax_forward", "softmax_backward", "conv_bias_grad", "linear_bias_grad")
    """Not gradients of activations: at their kinks any slope in between is right."""

    def __init__(
        self,
        problem: Problem,
        operands: Operands,
        kernels: Kernels,
        like: Callable[[Any, TensorSpec], Any],
        run: Callable[[Operands], None],
    ) -> None:
        self._problem, self._kernels = problem, kernels
        self._poison = Reference(problem, operands, kernels)
        self._place = next(place for place, one in enumerate(problem.tensors) if one.output)
        self._expected: Any = None
        out, output = problem.tensors[self._place], operands.arrays[self._place]
        with left_unchecked(problem):
            expected, self._room = like(output, out), like(output, out)
            if problem.beta != "zero":
                kernels.copy(output, expected)
            arrays = list(operands.arrays)
            arrays[self._place] = expected
            run(operands._replace(arrays=tuple(arrays)))
            largest = kernels.largest(expected)
            if math.isfinite(largest):
                self._expected = expected
                dtype = problem.tensors[0].dtype
                self._bound = largest * _BOUNDS[dtype] + 4 * STEP[out.dtype] + _of_sums(problem, operands, kernels)

    def check(self, operands: Operands) -> str | None:
        """Why a result is wrong; None when nothing is found."""
        found = self._poison.check(operands)
        if found is not None or self._expected is None:
            return found
        with left_unchecked(self._problem):
            self._kernels.scale(self._expected, self._room, -1.0, 0.0)
            self._kernels.scale(operands.arrays[self._place], self._room, 1.0, 1.0)
            error = self._kernels.largest(self._room)
            if error > self._bound:
                return (
                    f"an element is {error:.3g} off what the array library computes, where {self._bound:.3g} is allowed"
                )
        return None
