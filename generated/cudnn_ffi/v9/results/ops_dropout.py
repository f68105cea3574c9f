# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""What the functions of ``cudnn_ops.h`` about dropout answer where they answer several values."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "GetDropoutDescriptorResult",
]


@dataclass(frozen=True, slots=True)
class GetDropoutDescriptorResult:
    """What ``cudnnGetDropoutDescriptor`` answers.

    Attributes
    ----------
    states
        An address, 0 for NULL.
    """

    dropout: float
    states: int
    seed: int
