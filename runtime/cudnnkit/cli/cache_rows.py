"""Decisions as rows for people and as plain data."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cudnnkit.choice import Choice, Decision, decision_to_json
from cudnnkit.policy import EFFORTS
from cudnnkit.sizes import format_bytes

if TYPE_CHECKING:
    from cudnnkit.exchange import Change
    from cudnnkit.store import Record

__all__ = ["COLUMNS", "cells", "change_line", "change_row", "milliseconds", "row", "stats", "stats_lines"]

COLUMNS = ("problem", "candidate", "ms", "workspace", "effort", "cuDNN", "device", "made")
_LEVELS = {level: name for name, level in EFFORTS.items()}


def milliseconds(seconds: float | None) -> str:
    """A time for people; ``-`` where nobody measured."""
    return "-" if seconds is None else f"{seconds * 1000:.4g}"


def _when(created: float) -> str:
    """The moment in UTC; times out of the calendar's range stay numbers."""
    try:
        return datetime.fromtimestamp(created, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OSError, OverflowError, ValueError):
        return f"{created:g}"


def _candidate(decision: Decision | None) -> str:
    if decision is None:
        return "nothing"
    return str(decision.best.id) if isinstance(decision, Choice) else "unsupported"


def row(record: Record) -> dict[str, Any]:
    """A decision as plain data: names for people beside what :mod:`cudnnkit.exchange` reads."""
    problem, decision = record.problem, record.decision
    best = decision.best if isinstance(decision, Choice) else None
    return {
        "label": problem.label,
        "operation": problem.operation,
        "candidate": _candidate(decision),
        "ms": None if record.seconds is None else record.seconds * 1000,
        "workspace": None if best is None else best.workspace,
        "effort": _LEVELS[decision.level],
        "cudnn": problem.versions.cudnn,
        "driver": problem.versions.driver,
        "device": problem.device.name,
        "created": record.created,
        "problem": problem.to_json(),
        "decision": decision_to_json(decision),
    }


def cells(record: Record) -> tuple[str, ...]:
    """A decision as texts in the order of `COLUMNS`."""
    data = row(record)
    workspace = "-" if data["workspace"] is None else format_bytes(data["workspace"])
    made = _when(record.created)[:10] if record.created >= 0 else "-"
    texts = [data[name] for name in ("label", "candidate", "effort", "cudnn", "device")]
    return (*texts[:2], milliseconds(record.seconds), workspace, *texts[2:], made)


def stats(path: Path, records: Iterable[Record]) -> dict[str, Any]:
    """Counts of decisions, and the time that finding them took as far as reports tell."""
    listed = list(records)
    reports = [record.report for record in listed]
    return {
        "path": str(path),
        "bytes": path.stat().st_size if path.exists() else 0,
        "decisions": len(listed),
        "efforts": _count(_LEVELS[record.decision.level] for record in listed),
        "operations": _count(record.problem.operation for record in listed),
        "apis": _count(_api(record.decision) for record in listed),
        "devices": _count(record.problem.device.name for record in listed),
        "cudnn": _count(record.problem.versions.cudnn for record in listed),
        "drivers": _count(record.problem.versions.driver for record in listed),
        "search_seconds": math.fsum(map(_seconds, reports)),
        "candidates_measured": sum(_seconds(one) > 0 for report in reports for one in _rows(report)),
        "oldest": min((record.created for record in listed), default=None),
        "newest": max((record.created for record in listed), default=None),
    }


def _seconds(report: object) -> float:
    # Reports of merged documents are as others wrote them.
    value = report.get("seconds") if isinstance(report, Mapping) else None
    return float(value) if isinstance(value, int | float) else 0.0


def _rows(report: object) -> list[Any]:
    rows = report.get("rows") if isinstance(report, Mapping) else None
    return rows if isinstance(rows, list) else []


def _api(decision: Decision) -> str:
    return decision.best.id.api if isinstance(decision, Choice) else "unsupported"


def _count(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


def stats_lines(found: dict[str, Any]) -> list[str]:
    """What :func:`stats` found, for people."""
    lines = [f"{found['path']}: {found['decisions']} decisions, {format_bytes(found['bytes'])}"]
    counted = [name for name in ("efforts", "operations", "apis", "devices", "cudnn", "drivers") if found[name]]
    lines += [f"{name}: " + ", ".join(f"{one} {count}" for one, count in found[name].items()) for name in counted]
    if found["decisions"]:
        measured, seconds = found["candidates_measured"], found["search_seconds"]
        lines.append(f"searching: {seconds:.3g} s, {measured} candidates measured")
        lines.append(f"made: {_when(found['oldest'])} to {_when(found['newest'])}")
    return lines


def change_row(change: Change) -> dict[str, Any]:
    """A difference as plain data."""
    before, after = (
        None if one is None else {"candidate": _candidate(one), "decision": decision_to_json(one)}
        for one in (change.before, change.after)
    )
    return {"kind": change.kind, "label": change.label, "ratio": change.ratio, "before": before, "after": after}


def change_line(change: Change) -> str:
    """A difference for people, with how many times as long it takes now."""
    sides = []
    for one in (change.before, change.after):
        seconds = one.best.seconds if isinstance(one, Choice) else None
        sides.append(_candidate(one) + ("" if seconds is None else f" {milliseconds(seconds)} ms"))
    ratio = "" if change.ratio is None else f" ({change.ratio:.2f}x the time)"
    match change.kind:
        case "added":
            return f"+ {change.label}: {sides[1]}"
        case "removed":
            return f"- {change.label}: {sides[0]}"
    return f"{'!' if change.kind == 'slower' else '~'} {change.kind} {change.label}: {sides[0]} -> {sides[1]}{ratio}"
