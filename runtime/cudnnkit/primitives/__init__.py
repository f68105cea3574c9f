"""cuDNN's legacy calls beside convolution: softmax, pooling, activations, a bias in place. Candidates like others."""

from __future__ import annotations

from typing import Any

from cudnnkit.primitives.activation import activation_candidates
from cudnnkit.primitives.add import add_candidates
from cudnnkit.primitives.candidate import PrimitiveCandidate
from cudnnkit.primitives.pooling import pooling_candidates
from cudnnkit.primitives.softmax import softmax_candidates
from cudnnkit.problem import Problem

__all__ = ["ONLY", "offer"]

ONLY = frozenset({"softmax_forward", "softmax_backward"})
"""Operations that only these calls have."""

_OFFERS = {
    "softmax_forward": (softmax_candidates,),
    "softmax_backward": (softmax_candidates,),
    "epilogue": (activation_candidates, add_candidates),
    "activation_backward": (activation_candidates,),
    "pool_forward": (pooling_candidates,),
    "pool_backward": (pooling_candidates,),
}


def offer(problem: Problem, context: Any) -> list[PrimitiveCandidate]:
    """Every legacy call that computes a problem."""
    return [one for make in _OFFERS.get(problem.operation, ()) for one in make(problem, context)]
