"""Convolutions of up to four channels, NHWC, by a kernel on tensor cores that reads and writes memory once.

cuDNN's engines want channels in eights or fours. Such a layer, the first of a network on RGB images, has few products
for each element of its result, so that writing it is what should take the time; on an H200 the best engine took three
times as long for VGG's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache

from cudnnkit.arrays.view import element_size
from cudnnkit.axes import is_dense
from cudnnkit.candidates import CandidateId, Description
from cudnnkit.cuda.activations import activation_source
from cudnnkit.cuda.few_channels import fits_tensor_cores, layer_constants
from cudnnkit.cuda.offered import OwnKernel
from cudnnkit.cuda.source import cuda_text, kernel_source
from cudnnkit.cuda.words import WORD, WORDS
from cudnnkit.problem import Problem

__all__ = ["first_layer_kernels"]

_STORE = 16
"""Bytes that a thread writes at once."""
_SHARED = 48 * 1024
"""Bytes of shared memory that a kernel may declare."""
_BANKS = 128
"""Bytes that shared memory gives at once."""
_FILTER_REGISTERS = 48
"""Registers of a thread for fragments of the filters; half of them leave room for half as many blocks again. Chosen,
not measured."""
_AHEAD_REGISTERS = {True: 12, False: 24}
"""Registers of a thread for the image under the next tile, by whether the filters are in registers as well; chosen, not
measured."""
_PARTS = (64, 32, 16)
"""Filters of a block, at most so many that their sums stay in registers."""


@dataclass(frozen=True)
class _Cut:
    """How a layer is divided among blocks and warps.

    Attributes
    ----------
    warps
        Of a block.
    rows, together
        Tiles of 16 pixels that a warp makes of a tile of the block, and how many of them at a time: each filter that is
        loaded from shared memory serves so many.
    resident
        Blocks for each multiprocessor, so that a thread has registers enough.
    ahead
        The image under the next tile is on its way into registers while a tile is made.
    part, held
        Filters of a block, and whether their fragments stay in registers.
    """

    warps: int
    rows: int
    together: int
    resident: int
    ahead: bool = False
    part: int = 0
    held: bool = False


_HELD = (_Cut(8, 2, 1, 2, ahead=True), _Cut(4, 4, 1, 4))
_LOADED = (_Cut(4, 2, 2, 3, ahead=True), _Cut(4, 2, 2, 4))
_LAST = (_Cut(4, 1, 1, 4),)
"""With filters in registers, with filters in shared memory, and where large windows leave no room for those. The first
that fits: it was the fastest of four cuts for every first layer of the five networks, in fp16 and in TF32 (H200)."""


def first_layer_kernels(problem: Problem, device: int, *, most: int = 1) -> list[OwnKernel]:
    """The kernel in the best cut, or in so many of those that fit, where it serves.

    That is one group of up to four channels on one or two axes, dense NHWC images of 16-bit or single precision whose
    results come in vectors of 16 bytes, with a bias or none and any activation but softplus. float32 is rounded to
    TF32.
    """
    layer = _layer(problem)
    return [] if layer is None else [_kernel(problem, layer, cut, device) for cut in _cuts(layer)[:most]]


def _layer(problem: Problem) -> dict[str, int] | None:
    """The constants of the kernel's text that a problem fixes; None where the kernel does not serve."""
    constants = layer_constants(problem)
    if constants is None or not fits_tensor_cores(problem):
        return None
    x, y = problem.tensor("x"), problem.tensor("y")
    size = element_size(x.dtype)
    if not is_dense(x, last=True) or not is_dense(y, last=True) or y.shape[1] * size % _STORE or y.alignment % _STORE:
        return None
    alignment = max(size, math.gcd(x.shape[1] * size, x.alignment, _STORE))
    return {"SIZE": size, "BFLOAT16": int(x.dtype == "bfloat16"), "PIXEL_ALIGNMENT": alignment, **constants}


def _cuts(layer: dict[str, int]) -> list[_Cut]:
    """Those of the first kind that fits, the best first, with as few filters too many as there can be."""
    size, filters = layer["SIZE"], layer["FILTERS"]
    groups = -(-layer["TAPS_H"] * layer["TAPS_W"] // 4)
    parts = [part for part in _PARTS if part * size % (4 * _STORE) == 0]
    least = min(-(-filters // part) * part for part in parts)
    parts = [part for part in parts if -(-filters // part) * part == least]
    for kind in (_HELD, _LOADED, _LAST):
        found = []
        for cut in kind:
            for part in parts:
                one = replace(cut, part=part, held=kind is _HELD)
                registers = groups * part // 8 * size if one.held else 0
                if one.held and 2 * registers <= _FILTER_REGISTERS:
                    one = replace(one, resident=cut.resident * 3 // 2)
                if one.ahead and _elements(layer, one) > _AHEAD_REGISTERS[one.held]:
                    continue
                if registers <= _FILTER_REGISTERS and _space(layer, one) <= _SHARED:
                    found.append(one)
                    break
        if found:
            return found
    return []


def _tile(layer: dict[str, int], cut: _Cut) -> tuple[int, int]:
    """Height and width of what a block makes at a time; one row of an image with one axis."""
    tiles = cut.warps * cut.rows
    return (1, 16 * tiles) if layer["OUT_HEIGHT"] == 1 else (tiles, 16)


def _patch(layer: dict[str, int], cut: _Cut) -> tuple[int, int]:
    """Height and width of the image under a tile."""
    high, wide = (
        (size - 1) * layer[f"STRIDE_{axis}"] + (layer[f"TAPS_{axis}"] - 1) * layer[f"DILATION_{axis}"] + 1
        for size, axis in zip(_tile(layer, cut), "HW", strict=True)
    )
    return high, wide


def _elements(layer: dict[str, int], cut: _Cut) -> int:
    """Of the image under a tile, for each thread."""
    return -(-math.prod(_patch(layer, cut)) // (32 * cut.warps)) * layer["CHANNELS"]


def _space(layer: dict[str, int], cut: _Cut) -> int:
    """Bytes of shared memory."""
    high, wide = _patch(layer, cut)
    groups, quad = -(-layer["TAPS_H"] * layer["TAPS_W"] // 4), 4 * layer["SIZE"]
    filters = 0 if cut.held else groups * (cut.part // 8 * 32 * quad + 16)
    return (high * _pitch_of(layer, wide) + 1) * quad + filters + 4 * cut.part


def _pitch_of(layer: dict[str, int], wide: int) -> int:
    taps, dilation = ((layer[f"{name}_H"], layer[f"{name}_W"]) for name in ("TAPS", "DILATION"))
    return _pitch(taps, dilation, layer["STRIDE_W"], layer["SIZE"], wide)


@cache
def _pitch(taps: tuple[int, int], dilation: tuple[int, int], stride: int, size: int, wide: int) -> int:
    """Quads from row to row of the patch: the fewest with which threads wait for each other's banks the least."""
    quads = _BANKS // (4 * size)
    pixels = quads // 4  # rows of the product whose quads, one for each of four taps, shared memory gives at once

    def waits(pitch: int) -> int:
        total = 0
        places = [
            row * dilation[0] * pitch + column * dilation[1] for row in range(taps[0]) for column in range(taps[1])
        ]
        for first in range(0, len(places), 4):
            for pixel in range(0, 8, pixels):
                met = {one + (pixel + i) * stride for one in places[first : first + 4] for i in range(pixels)}
                banks = [one % quads for one in met]
                total += max(map(banks.count, banks))
        return total

    return min(range(wide, wide + quads), key=waits)


def _kernel(problem: Problem, layer: dict[str, int], cut: _Cut, device: int) -> OwnKernel:
    high, wide = _tile(layer, cut)
    parts = -(-layer["FILTERS"] // cut.part)
    tiles = layer["IMAGES"] * -(-layer["OUT_HEIGHT"] // high) * -(-layer["OUT_WIDTH"] // wide)
    step = min(tiles, max(1, problem.device.multiprocessors * cut.resident // parts))
    constants = {
        **layer, "BLOCK": 32 * cut.warps, "RESIDENT": cut.resident, "TILE_H": high, "TILE_W": wide, "PART": cut.part,
        "PARTS": parts, "STEP": step, "TOGETHER": cut.together, "IN_REGISTERS": int(cut.held),
        "AHEAD": int(cut.ahead), "PITCH": _pitch_of(layer, _patch(layer, cut)[1]),
    }  # fmt: skip
    words, activation = WORDS[problem.tensor("x").dtype], activation_source(problem.epilogue)
    source = kernel_source(constants, WORD, words, cuda_text("tensor_core"), activation, cuda_text("first_layer"))
    more = ", loads ahead" if cut.ahead else ""
    name = f"conv_forward by a kernel of cudnnkit's own ({cut.warps} warps, {high}x{wide} pixels{more})"
    described = Description(CandidateId("array", name=name), 0, numerical=frozenset({"tensor_core"}))
    at = {one.role: place for place, one in enumerate(problem.tensors)}
    places, block = (at["x"], at["w"], at.get("bias", at["x"]), at["y"]), 32 * cut.warps
    return OwnKernel(described, source, "first_layer", device, step * parts * block, block, places)
