"""The files that cache commands work on: cache files (SQLite) and tuning documents (JSON), told apart by content."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cudnnkit.cli.output import collected_warnings, no_json, read_text, warn
from cudnnkit.errors import CacheError

if TYPE_CHECKING:
    from cudnnkit.store import Record, Store

__all__ = ["check_ours", "default_path", "is_cache_file", "read_records", "writable"]

_ON = "; going on without"
"""What the runtime does, and a command does not."""


def default_path() -> Path:
    """The user's own cache file.

    Raises
    ------
    CacheError
        Its folder is a file, cannot be made, or is not known.
    """
    from cudnnkit.folder import cache_folder
    from cudnnkit.store import FILE_NAME

    try:
        folder = cache_folder()
    except FileNotFoundError as error:
        raise CacheError(f"the cache folder: {error}") from None
    there = next(one for one in (folder, *folder.absolute().parents) if os.path.lexists(one))
    if not there.is_dir():
        reason = f"{there} is no folder"
    elif there != folder and not os.access(there, os.W_OK | os.X_OK):
        reason = f"it cannot be made in {there}"
    else:
        return folder / FILE_NAME
    if os.environ.get("CUDNNKIT_CACHE_DIR"):
        raise CacheError(f"CUDNNKIT_CACHE_DIR={folder}: {reason}; set it to a folder, or unset it")
    raise CacheError(f"the cache folder {folder}: {reason}; set CUDNNKIT_CACHE_DIR to another folder")


def is_cache_file(path: Path) -> bool:
    """Whether the file is a database; a tuning document is text, and so is what comes through a pipe.

    Raises
    ------
    CacheError
        It is missing.
    OSError
        It cannot be read.
    """
    from cudnnkit.store_file import MAGIC

    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            return False  # what was read of a pipe to see that could not be read again
        with path.open("rb") as stream:
            return stream.read(len(MAGIC)) == MAGIC
    except FileNotFoundError as error:
        raise CacheError(f"{path}: {error.strerror}; `cache export --out FILE` writes such a file") from None


def read_records(path: Path) -> list[Record]:
    """The records of a cache file or a tuning document, which is only read.

    Raises
    ------
    CacheError
        It is missing, neither of the two, damaged, or of a newer version.
    OSError
        It cannot be read.
    """
    if not is_cache_file(path):
        return _read_document(path)
    from cudnnkit.store import Store

    with collected_warnings() as notes, contextlib.closing(Store(path, read_only=True)) as store:
        records = list(store.records())
    if notes and not records:
        raise CacheError(notes[0].removesuffix(_ON))
    _show(notes)
    return records


def _read_document(path: Path) -> list[Record]:
    from cudnnkit import exchange

    try:
        document = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        hint = "`cache export` writes one"
        raise CacheError(f"{path} is neither a cache file nor a tuning document: {no_json(error)}; {hint}") from None
    return exchange.read(document, name=str(path))


def check_ours(path: Path) -> None:
    """See that a file that the user names for decisions is ours, is empty, or is not there yet.

    Raises
    ------
    CacheError
        It belongs to someone else.
    """
    from cudnnkit.store_file import is_foreign

    if is_foreign(path):
        raise CacheError(f"{path} is no cache file, and is left as it is; name one that is, or that is not there yet")


@contextlib.contextmanager
def writable(path: Path, *, named: bool, tried: bool = False) -> Iterator[Store]:
    """A cache file to write into, made if it is missing; what could not be written is an error.

    Parameters
    ----------
    path
        The file.
    named
        The user named it: what is no cache file stays, where the user's own, in the cache folder, is set aside.
    tried
        See first whether it takes anything, for a caller who may have nothing to write.

    Raises
    ------
    CacheError
        Something was not written.
    """
    from cudnnkit.store import Store

    if named:
        check_ours(path)
    with collected_warnings() as notes, contextlib.closing(Store(path if named else None)) as store:
        useless = tried and not store.takes_rows()
        if not useless:
            yield store
        dropped = store.dropped
    if dropped:
        told = notes[-1].removesuffix(_ON) if notes else f"{path} could not be written"
        raise CacheError(f"{told}; {'it takes no decisions' if useless else 'not everything was stored'}")
    _show(notes)


def _show(notes: list[str]) -> None:
    for note in notes:
        warn(note)
