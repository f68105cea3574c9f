"""``python -m cudnnkit info`` and what every command shares."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cudnnkit import library
from cudnnkit.cli import main
from cudnnkit.driver import DriverError
from cudnnkit.store import FILE_NAME

from .test_cli_cache import cache_file, record


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CUDNNKIT_CACHE_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without driver and cuDNN, whatever this one has."""

    def no_driver() -> None:
        raise DriverError("libcuda.so.1", -1, "the NVIDIA driver could not be loaded")

    def no_library() -> None:
        raise library.LibraryError("cuDNN could not be loaded") from OSError()

    monkeypatch.setattr("cudnnkit.driver.driver", no_driver)
    monkeypatch.setattr(library, "library", no_library)


@pytest.mark.usefixtures("bare")
def test_info_says_what_is_missing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info"]) == 0
    text = capsys.readouterr().out
    assert text.count(f"Python {sys.version.split()[0]}") == 1
    assert "driver: libcuda.so.1: the NVIDIA driver could not be loaded" in text
    assert f"cache: {home / FILE_NAME} (not there yet)" in text
    assert text.splitlines()[-1].startswith("cudnnkit cannot compute here for lack of a GPU with its driver, cuDNN")
    assert main(["info", "--check"]) == 1
    assert not list(home.iterdir())


@pytest.mark.usefixtures("bare")
def test_info_tells_of_a_cache_folder_that_is_none(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "file").write_text("mine")
    monkeypatch.setenv("CUDNNKIT_CACHE_DIR", str(home / "file"))
    assert main(["info"]) == 0
    (line,) = [one for one in capsys.readouterr().out.splitlines() if one.startswith("cache: ")]
    told = f"CUDNNKIT_CACHE_DIR={home / 'file'}: {home / 'file'} is no folder; set it to a folder, or unset it"
    assert line == f"cache: {home / 'file' / FILE_NAME}: {told}"


@pytest.mark.usefixtures("bare")
def test_info_counts_the_cache(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = cache_file(home / FILE_NAME, record(1), record(2))
    assert main(["info", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["cache"] == {"path": str(path), "exists": True, "bytes": path.stat().st_size, "decisions": 2}
    assert data["missing"][:2] == ["a GPU with its driver", "cuDNN"]
    assert any(line.startswith("cudnnkit ") for line in data["report"])


@pytest.mark.usefixtures("bare")
def test_info_reports_a_cache_that_cannot_be_read(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / FILE_NAME).write_bytes(b"SQLite format 3\0 and then nonsense")
    assert main(["info"]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("cache: ")]
    assert FILE_NAME in line
    assert [one.name for one in home.iterdir()] == [FILE_NAME]


def test_a_library_that_loads_but_does_not_serve_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def too_old() -> None:
        raise library.LibraryError("cuDNN 8.5.0 at /lib is too old")

    monkeypatch.setattr(library, "library", too_old)
    main(["info"])
    assert "a cuDNN that serves (cuDNN 8.5.0 at /lib is too old)" in capsys.readouterr().out


def test_the_module_runs_and_help_lists_every_command() -> None:
    done = subprocess.run([sys.executable, "-m", "cudnnkit", "--help"], capture_output=True, text=True, check=True)
    assert [name for name in ("info", "demo", "explain", "tune", "cache") if f"    {name} " not in done.stdout] == []


def test_help_imports_nothing_heavy() -> None:
    heavy = ["cupy", "torch", "numpy", "sqlite3", "rich", "cffi", "cudnn_ffi"]
    code = (
        "import sys\nfrom cudnnkit.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        f"print('HEAVY', *[name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1].split() == ["HEAVY"]


def test_no_command_is_status_2() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cudnnkit"], capture_output=True, text=True, env=dict(os.environ), check=False
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
