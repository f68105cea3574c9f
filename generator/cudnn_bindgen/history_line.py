"""The union of one major version's versions: newest form of everything, and earlier forms of what moved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from cudnn_bindgen.abi import layout
from cudnn_bindgen.history_facts import KINDS, Key, declaration, enumerator
from cudnn_bindgen.history_merge import Entity, Rank, chain, spans
from cudnn_bindgen.line import Line, Span
from cudnn_bindgen.model import Api, Enumerator, Function, Location, Record
from cudnn_bindgen.versions import three_part

if TYPE_CHECKING:
    from cudnn_bindgen.history import History

__all__ = ["build_line"]

Form = TypeVar("Form")


def build_line(history: History, major: int, versions: Sequence[str]) -> Line:
    """See `Line`; `versions` are the full versions of `major`, ascending, at least one."""
    return _Builder(history, versions).line(major)


@dataclass(frozen=True)
class _Place:
    """An entity as one line sees it: the builds that have it, and the last of them."""

    entity: Entity
    present: list[str]

    @property
    def last(self) -> str:
        return self.present[-1]

    def at(self, rank: Rank) -> dict[str, Any]:
        """Every fact in its newest form."""
        return self.entity.at(self.last, rank)


class _Builder:
    def __init__(self, history: History, versions: Sequence[str]) -> None:
        self._rank = history.ranks
        self._versions = versions
        self._parts = tuple(dict.fromkeys(three_part(version) for version in versions))
        inside = set(versions)
        self._places: dict[Key, _Place] = {}
        for key, entity in history.entities.items():
            present = [version for version in entity.present if version in inside]
            if present:
                self._places[key] = _Place(entity, present)
        self._ever_in: dict[str, list[str]] = {}
        for (kind, name), place in self._places.items():
            if kind == "enumerator":
                for enum in {place.entity.value("enum", version, self._rank) for version in place.present}:
                    self._ever_in.setdefault(enum, []).append(name)
        self._headers = self._places.pop(("headers", ""), None)

    def line(self, major: int) -> Line:
        return Line(
            major=major,
            versions=self._parts,
            api=self._union(),
            spans=self._spans(),
            moved_values=self._moved("enumerator", ("value",), self._value, lambda value: value),
            moved_records=self._moved("record", ("fields", "size", "alignment", "kind"), self._record, layout),
            moved_signatures=self._moved("function", ("c",), self._function, lambda function: function.type),
        )

    # --- the union ------------------------------------------------------------------------------------------------

    def _union(self) -> Api:
        newest = self._versions[-1]
        headers = self._headers.entity.value("files", newest, self._rank) if self._headers else []
        present = {name for (_, name), place in self._places.items() if place.last == newest}
        found: dict[str, tuple[Any, ...]] = {}
        for kind, attribute in KINDS.items():
            # A name that is of another kind now (an alias that became a struct) stands there alone.
            names = [
                name
                for (one, name), place in self._places.items()
                if one == kind and (place.last == newest or name not in present)
            ]
            there = [name for name in names if self._places[kind, name].last == newest]
            ordered = self._ordered(kind, names, there, newest)
            found[attribute] = tuple(self._newest(kind, name) for name in ordered)
        return Api(newest, tuple(headers), **found)

    def _newest(self, kind: str, name: str) -> Any:
        place = self._places[kind, name]
        members = self._members(name, place.last) if kind == "enum" else ()
        return declaration(kind, name, place.at(self._rank), members)

    def _members(self, enum: str, last: str) -> list[Enumerator]:
        ever = self._ever_in.get(enum, [])
        names = [name for name in ever if self._fact("enumerator", name, "enum") == enum]
        there = [name for name in ever if self._in(name, last) and self._fact("enumerator", name, "enum", last) == enum]
        members = []
        for name in self._ordered("enumerator", names, there, last):
            one = enumerator(name, self._places["enumerator", name].at(self._rank))
            file = self._fact("enum", enum, "file") or ""
            members.append(one if one.location.file else replace(one, location=Location(file)))
        return members

    def _in(self, name: str, version: str) -> bool:
        return version in self._places["enumerator", name].present

    def _fact(self, kind: str, name: str, fact: str, version: str | None = None) -> Any:
        """One fact as `version` has it, or in its newest form."""
        place = self._places[kind, name]
        return place.entity.value(fact, version or place.last, self._rank)

    def _ordered(self, kind: str, names: Sequence[str], there: Iterable[str], newest: str) -> list[str]:
        """`names` in the order that `newest` has them in; `there` are all that it has, in whatever order.

        One that it lacks stands after its last predecessor that is listed.
        """
        wanted = set(names)
        followers = {self._fact(kind, name, "after", newest): name for name in there}
        order = [name for name in chain(followers) if name in wanted]
        gone = wanted.difference(order)
        for name in sorted(gone, key=lambda one: (-self._rank[self._places[kind, one].last], one)):
            last = self._places[kind, name].last
            before = self._fact(kind, name, "after", last)
            while before is not None and before not in order:
                before = self._fact(kind, before, "after", last)
            order.insert(0 if before is None else order.index(before) + 1, name)
        return order

    # --- what moved -----------------------------------------------------------------------------------------------

    def _spans(self) -> dict[str, tuple[Span, ...]]:
        present: dict[str, set[str]] = {}
        for (_, name), place in sorted(self._places.items(), key=lambda item: item[0]):
            present.setdefault(name, set()).update(three_part(version) for version in place.present)
        return {name: tuple(spans([*found], self._parts)) for name, found in present.items()}

    def _moved(
        self, kind: str, facts: Sequence[str], form: Callable[[str, str], Form], compared: Callable[[Form], object]
    ) -> dict[str, tuple[tuple[str, Form], ...]]:
        """Name to ((since, form), ...) for what has more than one form; `form` makes it of a name and a version."""
        moved = {}
        for (one, name), place in sorted(self._places.items(), key=lambda item: item[0]):
            if one != kind or len(place.entity.changes(facts)) < 2:
                continue
            # The newest build of a three-part version speaks for it.
            builds = {three_part(version): version for version in place.present}
            forms: list[tuple[str, Form]] = []
            for since, version in builds.items():
                now = form(name, version)
                if not forms or compared(forms[-1][1]) != compared(now):
                    forms.append((since, now))
            if len(forms) > 1:
                moved[name] = tuple(forms)
        return moved

    def _value(self, name: str, version: str) -> int:
        value: int = self._places["enumerator", name].entity.value("value", version, self._rank)
        return value

    def _record(self, name: str, version: str) -> Record:
        record = declaration("record", name, self._places["record", name].entity.at(version, self._rank))
        assert isinstance(record, Record)
        return record

    def _function(self, name: str, version: str) -> Function:
        function = declaration("function", name, self._places["function", name].entity.at(version, self._rank))
        assert isinstance(function, Function)
        return function
