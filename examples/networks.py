"""The five networks by name.

    from examples import networks

    network = networks.build("resnet50", state_dict, dtype="float16")     # or a seed instead of the state_dict
    scores = network(x)                                                   # x (N, 3, H, W), channels_last; (N, 1000)
    network = ck.capture(network)                                         # the same in one launch

Names: vgg19, darknet19, resnet50, darknet53, resnext50. ``NETWORKS[name]`` has the batch and the image size of the
project's table. Weights are folded, reordered and converted here, once; the networks hold nothing else. Precision is
the policy's: ``with ck.use_policy(precision="strict"): network(x)``.

Beside torch: ``torch_networks.build(name)`` is the same network as plain torch modules, whose ``state_dict()`` goes
straight into :func:`build`; :func:`random_state` makes one without torch, ``torch_networks.load`` puts it into the
modules. Training: ``training.TrainingStep``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from examples.arrays import Arrays, Library
from examples.darknet import Darknet19, Darknet53
from examples.resnet import RESNET50, RESNEXT50, ResNet
from examples.vgg import VGG19
from examples.weights import Weights

__all__ = ["NETWORKS", "Spec", "build", "random_state"]

Network = Callable[[Any], Any]
"""Takes images (N, 3, H, W) in NHWC, answers scores (N, classes)."""


@dataclass(frozen=True)
class Spec:
    """A network as the project's table has it.

    Attributes
    ----------
    title
        For people.
    batch, size
        Images at once, and their height and width.
    make
        Builds it from weights, the images' size, a factor for all channel counts, and the number of classes.
    """

    title: str
    batch: int
    size: int
    make: Callable[[Weights, int, float, int], Network]


NETWORKS: dict[str, Spec] = {
    "vgg19": Spec("VGG-19", 64, 224, lambda w, size, width, n: VGG19(w, size=size, width=width, classes=n)),
    "darknet19": Spec("Darknet-19", 128, 224, lambda w, _, width, n: Darknet19(w, width=width, classes=n)),
    "resnet50": Spec("ResNet-50", 64, 224, lambda w, _, width, n: ResNet(w, RESNET50.scaled(width), classes=n)),
    "darknet53": Spec("Darknet-53", 64, 256, lambda w, _, width, n: Darknet53(w, width=width, classes=n)),
    "resnext50": Spec(
        "ResNeXt-50 32x4d", 32, 224, lambda w, _, width, n: ResNet(w, RESNEXT50.scaled(width), classes=n)
    ),
}


def build(
    name: str,
    source: Mapping[str, Any] | int = 0,
    *,
    library: Library = "torch",
    dtype: str = "float16",
    device: int = 0,
    size: int | None = None,
    width: float = 1.0,
    classes: int = 1000,
) -> Network:
    """A network, ready to be called.

    Parameters
    ----------
    name
        One of `NETWORKS`.
    source
        A ``state_dict`` with torchvision's names (VGG, ResNet, ResNeXt) or those of ``torch_networks`` (Darknet), of
        arrays of any library on any device; or the seed of random weights.
    library, dtype, device
        Whose arrays its weights are and its images will be; see :class:`examples.arrays.Arrays`.
    size
        Height and width of the images; it matters for VGG-19 alone.
    width
        Factor for all channel counts, for tests.
    classes
        How many scores.

    Raises
    ------
    KeyError, ValueError
        There is no such network; a weight is missing or of another shape.
    """
    return _make(name, Weights(source, Arrays(library, dtype, device)), size, width, classes)


def random_state(
    name: str, seed: int = 0, *, size: int | None = None, width: float = 1.0, classes: int = 1000
) -> dict[str, Any]:
    """The random weights of :func:`build` with that seed, by name: NumPy float32. Needs no GPU."""
    weights = _Named(seed, Arrays("numpy", "float32"))
    _make(name, weights, size, width, classes)
    return weights.made


class _Named(Weights):
    """Random weights whose names are all that matters: nothing is folded."""

    def folded(self, name: str, shape: tuple[int, ...], norm: str) -> tuple[Any, Any]:
        return self.filters(name, shape), self.norm(norm, shape[0]).shift


def _make(name: str, weights: Weights, size: int | None, width: float, classes: int) -> Network:
    if name not in NETWORKS:
        raise KeyError(f"there is no network {name!r}; there are {', '.join(NETWORKS)}")
    spec = NETWORKS[name]
    return spec.make(weights, size or spec.size, width, classes)
