"""Engines that compute something else than they were asked for, as seen on a GPU. They are not offered there.

What cuDNN itself refuses needs no entry; these engines claim to serve. Each entry is proved by a test in ``tests/gpu``
that fails once the fault is gone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cudnnkit.problem import Problem

__all__ = ["FAULTS", "Fault", "fault"]


@dataclass(frozen=True)
class Fault:
    """Engines that are wrong for some problems.

    Attributes
    ----------
    operation, engines
        Which ones: global indices in graphs of that operation.
    covers
        For which problems.
    reason
        What they do, and where that was seen.
    """

    operation: str
    engines: frozenset[int]
    covers: Callable[[Problem], bool]
    reason: str


def _asymmetric(problem: Problem) -> bool:
    return problem.convolution is not None and not problem.convolution.symmetric


def _tanh(problem: Problem) -> bool:
    return problem.epilogue.activation == "tanh"


FAULTS = (
    Fault(
        "conv_wgrad",
        frozenset({1, 20}),
        _asymmetric,
        "takes the padding of one side for both (cuDNN 9.19, H200: unrelated results)",
    ),
    Fault(
        "conv_forward",
        frozenset({0}),
        _tanh,
        "answers NaN for tanh of large values (cuDNN 9.19, H200)",
    ),
)
"""Every fault known."""


def fault(problem: Problem, engine: int) -> str | None:
    """Why an engine is not to be used for a problem; None when nothing is known against it."""
    for one in FAULTS:
        if one.operation == problem.operation and engine in one.engines and one.covers(problem):
            return one.reason
    return None
