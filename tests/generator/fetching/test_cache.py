"""The cache holds whole versions only: full disks, interrupted runs, two runs at once."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from cudnn_bindgen.cache import Cache
from cudnn_bindgen.errors import OutputError

MakeWheel = Callable[..., Path]
MakeFetcher = Callable[..., Any]
HeadersOf = Callable[[str], dict[str, str]]


def visible(store: Cache) -> list[str]:
    """Everything in the cache, but the locks."""
    return sorted(
        str(path.relative_to(store.root)) for path in store.root.rglob("*") if path.is_file() and path.suffix != ".lock"
    )


def test_a_full_disk(
    index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, store: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_wheel(index.folder)
    usual = Path.write_bytes

    def full(self: Path, content: bytes) -> int:
        if self.name == "cudnn_ops.h":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self))
        return usual(self, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OutputError) as caught:
        fetcher().fetch(["9.1"])
    assert str(caught.value) == (
        f"cannot write {store.headers('9.1.0.70')}: No space left on device; free the disk, or choose another cache "
        "with --cache or CUDNN_BINDGEN_CACHE"
    )
    assert visible(store) == []
    monkeypatch.undo()
    assert fetcher().fetch(["9.1"]) == ["9.1.0.70"]


def test_a_cache_that_cannot_be_written(index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, store: Cache) -> None:
    make_wheel(index.folder)
    store.root.write_text("a file in the way")
    with pytest.raises(OutputError, match=r"cannot write .*: Not a directory; choose another cache"):
        fetcher().fetch(["9.1"])


def test_an_interrupted_run_leaves_nothing_and_the_next_one_works(
    index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, store: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    for version in ("9.1.0.70", "9.2.0.82"):
        make_wheel(index.folder, version)
    usual = Path.write_bytes

    def interrupted(self: Path, content: bytes) -> int:
        if self.name == "cudnn_ops.h":
            raise KeyboardInterrupt
        return usual(self, content)

    monkeypatch.setattr(Path, "write_bytes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        fetcher().fetch(["9.1", "9.2"])
    assert visible(store) == []
    monkeypatch.undo()
    assert fetcher().fetch(["9.1", "9.2"]) == ["9.1.0.70", "9.2.0.82"]


def test_two_runs_at_once_download_once(index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, reporter: Any) -> None:
    make_wheel(index.folder)
    index.stall = threading.Event()
    runs = [fetcher(), fetcher()]
    with ThreadPoolExecutor(2) as pool:
        results = [pool.submit(run.fetch, ["9.1"]) for run in runs]
        while not reporter.notes and not all(result.done() for result in results):
            index.stall.wait(0.01)
        index.stall.set()
        assert [result.result() for result in results] == [["9.1.0.70"]] * 2
    assert reporter.notes == ["waiting for another run that fetches 9.1.0.70"]
    assert len(index.asked("/files/")) == 2


def test_of_two_rivals_one_wins_and_nothing_is_left_of_the_other(store: Cache) -> None:
    folder = store.headers("9.1.0.70")

    def write(text: str) -> None:
        for _ in range(20):
            store.store(folder, {"cudnn.h": text.encode()}, version="9.1.0.70", wheel="w.whl")

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, ("one", "two")))
    assert (folder / "cudnn.h").read_text() in ("one", "two")
    assert [path.name for path in folder.parent.iterdir()] == ["9.1.0.70"]


def test_what_a_killed_run_left_long_ago_is_swept_away(store: Cache) -> None:
    old, new = (store.root / "headers" / name for name in (".9.1.0.70.old", ".9.1.0.70.new"))
    for folder in (old, new):
        folder.mkdir(parents=True)
    two_days_ago = old.stat().st_mtime - 2 * 24 * 3600
    os.utime(old, (two_days_ago, two_days_ago))
    store.store(store.headers("9.2.0.82"), {"cudnn.h": b""}, version="9.2.0.82", wheel="w.whl")
    assert not old.exists()
    assert new.exists()
