"""A network's parameters as views of few flat buffers, so that one kernel reaches all of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from examples.arrays import Arrays

__all__ = ["Parameter", "Parameters"]

_STEP = 64
"""Every parameter begins at a multiple of so many elements: cuDNN's fast kernels want 16 bytes and more."""


@dataclass
class Parameter:
    """One parameter.

    Attributes
    ----------
    name, shape, dtype
        What.
    value, gradient
        Views of the buffers, filters with the channels innermost; there after :meth:`Parameters.allocate`.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    value: Any = None
    gradient: Any = None


@dataclass
class _Buffers:
    """Values, gradients and velocities of one type."""

    value: Any
    gradient: Any
    velocity: Any


@dataclass
class Parameters:
    """All parameters of a network.

    Attributes
    ----------
    arrays
        Where they live.
    named
        The parameters by name.
    """

    arrays: Arrays
    named: dict[str, Parameter] = field(default_factory=dict)
    _initial: dict[str, Any] = field(default_factory=dict)
    _buffers: list[_Buffers] = field(default_factory=list)

    def add(self, name: str, values: Any, dtype: str) -> Parameter:
        """A parameter that starts with these values."""
        made = self.named[name] = Parameter(name, tuple(values.shape), dtype)
        self._initial[name] = values
        return made

    def allocate(self) -> None:
        """Make the buffers, once all parameters were added."""
        for dtype in dict.fromkeys(one.dtype for one in self.named.values()):
            mine = [one for one in self.named.values() if one.dtype == dtype]
            sizes = [-(-math.prod(one.shape) // _STEP) * _STEP for one in mine]
            buffers = _Buffers(*(self.arrays.zeros(sum(sizes), dtype) for _ in range(3)))
            self._buffers.append(buffers)
            start = 0
            for one, size in zip(mine, sizes, strict=True):
                one.value = _view(buffers.value, start, one.shape)
                one.gradient = _view(buffers.gradient, start, one.shape)
                one.value[...] = self.arrays.put(self._initial.pop(one.name), dtype)
                start += size

    def descend(self, learning_rate: float, momentum: float, weight_decay: float, loss_scale: float) -> None:
        """One step of SGD with momentum on every buffer, as ``torch.optim.SGD`` does it."""
        for one in self._buffers:
            self.arrays.descend(
                one.value, one.gradient, one.velocity, learning_rate, momentum, weight_decay, loss_scale
            )  # fmt: skip


def _view(buffer: Any, start: int, shape: tuple[int, ...]) -> Any:
    """A part of a flat buffer in a shape; with four axes in NHWC."""
    flat = buffer[start : start + math.prod(shape)]
    if len(shape) != 4:
        return flat.reshape(shape)
    k, c, r, s = shape
    return flat.reshape((k, r, s, c)).swapaxes(2, 3).swapaxes(1, 2)
