"""The five networks as plain torch modules, as their users have them: to compare with, and to take weights from.

VGG-19, ResNet-50 and ResNeXt-50 have torchvision's structure and names, without torchvision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from examples.darknet import LAYERS19, STAGES53
from examples.networks import NETWORKS
from examples.resnet import RESNET50, RESNEXT50, Block, Description
from examples.vgg import STAGES

__all__ = ["Darknet19", "Darknet53", "ResNet", "VGG19", "build", "load"]


class VGG19(nn.Module):
    """torchvision's ``vgg19``; its adaptive pooling is left out, since it does nothing to images of the right size."""

    def __init__(self, *, size: int = 224, width: float = 1.0, classes: int = 1000) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        inputs = 3
        for outputs, count in STAGES:
            for _ in range(count):
                layers += [nn.Conv2d(inputs, int(outputs * width), 3, padding=1), nn.ReLU(inplace=True)]
                inputs = int(outputs * width)
            layers.append(nn.MaxPool2d(2))
        hidden = int(4096 * width)
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(
            nn.Linear(inputs * (size // 32) ** 2, hidden),
            nn.ReLU(inplace=True),
            nn.Dropout(),
            nn.Linear(hidden, hidden),
            nn.ReLU(inplace=True),
            nn.Dropout(),
            nn.Linear(hidden, classes),
        )

    def forward(self, x: Any) -> Any:
        return self.classifier(torch.flatten(self.features(x), 1))


class ConvNorm(nn.Module):
    """Convolution, batch normalisation, leaky ReLU: what Darknets are made of."""

    def __init__(self, inputs: int, outputs: int, window: int, stride: int = 1) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, window, stride, window // 2, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x: Any) -> Any:
        return nn.functional.leaky_relu(self.norm(self.conv(x)), 0.1, inplace=True)


class Darknet19(nn.Module):
    """Darknet-19."""

    def __init__(self, *, width: float = 1.0, classes: int = 1000) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        inputs = 3
        for layer in LAYERS19:
            if layer is None:
                layers.append(nn.MaxPool2d(2))
                continue
            outputs = int(layer[0] * width)
            layers.append(ConvNorm(inputs, outputs, layer[1]))
            inputs = outputs
        self.layers = nn.Sequential(*layers)
        self.classifier = nn.Conv2d(inputs, classes, 1)

    def forward(self, x: Any) -> Any:
        return self.classifier(self.layers(x)).mean((2, 3))


class DarknetBlock(nn.Module):
    """1x1 down to half the channels, 3x3 up again, the input added to what comes out."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.reduce = ConvNorm(channels, channels // 2, 1)
        self.expand = ConvNorm(channels // 2, channels, 3)

    def forward(self, x: Any) -> Any:
        return x + self.expand(self.reduce(x))


class DarknetStage(nn.Module):
    """A 3x3 convolution of stride 2 and the blocks after it."""

    def __init__(self, inputs: int, outputs: int, count: int) -> None:
        super().__init__()
        self.down = ConvNorm(inputs, outputs, 3, 2)
        self.blocks = nn.Sequential(*(DarknetBlock(outputs) for _ in range(count)))

    def forward(self, x: Any) -> Any:
        return self.blocks(self.down(x))


class Darknet53(nn.Module):
    """Darknet-53."""

    def __init__(self, *, width: float = 1.0, classes: int = 1000) -> None:
        super().__init__()
        inputs = int(32 * width)
        self.stem = ConvNorm(3, inputs, 3)
        stages = []
        for channels, count in STAGES53:
            stages.append(DarknetStage(inputs, int(channels * width), count))
            inputs = int(channels * width)
        self.stages = nn.Sequential(*stages)
        self.fc = nn.Linear(inputs, classes)

    def forward(self, x: Any) -> Any:
        return self.fc(self.stages(self.stem(x)).mean((2, 3)))


class Bottleneck(nn.Module):
    """torchvision's ``Bottleneck``."""

    def __init__(self, block: Block, groups: int) -> None:
        super().__init__()
        middle, step = block.middle, block.stride
        self.conv1 = nn.Conv2d(block.inputs, middle, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(middle)
        self.conv2 = nn.Conv2d(middle, middle, 3, step, 1, groups=groups, bias=False)
        self.bn2 = nn.BatchNorm2d(middle)
        self.conv3 = nn.Conv2d(middle, block.outputs, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(block.outputs)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = None
        if block.projects:
            around = nn.Conv2d(block.inputs, block.outputs, 1, step, bias=False)
            self.downsample = nn.Sequential(around, nn.BatchNorm2d(block.outputs))

    def forward(self, x: Any) -> Any:
        residual = x if self.downsample is None else self.downsample(x)
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.relu(self.bn2(self.conv2(y)))
        return self.relu(self.bn3(self.conv3(y)) + residual)


class ResNet(nn.Module):
    """torchvision's ``resnet50`` or ``resnext50_32x4d``."""

    def __init__(self, description: Description = RESNET50, *, classes: int = 1000) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, description.stem, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(description.stem)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        layers: dict[str, list[nn.Module]] = {}
        for block in description.blocks():
            layers.setdefault(block.name.split(".")[0], []).append(Bottleneck(block, description.groups))
        self.layer1, self.layer2, self.layer3, self.layer4 = (nn.Sequential(*one) for one in layers.values())
        self.fc = nn.Linear(description.features, classes)

    def forward(self, x: Any) -> Any:
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(x.mean((2, 3)))


_BUILDERS: dict[str, Callable[[int, float, int], Any]] = {
    "vgg19": lambda size, width, classes: VGG19(size=size, width=width, classes=classes),
    "darknet19": lambda _, width, classes: Darknet19(width=width, classes=classes),
    "resnet50": lambda _, width, classes: ResNet(RESNET50.scaled(width), classes=classes),
    "darknet53": lambda _, width, classes: Darknet53(width=width, classes=classes),
    "resnext50": lambda _, width, classes: ResNet(RESNEXT50.scaled(width), classes=classes),
}


def build(name: str, *, size: int | None = None, width: float = 1.0, classes: int = 1000) -> Any:
    """The module of that name on the CPU in float32, in evaluation mode; parameters as of ``networks.build``."""
    return _BUILDERS[name](size or NETWORKS[name].size, width, classes).eval()


def load(module: Any, state: Mapping[str, Any]) -> Any:
    """Put weights, arrays of NumPy or tensors by name, into a module; returns the module.

    Raises
    ------
    RuntimeError
        A name is missing or unknown, or a shape is another.
    """
    given = {name: torch.as_tensor(value) for name, value in state.items()}
    counters = {name: value for name, value in module.state_dict().items() if name.endswith("num_batches_tracked")}
    module.load_state_dict({**counters, **given})
    return module
