"""Types of command-line arguments that several commands take."""

from __future__ import annotations

import argparse
from pathlib import Path

__all__ = ["path"]


def path(text: str) -> Path:
    """A path as a user writes it; ``~`` is the home folder also in ``--out=~/x``, which a shell leaves alone."""
    if not text:
        raise argparse.ArgumentTypeError("it is empty; name a file or folder")
    if "\0" in text:
        raise argparse.ArgumentTypeError("a path has no NUL character")
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise argparse.ArgumentTypeError(f"{text}: {str(error).lower().rstrip('.')}") from error
