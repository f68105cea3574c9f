"""The process's tuning cache as users set it: which file, read-only or not, how large, how many searches."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from cudnnkit.errors import ArgumentError, ArgumentTypeError

if TYPE_CHECKING:
    from cudnnkit.cache import Counters

__all__ = ["counters", "set_cache"]


def set_cache(
    path: str | os.PathLike[str] | None = None,
    *,
    read_only: bool = False,
    entries: int | None = None,
    nbytes: int | None = None,
    searches: int | None = None,
    search_seconds: float | None = None,
) -> None:
    """Say where tuning decisions are kept, and how much of them; what was decided in memory is forgotten.

    Parameters
    ----------
    path
        The SQLite file; None for the one in the user's cache folder (``CUDNNKIT_CACHE_DIR`` moves the folder).
    read_only
        Never write, for deployment: decisions come from the file, new ones live in this process only. The environment
        variable ``CUDNNKIT_CACHE_READ_ONLY=1`` does the same for the default file.
    entries, nbytes
        Bounds of the decisions in memory, in number and in estimated bytes; the one asked for longest ago goes first.
    searches, search_seconds
        How many searches this process may make, and how many seconds they may take together; past either the heuristic
        answers. With ever-changing shapes it is the searching that costs. ``searches=0``: never search.

    Raises
    ------
    ArgumentError
        A bound is negative, or the path is a folder or another program's file.
    ArgumentTypeError
        A bound is no number.
    """
    from cudnnkit.cache import Limits
    from cudnnkit.store import Store
    from cudnnkit.tuner import Tuner, set_tuner, tuner

    bounds = {"entries": entries, "nbytes": nbytes, "searches": searches, "search_seconds": search_seconds}
    for name, value in bounds.items():
        if value is None:
            continue
        whole = name != "search_seconds"
        if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
            raise ArgumentTypeError(name, value, f"must be a {'whole ' if whole else ''}number, or None for no bound")
        if not value >= 0:
            raise ArgumentError(name, value, "must be 0 or more, or None for no bound")
    if not isinstance(read_only, bool):
        raise ArgumentTypeError("read_only", read_only, "must be True or False")
    store = Store(None if path is None else _file(path), read_only=read_only)
    set_tuner(Tuner(tuner().backend, store, Limits(entries, nbytes, searches, search_seconds)))


def _file(path: str | os.PathLike[str]) -> Path:
    from cudnnkit.store_file import is_foreign

    try:
        text = os.fspath(path)
    except TypeError:
        text = None
    if not isinstance(text, str):
        raise ArgumentTypeError("path", path, "must be a path, or None for the file in the user's cache folder")
    if "\0" in text or not text:
        raise ArgumentError("path", text, "names no file")
    found = Path(text)
    if found.is_dir():
        raise ArgumentError("path", text, "is a folder; name a file in it, such as tuning.sqlite")
    if is_foreign(found):
        raise ArgumentError("path", text, "is no cache file; name one that is, or that is not there yet")
    return found


def counters() -> Counters:
    """Hits, misses, searches and their seconds since the cache was made; plans that a thread kept count nowhere.

    Returns
    -------
    Counters
        Fields ``hits``, ``misses``, ``disk_hits``, ``waits``, ``searches``, ``search_seconds``, ``heuristics``,
        ``evictions`` and ``rejected``; a copy, which later calls do not change. All are 0 before the first call.
    """
    from cudnnkit.tuner import tuner

    return tuner().counters
