"""``cudnn-bindgen history`` on small headers: one command adds a version, and a failure leaves the file as it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cudnn_bindgen import history_store
from cudnn_bindgen.cli import history_command, main
from cudnn_bindgen.history import History

Small = Callable[..., Path]


@pytest.fixture
def small(tmp_path: Path) -> Small:
    """``small("9.1.2", "int f(void);")``: a folder with a cuDNN of that version and those declarations."""

    def make(version: str, declarations: str) -> Path:
        folder = tmp_path / f"headers-{version}"
        folder.mkdir(exist_ok=True)
        names = ("MAJOR", "MINOR", "PATCHLEVEL")
        numbers = "".join(
            f"#define CUDNN_{name} {part}\n" for name, part in zip(names, version.split("."), strict=True)
        )
        (folder / "cudnn_version.h").write_text(numbers)
        (folder / "cudnn.h").write_text(f'#include "cudnn_version.h"\n{declarations}\n')
        return folder

    return make


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out" / "history.json"


def test_add_builds_and_extends(small: Small, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = small("9.1.0", "int cudnnOne(void);"), small("9.2.0", "int cudnnOne(void);\nint cudnnTwo(int x);")
    assert main(["history", "--empty", "--add", str(one), "--out", str(file)]) == 0
    assert History.load(file).versions == ("9.1.0",)
    # The file of --out is what is extended; parsing in several processes changes nothing.
    assert main(["history", "--add", str(two), str(one), "--jobs", "2", "--out", str(file)]) == 0
    assert "2 versions merged; 2 versions" in capsys.readouterr().out
    history = History.load(file)
    assert history.versions == ("9.1.0", "9.2.0")
    assert history.spans("function", "cudnnTwo") == (("9.2.0", None),)
    together = file.with_name("together.json")
    assert main(["history", "--empty", "--add", str(two), "--add", str(one), "--out", str(together)]) == 0
    assert together.read_bytes() == file.read_bytes()


def test_adding_again_writes_nothing(small: Small, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["history", "--add", str(small("9.1.0", "int cudnnOne(void);")), "--out", str(file)]
    assert main([*command, "--empty"]) == 0
    before = file.stat()
    assert main(command) == 0
    assert "already has 9.1.0; nothing changed" in capsys.readouterr().out
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_from_begins_elsewhere(small: Small, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = file.with_name("base.json")
    assert main(["history", "--empty", "--add", str(small("9.1.0", "int cudnnOne(void);")), "--out", str(base)]) == 0
    kept = base.read_bytes()
    two = small("9.2.0", "int cudnnOne(void);")
    assert main(["history", "--from", str(base), "--add", str(two), "--out", str(file)]) == 0
    assert base.read_bytes() == kept
    capsys.readouterr()
    assert main(["history", "--list", "--from", str(file)]) == 0
    assert capsys.readouterr().out.split() == ["9.1.0", "9.2.0"]


def test_without_out_the_checkouts_own_file_is_extended(
    small: Small, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_store, "checkout_path", lambda: file)
    assert main(["history", "--empty", "--add", str(small("9.1.0", "int cudnnOne(void);"))]) == 0
    assert History.load().versions == ("9.1.0",)


@pytest.mark.parametrize(
    ("declarations", "says"),
    [("int cudnnOne(", "cudnn.h:2"), ("typedef enum { A = B } e_t;", "B"), ('#include "gone.h"', "gone.h")],
)
def test_a_bad_header_changes_nothing(
    small: Small, file: Path, capsys: pytest.CaptureFixture[str], declarations: str, says: str
) -> None:
    assert main(["history", "--empty", "--add", str(small("9.1.0", "int cudnnOne(void);")), "--out", str(file)]) == 0
    before = file.read_bytes()
    good, bad = small("9.2.0", "int cudnnTwo(void);"), small("9.3.0", declarations)
    assert main(["history", "--add", str(good), str(bad), "--out", str(file)]) == 1
    error = capsys.readouterr().err
    assert says in error
    assert "Traceback" not in error
    assert "cuDNN 9.3.0 in " in error
    assert file.read_bytes() == before
    assert [one.name for one in file.parent.iterdir()] == [file.name]


def test_a_damaged_file_is_not_overwritten(small: Small, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text('{"cudnn_bindgen_history":1,"versions":[')
    assert main(["history", "--add", str(small("9.1.0", "int cudnnOne(void);")), "--out", str(file)]) == 1
    assert f"{file} is damaged" in capsys.readouterr().err
    assert file.read_text() == '{"cudnn_bindgen_history":1,"versions":['


def test_outside_a_checkout_the_file_must_be_named(
    small: Small, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(history_store, "checkout_path", lambda: None)
    assert main(["history", "--add", str(small("9.1.0", "int cudnnOne(void);"))]) == 1
    assert "name the file to write with --out FILE" in capsys.readouterr().err


def test_all_offline_with_an_empty_cache(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CUDNN_BINDGEN_CACHE", str(tmp_path / "cache"))
    assert main(["history", "--all", "--offline", "--out", str(file)]) == 1
    assert "holds no version; leave out --offline" in capsys.readouterr().err
    assert not file.exists()


def test_bad_usage(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, says in (
        ([], "name versions with --add, or give --all, --list or --table"),
        (["--add", "9.1", "--jobs", "0"], "--jobs 0 is not a whole number above 0"),
    ):
        with pytest.raises(SystemExit) as caught:
            main(["history", *arguments])
        assert caught.value.code == 2
        assert says in capsys.readouterr().err


def test_what_another_run_adds_meanwhile_stays(small: Small, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two, three = (small(version, "int cudnnOne(void);") for version in ("9.1.0", "9.2.0", "9.3.0"))
    assert main(["history", "--empty", "--add", str(one), "--out", str(file)]) == 0
    parsed = history_command._parsed

    def slow(*arguments: Any) -> Any:
        monkeypatch.setattr(history_command, "_parsed", parsed)
        assert main(["history", "--add", str(three), "--out", str(file)]) == 0
        return parsed(*arguments)

    monkeypatch.setattr(history_command, "_parsed", slow)
    assert main(["history", "--add", str(two), "--out", str(file)]) == 0
    assert History.load(file).versions == ("9.1.0", "9.2.0", "9.3.0")
