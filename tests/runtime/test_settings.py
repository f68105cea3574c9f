"""Where decisions are kept and how much of them, as users say it."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.testing import simulated
from cudnnkit.tuner import set_tuner, tuner

W = np.ones((4, 3, 3, 3), "f4")


def _images(width: int) -> Any:
    return np.ones((1, 3, 8, width), "f4")


def _rows(path: Path) -> int:
    with sqlite3.connect(path) as file:
        found = file.execute("SELECT count(*) FROM decisions").fetchone()
    return int(found[0])


def test_a_file_of_the_users_own_gets_the_decisions(tmp_path: Path) -> None:
    with simulated():
        ck.set_cache(tmp_path / "mine.sqlite")
        ck.conv2d(_images(8), W)
    assert _rows(tmp_path / "mine.sqlite") == 1


def test_read_only_takes_decisions_and_adds_none(tmp_path: Path) -> None:
    path = tmp_path / "deployed.sqlite"
    with simulated():
        ck.set_cache(path)
        ck.conv2d(_images(8), W)
        ck.set_cache(path, read_only=True)
        ck.conv2d(_images(8), W)
        assert (ck.counters().disk_hits, ck.counters().searches) == (1, 0)
        ck.conv2d(_images(9), W)
        assert ck.counters().searches == 1
    assert _rows(path) == 1


def test_what_a_call_does_not_give_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "deployed.sqlite"
    with simulated():
        ck.set_cache(path, entries=7)
        ck.conv2d(_images(8), W)
        ck.set_cache(read_only=True)
        ck.set_cache(searches=0)
        store: Any = tuner().cache.store
        limits = tuner().cache.limits
        assert (store.path, store.read_only, limits.entries, limits.searches) == (path, True, 7, 0)
        ck.set_cache(searches=None, entries=None)
        assert (tuner().cache.limits.searches, tuner().cache.limits.entries) == (None, None)
        ck.conv2d(_images(9), W)
        ck.set_cache(tmp_path / "other.sqlite")
        ck.conv2d(_images(9), W)
    assert not (tmp_path / "other.sqlite").exists()
    assert _rows(path) == 1


def test_past_the_bound_on_searches_the_heuristic_answers(tmp_path: Path) -> None:
    with simulated():
        ck.set_cache(tmp_path / "a.sqlite", searches=2)
        for width in range(8, 13):
            ck.conv2d(_images(width), W)
        assert (ck.counters().searches, ck.counters().heuristics) == (2, 3)


def test_a_bound_on_entries_forgets_what_was_asked_for_longest_ago(tmp_path: Path) -> None:
    with simulated():
        ck.set_cache(tmp_path / "a.sqlite", entries=2)
        for width in range(8, 13):
            ck.conv2d(_images(width), W)
        assert len(tuner().cache) == 2


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"entries": -1}, "entries=-1: must be 0 or more"),
        ({"searches": 1.5}, "searches=1.5: must be a whole number"),
        ({"search_seconds": "a"}, "search_seconds='a': must be a number"),
        ({"nbytes": True}, "nbytes=True: must be a whole number"),
        ({"search_seconds": float("nan")}, "search_seconds=nan: must be 0 or more"),
    ],
)
def test_bounds_that_make_no_sense_are_named(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ck.ArgumentError, match=message.replace("(", r"\(")):
        ck.set_cache(**wrong)


@pytest.mark.usefixtures("device")
def test_bounds_may_be_numbers_of_numpy() -> None:
    ck.set_cache(searches=np.int64(3), search_seconds=np.float32(0.5))
    limits = tuner().cache.limits
    assert (type(limits.searches), limits.searches) == (int, 3)
    assert (type(limits.search_seconds), limits.search_seconds) == (float, 0.5)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ck.ArgumentError, match="is a folder; name a file in it"):
        ck.set_cache(tmp_path)


def test_the_environment_makes_the_default_file_read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDNNKIT_CACHE_READ_ONLY", "1")
    before = set_tuner(None)
    try:
        for settings in ({}, {"searches": 1}):
            ck.set_cache(**settings)
            store: Any = tuner().cache.store
            assert store.read_only
    finally:
        set_tuner(before)
