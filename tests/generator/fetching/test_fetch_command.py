"""``cudnn-bindgen fetch`` as a person meets it: what it prints, where, and how it ends."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cudnn_bindgen.cache import Cache
from cudnn_bindgen.cli import main

MakeWheel = Callable[..., Path]
HeadersOf = Callable[[str], dict[str, str]]


@pytest.fixture
def fetch(index: Any, store: Cache, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """``fetch("9.1", ...)``: run the command against the local index, as pip is configured, and the test's cache."""
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    for name in [name for name in os.environ if name.startswith("PIP_") and name != "PIP_CONFIG_FILE"]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_INDEX_URL", index.url)
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setenv("CUDNN_BINDGEN_CACHE", str(store.root))
    return lambda *arguments: main(["fetch", *arguments])


def test_the_list_says_what_is_there_and_what_is_cached(
    index: Any, make_wheel: MakeWheel, fetch: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    make_wheel(index.folder, "9.1.0.70", "nvidia-cudnn-cu11")
    make_wheel(index.folder, "9.1.0.70", "nvidia-cudnn-cu12")
    index.yanked = {make_wheel(index.folder, "9.2.0.1.dev8").name}
    assert fetch("9.1") == 0
    capsys.readouterr()
    assert fetch("--list") == 0
    assert capsys.readouterr().out == (
        "9.1.0.70      nvidia-cudnn-cu11 nvidia-cudnn-cu12                    cached\n"
        "9.2.0.1.dev8  nvidia-cudnn-cu12                                      development yanked\n"
    )
    assert fetch("--list", "--json") == 0
    assert json.loads(capsys.readouterr().out) == [
        {
            "version": "9.1.0.70",
            "packages": ["nvidia-cudnn-cu11", "nvidia-cudnn-cu12"],
            "development": False,
            "yanked": False,
            "cached": True,
        },
        {
            "version": "9.2.0.1.dev8",
            "packages": ["nvidia-cudnn-cu12"],
            "development": True,
            "yanked": True,
            "cached": False,
        },
    ]
    index.requests.clear()
    assert fetch("--list", "--offline", "9.1") == 0
    assert capsys.readouterr().out.split() == ["9.1.0.70", "nvidia-cudnn-cu12", "cached"]
    assert index.requests == []


def test_versions_and_folders_are_brought_and_told(
    index: Any,
    make_wheel: MakeWheel,
    headers_of: HeadersOf,
    fetch: Callable[..., int],
    store: Cache,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for version in ("9.1.0.70", "9.2.0.82"):
        make_wheel(index.folder, version)
    own = tmp_path / "own"
    own.mkdir()
    for name, text in {**headers_of("9.3.0"), "cudnn_x.h": "#include <map>\n"}.items():
        (own / name).write_text(text)
    assert fetch("9.2", str(own), "9.1.0") == 0
    assert capsys.readouterr().out == (
        f"9.2.0.82  {store.headers('9.2.0.82')}\n"
        f"9.3.0  {own}\n"
        "    without cudnn_x.h: it is C++\n"
        f"9.1.0.70  {store.headers('9.1.0.70')}\n"
    )
    assert fetch("9.1", "--json") == 0
    assert json.loads(capsys.readouterr().out) == [
        {"version": "9.1.0.70", "folder": str(store.headers("9.1.0.70")), "entry": ["cudnn.h"], "skipped": []}
    ]


def test_all_of_them_and_then_without_a_network(
    index: Any,
    make_wheel: MakeWheel,
    fetch: Callable[..., int],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    versions = ["9.1.0.70", "9.2.0.82", "9.3.0.75.dev1"]
    for version in versions:
        make_wheel(index.folder, version)
    other = str(tmp_path / "other")
    assert fetch("--all", "--jobs", "2", "--cache", other, "--index-url", str(index.folder)) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == versions
    assert fetch("--all", "--offline", "--cache", other) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == versions
    assert index.requests == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["9.7"],
            "cuDNN 9.7 is not among the 1 known versions; the nearest are 9.1.0.70; or give a folder with headers",
        ),
        (["/no/such/folder"], "/no/such/folder does not exist; name an include folder, or a version such as 9.28.1"),
        (["--list", "8"], "no version belongs to 8; the newest are 9.1.0.70"),
        (["--list", "x"], "'x' is not a cuDNN version; write one like 9.28, 9.28.1 or 9.28.1.4"),
    ],
)
def test_a_failure_is_one_sentence_and_status_1(
    index: Any,
    make_wheel: MakeWheel,
    fetch: Callable[..., int],
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    make_wheel(index.folder)
    assert fetch(*arguments) == 1
    assert capsys.readouterr() == ("", f"cudnn-bindgen: error: {message}\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a version or a folder, or give --list or --all"),
        (["--jobs", "0", "9.1"], "argument --jobs: '0' is not a whole number above 0"),
        (["--offline", "--index-url", "x", "9.1"], "--offline and --index-url exclude each other"),
    ],
)
def test_a_wrong_command_line_is_told(
    fetch: Callable[..., int], capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    with pytest.raises(SystemExit) as caught:
        fetch(*arguments)
    assert caught.value.code == 2
    assert capsys.readouterr().err.endswith(f"error: {message}\n")


def command(*arguments: str) -> list[str]:
    return [
        sys.executable,
        "-c",
        "import sys; from cudnn_bindgen.cli import main; sys.exit(main())",
        "fetch",
        *arguments,
    ]


def test_ctrl_c_ends_it_though_the_server_is_silent(
    index: Any, make_wheel: MakeWheel, fetch: Callable[..., int], store: Cache
) -> None:
    del fetch  # for its environment
    make_wheel(index.folder)
    index.stall = threading.Event()
    with subprocess.Popen(
        command("9.1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A run that a script started in the background inherits "ignore" for this signal.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        while not index.asked("/files/") and process.poll() is None:
            index.stall.wait(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (
        130,
        "",
        "cudnn-bindgen: error: interrupted; nothing was left half-written\n",
    )
    assert store.versions() == ()
    assert not index.stall.is_set()


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_on_a_terminal_there_is_a_bar_and_standard_output_stays_clean(
    index: Any, make_wheel: MakeWheel, fetch: Callable[..., int], store: Cache
) -> None:
    del fetch
    make_wheel(index.folder)
    ours, theirs = os.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    ended = subprocess.run(command("9.1"), stdout=subprocess.PIPE, stderr=theirs, env=environment, check=False)
    os.close(theirs)
    seen = ""
    with contextlib.suppress(OSError):  # the terminal's end
        while piece := os.read(ours, 1 << 16):
            seen += piece.decode()
    os.close(ours)
    assert ended.stdout.decode() == f"9.1.0.70  {store.headers('9.1.0.70')}\n"
    assert "headers" in seen
    assert "0/1 versions" in seen
