"""What a search found out, for ``explain``: every candidate with time, workspace, precision, notes, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from cudnnkit.candidates import CandidateId, Description
from cudnnkit.sizes import format_bytes

__all__ = ["Row", "SearchReport", "Status"]

Status: TypeAlias = Literal["chosen", "measured", "usable", "refused", "failed", "skipped"]
"""Refused by policy; failed when tried; skipped for lack of time or memory; usable but not measured."""


@dataclass(frozen=True)
class Row:
    """One candidate.

    Attributes
    ----------
    description
        What it said of itself.
    status, reason
        What became of it, and why in words.
    seconds, samples
        Median time on the device of a launch on its own, and how many runs are behind both times.
    workspace
        Bytes it really needs, or reported where it was never prepared.
    final
        Median seconds of a launch in the search's final: back to back, on operands that the cache does not hold. None
        where it was not in a final. It compares with other finals' only.
    """

    description: Description
    status: Status
    reason: str
    seconds: float | None = None
    samples: int = 0
    workspace: int = 0
    final: float | None = None

    @property
    def order(self) -> tuple[bool, bool, float]:
        """For sorting, the fastest first: finalists by the final, then the others by single launches."""
        return self.seconds is None, self.final is None, self.final or self.seconds or 0.0

    @property
    def notes(self) -> tuple[str, ...]:
        """Numerical and behaviour notes, and what else matters, in words."""
        one = self.description
        extra = [
            "deterministic" if one.deterministic and "nondeterministic" not in one.numerical else "not deterministic"
        ]
        return (*sorted(one.numerical - {"nondeterministic"}), *sorted(one.behaviour), *extra)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        one = self.description
        return {
            "candidate": one.id.to_json(),
            "label": str(one.id),
            "rank": one.rank,
            "status": self.status,
            "reason": self.reason,
            "seconds": self.seconds,
            "final": self.final,
            "samples": self.samples,
            "workspace": self.workspace,
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class SearchReport:
    """One search.

    Attributes
    ----------
    problem
        The problem in words.
    search
        Mode: heuristic, measure or exhaustive.
    rows
        Every candidate in the order in which it was tried.
    seconds
        How long the search took on the host.
    cap
        Workspace that was allowed, bytes.
    cut
        The budget ran out before every candidate was tried.
    constrained
        A lack of memory kept something from being tried.
    disturbed
        Times drifted while measuring, so something else used the device.
    refusals
        Pairs of an origin of candidates, ``"the graph API"``, and why it offers none.
    """

    problem: str
    search: str
    rows: tuple[Row, ...]
    seconds: float
    cap: int
    cut: bool = False
    constrained: bool = False
    disturbed: bool = False
    refusals: tuple[tuple[str, str], ...] = ()

    @property
    def chosen(self) -> Row | None:
        """The row that won, or that is in use for another reason, which it gives."""
        return next((row for row in self.rows if row.status == "chosen"), None)

    def with_choice(self, one: CandidateId, reason: str) -> SearchReport:
        """The same search where `one` is in use because of `reason`, whatever won."""
        rows = []
        for row in self.rows:
            if row.description.id == one:
                row = replace(row, status="chosen", reason=reason)
            elif row.status == "chosen":
                status: Status = "usable" if row.seconds is None else "measured"
                row = replace(row, status=status, reason=f"won this search ({row.reason}), but is not in use")
            rows.append(row)
        return replace(self, rows=tuple(rows))

    def to_json(self) -> Mapping[str, Any]:
        """Plain data."""
        return {
            "problem": self.problem,
            "search": self.search,
            "seconds": self.seconds,
            "cap": self.cap,
            "cut": self.cut,
            "constrained": self.constrained,
            "disturbed": self.disturbed,
            "refusals": [list(pair) for pair in self.refusals],
            "rows": [row.to_json() for row in self.rows],
        }

    def text(self) -> str:
        """A table for people, fastest first, then what was not measured; milliseconds alone and in the final."""
        head = [
            self.problem,
            f"search {self.search}: {self.seconds * 1000:.0f} ms, workspace up to {format_bytes(self.cap)}",
        ]
        head += ["the budget ended the search before every candidate was tried"] if self.cut else []
        head += ["a lack of memory kept candidates from being tried"] if self.constrained else []
        head += ["times drifted: something else used the device"] if self.disturbed else []
        table = [("ms", "final", "workspace", "candidate", "status", "notes", "why")]
        for row in sorted(self.rows, key=lambda row: row.order):
            single, final = ("-" if one is None else f"{one * 1000:.4g}" for one in (row.seconds, row.final))
            notes = ", ".join(row.notes)
            size = format_bytes(row.workspace)
            table.append((single, final, size, str(row.description.id), row.status, notes, row.reason))
        widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
        lines = [
            "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip() for line in table
        ]
        none = [f"{origin} offers nothing: {reason.splitlines()[0]}" for origin, reason in self.refusals if reason]
        return "\n".join([*head, *lines, *none])
