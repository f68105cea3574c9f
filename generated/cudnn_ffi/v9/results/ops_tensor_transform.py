# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""What the functions of ``cudnn_ops.h`` about tensor transform answer where they answer several values."""

from __future__ import annotations

from dataclasses import dataclass

from ..enums import FoldingDirection, TensorFormat

__all__ = [
    "GetTensorTransformDescriptorResult",
]


@dataclass(frozen=True, slots=True)
class GetTensorTransformDescriptorResult:
    """What ``cudnnGetTensorTransformDescriptor`` answers."""

    dest_format: TensorFormat
    pad_before_a: list[int]
    pad_after_a: list[int]
    fold_a: list[int]
    direction: FoldingDirection
