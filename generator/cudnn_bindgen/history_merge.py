"""One declaration through many versions: where it is present, and each of its facts as a timeline of changes.

A timeline keeps a value only where it differs from the version before, so it is the same whatever the order in which
versions were added, and adding a version touches it only where something moved.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

__all__ = ["Entity", "Facts", "Rank", "Timeline", "chain", "same", "spans"]

Facts: TypeAlias = Mapping[str, Any]  # fact to JSON value; a fact that is not there is None
Timeline: TypeAlias = dict[str, Any]  # version to the value that holds from it on, ascending
Rank: TypeAlias = Mapping[str, int]  # version to its place among all versions

_MISSING = object()


def same(one: object, other: object) -> bool:
    """Equality that tells ``1``, ``1.0`` and ``True`` apart, as JSON does."""
    return type(one) is type(other) and one == other


@dataclass(slots=True)
class Entity:
    """A declaration: `present` lists the versions that have it, `facts` what they say of it."""

    kind: str
    name: str
    present: list[str] = field(default_factory=list)
    facts: dict[str, Timeline] = field(default_factory=dict)

    def value(self, fact: str, version: str, rank: Rank) -> Any:
        """One fact in `version`, which must have the entity."""
        timeline = self.facts.get(fact)
        return None if timeline is None else _value(timeline, version, rank)

    def at(self, version: str, rank: Rank) -> dict[str, Any]:
        """Every fact in `version`, which must have the entity."""
        return {fact: _value(timeline, version, rank) for fact, timeline in self.facts.items()}

    def changes(self, facts: Iterable[str]) -> set[str]:
        """The versions from which on any of `facts` has another value, the first one included."""
        moved = {since for fact in facts for since in self.facts.get(fact, ())}
        return moved | set(self.present[:1])

    def add(self, version: str, facts: Facts, rank: Rank) -> None:
        """Say what `version` says; it must not be present yet."""
        at = bisect_left(self.present, rank[version], key=rank.__getitem__)
        before = self.present[at - 1] if at else None
        after = self.present[at] if at < len(self.present) else None
        for fact in {**self.facts, **facts}:
            old = self.facts.get(fact) or ({self.present[0]: None} if self.present else {})
            self._store(fact, _inserted(old, version, facts.get(fact), before, after, rank), rank)
        self.present.insert(at, version)

    def forget(self, version: str, rank: Rank) -> None:
        """Remove what `version` said; it must be present."""
        at = self.present.index(version)
        before = self.present[at - 1] if at else None
        after = self.present[at + 1] if at + 1 < len(self.present) else None
        for fact, old in list(self.facts.items()):
            timeline = dict(old)
            following = _value(timeline, after, rank) if after else _MISSING
            timeline.pop(version, None)
            if after:
                timeline.pop(after, None)
                if before is None or not same(_value(timeline, before, rank), following):
                    timeline[after] = following
            self._store(fact, timeline, rank)
        del self.present[at]

    def _store(self, fact: str, timeline: Timeline, rank: Rank) -> None:
        if all(value is None for value in timeline.values()):
            self.facts.pop(fact, None)
        else:
            self.facts[fact] = dict(sorted(timeline.items(), key=lambda item: rank[item[0]]))


def _value(timeline: Timeline, version: str, rank: Rank) -> Any:
    if len(timeline) == 1 or version in timeline:
        return timeline[version] if version in timeline else next(iter(timeline.values()))
    place = rank[version]
    return [value for since, value in timeline.items() if rank[since] <= place][-1]


def _inserted(old: Timeline, version: str, value: Any, before: str | None, after: str | None, rank: Rank) -> Timeline:
    timeline = dict(old)
    if after:
        # What held in the next version still holds there; it is a change now if `version` says otherwise.
        following = _value(timeline, after, rank)
        timeline.pop(after, None)
        if not same(following, value):
            timeline[after] = following
    if before is None or not same(_value(old, before, rank), value):
        timeline[version] = value
    return timeline


def chain(followers: Mapping[str | None, str]) -> Iterator[str]:
    """Names in order, from a map of each predecessor (None before the first) to its follower."""
    name = followers.get(None)
    seen: set[str] = set()
    while name is not None and name not in seen:
        yield name
        seen.add(name)
        name = followers.get(name)


def spans(present: Sequence[str], versions: Sequence[str]) -> list[tuple[str, str | None]]:
    """Runs of `versions` (ascending) that are in `present`; the end is None for one that reaches the newest version."""
    inside = set(present)
    found: list[tuple[str, str | None]] = []
    first = last = None
    for version in versions:
        if version in inside:
            first, last = first or version, version
        elif first:
            found.append((first, last))
            first = None
    if first:
        found.append((first, None))
    return found
