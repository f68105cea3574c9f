"""What every command has in common: one sentence and an exit status, whatever goes wrong around it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cudnn_bindgen.cli.main import TRACE_VARIABLE, main

RUN = [sys.executable, "-m", "cudnn_bindgen"]


def _error(capsys: pytest.CaptureFixture[str]) -> str:
    error = capsys.readouterr().err
    assert error.count("\n") == 1, error
    return error


@pytest.mark.parametrize(
    "text",
    ["", "9.", "v9.28", "9.28.1.4.5", "latest", "-1", "\uff19.28", "9.28.\u0661", pytest.param("9" * 5000, id="long")],
)
def test_no_version(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", f"--version={text}"]) == 1
    assert f"{text!r} is not a cuDNN version" in _error(capsys)


@pytest.mark.parametrize("arguments", [["model", "~no-such-user/x"], ["diff", "9.28", "~no-such-user/x"]])
def test_no_such_home_folder(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 1
    assert "~no-such-user/x: there is no such home folder" in _error(capsys)


def test_no_such_home_folder_for_the_cache(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("CUDNN_BINDGEN_CACHE", "~no-such-user/x")
    assert main(["fetch", "--list", "--offline"]) == 1
    assert "CUDNN_BINDGEN_CACHE=~no-such-user/x" in _error(capsys)


def test_home_folder_in_an_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shell does not expand the ~ of --out=~/x."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert main(["schema", "--out=~/schema.json"]) == 0
    assert (tmp_path / "schema.json").is_file()
    assert not (tmp_path / "~").exists()


@pytest.mark.parametrize("arguments", [["--out", ""], ["--out", "~no-such-user/x"]])
def test_no_path(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["schema", *arguments])
    assert "argument --out" in capsys.readouterr().err


def test_empty_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["model", ""]) == 1
    assert "names no headers" in _error(capsys)


@pytest.mark.parametrize("url", ["http://user:secret@[bad", "~no-such-user/x"])
def test_unreadable_index(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fetch", "9.28.1", "--index-url", url, "--cache", str(tmp_path)]) == 1
    error = _error(capsys)
    assert "neither a server nor a folder" in error
    assert "secret" not in error


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_streams(closed: str) -> None:
    command = f'exec "$@" {closed}'
    done = subprocess.run(
        ["sh", "-c", command, "sh", *RUN, "list", "--kind", "handle"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_reader_that_goes_away() -> None:
    done = subprocess.run(
        ["sh", "-c", '"$@" | head -1', "sh", *RUN, "list", "--json"], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("[\n", "")


def test_our_own_fault_is_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr("cudnn_bindgen.history.History.load", fail)
    assert main(["list"]) == 1
    assert "unexpected ZeroDivisionError: a fault; please report it" in _error(capsys)
    monkeypatch.setenv(TRACE_VARIABLE, "1")
    with pytest.raises(ZeroDivisionError):
        main(["list"])


def test_told_to_end(tmp_path: Path) -> None:
    """SIGTERM while a folder is being written: what was beside is cleaned up, what was there stays."""
    script = tmp_path / "run.py"
    script.write_text(
        "import os, pathlib, signal, sys\n"
        "from cudnn_bindgen import files\n"
        "from cudnn_bindgen.cli import schema_command\n"
        "from cudnn_bindgen.cli.main import main\n"
        "files.locked = lambda folder: os.kill(os.getpid(), signal.SIGTERM)\n"
        "def write(path, text):\n"
        "    files.replace_tree(path, {'file': text})\n"
        "schema_command.write_file = write\n"
        "sys.exit(main(['schema', '--out', sys.argv[1]]))\n"
    )
    out = tmp_path / "folder" / "out"
    done = subprocess.run([sys.executable, str(script), str(out)], capture_output=True, text=True, check=False)
    assert done.returncode == 130
    assert done.stderr == "cudnn-bindgen: error: interrupted; nothing was left half-written\n"
    assert list(out.parent.iterdir()) == []


def test_signals_are_as_before_afterwards() -> None:
    before = signal.getsignal(signal.SIGTERM)
    assert main(["schema", "--out", os.devnull]) == 0
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_terminal_that_lacks_letters(tmp_path: Path) -> None:
    (tmp_path / "cudnn.h").write_text(
        '#define CUDNN_MAJOR 9\n#define CUDNN_MINOR 1\n#define CUDNN_PATCHLEVEL 2\n#define TEXT "caf\u00e9"\n',
        encoding="utf-8",
    )
    done = subprocess.run(
        [*RUN, "model", str(tmp_path)],
        capture_output=True,
        check=False,
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"macro TEXT = 'caf\xe9'" in done.stdout
