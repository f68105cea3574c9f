# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Bindings of cuDNN 8: versions 8.5.0 to 8.9.7."""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

from . import constants, descriptors, enums, errors, tables
from .library import Library

if TYPE_CHECKING:
    from . import structs

__all__ = ["Library", "constants", "descriptors", "enums", "errors", "load", "structs", "tables"]


def load(path: str | os.PathLike[str] | None = None) -> Library:
    """Load a cuDNN 8; the search and the errors are those of the package's own ``load``."""
    from .._support.loading import load as load_library

    library: Library = load_library({8: __name__}, path)
    return library


def __getattr__(name: str) -> Any:
    # Dataclasses take their time to be made; many programs need none.
    if name == "structs":
        return importlib.import_module(".structs", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
