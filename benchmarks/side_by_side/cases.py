"""Which layers are measured, in which order. Nothing here needs a GPU."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

__all__ = ["CASES", "DEMANDED", "OPERATIONS", "PRECISIONS", "Block", "Case", "Operation", "Precision", "blocks"]

Operation: TypeAlias = Literal["conv", "conv_bias_relu", "dgrad", "wgrad"]
Precision: TypeAlias = Literal["fp16", "bf16", "tf32", "strict"]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)
PRECISIONS: tuple[Precision, ...] = get_args(Precision)


@dataclass(frozen=True)
class Case:
    """One layer.

    Attributes
    ----------
    source
        The network it stands in.
    batch, channels, image, filters, window
        N, C, spatial sizes, K, window sizes.
    stride, padding, dilation
        One for each spatial axis.
    groups
        Groups of channels.
    tier
        0 for the layers of the project's first measurements, 1 for common ones, 2 for the rest.
    first
        Precisions in which a layer of tier 0 was measured first.
    """

    source: str
    batch: int
    channels: int
    image: tuple[int, ...]
    filters: int
    window: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    groups: int = 1
    tier: int = 1
    first: tuple[Precision, ...] = ()

    @property
    def name(self) -> str:
        """A name that tells every parameter and no two layers share."""
        parts = [f"n{self.batch} c{self.channels} {_by(self.image)} k{self.filters} w{_by(self.window)}"]
        if set(self.stride) != {1}:
            parts.append(f"s{_by(self.stride)}")
        if set(self.dilation) != {1}:
            parts.append(f"d{_by(self.dilation)}")
        if self.groups > 1:
            parts.append(f"g{self.groups}")
        return f"{self.source} " + " ".join(parts)

    @property
    def output(self) -> tuple[int, ...]:
        """Spatial sizes of the result."""
        return tuple(
            (size + 2 * pad - gap * (taps - 1) - 1) // step + 1
            for size, pad, gap, taps, step in zip(
                self.image, self.padding, self.dilation, self.window, self.stride, strict=True
            )
        )

    @property
    def x_shape(self) -> tuple[int, ...]:
        """Shape of the images."""
        return (self.batch, self.channels, *self.image)

    @property
    def w_shape(self) -> tuple[int, ...]:
        """Shape of the filters."""
        return (self.filters, self.channels // self.groups, *self.window)

    @property
    def y_shape(self) -> tuple[int, ...]:
        """Shape of the result."""
        return (self.batch, self.filters, *self.output)

    def summed(self, operation: Operation) -> int:
        """Products that one element of a result sums up, at most."""
        if operation == "wgrad":
            return self.batch * math.prod(self.output)
        channels = self.filters if operation == "dgrad" else self.channels
        return channels // self.groups * math.prod(self.window)


def _by(sizes: tuple[int, ...]) -> str:
    return str(sizes[0]) if len(set(sizes)) == 1 and len(sizes) == 2 else "x".join(map(str, sizes))


def _case(
    source: str,
    batch: int,
    channels: int,
    image: int | tuple[int, ...],
    filters: int,
    window: int | tuple[int, ...],
    stride: int | tuple[int, ...] = 1,
    *,
    groups: int = 1,
    dilation: int = 1,
    tier: int = 1,
    first: tuple[Precision, ...] = (),
) -> Case:
    """A layer with "same" padding for odd windows; numbers stand for two equal spatial axes."""
    sizes = image if isinstance(image, tuple) else (image, image)
    rank = len(sizes)
    taps = window if isinstance(window, tuple) else (window,) * rank
    steps = stride if isinstance(stride, tuple) else (stride,) * rank
    padding = tuple(dilation * (one - 1) // 2 for one in taps)
    return Case(
        source, batch, channels, sizes, filters, taps, steps, padding, (dilation,) * rank, groups, tier, first
    )  # fmt: skip


_FACTS = (
    _case("vgg19", 64, 64, 224, 64, 3, tier=0, first=("fp16",)),
    _case("vgg19", 64, 256, 56, 256, 3, tier=0, first=("fp16", "tf32", "strict")),
    _case("vgg19", 64, 512, 14, 512, 3, tier=0, first=("fp16",)),
    _case("resnet50", 64, 64, 56, 256, 1, tier=0, first=("fp16",)),
    _case("resnext50", 32, 128, 56, 128, 3, groups=32, tier=0, first=("fp16",)),
    _case("resnet50", 64, 512, 28, 1024, 3, 2, tier=0, first=("strict",)),
    _case("resnet50", 64, 512, 7, 512, 3, tier=0, first=("fp16",)),
    _case("resnet50", 64, 3, 224, 64, 7, 2, tier=0, first=("fp16",)),
)
_COMMON = (
    _case("resnet50", 64, 64, 56, 64, 1),
    _case("resnet50", 64, 64, 56, 64, 3),
    _case("resnet50", 64, 256, 56, 64, 1),
    _case("resnet50", 64, 128, 56, 128, 3, 2),
    _case("resnet50", 64, 128, 28, 128, 3),
    _case("resnet50", 64, 128, 28, 512, 1),
    _case("resnet50", 64, 256, 56, 512, 1, 2),
    _case("resnet50", 64, 256, 14, 256, 3),
    _case("resnet50", 64, 1024, 14, 256, 1),
    _case("resnet50", 64, 512, 7, 2048, 1),
    _case("resnet50", 64, 2048, 7, 512, 1),
    _case("vgg19", 64, 3, 224, 64, 3),
    _case("vgg19", 64, 64, 112, 128, 3),
    _case("vgg19", 64, 128, 112, 128, 3),
    _case("vgg19", 64, 256, 28, 512, 3),
    _case("vgg19", 64, 512, 28, 512, 3),
    _case("darknet53", 64, 3, 256, 32, 3),
    _case("darknet53", 64, 32, 256, 64, 3, 2),
    _case("darknet53", 64, 64, 128, 32, 1),
    _case("darknet53", 64, 128, 64, 256, 3, 2),
    _case("darknet53", 64, 256, 16, 512, 3),
    _case("darknet53", 64, 1024, 8, 512, 1),
    _case("darknet53", 64, 512, 8, 1024, 3),
    _case("resnext50", 32, 256, 56, 256, 3, 2, groups=32),
    _case("resnext50", 32, 512, 14, 512, 3, groups=32),
    _case("resnext50", 32, 1024, 7, 1024, 3, groups=32),
    _case("mobilenet", 64, 32, 112, 32, 3, groups=32),
    _case("mobilenet", 64, 144, 56, 144, 3, groups=144),
    _case("mobilenet", 64, 384, 14, 384, 3, groups=384),
    _case("mobilenet", 64, 96, 56, 24, 1),
    _case("c3d", 8, 64, (16, 56, 56), 128, 3),
    _case("conv1d", 32, 512, (1000,), 512, 3),
)
_REST = (
    _case("resnet50", 64, 512, 28, 1024, 1, 2, tier=2),
    _case("resnet50", 64, 256, 14, 1024, 1, tier=2),
    _case("mobilenet", 64, 96, 112, 96, 3, 2, groups=96, tier=2),
    _case("mobilenet", 64, 960, 7, 960, 3, groups=960, tier=2),
    _case("mobilenet", 64, 384, 14, 64, 1, tier=2),
    _case("efficientnet", 64, 240, 14, 240, 5, groups=240, tier=2),
    _case("deeplab", 8, 512, 28, 512, 3, dilation=2, tier=2),
    _case("r3d", 8, 3, (16, 112, 112), 64, (3, 7, 7), (1, 2, 2), tier=2),
    _case("r3d", 8, 128, (8, 28, 28), 128, (3, 1, 1), tier=2),
    _case("whisper", 16, 80, (3000,), 512, 3, tier=2),
    _case("wavenet", 32, 256, (4096,), 256, 9, tier=2),
    _case("unet", 2, 320, 64, 320, 3, tier=2),
    _case("unet", 2, 1280, 16, 1280, 3, tier=2),
    _case("latency", 1, 256, 56, 256, 3, tier=2),
    _case("latency", 1, 64, 56, 256, 1, tier=2),
    _case("small", 128, 256, 7, 256, 3, tier=2),
)
CASES: tuple[Case, ...] = (*_FACTS, *_COMMON, *_REST)


@dataclass(frozen=True)
class Block:
    """A layer in one precision: its operations share operands and references."""

    case: Case
    precision: Precision
    operations: tuple[Operation, ...] = OPERATIONS


# A dozen of the common layers: every kind of window, of stride and of group.
_DOZEN = _COMMON[::8] + _COMMON[3::8] + _COMMON[6::8]
_GRADIENTS: tuple[Operation, ...] = ("dgrad", "wgrad")
DEMANDED = 206
"""So many rows, in their order, are what the project's goals speak of: the first measurements, the common layers in
float16 in every direction, and samples of the other precisions."""


def _in_order() -> Iterator[Block]:
    """Everything, the most important first; a layer and precision may come again with other operations."""
    for case in CASES:
        yield from (Block(case, precision) for precision in case.first)
    yield from (Block(case, "fp16") for case in _FACTS + _COMMON)
    yield from (Block(case, "strict", ("conv",)) for case in _FACTS + _DOZEN)
    yield from (Block(case, "tf32", ("conv",)) for case in _DOZEN)
    yield from (Block(case, "bf16", ("conv",)) for case in _FACTS[:4])
    # `DEMANDED` ends here.
    yield from (Block(case, "strict", _GRADIENTS) for case in _DOZEN)
    yield from (Block(case, "tf32") for case in _FACTS)
    yield from (Block(case, "fp16") for case in _REST)
    for precision in PRECISIONS:
        yield from (Block(case, precision) for case in CASES)


def blocks(*, pattern: str = "", quick: bool = False, most: float = math.inf) -> Iterator[Block]:
    """What to measure, the most important first, each row once.

    Parameters
    ----------
    pattern
        Words; only rows whose case, operation and precision together contain each of them. ``""`` for all.
    quick
        Only the layers of the first measurements, in their precisions.
    most
        So many rows at most.
    """
    words = pattern.lower().split()
    seen: set[tuple[str, str, str]] = set()
    for block in _in_order():
        case, precision = block.case, block.precision
        if quick and precision not in case.first:
            continue
        wanted = []
        for operation in block.operations:
            key = case.name, operation, precision
            text = f" {case.name} {operation} {precision} ".split()
            if key in seen or len(seen) >= most:
                continue
            if all(word in text or word in case.name for word in words):
                seen.add(key)
                wanted.append(operation)
        if wanted:
            yield Block(case, precision, tuple(wanted))
