"""What commands print, write and read: tables, JSON, warnings, whole files."""

from __future__ import annotations

import contextlib
import json
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from cudnnkit.errors import CacheError
from cudnnkit.whole_file import write_whole

__all__ = [
    "check_place",
    "collected_warnings",
    "no_json",
    "one_line",
    "print_json",
    "print_table",
    "read_stream",
    "read_text",
    "warn",
    "write_file",
]

LONGEST = 256 << 20
"""Characters of a document; a decision with its report takes some 100,000."""


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print `rows`: by ``rich`` on a terminal where it is installed; a pipe gets one line a row, uncut."""
    if sys.stdout.isatty():
        try:
            from rich.console import Console
            from rich.table import Table
            from rich.text import Text
        except ModuleNotFoundError:
            pass
        else:
            table = Table(*columns, box=None, pad_edge=False, header_style="bold")
            for row in rows:
                table.add_row(*(Text(cell, overflow="fold") for cell in row))
            Console().print(table)
            return
    listed = [columns, *rows]
    widths = [max(len(row[place]) for row in listed) for place in range(len(columns))]
    for row in listed:
        print("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())


def no_json(error: Exception) -> str:
    """Why a text is no JSON, in plain words."""
    if isinstance(error, UnicodeDecodeError):
        return f"it is no UTF-8 text ({error.reason} at byte {error.start})"
    if isinstance(error, json.JSONDecodeError):
        return f"it is no JSON (line {error.lineno}, column {error.colno}: {error.msg})"
    return "it is no JSON (nested too deeply)" if isinstance(error, RecursionError) else f"it is no JSON ({error})"


def one_line(error: Exception) -> str:
    """The first line of what an error says, after its kind where that says more."""
    kind = "" if isinstance(error, ValueError | MemoryError) else f"{type(error).__name__}: "
    return kind + (str(error).splitlines() or ["no reason given"])[0]


def print_json(data: Any) -> None:
    """Print plain data as JSON."""
    print(json.dumps(data, indent=1))


def warn(message: str, kind: str = "warning") -> None:
    """One line on standard error."""
    print(f"cudnnkit: {kind}: {message}", file=sys.stderr)


@contextlib.contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """What the runtime logs during a block, in a list instead of on standard error."""
    import logging

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            notes.append(record.getMessage())

    notes: list[str] = []
    logger, handler = logging.getLogger("cudnnkit"), Handler(logging.WARNING)
    before, logger.propagate = logger.propagate, False
    logger.addHandler(handler)
    try:
        yield notes
    finally:
        logger.removeHandler(handler)
        logger.propagate = before


def check_place(path: Path) -> None:
    """Whether the folder that a file is to be written into is there; a mistyped path makes no new folders.

    Raises
    ------
    CacheError
        It is missing.
    """
    if not os.path.lexists(path.parent):
        raise CacheError(f"cannot write {path}: there is no folder {path.parent}; make it, or choose another place")


def write_file(path: Path, text: str) -> None:
    """Write `path` as :func:`cudnnkit.whole_file.write_whole` does. Its folder must be there."""
    check_place(path)
    write_whole(path, text)


def read_text(path: Path) -> str:
    """The text of a file or a pipe.

    Raises
    ------
    CacheError
        It is a device, which may never end (a terminal is none of these), or longer than any document.
    OSError, UnicodeDecodeError
        It cannot be read; it is no UTF-8.
    """
    with path.open(encoding="utf-8") as stream:
        kind = os.fstat(stream.fileno()).st_mode
        if (stat.S_ISCHR(kind) or stat.S_ISBLK(kind)) and not stream.isatty():
            raise CacheError(f"{path} is a device, not a file; name a file or a pipe")
        return read_stream(stream, str(path))


def read_stream(stream: TextIO, name: str) -> str:
    """The text of a stream, which is named in an error.

    Raises
    ------
    CacheError
        It is longer than any document, as what never ends.
    UnicodeDecodeError
        It is no UTF-8.
    """
    text = stream.read(LONGEST + 1)
    if len(text) > LONGEST:
        raise CacheError(f"{name} holds more than {LONGEST >> 20} million characters, which is no document")
    return text
