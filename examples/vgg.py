"""VGG-19 (Simonyan and Zisserman 2014), without batch normalisation; weights named as torchvision names them."""

from __future__ import annotations

from typing import Any

import cudnnkit as ck

from examples.layers import Conv, Linear, rows
from examples.weights import Weights

__all__ = ["STAGES", "VGG19"]

STAGES = ((64, 2), (128, 2), (256, 4), (512, 4), (512, 4))
"""Channels, and how many convolutions of them before each maximum pooling."""


class VGG19:
    """Images (N, 3, size, size) in NHWC to scores (N, classes).

    Parameters
    ----------
    weights
        Named as torchvision's ``vgg19``.
    size
        Of the images, a multiple of 32. The first fully connected layer depends on it.
    width
        Factor for all channel counts, for tests.
    """

    def __init__(self, weights: Weights, *, size: int = 224, width: float = 1.0, classes: int = 1000) -> None:
        self.stages: list[list[Conv]] = []
        inputs, place = 3, 0
        for outputs, count in STAGES:
            stage = []
            for _ in range(count):
                channels = int(outputs * width)
                stage.append(Conv(weights, f"features.{place}", inputs, channels, 3, activation="relu"))
                inputs, place = channels, place + 2  # torchvision counts the activations
            self.stages.append(stage)
            place += 1  # and the pooling
        side, hidden = size // 32, int(4096 * width)
        image = (inputs, side, side)
        self.classifier = [
            Linear(weights, "classifier.0", inputs * side * side, hidden, image=image, activation="relu"),
            Linear(weights, "classifier.3", hidden, hidden, activation="relu"),
            Linear(weights, "classifier.6", hidden, classes),
        ]

    def __call__(self, x: Any) -> Any:
        """The scores of images x."""
        for stage in self.stages:
            for conv in stage:
                x = conv(x)
            x = ck.max_pool(x, 2)
        x = rows(x)
        for linear in self.classifier:
            x = linear(x)
        return x
