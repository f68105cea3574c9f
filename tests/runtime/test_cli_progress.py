"""The progress bar: on a terminal only, by rich or plain, and gone afterwards."""

from __future__ import annotations

import io
import sys

import pytest
from cudnnkit.cli.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def drawn(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    with progress(2) as step:
        step("first [problem]")
        step("second")
    return stream.getvalue()


def test_a_pipe_sees_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawn(monkeypatch, io.StringIO()) == ""


def test_without_rich_one_line_is_written_over(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("rich", "rich.console", "rich.progress"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setenv("COLUMNS", "60")
    lines = drawn(monkeypatch, Terminal()).split("\r")
    assert lines[1].rstrip() == "[....................] 1/2 first [problem]"
    assert lines[2].rstrip() == "[##########..........] 2/2 second"
    assert lines[3].strip() == ""
    assert max(map(len, lines)) < 60


def test_rich_draws_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rich")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    text = drawn(monkeypatch, Terminal())
    assert "second" in text
    assert "1/2" in text


def test_a_failure_inside_comes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())

    def work() -> None:
        with progress(1) as step:
            step("x")
            raise KeyError("inside")

    with pytest.raises(KeyError):
        work()
