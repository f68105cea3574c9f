"""Fast, checked deep learning primitives on the GPU over both of cuDNN's APIs.

Importing this package loads neither an array library nor sqlite3; they come with the first call that needs them.
"""

from __future__ import annotations

from cudnnkit.errors import (
    ArgumentError,
    ArgumentTypeError,
    CacheError,
    CudnnKitError,
    OutOfMemoryError,
    UnsupportedError,
)
from cudnnkit.policy import Policy, get_policy, set_policy, use_policy

__all__ = [
    "ArgumentError",
    "ArgumentTypeError",
    "CacheError",
    "CudnnKitError",
    "OutOfMemoryError",
    "Policy",
    "UnsupportedError",
    "get_policy",
    "set_policy",
    "use_policy",
]
