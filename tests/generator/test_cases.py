"""One tiny header for each fault that a header parser can have, beside what must come of it.

``NAME.json`` holds the model, ``NAME.err`` the error. ``BLESS=1 pytest tests/generator/test_cases.py`` rewrites them;
whoever does that reads the difference. What a C compiler can judge is judged by gcc as well, so that a blessed mistake
in a value, an offset or a signature still fails. The first line of a header may say ``// not C`` (gcc refuses it) or
``// documentation`` (parsed with the headers' own comments).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from cudnn_bindgen.errors import BindgenError
from cudnn_bindgen.headers import HeaderSet
from cudnn_bindgen.model import Api
from cudnn_bindgen.parse import parse
from cudnn_bindgen.serialize import from_json, to_json

CASES = Path(__file__).parent / "cases"
NAMES = sorted(path.stem for path in CASES.glob("*.h"))
GOOD = [name for name in NAMES if not name.startswith("error_")]
BAD = [name for name in NAMES if name.startswith("error_")]
BLESS = os.environ.get("BLESS") == "1"


def _headers(name: str) -> HeaderSet:
    return HeaderSet("1.0.0", CASES, (f"{name}.h",))


def _first_line(name: str) -> str:
    return (CASES / f"{name}.h").read_text().partition("\n")[0]


def _expected(path: Path, text: str) -> str:
    if BLESS:
        path.write_text(text)
    assert path.exists(), f"{path.name} is missing; read what BLESS=1 writes there"
    return path.read_text()


@pytest.mark.parametrize("name", GOOD)
def test_model(name: str) -> None:
    api = parse(_headers(name), documentation="documentation" in _first_line(name))
    text = json.dumps(to_json(api), indent=1) + "\n"
    assert text == _expected(CASES / f"{name}.json", text)
    assert from_json(json.loads(text)) == api


@pytest.mark.parametrize("name", [name for name in GOOD if "not C" not in _first_line(name)])
def test_compiler_agrees(name: str, check_with_compiler: Callable[[Api, HeaderSet], object]) -> None:
    headers = _headers(name)
    check_with_compiler(parse(headers), headers)


@pytest.mark.parametrize("name", BAD)
def test_error(name: str) -> None:
    with pytest.raises(BindgenError) as caught:
        parse(_headers(name))
    text = f"{type(caught.value).__name__}: {caught.value}\n".replace(str(CASES), "CASES")
    assert text == _expected(CASES / f"{name}.err", text)


def test_every_expectation_has_its_header() -> None:
    expected = {path.stem for path in CASES.iterdir() if path.suffix in (".json", ".err")}
    assert expected == set(NAMES)
