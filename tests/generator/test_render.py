"""Rendering: expected files beside tiny headers, the same bytes every time, users' templates, broken templates."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cudnn_bindgen.errors import TemplateRenderError
from cudnn_bindgen.generate import lines_of
from cudnn_bindgen.headers import HeaderSet
from cudnn_bindgen.line import Line
from cudnn_bindgen.model import Api
from cudnn_bindgen.parse import parse
from cudnn_bindgen.render import render

CASES = Path(__file__).parent / "render_cases"
BLESS = os.environ.get("BLESS") == "1"
COMMAND = "cudnn-bindgen generate"


def lines_of_case(name: str) -> list[Line]:
    return lines_of([parse(HeaderSet("9.0.0", CASES, (f"{name}.h",)))])


def shown(files: dict[str, str]) -> dict[str, str]:
    """What a case shows: not what is the same for all, nor cffi's data."""
    return {name: text for name, text in files.items() if name.startswith("v9/") and "_cffi" not in name and text}


@pytest.mark.parametrize("case", sorted(path.stem for path in CASES.glob("*.h")))
def test_expected_files(case: str) -> None:
    files = shown(render(lines_of_case(case), package="tiny", command=COMMAND))
    folder = CASES / case
    if BLESS:
        for name, text in files.items():
            path = folder / f"{name}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    expected = {
        path.relative_to(folder).as_posix().removesuffix(".txt"): path.read_text() for path in folder.rglob("*.txt")
    }
    assert sorted(files) == sorted(expected)
    for name, text in files.items():
        assert text == expected[name], name


def test_same_bytes_in_other_processes(tmp_path: Path) -> None:
    program = (
        "import hashlib, sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\n"
        "from cudnn_bindgen.generate import lines_of\n"
        "from cudnn_bindgen.headers import HeaderSet\n"
        "from cudnn_bindgen.parse import parse\n"
        "from cudnn_bindgen.render import render\n"
        "api = parse(HeaderSet('9.0.0', Path(sys.argv[1]), ('roles.h',)))\n"
        "files = render(lines_of([api]), command='x')\n"
        "print(hashlib.sha256(repr(files).encode()).hexdigest())\n"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program, str(CASES)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def test_rendered_files_are_stamped_with_command_and_versions() -> None:
    files = render(lines_of_case("roles"), package="tiny", command="cudnn-bindgen generate 9.0.0", formatted=False)
    for name, text in files.items():
        if name != "py.typed":
            assert text.startswith("# Written by `cudnn-bindgen generate 9.0.0`"), name


def test_package_name_is_only_in_what_names_it() -> None:
    files = render(lines_of_case("roles"), package="other_name", command=COMMAND)
    assert [name for name, text in files.items() if "cudnn_ffi." in text.replace("``cudnn_ffi.", "")] == []
    assert "other_name.v9._cffi" in files["v9/_cffi.py"]


def test_documentation_stands_in_docstrings_only_when_it_was_kept(header: Callable[..., HeaderSet]) -> None:
    text = (
        "typedef enum { CUDNN_STATUS_SUCCESS = 0 } cudnnStatus_t;\n"
        '/** Says "hello" to a \\backslash. */\n'
        "cudnnStatus_t cudnnHello(int n);\n"
    )
    headers = header(text)
    with_text = render(lines_of([parse(headers, documentation=True)]), command=COMMAND)
    without = render(lines_of([parse(headers)]), command=COMMAND)
    module = next(name for name in with_text if name.startswith("v1/functions/h"))
    assert 'Says "hello" to a \\\\backslash.' in with_text[module]
    assert "Says" not in without[module]
    compile(with_text[module], module, "exec")


# --- users' templates -----------------------------------------------------------------------------------------------


def test_users_templates(tmp_path: Path) -> None:
    (tmp_path / "functions.txt.j2").write_text(
        "{% for line in lines %}{% for f in line.functions %}{{ f.name }}={{ f.method }}\n{% endfor %}{% endfor %}"
    )
    (tmp_path / "__line__").mkdir()
    (tmp_path / "__line__" / "size.py.j2").write_text("COUNT={{ line.functions|length }}")
    (tmp_path / "_shared.j2").write_text("not rendered by itself")
    files = render(lines_of_case("roles"), package="tiny", command=COMMAND, templates=tmp_path)
    assert sorted(files) == ["functions.txt", "v9/size.py"]
    assert "cudnnCreateTensorDescriptor=create_tensor_descriptor\n" in files["functions.txt"]
    assert files["v9/size.py"] == "COUNT = 16\n"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("fine\n{% for x in %}", 2, "Expected an expression"),
        ("fine\nfine\n{{ lines[0].no_such }}", 3, "no_such"),
        ("{{ nothing }}", 1, "nothing"),
        ("\n{{ 1 / 0 }}", 2, "ZeroDivisionError"),
        ("{% include 'missing.j2' %}", 1, "missing.j2"),
    ],
)
def test_broken_template_is_named_with_its_line(tmp_path: Path, text: str, line: int, reason: str) -> None:
    (tmp_path / "broken.txt.j2").write_text(text)
    with pytest.raises(TemplateRenderError) as caught:
        render(lines_of_case("roles"), command=COMMAND, templates=tmp_path)
    message = str(caught.value)
    assert f"{tmp_path / 'broken.txt.j2'}:{line}: " in message
    assert reason in message


def test_template_that_gives_no_python(tmp_path: Path) -> None:
    (tmp_path / "wrong.py.j2").write_text("def (:\n")
    with pytest.raises(TemplateRenderError, match=r"wrong\.py:1"):
        render(lines_of_case("roles"), command=COMMAND, templates=tmp_path)


def test_folder_without_templates(tmp_path: Path) -> None:
    with pytest.raises(TemplateRenderError, match="holds no template"):
        render(lines_of_case("roles"), command=COMMAND, templates=tmp_path / "nowhere")


# --- odd APIs -------------------------------------------------------------------------------------------------------


def test_empty_api() -> None:
    files = render(lines_of([Api("9.0.0")]), command=COMMAND)
    for name, text in files.items():
        if name.endswith(".py"):
            compile(text, name, "exec")


def test_parameters_of_one_python_name_stay_apart(parsed: Callable[..., Api]) -> None:
    files = render(lines_of([parsed("int cudnnF(int a, int A, int self);")]), command=COMMAND)
    assert "def f(self, a: int, a_2: int, self_: int) -> int:" in files["v1/functions/header.py"]
