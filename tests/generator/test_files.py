"""Files and folders are written whole or not at all, whoever else is writing, and whatever stands in the way."""

from __future__ import annotations

import errno
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest
from cudnn_bindgen.errors import OutputError
from cudnn_bindgen.files import STAMP_FILE, locked, remedy, replace_tree, write_file


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_link_stays_and_its_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "file").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real" / "file")
    write_file(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "file").read_text() == "new"


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    came: list[str] = []
    reader = threading.Thread(target=lambda: came.append(pipe.read_text()))
    reader.start()
    write_file(pipe, "text")
    reader.join()
    assert came == ["text"]
    assert pipe.is_fifo()


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="this system has no /dev/full")
def test_a_device_is_written_to_and_stays_a_device() -> None:
    with pytest.raises(OutputError, match="/dev/full"):
        write_file(Path("/dev/full"), "text")
    assert Path("/dev/full").is_char_device()


@pytest.mark.parametrize("name", ["none/file", "none/deep/file"])
def test_a_folder_that_is_not_there_is_not_made(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    with pytest.raises(OutputError) as caught:
        write_file(path, "text")
    told = f"cannot write {path}: there is no folder {path.parent}; make it, or choose another place"
    assert str(caught.value) == told
    assert _names(tmp_path) == []


def test_room_is_asked_for_where_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match=r"file/x: Not a directory; choose another place$"):
        write_file(tmp_path / "file" / "x", "text")
    assert remedy(OSError(errno.ENOSPC, "full"), "go") == "free the disk, or go"
    assert remedy(OSError(errno.ENOENT, "no"), "go") == "go"


def test_a_linked_folder_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    replace_tree(tmp_path / "link", {"a/b": "text"})
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "a" / "b").read_text() == "text"


def test_somebody_elses_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "notes").write_text("mine")
    with pytest.raises(OutputError, match="did not write"):
        replace_tree(tmp_path / "work", {"a": "text"})
    assert _names(tmp_path) == ["work"]
    assert _names(tmp_path / "work") == ["notes"]


def test_runs_at_once_take_turns(tmp_path: Path) -> None:
    """Four writers of one folder: nobody fails, and the folder is one writer's, whole."""

    def write(name: str) -> None:
        for turn in range(25):
            replace_tree(tmp_path / "out", {f"file{number}": f"{name} {turn}" for number in range(5)})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, "abcd"))  # raises what a writer raised
    assert len({path.read_text() for path in (tmp_path / "out").glob("file*")}) == 1
    assert _names(tmp_path) == ["out"]


def test_whose_folder_it_is_gets_asked_in_turn(tmp_path: Path) -> None:
    """While another run swaps the folder its mark is away for a moment; that is no reason to refuse."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "file").touch()
    with ThreadPoolExecutor(1) as pool:
        with locked(tmp_path):
            written = pool.submit(replace_tree, out, {"file": "new"})
            wait([written], timeout=0.3)
            (out / STAMP_FILE).touch()
        written.result()
    assert (out / "file").read_text() == "new"


def test_what_a_killed_run_left_is_removed_later(tmp_path: Path) -> None:
    left, fresh, foreign = (tmp_path / f".out.{name}" for name in ("killed00", "running0", "backup00"))
    for folder in (left, fresh, foreign):
        folder.mkdir()
    for folder in (left, fresh):
        (folder / STAMP_FILE).touch()
    long_ago = time.time() - 7200
    for folder in (left, foreign):
        os.utime(folder, (long_ago, long_ago))
    replace_tree(tmp_path / "out", {"a": "text"})
    assert _names(tmp_path) == [".out.backup00", ".out.running0", "out"]
