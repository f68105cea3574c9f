"""Channels padded, and 2x2 pixels gathered into channels, by one kernel that moves each byte once."""

from __future__ import annotations

import math

from cudnnkit.arrays.view import channels_last_strides, element_size
from cudnnkit.cuda.launch import KernelLaunch, launch_if_there
from cudnnkit.cuda.source import INDEX_MAX, KernelSource, cuda_text, kernel_source
from cudnnkit.problem import TensorSpec

__all__ = ["channel_kernel", "channel_source"]

_BLOCK = 256
_ELEMENTS = {2: "unsigned short", 4: "unsigned int"}


def channel_source(source: TensorSpec, target: TensorSpec, factor: int, before: tuple[int, ...]) -> KernelSource | None:
    """CUDA C++ for a copy; None where the kernel does not serve.

    Parameters
    ----------
    source, target
        From where and into what; channels last, 2 or 4 bytes an element.
    factor
        1 to add channels, 2 to gather 2x2 pixels of an image with two spatial axes.
    before
        Padding before the image along each spatial axis (`factor` 2 only).
    """
    size, width = element_size(source.dtype), target.shape[1]
    vector = 16 if width * size % 16 == 0 else 8
    dense = all(one.strides == channels_last_strides(one.shape) for one in (source, target))
    if not dense or size not in _ELEMENTS or width * size % vector or math.prod(target.shape) > INDEX_MAX:
        return None
    # Without gathering all pixels are one row.
    (height, wide), (out_height, out_wide) = (
        one.shape[2:] if factor == 2 else (1, math.prod(one.shape) // one.shape[1]) for one in (source, target)
    )
    vectors = width * size // vector
    threads = math.prod(target.shape) // width * vectors
    constants = {
        "BLOCK": _BLOCK, "VECTOR": vector, "VECTORS": vectors, "RESULTS": threads, "CHANNELS": source.shape[1],
        "FACTOR": factor, "HEIGHT": height, "WIDTH": wide, "OUT_HEIGHT": out_height, "OUT_WIDTH": out_wide,
        "PAD_H": before[0] if factor == 2 else 0, "PAD_W": before[1] if factor == 2 else 0,
    }  # fmt: skip
    text = kernel_source(constants, f"typedef {_ELEMENTS[size]} element;", cuda_text("channels"))
    return KernelSource(text, threads)


def channel_kernel(
    source: TensorSpec, target: TensorSpec, factor: int, before: tuple[int, ...], device: int
) -> KernelLaunch | None:
    """The copy, prepared for a device; its operands are source and target. None where it cannot be had.

    Without NVRTC, or where the driver refuses, the array library's own copies do the same in several kernels.
    """
    made = channel_source(source, target, factor, before)
    return None if made is None else launch_if_there(device, made.text, "gather", made.count, _BLOCK, (0, 1))
