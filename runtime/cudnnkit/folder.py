"""Where the user keeps caches; a module of its own, so that asking loads no database."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

__all__ = ["cache_folder"]


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
