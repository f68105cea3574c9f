"""A legacy call without algorithm and workspace, as a candidate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cudnnkit.arrays.view import contiguous_strides
from cudnnkit.candidates import CandidateId, Description
from cudnnkit.context import Context
from cudnnkit.engines.legacy_plan import Call, LegacyPlan
from cudnnkit.engines.operands import DATA_TYPES
from cudnnkit.problem import Problem

__all__ = ["PrimitiveCandidate", "primitive", "tensor_descriptor"]


@dataclass(frozen=True)
class PrimitiveCandidate:
    """One legacy call.

    Attributes
    ----------
    description
        What is known of it.
    problem, context
        What it computes, and the thread's context.
    function
        Its C name.
    make
        Makes the call from the context's library; it creates descriptors, so it waits until the call is prepared.
    """

    description: Description
    problem: Problem
    context: Context
    function: str
    make: Callable[[Any], Call]

    def prepare(self) -> LegacyPlan:
        """The call with everything but addresses in place."""
        double = self.problem.compute == "float64"
        label = str(self.description.id)
        return LegacyPlan(self.context, self.function, self.make(self.context.library), 0, label, double)


def primitive(
    problem: Problem,
    context: Context,
    function: str,
    name: str,
    rank: int,
    make: Callable[[Any], Call],
    *,
    deterministic: bool = True,
) -> PrimitiveCandidate:
    """A candidate whose identity is the function and a mode in words."""
    one = CandidateId("legacy", algorithm=function.removeprefix("cudnn"), name=name)
    return PrimitiveCandidate(Description(one, rank, deterministic=deterministic), problem, context, function, make)


def tensor_descriptor(library: Any, dtype: str, shape: tuple[int, ...], strides: tuple[int, ...] | None = None) -> Any:
    """A tensor descriptor (``cudnnSetTensorNdDescriptor``); dense unless strides are given."""
    one = library.create_tensor_descriptor()
    kind = library.enums.DataType[DATA_TYPES[dtype]]
    library.set_tensor_nd_descriptor(one, kind, shape, strides or contiguous_strides(shape))
    return one
