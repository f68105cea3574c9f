"""ResNet-50 (He et al. 2015) and ResNeXt-50 32x4d (Xie et al. 2016) from one description.

As torchvision has them: the stride sits in the 3x3 convolution, and weights have its names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cudnnkit as ck

from examples.layers import Conv, Linear
from examples.weights import Weights

__all__ = ["RESNET50", "RESNEXT50", "Block", "Description", "ResNet"]


@dataclass(frozen=True)
class Block:
    """A bottleneck: 1x1 down to `middle` channels, 3x3, 1x1 up to `outputs`, and the way around it.

    Attributes
    ----------
    name
        ``"layer1.0"``.
    inputs, middle, outputs
        Channels.
    stride
        Of the 3x3 convolution.
    projects
        The way around is a 1x1 convolution, since its shape changes.
    """

    name: str
    inputs: int
    middle: int
    outputs: int
    stride: int
    projects: bool


@dataclass(frozen=True)
class Description:
    """A residual network of bottlenecks.

    Attributes
    ----------
    groups, group_width
        Of the 3x3 convolutions: ``groups * group_width`` channels where the first blocks have 64.
    stem
        Channels of the first convolution; the blocks' follow from it.
    counts
        Blocks of each of the four layers.
    """

    groups: int = 1
    group_width: int = 64
    stem: int = 64
    counts: tuple[int, ...] = (3, 4, 6, 3)

    def scaled(self, width: float) -> Description:
        """The same with fewer channels, for tests."""
        return Description(self.groups, max(1, int(self.group_width * width)), int(self.stem * width), self.counts)

    @property
    def features(self) -> int:
        """Channels of the last block."""
        return self.stem * 4 << (len(self.counts) - 1)

    def blocks(self) -> Iterator[Block]:
        """All blocks, in order."""
        inputs = self.stem
        for layer, count in enumerate(self.counts):
            middle, outputs = self.groups * self.group_width * 2**layer, self.stem * 4 * 2**layer
            for place in range(count):
                stride = 2 if layer and not place else 1
                yield Block(f"layer{layer + 1}.{place}", inputs, middle, outputs, stride, projects=not place)
                inputs = outputs


RESNET50 = Description()
RESNEXT50 = Description(groups=32, group_width=4)


class _Bottleneck:
    def __init__(self, weights: Weights, block: Block, groups: int) -> None:
        name, middle, step = block.name, block.middle, block.stride
        self.reduce = Conv(
            weights, f"{name}.conv1", block.inputs, middle, 1, norm=f"{name}.bn1", activation="relu"
        )  # fmt: skip
        self.conv = Conv(
            weights, f"{name}.conv2", middle, middle, 3, stride=step, groups=groups, norm=f"{name}.bn2",
            activation="relu",
        )  # fmt: skip
        self.expand = Conv(
            weights, f"{name}.conv3", middle, block.outputs, 1, norm=f"{name}.bn3", activation="relu"
        )  # fmt: skip
        self.around = None
        if block.projects:
            around, norm = f"{name}.downsample.0", f"{name}.downsample.1"
            self.around = Conv(weights, around, block.inputs, block.outputs, 1, stride=step, norm=norm)

    def __call__(self, x: Any) -> Any:
        residual = x if self.around is None else self.around(x)
        return self.expand(self.conv(self.reduce(x)), residual)


class ResNet:
    """Images (N, 3, H, W) in NHWC to scores (N, classes); batch normalisation folded into the convolutions.

    Parameters
    ----------
    weights
        Named as torchvision's ``resnet50`` and ``resnext50_32x4d``.
    description
        Which network.
    """

    def __init__(self, weights: Weights, description: Description = RESNET50, *, classes: int = 1000) -> None:
        self.stem = Conv(weights, "conv1", 3, description.stem, 7, stride=2, norm="bn1", activation="relu")
        self.blocks = [_Bottleneck(weights, block, description.groups) for block in description.blocks()]
        self.classifier = Linear(weights, "fc", description.features, classes)

    def __call__(self, x: Any) -> Any:
        """The scores of images x."""
        x = ck.max_pool(self.stem(x), 3, stride=2, padding=1)
        for block in self.blocks:
            x = block(x)
        return self.classifier(ck.global_avg_pool(x).reshape((x.shape[0], -1)))
