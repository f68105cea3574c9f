"""The README and the documentation pages: every example runs, and the table of versions is the history's."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cudnn_bindgen.cli import main
from cudnn_bindgen.versions_table import BEGIN, END

ROOT = Path(__file__).resolve().parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
# What asks the network for more than one version's headers.
NETWORK = ("fetch --list", "--all")
DIFFERS = "diff 9.10.0 9.10.1 --check"


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def commands() -> list[tuple[str, str]]:
    """Every ``cudnn-bindgen`` line of a shell block, with the page it stands on."""
    found = [
        (page.name, line.strip())
        for page in PAGES
        for block in blocks(page, "sh")
        for line in block.splitlines()
        if line.strip().startswith("cudnn-bindgen ") and not any(part in line for part in NETWORK)
    ]
    return list(dict.fromkeys(found))


def history() -> dict[str, list[object]]:
    text: dict[str, list[object]] = json.loads((ROOT / "generated" / "history.json").read_text(encoding="utf-8"))
    return text


# --- examples -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.name)
def test_python_examples_run(
    page: Path,
    tmp_path: Path,
    real_library: Callable[[int], Path],
    real_headers: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All blocks of a page run in one fresh interpreter, in order, and print what its ``text`` blocks show."""
    real_headers("9.28.1.4")
    monkeypatch.setenv("CUDNN_FFI_LIBRARY", str(real_library(9)))
    monkeypatch.setenv("CUDNNKIT_CACHE_DIR", str(tmp_path / "cache"))
    script = tmp_path / "examples.py"
    script.write_text("\n".join(blocks(page, "python")), encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    printed = iter(done.stdout.splitlines())
    for line in "".join(blocks(page, "text")).splitlines():
        assert line in printed, f"{page.name} shows {line!r}, which is not what its examples print in that place"


def test_readme_examples_print_what_cudnn_knows(
    tmp_path: Path,
    real_library: Callable[[int], Path],
    real_headers: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real_headers("9.28.1.4")
    monkeypatch.setenv("CUDNN_FFI_LIBRARY", str(real_library(9)))
    operating, calling, building = (
        subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, cwd=tmp_path, check=True).stdout
        for block in blocks(ROOT / "README.md", "python")
    )
    assert "graph engine" in operating
    assert "legacy" in operating
    assert "chosen" in operating
    assert calling.endswith(f" {2 * 64 * 256 * 56 * 56} bytes\n")
    assert "cudnnFindConvolutionForwardAlgorithmEx" in building
    assert "('alpha', 'in', 'host_scalar')" in building


@pytest.mark.parametrize(("page", "line"), commands(), ids=lambda value: value)
def test_commands_run(
    page: str,
    line: str,
    tmp_path: Path,
    real_headers: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    del page
    arguments = shlex.split(line, comments=True)[1:]
    if {"generate", "verify", "model", "fetch", "history"} & set(arguments):
        headers = real_headers("9.28.1.4")
        arguments = [str(headers) if word == "/usr/include" else word for word in arguments]
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == (1 if DIFFERS in line else 0)
    written = {"--out"} & set(arguments)
    assert any(tmp_path.iterdir()) if written else capsys.readouterr().out


def test_generated_package_stands_on_its_own(
    tmp_path: Path,
    real_library: Callable[[int], Path],
    real_headers: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As the README has it: found through ``PYTHONPATH`` before the installed one."""
    real_headers("9.28.1.4")
    assert main(["generate", "9.28.1", "--out", str(tmp_path / "build"), "--no-format"]) == 0
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "build"))
    monkeypatch.setenv("CUDNN_FFI_LIBRARY", str(real_library(9)))
    code = "import cudnn_ffi; print(cudnn_ffi.__file__); print(cudnn_ffi.load().version_text)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stdout.splitlines() == [str(tmp_path / "build" / "cudnn_ffi" / "__init__.py"), "9.28.1"]


# --- versions -------------------------------------------------------------------------------------------------------


def rows() -> dict[str, list[str]]:
    table = (ROOT / "README.md").read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.strip().splitlines()]
    return {row[0]: row[1:] for row in cells[2:]}


def test_versions_are_the_historys() -> None:
    """Counted in the history file's own text, not through the code that writes the table."""
    versions = [str(one).split(".") for one in history()["versions"]]
    expected = {}
    for major in ("8", "9"):
        own = sorted(tuple(map(int, one[:3])) for one in versions if one[0] == major)
        ends = [".".join(map(str, one)) for one in (own[0], own[-1])]
        expected[f"v{major}"] = [" to ".join(ends), str(len(own))]
    assert {line: row[:2] for line, row in rows().items()} == expected


@pytest.mark.parametrize(("major", "first"), [(8, "8.5.0.96"), (9, "9.0.0.312")])
def test_functions_are_those_of_the_first_and_the_last_version(major: int, first: str) -> None:
    newest_first = [str(one) for one in history()["versions"]]
    last = next(one for one in newest_first if one.startswith(f"{major}."))

    def number(version: str) -> int:
        place = newest_first.index(version)

        def covers(run: str) -> bool:
            since, _, until = run.partition("-")
            return place <= newest_first.index(since) and (not until or place >= newest_first.index(until))

        entities = [one for one in history()["entities"] if isinstance(one, dict) and "function" in one]
        return sum(any(map(covers, one["in"].split(","))) for one in entities)

    assert rows()[f"v{major}"][2] == f"{number(first)}, {number(last)}"


def test_what_moved_is_named() -> None:
    """The moves that a diff of the headers' text shows."""
    moved = rows()["v9"][3]
    assert "`cudnnBackendDescriptorType_t` (9.10.0, 9.10.1)" in moved
    assert "`cudnnBackendAttributeName_t` (9.5.0)" in moved
    assert "layout of `cudnnGnnCscGraph_t` (9.28.0)" in moved


def test_table_is_current_and_can_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    before, _, rest = text.partition(f"{BEGIN}\n")
    page = tmp_path / "page.md"
    page.write_text(f"{before}{BEGIN}\nold\n{END}{rest.partition(END)[2]}", encoding="utf-8")
    assert main(["history", "--table", str(page)]) == 0
    assert page.read_text(encoding="utf-8") == text, "README.md lags behind: cudnn-bindgen history --table README.md"
    assert main(["history", "--table", str(page)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{page}: the table of versions was brought up to date",
        f"{page}: the table of versions is up to date",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "cannot be read (No such file or directory); name a Markdown file with the line <!-- versions -->"),
        ("no marks\n", "has no place for the table; give it the lines <!-- versions --> and <!-- /versions -->"),
        (f"{BEGIN}\n", "has no place for the table; give it the lines <!-- versions --> and <!-- /versions -->"),
    ],
    ids=["missing", "no-marks", "no-end"],
)
def test_table_needs_its_marks(
    text: str | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    if text is not None:
        page.write_text(text, encoding="utf-8")
    assert main(["history", "--table", str(page)]) == 1
    assert capsys.readouterr().err == f"cudnn-bindgen: error: {page} {message}\n"
    assert text is None or page.read_text(encoding="utf-8") == text


def test_version_tells_what_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    versions = history()["versions"]
    assert f"knows {len(versions)} cuDNN versions, {versions[-1]} to {versions[0]}\n" in capsys.readouterr().out
