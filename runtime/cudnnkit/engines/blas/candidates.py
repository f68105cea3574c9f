"""Algorithms of cuBLASLt as candidates: from its heuristic, or rebuilt from their identity."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cudnnkit.candidates import CandidateId, Description
from cudnnkit.context import Context
from cudnnkit.engines.blas.enums import AlgoConfig, ComputeType, ImplFlags, ReductionScheme
from cudnnkit.engines.blas.library import BlasError, Handle, handle_of
from cudnnkit.engines.blas.operation import Algorithm, Operation
from cudnnkit.engines.blas.plan import BlasPlan
from cudnnkit.engines.blas.product import Product, product_of
from cudnnkit.problem import Problem

__all__ = ["BlasCandidate", "blas_candidates", "rebuild_blas_candidate"]

_MOST = 16
"""Algorithms that the heuristic is asked for; chosen, not measured."""
_MOST_WITHOUT = 4
"""Of those that need no workspace; chosen, not measured."""
_WORKSPACE = 32 * 2**20
"""Bytes that algorithms may ask for: what cuBLAS gives itself on Hopper. Those that need none are asked for as well."""


@dataclass(frozen=True)
class BlasCandidate:
    """One algorithm with its configuration."""

    description: Description
    problem: Problem
    context: Context
    handle: Handle
    operation: Operation
    algorithm: Algorithm

    def prepare(self) -> BlasPlan:
        """The call with everything but addresses in place."""
        return BlasPlan(
            self.context, self.handle, self.problem, self.operation, self.algorithm, str(self.description.id)
        )


def blas_candidates(problem: Problem, context: Context) -> list[BlasCandidate]:
    """What cuBLASLt's heuristic suggests for a problem that is a matrix product, best first, each once.

    Raises
    ------
    ValueError
        The problem is no such product.
    BlasError
        There is no cuBLASLt, or it does not compute the product in any type that the policy admits.
    """
    product = _product(problem)
    handle = handle_of(context)
    found: dict[CandidateId, BlasCandidate] = {}
    failure: BlasError | None = None
    for compute in _compute_types(problem):
        for most, workspace in ((_MOST, _WORKSPACE), (_MOST_WITHOUT, 0)):
            try:
                operation = Operation(handle, problem, product, compute)
                for algorithm in operation.suggested(most, workspace):
                    one = _candidate(problem, context, handle, operation, algorithm)
                    ranked = replace(one, description=replace(one.description, rank=len(found)))
                    found.setdefault(one.description.id, ranked)
            except BlasError as error:  # noqa: PERF203 (another type may serve)
                failure = error
    if failure is not None and not found:
        raise failure
    return list(found.values())


def rebuild_blas_candidate(problem: Problem, one: CandidateId, context: Context) -> BlasCandidate:
    """The candidate that `one` names; a stored choice is replayed with it.

    Raises
    ------
    ValueError
        The problem is no matrix product, or the identity is none of cuBLASLt's.
    BlasError
        There is no cuBLASLt, or it does not have or not take this algorithm.
    """
    compute = ComputeType.__members__.get(one.math_type or "")
    if one.engine is None or compute is None:
        raise ValueError(f"{one} names no algorithm of cuBLASLt")
    product = _product(problem)
    handle = handle_of(context)
    operation = Operation(handle, problem, product, compute)
    return _candidate(problem, context, handle, operation, operation.algorithm(one.engine, one.knobs))


def _product(problem: Problem) -> Product:
    product = product_of(problem)
    if isinstance(product, str):
        raise ValueError(product)
    return product


def _compute_types(problem: Problem) -> tuple[ComputeType, ...]:
    """Compute types worth trying, the preferred one first. Half data is added up in float32."""
    if problem.compute == "float64":
        return (ComputeType.F64,)
    if problem.tensors[0].dtype == "float32" and problem.policy.precision == "fast":
        return ComputeType.F32_FAST_TF32, ComputeType.F32
    return (ComputeType.F32,)


def _candidate(
    problem: Problem, context: Context, handle: Handle, operation: Operation, algorithm: Algorithm
) -> BlasCandidate:
    one = CandidateId("blas", algorithm.number, algorithm.config, math_type=operation.compute.name)
    notes = _notes(problem.tensors[0].dtype, operation.compute, algorithm)
    steady = "nondeterministic" not in notes
    about = Description(one, 0, algorithm.workspace, steady, numerical=notes)
    return BlasCandidate(about, problem, context, handle, operation, algorithm)


def _notes(dtype: str, compute: ComputeType, algorithm: Algorithm) -> frozenset[str]:
    """Numerical notes in the graph API's words."""
    flags, config, notes = algorithm.flags, dict(algorithm.config), set()
    scheme = config.get(AlgoConfig.REDUCTION_SCHEME, ReductionScheme.NONE)
    half = dtype in ("float16", "bfloat16")
    if half or compute is ComputeType.F32_FAST_TF32 or flags & ImplFlags.TENSOR_OP_MASK:
        notes.add("tensor_core")
    if dtype == "float32" and flags & (ImplFlags.INPUT_16F | ImplFlags.INPUT_16BF):
        notes.add("down_convert_inputs")
    # Parts of a sum that come together in the result's type are rounded to it on the way.
    rounded = half and scheme in (ReductionScheme.INPLACE, ReductionScheme.OUTPUT_TYPE)
    if rounded or flags & ImplFlags.ACCUMULATOR_16F:
        notes.add("reduced_precision_reduction")
    # In place the parts add up one after the other, in an order that nothing fixes.
    if scheme == ReductionScheme.INPLACE and config.get(AlgoConfig.SPLITK_NUM, 1) != 1:
        notes.add("nondeterministic")
    return frozenset(notes)
