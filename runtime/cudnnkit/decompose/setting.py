"""Where a problem is solved: what a candidate that has problems of its own needs to have them solved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from cudnnkit.arrays.layouts import shares_elements
from cudnnkit.arrays.view import ArrayLibrary, contiguous_strides
from cudnnkit.choice import Choice
from cudnnkit.operands import Operands
from cudnnkit.policy import Policy
from cudnnkit.problem import Problem, TensorSpec

__all__ = ["Ready", "Resolver", "Setting"]


@dataclass(slots=True)
class Ready:
    """A solved problem: the chosen candidate, prepared for this thread and device."""

    problem: Problem
    choice: Choice
    executable: Any


class Resolver(Protocol):
    """Solves problems; the tuner."""

    def ready(self, problem: Problem, setting: Setting, operands: Operands | None = None) -> Ready:
        """The prepared choice for a problem."""
        ...


@dataclass(frozen=True, slots=True)
class Setting:
    """Where and under which rules a problem is solved.

    Attributes
    ----------
    resolver
        Solves the problems of the steps.
    policy
        The caller's.
    library, device
        Whose arrays, and where.
    axis
        The arrays' own axis that the problem's axis 1 stands for, as with a softmax along the last one.
    capturing
        The stream records a CUDA graph: nothing is measured.
    live
        The caller gave the output.
    """

    resolver: Resolver
    policy: Policy
    library: ArrayLibrary
    device: int
    axis: int = 1
    capturing: bool = False
    live: bool = False

    def empty(self, spec: TensorSpec) -> Any:
        """A new array of the library's for an operand; its contents are undefined.

        It can be written: dense where the operand's own elements share memory.
        """
        shared = shares_elements(spec.shape, spec.strides)
        strides = contiguous_strides(spec.shape) if shared else spec.strides
        return self.library.empty(spec.shape, strides, spec.dtype, self.device).source
