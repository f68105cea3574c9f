"""The filter gradient of a convolution of up to four channels by a kernel on tensor cores that reads dy once.

cuDNN's engines want channels in eights or fours. Such a layer, the first of a network on RGB images, has few products
for each element of dy, so that reading dy is what should take the time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from cudnnkit.arrays.view import element_size
from cudnnkit.axes import is_dense, lift_axes
from cudnnkit.candidates import CandidateId, Description
from cudnnkit.cuda.few_channels import few_channels, fits_tensor_cores
from cudnnkit.cuda.offered import OwnKernels
from cudnnkit.cuda.sequence import WORKSPACE, Step
from cudnnkit.cuda.source import cuda_text, kernel_source
from cudnnkit.cuda.words import WORD, WORDS
from cudnnkit.geometry import round_up
from cudnnkit.problem import ConvolutionSpec, Epilogue, Problem

__all__ = ["filter_kernels"]

_MOST_FILTERS = 64
"""Filters of a block; chosen, not measured."""
_FINISH_WEIGHTS, _FINISH_BLOCK = 32, 512
"""Weights and threads of a block that adds up what the others found: ``FX`` and ``FX * FY`` of the kernel's text."""
_STATIC = 48 * 1024
"""Bytes of shared memory that a kernel may declare."""
_SHARED = {(8, 0): 164, (8, 7): 164, (9, 0): 228, (10, 0): 228, (10, 3): 228}
"""KiB of shared memory of a multiprocessor by compute capability, as the CUDA C++ Programming Guide has them under
technical specifications; 100 on all others."""
_REGISTERS, _MOST_REGISTERS = 65536, 255
"""Registers of a multiprocessor, and of a thread at most (same place)."""
_RESERVED = 1024
"""Bytes of shared memory that CUDA keeps of each block (same guide, under compute capability 8.x and later)."""
_SUMS = {4: 112, 8: 64}
"""Registers for sums in a thread, by the warps of a block: few warps with many sums load the least for each product,
more warps with fewer sums hide more of what they wait for."""
_HELD = 24
"""Registers for the elements of an image that are on their way; chosen, not measured."""
_OTHERS = 32
"""Registers for all else: fragments, addresses, counters. An estimate."""
_MOST_RESIDENT = 4
"""Blocks for each multiprocessor; chosen, not measured."""
_PIXELS = (128, 64, 32, 16)
"""Of dy in a tile: the largest that fits is taken."""


@dataclass(frozen=True)
class _Layer:
    """A convolution with two spatial axes, and what the kernel makes of its strides.

    Each pair is height and width; `image` and `result` are the sizes of x and dy.
    """

    channels: int
    filters: int
    size: int
    image: tuple[int, int]
    result: tuple[int, int]
    taps: tuple[int, int]
    stride: tuple[int, int]
    dilation: tuple[int, int]

    def patch(self, tile: tuple[int, int]) -> tuple[int, int]:
        """Pixels of x under a tile of dy."""
        high, wide = (
            (tile[axis] - 1) * self.stride[axis] + (self.taps[axis] - 1) * self.dilation[axis] + 1 for axis in (0, 1)
        )
        return high, wide


@dataclass(frozen=True)
class _Cut:
    """How a layer is divided among blocks and warps.

    Attributes
    ----------
    warps
        Of a block.
    group
        Filters of a block, in sixteens.
    across
        Warps that share the taps; the others share the pixels.
    tile
        Height and width of what a block takes of dy at a time.
    space
        Bytes of shared memory.
    resident
        Blocks for each multiprocessor.
    """

    warps: int
    group: int
    across: int
    tile: tuple[int, int]
    space: int
    resident: int


def filter_kernels(problem: Problem, device: int) -> list[OwnKernels]:
    """The kernels, where they serve: up to four channels, dense NHWC, filters in vectors of 16 bytes."""
    layer = _layer(problem)
    if layer is None:
        return []
    found = []
    for warps in _SUMS:
        cut = next(_cuts(layer, warps, problem.device.architecture), None)
        if cut is not None:
            found.append(_kernel(problem, layer, cut, device))
    return found


def _layer(problem: Problem) -> _Layer | None:
    """What is to be computed; None where the kernel does not serve."""
    spec = few_channels(problem, "conv_wgrad")
    if spec is None or problem.epilogue != Epilogue() or not fits_tensor_cores(problem):
        return None
    tensors = x, dy, dw = tuple(problem.tensor(role) for role in ("x", "dy", "dw"))
    if not all(is_dense(one, last=True) for one in tensors):
        return None
    size, (filters, channels) = element_size(x.dtype), dw.shape[:2]
    if filters * size % 16 or dy.alignment % 16 or (channels != 3 and x.alignment % (channels * size)):
        return None
    image, result, taps = (_pair(one.shape[2:]) for one in tensors)
    return _Layer(channels, filters, size, image, result, taps, _pair(spec.stride), _pair(spec.dilation))


def _pair(values: tuple[int, ...], filler: int = 1) -> tuple[int, int]:
    high, wide = lift_axes(values, filler)
    return high, wide


def _cuts(layer: _Layer, warps: int, architecture: tuple[int, int]) -> Iterator[_Cut]:
    """Ways to divide a layer that fit, with the most filters and then the largest tile first."""
    tiles = layer.taps[0] * -(-layer.taps[1] // 2)
    for most in (_MOST_FILTERS, _MOST_FILTERS // 2, 16):
        group = round_up(-(-layer.filters // -(-layer.filters // most)), 16)
        across = 1
        while across <= warps and (sums := -(-tiles // across) * group // 16 * 4) > _SUMS[warps]:
            across *= 2
        if across > warps:
            continue
        for pixels in _PIXELS:
            tile = _tile(layer, pixels)
            high, wide = layer.patch(tile)
            units = high * layer.stride[1] * -(-wide // layer.stride[1])
            slopes = tile[0] * tile[1] * (group + 8) * layer.size
            # What is multiplied, and what comes next; in the end the sums of warps that shared the pixels.
            space = max(2 * (slopes + units * 8 * layer.size), 128 * across * sums if across < warps else 0)
            held = -(-high * wide // (warps * 32)) * layer.channels
            if space <= _STATIC and held <= _HELD:
                registers = min(sums + sums // (group // 16) // 2 + held + _OTHERS, _MOST_REGISTERS)
                room = _SHARED.get(architecture, 100) * 1024 // (space + _RESERVED)
                resident = max(1, min(room, _REGISTERS // (registers * warps * 32), _MOST_RESIDENT))
                yield _Cut(warps, group, across, tile, space, resident)


def _tile(layer: _Layer, pixels: int) -> tuple[int, int]:
    """Nearly square, for the least of x around it, but in width whole products of 16."""
    high = 1
    while high < 8 and high < layer.result[0] and high * 32 <= pixels:
        high *= 2
    return high, min(pixels // high, round_up(layer.result[1], 16))


def _kernel(problem: Problem, layer: _Layer, cut: _Cut, device: int) -> OwnKernels:
    spec = problem.convolution
    assert spec is not None
    images = problem.tensor("x").shape[0]
    tiles = images * math.prod(-(-size // part) for size, part in zip(layer.result, cut.tile, strict=True))
    groups = -(-layer.filters // cut.group)
    splits = max(1, min(tiles, problem.device.multiprocessors * cut.resident // groups))
    weights = layer.filters * math.prod(layer.taps) * layer.channels
    workspace = splits * weights * 4
    name = f"conv_wgrad by a kernel of cudnnkit's own ({cut.warps} warps)"
    described = Description(CandidateId("array", name=name), 0, workspace, numerical=frozenset({"tensor_core"}))
    at = {one.role: place for place, one in enumerate(problem.tensors)}
    steps = (
        Step("gradient", (splits, groups), cut.warps * 32, (at["x"], at["dy"], WORKSPACE)),
        Step("finish_gradient", (-(-weights // _FINISH_WEIGHTS), 1), _FINISH_BLOCK, (WORKSPACE, at["dw"])),
    )
    return OwnKernels(described, _source(spec, layer, cut, images, splits, problem.tensor("x").dtype), steps, device)


def _source(spec: ConvolutionSpec, layer: _Layer, cut: _Cut, images: int, splits: int, dtype: str) -> str:
    patch = layer.patch(cut.tile)
    constants = {
        "SIZE": layer.size, "BFLOAT16": int(dtype == "bfloat16"), "CHANNELS": layer.channels,
        "FILTERS": layer.filters, "GROUP": cut.group, "IMAGES": images, "WARPS": cut.warps, "ACROSS": cut.across,
        "RESIDENT": cut.resident, "SPLITS": splits, "SPACE": cut.space, "MIRRORED": int(spec.mode == "convolution"),
        "SEGMENT": -(-patch[1] // layer.stride[1]),
    }  # fmt: skip
    for names, values in (
        (("HEIGHT", "WIDTH"), layer.image),
        (("OUT_HEIGHT", "OUT_WIDTH"), layer.result),
        (("TAPS_H", "TAPS_W"), layer.taps),
        (("STRIDE_H", "STRIDE_W"), layer.stride),
        (("DILATION_H", "DILATION_W"), layer.dilation),
        (("PAD_H", "PAD_W"), _pair(spec.pre_padding, 0)),
        (("TILE_H", "TILE_W"), cut.tile),
        (("PATCH_H", "PATCH_W"), patch),
    ):
        constants.update(zip(names, values, strict=True))
    return kernel_source(constants, WORD, WORDS[dtype], cuda_text("tensor_core"), cuda_text("first_layer_filter"))
