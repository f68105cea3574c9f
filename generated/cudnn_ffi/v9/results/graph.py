# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""What the functions of ``cudnn_graph.h`` answer where they answer several values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..enums import SeverityMask

__all__ = [
    "GetCallbackResult",
]


@dataclass(frozen=True, slots=True)
class GetCallbackResult:
    """What ``cudnnGetCallback`` answers.

    Attributes
    ----------
    udata
        An address, 0 for NULL.
    """

    mask: SeverityMask
    udata: int
    fptr: Any
