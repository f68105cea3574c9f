# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""What the functions of ``cudnn_subquadratic_ops.h`` answer where they answer several values."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "LongFFTCausalConv1dGetBufferSizesResult",
]


@dataclass(frozen=True, slots=True)
class LongFFTCausalConv1dGetBufferSizesResult:
    """What ``cudnnLongFFTCausalConv1dGetBufferSizes`` answers.

    Attributes
    ----------
    workspace_size_in_bytes
        Bytes.
    reserve_space_size_in_bytes
        Bytes.
    """

    workspace_size_in_bytes: int
    reserve_space_size_in_bytes: int
