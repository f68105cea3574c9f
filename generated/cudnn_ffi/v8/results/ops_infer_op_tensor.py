# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""What the functions of ``cudnn_ops_infer.h`` about op tensor answer where they answer several values."""

from __future__ import annotations

from dataclasses import dataclass

from ..enums import DataType, NanPropagation, OpTensorOp

__all__ = [
    "GetOpTensorDescriptorResult",
]


@dataclass(frozen=True, slots=True)
class GetOpTensorDescriptorResult:
    """What ``cudnnGetOpTensorDescriptor`` answers."""

    op_tensor_op: OpTensorOp
    op_tensor_comp_type: DataType
    op_tensor_nan_opt: NanPropagation
