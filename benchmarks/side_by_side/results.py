"""What a run writes: rows, geometric means against the goals, and the JSON file. Nothing here needs a GPU."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from common.results_file import ResultsFile

__all__ = [
    "BOUNDS",
    "GOALS",
    "WORST",
    "Goal",
    "Results",
    "Row",
    "bound",
    "geometric_mean",
    "ratios",
    "summary",
    "table",
]

BOUNDS = {"fp16": 1e-3, "bf16": 8e-3, "tf32": 1e-3, "strict": 2e-5}
"""Largest relative Frobenius error against float64 of a short sum. Half types: rounding the result alone costs 3e-4 and
2.3e-3."""
_ROUNDING = 2.0**-24
_HALF = {"fp16": 2.0**-11, "bf16": 2.0**-8}
"""The same of half types."""


def bound(precision: str, length: int, operation: str = "conv") -> float:
    """Largest relative Frobenius error against float64.

    Parameters
    ----------
    precision
        Of the row.
    length
        Products that one element sums up. Where they are added one after another in float32, errors grow with its
        root on random data; tensor cores cut sums off instead of rounding them, which counts four times.
    operation
        Filter gradients of half data come from kernels that round sums of parts to half as well, torch's choices among
        them: one more rounding.
    """
    partly = _HALF.get(precision, 0.0) if operation == "wgrad" else 0.0
    return partly + BOUNDS[precision] + (1 if precision == "strict" else 4) * _ROUNDING * math.sqrt(length)


WORST = 1.05
"""No layer may take more than this times torch's time."""


@dataclass(frozen=True)
class Row:
    """One operation of one layer in one precision.

    Attributes
    ----------
    case, operation, precision
        What.
    ms
        Median milliseconds on the device by library: ``cudnnkit``, ``torch``.
    workspace
        Bytes that cudnnkit's choice needs.
    candidate
        cudnnkit's choice.
    layout
        Memory layout of the operands by library: ``last`` (NHWC) or ``first`` (NCHW).
    error
        Relative Frobenius error against float64 by library.
    failure
        Why there is no time, or why the result is wrong; empty when all is well.
    """

    case: str
    operation: str
    precision: str
    ms: Mapping[str, float | None]
    workspace: int | None = None
    candidate: str | None = None
    layout: Mapping[str, str] | None = None
    error: Mapping[str, float] | None = None
    failure: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes it this row and no other."""
        return self.case, self.operation, self.precision

    @property
    def ratio(self) -> float | None:
        """Time of cudnnkit divided by torch's; None where either is missing or the result was wrong."""
        ours, theirs = self.ms.get("cudnnkit"), self.ms.get("torch")
        return ours / theirs if ours and theirs and not self.failure else None


@dataclass(frozen=True)
class Goal:
    """A geometric mean that shall stay below a limit, over rows of these operations and precisions."""

    name: str
    operations: tuple[str, ...]
    precisions: tuple[str, ...]
    limit: float


_TENSOR_CORES = ("fp16", "bf16", "tf32")
# Strict convolution has a goal of its own, so it does not lift the others.
GOALS = (
    Goal("conv", ("conv",), _TENSOR_CORES, 0.97),
    Goal("conv+bias+relu", ("conv_bias_relu",), _TENSOR_CORES, 0.60),
    Goal("strict FP32 conv", ("conv",), ("strict",), 0.75),
    Goal("gradients", ("dgrad", "wgrad"), (*_TENSOR_CORES, "strict"), 0.97),
)


def geometric_mean(values: Iterable[float]) -> float | None:
    """exp(mean(log)); None of nothing."""
    logs = [math.log(value) for value in values]
    return math.exp(math.fsum(logs) / len(logs)) if logs else None


def ratios(rows: Iterable[Row], operations: Sequence[str], precisions: Sequence[str]) -> list[float]:
    """Ratios of the rows of these operations and precisions that have one."""
    return [
        row.ratio
        for row in rows
        if row.ratio is not None and row.operation in operations and row.precision in precisions
    ]


def summary(rows: Sequence[Row]) -> dict[str, Any]:
    """Geometric means by goal and by group, the rows above `WORST`, and the failures."""
    goals = []
    for goal in GOALS:
        found = ratios(rows, goal.operations, goal.precisions)
        mean = geometric_mean(found)
        met = None if mean is None else mean <= goal.limit
        goals.append({"name": goal.name, "limit": goal.limit, "ratio": mean, "layers": len(found), "met": met})
    groups = {}
    for operation, precision in dict.fromkeys((row.operation, row.precision) for row in rows):
        found = ratios(rows, (operation,), (precision,))
        groups[f"{operation} {precision}"] = {"ratio": geometric_mean(found), "layers": len(found)}
    slow = sorted(
        (row for row in rows if row.ratio is not None and row.ratio > WORST), key=lambda row: -(row.ratio or 0)
    )
    return {
        "goals": goals,
        "groups": groups,
        "above": [{"row": " | ".join(row.key), "ratio": row.ratio} for row in slow],
        "failures": [{"row": " | ".join(row.key), "failure": row.failure} for row in rows if row.failure],
    }


class Results(ResultsFile):
    """The rows so far, flushed to a file as they come.

    Parameters
    ----------
    facts
        ``device``, ``versions``, ``date`` and whatever else stands at the top of the file.
    path
        The file; None to write none.
    """

    def __init__(self, facts: Mapping[str, Any], path: Path | None = None) -> None:
        super().__init__(facts, path)
        self.rows: list[Row] = []

    def resume(self, path: Path) -> None:
        """Take over the rows without failure, and the sections, of an earlier run's file."""
        data = json.loads(path.read_text(encoding="utf-8"))
        self.rows += [row for row in (Row(**one) for one in data["layers"]) if not row.failure]
        self.sections.update({name: data[name] for name in ("host", "first_call") if name in data})

    def has(self, case: str, operation: str, precision: str) -> bool:
        """Whether a row is there already."""
        return any(row.key == (case, operation, precision) for row in self.rows)

    def add(self, row: Row) -> None:
        """Add a row and write the file."""
        self.rows.append(row)
        self.flush()

    def to_json(self) -> dict[str, Any]:
        """Everything, as the file has it."""
        layers = [asdict(row) for row in self.rows]
        return {**self.facts, "summary": summary(self.rows), **self.sections, "layers": layers}


def table(rows: Sequence[Row]) -> str:
    """Rows and the summary for people."""
    lines = [f"{'ratio':>6} {'cudnnkit':>9} {'torch':>9}  row"]
    for row in rows:
        ours, theirs = (_cell(row.ms.get(name), "9.4f") for name in ("cudnnkit", "torch"))
        told = f"FAILED: {row.failure}" if row.failure else f"{row.candidate}, {row.workspace} bytes"
        lines.append(f"{_cell(row.ratio, '6.3f')} {ours} {theirs}  {' | '.join(row.key)}: {told}")
    return "\n".join([*lines, "", *summary_lines(rows)])


def summary_lines(rows: Sequence[Row]) -> list[str]:
    """The summary for people."""
    found = summary(rows)
    lines = []
    for goal in found["goals"]:
        verdict = {None: "not measured", True: "met", False: "MISSED"}[goal["met"]]
        mean = _cell(goal["ratio"], ".3f").strip()
        lines.append(
            f"{goal['name']}: {mean} of torch's time over {goal['layers']} rows, goal {goal['limit']}: {verdict}"
        )
    lines += [f"  {name}: {_cell(one['ratio'], '.3f')} ({one['layers']})" for name, one in found["groups"].items()]
    lines.append(f"{len(found['above'])} rows above {WORST}x, {len(found['failures'])} failures")
    lines += [f"  {one['ratio']:.3f} {one['row']}" for one in found["above"]]
    lines += [f"  {one['row']}: {one['failure']}" for one in found["failures"]]
    return lines


def _cell(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)
