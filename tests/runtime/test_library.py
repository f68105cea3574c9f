"""Which cuDNN: found once, refused when it does not serve, and always reportable."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import cudnn_ffi
import pytest
from cudnnkit.library import LibraryError, info, library, set_library


@pytest.fixture(autouse=True)
def nothing_loaded() -> Iterator[None]:
    before = set_library(None)
    yield
    set_library(before)


def answers(monkeypatch: pytest.MonkeyPatch, *found: Any) -> list[Any]:
    """Let ``cudnn_ffi.load`` answer or raise these, one after the other."""
    left = list(found)

    def load() -> Any:
        one = left.pop(0)
        if isinstance(one, Exception):
            raise one
        return one

    monkeypatch.setattr(cudnn_ffi, "load", load)
    return left


def loaded(*version: int) -> Any:
    return SimpleNamespace(version=version, version_text=".".join(map(str, version)), path="/somewhere/libcudnn.so")


def test_it_is_loaded_once_however_many_threads_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, loaded(9, 1, 0))
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(library())) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(found) == 8
    assert len(set(map(id, found))) == 1


@pytest.mark.parametrize("version", [(8, 8, 1), (7, 6, 5)])
def test_one_too_old_is_named_with_what_is_needed(version: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, loaded(*version))
    text = ".".join(map(str, version))
    with pytest.raises(LibraryError, match=f"cuDNN {text} at /somewhere/libcudnn.so is too old: 8.9.0 or later"):
        library()


@pytest.mark.parametrize(
    "error",
    [
        cudnn_ffi.LibraryNotFoundError("no libcudnn.so.9"),
        cudnn_ffi.LibraryMixedError("libcudnn_graph.so.9 is 9.1.0, libcudnn.so.9 is 9.2.0"),
    ],
)
def test_what_the_bindings_say_is_kept_and_the_next_call_tries_again(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(monkeypatch, error, loaded(9, 2, 0))
    with pytest.raises(LibraryError) as caught:
        library()
    assert str(error) in str(caught.value)
    assert "python -m cudnnkit info" in str(caught.value)
    assert caught.value.__cause__ is error
    assert library().version == (9, 2, 0)


def test_the_report_never_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise RuntimeError("broken installation")

    monkeypatch.setattr(cudnn_ffi, "report", fail)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3")
    text = info()
    assert text.startswith("cudnnkit ")
    assert "cuDNN: RuntimeError: broken installation" in text
    assert "CUDA_VISIBLE_DEVICES=3" in text
    assert "\ncuBLASLt" in text
