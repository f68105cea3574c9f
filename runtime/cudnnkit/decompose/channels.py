"""Few or odd channels made into as many as tensor cores take at once: padded with zeros, or gathered from the image.

cuDNN's engines for half data want channels in eights, some take fours; for float32 it is fours. A layer on RGB images
has three, and the engines that take those are several times slower than memory would allow. The copies are part of the
candidate and of its time. They are made anew for each call, that of the filter too: nobody can know that it did not
change, and it is small.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from cudnnkit.arrays.view import channels_last_strides
from cudnnkit.decompose.setting import Ready, Setting
from cudnnkit.decompose.staged import Staged, but, places_of, step
from cudnnkit.geometry import round_up
from cudnnkit.operands import ArrayExecutable, Operands
from cudnnkit.problem import Epilogue, Problem, TensorSpec

__all__ = ["gathered", "widened"]

_WIDTHS = {"float16": (4, 8), "bfloat16": (4, 8), "float32": (4,)}
"""Channels come in multiples of these, by element type."""
_PADDED = ("channels", "padded")
"""Marks a problem made here: its channels are not padded or gathered once more."""
_RANK = 1
"""Right after cuDNN's own first answers."""
_MOST_GATHERED = 4
"""Channels up to which four neighbouring pixels together are no more than two full widths."""
# The operands that have the image's channels, and the two that must have theirs innermost.
_ROLES = {"conv_forward": ("x", "w"), "conv_wgrad": ("x", "dw"), "conv_dgrad": ("dx", "w")}
_IMAGES = {"conv_forward": ("x", "y"), "conv_wgrad": ("x", "dy"), "conv_dgrad": ("dx", "dy")}


def _serves(problem: Problem) -> bool:
    """Whether channels innermost are to be padded: one group, a type with tensor cores."""
    spec = problem.convolution
    if problem.operation not in _ROLES or spec is None or spec.groups != 1 or _PADDED in problem.parameters:
        return False
    if problem.operation == "conv_dgrad" and problem.epilogue != Epilogue():
        return False  # its bias has the image's channels
    images = [problem.tensor(role) for role in _IMAGES[problem.operation]]
    return images[0].dtype in _WIDTHS and all(one.strides == channels_last_strides(one.shape) for one in images)


def _last(one: TensorSpec, shape: tuple[int, ...]) -> TensorSpec:
    return replace(one, shape=shape, strides=channels_last_strides(shape), alignment=16)


class _Piece(NamedTuple):
    """Elements that are copied in one go: indices of both arrays."""

    source: tuple[slice, ...]
    target: tuple[slice, ...]


class _Copy:
    """Copies one operand into a new array with zeros around it.

    A kernel of our own does it in one go. Where that cannot be had, the array library's kernels do: zeroing everything
    is one plain memset, 3 TB/s on an H200, while setting channels in between moves two bytes a thread, so only a single
    added channel is set alone. Of (64, 3, 224, 224) in float16 either way reads 19 MB; the kernel writes 26 MB for four
    channels and 51 MB for eight, the others half as much again.
    """

    def __init__(
        self,
        setting: Setting,
        source: TensorSpec,
        target: TensorSpec,
        pieces: Sequence[_Piece],
        factor: int = 1,
        before: tuple[int, ...] = (),
    ) -> None:
        self._setting, self._target, self._pieces = setting, target, pieces
        self._asked = source, target, factor, before, setting.device
        self._kernel: ArrayExecutable | None = None
        self._tried = setting.library.name == "numpy"

    def load(self) -> None:
        """Have the kernel. It may compile and load a module, which a graph capture would not stand."""
        if not self._tried and not self._setting.library.capturing(self._setting.device):
            from cudnnkit.cuda.channels import channel_kernel

            self._kernel, self._tried = channel_kernel(*self._asked), True

    def __call__(self, operands: Operands, place: int) -> Any:
        library, room = self._setting.library, self._setting.empty(self._target)
        self.load()
        if self._kernel is not None:
            given = Operands((), (operands.pointers[place], library.pointer(room)), operands.stream)
            self._kernel.run_on(given, 0)
            return room
        kernels, array, every = library.kernels, operands.arrays[place], slice(None)
        whole = len(self._pieces) > 1 or room.shape[1] - array.shape[1] > 1
        kernels.fill(room if whole else room[(every, slice(array.shape[1], None))], 0.0)
        for piece in self._pieces:
            kernels.copy(array[piece.source], room[piece.target])
        return room


def _load(copies: Iterable[_Copy]) -> None:
    for one in copies:
        one.load()


def widened(problem: Problem, setting: Setting) -> list[Staged]:
    """The channels of image and filter padded with zeros, one candidate for each width.

    Forward and filter gradient copy the image, the data gradient copies its result; what the padding adds to a result
    is dropped.
    """
    if not _serves(problem):
        return []
    channels = problem.tensor(_ROLES[problem.operation][0]).shape[1]
    widths = sorted({round_up(channels, one) for one in _WIDTHS[problem.tensors[0].dtype]} - {channels})
    return [_widened(problem, setting, channels, width) for width in widths]


def _widened(problem: Problem, setting: Setting, channels: int, width: int) -> Staged:
    places, library = places_of(problem), setting.library
    wide = {
        places[role]: _last(one, (one.shape[0], width, *one.shape[2:]))
        for role in _ROLES[problem.operation]
        for one in [problem.tensor(role)]
    }
    tensors = [wide.get(place, one) for place, one in enumerate(problem.tensors)]
    result = next((place for place, one in wide.items() if one.output), None)
    reads = problem.beta != "zero"
    changes = {} if result is None else {"beta": "zero"}
    inner = but(problem, tensors, parameters=(*problem.parameters, _PADDED), **changes)
    every = slice(None)
    kept = (every, slice(0, channels))
    copies = {
        place: _Copy(setting, problem.tensors[place], spec, [_Piece((every,), kept)])
        for place, spec in wide.items()
        if place != result
    }

    def run(operands: Operands, workspace: int, solved: Sequence[Ready]) -> None:
        arrays = list(operands.arrays)
        for place, copy in copies.items():
            arrays[place] = copy(operands, place)
        if result is not None:
            arrays[result] = setting.empty(wide[result])
        beta = operands.beta if result is None else 0.0
        step(solved[0], operands.but(library, arrays, alpha=operands.alpha, beta=beta), workspace)
        if result is not None:
            library.kernels.scale(arrays[result][kept], operands.arrays[result], 1.0, operands.beta if reads else 0.0)

    name = f"channels padded to {width}, then convolution"
    return Staged(name, _RANK, setting, (inner,), run, load=partial(_load, copies.values()))


def _every_second(first: int, size: int, before: int, room: int) -> tuple[slice, slice]:
    """Along one axis: positions of the padded image with the parity `first`, in the image and in the room."""
    start = (first - before) % 2
    at = (start + before) // 2
    count = max(0, min(len(range(start, size, 2)), room - at))
    return slice(start, start + 2 * count, 2), slice(at, at + count)


def _pieces(channels: int, sizes: Sequence[int], before: Sequence[int], rooms: Sequence[int]) -> list[_Piece]:
    found, every = [], slice(None)
    for order, parity in enumerate(itertools.product((0, 1), repeat=len(sizes))):
        axes = list(map(_every_second, parity, sizes, before, rooms))
        place = slice(order * channels, (order + 1) * channels)
        source, target = (every, every, *(one for one, _ in axes)), (every, place, *(one for _, one in axes))
        found.append(_Piece(source, target))
    return found


def gathered(problem: Problem, setting: Setting) -> Staged | None:
    """A stride of 2 taken out of the window: 2x2 pixels become one with four times the channels.

    With q = 2a + s for a place of the padded image and t = 2u + s for a tap of the window, s of both is the same, since
    an output starts at an even place: sum over t of w[t] x[2p + t] is the sum over u and s of w[u, s] x[p + u, s]. That
    is a convolution of stride 1 over channels (s, c), with half as many taps along each axis. A 7x7 window on three
    channels becomes 4x4 on twelve; taps past the window are zero. Padding becomes part of the copied image.

    Exact for finite images: the same products are added up, and zeros. A tap past the window is zero times the pixel
    beside it, under the next window or under none, so one that is infinite or NaN makes this window's result NaN too.
    """
    spec = problem.convolution
    if problem.operation != "conv_forward" or spec is None or not _serves(problem):
        return None
    x, w, y = problem.tensor("x"), problem.tensor("w"), problem.tensor("y")
    channels = x.shape[1]
    if len(x.shape) != 4 or set(spec.stride) != {2} or set(spec.dilation) != {1} or spec.mode != "cross-correlation":
        return None
    if channels > _MOST_GATHERED or min(w.shape[2:]) < 2:
        return None
    width = round_up(4 * channels, max(_WIDTHS[x.dtype]))
    window = tuple(round_up(taps, 2) // 2 for taps in w.shape[2:])
    sizes = tuple(size + taps - 1 for size, taps in zip(y.shape[2:], window, strict=True))
    image, filters = _last(x, (x.shape[0], width, *sizes)), _last(w, (w.shape[0], width, *window))
    changed = {"x": image, "w": filters}
    none, before = (0, 0), spec.pre_padding
    inner = but(
        problem,
        [changed.get(one.role, one) for one in problem.tensors],
        convolution=replace(spec, pre_padding=none, post_padding=none, stride=(1, 1)),
    )
    places, library = places_of(problem), setting.library
    copies = {
        places["x"]: _Copy(setting, x, image, _pieces(channels, x.shape[2:], before, sizes), 2, before),
        places["w"]: _Copy(setting, w, filters, _pieces(channels, w.shape[2:], none, window), 2, none),
    }

    def run(operands: Operands, workspace: int, solved: Sequence[Ready]) -> None:
        arrays = list(operands.arrays)
        for place, copy in copies.items():
            arrays[place] = copy(operands, place)
        step(solved[0], operands.but(library, arrays, alpha=operands.alpha, beta=operands.beta), workspace)

    name = f"2x2 pixels gathered into {width} channels, then convolution without stride"
    return Staged(name, _RANK, setting, (inner,), run, load=partial(_load, copies.values()))
