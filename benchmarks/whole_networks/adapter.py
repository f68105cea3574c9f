"""The networks of ``examples/``, as the benchmark calls them. Nothing else here knows how they are built."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

__all__ = ["kit_network", "kit_step", "random_state", "sizes", "torch_module"]

_ROOT = str(Path(__file__).resolve().parents[2])
if _ROOT not in sys.path:
    sys.path.append(_ROOT)

TYPES = {"fp16": "float16", "bf16": "bfloat16", "tf32": "float32", "strict": "float32"}


def sizes(name: str) -> tuple[int, int]:
    """Batch and image size of a network."""
    from examples.networks import NETWORKS

    one = NETWORKS[name]
    return one.batch, one.size


def random_state(name: str) -> Mapping[str, Any]:
    """Random weights by name, the same each time; statistics of normalisations are not a new module's."""
    from examples import networks

    return networks.random_state(name, 0)


def torch_module(name: str, state: Mapping[str, Any]) -> Any:
    """The network as a torch module with these weights, in float32 on the CPU, for inference."""
    from examples import torch_networks

    module = torch_networks.build(name)
    torch_networks.load(module, state)
    return module.eval()


def kit_network(
    name: str, state: Mapping[str, Any] | int, precision: str, layout: str = "last"
) -> Callable[[Any], Any]:
    """The network on cudnnkit's operations, its weights on the GPU; the examples' own layout is ``last``, NHWC.

    Weights by name, or the seed of random ones.
    """
    from examples import networks

    network = networks.build(name, state, dtype=TYPES[precision])
    if layout == "first":
        _plain(network, set())
    return network


def _plain(value: Any, seen: set[int]) -> None:
    """Filters in NCHW, wherever they are in an object."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, list | tuple):
        for one in value:
            _plain(one, seen)
        return
    for name, one in vars(value).items() if hasattr(value, "__dict__") else ():
        if hasattr(one, "data_ptr"):
            if one.dim() == 4:
                setattr(value, name, one.contiguous())
        else:
            _plain(one, seen)


def kit_step(state: Mapping[str, Any], precision: str, rate: float, momentum: float) -> Any:
    """ResNet-50's training step on cudnnkit's operations: ``step(images, labels)`` answers the loss."""
    from examples import training

    return training.TrainingStep(state, dtype=TYPES[precision], learning_rate=rate, momentum=momentum)
