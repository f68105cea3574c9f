# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""What the functions of ``cudnn_cnn.h`` about convolution forward answer where they answer several values."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "GetConvolution2dForwardOutputDimResult",
]


@dataclass(frozen=True, slots=True)
class GetConvolution2dForwardOutputDimResult:
    """What ``cudnnGetConvolution2dForwardOutputDim`` answers."""

    n: int
    c: int
    h: int
    w: int
