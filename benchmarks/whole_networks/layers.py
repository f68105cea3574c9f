"""Where the time of a network goes: each of its problems with time, floor and candidate, against the captured whole."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import torch
from cudnnkit.choice import Choice
from cudnnkit.tuner import tuner

from whole_networks.contenders import DTYPES, kit, kit_policy, set_torch
from whole_networks.floor import layer_floor_ms
from whole_networks.inference import Inputs, Settings, network_layers
from whole_networks.timing import turns

__all__ = ["lines", "where_time_goes"]


def where_time_goes(inputs: Inputs, precision: str, settings: Settings, peaks: Mapping[str, float]) -> dict[str, Any]:
    """Rows by problem, the most time above the floor first; times are the search's own, of a layer alone."""
    set_torch(precision, settings.torch_limit)
    policy = kit_policy(precision, budget_ms=settings.budget_ms)
    layout = "last"
    with torch.no_grad():
        run = kit(inputs.name, inputs.state, inputs.x.to(DTYPES[precision]), precision, policy, layout, captured=True)
        timed, failed = turns({"cudnnkit": run.call})
        asked = network_layers(inputs, precision, policy, layout)
    rows: list[dict[str, Any]] = []
    for one in asked:
        choice = tuner().cache.peek(one.problem)
        best = choice.best if isinstance(choice, Choice) else None
        alone = None if best is None or best.seconds is None else best.seconds * 1000
        rows.append({
            "label": one.problem.label, "count": one.count, "ms": alone,
            "floor_ms": layer_floor_ms(one.problem, precision, peaks),
            "candidate": None if best is None else str(best.id), "workspace": None if best is None else best.workspace,
        })  # fmt: skip
    rows.sort(key=lambda row: -row["count"] * ((row["ms"] or 0.0) - row["floor_ms"]))
    return {
        "rows": rows,
        "sum_ms": math.fsum(row["count"] * (row["ms"] or 0.0) for row in rows),
        "floor_ms": math.fsum(row["count"] * row["floor_ms"] for row in rows),
        "captured_ms": timed["cudnnkit"].median if timed else None,
        "failure": failed,
    }  # fmt: skip


def lines(found: Mapping[str, Any]) -> list[str]:
    """For people."""
    result = [f"{'count':>5} {'ms':>8} {'floor':>8} {'ratio':>6} {'lost':>7}  candidate: problem"]
    for row in found["rows"]:
        ms, floor = row["ms"], row["floor_ms"]
        if ms is None:
            result.append(
                f"{row['count']:5} {'-':>8} {floor:8.4f} {'-':>6} {'-':>7}  {row['candidate']}: {row['label']}"
            )
            continue
        share, lost = ms / floor if floor else math.inf, row["count"] * (ms - floor)
        result.append(
            f"{row['count']:5} {ms:8.4f} {floor:8.4f} {share:6.2f} {lost:7.3f}  {row['candidate']}: {row['label']}"
        )
    whole = "-" if found["captured_ms"] is None else f"{found['captured_ms']:.3f}"
    result.append(f"layers alone {found['sum_ms']:.3f} ms, floor {found['floor_ms']:.3f} ms, captured whole {whole} ms")
    return [*result, *(f"FAILED {name}: {why}" for name, why in found["failure"].items())]
