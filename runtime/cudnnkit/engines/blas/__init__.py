"""Matrix products of cuBLASLt as candidates: what convolutions with a window of one element come down to."""

from __future__ import annotations

from cudnnkit.engines.blas.candidates import BlasCandidate, blas_candidates, rebuild_blas_candidate

__all__ = ["BlasCandidate", "blas_candidates", "rebuild_blas_candidate"]
