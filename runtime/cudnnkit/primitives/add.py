"""``cudnnAddTensor``: a bias added in place.

Its documentation allows any broadcast; in fact only a bias along the channels of a 4-D or 5-D tensor, with every other
dimension 1, is taken by all versions. Everything else is left to the other candidates.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from cudnnkit.context import Context
from cudnnkit.engines.legacy_plan import Call
from cudnnkit.engines.operands import channel_vector, layout
from cudnnkit.primitives.candidate import PrimitiveCandidate, primitive, tensor_descriptor
from cudnnkit.problem import Problem

__all__ = ["add_candidates"]


def add_candidates(problem: Problem, context: Context) -> list[PrimitiveCandidate]:
    """The call, where y is x itself and nothing but a bias is added."""
    epilogue = problem.epilogue
    in_place = ("x", "y") in problem.aliasing
    if not in_place or not epilogue.bias or epilogue.residual or epilogue.activation not in (None, "identity"):
        return []
    if len({one.dtype for one in problem.tensors}) > 1 or problem.tensor("y").dtype == "bfloat16":
        return []
    return [primitive(problem, context, "cudnnAddTensor", "", 0, partial(_call, problem))]


def _call(problem: Problem, library: Any) -> Call:
    roles = [spec.role for spec in problem.tensors]
    bias, y = problem.tensor("bias"), problem.tensor("y")
    whole = layout(y)
    vector = tensor_descriptor(library, bias.dtype, *channel_vector(bias, whole))
    result = tensor_descriptor(library, y.dtype, *whole)
    a, c, from_, to = vector._ptr, result._ptr, roles.index("bias"), roles.index("y")

    def arguments(at: Any, workspace: Any, size: int, alpha: Any, beta: Any) -> tuple[Any, ...]:  # noqa: ARG001
        return alpha, a, at[from_], beta, c, at[to]

    # C = alpha * A + beta * C, both factors one: C is x.
    return Call(arguments, (vector, result), unit_alpha=True, unit_beta=True)
