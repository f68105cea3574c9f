# Written by `cudnn-bindgen render` from the headers of cuDNN 8 and 9; do not edit.
"""The whole of cuDNN from Python.

``load()`` finds a cuDNN library and answers an object with all its functions as methods, named in snake case without
the prefix; ``report()`` tells what would be loaded. Nothing is imported or loaded before.
"""

from __future__ import annotations

import os

from ._support.errors import (
    ArgumentError,
    CudnnFfiError,
    DescriptorClosedError,
    LibraryError,
    LibraryLoadError,
    LibraryMixedError,
    LibraryNotFoundError,
    LibraryVersionError,
    StatusError,
    SymbolNotAvailableError,
)

# Checkers take this name for true; importing it from `typing` would cost half of the import's time.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._support.report import Report
    from .v8 import Library as Library8
    from .v9 import Library as Library9

__all__ = [
    "LINES",
    "ArgumentError",
    "CudnnFfiError",
    "DescriptorClosedError",
    "LibraryError",
    "LibraryLoadError",
    "LibraryMixedError",
    "LibraryNotFoundError",
    "LibraryVersionError",
    "StatusError",
    "SymbolNotAvailableError",
    "load",
    "report",
]

# Major version -> the package that binds it.
LINES: dict[int, str] = {
    8: f"{__name__}.v8",
    9: f"{__name__}.v9",
}


def load(path: str | os.PathLike[str] | None = None) -> Library8 | Library9:
    """Load a cuDNN library.

    A program for one line calls the ``load`` of that line's package, such as ``v9.load()``: type checkers know then
    which library it is.

    Parameters
    ----------
    path
        The library file or a folder that holds it. By default: the environment variable ``CUDNN_FFI_LIBRARY``, an
        installed ``nvidia-cudnn-cu*`` wheel, then the system's libraries.

    Raises
    ------
    LibraryNotFoundError
        There is none.
    LibraryVersionError
        It is of a version that no line here covers.
    LibraryMixedError
        Its sub-libraries are of different versions.
    """
    from ._support.loading import load as load_library

    library: Library8 | Library9 = load_library(LINES, path)
    return library


def report(path: str | os.PathLike[str] | None = None) -> Report:
    """Tell which library would be loaded, its version, its sub-libraries and its functions; fails for nothing."""
    from ._support.report import report as report_library

    return report_library(LINES, path)
