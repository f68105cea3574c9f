"""Where the user keeps caches, and whether they may be written; asking loads no database."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

__all__ = ["cache_folder", "is_read_only"]


def cache_folder(environment: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path:
    """Where the user keeps caches: ``CUDNNKIT_CACHE_DIR``, else the platform's place for them.

    Raises
    ------
    FileNotFoundError
        There is no such place: no home folder is known.
    """
    env = os.environ if environment is None else environment
    if env.get("CUDNNKIT_CACHE_DIR"):
        return Path(env["CUDNNKIT_CACHE_DIR"])
    if env.get("XDG_CACHE_HOME") and Path(env["XDG_CACHE_HOME"]).is_absolute():
        return Path(env["XDG_CACHE_HOME"]) / "cudnnkit"
    try:
        home = Path(env.get("HOME") or Path.home())
    except RuntimeError:  # HOME is unset, and the system does not know the user
        raise FileNotFoundError("no home folder is known; set CUDNNKIT_CACHE_DIR to a folder") from None
    if platform == "win32":
        return Path(env.get("LOCALAPPDATA") or home / "AppData" / "Local") / "cudnnkit" / "Cache"
    return (home / "Library" / "Caches" if platform == "darwin" else home / ".cache") / "cudnnkit"


def is_read_only() -> bool:
    """Whether ``CUDNNKIT_CACHE_READ_ONLY`` says that nothing is written there: any text but an empty one and 0."""
    return os.environ.get("CUDNNKIT_CACHE_READ_ONLY", "0") not in ("", "0")
