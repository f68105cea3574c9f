"""Commands in odd surroundings: closed streams, words and numbers beyond all bounds, an interruption."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cudnnkit.cli import main

COMMAND = [sys.executable, "-m", "cudnnkit"]
CONV = ["explain", "--simulated", "conv2d", "x=1x2x3x3", "w=1x2x3x3"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize(
    ("words", "status", "printed"),
    [
        ("demo --simulated >&-", 0, ""),
        ("info --json >&-", 0, ""),
        ("cache show --path /nowhere/file 2>&-", 1, ""),
        ("tune --simulated - <&-", 1, "cudnnkit: error: standard input cannot be used: it is no JSON"),
    ],
)
def test_closed_streams(words: str, status: int, printed: str) -> None:
    line = f'"{sys.executable}" -m cudnnkit {words}'
    found = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False, timeout=60)
    assert found.returncode == status
    assert found.stdout == ""
    assert found.stderr.startswith(printed)
    assert bool(found.stderr) == bool(printed)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([*CONV, "--workspace", "9" * 5000], "workspace="),
        ([*CONV, "--workspace", "²"], "workspace="),
        ([*CONV, "padding=" + "[" * 100_000], "padding="),
        ([*CONV[:3], "x=" + "9" * 5000 + "x2x3x3", CONV[4]], "x="),
        (["tune", "--simulated", "--network", "resnet50", "--refine-seconds", "1"], "needs a function and its arrays"),
    ],
)
def test_words_beyond_all_bounds(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("cudnnkit: error: ")
    assert said in printed.err
    assert "CUDNNKIT_TRACEBACK" not in printed.err
    assert len(printed.err) < 1000


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_an_interruption_is_one_line_and_its_own_status(tmp_path: Path) -> None:
    (tmp_path / "waits.py").write_text("import time\ndef f():\n    print('ready', flush=True)\n    time.sleep(60)\n")
    words = [*COMMAND, "tune", "--simulated", "--network", "waits:f"]
    # A run that a script started in the background inherits "ignore" for this signal, and keeps to it.
    running = subprocess.Popen(
        words, cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    try:
        assert running.stdout is not None
        assert running.stdout.readline() == "ready\n"
        time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=30)
    finally:
        running.kill()
    assert running.returncode == 130
    assert told == "cudnnkit: error: interrupted\n"
