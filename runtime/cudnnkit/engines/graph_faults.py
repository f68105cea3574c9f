"""Engines that compute something else than they were asked for, as seen on a GPU. They are not offered there.

What cuDNN itself refuses needs no entry; these engines claim to serve. ``tests/gpu`` looks for each fault in the
version that it was seen in. Later versions are assumed to have it too: the engines are slow ones that nobody misses.
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
        What they do.
    seen
        The cuDNN version that was caught at it.
    """

    operation: str
    engines: frozenset[int]
    covers: Callable[[Problem], bool]
    reason: str
    seen: str


def _asymmetric(problem: Problem) -> bool:
    return problem.convolution is not None and not problem.convolution.symmetric


def _tanh(problem: Problem) -> bool:
    return problem.epilogue.activation == "tanh"


def _bfloat16(problem: Problem) -> bool:
    return problem.tensors[0].dtype == "bfloat16"


FAULTS = (
    Fault(
        "conv_wgrad",
        frozenset({1, 18, 20}),
        _asymmetric,
        "is wrong where padding differs before and after",
        "9.19.0",
    ),
    Fault(
        "conv_dgrad",
        frozenset({50}),
        _asymmetric,
        "is wrong where padding differs before and after",
        "9.19.0",
    ),
    Fault(
        "conv_forward",
        frozenset({0}),
        _tanh,
        "answers NaN for tanh of large values",
        "9.19.0",
    ),
    Fault(
        "pool_forward",
        frozenset({2, 3}),
        _bfloat16,
        "pools bfloat16 as if it were another type",
        "9.19.0",
    ),
)
"""Every fault known."""


def fault(problem: Problem, engine: int) -> str | None:
    """Why an engine is not to be used for a problem; None when nothing is known against it."""
    for one in FAULTS:
        if one.operation == problem.operation and engine in one.engines and one.covers(problem):
            return f"{one.reason} (seen in cuDNN {one.seen})"
    return None
