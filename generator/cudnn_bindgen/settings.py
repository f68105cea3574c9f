"""What the generator knows of cuDNN before it has read a header: ``data/cudnn.json``."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path

from cudnn_bindgen.errors import DataFileError

__all__ = ["CudnnSettings", "cudnn_settings"]

_FILE = Path(__file__).parent / "data" / "cudnn.json"


@dataclass(frozen=True, slots=True)
class CudnnSettings:
    """The contents of ``data/cudnn.json``.

    Attributes
    ----------
    defines
        Macros defined for every header, as ``NAME VALUE``.
    version_macros
        The macros that hold major, minor and patch number.
    version_number_macro
        The macro that holds all three in one number.
    """

    defines: tuple[str, ...]
    version_macros: tuple[str, str, str]
    version_number_macro: str


@functools.lru_cache(maxsize=1)
def cudnn_settings() -> CudnnSettings:
    """Read ``data/cudnn.json``.

    Raises
    ------
    DataFileError
        The file is damaged.
    """
    try:
        data = json.loads(_FILE.read_text(encoding="utf-8"))
        major, minor, patch = data["version_macros"]
        return CudnnSettings(tuple(data["defines"]), (major, minor, patch), data["version_number_macro"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataFileError(f"{_FILE.name} is damaged ({error}); install the package again") from error
