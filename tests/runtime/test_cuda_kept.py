"""Compiled kernels on disk: compiled once, and never in the way."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cudnnkit.cuda import kept


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[str, tuple[int, int]]]:
    calls: list[tuple[str, tuple[int, int]]] = []

    def compile_kernel(source: str, architecture: tuple[int, int]) -> bytes:
        calls.append((source, architecture))
        return f"code of {source} for {architecture}".encode()

    monkeypatch.setattr(kept, "compile_kernel", compile_kernel)
    monkeypatch.setenv("CUDNNKIT_CACHE_DIR", str(tmp_path / "cache"))
    return calls


def files(folder: Path) -> list[Path]:
    return sorted((folder / "cache" / "kernels").glob("*"))


def test_each_source_and_architecture_is_compiled_once(
    compiled: list[tuple[str, tuple[int, int]]], tmp_path: Path
) -> None:
    for _ in range(2):
        assert kept.machine_code("a", (9, 0)) == b"code of a for (9, 0)"
        assert kept.machine_code("a", (8, 0)) == b"code of a for (8, 0)"
        assert kept.machine_code("b", (9, 0)) == b"code of b for (9, 0)"
    assert compiled == [("a", (9, 0)), ("a", (8, 0)), ("b", (9, 0))]
    assert len(files(tmp_path)) == 3


@pytest.mark.parametrize("damage", [lambda content: content[:-1], lambda content: content[:-1] + b"!", lambda _: b""])
def test_a_damaged_file_is_compiled_anew(
    damage: object, compiled: list[tuple[str, tuple[int, int]]], tmp_path: Path
) -> None:
    assert callable(damage)
    first = kept.machine_code("a", (9, 0))
    (path,) = files(tmp_path)
    path.write_bytes(damage(path.read_bytes()))
    assert kept.machine_code("a", (9, 0)) == first
    assert kept.machine_code("a", (9, 0)) == first
    assert len(compiled) == 2


def test_a_folder_that_cannot_be_written_stops_nothing(
    compiled: list[tuple[str, tuple[int, int]]], tmp_path: Path
) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    for _ in range(2):
        assert kept.machine_code("a", (9, 0)).startswith(b"code")
    assert len(compiled) == 2


def test_read_only_leaves_the_folder_as_it_is(
    compiled: list[tuple[str, tuple[int, int]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDNNKIT_CACHE_READ_ONLY", "1")
    kept.machine_code("a", (9, 0))
    assert compiled
    assert files(tmp_path) == []


def test_a_failed_write_leaves_nothing_behind(
    compiled: list[tuple[str, tuple[int, int]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Path, "replace", full)
    assert kept.machine_code("a", (9, 0)).startswith(b"code")
    assert compiled
    assert files(tmp_path) == []
