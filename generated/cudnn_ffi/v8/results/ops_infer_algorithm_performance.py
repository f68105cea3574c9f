# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""What the functions of ``cudnn_ops_infer.h`` about algorithm performance answer where they answer several values."""

from __future__ import annotations

from dataclasses import dataclass

from ..descriptors import AlgorithmDescriptor
from ..enums import Status

__all__ = [
    "GetAlgorithmPerformanceResult",
]


@dataclass(frozen=True, slots=True)
class GetAlgorithmPerformanceResult:
    """What ``cudnnGetAlgorithmPerformance`` answers.

    Attributes
    ----------
    algo_desc
        Not owned: closing it does not destroy it.
    memory
        Bytes.
    """

    algo_desc: AlgorithmDescriptor | None
    status: Status
    time: float
    memory: int
