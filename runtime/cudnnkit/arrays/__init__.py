"""Arrays of any library in, results in the caller's own kind out."""

from cudnnkit.arrays.view import ArrayLibrary, ArrayView, Buffer, channels_last_strides, contiguous_strides

__all__ = ["ArrayLibrary", "ArrayView", "Buffer", "channels_last_strides", "contiguous_strides"]
