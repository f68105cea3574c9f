"""``cudnn_bindgen.api`` called with what its readers try first: short versions, and a version where an API belongs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cudnn_bindgen import api
from cudnn_bindgen.cli.main import main
from cudnn_bindgen.errors import ArgumentTypeError, UnknownVersionError

HISTORY = api.History.load()


@pytest.mark.parametrize(("short", "version"), [("9.10.0", "9.10.0.56"), ("9.10", "9.10.2.21"), ("9.10.0.56",) * 2])
def test_a_short_version_is_its_newest_build(short: str, version: str) -> None:
    assert HISTORY.api(short).version == version


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: api.obtain(9.28), "the version 9.28 is no text; write one in quotes"),  # type: ignore[arg-type]
        (lambda: HISTORY.api(9.1), "the version 9.1 is no text; write one in quotes"),  # type: ignore[arg-type]
        (lambda: api.parse("9.28.1"), "'9.28.1' is no header set; give what obtain"),  # type: ignore[arg-type]
        (lambda: api.diff("9.10.0", "9.10.1"), "'9.10.0' is no Api; give what parse"),  # type: ignore[arg-type]
        (lambda: api.function_facts("9.28"), "'9.28' is no Api"),  # type: ignore[arg-type]
        (lambda: api.attribute_types("9.28"), "'9.28' is no Api"),  # type: ignore[arg-type]
        (lambda: api.to_json("9.28"), "'9.28' is no Api"),  # type: ignore[arg-type]
        (lambda: api.History().add("9.28"), "'9.28' is no Api"),  # type: ignore[arg-type]
        (lambda: api.render(["9.28"], command="x"), "'9.28' is no Line"),  # type: ignore[list-item]
        (lambda: api.render([HISTORY.api("9.28")], command="x"), "is no Line; give what"),  # type: ignore[list-item]
    ],
)
def test_another_kind_of_argument(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ArgumentTypeError) as caught:
        call()
    assert message in str(caught.value)
    assert isinstance(caught.value, TypeError)
    assert len(str(caught.value)) < 150


def test_paths_may_be_text(tmp_path: Path) -> None:
    file, folder = str(tmp_path / "history.json"), str(tmp_path)
    HISTORY.save(file)
    assert api.History.load(file).versions == HISTORY.versions
    (tmp_path / "name.txt.j2").write_text("{{ package }}")
    assert api.render([HISTORY.line(8)], command="x", templates=folder) == {"name.txt": "cudnn_ffi"}


def test_the_way_out_of_a_version_without_a_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(*_: object) -> None:
        raise UnknownVersionError("cuDNN 7.6.5 is not among the 63 known versions")

    monkeypatch.setattr("cudnn_bindgen.headers._at_hand", lambda *_: None)
    monkeypatch.setattr("cudnn_bindgen.fetch.Fetcher.fetch", fetch)
    with pytest.raises(UnknownVersionError, match="known versions; or give a folder with headers"):
        api.obtain("7.6.5")


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("CUDNN_BINDGEN_CACHE", raising=False)
    monkeypatch.setitem(sys.modules, "platformdirs", None)
    assert main(["fetch", "--list", "--offline"]) == 1
    assert "install it with: pip install '.[generator]'\n" in capsys.readouterr().err
