# Written by `cudnn-bindgen render` from the headers of cuDNN 8 and 9; do not edit.
"""Names for what cffi hands around: it has no types of its own that a checker could tell apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

__all__ = ["FFI", "Arguments", "CData", "CLibrary", "VersionParts"]

CData: TypeAlias = Any
FFI: TypeAlias = Any
CLibrary: TypeAlias = Any
Arguments: TypeAlias = Mapping[str, object]
VersionParts: TypeAlias = tuple[int, int, int]
