# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""What the functions of ``cudnn_ops_infer.h`` about activation answer where they answer several values."""

from __future__ import annotations

from dataclasses import dataclass

from ..enums import ActivationMode, NanPropagation

__all__ = [
    "GetActivationDescriptorResult",
]


@dataclass(frozen=True, slots=True)
class GetActivationDescriptorResult:
    """What ``cudnnGetActivationDescriptor`` answers."""

    mode: ActivationMode
    relu_nan_opt: NanPropagation
    coef: float
