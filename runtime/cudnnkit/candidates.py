"""One way of computing a problem, whichever API it comes from, behind one small protocol.

A candidate is described before it costs anything, prepared (which may compile), and then run. Its identity is what
cuDNN itself keeps stable, engine and knobs or algorithm and math type, never a place in a list: heuristics change their
order with every version.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, get_args

from cudnnkit.errors import CacheError
from cudnnkit.typed import check_fields

__all__ = ["HINDMOST", "Api", "Candidate", "CandidateId", "Description", "Executable", "in_try_order", "legacy_notes"]

Api: TypeAlias = Literal["graph", "legacy", "blas", "array", "decomposed"]
"""Graph engine; legacy algorithm; matrix product of cuBLASLt; the array library's own kernel; several steps, each a
candidate of its own."""

A_contra = TypeVar("A_contra", contravariant=True)
T = TypeVar("T")


@dataclass(frozen=True)
class CandidateId:
    """What a candidate is called on disk.

    Attributes
    ----------
    api
        Where it comes from.
    engine, knobs
        Of a graph engine: its global index, and pairs of knob type and value (kept sorted). Of cuBLASLt: the
        algorithm's id, and pairs of configuration attribute and value.
    algorithm, math_type
        Of a legacy algorithm: enumerators without prefix, ``"IMPLICIT_PRECOMP_GEMM"`` and ``"FMA"``. Of cuBLASLt: the
        compute type, ``"F32_FAST_TF32"``, alone.
    name
        Which kernel, which way of taking the problem apart, or the mode of a legacy call.
    parts
        Of a decomposed candidate: what its steps are.
    """

    api: Api
    engine: int | None = None
    knobs: tuple[tuple[int, int], ...] = ()
    algorithm: str | None = None
    math_type: str | None = None
    name: str = ""
    parts: tuple[CandidateId, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "knobs", tuple(sorted((kind, value) for kind, value in self.knobs)))

    def __str__(self) -> str:
        if self.api == "graph":
            knobs = ", ".join(f"{kind}={value}" for kind, value in self.knobs)
            text = f"graph engine {self.engine}" + (f" (knobs {knobs})" if knobs else "")
        elif self.api == "blas":
            config = ", ".join(f"{key}={value}" for key, value in self.knobs)
            text = f"cuBLASLt algorithm {self.engine} in {self.math_type} ({config})"
        elif self.api == "legacy":
            text = f"legacy {self.algorithm}" + (f" with {self.math_type} math" if self.math_type else "")
            text += f" ({self.name})" if self.name else ""
        else:
            text = f"{self.api} {self.name}"
        return f"{text} [{'; '.join(map(str, self.parts))}]" if self.parts else text

    def to_json(self) -> dict[str, Any]:
        """Plain data; fields at their default are left out."""
        data: dict[str, Any] = {"api": self.api}
        for name in ("engine", "algorithm", "math_type"):
            if getattr(self, name) is not None:
                data[name] = getattr(self, name)
        if self.name:
            data["name"] = self.name
        if self.knobs:
            data["knobs"] = [list(pair) for pair in self.knobs]
        if self.parts:
            data["parts"] = [part.to_json() for part in self.parts]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CandidateId:
        """From :meth:`to_json`'s data.

        Raises
        ------
        CacheError
            The data is no identity.
        """
        try:
            if data["api"] not in get_args(Api):
                raise ValueError(f"unknown api {data['api']!r}")
            values = dict(data)
            values["knobs"] = tuple((int(kind), int(value)) for kind, value in data.get("knobs", ()))
            values["parts"] = tuple(cls.from_json(part) for part in data.get("parts", ()))
            found = cls(**values)
            check_fields(found)
            return found
        except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError) as error:
            raise CacheError(f"a candidate's identity is damaged: {type(error).__name__} {error}") from error


@dataclass(frozen=True)
class Description:
    """What is known of a candidate before it is prepared.

    Attributes
    ----------
    id
        Its identity.
    rank
        Its place in the heuristic of its API; 0 is that heuristic's first answer.
    workspace
        Bytes it reports to need.
    deterministic
        It is said to give the same bits on every run.
    needs_compilation
        Preparing it compiles at run time, which takes up to seconds.
    numerical, behaviour
        cuDNN's notes, as enumerators without prefix in lower case: ``"tensor_core"``, ``"runtime_compilation"``. A note
        that these bindings do not know is ``"note_12"``.
    """

    id: CandidateId
    rank: int
    workspace: int = 0
    deterministic: bool = True
    needs_compilation: bool = False
    numerical: frozenset[str] = frozenset()
    behaviour: frozenset[str] = frozenset()


class Executable(Protocol[A_contra]):
    """A prepared candidate. It belongs to the thread and device that prepared it."""

    @property
    def workspace(self) -> int:
        """Bytes it really needs, which may differ from what was reported before."""
        ...

    def run(self, arguments: A_contra, workspace: int) -> None:
        """Launch on the current stream; `workspace` is the address of at least that many bytes (0 when none)."""
        ...

    def close(self) -> None:
        """Free what preparing made. Calling it twice does no harm."""
        ...


class Candidate(Protocol[A_contra]):
    """A way of computing one problem."""

    @property
    def description(self) -> Description: ...

    def prepare(self) -> Executable[A_contra]:
        """Build what :meth:`Executable.run` needs; any exception means that this candidate cannot serve."""
        ...


_ORDER: Mapping[str, int] = {api: place for place, api in enumerate(get_args(Api))}


HINDMOST = 1000
"""Rank from which a candidate is tried after all others, those that need compilation included. No heuristic of cuDNN
gives so many answers."""


FOREMOST = 8
"""So many of a heuristic's answers are tried in its own order, whatever their engines. Chosen, not tuned."""


def in_try_order(candidates: Iterable[tuple[T, Description]]) -> list[T]:
    """Candidates, each with its description, in the order in which they are tried.

    What needs compilation comes late, and what is slow or clumsy by its nature (:data:`HINDMOST`) last; otherwise the
    APIs take turns in the order of their own heuristics, so that a short budget sees the best few of each. Behind those
    few, each engine has a turn before any engine has another one with other knobs: a heuristic that is wrong about an
    engine is wrong about all its knobs, and there can be a hundred.
    """
    seen: set[tuple[bool, Api, int | None]] = set()
    turns: list[tuple[tuple[bool, bool, bool], T]] = []
    for candidate, one in sorted(candidates, key=lambda pair: _by_rank(pair[1])):
        engine = one.needs_compilation, one.id.api, one.id.engine
        again = one.rank >= FOREMOST and one.id.engine is not None and engine in seen
        turns.append(((one.rank >= HINDMOST, one.needs_compilation, again), candidate))
        seen.add(engine)
    return [candidate for _, candidate in sorted(turns, key=lambda pair: pair[0])]


def _by_rank(one: Description) -> tuple[bool, bool, int, int]:
    return one.rank >= HINDMOST, one.needs_compilation, one.rank, _ORDER[one.id.api]


def legacy_notes(algorithm: str, math_type: str, dtype: str) -> frozenset[str]:
    """Numerical notes of a legacy algorithm, in the graph API's words, from what Find or Get reported of it.

    Default math lets Ampere and later use TF32 for float32 data, so only FMA math is free of tensor cores there; other
    types use them only where the math type says so.
    """
    notes = set()
    if math_type == "TENSOR_OP_ALLOW_CONVERSION":
        notes |= {"tensor_core", "down_convert_inputs"}
    elif math_type == "TENSOR_OP" or (math_type == "DEFAULT" and dtype == "float32"):
        notes.add("tensor_core")
    if "FFT" in algorithm:
        notes.add("fft")
    if "WINOGRAD" in algorithm:
        notes.add("winograd")
    return frozenset(notes)
