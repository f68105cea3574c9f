"""A training step of ResNet-50 or ResNeXt-50: forward, all gradients, SGD with momentum.

    step = TrainingStep(state_dict, dtype="float16")
    loss = step(images, labels)                  # or captured = ck.capture(step); loss = captured(images, labels)

Parameters, gradients and velocities each live in one flat buffer for each type, so that an update is a few kernels for
the whole network. Nothing waits for the device.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cudnnkit as ck

from examples.arrays import Arrays, Library
from examples.parameters import Parameter, Parameters
from examples.resnet import RESNET50, Block, Description
from examples.weights import Weights

__all__ = ["TrainingStep"]


class _ConvNorm:
    """A convolution without bias, batch normalisation, and what is fused with that: a residual and ReLU."""

    def __init__(
        self,
        parameters: Parameters,
        weights: Weights,
        name: str,
        norm: str,
        inputs: int,
        outputs: int,
        window: int,
        *,
        stride: int = 1,
        groups: int = 1,
        activation: str | None = "relu",
    ) -> None:
        arrays, vectors = weights.arrays, weights.norm(norm, outputs)
        shape = (outputs, inputs // groups, window, window)
        self.filters = parameters.add(f"{name}.weight", weights.filters(name, shape), arrays.dtype)
        # Beside half data a normalisation's own vectors are float32.
        self.scale = parameters.add(f"{norm}.weight", vectors.scale, arrays.wide)
        self.shift = parameters.add(f"{norm}.bias", vectors.shift, arrays.wide)
        self.running = arrays.copy(vectors.mean), arrays.copy(vectors.variance)
        self.geometry: dict[str, Any] = {"padding": window // 2, "stride": stride, "groups": groups}
        self.activation = activation
        self._kept: Any = None

    def forward(self, x: Any, residual: Any = None) -> Any:
        """``activation(normalised convolution + residual)``; keeps what :meth:`backward` needs."""
        z = ck.conv2d(x, self.filters.value, **self.geometry)
        found = ck.batch_norm_training(
            z, self.scale.value, self.shift.value, running_mean=self.running[0], running_variance=self.running[1],
            residual=residual, activation=self.activation,
        )  # fmt: skip
        self._kept = x, z, found
        return found.y

    def backward(self, dy: Any, *, residual: bool = False) -> tuple[Any, Any]:
        """dz, the gradient of the convolution's result, and the residual's. Writes the parameters' gradients."""
        (x, z, found), self._kept = self._kept, None
        gradients = ck.batch_norm_backward(
            dy, z, self.scale.value, self.shift.value, found.mean, found.inverse_std, y=found.y,
            activation=self.activation, residual=residual, reserve=found.reserve, out_scale=self.scale.gradient,
            out_bias=self.shift.gradient,
        )  # fmt: skip
        del z, found  # their memory serves what follows
        ck.conv_filter_gradient(x, gradients.dx, out=self.filters.gradient, **self.geometry)
        return gradients.dx, gradients.dresidual

    def data_gradient(self, dz: Any, x_shape: tuple[int, ...]) -> Any:
        """The gradient of the convolution's images, from dz."""
        return ck.conv_data_gradient(dz, self.filters.value, x_shape, **self.geometry)

    def data_gradient_onto(self, dz: Any, more: Any) -> Any:
        """The same plus `more`, in one call: a transposed convolution is a data gradient that takes a residual."""
        return ck.conv_transpose2d(dz, self.filters.value, residual=more, **self.geometry)


class _Bottleneck:
    def __init__(self, parameters: Parameters, weights: Weights, block: Block, groups: int) -> None:
        name, middle, both = block.name, block.middle, (parameters, weights)
        self.reduce = _ConvNorm(*both, f"{name}.conv1", f"{name}.bn1", block.inputs, middle, 1)
        self.conv = _ConvNorm(
            *both, f"{name}.conv2", f"{name}.bn2", middle, middle, 3, stride=block.stride, groups=groups
        )  # fmt: skip
        self.expand = _ConvNorm(*both, f"{name}.conv3", f"{name}.bn3", middle, block.outputs, 1)
        self.around = None
        if block.projects:
            self.around = _ConvNorm(
                *both, f"{name}.downsample.0", f"{name}.downsample.1", block.inputs, block.outputs, 1,
                stride=block.stride, activation=None,
            )  # fmt: skip
        self._shapes: list[tuple[int, ...]] = []

    def forward(self, x: Any) -> Any:
        residual = x if self.around is None else self.around.forward(x)
        reduced = self.reduce.forward(x)
        convolved = self.conv.forward(reduced)
        self._shapes = [tuple(one.shape) for one in (x, reduced, convolved)]
        return self.expand.forward(convolved, residual)

    def backward(self, dy: Any) -> Any:
        x_shape, reduced, convolved = self._shapes
        dz, dresidual = self.expand.backward(dy, residual=True)
        dz, _ = self.conv.backward(self.expand.data_gradient(dz, convolved))
        dz, _ = self.reduce.backward(self.conv.data_gradient(dz, reduced))
        if self.around is not None:
            around, _ = self.around.backward(dresidual)
            dresidual = self.around.data_gradient(around, x_shape)
        return self.reduce.data_gradient_onto(dz, dresidual)


class TrainingStep:
    """ResNet-50, or another network of that description, while it is trained.

    Parameters
    ----------
    source
        A ``state_dict`` with torchvision's names, or the seed of random weights as torch starts with them.
    description
        Which network.
    library, dtype, device
        Whose arrays; see :class:`examples.arrays.Arrays`. With half data the batch normalisations' vectors and
        statistics are float32.
    learning_rate, momentum, weight_decay
        As in ``torch.optim.SGD``: ``v = momentum * v + gradient + weight_decay * p; p = p - learning_rate * v``.
    loss_scale
        Factor of all gradients while they are computed, so that small ones are not lost in float16.
    classes
        How many scores.

    Attributes
    ----------
    parameters
        Values and gradients by name.
    """

    def __init__(
        self,
        source: Mapping[str, Any] | int = 0,
        *,
        description: Description = RESNET50,
        library: Library = "torch",
        dtype: str = "float16",
        device: int = 0,
        learning_rate: float = 0.01,
        momentum: float = 0.9,
        weight_decay: float = 0.0,
        loss_scale: float | None = None,
        classes: int = 1000,
    ) -> None:
        arrays = Arrays(library, dtype, device)
        weights = Weights(source, arrays, trained=False)
        self.arrays, self.parameters = arrays, Parameters(arrays)
        self.learning_rate, self.momentum, self.weight_decay = learning_rate, momentum, weight_decay
        self.loss_scale = loss_scale or (128.0 if dtype == "float16" else 1.0)
        self.stem = _ConvNorm(self.parameters, weights, "conv1", "bn1", 3, description.stem, 7, stride=2)
        self.blocks = [
            _Bottleneck(self.parameters, weights, block, description.groups) for block in description.blocks()
        ]
        w, bias = weights.linear("fc", classes, description.features)
        self.w: Parameter = self.parameters.add("fc.weight", w, dtype)
        self.bias: Parameter = self.parameters.add("fc.bias", bias, dtype)
        self.parameters.allocate()
        self._classes = arrays.counted(classes)

    def __call__(self, images: Any, labels: Any) -> Any:
        """One step; the mean cross entropy of the batch before it, an array of no axes.

        Parameters
        ----------
        images
            (N, 3, H, W) in NHWC, of this object's type.
        labels
            (N,), whole numbers from 0.
        """
        loss = self.gradients(images, labels)
        self.parameters.descend(self.learning_rate, self.momentum, self.weight_decay, self.loss_scale)
        return loss

    def gradients(self, images: Any, labels: Any) -> Any:
        """The loss; writes the gradients of `loss_scale` times the loss."""
        activated = self.stem.forward(images)
        pooled = x = ck.max_pool(activated, 3, stride=2, padding=1)
        for block in self.blocks:
            x = block.forward(x)
        features = ck.global_avg_pool(x).reshape((x.shape[0], -1))
        loss, dscores = self._loss(ck.linear(features, self.w.value, self.bias.value), labels)

        ck.linear_filter_gradient(features, dscores, out=self.w.gradient)
        ck.linear_bias_gradient(dscores, out=self.bias.gradient)
        dfeatures = ck.linear_data_gradient(dscores, self.w.value)
        dy = ck.global_avg_pool_backward(_as_image(dfeatures), tuple(x.shape))
        del x
        for block in reversed(self.blocks):
            dy = block.backward(dy)
        dy = ck.max_pool_backward(dy, pooled, activated, 3, stride=2, padding=1)
        self.stem.backward(dy)
        return loss

    def _loss(self, scores: Any, labels: Any) -> tuple[Any, Any]:
        """The mean cross entropy, computed in float32, and `loss_scale` times its gradient by the scores."""
        logarithms = ck.log_softmax(self.arrays.cast(scores, self.arrays.wide), axis=1)
        hits = self.arrays.cast(labels.reshape((-1, 1)) == self._classes, self.arrays.wide)
        shares = hits * (-1 / scores.shape[0])
        dscores = ck.log_softmax_backward(shares * self.loss_scale, logarithms, axis=1)
        return (logarithms * shares).sum(), self.arrays.cast(dscores, self.arrays.dtype)


def _as_image(rows: Any) -> Any:
    """(N, C) as (N, C, 1, 1) whose strides say NHWC."""
    return rows.reshape((rows.shape[0], 1, 1, -1)).swapaxes(2, 3).swapaxes(1, 2)
