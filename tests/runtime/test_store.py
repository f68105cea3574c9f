from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cudnnkit import store as store_module
from cudnnkit import store_file
from cudnnkit.cache import DecisionCache
from cudnnkit.choice import Alternative, Choice, Unsupported
from cudnnkit.cli import info_command
from cudnnkit.cli.cache_files import default_path
from cudnnkit.cuda import kept
from cudnnkit.errors import ArgumentError, CacheError
from cudnnkit.folder import cache_folder
from cudnnkit.policy import Policy
from cudnnkit.report import SearchReport
from cudnnkit.search import Outcome
from cudnnkit.settings import set_cache
from cudnnkit.store import FILE_NAME, SCHEMA_VERSION, Record, Store

from .fakes import graph
from .problems import convolution

CHOICE = Choice(Alternative(graph(4, k2=1), 4096, 0.001), (Alternative(graph(5), 0, 0.002),), level=1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / FILE_NAME


@pytest.fixture
def notes(caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[], list[str]]]:
    with caplog.at_level(logging.WARNING, logger="cudnnkit"):
        yield lambda: [record.getMessage() for record in caplog.records]


def filled(path: Path, count: int = 1) -> Path:
    store = Store(path)
    for batch in range(1, count + 1):
        store.put(convolution(batch), CHOICE)
    assert store.dropped == 0
    store.close()
    return path


def works(store: Store) -> bool:
    store.put(convolution(77), CHOICE)
    return store.get(convolution(77)) == CHOICE


def test_round_trip_and_what_is_missing(path: Path, notes: Callable[[], list[str]]) -> None:
    store = Store(path)
    assert store.get(convolution(1)) is None
    report = SearchReport("conv", "measure", (), 0.5, 10)
    store.put(convolution(1), CHOICE, report)
    store.put(convolution(2), Unsupported((("a", "b"),), "c", level=2))
    again = Store(path)
    assert again.get(convolution(1)) == CHOICE
    assert again.get(convolution(2)) == Unsupported((("a", "b"),), "c", level=2)
    assert again.get(convolution(3)) is None
    first = next(again.records())
    assert (first.problem, first.decision, first.seconds) == (convolution(1), CHOICE, 0.001)
    assert first.report is not None
    assert first.report["search"] == "measure"
    again.delete(convolution(1))
    assert store.get(convolution(1)) is None
    assert notes() == []


def test_rows_carry_device_versions_and_schema(path: Path) -> None:
    with sqlite3.connect(filled(path)) as db:
        assert db.execute("SELECT device, cudnn, driver, level, seconds FROM decisions").fetchone() == (
            "Simulated 144", "9.19.0", "13.0", 1, 0.001,
        )  # fmt: skip
        assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_more_work_stays_whoever_writes_last(path: Path) -> None:
    one, other = Store(path), Store(path)
    one.put(convolution(), replace(CHOICE, level=2))
    other.put(convolution(), Choice(Alternative(graph(9), 0), level=1))
    assert other.get(convolution()) == replace(CHOICE, level=2)
    newer = Choice(Alternative(graph(9), 0), level=2)
    other.put(convolution(), newer)
    assert one.get(convolution()) == newer


def test_no_file_is_made_before_it_is_needed(path: Path) -> None:
    Store(path)
    assert not path.parent.exists()


# Faults of the file ------------------------------------------------------------------------------------------------


def overwrite(content: bytes) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        path.write_bytes(content)

    return damage


def scramble(path: Path) -> None:
    """Leave the header, spoil the pages behind it."""
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)


def other_program(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")


def other_columns(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("ALTER TABLE decisions DROP COLUMN level")


FAULTS = {
    "garbage": (overwrite(b"this is no database at all" * 100), "damaged"),
    "scrambled": (scramble, "damaged"),
    "other program": (other_program, "foreign"),
    "other columns": (other_columns, "foreign"),
}


@pytest.fixture
def own(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file as the user's own, which nobody named."""
    monkeypatch.setenv("CUDNNKIT_CACHE_DIR", str(path.parent))
    return path


@pytest.mark.parametrize("name", FAULTS)
def test_a_bad_file_is_set_aside_and_kept(name: str, own: Path, notes: Callable[[], list[str]]) -> None:
    damage, kind = FAULTS[name]
    path = filled(own, 40)
    damage(path)
    content = path.read_bytes()
    store = Store()
    assert store.get(convolution(1)) is None
    assert works(store)
    assert works(Store())
    (aside,) = path.parent.glob(f"{FILE_NAME}.{kind}-*")
    assert aside.read_bytes() == content
    assert len(notes()) == 1
    assert aside.name in notes()[0]


@pytest.mark.parametrize("name", FAULTS)
def test_a_bad_file_that_the_user_named_is_set_aside_only_if_it_is_ours(
    name: str, path: Path, notes: Callable[[], list[str]]
) -> None:
    FAULTS[name][0](filled(path, 40))
    content = path.read_bytes()
    ours = name in ("scrambled", "other columns")
    store = Store(path)
    assert works(store) == ours
    assert ["left as it is" in note for note in notes()] == [not ours]
    if ours:
        assert [one.read_bytes() for one in path.parent.glob("*.sqlite.*-*")] == [content]
    else:
        assert path.read_bytes() == content
        assert [one.name for one in path.parent.iterdir()] == [path.name]
        with pytest.raises(ArgumentError, match="is no cache file; name one that is"):
            set_cache(path)


def test_damage_that_shows_while_the_file_is_open(path: Path, notes: Callable[[], list[str]]) -> None:
    store = Store(filled(path, 40))
    assert store.get(convolution(1)) == CHOICE
    store.close()
    store = Store(path)
    scramble(path)
    assert list(store.records()) == []
    assert works(store)
    assert len(notes()) == 1


def test_an_empty_file_is_a_new_one(path: Path, notes: Callable[[], list[str]]) -> None:
    path.parent.mkdir()
    path.touch()
    assert works(Store(path))
    assert notes() == []


def test_a_newer_schema_is_left_alone(path: Path, notes: Callable[[], list[str]]) -> None:
    with sqlite3.connect(filled(path)) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    content = path.read_bytes()
    store = Store(path)
    assert store.get(convolution(1)) is None
    assert works(store)
    assert store.path.name == f"tuning.schema{SCHEMA_VERSION}.sqlite"
    assert path.read_bytes() == content
    assert ["newer" in note for note in notes()] == [True]
    # A file of ours beside it that is newer as well: going on without.
    with sqlite3.connect(store.path) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    last = Store(path)
    assert not works(last)
    assert last.dropped == 1


def test_damaged_rows_are_passed_over(path: Path, notes: Callable[[], list[str]]) -> None:
    with sqlite3.connect(filled(path, 3)) as db:
        key = convolution(2).canonical()
        db.execute("UPDATE decisions SET decision = ? WHERE problem = ?", ('{"level": 1', key))
        db.execute(
            "INSERT INTO decisions SELECT 'x', decision, level, seconds, device, cudnn, driver, 0, report "
            "FROM decisions LIMIT 1"
        )
    store = Store(path)
    assert store.get(convolution(2)) is None
    assert store.get(convolution(1)) == CHOICE
    assert [record.problem for record in store.records()] == [convolution(1), convolution(3)]
    store.put(convolution(2), CHOICE)
    assert store.get(convolution(2)) == CHOICE
    assert len(notes()) == 1


DEEP = "[" * 100_000


@pytest.mark.parametrize(
    ("column", "value", "kept"),
    [("decision", DEEP, False), ("created", "yesterday", False), ("created", b"x", False), ("report", DEEP, True),
     ("report", "[1", True), ("report", "[1]", True)],
)  # fmt: skip
def test_a_row_with_one_damaged_value(path: Path, column: str, value: Any, kept: bool) -> None:
    """It stops nothing; how a decision came about may be lost without the decision."""
    with sqlite3.connect(filled(path, 2)) as db:
        db.execute(f"UPDATE decisions SET {column} = ? WHERE problem = ?", (value, convolution(2).canonical()))
    store = Store(path)
    there = [convolution(1), convolution(2)] if kept else [convolution(1)]
    assert [record.problem for record in store.records()] == there
    assert store.get(convolution(2)) == (CHOICE if column != "decision" else None)
    assert store.report(convolution(2)) is None


def test_a_locked_file_costs_only_what_would_have_been_written(
    path: Path, notes: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_file, "_BUSY_MS", 1)
    filled(path)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    store = Store(path)
    assert store.get(convolution(1)) == CHOICE  # WAL: a writer does not stop readers
    store.put(convolution(2), CHOICE)
    assert (store.get(convolution(2)), store.dropped) == (None, 1)
    assert ["locked" in note for note in notes()] == [True]
    holder.execute("ROLLBACK")
    holder.close()
    assert works(store)  # and once it is free it is used


def test_a_file_locked_for_readers_too(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_file, "_BUSY_MS", 1)
    filled(path)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("PRAGMA journal_mode = DELETE")
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    store = Store(path)
    assert store.get(convolution(1)) is None
    assert list(store.records()) == []
    holder.execute("ROLLBACK")
    holder.close()
    assert store.get(convolution(1)) == CHOICE


def test_a_full_disk(path: Path, notes: Callable[[], list[str]]) -> None:
    store = Store(filled(path, 5))
    assert store.get(convolution(1)) == CHOICE
    connection = store._connection
    assert connection is not None
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")
    for batch in range(100, 140):
        store.put(convolution(batch), CHOICE)
    assert store.dropped > 0
    assert store.get(convolution(1)) == CHOICE
    assert ["full" in note for note in notes()] == [True]
    kept = sum(store.get(convolution(batch)) is not None for batch in range(100, 140))
    assert kept == 40 - store.dropped


def test_a_disk_too_full_for_a_new_file_is_told(
    path: Path, notes: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect

    def connected(target: str, **options: Any) -> sqlite3.Connection:
        db = connect(target, **options)
        db.execute("PRAGMA max_page_count = 1")
        return db

    monkeypatch.setattr(sqlite3, "connect", connected)
    assert not works(Store(path))
    assert notes() == [f"tuning cache {path}: database or disk is full; going on without"]


def test_a_folder_that_cannot_be_made(tmp_path: Path, notes: Callable[[], list[str]]) -> None:
    (tmp_path / "file").touch()
    store = Store(tmp_path / "file" / "cache" / FILE_NAME)
    assert not works(store)
    assert list(store.records()) == []
    assert len(notes()) == 1


def test_a_folder_in_place_of_the_file(path: Path, notes: Callable[[], list[str]]) -> None:
    path.mkdir(parents=True)
    assert not works(Store(path))
    assert notes() != []


def read_only_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect

    def connected(target: str, **options: Any) -> sqlite3.Connection:
        return connect(f"{target}?mode=ro" if "?" not in target else target, **options)

    monkeypatch.setattr(sqlite3, "connect", connected)


def test_a_folder_that_takes_no_new_file(
    path: Path, notes: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    read_only_disk(monkeypatch)
    store = Store(path)
    assert not works(store)
    assert not store.takes_rows()
    assert notes() == [f"tuning cache {path}: unable to open database file; going on without"]


def test_a_file_that_cannot_be_written(
    path: Path, notes: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a folder of another user: SQLite opens it for reading only."""
    filled(path)
    read_only_disk(monkeypatch)
    store = Store(path)
    assert store.takes_rows() is False
    store.dropped = 0
    assert store.get(convolution(1)) == CHOICE
    store.put(convolution(2), CHOICE)
    assert store.dropped == 1
    assert ["readonly" in note for note in notes()] == [True]


# Read-only mode ----------------------------------------------------------------------------------------------------


def test_read_only_mode_reads_and_changes_nothing(path: Path) -> None:
    filled(path)
    before = path.read_bytes()
    store = Store(path, read_only=True)
    assert store.get(convolution(1)) == CHOICE
    store.put(convolution(2), CHOICE)
    store.delete(convolution(1))
    assert store.get(convolution(1)) == CHOICE
    assert store.get(convolution(2)) is None
    assert store.dropped == 2
    store.close()
    assert path.read_bytes() == before


@pytest.mark.parametrize("damage", [overwrite(b"garbage" * 1000), other_program, Path.unlink])
def test_read_only_mode_on_a_bad_file(damage: Callable[[Path], None], path: Path) -> None:
    damage(filled(path))
    before = sorted(file.name for file in path.parent.iterdir())
    store = Store(path, read_only=True)
    assert store.get(convolution(1)) is None
    assert list(store.records()) == []
    assert sorted(file.name for file in path.parent.iterdir()) == before


# Threads and processes ---------------------------------------------------------------------------------------------


def test_eight_threads_on_one_store(path: Path) -> None:
    store = Store(path)
    start = threading.Barrier(8)

    def work(first: int) -> None:
        start.wait(10)
        for batch in range(first, 80, 8):
            store.put(convolution(batch), CHOICE)
            assert store.get(convolution(batch)) == CHOICE

    threads = [threading.Thread(target=work, args=(first,)) for first in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert store.dropped == 0
    assert len(list(store.records())) == 80


WORKER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from tests.runtime.problems import convolution
from tests.runtime.fakes import graph
from cudnnkit import store_file as module
from cudnnkit.choice import Alternative, Choice
from cudnnkit.store import Store
module._BUSY_MS = 30_000
store = Store()
own = int(sys.argv[3])
for batch in range(20):
    store.put(convolution(1000 * own + batch), Choice(Alternative(graph(own), 0), level=1))
    store.put(convolution(batch), Choice(Alternative(graph(own), 0), level=1))
print(store.dropped)
"""


@pytest.mark.parametrize("before", [None, b"garbage" * 2000], ids=["no file", "damaged file"])
def test_many_processes(path: Path, before: bytes | None) -> None:
    """They make the file, or set the damaged one aside, all at the same moment; nothing is lost."""
    path.parent.mkdir()
    if before is not None:
        path.write_bytes(before)
    root = str(Path(__file__).parents[2])
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, root, str(path), str(own)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "CUDNNKIT_CACHE_DIR": str(path.parent)},
        )
        for own in range(1, 5)
    ]
    results = [worker.communicate(timeout=120) for worker in workers]
    assert [out.strip() for out, _ in results] == ["0"] * 4, results
    store = Store(path)
    for own in range(1, 5):
        for batch in range(20):
            assert store.get(convolution(1000 * own + batch)) == Choice(Alternative(graph(own), 0), level=1)
    assert len(list(store.records())) == 100
    assert len(list(path.parent.glob("*.damaged-*"))) == (0 if before is None else 1)


def test_one_process_at_a_time_sets_a_file_aside(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    path = tmp_path / "tuning.sqlite.lock"
    with contextlib.ExitStack() as stack, path.open("w") as other:
        store_module._lock_file(stack, path)
        with pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        stack.close()
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_opens_the_file_anew(path: Path) -> None:
    store = Store(path)
    store.put(convolution(1), CHOICE)
    inherited = store._connection
    with store._lock:  # held by a thread that the child will not have
        child = os.fork()
        if child == 0:
            done: list[bool] = []

            def work() -> None:
                store.put(convolution(2), CHOICE)
                same = store.get(convolution(1)) == store.get(convolution(2)) == CHOICE
                done.append(same and store._connection is not inherited)

            worker = threading.Thread(target=work, daemon=True)
            worker.start()
            worker.join(20)
            os._exit(0 if done == [True] else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert store.get(convolution(2)) == CHOICE
    assert works(store)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_leaves_the_inherited_file_open_as_it_closes_its_store(path: Path) -> None:
    store = Store(path)
    store.put(convolution(1), CHOICE)
    inherited = store._connection
    assert inherited is not None
    child = os.fork()
    if child == 0:
        store.close()
        try:
            inherited.total_changes  # raises on a closed connection  # noqa: B018
        except sqlite3.ProgrammingError:
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert works(store)


def test_a_closed_store_is_empty_and_quiet(path: Path, notes: Callable[[], list[str]]) -> None:
    store = Store(filled(path))
    store.close()
    assert store.get(convolution(1)) is None
    assert not works(store)
    assert notes() == []


# Where it lies, and with the cache ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({"CUDNNKIT_CACHE_DIR": "/here", "XDG_CACHE_HOME": "/xdg", "HOME": "/home/me"}, "linux", "/here"),
        ({"XDG_CACHE_HOME": "/xdg", "HOME": "/home/me"}, "linux", "/xdg/cudnnkit"),
        ({"XDG_CACHE_HOME": "not/absolute", "HOME": "/home/me"}, "linux", "/home/me/.cache/cudnnkit"),
        ({"HOME": "/home/me"}, "linux", "/home/me/.cache/cudnnkit"),
        ({"HOME": "/home/me"}, "darwin", "/home/me/Library/Caches/cudnnkit"),
        ({"HOME": "/home/me", "LOCALAPPDATA": "/local"}, "win32", "/local/cudnnkit/Cache"),
    ],
)
def test_cache_folder(environment: dict[str, str], platform: str, expected: str) -> None:
    assert cache_folder(environment, platform) == Path(expected)


def test_without_a_home_folder_nothing_is_kept(
    monkeypatch: pytest.MonkeyPatch, notes: Callable[[], list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    def unknown() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("CUDNNKIT_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", unknown)
    store = Store()
    assert not works(store)
    assert not works(store)
    assert list(store.records()) == []
    reason = "no home folder is known; set CUDNNKIT_CACHE_DIR to a folder"
    assert notes() == [f"tuning cache: {reason}; going on without"]
    monkeypatch.setattr(kept, "compile_kernel", lambda source, _: source.encode())
    kept._without.cache_clear()
    assert [kept.machine_code("x", (9, 0)) for _ in range(2)] == [b"x", b"x"]
    assert notes()[1:] == [f"kept machine code: {reason}; going on without"]
    with pytest.raises(CacheError, match=reason):
        default_path()
    assert info_command._cache_line(info_command._cache()) == f"cache: none: {reason}"
    assert capsys.readouterr().err == ""


def test_the_variable_moves_the_users_own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDNNKIT_CACHE_DIR", str(tmp_path))
    assert works(Store())
    assert (tmp_path / FILE_NAME).exists()


def test_a_second_cache_on_the_same_file_does_not_search(path: Path) -> None:
    class Finder:
        searches = 0

        def heuristic(self) -> Outcome[Any]:
            raise AssertionError

        def search(self) -> Outcome[Any]:
            self.searches += 1
            return Outcome(CHOICE, SearchReport("conv", "measure", (), 0.5, 10))

    finder = Finder()
    for _ in range(3):
        cache = DecisionCache(Store(path))
        assert cache.decide(convolution(), Policy(), finder).decision == CHOICE
    assert finder.searches == 1


def test_records_survive_as_they_are(path: Path) -> None:
    store = Store(path)
    record = Record(convolution(), CHOICE, 123.5, {"rows": []})
    assert store.add(record)
    assert list(store.records()) == [record]
    lower = replace(record, decision=replace(CHOICE, level=0))
    store.add(lower)
    assert list(store.records()) == [record]
    store.add(lower, replace=True)
    assert list(store.records()) == [lower]


def test_a_bad_file_that_cannot_be_set_aside(
    own: Path, notes: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = filled(own)
    overwrite(b"garbage" * 1000)(path)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(store_module.os, "replace", refuse)
    store = Store()
    assert store.get(convolution(1)) is None
    assert not works(store)
    assert path.read_bytes() == b"garbage" * 1000
    assert ["cannot be set aside" in note for note in notes()] == [True]


def test_a_default_folder_that_is_a_file_is_told_by_its_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, notes: Callable[[], list[str]]
) -> None:
    (tmp_path / "file").write_text("mine")
    monkeypatch.setenv("CUDNNKIT_CACHE_DIR", str(tmp_path / "file"))
    store = Store()
    store.put(convolution(1), CHOICE)
    assert store.dropped == 1
    (told,) = notes()
    assert "(in CUDNNKIT_CACHE_DIR)" in told
    assert told.endswith(f"{tmp_path / 'file'} is a file, not a folder; going on without")
