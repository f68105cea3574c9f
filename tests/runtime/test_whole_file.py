"""Files that commands write and read at places that are no plain files, or have permissions of their own."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from cudnnkit.cli import main
from cudnnkit.exchange import export
from cudnnkit.whole_file import write_whole

from .test_cli_cache import cache_file, document, failure, record, rows

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX permissions and pipes")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDNNKIT_CACHE_DIR", str(tmp_path / "home"))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_keeps_its_permissions_and_a_new_one_has_the_umasks(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old")
    old.chmod(0o604)
    before = os.umask(0o027)
    try:
        write_whole(old, "text")
        write_whole(new, "text")
    finally:
        os.umask(before)
    assert (mode(old), mode(new)) == (0o604, 0o640)
    assert old.read_text() == new.read_text() == "text"
    assert {one.name for one in tmp_path.iterdir()} == {"old", "new"}


def test_a_link_stays_one(tmp_path: Path) -> None:
    for name in ("there", "not yet"):
        link, target = tmp_path / f"{name} link", tmp_path / name
        if name == "there":
            target.write_text("old")
        link.symlink_to(target)
        write_whole(link, "text")
        assert link.is_symlink()
        assert target.read_text() == "text"


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    file, pipe = cache_file(tmp_path / "a.sqlite", record()), tmp_path / "pipe"
    os.mkfifo(pipe)
    found: list[str] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_text()), daemon=True)
    reader.start()
    assert main(["cache", "export", "--path", str(file), "--reports", "--out", str(pipe)]) == 0
    assert pipe.is_fifo()
    reader.join(20)
    assert json.loads(found[0]) == export([record()], reports=True)


@pytest.mark.parametrize("action", ["import", "merge"])
def test_a_document_comes_through_a_pipe(action: str, tmp_path: Path) -> None:
    text, target = document(tmp_path / "d.json", record(1, 7)).read_text(), tmp_path / "b.sqlite"
    words = [sys.executable, "-m", "cudnnkit", "cache", action, "/dev/stdin", "--path", str(target)]
    found = subprocess.run(words, input=text, capture_output=True, text=True, check=False, timeout=60)
    assert (found.returncode, found.stderr) == (0, "")
    assert [one.decision for one in rows(target)] == [record(1, 7).decision]


@pytest.mark.parametrize("words", [("cache", "import"), ("cache", "show", "--path"), ("tune", "--simulated")])
def test_a_device_that_never_ends_is_refused(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert failure(capsys, *words, "/dev/zero") == "/dev/zero is a device, not a file; name a file or a pipe"


def test_what_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("cudnnkit.cli.output.LONGEST", 1 << 20)
    with Path("/dev/zero").open() as endless:
        monkeypatch.setattr("sys.stdin", endless)
        told = failure(capsys, "tune", "--simulated", "-")
    assert told == "standard input holds more than 1 million characters, which is no document"


@pytest.mark.parametrize("place", ["/dev/stdout", "/dev/fd/1", "link"])
def test_an_open_file_is_appended_to(place: str, tmp_path: Path) -> None:
    file, log = cache_file(tmp_path / "a.sqlite", record()), tmp_path / "log"
    log.write_text("before\n")
    if place == "link":
        place = str(tmp_path / "link")
        Path(place).symlink_to("/dev/stdout")
    with log.open("a") as stream:
        words = [sys.executable, "-m", "cudnnkit", "cache", "export", "--path", str(file), "--out", place]
        subprocess.run(words, stdout=stream, check=True, timeout=60)
    first, *rest, last = log.read_text().splitlines()
    assert (first, last) == ("before", f"1 decisions written to {place}")
    assert json.loads("\n".join(rest)) == export([record()])
