"""Commands generate and render, as a user calls them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cudnn_bindgen.cli.main import main
from cudnn_bindgen.headers import HeaderSet
from cudnn_bindgen.history import History
from cudnn_bindgen.parse import parse

HEADER = """
#define CUDNN_MAJOR 9
#define CUDNN_MINOR 1
#define CUDNN_PATCHLEVEL 2
#define CUDNN_BAD (void *)
typedef enum { CUDNN_STATUS_SUCCESS = 0, CUDNN_STATUS_BAD_PARAM = 2000 } cudnnStatus_t;
/** Adds one. */
cudnnStatus_t cudnnAddOne(int n, int *sum);
"""


@pytest.fixture
def headers(tmp_path: Path) -> Path:
    folder = tmp_path / "include"
    folder.mkdir()
    (folder / "cudnn.h").write_text(HEADER)
    return folder


def test_generate_writes_a_package_and_reports(
    headers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["generate", str(headers), "--out", str(tmp_path / "out"), "--package", "mine"]) == 0
    report = capsys.readouterr().out
    assert "cuDNN 9.1.2: 1 functions, 1 enums with 2 enumerators, 0 structs" in report
    assert "1 left out" in report
    package = tmp_path / "out" / "mine"
    assert (package / "py.typed").exists()
    assert "def add_one(self, n: int) -> int:" in (package / "v9" / "functions" / "cudnn.py").read_text()


def test_generated_package_stands_on_its_own(headers: Path, tmp_path: Path) -> None:
    main(["generate", str(headers), "--out", str(tmp_path / "out"), "--package", "mine"])
    program = (
        "import sys\n"
        "for name in ('cffi', 'cudnn_ffi', 'cudnn_bindgen'): sys.modules[name] = None\n"
        "import mine, mine.v9; print(mine.v9.enums.Status.BAD_PARAM.c_name)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(tmp_path / 'out')!r})\n{program}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "CUDNN_STATUS_BAD_PARAM"


def test_strict_fails_for_what_was_left_out_and_writes_nothing(
    headers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["generate", str(headers), "--out", str(tmp_path / "out"), "--strict"]) == 1
    error = capsys.readouterr().err
    assert "cudnn.h:5" in error
    assert "CUDNN_BAD" in error
    assert not (tmp_path / "out").exists()


def test_loss_report(headers: Path, tmp_path: Path) -> None:
    report = tmp_path / "losses.txt"
    main(["generate", str(headers), "--out", str(tmp_path / "out"), "--loss-report", str(report)])
    lines = report.read_text().splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("9.1.2: cudnn.h:5: macro CUDNN_BAD: ")


def test_embedded_documentation(headers: Path, tmp_path: Path) -> None:
    for flag, there in ([], False), (["--embed-docs"], True):
        main(["generate", str(headers), "--out", str(tmp_path / "out"), *flag])
        text = (tmp_path / "out" / "cudnn_ffi" / "v9" / "functions" / "cudnn.py").read_text()
        assert ("Adds one." in text) == there


def test_several_versions_of_two_majors(tmp_path: Path) -> None:
    sources = []
    for number, (major, name) in enumerate([(9, "New"), (8, "Old"), (9, "Newer")]):
        folder = tmp_path / f"include{number}"
        folder.mkdir()
        (folder / "cudnn.h").write_text(
            HEADER.replace("MAJOR 9", f"MAJOR {major}").replace("MINOR 1", f"MINOR {number}").replace("AddOne", name)
        )
        sources.append(str(folder))
    assert main(["generate", *sources, "--out", str(tmp_path / "out")]) == 0
    package = tmp_path / "out" / "cudnn_ffi"
    new, old = ((package / f"v{major}" / "functions" / "cudnn.py").read_text() for major in (9, 8))
    assert "def new(" in new
    assert "def newer(" in new
    assert "def old(" in old
    assert "Until 9.0.2." in new
    assert "Since 9.2.2." in new


def test_unformatted(headers: Path, tmp_path: Path) -> None:
    assert main(["generate", str(headers), "--out", str(tmp_path / "out"), "--no-format"]) == 0
    for path in (tmp_path / "out").rglob("*.py"):
        compile(path.read_text(), str(path), "exec")


@pytest.mark.parametrize("name", ["not-a-name", "class", "9x", ""])
def test_package_name_that_cannot_be_imported(
    headers: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["generate", str(headers), "--out", str(tmp_path / "out"), "--package", name]) == 1
    assert "cannot be imported" in capsys.readouterr().err


def test_folder_of_somebody_else_is_left_alone(
    headers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs = tmp_path / "out" / "cudnn_ffi" / "work.py"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("precious")
    assert main(["generate", str(headers), "--out", str(tmp_path / "out")]) == 1
    assert "name an empty or new folder" in capsys.readouterr().err
    assert theirs.read_text() == "precious"


def test_broken_template_is_one_sentence(headers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    templates = tmp_path / "templates"
    templates.mkdir()
    (templates / "a.txt.j2").write_text("{{ no")
    arguments = ["generate", str(headers), "--out", str(tmp_path / "out"), "--templates", str(templates)]
    assert main(arguments) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "a.txt.j2:1" in error
    assert not (tmp_path / "out").exists()


# --- render ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def history(tmp_path: Path) -> Path:

    folder = tmp_path / "headers"
    folder.mkdir()
    (folder / "cudnn.h").write_text(HEADER)
    merged = History()
    merged.add(parse(HeaderSet("9.1.2", folder, ("cudnn.h",))))
    merged.save(tmp_path / "history.json")
    return tmp_path / "history.json"


def test_render_and_check(history: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "cudnn_ffi"
    arguments = ["render", "--history", str(history), "--out", str(out)]
    assert main(arguments) == 0
    first = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert main(arguments) == 0
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == first
    assert main([*arguments, "--check"]) == 0
    (out / "v9" / "enums.py").write_text("changed")
    (out / "v9" / "errors.py").unlink()
    (out / "more.py").write_text("")
    capsys.readouterr()
    assert main([*arguments, "--check"]) == 1
    error = capsys.readouterr().err
    assert f"{out / 'v9' / 'enums.py'} differs" in error
    assert f"{out / 'v9' / 'errors.py'} is missing" in error
    assert f"{out / 'more.py'} is not written by the generator" in error
    assert (out / "v9" / "enums.py").read_text() == "changed"


def test_committed_bindings_are_what_the_generator_writes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", "--check"]) == 0, capsys.readouterr().err


def test_damaged_history(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damaged = tmp_path / "history.json"
    damaged.write_text(json.dumps({"what": "else"}))
    assert main(["render", "--history", str(damaged), "--out", str(tmp_path / "out")]) == 1
    assert str(damaged) in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_render_outside_a_checkout_says_what_to_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installed = tmp_path / "site-packages" / "cudnn_bindgen" / "cli" / "render_command.py"
    monkeypatch.setattr("cudnn_bindgen.cli.render_command.__file__", str(installed))
    assert main(["render", "--check"]) == 1
    told = "installed outside a checkout; name the package's folder with --out, as in --out generated/cudnn_ffi"
    assert told in capsys.readouterr().err
