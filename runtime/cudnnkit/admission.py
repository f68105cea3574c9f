"""Which candidates a policy admits. One rule for every path: heuristic, measured, pinned, and read from disk.

Admission looks at the candidate and the problem alone. Neither a workspace cap nor free memory plays a part, so raising
the cap can add candidates to choose from but never changes the precision or the determinism of what is chosen.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from cudnnkit.candidates import Description
from cudnnkit.errors import CacheError
from cudnnkit.problem import Problem

__all__ = ["ABSURD_WORKSPACE", "Denial", "denials", "read_denials", "refusal"]

ABSURD_WORKSPACE = 2**46
"""Bytes (64 TiB) from which a reported workspace is no size but a fault; no device has so much."""

# Notes that precision "no-tf32" and "strict" know how to judge.
_HARMLESS = {"tensor_core", "down_convert_inputs", "reduced_precision_reduction", "fft", "nondeterministic", "winograd"}
_HARMLESS |= {"winograd_tile_4x4", "winograd_tile_6x6", "winograd_tile_13x13", "strict_nan_prop"}
_MULTIPLIED = {"x", "w", "dy"}
_WIDE = {"float32", "float64"}
"""Types that ``down_convert_inputs`` would narrow to half precision or less."""


@dataclass(frozen=True)
class Denial:
    """A candidate that is not what cuDNN says, for the versions and architectures where that was seen.

    Attributes
    ----------
    scope
        ``"deterministic"``: not admitted where determinism is asked for; ``"always"``: not admitted at all.
    api, engine, algorithm
        Which candidate; knobs and math type do not matter.
    operation
        In which operation; None for any.
    since, below
        First cuDNN version that has the fault, and the first one that no longer has it; None for open.
    architectures
        Compute capabilities; empty for all.
    reason
        What was seen, and where.
    """

    scope: str
    api: str
    reason: str
    engine: int | None = None
    algorithm: str | None = None
    operation: str | None = None
    since: str | None = None
    below: str | None = None
    architectures: tuple[tuple[int, int], ...] = ()

    def covers(self, one: Description, problem: Problem) -> bool:
        """Whether it speaks of this candidate, of its parts, or of neither."""
        version = _numbers(problem.versions.cudnn)
        return (
            (self.operation is None or self.operation == problem.operation)
            and (not self.architectures or problem.device.architecture in self.architectures)
            and (self.since is None or _numbers(self.since) <= version)
            and (self.below is None or version < _numbers(self.below))
            and any(
                part.api == self.api and part.engine == self.engine and part.algorithm == self.algorithm
                for part in (one.id, *one.id.parts)
            )
        )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def read_denials(data: Mapping[str, Any]) -> tuple[Denial, ...]:
    """The deny list in the form of ``data/denied.json``.

    Raises
    ------
    CacheError
        An entry has an unknown field, an unknown scope or names no candidate.
    """
    result = []
    for place, row in enumerate(data["denied"]):
        try:
            values = dict(row)
            values["architectures"] = tuple((int(major), int(minor)) for major, minor in row.get("architectures", ()))
            one = Denial(**values)
        except (TypeError, ValueError) as error:
            raise CacheError(f"entry {place} of the deny list is wrong: {error}") from error
        if one.scope not in ("deterministic", "always") or (one.engine is None and one.algorithm is None):
            raise CacheError(f"entry {place} of the deny list needs a scope and an engine or an algorithm: {row}")
        result.append(one)
    return tuple(result)


@cache
def denials() -> tuple[Denial, ...]:
    """The deny list that ships with the package."""
    text = (Path(__file__).parent / "data" / "denied.json").read_text(encoding="utf-8")
    return read_denials(json.loads(text))


def refusal(one: Description, problem: Problem, denied: Sequence[Denial] | None = None) -> str | None:
    """Why the problem's policy does not admit a candidate; None when it does.

    Parameters
    ----------
    one
        The candidate.
    problem
        The problem, whose key carries precision and determinism.
    denied
        The deny list; the shipped one unless given.
    """
    for denial in denials() if denied is None else denied:
        applies = denial.scope == "always" or problem.policy.deterministic
        if applies and denial.covers(one, problem):
            return f"on the deny list: {denial.reason}"
    if not 0 <= one.workspace < ABSURD_WORKSPACE:
        return f"reports a workspace of {one.workspace} bytes, which no device has: unsupported"
    reorders = sorted(note for note in one.behaviour if note.startswith("requires_"))
    if reorders:
        return f"needs its operands reordered ({', '.join(reorders)})"
    if problem.policy.deterministic and (not one.deterministic or "nondeterministic" in one.numerical):
        return "is not deterministic"
    precision = problem.policy.precision
    if precision != "fast" and "cublaslt_dependency" in one.behaviour and "float32" in _multiplied_types(problem):
        return f"leaves float32 to cuBLASLt, which takes TF32 without a note, not admitted by precision {precision!r}"
    return _imprecise(one.numerical, problem)


def _multiplied_types(problem: Problem) -> set[str]:
    return {one.dtype for one in problem.tensors if one.role in _MULTIPLIED} or {one.dtype for one in problem.tensors}


def _imprecise(notes: frozenset[str], problem: Problem) -> str | None:
    precision = problem.policy.precision
    types = _multiplied_types(problem)
    # The graph API's form of TENSOR_OP_MATH_ALLOW_CONVERSION: half precision inside, which overflows at 65504. It does
    # not mean TF32, which engines note as "tensor_core": XLA (GenericEngineFilter) and MXNet (ExcludeNumerics) allow
    # that and refuse this by default.
    if "down_convert_inputs" in notes and (precision != "fast" or types & _WIDE):
        return f"rounds its inputs to a smaller type, which precision {precision!r} does not admit"
    if precision == "fast":
        return None
    unknown = sorted(notes - _HARMLESS)
    if unknown:
        return f"has numerical notes unknown here ({', '.join(unknown)}), which only precision 'fast' admits"
    # Half data is native to tensor cores and float64 stays float64 there; float32 is rounded to TF32.
    if "tensor_core" in notes and "float32" in types:
        return f"uses tensor cores (TF32) for float32 data, which precision {precision!r} does not admit"
    if precision == "strict":
        coarse = sorted(notes & {"reduced_precision_reduction", "winograd_tile_13x13"})
        if coarse:
            return f"is too coarse for precision 'strict' ({', '.join(coarse)})"
    return None
