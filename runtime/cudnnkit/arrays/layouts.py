"""Which of the two dense layouts an array leans to."""

from __future__ import annotations

from cudnnkit.arrays.view import channels_last_strides, contiguous_strides

__all__ = ["prefers_channels_last"]


def prefers_channels_last(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether channels lie closer together than the last axis."""
    if strides == contiguous_strides(shape):
        return False
    if strides == channels_last_strides(shape):
        return True
    return shape[1] > 1 and strides[1] == 1
