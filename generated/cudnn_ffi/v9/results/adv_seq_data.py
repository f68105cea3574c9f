# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""What the functions of ``cudnn_adv.h`` about seq data answer where they answer several values."""

from __future__ import annotations

from dataclasses import dataclass

from ..enums import DataType, SeqDataAxis

__all__ = [
    "GetSeqDataDescriptorResult",
]


@dataclass(frozen=True, slots=True)
class GetSeqDataDescriptorResult:
    """What ``cudnnGetSeqDataDescriptor`` answers.

    Attributes
    ----------
    padding_fill
        Of the data type of `data_type`.
    """

    data_type: DataType
    dim_a: list[int]
    axes: list[SeqDataAxis]
    seq_length_array: list[int]
    padding_fill: float
