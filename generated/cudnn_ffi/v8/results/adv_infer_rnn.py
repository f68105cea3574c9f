# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""What the functions of ``cudnn_adv_infer.h`` about rnn answer where they answer several values."""

from __future__ import annotations

from dataclasses import dataclass

from ..descriptors import DropoutDescriptor
from ..enums import (
    DataType,
    DirectionMode,
    MathType,
    NanPropagation,
    RNNAlgo,
    RNNBiasMode,
    RNNClipMode,
    RNNInputMode,
    RNNMode,
    RNNPaddedIO,
)

__all__ = [
    "GetRNNDescriptorV8Result",
    "GetRNNDescriptorV6Result",
    "RNNGetClipV8Result",
    "RNNGetClipResult",
    "GetRNNProjectionLayersResult",
    "GetRNNTempSpaceSizesResult",
    "GetRNNWeightParamsResult",
]


@dataclass(frozen=True, slots=True)
class GetRNNDescriptorV8Result:
    """What ``cudnnGetRNNDescriptor_v8`` answers.

    Attributes
    ----------
    dropout_desc
        Not owned: closing it does not destroy it.
    """

    algo: RNNAlgo
    cell_mode: RNNMode
    bias_mode: RNNBiasMode
    dir_mode: DirectionMode
    input_mode: RNNInputMode
    data_type: DataType
    math_prec: DataType
    math_type: MathType
    input_size: int
    hidden_size: int
    proj_size: int
    num_layers: int
    dropout_desc: DropoutDescriptor | None
    aux_flags: RNNPaddedIO


@dataclass(frozen=True, slots=True)
class GetRNNDescriptorV6Result:
    """What ``cudnnGetRNNDescriptor_v6`` answers.

    Attributes
    ----------
    dropout_desc
        Not owned: closing it does not destroy it.
    """

    hidden_size: int
    num_layers: int
    dropout_desc: DropoutDescriptor | None
    input_mode: RNNInputMode
    direction: DirectionMode
    cell_mode: RNNMode
    algo: RNNAlgo
    math_prec: DataType


@dataclass(frozen=True, slots=True)
class RNNGetClipV8Result:
    """What ``cudnnRNNGetClip_v8`` answers."""

    clip_mode: RNNClipMode
    clip_nan_opt: NanPropagation
    lclip: float
    rclip: float


@dataclass(frozen=True, slots=True)
class RNNGetClipResult:
    """What ``cudnnRNNGetClip`` answers."""

    clip_mode: RNNClipMode
    clip_nan_opt: NanPropagation
    lclip: float
    rclip: float


@dataclass(frozen=True, slots=True)
class GetRNNProjectionLayersResult:
    """What ``cudnnGetRNNProjectionLayers`` answers."""

    rec_proj_size: int
    out_proj_size: int


@dataclass(frozen=True, slots=True)
class GetRNNTempSpaceSizesResult:
    """What ``cudnnGetRNNTempSpaceSizes`` answers.

    Attributes
    ----------
    work_space_size
        Bytes.
    reserve_space_size
        Bytes.
    """

    work_space_size: int
    reserve_space_size: int


@dataclass(frozen=True, slots=True)
class GetRNNWeightParamsResult:
    """What ``cudnnGetRNNWeightParams`` answers.

    Attributes
    ----------
    m_addr
        An address, 0 for NULL.
    b_addr
        An address, 0 for NULL.
    """

    m_addr: int
    b_addr: int
