# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""What the functions of ``cudnn_ops.h`` about lrn answer where they answer several values."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "GetLRNDescriptorResult",
]


@dataclass(frozen=True, slots=True)
class GetLRNDescriptorResult:
    """What ``cudnnGetLRNDescriptor`` answers."""

    lrn_n: int
    lrn_alpha: float
    lrn_beta: float
    lrn_k: float
