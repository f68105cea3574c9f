"""Convolutions of up to four channels in float32, with nothing rounded to TF32, by a kernel of fused multiply-adds.

Where tensor cores must not be used, cuDNN's engines took two to four times as long on an H200 as the arithmetic of the
first layers of VGG-19, ResNet-50 and Darknet-53 takes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from cudnnkit.axes import is_dense
from cudnnkit.candidates import CandidateId, Description
from cudnnkit.cuda.activations import activation_source
from cudnnkit.cuda.few_channels import layer_constants
from cudnnkit.cuda.offered import OwnKernel
from cudnnkit.cuda.source import cuda_text, kernel_source
from cudnnkit.problem import Problem

__all__ = ["fma_kernels"]

_COLUMNS, _HELD = 4, 16
"""Pixels of a row, and filters, of a thread."""
_STORE = 16
"""Bytes that a thread writes at once."""
_SHARED = 48 * 1024
"""Bytes of shared memory that a kernel may declare."""
_PARTS = (64, 32, 16)
"""Filters of a block; threads of a warp that have the same pixels are at most four."""
_WIDEST = (8, 4, 2)
"""Threads along the width of a tile; eight write 128 bytes of a row."""


@dataclass(frozen=True)
class _Cut:
    """How a layer is divided among threads.

    Attributes
    ----------
    block
        Threads of a block.
    rows
        Of the result that a thread makes.
    resident
        Blocks for each multiprocessor, so that a thread has registers enough.
    """

    block: int
    rows: int
    resident: int


@dataclass(frozen=True)
class _Tile:
    """What a block makes at a time: pixels, and filters; and elements from row to row of the image under it."""

    height: int
    width: int
    part: int
    pitch: int


_CUTS = (_Cut(128, 1, 4), _Cut(256, 1, 2), _Cut(128, 2, 3))
"""The first that fits is taken, a guess: small blocks wait for few others where they meet."""


def fma_kernels(problem: Problem, device: int, *, most: int = 1) -> list[OwnKernel]:
    """The kernel in the best cut, or in so many of those that fit, where it serves.

    That is float32, one group of up to four channels on one or two axes, x and y dense in one layout, with a bias or
    none and any activation but softplus. Products and sums are float32's own, in one order.
    """
    constants = layer_constants(problem)
    x, last = problem.tensors[0], _layout(problem)
    if constants is None or last is None or x.dtype != "float32":
        return []
    y = problem.tensor("y")
    whole = y.alignment % _STORE == 0 and (y.shape[1] if last else y.shape[-1]) % 4 == 0
    layer = {**constants, "LAST": int(last), "WHOLE": int(whole)}
    found = ((cut, _tile(layer, cut)) for cut in _CUTS)
    return [_kernel(problem, layer, cut, tile, device) for cut, tile in found if tile is not None][:most]


def _layout(problem: Problem) -> bool | None:
    """Whether the layout of x and y is NHWC; None where it is neither that nor NCHW."""
    if problem.operation != "conv_forward":
        return None
    x, y = problem.tensor("x"), problem.tensor("y")
    for last in (False, True):
        if is_dense(x, last=last) and is_dense(y, last=last):
            return last
    return None


def _tile(layer: dict[str, int], cut: _Cut) -> _Tile | None:
    """Of what fits, the tile with as few filters, then as few pixels too many as there can be."""
    flat = layer["OUT_HEIGHT"] == 1
    if flat and cut.rows > 1:
        return None
    for part in sorted(_PARTS, key=lambda one: -(-layer["FILTERS"] // one) * one):
        threads = cut.block * _HELD // part
        widths = (threads,) if flat else _WIDEST
        tiles = [_pitched(layer, threads // wide * cut.rows, wide * _COLUMNS, part) for wide in widths]
        tiles = [one for one in tiles if _space(layer, one) <= _SHARED]
        if tiles:
            return min(tiles, key=lambda one: _count(layer, one))
    return None


def _pitched(layer: dict[str, int], height: int, width: int, part: int) -> _Tile:
    return _Tile(height, width, part, -(-_reach(layer, "W", width) // 4) * 4)


def _reach(layer: dict[str, int], axis: str, size: int) -> int:
    """Elements of the image under so many of the result."""
    taps = (layer[f"TAPS_{axis}"] - 1) * layer[f"DILATION_{axis}"]
    return (size - 1) * layer[f"STRIDE_{axis}"] + taps + 1


def _space(layer: dict[str, int], tile: _Tile) -> int:
    """Bytes of shared memory."""
    patch = layer["CHANNELS"] * _reach(layer, "H", tile.height) * tile.pitch
    return 4 * (patch + (layer["CHANNELS"] * layer["TAPS_H"] * layer["TAPS_W"] + 1) * tile.part)


def _count(layer: dict[str, int], tile: _Tile) -> int:
    """Tiles of an image."""
    return -(-layer["OUT_HEIGHT"] // tile.height) * -(-layer["OUT_WIDTH"] // tile.width)


def _kernel(problem: Problem, layer: dict[str, int], cut: _Cut, tile: _Tile, device: int) -> OwnKernel:
    parts = -(-layer["FILTERS"] // tile.part)
    tiles = layer["IMAGES"] * _count(layer, tile)
    step = min(tiles, math.ceil(problem.device.multiprocessors * cut.resident / parts))
    constants = {
        **layer, "BLOCK": cut.block, "RESIDENT": cut.resident, "ROWS": cut.rows, "TILE_H": tile.height,
        "TILE_W": tile.width, "PART": tile.part, "PARTS": parts, "STEP": step, "PITCH": tile.pitch,
    }  # fmt: skip
    source = kernel_source(constants, activation_source(problem.epilogue), cuda_text("first_layer_fma"))
    size = f"{tile.height}x{tile.width}"
    name = f"conv_forward by a kernel of cudnnkit's own (float32, {cut.block} threads, {size} pixels)"
    at = {one.role: place for place, one in enumerate(problem.tensors)}
    places = (at["x"], at["w"], at.get("bias", at["x"]), at["y"])
    described = Description(CandidateId("array", name=name), 0)
    count = step * parts * cut.block
    return OwnKernel(described, source, "first_layer_fma", device, count, cut.block, places)
