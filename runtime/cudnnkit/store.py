"""Decisions on disk: one SQLite file in the user's cache folder, shared by any number of processes.

Nothing about the file ever stops a computation. A damaged or foreign file is set aside under another name, unless the
user named it and it is not ours; one of a newer schema is left alone and a file of our own is used beside it; a locked,
read-only or full disk costs what would have been written; each is logged once, to the logger ``cudnnkit``.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from cudnnkit.choice import Choice, Decision, decision_from_json, decision_to_json
from cudnnkit.errors import CacheError, shown
from cudnnkit.folder import cache_folder
from cudnnkit.problem import Problem
from cudnnkit.report import SearchReport
from cudnnkit.store_file import COLUMNS, SCHEMA_VERSION, ForeignError, NewerError, healthy, is_foreign, open_file
from cudnnkit.typed import check_plain

__all__ = ["FILE_NAME", "SCHEMA_VERSION", "Record", "Store", "report_from_json"]

T = TypeVar("T")

FILE_NAME = "tuning.sqlite"
_UNREADABLE = CacheError, TypeError, ValueError, OverflowError, RecursionError
"""What a damaged row raises while it is read."""

# A decision with more work behind it stays, whichever process writes last.
_PUT = f"""
INSERT INTO decisions ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (problem) DO UPDATE SET decision = excluded.decision, level = excluded.level, seconds = excluded.seconds,
    device = excluded.device, cudnn = excluded.cudnn, driver = excluded.driver, created = excluded.created,
    report = excluded.report
WHERE excluded.level >= decisions.level
"""


@dataclass(frozen=True)
class Record:
    """One row.

    Attributes
    ----------
    problem, decision
        The key and what was decided.
    created
        When, seconds since 1970.
    report
        How, as plain data; None when nobody searched.
    """

    problem: Problem
    decision: Decision
    created: float
    report: Mapping[str, Any] | None = None

    @property
    def seconds(self) -> float | None:
        """The measured time of the choice."""
        return self.decision.best.seconds if isinstance(self.decision, Choice) else None


class Store:
    """The file, opened when it is first needed and again after a fork.

    Parameters
    ----------
    path
        The file; the user's own unless given.
    read_only
        Never write, for deployment; a file that is missing is an empty one.
    """

    def __init__(self, path: Path | None = None, *, read_only: bool = False) -> None:
        self._path, self._default = path, path is None
        self.read_only = read_only
        self._connection: sqlite3.Connection | None = None
        self._process = -1
        self._lock = threading.RLock()
        self._noted: set[str] = set()
        self._closed = False
        _stores.add(self)
        self.dropped = 0
        """How many writes were lost to a lock, a full disk or a file that cannot be written."""

    @property
    def path(self) -> Path:
        """The file in use.

        Raises
        ------
        FileNotFoundError
            It is the user's own, and no home folder is known.
        """
        if self._path is None:
            self._path = cache_folder() / FILE_NAME
        return self._path

    @property
    def named(self) -> Path | None:
        """The file that was asked for; None for the user's own."""
        return None if self._default else self._path

    # Rows ----------------------------------------------------------------------------------------------------------

    def get(self, problem: Problem) -> Decision | None:
        """The decision for a problem; None when there is none, or none that can be read."""
        row = self._try(
            lambda db: db.execute(
                "SELECT decision FROM decisions WHERE problem = ?", (problem.canonical(),)
            ).fetchone(),
            None,
        )
        try:
            return None if row is None else decision_from_json(json.loads(row[0]))
        except _UNREADABLE as error:
            self._note("row", f"a stored decision cannot be read and is passed over: {error}")
            return None

    def report(self, problem: Problem) -> Mapping[str, Any] | None:
        """How a stored decision came about, as plain data; None when nobody searched, or it cannot be read."""
        row = self._try(
            lambda db: db.execute("SELECT report FROM decisions WHERE problem = ?", (problem.canonical(),)).fetchone(),
            None,
        )
        try:
            return None if row is None or row[0] is None else report_from_json(json.loads(row[0]))
        except _UNREADABLE:
            return None

    def put(self, problem: Problem, decision: Decision, report: SearchReport | None = None) -> None:
        """Store a decision; one with more work behind it that is there already stays."""
        self.add(Record(problem, decision, time.time(), None if report is None else report.to_json()))

    def add(self, record: Record, *, replace: bool = False) -> bool:
        """Store a row as it is; whether that worked. `replace` drops what is there, however it came about."""
        problem = record.problem
        row = (
            problem.canonical(),
            json.dumps(decision_to_json(record.decision), sort_keys=True),
            record.decision.level,
            record.seconds,
            problem.device.name,
            problem.versions.cudnn,
            problem.versions.driver,
            record.created,
            None if record.report is None else json.dumps(record.report),
        )

        def write(db: sqlite3.Connection) -> bool:
            with db:
                if replace:
                    db.execute("DELETE FROM decisions WHERE problem = ?", row[:1])
                db.execute(_PUT, row)
            return True

        return self._write(write)

    def delete(self, problem: Problem) -> None:
        """Remove a row if it is there."""
        self.remove([problem])

    def remove(self, problems: list[Problem]) -> bool:
        """Remove rows in one step; whether that worked."""
        keys = [(problem.canonical(),) for problem in problems]

        def write(db: sqlite3.Connection) -> bool:
            with db:
                db.executemany("DELETE FROM decisions WHERE problem = ?", keys)
            return True

        return self._write(write)

    def takes_rows(self) -> bool:
        """Whether rows could be stored now; why not is logged."""

        def write(db: sqlite3.Connection) -> bool:
            db.execute("BEGIN IMMEDIATE")
            try:
                db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            finally:
                db.rollback()
            return True

        return self._write(write)

    def records(self) -> Iterator[Record]:
        """Every readable row, oldest first."""
        none: list[tuple[str, str, float, str | None]] = []
        rows = self._try(
            lambda db: db.execute(
                "SELECT problem, decision, created, report FROM decisions ORDER BY created, problem"
            ).fetchall(),
            none,
        )
        for row in rows:
            record = self._record(*row)
            if record is not None:
                yield record

    def _record(self, problem: str, decision: str, created: float, report: str | None) -> Record | None:
        try:
            key, found = Problem.from_json(json.loads(problem)), decision_from_json(json.loads(decision))
            made = float(created)
        except _UNREADABLE as error:
            self._note("row", f"a stored decision cannot be read and is passed over: {error}")
            return None
        try:
            return Record(key, found, made, None if report is None else report_from_json(json.loads(report)))
        except _UNREADABLE:
            return Record(key, found, made, None)  # how it came about is lost, not the decision

    def close(self) -> None:
        """Close the file. A closed store is empty and takes nothing."""
        with self._lock:
            self._closed = True
            self._disconnect()

    # The file ------------------------------------------------------------------------------------------------------

    def _write(self, work: Callable[[sqlite3.Connection], bool]) -> bool:
        if self.read_only or not self._try(work, False):
            self.dropped += 1
            return False
        return True

    def _try(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """`work` on the file; `otherwise` when that is impossible, with the reason logged once."""
        with self._lock:
            try:
                return self._once(work, otherwise)
            except (sqlite3.DatabaseError, ForeignError) as error:
                self._disconnect()
                if not self._set_aside(error):
                    return otherwise
            try:
                return self._once(work, otherwise)
            except (sqlite3.DatabaseError, ForeignError) as error:
                self._note("again", f"{error}; going on without")
                return otherwise

    def _once(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        try:
            db = self._connect()
            return otherwise if db is None else work(db)
        except sqlite3.OperationalError as error:  # locked, full, read-only, no such folder
            self._note(str(error), f"{error}; going on without")
        except FileExistsError:  # where the folder should be made stands a file
            self._note("os", f"{self.path.parent} is a file, not a folder; going on without")
        except OSError as error:
            self._note("os", f"{error.strerror or error}; going on without")
        except NewerError:
            self._note("newest", "was written by a newer cudnnkit; going on without")
        return otherwise

    def _connect(self) -> sqlite3.Connection | None:
        if self._closed:
            return None
        if self._connection is not None and self._process == os.getpid():
            return self._connection
        self._disconnect()
        try:
            self._connection = open_file(self.path, read_only=self.read_only)
        except sqlite3.OperationalError as error:
            if self.read_only or "locked" in str(error):
                raise
            # A folder that cannot be written may still be read.
            with contextlib.suppress(sqlite3.OperationalError):
                self._connection = open_file(self.path, read_only=True)
            if self._connection is None:
                raise
        except NewerError:
            # Another version's file, which that version still uses.
            mine = f".schema{SCHEMA_VERSION}"
            if self.path.stem.endswith(mine):
                raise
            beside = self.path.with_name(f"{self.path.stem}{mine}{self.path.suffix}")
            self._note("newer", f"was written by a newer cudnnkit; using {beside.name} beside it")
            self._path = beside
            self._connection = open_file(self.path, read_only=self.read_only)
        self._process = os.getpid()
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None and self._process != os.getpid():
            # Inherited through a fork: SQLite forbids using it here, and closing it too.
            _inherited.append(self._connection)
        elif self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
        self._connection = None

    def _set_aside(self, error: Exception) -> bool:
        """Rename a file that is damaged or not ours; whether there is now room for a new one."""
        if self.read_only:
            self._note("damaged", f"{error}; going on without")
            return False
        if not self._default and is_foreign(self.path):
            self._note("damaged", f"{error}; it is left as it is; going on without")
            return False
        with contextlib.ExitStack() as stack:
            _lock_file(stack, Path(f"{self.path}.lock"))
            if healthy(self.path):
                return True  # another process has done it meanwhile
            kind = "foreign" if isinstance(error, ForeignError) else "damaged"
            aside = self.path.with_name(f"{self.path.name}.{kind}-{time.time_ns()}")
            try:
                os.replace(self.path, aside)
                for tail in ("-wal", "-shm"):
                    if os.path.exists(f"{self.path}{tail}"):
                        os.replace(f"{self.path}{tail}", f"{aside}{tail}")
            except OSError as problem:
                self._note("aside", f"{error}, and cannot be set aside ({problem.strerror}); going on without")
                return False
            self._note(aside.name, f"{error}; set aside as {aside.name}")
            return True

    def _note(self, kind: str, text: str) -> None:
        if kind not in self._noted:
            self._noted.add(kind)
            import logging

            named = " (in CUDNNKIT_CACHE_DIR)" if self._default and os.environ.get("CUDNNKIT_CACHE_DIR") else ""
            place = "" if self._path is None else f" {self._path}"
            logging.getLogger("cudnnkit").warning("tuning cache%s%s: %s", place, named, text)


def report_from_json(data: Any) -> Mapping[str, Any] | None:
    """How a decision came about; None when nobody searched.

    Raises
    ------
    CacheError
        The data is no report, or nothing that can be stored.
    """
    if data is None:
        return None
    if not isinstance(data, dict):
        raise CacheError(f"a report must be an object, not {shown(data)}")
    try:
        check_plain(data)
    except (RecursionError, ValueError) as error:
        raise CacheError(f"a report is damaged: {error}") from error
    return data


def _lock_file(stack: contextlib.ExitStack, path: Path) -> None:
    """Keep other processes from setting the same file aside, where the system can."""
    with contextlib.suppress(ImportError, OSError):
        import fcntl

        fcntl.flock(stack.enter_context(path.open("w")), fcntl.LOCK_EX)


_inherited: list[sqlite3.Connection] = []
_stores: weakref.WeakSet[Store] = weakref.WeakSet()


def _after_fork() -> None:
    # Another thread of the parent may have held a lock that nobody in the child will release.
    for store in list(_stores):
        store._lock = threading.RLock()


os.register_at_fork(after_in_child=_after_fork)
