# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""What the functions of ``cudnn_ops_infer.h`` about tensor answer where they answer several values."""

from __future__ import annotations

from dataclasses import dataclass

from ..enums import DataType

__all__ = [
    "GetTensor4dDescriptorResult",
    "GetTensorNdDescriptorResult",
]


@dataclass(frozen=True, slots=True)
class GetTensor4dDescriptorResult:
    """What ``cudnnGetTensor4dDescriptor`` answers."""

    data_type: DataType
    n: int
    c: int
    h: int
    w: int
    n_stride: int
    c_stride: int
    h_stride: int
    w_stride: int


@dataclass(frozen=True, slots=True)
class GetTensorNdDescriptorResult:
    """What ``cudnnGetTensorNdDescriptor`` answers."""

    data_type: DataType
    dim_a: list[int]
    stride_a: list[int]
