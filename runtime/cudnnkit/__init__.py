"""Fast, checked deep learning primitives on the GPU over both of cuDNN's APIs.

Importing this package loads neither an array library nor sqlite3; they come with the first call that needs them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cudnnkit.errors import (
    ArgumentError,
    ArgumentTypeError,
    CacheError,
    CudnnKitError,
    MissingPackageError,
    OutOfMemoryError,
    UnsupportedError,
)
from cudnnkit.policy import Policy, get_policy, set_policy, use_policy

if TYPE_CHECKING:
    from cudnnkit import workspace
    from cudnnkit.driver import DriverError
    from cudnnkit.library import LibraryError, info
    from cudnnkit.network import tune_network
    from cudnnkit.ops.activation import (
        activation,
        activation_backward,
        clipped_relu,
        elu,
        gelu,
        leaky_relu,
        relu,
        relu6,
        sigmoid,
        silu,
        softplus,
        swish,
        tanh,
    )
    from cudnnkit.ops.batch_norm import (
        BatchNorm,
        BatchNormGradients,
        batch_norm,
        batch_norm_backward,
        batch_norm_training,
    )
    from cudnnkit.ops.bias import bias_add
    from cudnnkit.ops.conv import conv, conv1d, conv2d, conv3d
    from cudnnkit.ops.conv_gradients import conv_bias_gradient, conv_data_gradient, conv_filter_gradient
    from cudnnkit.ops.conv_transpose import conv_transpose1d, conv_transpose2d, conv_transpose3d
    from cudnnkit.ops.fold import fold_batch_norm
    from cudnnkit.ops.linear import (
        linear,
        linear_bias_gradient,
        linear_data_gradient,
        linear_filter_gradient,
    )
    from cudnnkit.ops.pooling import (
        avg_pool,
        avg_pool_backward,
        global_avg_pool,
        global_avg_pool_backward,
        global_max_pool,
        max_pool,
        max_pool_backward,
    )
    from cudnnkit.ops.softmax import log_softmax, log_softmax_backward, softmax, softmax_backward
    from cudnnkit.plans import Explanation, Plan, explain, pin, plan, unpin
    from cudnnkit.recording import Captured, CaptureError, RecordingReport, capture
    from cudnnkit.settings import counters, set_cache
    from cudnnkit.warm import WarmUp, warm_up

_HOMES = {
    "driver": ("DriverError",),
    "library": ("LibraryError", "info"),
    "network": ("tune_network",),
    "ops.activation": (
        "activation", "activation_backward", "clipped_relu", "elu", "gelu", "leaky_relu", "relu", "relu6", "sigmoid",
        "silu", "softplus", "swish", "tanh",
    ),
    "ops.batch_norm": ("BatchNorm", "BatchNormGradients", "batch_norm", "batch_norm_backward", "batch_norm_training"),
    "ops.bias": ("bias_add",),
    "ops.conv": ("conv", "conv1d", "conv2d", "conv3d"),
    "ops.conv_gradients": ("conv_bias_gradient", "conv_data_gradient", "conv_filter_gradient"),
    "ops.conv_transpose": ("conv_transpose1d", "conv_transpose2d", "conv_transpose3d"),
    "ops.fold": ("fold_batch_norm",),
    "ops.linear": ("linear", "linear_bias_gradient", "linear_data_gradient", "linear_filter_gradient"),
    "ops.pooling": (
        "avg_pool", "avg_pool_backward", "global_avg_pool", "global_avg_pool_backward", "global_max_pool", "max_pool",
        "max_pool_backward",
    ),
    "ops.softmax": ("log_softmax", "log_softmax_backward", "softmax", "softmax_backward"),
    "plans": ("Explanation", "Plan", "explain", "pin", "plan", "unpin"),
    "recording": ("CaptureError", "Captured", "RecordingReport", "capture"),
    "settings": ("counters", "set_cache"),
    "warm": ("WarmUp", "warm_up"),
}  # fmt: skip
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is not None:
        found = getattr(import_module(f"cudnnkit.{home}"), name)
        globals()[name] = found
        return found
    if name in ("workspace", "testing"):
        return import_module(f"cudnnkit.{name}")
    if name == "__version__":
        return _version()
    base, axes = name[:-2], name[-2:]
    way = f"; {base} takes 1 to 3 spatial axes" if axes in ("1d", "2d", "3d") and base in __all__ else ""
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{way}")


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("cudnnkit")
    except PackageNotFoundError:  # a copy of the sources on the path
        return "unknown"


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "ArgumentError",
    "ArgumentTypeError",
    "BatchNorm",
    "BatchNormGradients",
    "CacheError",
    "CaptureError",
    "Captured",
    "CudnnKitError",
    "DriverError",
    "Explanation",
    "LibraryError",
    "MissingPackageError",
    "OutOfMemoryError",
    "Plan",
    "Policy",
    "RecordingReport",
    "UnsupportedError",
    "WarmUp",
    "activation",
    "activation_backward",
    "avg_pool",
    "avg_pool_backward",
    "batch_norm",
    "batch_norm_backward",
    "batch_norm_training",
    "bias_add",
    "capture",
    "clipped_relu",
    "conv",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_bias_gradient",
    "conv_data_gradient",
    "conv_filter_gradient",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "counters",
    "elu",
    "explain",
    "fold_batch_norm",
    "gelu",
    "get_policy",
    "global_avg_pool",
    "global_avg_pool_backward",
    "global_max_pool",
    "info",
    "leaky_relu",
    "linear",
    "linear_bias_gradient",
    "linear_data_gradient",
    "linear_filter_gradient",
    "log_softmax",
    "log_softmax_backward",
    "max_pool",
    "max_pool_backward",
    "pin",
    "plan",
    "relu",
    "relu6",
    "set_cache",
    "set_policy",
    "sigmoid",
    "silu",
    "softmax",
    "softmax_backward",
    "softplus",
    "swish",
    "tanh",
    "tune_network",
    "unpin",
    "use_policy",
    "warm_up",
    "workspace",
]
