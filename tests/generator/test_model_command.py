"""``cudnn-bindgen model`` and ``schema``, as a user runs them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cudnn_bindgen.cli import main
from cudnn_bindgen.headers import HeaderSet
from cudnn_bindgen.parse import parse
from cudnn_bindgen.serialize import from_json, json_schema

VERSION = "#define CUDNN_MAJOR 9\n#define CUDNN_MINOR 1\n#define CUDNN_PATCHLEVEL 2\n"
GOOD = VERSION + "typedef enum { A = 3 } E;\nint f(E a);\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An include folder with one single cudnn.h."""
    include = tmp_path / "include"
    include.mkdir()
    (include / "cudnn.h").write_text(GOOD)
    return include


def test_readable(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["model", str(folder)]) == 0
    out = capsys.readouterr().out
    assert "cuDNN 9.1.2" in out
    assert "enum E {A = 3};" in out
    assert "int f(E a);" in out


def test_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["model", str(folder), "--json"]) == 0
    api = from_json(json.loads(capsys.readouterr().out))
    assert [function.name for function in api.functions] == ["f"]


def test_out_file_and_loss_report(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "cudnn.h").write_text(GOOD + "#define TWICE(a) ((a) * 2)\n")
    out, report = tmp_path / "model.json", tmp_path / "losses.txt"
    assert main(["model", str(folder), "--json", "--out", str(out), "--loss-report", str(report)]) == 0
    assert from_json(json.loads(out.read_text())).version == "9.1.2"
    assert report.read_text() == "cudnn.h:6: macro TWICE: a function-like macro has no value of its own\n"
    told = f"{out}: cuDNN 9.1.2: 1 functions, 1 enums, 0 structs, 0 handles, "
    assert capsys.readouterr().out.startswith(told)


@pytest.mark.parametrize("option", ["--out", "--loss-report"])
def test_a_missing_folder_is_told_before_the_headers_are_read(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "none" / "file"
    assert main(["model", str(tmp_path / "no headers"), option, str(file)]) == 1
    assert f"cannot write {file}: there is no folder {file.parent}" in capsys.readouterr().err
    assert not file.parent.exists()


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="this system has no /dev/stdout")
def test_out_to_standard_output_is_the_model_alone(folder: Path) -> None:
    words = [sys.executable, "-m", "cudnn_bindgen", "model", str(folder), "--json", "--out", "/dev/stdout"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert from_json(json.loads(done.stdout)).version == "9.1.2"


def test_strict(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["model", str(folder), "--strict"]) == 0
    (folder / "cudnn.h").write_text(GOOD + "#define TWICE(a) ((a) * 2)\n")
    assert main(["model", str(folder)]) == 0
    capsys.readouterr()
    assert main(["model", str(folder), "--strict"]) == 1
    error = capsys.readouterr().err
    assert "1 thing was left out" in error
    assert "cudnn.h:6: macro TWICE" in error


def test_strict_writes_no_model(folder: Path, tmp_path: Path) -> None:
    (folder / "cudnn.h").write_text(GOOD + "#define TWICE(a) ((a) * 2)\n")
    out, losses = tmp_path / "model.json", tmp_path / "losses"
    assert main(["model", str(folder), "--strict", "--out", str(out), "--loss-report", str(losses)]) == 1
    assert not out.exists()
    assert "TWICE" in losses.read_text()


def test_documentation(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "cudnn.h").write_text(VERSION + "/** Says hello. */\nint f(void);\n")
    assert main(["model", str(folder), "--json"]) == 0
    assert "Says hello" not in capsys.readouterr().out
    assert main(["model", str(folder), "--json", "--documentation"]) == 0
    assert "Says hello" in capsys.readouterr().out


def test_one_sentence_for_a_bad_header(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "cudnn.h").write_text(VERSION + "int f(unheard_of a);\n")
    out = tmp_path / "model.json"
    assert main(["model", str(folder), "--json", "--out", str(out)]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("cudnn-bindgen: error: cudnn.h:4: the type unheard_of is declared nowhere")
    assert captured.err.count("\n") == 1
    assert not out.exists()


def test_missing_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["model", str(tmp_path / "nowhere")]) == 1
    assert "nowhere" in capsys.readouterr().err


def test_unwritable_out(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["model", str(folder), "--out", str(tmp_path / "file" / "model.txt")]) == 1
    assert "cannot write" in capsys.readouterr().err


def test_version_7_and_before(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "cudnn.h").write_text(
        "#define CUDNN_MAJOR 7\n#define CUDNN_MINOR 6\n#define CUDNN_PATCHLEVEL 5\n"
        "#define CUDNN_VERSION (CUDNN_MAJOR * 1000 + CUDNN_MINOR * 100 + CUDNN_PATCHLEVEL)\nint f(void);\n"
    )
    assert main(["model", str(folder), "--json"]) == 0
    api = from_json(json.loads(capsys.readouterr().out))
    assert api.version == "7.6.5"
    assert {macro.name: macro.value for macro in api.macros}["CUDNN_VERSION"] == 7605


def test_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out) == json_schema()
    assert main(["schema", "--out", str(tmp_path / "schema.json")]) == 0
    assert json.loads((tmp_path / "schema.json").read_text()) == json_schema()


def test_version_number_macro_alone(header: Callable[..., HeaderSet]) -> None:
    headers = header("#define CUDNN_VERSION 4007\nint f(void);\n")
    assert parse(HeaderSet("", headers.folder, headers.entry)).version == "4.0.7"
