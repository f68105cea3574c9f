# Written by `cudnn-bindgen render` from the headers of cuDNN 8 and 9; do not edit.
"""Modules that are imported when the first of their names is used."""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["LazyModule"]


class LazyModule:
    """Stands for a module until one of its names is asked for, and keeps what was asked for.

    Parameters
    ----------
    name
        The module's name, relative to `package`.
    package
        The package of the module that uses it.
    """

    def __init__(self, name: str, package: str | None) -> None:
        self._name = name
        self._package = package

    def __getattr__(self, name: str) -> Any:
        value = getattr(importlib.import_module(self._name, self._package), name)
        # Found in the instance from now on, without coming here.
        self.__dict__[name] = value
        return value
