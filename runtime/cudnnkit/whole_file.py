"""A text written to a place that the user named: in one step where it is a file, straight in where it is not."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import sys
from pathlib import Path

__all__ = ["write_whole"]

_MOST_LINKS = 40
"""What Linux follows."""


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old one or the new one, never a part.

    A link stays one, and what it leads to is written; a file that is there keeps its permissions. A pipe, a terminal
    or another device is written into, and so is what is open already, such as /dev/stdout.

    Raises
    ------
    OSError
        It cannot be written; a file that was there is as it was.
    """
    descriptor = _descriptor(path)
    if descriptor is not None:
        sys.stdout.flush()
        with os.fdopen(os.dup(descriptor), "w", encoding="utf-8") as stream:
            stream.write(text)
        return
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
        return
    place = Path(os.path.realpath(path))
    beside = place.with_name(f".cudnnkit-{secrets.token_hex(8)}")
    try:
        with beside.open("x", encoding="utf-8") as stream:  # with the permissions that the umask leaves
            stream.write(text)
        if place.exists():
            beside.chmod(stat.S_IMODE(place.stat().st_mode))
        os.replace(beside, place)
    except OSError as error:  # which names the file beside it
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()


def _descriptor(path: Path) -> int | None:
    """The open file that a path stands for, as /dev/stdout, /dev/fd/3 and links to them do; it may append."""
    place = path.absolute()
    for _ in range(_MOST_LINKS):
        if place.name.isdigit() and os.path.realpath(place.parent) in ("/dev/fd", f"/proc/{os.getpid()}/fd"):
            return int(place.name)
        if not place.is_symlink():
            break
        place = place.parent / place.readlink()
    return None
