"""Tuning documents: export, import, merge, diff and prune, as plain JSON data.

A document can be written on one machine, read by people, kept under version control, and merged on another.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from cudnnkit.choice import Choice, Decision, decision_from_json, decision_to_json
from cudnnkit.errors import ArgumentError, CacheError, shown
from cudnnkit.numbers import is_finite
from cudnnkit.policy import EFFORTS
from cudnnkit.problem import Problem
from cudnnkit.store import Record, Store, report_from_json

__all__ = ["Change", "MergeResult", "diff", "export", "merge", "prune", "read"]

FORMAT = "cudnnkit-tuning"
FORMAT_VERSION = 1

Prefer: TypeAlias = Literal["better", "ours", "theirs"]
"""Which of two decisions for one problem stays: the one with more work behind it (the newer of equals), or a side's."""


def export(records: Iterable[Record], *, reports: bool = False) -> dict[str, Any]:
    """A document of `records`, in a fixed order; with `reports` each carries how it came about."""
    rows = []
    for record in records:
        row = {
            "problem": record.problem.to_json(),
            "decision": decision_to_json(record.decision),
            "created": record.created,
        }
        if reports and record.report is not None:
            row["report"] = dict(record.report)
        rows.append((record.problem.canonical(), row))
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "decisions": [row for _, row in sorted(rows, key=lambda pair: pair[0])],
    }


def read(document: Any, *, name: str = "the document") -> list[Record]:
    """The records of a document.

    Parameters
    ----------
    document
        What ``json.load`` gave.
    name
        What to call it in an error: a path.

    Raises
    ------
    CacheError
        It is no tuning document, of a newer version, or a row is damaged; the message says which.
    """
    if not isinstance(document, Mapping) or document.get("format") != FORMAT:
        raise CacheError(f"{name} is no tuning document; `cache export` writes one")
    if document.get("version") != FORMAT_VERSION:
        raise CacheError(
            f"{name} is of version {document.get('version')!r}, {FORMAT_VERSION} is known here; use a newer cudnnkit"
        )
    rows = document.get("decisions")
    if not isinstance(rows, list):
        raise CacheError(f"{name} has no list of decisions")
    return [_record(row, f"{name}: decision {place}") for place, row in enumerate(rows)]


def _record(row: Mapping[str, Any], name: str) -> Record:
    try:
        problem, decision = Problem.from_json(row["problem"]), decision_from_json(row["decision"])
        created = row["created"]
        if not is_finite(created):
            raise ValueError(f"it was created at {shown(created)}, which is no number of seconds")
        return Record(problem, decision, float(created), report_from_json(row.get("report")))
    except (AttributeError, CacheError, KeyError, TypeError, ValueError) as error:
        raise CacheError(f"{name} is damaged: {error}") from error


@dataclass(frozen=True)
class MergeResult:
    """What a merge did: rows that were new, that replaced one, that stayed out, and that could not be written."""

    added: int = 0
    replaced: int = 0
    kept: int = 0
    failed: int = 0


def merge(store: Store, records: Iterable[Record], *, prefer: Prefer = "better") -> MergeResult:
    """Put records into a store.

    Raises
    ------
    ArgumentError
        `prefer` is none of its values.
    """
    if prefer not in ("better", "ours", "theirs"):
        raise ArgumentError("prefer", prefer, "allowed are 'better', 'ours', 'theirs'")
    here = {record.problem: record for record in store.records()}
    counts = {"added": 0, "replaced": 0, "kept": 0, "failed": 0}
    for record in records:
        old = here.get(record.problem)
        if old is not None and not _goes_first(record, old, prefer):
            counts["kept"] += 1
        elif store.add(record, replace=True):
            counts["added" if old is None else "replaced"] += 1
            here[record.problem] = record
        else:
            counts["failed"] += 1
    return MergeResult(**counts)


def _goes_first(record: Record, old: Record, prefer: Prefer) -> bool:
    if record.decision == old.decision or prefer == "ours":
        return False
    return prefer == "theirs" or (record.decision.level, record.created) > (old.decision.level, old.created)


Kind: TypeAlias = Literal["added", "removed", "changed", "slower", "faster"]


@dataclass(frozen=True)
class Change:
    """One problem on which two sets of decisions differ.

    Attributes
    ----------
    kind
        Only in the second, only in the first, another candidate, or the same problem at another speed.
    label
        The problem in words.
    before, after
        The decisions; None where there is none.
    ratio
        Time after divided by time before, where both were measured.
    """

    kind: Kind
    label: str
    before: Decision | None
    after: Decision | None
    ratio: float | None = None


def diff(
    before: Iterable[Record], after: Iterable[Record], *, across_versions: bool = False, threshold: float = 0.05
) -> list[Change]:
    """How two sets of decisions differ, the largest loss of speed first.

    Parameters
    ----------
    before, after
        Records of two stores or documents.
    across_versions
        Match problems whatever their cuDNN and driver versions: what an upgrade changed.
    threshold
        Share by which times must differ to be called slower or faster.
    """
    old, new = _by_key(before, across_versions), _by_key(after, across_versions)
    changes = []
    for key in [*old, *(key for key in new if key not in old)]:
        first, second = old.get(key), new.get(key)
        change = _change(first, second, threshold)
        if change is not None:
            changes.append(change)
    order = ("slower", "faster", "changed", "removed", "added")
    return sorted(changes, key=lambda one: (order.index(one.kind), -(one.ratio or 0.0), one.label))


def _by_key(records: Iterable[Record], across_versions: bool) -> dict[str, Record]:
    result: dict[str, Record] = {}
    for record in records:
        key = record.problem.without_versions() if across_versions else record.problem.canonical()
        old = result.get(key)
        if old is None or old.created <= record.created:
            result[key] = record
    return result


def _change(first: Record | None, second: Record | None, threshold: float) -> Change | None:
    if first is None:
        return None if second is None else Change("added", second.problem.label, None, second.decision)
    if second is None:
        return Change("removed", first.problem.label, first.decision, None)
    kind: Kind
    ratio = second.seconds / first.seconds if first.seconds and second.seconds else None
    if ratio is not None and ratio > 1 + threshold:
        kind = "slower"
    elif ratio is not None and ratio < 1 / (1 + threshold):
        kind = "faster"
    elif _candidate(first.decision) != _candidate(second.decision):
        kind = "changed"
    else:
        return None
    return Change(kind, second.problem.label, first.decision, second.decision, ratio)


def _candidate(decision: Decision) -> object:
    return decision.best.id if isinstance(decision, Choice) else None


def prune(
    store: Store,
    *,
    older_than_days: float | None = None,
    cudnn: str | None = None,
    keep_cudnn: str | None = None,
    device: str | None = None,
    now: Callable[[], float] = time.time,
) -> int:
    """Remove what matches every condition given, pins excepted; how many rows went.

    Parameters
    ----------
    store
        Where.
    older_than_days
        Made more than so many days ago.
    cudnn, keep_cudnn
        Of this cuDNN version; of any but this.
    device
        Of the device of that name.
    now
        Seconds since 1970.

    Raises
    ------
    ArgumentError
        No condition was given: that would remove everything.
    CacheError
        The store could not be written.
    """
    if older_than_days is None and cudnn is None and keep_cudnn is None and device is None:
        raise ArgumentError("older_than_days", None, "prune needs at least one condition; delete the file to drop all")
    limit = None if older_than_days is None else now() - older_than_days * 86400
    going = [
        record.problem
        for record in store.records()
        if record.decision.level < EFFORTS["pinned"]
        and (limit is None or record.created < limit)
        and (cudnn is None or record.problem.versions.cudnn == cudnn)
        and (keep_cudnn is None or record.problem.versions.cudnn != keep_cudnn)
        and (device is None or record.problem.device.name == device)
    ]
    if going and not store.remove(going):
        raise CacheError(f"{store.path} cannot be written; nothing was removed")
    return len(going)
