"""``cudnnSoftmaxForward`` and ``cudnnSoftmaxBackward`` on (outer, axis, inner).

Where nothing follows the axis, a row is an instance of its own, and the mode for instances is the faster one by far
backwards; the mode for channels works everywhere. Both are candidates.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from cudnnkit.engines.legacy_plan import Call
from cudnnkit.primitives.candidate import PrimitiveCandidate, primitive, tensor_descriptor
from cudnnkit.problem import Problem

__all__ = ["softmax_candidates"]


def softmax_candidates(problem: Problem, context: Any) -> list[PrimitiveCandidate]:
    """Softmax of a problem whose tensors are dense (outer, axis, inner)."""
    backward = problem.operation == "softmax_backward"
    function = "cudnnSoftmaxBackward" if backward else "cudnnSoftmaxForward"
    inner = problem.tensors[0].shape[2]
    modes = ["INSTANCE", "CHANNEL"] if inner == 1 else ["CHANNEL"]
    return [
        primitive(problem, context, function, mode, rank, partial(_call, problem, mode))
        for rank, mode in enumerate(modes)
    ]


def _call(problem: Problem, mode: str, library: Any) -> Call:
    outer, axis, inner = problem.tensors[0].shape
    one = tensor_descriptor(library, problem.tensors[0].dtype, (outer, axis, inner, 1))
    algorithm = int(library.enums.SoftmaxAlgorithm[str(dict(problem.parameters)["algorithm"]).upper()])
    number, what = int(library.enums.SoftmaxMode[mode]), one._ptr

    def forward(at: Any, workspace: Any, size: int, alpha: Any, beta: Any) -> tuple[Any, ...]:  # noqa: ARG001
        return algorithm, number, alpha, what, at[0], beta, what, at[1]

    def backward(at: Any, workspace: Any, size: int, alpha: Any, beta: Any) -> tuple[Any, ...]:  # noqa: ARG001
        return algorithm, number, alpha, what, at[0], what, at[1], beta, what, at[2]

    arguments = backward if problem.operation == "softmax_backward" else forward
    return Call(arguments, (one,), zero_beta=True, unit_alpha=True)
