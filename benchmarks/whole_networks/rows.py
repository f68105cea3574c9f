"""What a run of whole networks writes: rows, the JSON file. Nothing here needs a GPU."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from common.results_file import ResultsFile

from whole_networks.goals import goals

__all__ = ["BOUNDS", "MODES", "NETWORKS", "PRECISIONS", "NetworkRow", "Results", "order"]

NETWORKS = ("vgg19", "darknet19", "resnet50", "darknet53", "resnext50")
PRECISIONS = ("fp16", "bf16", "tf32", "strict")
MODES = ("cudnnkit", "cudnnkit_eager", "torch_eager", "torch_graph", "torch_compile")
"""Keys of ``ms``; ``torch_compile_max_autotune`` comes on request."""

BOUNDS = {"fp16": 1e-2, "bf16": 8e-2, "tf32": 1e-2, "strict": 1e-4}
"""Largest relative Frobenius error of a network's output against float64 with the same weights.

A layer rounds its result and its weights by half a unit in the last place, 2**-12, 2**-9, 2**-12 (TF32's inputs) and
2**-24, and errors of some fifty layers add up like independent ones, by their root: 7 * 2**-11 is 3.4e-3.
"""


@dataclass(frozen=True)
class NetworkRow:
    """One network in one precision.

    Attributes
    ----------
    network, precision
        What; fp16, bf16, tf32 or strict.
    kind
        ``inference`` (forward) or ``training`` (a step: forward, both gradients, SGD with momentum).
    batch, image
        N, and H = W.
    ms
        Median milliseconds by library and mode.
    spread
        By mode: the least and the largest sample, and how many there were.
    floor_ms
        Sum over layers of max(operations / measured peak, least bytes / measured bandwidth).
    peak_memory_bytes
        By library and mode: see ``memory.py`` for what is counted.
    error
        Relative Frobenius error of the output against float64, by library and mode.
    layout
        Memory layout of the images by library and mode: ``last`` (NHWC) or ``first`` (NCHW).
    seconds
        One-off costs: ``tuning`` from an empty cache, ``compile``, ``first_same_process``, ``first_new_process``,
        ``refine``.
    notes
        Whatever else there is to say, by subject; ``budget_ms`` is what a search was given, since rows of several runs
        may stand together.
    failure
        Why something has no time or is wrong, by library and mode, or by the one-off cost.
    """

    network: str
    precision: str
    kind: str = "inference"
    batch: int = 0
    image: int = 0
    ms: Mapping[str, float] = field(default_factory=dict)
    spread: Mapping[str, Any] = field(default_factory=dict)
    floor_ms: float | None = None
    peak_memory_bytes: Mapping[str, int] = field(default_factory=dict)
    error: Mapping[str, float] = field(default_factory=dict)
    layout: Mapping[str, str] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    notes: Mapping[str, Any] = field(default_factory=dict)
    failure: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes it this row and no other."""
        return self.network, self.precision, self.kind


def order(networks: Sequence[str], precisions: Sequence[str], *, training: bool) -> list[tuple[str, str, str]]:
    """Keys of the rows in the order of their importance: fp16, TF32, bf16, strict, then the training steps."""
    ranked = sorted(precisions, key=("fp16", "tf32", "bf16", "strict").index)
    keys = [(network, precision, "inference") for precision in ranked for network in networks]
    if training and "resnet50" in networks:
        keys += [("resnet50", precision, "training") for precision in ranked if precision in ("fp16", "tf32")]
    return keys


class Results(ResultsFile):
    """The rows so far, flushed to a file as they come.

    Parameters
    ----------
    facts
        ``device``, ``versions``, ``date``, ``settings``.
    path
        The file; None to write none.
    """

    def __init__(self, facts: Mapping[str, Any], path: Path | None = None) -> None:
        super().__init__(facts, path)
        self.rows: dict[tuple[str, str, str], NetworkRow] = {}

    def resume(self, path: Path) -> None:
        """Take over the rows and the other sections of an earlier run's file."""
        data = json.loads(path.read_text(encoding="utf-8"))
        for one in data["networks"]:
            row = _told(NetworkRow(**one), data)
            self.rows[row.key] = row
        for name in ("peaks", "ideas", "layers"):
            if name in data:
                self.sections[name] = {**self.sections.get(name, {}), **data[name]}

    def has(self, key: tuple[str, str, str], modes: Sequence[str]) -> bool:
        """Whether a row is there with a time, or with a reason for none, for each of `modes`."""
        row = self.rows.get(key)
        return row is not None and all(mode in row.ms or mode in row.failure for mode in modes)

    def add(self, row: NetworkRow) -> None:
        """Add or replace a row, and write the file."""
        self.rows[row.key] = _told(row, self.facts)
        self.flush()

    def to_json(self) -> dict[str, Any]:
        """Everything, as the file has it."""
        rows = list(self.rows.values())
        return {**self.facts, "goals": goals(rows), **self.sections, "networks": [asdict(row) for row in rows]}


def _told(row: NetworkRow, facts: Mapping[str, Any]) -> NetworkRow:
    """The row with what the searches of its run were given."""
    budget = facts.get("settings", {}).get("budget_ms")
    return row if budget is None else replace(row, notes={"budget_ms": budget, **row.notes})
