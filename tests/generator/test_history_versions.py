"""The committed history against the headers of every version it covers."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from cudnn_bindgen.headers import HeaderSet, locate
from cudnn_bindgen.history import History
from cudnn_bindgen.history_facts import normalised
from cudnn_bindgen.history_store import default_path
from cudnn_bindgen.model import Api
from cudnn_bindgen.parse import parse

VERSIONS = History.load().versions


@cache
def committed() -> History:
    return History.load()


@cache
def apis() -> tuple[Api, ...]:
    return tuple(committed().api(version) for version in VERSIONS)


def build(found: list[Api]) -> History:
    history = History()
    for one in found:
        history.add(one)
    return history


def lines(text: str) -> set[str]:
    return {line.rstrip(",") for line in text.splitlines()}


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_comes_back_as_it_was_parsed(version: str, real_headers: Callable[[str], Path]) -> None:
    headers = locate(real_headers(version))
    parsed = parse(HeaderSet(version, headers.folder, headers.entry))
    assert committed().api(version) == normalised(parsed)
    assert [one.name for one in parsed.functions] == [one.name for one in committed().api(version).functions]


def test_the_versions_are_ordered_by_number_and_development_builds_come_first() -> None:
    assert len(VERSIONS) >= 63
    assert VERSIONS[0] == "8.5.0.96"
    place = VERSIONS.index("9.26.0.33.dev63203437")
    assert VERSIONS[place - 1 : place + 3] == (
        "9.25.1.1",
        "9.26.0.33.dev63203437",
        "9.26.0.39.dev64544457",
        "9.26.0.51",
    )
    assert VERSIONS.index("9.10.0.56") > VERSIONS.index("9.9.0.52")


def test_the_file_is_what_its_versions_make_whatever_their_order() -> None:
    shuffled = list(apis())
    random.Random(63).shuffle(shuffled)
    assert build(shuffled).text() == default_path().read_text(encoding="utf-8")


@pytest.mark.parametrize("left_out", ["8.5.0.96", "9.10.0.56", "9.26.0.39.dev64544457", "9.28.0.42", "9.28.1.4"])
def test_adding_the_last_one_makes_the_same_file(left_out: str) -> None:
    history = build([one for one in apis() if one.version != left_out])
    before = history.text()
    history.add(committed().api(left_out))
    assert history.text() == committed().text() != before


def test_adding_9_28_1_changes_only_its_version_macros() -> None:
    upto = [one for one in apis() if one.version != "9.28.1.4" and not one.version.startswith("9.29")]
    older = build(upto)
    newer = build([*upto, committed().api("9.28.1.4")])
    come = [json.loads(line) for line in lines(newer.text()) - lines(older.text())]
    assert "9.28.1.4" in come
    assert {one["macro"] for one in come if isinstance(one, dict)} == {
        "CUDNN_PATCHLEVEL",
        "CUDNN_VERSION",
        "CUDNN_GRAPH_PATCH",
        "CUDNN_OPS_PATCH",
        "CUDNN_ADV_PATCH",
        "CUDNN_CNN_PATCH",
    }


def test_the_file_is_small_and_one_entity_a_line() -> None:
    text = default_path().read_text(encoding="utf-8")
    assert len(text.encode()) < 1_000_000
    head, *rows = text.splitlines()
    assert head.startswith('{"cudnn_bindgen_history":1,"about":"cudnn-bindgen history --add')
    entities = [json.loads(row.rstrip(",")) for row in rows if row.startswith("{")]
    assert len(entities) == len(committed().entities)
    assert entities == json.loads(text)["entities"]
    keys = [tuple(next(iter(row.items()))) for row in entities]
    assert keys == sorted(set(keys))


def test_the_file_holds_facts_and_no_sentences() -> None:
    data = json.loads(default_path().read_text(encoding="utf-8"))
    for row in data["entities"]:
        for fact, value in row.items():
            texts = value.values() if isinstance(value, dict) else [value]
            for text in texts:
                if fact.rstrip("@") in ("c", "fields", "files", "names", "directions") or not isinstance(text, str):
                    continue
                assert not re.search(r"[A-Za-z]{2,} +[A-Za-z]{2,} +[A-Za-z]{2,}", text), row
                assert "/*" not in text


# --- facts written down from the headers by hand ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        ("function", "cudnnSetRNNDescriptor_v6", (("8.5.0", "8.9.7"),)),
        ("function", "cudnnCreate", (("8.5.0", None),)),
        ("record", "cudnnGnnCscGraph_t", (("9.26.0", None),)),
        ("enumerator", "CUDNN_ATTR_OPERATION_BLOCK_SCALE_QUANTIZE_DENOM_FACTOR_MODE", (("9.7.0", "9.7.1"),)),
    ],
)
def test_spans(kind: str, name: str, expected: tuple[tuple[str, str | None], ...]) -> None:
    assert committed().spans(kind, name) == expected


def test_line_9_knows_what_moved() -> None:
    line = committed().line(9)
    assert line.versions[0] == "9.0.0"
    assert "9.26.0" in line.versions
    assert line.versions.count("9.26.0") == 1
    assert line.moved_values["CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR"] == (("9.8.0", 38), ("9.10.0", 40), ("9.10.1", 38))
    assert line.moved_values["CUDNN_BACKEND_OPERATION_EXPAND_BAND_MATRIX_DESCRIPTOR"] == (
        ("9.10.0", 36),
        ("9.10.1", 39),
    )
    assert line.moved_values["CUDNN_ATTR_KERNEL_CACHE_IS_ENGINECFG_KERNEL_CACHED"] == (("9.4.0", 2400), ("9.5.0", 2401))
    graph = line.moved_records["cudnnGnnCscGraph_t"]
    assert [(since, record.size, len(record.fields)) for since, record in graph] == [
        ("9.26.0", 64, 8),
        ("9.28.0", 72, 9),
    ]
    assert line.moved_signatures == {}
    attribute = "CUDNN_ATTR_OPERATION_BLOCK_SCALE_QUANTIZE_DENOM_FACTOR_MODE"
    assert line.spans[attribute] == (("9.7.0", "9.7.1"),)
    (names,) = [
        [member.name for member in enum.enumerators]
        for enum in line.api.enums
        if enum.name == "cudnnBackendAttributeName_t"
    ]
    # Removed, yet in its place: behind the one that it followed.
    assert names[names.index(attribute) - 1] == "CUDNN_ATTR_OPERATION_BLOCK_SCALE_QUANTIZE_BLOCK_SIZE"


def test_line_8_is_untouched_by_9() -> None:
    line = committed().line(8)
    assert (line.versions[0], line.versions[-1], len(line.versions)) == ("8.5.0", "8.9.7", 12)
    assert line.api.version == "8.9.7.29"
    # Renumbered in 9 alone.
    assert "CUDNN_STATUS_NOT_INITIALIZED" not in line.moved_values
    assert line.spans["cudnnSetRNNDescriptor_v6"] == (("8.5.0", None),)
    assert set(line.moved_values) == {"CUDNN_KNOB_TYPE_COUNTS"}
    assert [value for _, value in line.moved_values["CUDNN_KNOB_TYPE_COUNTS"]] == [26, 29, 30, 33, 37]
