# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""What the functions of ``cudnn_adv.h`` about multi head attn answer where they answer several values."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "GetMultiHeadAttnBuffersResult",
]


@dataclass(frozen=True, slots=True)
class GetMultiHeadAttnBuffersResult:
    """What ``cudnnGetMultiHeadAttnBuffers`` answers.

    Attributes
    ----------
    weight_size_in_bytes
        Bytes.
    work_space_size_in_bytes
        Bytes.
    reserve_space_size_in_bytes
        Bytes.
    """

    weight_size_in_bytes: int
    work_space_size_in_bytes: int
    reserve_space_size_in_bytes: int
