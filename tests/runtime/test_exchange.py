from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cudnnkit.choice import Alternative, Choice
from cudnnkit.errors import ArgumentError, CacheError
from cudnnkit.exchange import MergeResult, diff, export, merge, prune, read
from cudnnkit.problem import VersionSpec
from cudnnkit.store import Record, Store

from .fakes import graph
from .problems import DEVICE, convolution


def record(
    batch: int = 1, engine: int = 1, seconds: float = 1.0, *, level: int = 1, created: float = 10.0, **problem: Any
) -> Record:
    return Record(convolution(batch, **problem), Choice(Alternative(graph(engine), 0, seconds), level=level), created)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "tuning.sqlite")


def test_export_import_keeps_everything(store: Store) -> None:
    records = [record(2), record(1)]
    document = json.loads(json.dumps(export(records)))
    assert read(document) == sorted(records, key=lambda one: one.problem.canonical())
    assert merge(store, read(document)) == MergeResult(added=2)
    assert export(store.records()) == document


def test_order_of_rows_does_not_change_the_document() -> None:
    records = [record(batch) for batch in (3, 1, 2)]
    assert json.dumps(export(records)) == json.dumps(export(reversed(records)))


def test_reports_only_on_request() -> None:
    one = replace(record(), report={"rows": [1]})
    assert "report" not in export([one])["decisions"][0]
    assert read(export([one], reports=True)) == [one]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (None, "no tuning document"),
        ([], "no tuning document"),
        ({"format": "recipes"}, "no tuning document"),
        ({"format": "cudnnkit-tuning", "version": 2}, "version 2"),
        ({"format": "cudnnkit-tuning", "version": 1}, "no list of decisions"),
        ({"format": "cudnnkit-tuning", "version": 1, "decisions": [3]}, "decision 0 is damaged"),
    ],
)
def test_a_wrong_document_is_named(document: Any, message: str) -> None:
    with pytest.raises(CacheError, match=message) as caught:
        read(document, name="tuning.json")
    assert str(caught.value).startswith("tuning.json")


def test_a_damaged_row_is_counted_out_and_nothing_is_merged() -> None:
    document = export([record(1), record(2)])
    document["decisions"][1]["decision"]["level"] = 17
    with pytest.raises(CacheError, match="decision 1 is damaged"):
        read(document)


@pytest.mark.parametrize(
    ("incoming", "prefer", "stays"),
    [
        (record(engine=2, level=2, created=1), "better", 2),  # more work, though older
        (record(engine=2, level=0, created=99), "better", 1),
        (record(engine=2, level=1, created=99), "better", 2),  # the newer of equals
        (record(engine=2, level=1, created=1), "better", 1),
        (record(engine=2, level=2, created=99), "ours", 1),
        (record(engine=2, level=0, created=1), "theirs", 2),
    ],
)
def test_merge_conflicts(store: Store, incoming: Record, prefer: Any, stays: int) -> None:
    store.add(record(engine=1))
    result = merge(store, [incoming], prefer=prefer)
    assert result == (MergeResult(replaced=1) if stays == 2 else MergeResult(kept=1))
    decision = store.get(convolution(1))
    assert isinstance(decision, Choice)
    assert decision.best.id == graph(stays)


def test_merge_says_what_could_not_be_written(tmp_path: Path) -> None:
    path = tmp_path / "tuning.sqlite"
    Store(path).add(record(1))
    assert merge(Store(path, read_only=True), [record(1), record(2)]) == MergeResult(kept=1, failed=1)


def test_merge_refuses_an_unknown_preference(store: Store) -> None:
    with pytest.raises(ArgumentError, match="'better', 'ours', 'theirs'"):
        merge(store, [], prefer="newest")  # type: ignore[arg-type]


def test_diff_kinds_and_order() -> None:
    before = [record(1), record(2), record(3), record(4), record(5), record(6)]
    after = [
        record(1, seconds=8.0),
        record(2, seconds=0.5),
        record(3, engine=9),
        record(5, seconds=1.04),
        record(6, seconds=2.0, engine=7),
        record(7),
    ]
    changes = diff(before, after)
    assert [(one.kind, one.ratio) for one in changes] == [
        ("slower", 8.0),
        ("slower", 2.0),
        ("faster", 0.5),
        ("changed", 1.0),
        ("removed", None),
        ("added", None),
    ]
    assert changes[0].label == convolution(1).label
    assert isinstance(changes[3].before, Choice)
    assert isinstance(changes[3].after, Choice)
    assert (changes[3].before.best.id, changes[3].after.best.id) == (graph(1), graph(9))
    assert (changes[4].after, changes[5].before) == (None, None)
    assert diff(before, before) == []


def test_diff_across_versions_shows_what_an_upgrade_did() -> None:
    old = record(1, engine=1, versions=VersionSpec("9.18.0", "13.0"))
    new = record(1, engine=2, seconds=8.0, versions=VersionSpec("9.19.0", "13.1"), created=20.0)
    assert [one.kind for one in diff([old], [new])] == ["removed", "added"]
    (change,) = diff([old], [new], across_versions=True)
    assert (change.kind, change.ratio) == ("slower", 8.0)
    # Other devices stay apart.
    other = record(1, versions=VersionSpec("9.19.0", "13.1"), device=replace(DEVICE, architecture=(8, 0)))
    assert [one.kind for one in diff([old], [other], across_versions=True)] == ["removed", "added"]


def test_prune_by_every_condition(store: Store) -> None:
    day = 86400.0
    for one in (
        record(1, created=0),
        record(2, created=9 * day),
        record(3, created=0, level=3),
        record(4, created=9 * day, versions=VersionSpec("9.18.0", "13.0")),
        record(5, created=9 * day, device=replace(DEVICE, name="other")),
    ):
        store.add(one)

    def left() -> list[int]:
        return sorted(one.problem.tensors[0].shape[0] for one in store.records())

    assert prune(store, older_than_days=5, cudnn="1.0", now=lambda: 10 * day) == 0
    assert prune(store, older_than_days=5, now=lambda: 10 * day) == 1
    assert left() == [2, 3, 4, 5]  # the pin stays, however old
    assert prune(store, keep_cudnn="9.19.0") == 1
    assert prune(store, device="other") == 1
    assert left() == [2, 3]
    assert prune(store, cudnn="9.19.0") == 1
    assert left() == [3]


def test_prune_without_a_condition_is_refused(store: Store) -> None:
    store.add(record(1))
    with pytest.raises(ArgumentError, match="at least one condition"):
        prune(store)
    assert len(list(store.records())) == 1


def test_prune_of_a_store_that_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "tuning.sqlite"
    Store(path).add(record(1))
    with pytest.raises(CacheError, match="nothing was removed"):
        prune(Store(path, read_only=True), cudnn="9.19.0")
