"""Operations as stored decisions name them, and the public functions that lead to each."""

from __future__ import annotations

from collections.abc import Collection

from cudnnkit.errors import ArgumentError

__all__ = ["FUNCTIONS", "stored_name"]

FUNCTIONS = {
    "conv_forward": ("conv", "conv1d", "conv2d", "conv3d"),
    "conv_dgrad": ("conv_data_gradient", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"),
    "conv_wgrad": ("conv_filter_gradient",),
    "conv_bias_grad": ("conv_bias_gradient",),
    "linear_forward": ("linear",),
    "linear_dgrad": ("linear_data_gradient",),
    "linear_wgrad": ("linear_filter_gradient",),
    "linear_bias_grad": ("linear_bias_gradient",),
    "pool_forward": ("max_pool", "avg_pool", "global_max_pool", "global_avg_pool"),
    "pool_backward": ("max_pool_backward", "avg_pool_backward", "global_avg_pool_backward"),
    "softmax_forward": ("softmax", "log_softmax"),
    "softmax_backward": ("softmax_backward", "log_softmax_backward"),
    "batch_norm_inference": ("batch_norm",),
    "batch_norm_training": ("batch_norm_training",),
    "batch_norm_backward": ("batch_norm_backward",),
    "epilogue": (
        "bias_add", "activation", "relu", "relu6", "clipped_relu", "leaky_relu", "elu", "sigmoid", "tanh", "gelu",
        "silu", "swish", "softplus",
    ),
    "activation_backward": ("activation_backward",),
}  # fmt: skip
"""Functions by the name that their decisions are stored under."""


def stored_name(name: str, present: Collection[str]) -> str:
    """The stored name that a user means by one of its own or of a function; `present` are names in a file.

    Raises
    ------
    ArgumentError
        There is no such operation.
    """
    if name in FUNCTIONS or name in present:
        return name
    for stored, functions in FUNCTIONS.items():
        if name in functions:
            return stored
    names = ", ".join(sorted({*FUNCTIONS, *present}))
    raise ArgumentError("operation", name, f"no decision is of that; there are {names}, and functions such as conv2d")
