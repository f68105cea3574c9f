"""Other ways of pooling: over dense copies, and by a reduction where the window is the whole image."""

from __future__ import annotations

from collections.abc import Sequence

from cudnnkit.decompose.layouts import dense
from cudnnkit.decompose.setting import Ready, Setting
from cudnnkit.decompose.staged import Staged, but, step
from cudnnkit.operands import Operands
from cudnnkit.problem import Problem

__all__ = ["OPERATIONS", "pooling_ways"]

OPERATIONS = ("pool_forward", "pool_backward")


def pooling_ways(problem: Problem, setting: Setting) -> list[Staged]:
    """Dense copies of what is not dense, else a reduction if one does it."""
    first = dense(problem, setting) or _reduced(problem, setting)
    return [] if first is None else [first]


def _reduced(problem: Problem, setting: Setting) -> Staged | None:
    """The pooling as a reduction (``CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR``); None where a window is less."""
    spec, x = problem.pooling, problem.tensors[0]
    if problem.operation != "pool_forward" or spec is None:
        return None
    if spec.window != x.shape[2:] or any(spec.pre_padding + spec.post_padding):
        return None
    how = "MAX" if spec.mode == "max" else "AVG"
    # The array library's own reduction is a candidate of the pooling itself: the inner problem is cuDNN's alone.
    changes = {"operation": "reduction", "pooling": None, "parameters": (("reduction", how),)}
    inner = but(problem, problem.tensors, **changes)

    def run(operands: Operands, workspace: int, solved: Sequence[Ready]) -> None:
        step(solved[0], operands, workspace)

    return Staged("a reduction over the whole image", 1, setting, (inner,), run, shared=(0, 1))
