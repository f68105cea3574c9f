"""cuDNN's legacy calls beside convolution, candidates like others: softmax, pooling, normalisation, elementwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cudnnkit.context import Context
from cudnnkit.primitives.activation import activation_candidates
from cudnnkit.primitives.add import add_candidates
from cudnnkit.primitives.batch_norm import NormCandidate, norm_candidates
from cudnnkit.primitives.candidate import PrimitiveCandidate
from cudnnkit.primitives.pooling import pooling_candidates
from cudnnkit.primitives.softmax import softmax_candidates
from cudnnkit.problem import Problem

__all__ = ["ONLY", "offer"]

ONLY = frozenset({"softmax_forward", "softmax_backward"})
"""Operations that only these calls have."""

_OFFERS: dict[str, tuple[Callable[[Problem, Any], Sequence[PrimitiveCandidate | NormCandidate]], ...]] = {
    "softmax_forward": (softmax_candidates,),
    "softmax_backward": (softmax_candidates,),
    "epilogue": (activation_candidates, add_candidates),
    "activation_backward": (activation_candidates,),
    "batch_norm_inference": (norm_candidates,),
    "batch_norm_training": (norm_candidates,),
    "batch_norm_backward": (norm_candidates,),
    "pool_forward": (pooling_candidates,),
    "pool_backward": (pooling_candidates,),
}


def offer(problem: Problem, context: Context) -> list[PrimitiveCandidate | NormCandidate]:
    """Every legacy call that computes a problem."""
    return [one for make in _OFFERS.get(problem.operation, ()) for one in make(problem, context)]
