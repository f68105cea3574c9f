"""What a search decides and a cache remembers: a choice with what to fall back on, or that nothing serves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from cudnnkit.candidates import CandidateId
from cudnnkit.errors import CacheError
from cudnnkit.policy import EFFORTS, Policy
from cudnnkit.typed import check_fields

__all__ = [
    "WRONG",
    "Alternative",
    "Choice",
    "Decision",
    "Unsupported",
    "decision_from_json",
    "decision_to_json",
    "smaller_and_smaller",
]

WRONG = "wrong results"
"""How the reason of a candidate begins that did not compute what it should have."""


@dataclass(frozen=True)
class Alternative:
    """A candidate that works, with what it needs.

    Attributes
    ----------
    id
        Which one.
    workspace
        Bytes.
    seconds
        Median time of one run on the device, in the final if it was in one; None where nobody measured.
    """

    id: CandidateId
    workspace: int
    seconds: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"id": self.id.to_json(), "workspace": self.workspace, "seconds": self.seconds}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Alternative:
        """From :meth:`to_json`'s data.

        Raises
        ------
        CacheError, KeyError, TypeError, ValueError
            It is damaged.
        """
        found = cls(CandidateId.from_json(data["id"]), data["workspace"], data["seconds"])
        check_fields(found)
        if found.workspace < 0 or (found.seconds or 0) < 0:
            raise ValueError(f"{found.id} has a negative workspace or time")
        return found


@dataclass(frozen=True, kw_only=True)
class _Effort:
    """How much work stands behind a decision.

    Attributes
    ----------
    level
        Index into the efforts: heuristic, measure, exhaustive, pinned.
    cut_ms
        The budget in milliseconds that ended the search before every candidate was tried; None when none did.
    """

    level: int
    cut_ms: float | None = None

    def satisfies(self, policy: Policy) -> bool:
        """Whether a request under `policy` is answered, or deserves more work than stands behind this."""
        if self.level != policy.effort:
            return self.level > policy.effort
        return self.cut_ms is None or policy.budget_ms <= self.cut_ms


@dataclass(frozen=True)
class Choice(_Effort):
    """The candidate for a problem.

    Attributes
    ----------
    best
        The candidate.
    smaller
        What to fall back on when its workspace cannot be had, the best first, each with less workspace than those
        measured before it (:func:`smaller_and_smaller`).
    provisional
        A lack of memory kept something from being tried, or other work disturbed the times. Such a choice is not kept
        on disk, and is looked at again later.
    """

    best: Alternative
    smaller: tuple[Alternative, ...] = ()
    provisional: bool = False

    @property
    def pinned(self) -> bool:
        """The user named it (:func:`cudnnkit.pin`)."""
        return self.level == EFFORTS["pinned"]

    @property
    def chain(self) -> tuple[Alternative, ...]:
        """The candidate and then its fallbacks."""
        return (self.best, *self.smaller)


@dataclass(frozen=True)
class Unsupported(_Effort):
    """Nothing serves.

    Attributes
    ----------
    reasons
        Pairs of a candidate in words and why it does not serve.
    hint
        What the caller may change.
    """

    reasons: tuple[tuple[str, str], ...] = ()
    hint: str = ""

    @property
    def fleeting(self) -> bool:
        """Whether results on some data were the reason: on other data the same candidates may be right."""
        return any(reason.startswith(WRONG) for _, reason in self.reasons)


Decision: TypeAlias = Choice | Unsupported


def smaller_and_smaller(best: Alternative, others: Iterable[Alternative]) -> tuple[Alternative, ...]:
    """Of `others` in their order of preference, those that each need less workspace than all before them.

    Each candidate counts once, with what is said of it first: what was known of one before its steps were searched anew
    would hide others that need less than it does by now.

    One that was never measured was never prepared either: it may not be to be had, or need more than it says. So it
    keeps out only what is of its own kind, which is its engine with other knobs, or the kernel of the same name.
    """
    chain: list[Alternative] = []
    least = best.workspace
    said: dict[CandidateId, int] = {}
    seen = {best.id}
    for other in others:
        if other.id in seen:
            continue
        seen.add(other.id)
        kind = replace(other.id, knobs=(), parts=())
        if other.workspace < min(least, said.get(kind, least)):
            chain.append(other)
            if other.seconds is None:
                said[kind] = other.workspace
            else:
                least = other.workspace
    return tuple(chain)


def decision_to_json(decision: Decision) -> dict[str, Any]:
    """Plain data; :func:`decision_from_json` reads it back."""
    data: dict[str, Any] = {"level": decision.level, "cut_ms": decision.cut_ms}
    if isinstance(decision, Choice):
        return {**data, "chain": [one.to_json() for one in decision.chain]}
    return {**data, "reasons": [list(pair) for pair in decision.reasons], "hint": decision.hint}


def decision_from_json(data: Mapping[str, Any]) -> Decision:
    """From :func:`decision_to_json`'s data.

    Raises
    ------
    CacheError
        The data is no decision.
    """
    try:
        level, cut = data["level"], data["cut_ms"]
        found: Decision
        if "chain" in data:
            if not data["chain"]:
                raise ValueError("it names no candidate")
            best, *smaller = (Alternative.from_json(one) for one in data["chain"])
            found = Choice(best, tuple(smaller), level=level, cut_ms=cut)
        else:
            found = Unsupported(tuple(map(tuple, data["reasons"])), data["hint"], level=level, cut_ms=cut)
        check_fields(found)
        if level not in EFFORTS.values() or (cut or 0) < 0:
            raise ValueError(f"level {level} or cut_ms {cut} is out of range")
        return found
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise CacheError(f"a stored decision is damaged: {type(error).__name__} {error}") from error
