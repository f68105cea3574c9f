"""The goals for whole networks, and whether rows reach them. Nothing here needs a GPU."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whole_networks.rows import NetworkRow

__all__ = ["best_compiled", "goals", "ratio", "shown", "told"]

FIVE = 5
"""Networks that a goal over all of them needs."""
_COMPILE_LIMIT, _FLOOR_LIMIT, _STRICT_LIMIT = 0.80, 2.0, 0.60


def best_compiled(row: NetworkRow) -> float | None:
    """Milliseconds of torch.compile's best mode."""
    return min((ms for name, ms in row.ms.items() if name.startswith("torch_compile")), default=None)


def _kit(row: NetworkRow) -> float | None:
    return None if "cudnnkit" in row.failure else row.ms.get("cudnnkit")


def _over(ours: float | None, theirs: float | None) -> float | None:
    return ours / theirs if ours and theirs else None


def ratio(row: NetworkRow) -> tuple[float | None, float, str]:
    """The row's own ratio, its limit, and what it is a ratio to."""
    if row.kind == "training":
        return _over(_kit(row), best_compiled(row)), 1.0, "torch.compile"
    if row.precision == "strict":
        return _over(_kit(row), row.ms.get("torch_eager")), _STRICT_LIMIT, "torch, benchmark on"
    return _over(_kit(row), best_compiled(row)), _COMPILE_LIMIT, "torch.compile"


def _floor_ratio(row: NetworkRow) -> float | None:
    return _over(_kit(row), row.floor_ms)


def _memory_ratio(row: NetworkRow) -> float | None:
    peaks = row.peak_memory_bytes
    theirs = [size for name, size in peaks.items() if name.startswith("torch_compile")]
    return _over(peaks.get("cudnnkit"), min(theirs, default=None))


def _goal(name: str, values: Sequence[float], limit: float, needed: int, value: float | None) -> dict[str, Any]:
    """Missed by any value above the limit; met only once as many as the goal speaks of were measured."""
    met: bool | None = None
    if value is not None:
        met = False if value > limit else True if len(values) >= needed else None
    return {"name": name, "value": value, "limit": limit, "met": met, "measured": len(values), "of": needed}


def _worst(
    name: str, rows: Iterable[NetworkRow], value: Callable[[NetworkRow], float | None], limit: float, needed: int
) -> dict[str, Any]:
    found = [one for one in map(value, rows) if one is not None]
    return _goal(name, found, limit, needed, max(found, default=None))


def goals(rows: Sequence[NetworkRow]) -> list[dict[str, Any]]:
    """Each goal with its worst value (strict: the geometric mean), its limit, and whether it is met.

    ``met`` is None while a value is missing and none is above the limit.
    """
    forward = [row for row in rows if row.kind == "inference"]

    def of(precision: str, kind: str = "inference") -> list[NetworkRow]:
        return [row for row in rows if row.precision == precision and row.kind == kind]

    result = []
    for precision in ("fp16", "bf16", "tf32"):
        name = f"{precision} inference, worst network, of torch.compile's time"
        result.append(_worst(name, of(precision), lambda row: ratio(row)[0], _COMPILE_LIMIT, FIVE))
    for precision in ("fp16", "bf16"):
        name = f"{precision} inference, worst network, of its floor"
        result.append(_worst(name, of(precision), _floor_ratio, _FLOOR_LIMIT, FIVE))
    strict = [one for one in (ratio(row)[0] for row in of("strict")) if one is not None]
    mean = math.exp(math.fsum(map(math.log, strict)) / len(strict)) if strict else None
    name = "strict FP32 inference, geometric mean, of torch's time with benchmark on"
    result.append(_goal(name, strict, _STRICT_LIMIT, FIVE, mean))
    if mean is not None and len(strict) < FIVE:
        result[-1]["met"] = None  # a mean may still fall
    for precision in ("fp16", "tf32"):
        name = f"ResNet-50 training step, {precision}, of torch.compile's time"
        result.append(_worst(name, of(precision, "training"), lambda row: ratio(row)[0], 1.0, 1))
    with_memory = [row for row in rows if _memory_ratio(row) is not None]
    result.append(_worst("peak memory, worst row, of torch.compile's", with_memory, _memory_ratio, 1.0, 3 * FIVE + 2))
    sums = []
    for precision in dict.fromkeys(row.precision for row in forward):
        taken = [row.seconds["tuning"] for row in forward if row.precision == precision and "tuning" in row.seconds]
        if taken:
            sums.append((math.fsum(taken), len(taken)))
    longest = max(sums, default=(None, 0))
    name = "tuning all networks from an empty cache, seconds, the slowest precision"
    result.append(_goal(name, [0.0] * longest[1], 600.0, FIVE, longest[0]))
    name = "first result from a warm cache in a new process, seconds, the worst"
    result.append(_worst(name, forward, lambda row: row.seconds.get("first_new_process"), 2.0, FIVE))
    return result


def shown(value: float | None, limit: float) -> str:
    """A value with three significant digits, and as many more as tell it from a limit that it is not equal to."""
    if value is None:
        return "-"
    texts = (f"{value:.{digits}g}" for digits in range(3, 18))
    return next((text for text in texts if value == limit or float(text) != limit), f"{value:.3g}")


def told(goal: dict[str, Any]) -> str:
    """One line for people."""
    verdict = {None: "not all measured", True: "met", False: "MISSED"}[goal["met"]]
    value = shown(goal["value"], goal["limit"])
    return f"{goal['name']}: {value} (limit {goal['limit']:g}): {verdict} ({goal['measured']} of {goal['of']})"
