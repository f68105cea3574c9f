"""A problem's parts in words, for labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cudnnkit.arrays.view import channels_last_strides, contiguous_strides

if TYPE_CHECKING:
    from cudnnkit.problem import ConvolutionSpec, PoolingSpec, Scale, TensorSpec

__all__ = ["by", "convolution_words", "layout_words", "pooling_words", "told"]


def by(sizes: Sequence[int]) -> str:
    """Sizes as ``3x3``."""
    return "x".join(map(str, sizes))


def told(name: str, scale: Scale) -> bool:
    """Whether alpha or beta differs from its default."""
    return scale != ("one" if name == "alpha" else "zero")


def layout_words(tensors: Sequence[TensorSpec]) -> list[str]:
    """In which memory layout the first image is, where that is not the plain one."""
    for one in tensors:
        if len(one.shape) > 2:
            if one.strides == contiguous_strides(one.shape):
                return []
            return ["channels last" if one.strides == channels_last_strides(one.shape) else "strided"]
    return []


def _padding(spec: ConvolutionSpec | PoolingSpec) -> list[str]:
    """The padding, if there is any."""
    if not any(spec.pre_padding + spec.post_padding):
        return []
    after = "" if spec.symmetric else f" and {by(spec.post_padding)}"
    return [f"padding {by(spec.pre_padding)}{after}"]


def pooling_words(spec: PoolingSpec) -> list[str]:
    """Parameters of a pooling."""
    mode, window = spec.mode.replace("_", " "), by(spec.window)
    return [f"{mode} {window}", f"stride {by(spec.stride)}", *_padding(spec)]


def convolution_words(spec: ConvolutionSpec) -> list[str]:
    """Parameters of a convolution that are not at their default."""
    words = _padding(spec)
    words += [
        f"{name} {by(steps)}"
        for name, steps in (("stride", spec.stride), ("dilation", spec.dilation))
        if set(steps) != {1}
    ]
    words += [f"groups {spec.groups}"] if spec.groups > 1 else []
    return words + (["flipped window"] if spec.mode == "convolution" else [])
