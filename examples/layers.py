"""Layers: they own their weights, transformed once, and call one operation each."""

from __future__ import annotations

from typing import Any, TypeAlias

import cudnnkit as ck

from examples.weights import Weights

__all__ = ["Activation", "Conv", "Linear", "rows"]

Activation: TypeAlias = str | tuple[str, float] | None


class Conv:
    """A convolution with whatever follows it: batch normalisation (folded into its weights), residual, activation.

    Parameters
    ----------
    weights
        Where its weights come from, under `name`.
    inputs, outputs
        Channels.
    window
        Size of the square window; the padding keeps the image's size at stride 1.
    norm
        The name of the batch normalisation behind it. Without one it has a bias of its own.
    residual_after
        A residual is added behind the activation, not before it.
    """

    def __init__(
        self,
        weights: Weights,
        name: str,
        inputs: int,
        outputs: int,
        window: int,
        *,
        stride: int = 1,
        groups: int = 1,
        norm: str | None = None,
        activation: Activation = None,
        residual_after: bool = False,
    ) -> None:
        shape = (outputs, inputs // groups, window, window)
        if norm is not None:
            w, bias = weights.folded(name, shape, norm)
        else:
            w, bias = weights.filters(name, shape), weights.bias(name, outputs, shape[1] * window**2)
        self.w, self.bias = weights.arrays.put(w), weights.arrays.put(bias)
        self.padding, self.stride, self.groups = window // 2, stride, groups
        self.activation, self.residual_after = activation, residual_after

    def __call__(self, x: Any, residual: Any = None) -> Any:
        """``activation(convolution(x) + bias + residual)``, or the residual last, in one call.

        The result takes the residual's place: nobody reads it afterwards, and it is as large as anything here.
        """
        return ck.conv2d(
            x, self.w, self.bias, padding=self.padding, stride=self.stride, groups=self.groups, residual=residual,
            residual_after=self.residual_after, activation=self.activation, out=residual,
        )  # fmt: skip


class Linear:
    """A fully connected layer.

    Parameters
    ----------
    weights
        Where its weights come from, under `name`.
    inputs, outputs
        Channels.
    image
        The size of the image (C, H, W) whose :func:`rows` are its inputs. Its weight belongs to rows in torch's order
        (C, H, W) and is reordered, once, to that of an image in NHWC.
    """

    def __init__(
        self,
        weights: Weights,
        name: str,
        inputs: int,
        outputs: int,
        *,
        image: tuple[int, int, int] | None = None,
        activation: Activation = None,
    ) -> None:
        w, bias = weights.linear(name, outputs, inputs)
        w = weights.arrays.put(w if image is None else w.reshape((outputs, *image)))  # an image's filters become NHWC
        self.w = w if image is None else rows(w)
        self.bias, self.activation = weights.arrays.put(bias), activation

    def __call__(self, x: Any) -> Any:
        """(N, inputs) to (N, outputs)."""
        return ck.linear(x, self.w, self.bias, activation=self.activation)


def rows(x: Any) -> Any:
    """(N, C, H, W) as (N, H * W * C): without a copy where x is in NHWC. Any array library's."""
    return x.swapaxes(1, 2).swapaxes(2, 3).reshape((x.shape[0], -1))
