"""Darknet-19 (Redmon and Farhadi 2016) and Darknet-53 (2018): batch normalisation and leaky ReLU throughout."""

from __future__ import annotations

from typing import Any

import cudnnkit as ck

from examples.layers import Conv, Linear
from examples.weights import Weights

__all__ = ["LAYERS19", "STAGES53", "Darknet19", "Darknet53"]

LEAKY = ("leaky_relu", 0.1)
Layer = tuple[int, int]

LAYERS19: tuple[Layer | None, ...] = (
    (32, 3), None,
    (64, 3), None,
    (128, 3), (64, 1), (128, 3), None,
    (256, 3), (128, 1), (256, 3), None,
    (512, 3), (256, 1), (512, 3), (256, 1), (512, 3), None,
    (1024, 3), (512, 1), (1024, 3), (512, 1), (1024, 3),
)  # fmt: skip
"""Channels and window of each convolution; None is a 2x2 maximum pooling."""

STAGES53 = ((64, 1), (128, 2), (256, 8), (512, 8), (1024, 4))
"""Channels after each 3x3 convolution of stride 2, and the residual blocks that follow it."""


def _conv(weights: Weights, name: str, inputs: int, outputs: int, window: int, stride: int = 1) -> Conv:
    return Conv(
        weights, f"{name}.conv", inputs, outputs, window, stride=stride, norm=f"{name}.norm", activation=LEAKY,
        residual_after=True,
    )  # fmt: skip


class Darknet19:
    """Images (N, 3, H, W) in NHWC to scores (N, classes).

    Parameters
    ----------
    weights
        ``layers.0.conv.weight``, ``layers.0.norm.weight``, ...; the last layer is ``classifier``.
    width
        Factor for all channel counts, for tests.
    """

    def __init__(self, weights: Weights, *, width: float = 1.0, classes: int = 1000) -> None:
        self.layers: list[Conv | None] = []
        inputs = 3
        for place, layer in enumerate(LAYERS19):
            if layer is None:
                self.layers.append(None)
                continue
            outputs = int(layer[0] * width)
            self.layers.append(_conv(weights, f"layers.{place}", inputs, outputs, layer[1]))
            inputs = outputs
        self.classifier = Conv(weights, "classifier", inputs, classes, 1)

    def __call__(self, x: Any) -> Any:
        """The scores of images x."""
        for layer in self.layers:
            x = ck.max_pool(x, 2) if layer is None else layer(x)
        return ck.global_avg_pool(self.classifier(x)).reshape((x.shape[0], -1))


class Darknet53:
    """Images (N, 3, H, W) in NHWC to scores (N, classes).

    A block adds its input *behind* the activation: ``x + leaky_relu(conv(...))``.

    Parameters
    ----------
    weights
        ``stem``, ``stages.0.down``, ``stages.0.blocks.0.reduce`` and ``.expand``, each with ``.conv`` and ``.norm``;
        the last layer is ``fc``.
    width
        Factor for all channel counts, for tests.
    """

    def __init__(self, weights: Weights, *, width: float = 1.0, classes: int = 1000) -> None:
        inputs = int(32 * width)
        self.stem = _conv(weights, "stem", 3, inputs, 3)
        self.stages: list[tuple[Conv, list[tuple[Conv, Conv]]]] = []
        for place, (channels, count) in enumerate(STAGES53):
            outputs, name = int(channels * width), f"stages.{place}"
            down = _conv(weights, f"{name}.down", inputs, outputs, 3, stride=2)
            blocks = []
            for block in range(count):
                reduce = _conv(weights, f"{name}.blocks.{block}.reduce", outputs, outputs // 2, 1)
                blocks.append((reduce, _conv(weights, f"{name}.blocks.{block}.expand", outputs // 2, outputs, 3)))
            self.stages.append((down, blocks))
            inputs = outputs
        self.fc = Linear(weights, "fc", inputs, classes)

    def __call__(self, x: Any) -> Any:
        """The scores of images x."""
        x = self.stem(x)
        for down, blocks in self.stages:
            x = down(x)
            for reduce, expand in blocks:
                x = expand(reduce(x), x)
        return self.fc(ck.global_avg_pool(x).reshape((x.shape[0], -1)))
