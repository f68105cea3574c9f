"""Every field of a tuning document replaced by every wrong kind of value: refused by name, or harmless."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.exchange import export, read
from cudnnkit.store import Store
from cudnnkit.testing import simulated

WRONG: list[Any] = [
    None, -1, 10**30, 1e308, float("nan"), float("inf"), "x", [], {}, True, [[]], [1, 2], "'; DROP TABLE decisions; --",
]  # fmt: skip


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Any:
    store = Store(tmp_path_factory.mktemp("cache") / "tuning.sqlite")
    with simulated(store=store):
        x, w = np.ones((1, 2, 5, 5), "f4"), np.ones((2, 2, 3, 3), "f4")
        ck.conv2d(x, w, np.ones(2, "f4"), activation=("elu", 0.5))
        ck.max_pool(x, 2)
    return json.loads(json.dumps(export(store.records(), reports=True)))


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner: Any = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inner:
        yield (*path, key)
        yield from places(value, (*path, key))


def changed(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    found = copy.deepcopy(document)
    inner = found
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return found


def test_what_is_written_is_read(document: Any) -> None:
    assert json.loads(json.dumps(export(read(document), reports=True))) == document


def test_each_field_with_each_wrong_value(document: Any, tmp_path: Path) -> None:
    store = Store(tmp_path / "tuning.sqlite")
    refused = 0
    for path in places(document):
        for wrong in WRONG:
            try:
                records = read(changed(document, path, wrong))
            except ck.CacheError:
                refused += 1
                continue
            for one in records:  # what was let through must serve everywhere
                assert one.problem.label
                assert one.problem.nbytes >= 0
                assert hash(one.problem) == hash(copy.copy(one.problem))
                assert repr(one.decision)
            assert not records or store.add(records[0], replace=True)
    assert refused > 500
    assert all(one.problem.label for one in store.records())


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        (("problem", "tensors", 0, "role"), 5),
        (("problem", "tensors", 0, "shape", 0), None),
        (("problem", "tensors", 0, "output"), "yes"),
        (("problem", "policy", "deterministic"), 1),
        (("problem", "device", "architecture"), [9]),
        (("problem", "alpha"), "two"),
        (("decision", "level"), float("inf")),
        (("decision", "chain", 0, "workspace"), float("inf")),
        (("decision", "chain", 0, "id", "name"), 5),
        (("created",), 10**400),
        (("created",), True),
        (("problem", "tensors"), []),
        (("problem", "tensors", 0, "shape", 0), 2**70),
        (("problem", "device", "name"), "\ud800"),
        (("problem", "device", "name"), "\x1b[31m"),
        (("decision", "level"), True),
        (("decision", "cut_ms"), float("nan")),
        (("decision", "chain"), {}),
        (("decision", "chain", 0, "workspace"), -5),
        (("decision", "chain", 0, "workspace"), 2**80),
        (("decision", "chain", 0, "workspace"), 1.5),
        (("decision", "chain", 0, "seconds"), -1.0),
        (("decision", "chain", 0, "seconds"), float("nan")),
        (("decision", "chain", 0, "seconds"), "1"),
        (("decision", "chain", 0, "id", "engine"), 2**70),
        (("report",), [1, 2]),
        (("report",), "x"),
        (("report", "seconds"), 10**400),
        (("report", "problem"), "\ud800"),
    ],
)
def test_a_field_of_another_type_is_damage(document: Any, path: tuple[Any, ...], wrong: Any) -> None:
    with pytest.raises(ck.CacheError, match="decision 0 is damaged"):
        read(changed(document, ("decisions", 0, *path), wrong))


def test_what_is_nested_deeply_is_damage(document: Any) -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for path in (("problem", "parameters"), ("decision", "chain", 0, "id", "parts"), ("report", "rows")):
        with pytest.raises(ck.CacheError, match="decision 0"):
            read(changed(document, ("decisions", 0, *path), deep))


def test_the_message_tells_the_value(document: Any) -> None:
    with pytest.raises(ck.CacheError, match=r"decision 0 is damaged.*Alternative has a wrong workspace, '12'"):
        read(changed(document, ("decisions", 0, "decision", "chain", 0, "workspace"), "12"))
