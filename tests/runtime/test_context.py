"""Handles: one for each thread and device, given back when the thread ends, never across a fork."""

from __future__ import annotations

import contextlib
import gc
import os
import threading
from collections.abc import Iterator
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
from cudnnkit.context import Context, context, forget
from cudnnkit.library import library, set_library, use_library


class Library:
    """Counts handles and streams."""

    def __init__(self) -> None:
        self.numbers = count(1)
        self.made: list[int] = []
        self.streams: list[tuple[int, int]] = []

    def create(self) -> Any:
        number = next(self.numbers)
        self.made.append(number)
        return SimpleNamespace(_ptr=number)

    def set_stream(self, handle: Any, stream: int) -> None:
        self.streams.append((handle._ptr, stream))


class Driver:
    """Notes which device is current."""

    def __init__(self) -> None:
        self.current: int | None = None
        self.seen: list[int] = []

    @contextlib.contextmanager
    def on(self, device: int) -> Iterator[None]:
        self.seen.append(device)
        yield


@pytest.fixture(autouse=True)
def driver(monkeypatch: pytest.MonkeyPatch) -> Driver:
    found = Driver()
    monkeypatch.setattr("cudnnkit.driver.driver", lambda: found)
    return found


@pytest.fixture
def loaded() -> Iterator[Library]:
    made = Library()
    with use_library(made):
        yield made


def in_thread(work: Any) -> Any:
    answers: list[Any] = []
    thread = threading.Thread(target=lambda: answers.append(work()))
    thread.start()
    thread.join()
    return answers[0]


def test_a_thread_has_one_context_for_each_device(loaded: Library, driver: Driver) -> None:
    assert context(0) is context(0)
    assert context(1) is not context(0)
    assert driver.seen == [0, 1]
    assert len(loaded.made) == 2


def test_threads_that_run_together_have_handles_of_their_own(loaded: Library) -> None:
    barrier = threading.Barrier(8)
    found: list[int] = []

    def work() -> None:
        mine = context(0).handle._ptr
        barrier.wait()
        found.append(mine)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(found) == loaded.made


def test_an_ended_thread_gives_its_handle_back(loaded: Library) -> None:
    first = in_thread(lambda: context(0).handle._ptr)
    gc.collect()
    assert in_thread(lambda: context(0).handle._ptr) == first
    assert in_thread(lambda: context(1).handle._ptr) != first
    assert len(loaded.made) == 2


def test_a_handle_in_use_stays_with_who_uses_it(loaded: Library) -> None:
    kept: Context = in_thread(lambda: context(0))
    gc.collect()
    assert in_thread(lambda: context(0).handle._ptr) != kept.handle._ptr
    assert loaded.made == [1, 2]


def test_the_stream_is_set_when_it_changes(loaded: Library) -> None:
    mine = context(0)
    for stream in (0, 0, 7, 7, 0):
        mine.use_stream(stream)
    number = mine.handle._ptr
    assert loaded.streams == [(number, 0), (number, 7), (number, 0)]


def test_a_handle_out_of_the_pool_has_its_stream_set_again(loaded: Library) -> None:
    in_thread(lambda: context(0).use_stream(7))
    gc.collect()
    in_thread(lambda: context(0).use_stream(7))
    assert loaded.streams == [(1, 7), (1, 7)]


def test_another_library_gets_its_own_handles(loaded: Library) -> None:
    before = context(0)
    other = Library()
    with use_library(other):
        assert context(0).library is other
        assert context(0).handle._ptr == 1
        assert library() is other
    assert context(0) is not before
    assert context(0).library is loaded


@pytest.mark.usefixtures("loaded")
def test_nothing_of_an_earlier_generation_comes_back() -> None:
    kept = context(0)
    forget()
    assert context(0).handle._ptr == 2
    del kept
    gc.collect()
    forget()
    assert context(0).handle._ptr == 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.usefixtures("loaded")
def test_a_forked_child_makes_handles_of_its_own() -> None:
    parents = context(0).handle._ptr
    in_thread(lambda: context(0))  # leaves one in the pool
    gc.collect()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(write, str(context(0).handle._ptr).encode())
        finally:
            os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as answer:
        number = int(answer.read())
    assert number == 3
    assert number not in (parents, 2)
    assert context(0).handle._ptr == parents


def test_a_handle_that_cannot_be_made_leaves_nothing_behind(loaded: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Any:
        raise RuntimeError("CUDNN_STATUS_NOT_INITIALIZED")

    with monkeypatch.context() as patched:
        patched.setattr(loaded, "create", refuse)
        with pytest.raises(RuntimeError):
            context(0)
    gc.collect()
    assert context(0).handle._ptr == 1


def test_set_library_answers_the_one_before(loaded: Library) -> None:
    other = Library()
    assert set_library(other) is loaded
    assert set_library(loaded) is other
