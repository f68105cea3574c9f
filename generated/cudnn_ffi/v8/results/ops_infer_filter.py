# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""What the functions of ``cudnn_ops_infer.h`` about filter answer where they answer several values."""

from __future__ import annotations

from dataclasses import dataclass

from ..enums import DataType, TensorFormat

__all__ = [
    "GetFilter4dDescriptorResult",
    "GetFilterNdDescriptorResult",
]


@dataclass(frozen=True, slots=True)
class GetFilter4dDescriptorResult:
    """What ``cudnnGetFilter4dDescriptor`` answers."""

    data_type: DataType
    format: TensorFormat
    k: int
    c: int
    h: int
    w: int


@dataclass(frozen=True, slots=True)
class GetFilterNdDescriptorResult:
    """What ``cudnnGetFilterNdDescriptor`` answers."""

    data_type: DataType
    format: TensorFormat
    filter_dim_a: list[int]
