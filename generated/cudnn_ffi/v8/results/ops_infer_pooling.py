# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""What the functions of ``cudnn_ops_infer.h`` about pooling answer where they answer several values."""

from __future__ import annotations

from dataclasses import dataclass

from ..enums import NanPropagation, PoolingMode

__all__ = [
    "GetPooling2dDescriptorResult",
    "GetPoolingNdDescriptorResult",
    "GetPooling2dForwardOutputDimResult",
]


@dataclass(frozen=True, slots=True)
class GetPooling2dDescriptorResult:
    """What ``cudnnGetPooling2dDescriptor`` answers."""

    mode: PoolingMode
    maxpooling_nan_opt: NanPropagation
    window_height: int
    window_width: int
    vertical_padding: int
    horizontal_padding: int
    vertical_stride: int
    horizontal_stride: int


@dataclass(frozen=True, slots=True)
class GetPoolingNdDescriptorResult:
    """What ``cudnnGetPoolingNdDescriptor`` answers."""

    mode: PoolingMode
    maxpooling_nan_opt: NanPropagation
    window_dim_a: list[int]
    padding_a: list[int]
    stride_a: list[int]


@dataclass(frozen=True, slots=True)
class GetPooling2dForwardOutputDimResult:
    """What ``cudnnGetPooling2dForwardOutputDim`` answers."""

    n: int
    c: int
    h: int
    w: int
