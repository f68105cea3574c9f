"""A network's weights by name: out of a torch ``state_dict``, or random ones from a seed."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple

import cudnnkit as ck

from examples.arrays import Arrays

__all__ = ["Norm", "Weights"]

Shape = tuple[int, ...]


class Norm(NamedTuple):
    """A batch normalisation's vectors, (C,)."""

    scale: Any
    shift: Any
    mean: Any
    variance: Any


class Weights:
    """Hands a network its weights, named as torch names them, once, when it is built.

    Parameters
    ----------
    source
        A ``state_dict`` (a mapping of names to arrays of any library), or the seed of random weights.
    arrays
        Where the weights go.
    trained
        Of random weights: batch normalisations get statistics, scales and shifts as training leaves them, so that
        nothing about them goes unnoticed; otherwise torch's initial ones and zeros.

    Attributes
    ----------
    made
        The random weights by name, NumPy float32: a state_dict for another implementation of the same network.

    Notes
    -----
    Convolutions start as in torchvision: normal, of deviation ``sqrt(2 / fan_out)`` (He et al. 2015); everything else
    as in ``torch.nn``: uniform within ``1 / sqrt(fan_in)``. Each weight depends on the seed and its name alone.
    """

    def __init__(self, source: Mapping[str, Any] | int, arrays: Arrays, *, trained: bool = True) -> None:
        self.arrays, self.made = arrays, dict[str, Any]()
        self._source, self._trained = source, trained

    def get(self, name: str, shape: Shape, random: Callable[[Any], Any]) -> Any:
        """One weight as its source has it, where that has it.

        Raises
        ------
        KeyError, ValueError
            The state_dict lacks it, or has it in another shape.
        """
        if isinstance(self._source, int):
            numpy: Any = import_module("numpy")
            generator = numpy.random.default_rng([self._source, zlib.crc32(name.encode())])
            found = self.made[name] = numpy.asarray(random(generator), dtype="float32").reshape(shape)
        elif name in self._source:
            found = self._source[name]
        else:
            raise KeyError(f"the state_dict has no {name!r}, which is to be {shape}: is it of another network?")
        if tuple(found.shape) != shape:
            raise ValueError(f"{name} is {tuple(found.shape)} and should be {shape}: is it of another width or size?")
        return found

    def filters(self, name: str, shape: Shape) -> Any:
        """A convolution's filters, (K, C / groups, R, S)."""
        deviation = math.sqrt(2 / (shape[0] * math.prod(shape[2:])))
        return self.get(
            f"{name}.weight", shape, lambda random: random.standard_normal(shape, dtype="float32") * deviation
        )

    def bias(self, name: str, count: int, fan_in: int) -> Any:
        """A convolution's or a fully connected layer's bias, (count,)."""
        return self.get(f"{name}.bias", (count,), lambda random: _uniform(random, (count,), fan_in))

    def linear(self, name: str, outputs: int, inputs: int) -> tuple[Any, Any]:
        """A fully connected layer's weight (outputs, inputs) and bias (outputs,)."""
        shape = (outputs, inputs)
        weight = self.get(f"{name}.weight", shape, lambda random: _uniform(random, shape, inputs))
        return weight, self.bias(name, outputs, inputs)

    def norm(self, name: str, channels: int) -> Norm:
        """A batch normalisation's vectors, float32 (float64 for such networks)."""
        spread = self._trained
        makers: dict[str, Callable[[Any], Any]] = {
            "weight": lambda random: 0.5 + 0.2 * spread * random.random(channels) + 0.5 * (not spread),
            "bias": lambda random: 0.1 * spread * random.standard_normal(channels),
            "running_mean": lambda random: 0.1 * spread * random.standard_normal(channels),
            "running_var": lambda random: 1 + 0.5 * spread * (random.random(channels) - 0.5),
        }
        found = (self.get(f"{name}.{part}", (channels,), make) for part, make in makers.items())
        return Norm(*(self.arrays.put(one, self.arrays.wide) for one in found))

    def folded(self, name: str, shape: Shape, norm: str) -> tuple[Any, Any]:
        """Filters and bias of a convolution without its own bias that does the normalisation `norm` as well.

        Folded in float32 (float64 for such networks), before they are rounded to the network's own type.
        """
        one, filters = self.norm(norm, shape[0]), self.arrays.put(self.filters(name, shape), self.arrays.wide)
        w, bias = ck.fold_batch_norm(filters, None, one.mean, one.variance, one.scale, one.shift)
        return w, bias


def _uniform(random: Any, shape: Shape, fan_in: int) -> Any:
    return (2 * random.random(shape, dtype="float32") - 1) / math.sqrt(fan_in)
