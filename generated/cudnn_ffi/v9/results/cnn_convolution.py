# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""What the functions of ``cudnn_cnn.h`` about convolution answer where they answer several values."""

from __future__ import annotations

from dataclasses import dataclass

from ..enums import ConvolutionMode, DataType

__all__ = [
    "GetConvolution2dDescriptorResult",
    "GetConvolutionNdDescriptorResult",
]


@dataclass(frozen=True, slots=True)
class GetConvolution2dDescriptorResult:
    """What ``cudnnGetConvolution2dDescriptor`` answers."""

    pad_h: int
    pad_w: int
    u: int
    v: int
    dilation_h: int
    dilation_w: int
    mode: ConvolutionMode
    compute_type: DataType


@dataclass(frozen=True, slots=True)
class GetConvolutionNdDescriptorResult:
    """What ``cudnnGetConvolutionNdDescriptor`` answers."""

    pad_a: list[int]
    stride_a: list[int]
    dilation_a: list[int]
    mode: ConvolutionMode
    compute_type: DataType
