"""The SQLite file of decisions, opened: whose it is and of which schema, and prepared where it is new."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

__all__ = ["COLUMNS", "MAGIC", "SCHEMA_VERSION", "ForeignError", "NewerError", "healthy", "is_foreign", "open_file"]

SCHEMA_VERSION = 1
APPLICATION_ID = 0x63646B74  # "cdkt"
MAGIC = b"SQLite format 3\0"
_ID_END = 72
"""Bytes of the header up to the end of the application id (https://www.sqlite.org/fileformat.html)."""
COLUMNS = "problem, decision, level, seconds, device, cudnn, driver, created, report"
_BUSY_MS = 250
_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS decisions (
    problem TEXT PRIMARY KEY, decision TEXT NOT NULL, level INTEGER NOT NULL, seconds REAL, device TEXT NOT NULL,
    cudnn TEXT NOT NULL, driver TEXT NOT NULL, created REAL NOT NULL, report TEXT
) WITHOUT ROWID;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
COMMIT;
"""


class ForeignError(Exception):
    """The file is a database, but not ours."""


class NewerError(Exception):
    """The file is ours, of a schema that this version does not know."""


def is_foreign(path: Path) -> bool:
    """Whether there is a file with content that is no cache file of ours, by the id in SQLite's header.

    False also for what cannot be looked at: opening it tells why.
    """
    try:
        if not path.is_file():
            return False
        with path.open("rb") as stream:
            head = stream.read(_ID_END)
    except OSError:
        return False
    return head != b"" and not (head.startswith(MAGIC) and head[_ID_END - 4 :] == APPLICATION_ID.to_bytes(4, "big"))


def open_file(path: Path, *, read_only: bool) -> sqlite3.Connection | None:
    """A connection that every thread may use; None for a missing file that is only to be read.

    Raises
    ------
    ForeignError, NewerError
        Whose the file is instead.
    sqlite3.Error, OSError
        It is damaged, locked, or cannot be opened or made.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):
        # Opening a pipe would wait for its other end, and a device must not be set aside.
        raise sqlite3.OperationalError("is a pipe or a device, not a file")
    if read_only:
        if not path.exists():
            return None
        target = f"{path.absolute().as_uri()}?mode=ro"
        if not os.access(path.parent, os.W_OK) and not Path(f"{path}-wal").exists():
            target += "&immutable=1"  # WAL needs a file beside it, which cannot be made here
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        target = path.absolute().as_uri()
    db = sqlite3.connect(target, uri=True, timeout=_BUSY_MS / 1000, check_same_thread=False)
    try:
        _check(db, read_only)
    except BaseException:
        db.close()
        raise
    return db


def _check(db: sqlite3.Connection, read_only: bool) -> None:
    """See whose file it is, and prepare a new one."""
    db.execute("BEGIN")  # one view of all three, while another process may be preparing the file
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    columns = {name for _, name, *_ in db.execute("PRAGMA table_info(decisions)")}
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    db.rollback()
    if application != APPLICATION_ID and (tables or version):
        raise ForeignError("belongs to another program")
    if version > SCHEMA_VERSION:
        raise NewerError
    if columns and not columns.issuperset(COLUMNS.split(", ")):
        raise ForeignError("has a table of another form")
    if read_only:
        if not columns:
            raise sqlite3.OperationalError("holds no decisions yet")
        return
    if not columns:
        db.executescript(_SCHEMA)
    with contextlib.suppress(sqlite3.OperationalError):  # some file systems have no shared memory
        db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")


def healthy(path: Path) -> bool:
    """Whether a file is ours and undamaged, or cannot be looked at now."""
    try:
        db = open_file(path, read_only=False)
        if db is None:
            return True
        with contextlib.closing(db):
            return bool(db.execute("PRAGMA quick_check").fetchone() == ("ok",))
    except (sqlite3.OperationalError, NewerError, OSError):
        return True
    except (sqlite3.DatabaseError, ForeignError):
        return False
