# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""What the functions of ``cudnn_adv_infer.h`` about rnn data answer where they answer several values."""

from __future__ import annotations

from dataclasses import dataclass

from ..enums import DataType, RNNDataLayout

__all__ = [
    "GetRNNDataDescriptorResult",
]


@dataclass(frozen=True, slots=True)
class GetRNNDataDescriptorResult:
    """What ``cudnnGetRNNDataDescriptor`` answers.

    Attributes
    ----------
    padding_fill
        Of the data type of `data_type`.
    """

    data_type: DataType
    layout: RNNDataLayout
    max_seq_length: int
    batch_size: int
    vector_size: int
    seq_length_array: list[int]
    padding_fill: float
