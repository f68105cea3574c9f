"""The five networks once more, in NumPy float64, layer after layer as their papers list them; nothing is folded."""

from __future__ import annotations

from typing import Any

import numpy as np

State = dict[str, Any]


def conv(x: Any, w: Any, bias: Any = None, *, stride: int = 1, groups: int = 1) -> Any:
    """A convolution that keeps the size at stride 1, by its windows."""
    w = w.astype("f8")
    pad = w.shape[2] // 2
    padded = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, w.shape[2:], axis=(2, 3))[:, :, ::stride, ::stride]
    pieces = zip(np.split(windows, groups, 1), np.split(w, groups, 0), strict=True)
    y = np.concatenate([np.einsum("nchwrs,kcrs->nkhw", one, part, optimize=True) for one, part in pieces], 1)
    return y if bias is None else y + bias.reshape(-1, 1, 1)


def norm(x: Any, state: State, name: str, *, training: bool = False) -> Any:
    mean, variance = state[f"{name}.running_mean"], state[f"{name}.running_var"]
    if training:
        mean, variance = x.mean((0, 2, 3)), x.var((0, 2, 3))
    scale = state[f"{name}.weight"] / np.sqrt(variance.astype("f8") + 1e-5)
    return (x - mean.reshape(-1, 1, 1)) * scale.reshape(-1, 1, 1) + state[f"{name}.bias"].reshape(-1, 1, 1)


def relu(x: Any) -> Any:
    return np.maximum(x, 0)


def leaky(x: Any) -> Any:
    return np.where(x > 0, x, 0.1 * x)


def pool(x: Any, window: int = 2, stride: int = 2, pad: int = 0) -> Any:
    padded = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)), constant_values=-np.inf)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (window, window), axis=(2, 3))
    return windows[:, :, ::stride, ::stride].max((4, 5))


def linear(x: Any, state: State, name: str) -> Any:
    return x @ state[f"{name}.weight"].astype("f8").T + state[f"{name}.bias"]


def vgg19(x: Any, state: State) -> Any:
    layers = "CCPCCPCCCCPCCCCPCCCCP"
    place = 0
    for layer in layers:
        if layer == "P":
            x, place = pool(x), place + 1
        else:
            x = relu(conv(x, state[f"features.{place}.weight"], state[f"features.{place}.bias"]))
            place += 2
    x = relu(linear(x.reshape(len(x), -1), state, "classifier.0"))
    return linear(relu(linear(x, state, "classifier.3")), state, "classifier.6")


def unit(x: Any, state: State, name: str, stride: int = 1) -> Any:
    return leaky(norm(conv(x, state[f"{name}.conv.weight"], stride=stride), state, f"{name}.norm"))


def darknet19(x: Any, state: State) -> Any:
    for place, layer in enumerate("CPCPCCCPCCCPCCCCCPCCCCC"):
        x = pool(x) if layer == "P" else unit(x, state, f"layers.{place}")
    return conv(x, state["classifier.weight"], state["classifier.bias"]).mean((2, 3))


def darknet53(x: Any, state: State) -> Any:
    x = unit(x, state, "stem")
    for stage, count in enumerate((1, 2, 8, 8, 4)):
        x = unit(x, state, f"stages.{stage}.down", 2)
        for block in range(count):
            name = f"stages.{stage}.blocks.{block}"
            x = x + unit(unit(x, state, f"{name}.reduce"), state, f"{name}.expand")
    return linear(x.mean((2, 3)), state, "fc")


def resnet50(
    x: Any, state: State, *, groups: int = 1, counts: tuple[int, ...] = (3, 4, 6, 3), training: bool = False
) -> Any:
    def step(x: Any, name: str, batch_norm: str, **more: Any) -> Any:
        return norm(conv(x, state[f"{name}.weight"], **more), state, batch_norm, training=training)

    x = pool(relu(step(x, "conv1", "bn1", stride=2)), 3, 2, 1)
    for layer, count in enumerate(counts, 1):
        for block in range(count):
            name, stride = f"layer{layer}.{block}", 2 if layer > 1 and block == 0 else 1
            y = relu(step(x, f"{name}.conv1", f"{name}.bn1"))
            y = relu(step(y, f"{name}.conv2", f"{name}.bn2", stride=stride, groups=groups))
            y = step(y, f"{name}.conv3", f"{name}.bn3")
            if block == 0:
                x = step(x, f"{name}.downsample.0", f"{name}.downsample.1", stride=stride)
            x = relu(x + y)
    return linear(x.mean((2, 3)), state, "fc")


def resnext50(x: Any, state: State) -> Any:
    return resnet50(x, state, groups=32)


def cross_entropy(scores: Any, labels: Any) -> float:
    shifted = scores - scores.max(1, keepdims=True)
    logarithms = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
    return float(-logarithms[np.arange(len(labels)), labels].mean())
