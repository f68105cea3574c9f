"""``python -m cudnnkit cache`` on files that are not what they should be."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from cudnnkit.cli import main

from .test_cli_cache import cache_file, document, failure, record, rows


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDNNKIT_CACHE_DIR", str(tmp_path / "home"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return cache_file(tmp_path / "a.sqlite", record(1, 7, 1.25), record(2, 8, 2.5, created=172800.0))


READERS = [["show", "--path"], ["stats", "--path"], ["export", "--path"], ["diff"], ["prune", "--cudnn", "1", "--path"]]


@pytest.mark.parametrize("inside", [(), ("deeper", "still")], ids=["file", "below a file"])
@pytest.mark.parametrize(
    "words",
    [["show"], ["stats"], ["export"], ["prune", "--cudnn", "9"], ["diff", "{}"], ["import", "{}"], ["merge", "{}"]],
    ids=lambda one: one[0],
)
def test_a_cache_folder_that_is_none_is_told_by_its_variable(
    words: list[str], inside: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    file = tmp_path / "file"
    file.write_text("mine")
    named = document(tmp_path / "document.json", *([] if inside else [record()]))
    folder = file.joinpath(*inside)
    monkeypatch.setenv("CUDNNKIT_CACHE_DIR", str(folder))
    sentence = failure(capsys, "cache", *(one.format(named) for one in words))
    assert sentence == f"CUDNNKIT_CACHE_DIR={folder}: {file} is no folder; set it to a folder, or unset it"
    assert file.read_text() == "mine"


def test_a_home_that_has_no_cache_folder_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("CUDNNKIT_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    (tmp_path / "file").write_text("mine")
    assert failure(capsys, "cache", "stats").endswith("is no folder; set CUDNNKIT_CACHE_DIR to another folder")


def test_an_export_makes_no_folders(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "none" / "tuned.json"
    sentence = failure(capsys, "cache", "export", "--path", file, "--out", out)
    assert sentence == f"cannot write {out}: there is no folder {out.parent}; make it, or choose another place"
    assert not out.parent.exists()


def test_an_import_that_stored_nothing_fails(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    below = file / "below.sqlite"
    sentence = failure(capsys, "cache", "import", document(tmp_path / "d.json", record()), "--path", below)
    assert sentence == f"tuning cache {below}: {file} is a file, not a folder; not everything was stored"


@pytest.mark.parametrize("action", ["import", "merge"])
def test_a_place_that_takes_nothing_is_told_where_there_is_nothing_to_store(
    action: str, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = document(tmp_path / "empty.json")
    folder, pipe, below = tmp_path / "folder", tmp_path / "pipe", file / "below.sqlite"
    folder.mkdir()
    os.mkfifo(pipe)
    missing = Path("/proc/tuning.sqlite")  # where nobody may make a file, whoever it is
    for path, told in (
        (below, f"{file} is a file, not a folder"),
        (folder, ""),
        (pipe, "is a pipe or a device, not a file"),
        (missing, "unable to open database file"),
    ):
        sentence = failure(capsys, "cache", action, empty, "--path", path)
        assert sentence.startswith(f"tuning cache {path}: {told}")
        assert sentence.endswith("; it takes no decisions")
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as held:
        held.execute("BEGIN EXCLUSIVE")
        assert "locked" in failure(capsys, "cache", action, empty, "--path", file)
    assert main(["cache", action, str(empty), "--path", str(file)]) == 0
    assert "0 added, 0 replaced, 0 kept" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words", [("import", "DOCUMENT", "--path", "DOCUMENT"), ("prune", "--path", "DOCUMENT", "--cudnn", "9")], ids=str
)
def test_a_tuning_document_is_no_place_for_decisions_and_stays(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = document(tmp_path / "tuned.json", record())
    before = target.read_bytes()
    sentence = failure(capsys, "cache", *(target if one == "DOCUMENT" else one for one in words))
    assert sentence == (f"{target} is no cache file, and is left as it is; name one that is, or that is not there yet")
    assert [one.name for one in tmp_path.iterdir()] == ["tuned.json"]
    assert target.read_bytes() == before


def foreign(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")


@pytest.mark.parametrize(
    "words", [("cache", "import", "d.json"), ("tune", "d.json"), ("explain", "--problem", "d.json")]
)
@pytest.mark.parametrize("make", [foreign, lambda path: path.write_text("precious notes")], ids=["database", "text"])
def test_a_file_of_others_is_no_place_for_decisions_and_stays(
    make: Any, words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    document(Path("d.json"), record())
    make(tmp_path / "mine")
    before = (tmp_path / "mine").read_bytes()
    simulated = [] if words[0] == "cache" else ["--simulated"]
    sentence = failure(capsys, *words, *simulated, "--path", "mine")
    assert sentence == "mine is no cache file, and is left as it is; name one that is, or that is not there yet"
    assert (tmp_path / "mine").read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["d.json", "mine"]


def newer(path: Path) -> None:
    cache_file(path, record())
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")


def damaged(path: Path) -> None:
    cache_file(path, record())
    data = bytearray(path.read_bytes())
    data[100:] = b"\xff" * (len(data) - 100)
    path.write_bytes(data)


@pytest.mark.parametrize("arguments", READERS, ids=lambda one: one[0])
@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda _: None, "No such file or directory; `cache export --out FILE` writes such a file"),
        (Path.mkdir, "directory"),
        (lambda path: path.write_bytes(b""), "neither a cache file nor a tuning document"),
        (
            lambda path: path.write_text("not JSON"),
            "document: it is no JSON (line 1, column 1: Expecting value); `cache export`",
        ),
        (lambda path: path.write_bytes(b"\xff\xfe\x00"), "it is no UTF-8 text (invalid start byte at byte 0)"),
        (lambda path: path.write_text("[" * 100_000), "neither a cache file nor a tuning document"),
        (lambda path: path.write_text("[]"), "is no tuning document"),
        (lambda path: path.write_text('{"format": "cudnnkit-tuning", "version": 7}'), "of version 7"),
        (foreign, "belongs to another program"),
        (newer, "was written by a newer cudnnkit"),
        (damaged, "malformed"),
    ],
    ids=["missing", "folder", "empty", "text", "binary", "deep", "json", "version", "foreign", "newer", "damaged"],
)
def test_a_wrong_file_is_one_sentence_and_stays_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], make: Any, told: str
) -> None:
    path = tmp_path / "wrong"
    make(path)
    before = path.read_bytes() if path.is_file() else None
    sentence = failure(capsys, "cache", *arguments, path)
    assert told in sentence
    assert str(path) in sentence
    assert (path.read_bytes() if path.is_file() else None) == before
    assert {one.name for one in tmp_path.iterdir()} <= {"home", "wrong", "wrong-wal", "wrong-shm"}


def test_a_damaged_row_is_passed_over_with_a_warning(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with contextlib.closing(sqlite3.connect(file)) as db, db:
        db.execute("UPDATE decisions SET decision = '{}' WHERE created = 86400")
    assert main(["cache", "show", "--path", str(file)]) == 0
    printed = capsys.readouterr()
    assert "graph engine 7" not in printed.out
    assert "graph engine 8" in printed.out
    assert printed.err.startswith("cudnnkit: warning: ")
    assert "cannot be read" in printed.err


def test_a_lock_that_is_not_given_up_is_told(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    held = sqlite3.connect(file, isolation_level=None)
    held.execute("BEGIN EXCLUSIVE")
    try:
        sentence = failure(capsys, "cache", "prune", "--cudnn", "9.19.0", "--path", file)
    finally:
        held.close()
    assert "cannot be written; nothing was removed" in sentence or "locked" in sentence
    assert len(rows(file)) == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("prune --older-than soon", "argument --older-than: 'soon' is no number of days, 0 or more"),
        ("prune --older-than 1e400", "argument --older-than: '1e400' is no number of days, 0 or more"),
        ("diff a --threshold few", "argument --threshold: 'few' is no share such as 0.05"),
        ("diff a --threshold nan", "argument --threshold: 'nan' is no share such as 0.05"),
    ],
)
def test_what_is_no_number_is_told_in_plain_words(words: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["cache", *words.split()])
    assert caught.value.code == 2
    assert capsys.readouterr().err.endswith(f"error: {told}\n")
