# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""What the functions of ``cudnn_adv.h`` about attn answer where they answer several values."""

from __future__ import annotations

from dataclasses import dataclass

from ..descriptors import DropoutDescriptor
from ..enums import AttnMode, DataType, MathType

__all__ = [
    "GetAttnDescriptorResult",
]


@dataclass(frozen=True, slots=True)
class GetAttnDescriptorResult:
    """What ``cudnnGetAttnDescriptor`` answers.

    Attributes
    ----------
    attn_dropout_desc
        Not owned: closing it does not destroy it.
    post_dropout_desc
        Not owned: closing it does not destroy it.
    """

    attn_mode: AttnMode
    n_heads: int
    sm_scaler: float
    data_type: DataType
    compute_prec: DataType
    math_type: MathType
    attn_dropout_desc: DropoutDescriptor | None
    post_dropout_desc: DropoutDescriptor | None
    q_size: int
    k_size: int
    v_size: int
    q_proj_size: int
    k_proj_size: int
    v_proj_size: int
    o_proj_size: int
    qo_max_seq_length: int
    kv_max_seq_length: int
    max_batch_size: int
    max_beam_size: int
