# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""What the functions of ``cudnn_adv.h`` about ctc loss answer where they answer several values."""

from __future__ import annotations

from dataclasses import dataclass

from ..enums import CTCGradMode, DataType, LossNormalizationMode, NanPropagation

__all__ = [
    "GetCTCLossDescriptorExResult",
    "GetCTCLossDescriptorV8Result",
    "GetCTCLossDescriptorV9Result",
]


@dataclass(frozen=True, slots=True)
class GetCTCLossDescriptorExResult:
    """What ``cudnnGetCTCLossDescriptorEx`` answers."""

    comp_type: DataType
    norm_mode: LossNormalizationMode
    grad_mode: NanPropagation


@dataclass(frozen=True, slots=True)
class GetCTCLossDescriptorV8Result:
    """What ``cudnnGetCTCLossDescriptor_v8`` answers."""

    comp_type: DataType
    norm_mode: LossNormalizationMode
    grad_mode: NanPropagation
    max_label_length: int


@dataclass(frozen=True, slots=True)
class GetCTCLossDescriptorV9Result:
    """What ``cudnnGetCTCLossDescriptor_v9`` answers."""

    comp_type: DataType
    norm_mode: LossNormalizationMode
    ctc_grad_mode: CTCGradMode
    max_label_length: int
