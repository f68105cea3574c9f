# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""What the functions of ``cudnn_ops_infer.h`` about reduce tensor answer where they answer several values."""

from __future__ import annotations

from dataclasses import dataclass

from ..enums import DataType, IndicesType, NanPropagation, ReduceTensorIndices, ReduceTensorOp

__all__ = [
    "GetReduceTensorDescriptorResult",
]


@dataclass(frozen=True, slots=True)
class GetReduceTensorDescriptorResult:
    """What ``cudnnGetReduceTensorDescriptor`` answers."""

    reduce_tensor_op: ReduceTensorOp
    reduce_tensor_comp_type: DataType
    reduce_tensor_nan_opt: NanPropagation
    reduce_tensor_indices: ReduceTensorIndices
    reduce_tensor_indices_type: IndicesType
