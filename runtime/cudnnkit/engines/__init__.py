"""cuDNN's two APIs and cuBLASLt as candidates: what they offer, and how a stored choice is built again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from cudnn_ffi import StatusError

from cudnnkit.candidates import CandidateId
from cudnnkit.context import Context
from cudnnkit.engines.blas import BlasCandidate, blas_candidates, rebuild_blas_candidate
from cudnnkit.engines.blas.library import BlasError
from cudnnkit.engines.graph_build import OPERATIONS
from cudnnkit.engines.graph_engines import MODES, GraphCandidate, graph_candidates, rebuild_graph_candidate
from cudnnkit.engines.legacy import LegacyCandidate, legacy_candidates, rebuild_legacy_candidate, unsupported
from cudnnkit.operands import Arguments
from cudnnkit.problem import Problem

__all__ = ["MODES", "Arguments", "EngineCandidate", "Offer", "offer", "rebuild"]

EngineCandidate = GraphCandidate | LegacyCandidate | BlasCandidate


class Offer(NamedTuple):
    """What is offered for a problem.

    Attributes
    ----------
    candidates
        Graph engines, legacy algorithms, matrix products, each in the order of its heuristic.
    refusals
        Pairs of an API in words and why it offers nothing.
    """

    candidates: list[EngineCandidate]
    refusals: list[tuple[str, str]]


def offer(problem: Problem, context: Context, modes: Sequence[str] = MODES) -> Offer:
    """Every way in which the libraries say they compute a problem. An API that refuses it is no error.

    Parameters
    ----------
    problem, context
        What to compute, and where; the context's device must be the thread's current one.
    modes
        Heuristic modes of the graph API, in order of trust.
    """
    found: list[EngineCandidate] = []
    refusals: list[tuple[str, str]] = []
    if problem.operation in OPERATIONS:
        try:
            found += graph_candidates(problem, context, modes)
        except (StatusError, KeyError, ValueError) as error:
            refusals.append(("the graph API", str(error)))
    else:
        refusals.append(("the graph API", f"has no operation {problem.operation}"))
    reason = unsupported(problem)
    if reason is None:
        try:
            found += legacy_candidates(problem, context)
        except StatusError as error:
            reason = str(error)
    if reason is not None:
        refusals.append(("the legacy API", reason))
    try:
        found += blas_candidates(problem, context)
    except (BlasError, ValueError) as error:
        refusals.append(("cuBLASLt", str(error)))
    return Offer(found, refusals)


def rebuild(problem: Problem, one: CandidateId, context: Context, workspace: int | None = None) -> Any:
    """The candidate that a stored identity names; `workspace` is what is remembered with it, where it is.

    Raises
    ------
    StatusError, BlasError, ValueError
        The loaded library does not serve the problem with it: choose again.
    """
    if one.api == "graph":
        return rebuild_graph_candidate(problem, one, context)
    if one.api == "legacy":
        return rebuild_legacy_candidate(problem, one, context, workspace)
    if one.api == "blas":
        return rebuild_blas_candidate(problem, one, context)
    raise ValueError(f"{one} is no candidate of cuDNN's APIs or of cuBLASLt")
