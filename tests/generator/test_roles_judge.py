"""Inferred directions held against the headers' own ``@param`` marks, which stand there from 9.22 on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from cudnn_bindgen.headers import locate
from cudnn_bindgen.history import History
from cudnn_bindgen.inference import function_facts
from cudnn_bindgen.model import Api
from cudnn_bindgen.parse import parse

# The newest version of each minor line that has marks, and how many `grep` finds in its headers.
MARKED = {
    "9.22.0.52": 1220,
    "9.23.2.1": 1224,
    "9.24.1.1": 1281,
    "9.25.1.1": 1224,
    "9.26.1.1": 1277,
    "9.27.0.42": 1277,
    "9.28.1.4": 1277,
}


def known_disagreements() -> dict[tuple[str, str], dict[str, str]]:
    text = files("cudnn_bindgen").joinpath("data").joinpath("header_disagreements.json").read_text(encoding="utf-8")
    return {
        (function, parameter): entry
        for function, parameters in json.loads(text).items()
        for parameter, entry in parameters.items()
    }


def marks(api: Api) -> Iterator[tuple[tuple[str, str], str, str]]:
    """Function and parameter, the header's mark, and what is inferred."""
    facts = function_facts(api)
    for function in api.functions:
        for parameter, inferred in zip(function.parameters, facts[function.name].parameters, strict=True):
            assert parameter.name == inferred.name
            if parameter.documented is not None:
                yield (function.name, parameter.name), parameter.documented, inferred.direction


@pytest.mark.parametrize("version", MARKED)
def test_directions_agree_with_the_marks(version: str, real_headers: Callable[[str], Path]) -> None:
    known = known_disagreements()
    rows = list(marks(parse(locate(real_headers(version)))))
    differ = {name: {"documented": mark, "inferred": ours} for name, mark, ours in rows if mark != ours}
    share = 100 * (len(rows) - len(differ)) / len(rows)
    print(f"\ncuDNN {version}: {len(rows) - len(differ)} of {len(rows)} marks agree ({share:.1f} %)")
    assert len(rows) == MARKED[version]
    assert differ == {
        name: {"documented": entry["documented"], "inferred": entry["inferred"]}
        for name, entry in known.items()
        if name in differ
    }


def test_no_listed_disagreement_is_stale_and_each_says_why() -> None:
    history = History.load(None)
    rows = [row for version in history.versions for row in marks(history.api(version))]
    differ = {(name, mark, ours) for name, mark, ours in rows if mark != ours}
    known = known_disagreements()
    assert {(name, entry["documented"], entry["inferred"]) for name, entry in known.items()} == differ
    assert all(entry["reason"] for entry in known.values())
    assert len(known) <= 26  # a new one is fixed by a rule before it is listed


def test_what_both_majors_have_is_the_same_in_both() -> None:
    history = History.load(None)
    old, new = history.api("8.9.7.29"), history.api("9.28.1.4")
    old_facts, new_facts = function_facts(old), function_facts(new)
    signatures = {function.name: [str(one.type) for one in function.parameters] for function in old.functions}
    shared = [one.name for one in new.functions if signatures.get(one.name) == [str(p.type) for p in one.parameters]]
    assert len(shared) > 180
    for name in shared:
        assert old_facts[name] == new_facts[name]
