# Written by `cudnn-bindgen render` from the headers of cuDNN 8 and 9; do not edit.
"""The facts about one line that the support code needs, as the generator hands them over.

Named tuples rather than dataclasses: importing `dataclasses` costs as much as importing all of the bindings may.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias, TypeVar

from .types import VersionParts

__all__ = ["BackendTables", "LineTables", "Spans", "parse_version", "value_at", "version_of_number"]

_T = TypeVar("_T")

Spans: TypeAlias = tuple[tuple[str, "str | None"], ...]


class BackendTables(NamedTuple):
    """What the graph API's attributes hold.

    Attributes
    ----------
    attributes
        Member of ``BackendAttributeName`` to the member of ``BackendAttributeType`` that it takes.
    enums
        Member of ``BackendAttributeType`` to the name of the enum class, for those that are enums.
    lists
        Attributes that hold several elements, and are read as a list even when there is one.
    descriptors
        Attributes that are descriptors, to the member of ``BackendDescriptorType`` to make room with when reading.
    """

    attributes: Mapping[str, str]
    enums: Mapping[str, str]
    lists: frozenset[str] = frozenset()
    descriptors: Mapping[str, str] = {}


class LineTables(NamedTuple):
    """One line: the versions it was made from and what moved between them.

    Attributes
    ----------
    functions
        Every C function that any version of the line has.
    methods
        C function to method name.
    spans
        (first, last) versions of every name that not all versions have; last is None while the newest has it.
    moved_values
        C enumerator to (since, value), for those whose value moved.
    moved_enums
        The enum classes that hold such an enumerator.
    moved_signatures
        C function to (since, function pointer typedef).
    moved_records
        C struct to (since, name of the layout).
    """

    major: int
    versions: tuple[str, ...]
    functions: tuple[str, ...]
    methods: Mapping[str, str]
    spans: Mapping[str, Spans] = {}
    moved_values: Mapping[str, tuple[tuple[str, int], ...]] = {}
    moved_enums: tuple[str, ...] = ()
    moved_signatures: Mapping[str, tuple[tuple[str, str], ...]] = {}
    moved_records: Mapping[str, tuple[tuple[str, str], ...]] = {}

    def has(self, name: str, version: VersionParts) -> bool:
        """Whether `name` is in `version`, as far as the headers tell; newer versions count as the newest known."""
        spans = self.spans.get(name)
        if spans is None:
            return True
        return any(
            parse_version(first) <= version and (last is None or version <= parse_version(last))
            for first, last in spans
        )

    def since_until(self, name: str, version: VersionParts) -> tuple[str | None, str | None]:
        """Which version brings `name` back into sight from `version`: (since, None), (None, until) or (None, None)."""
        spans = self.spans.get(name, ())
        later = [first for first, _ in spans if parse_version(first) > version]
        if later:
            return min(later, key=parse_version), None
        earlier = [last for _, last in spans if last is not None and parse_version(last) < version]
        return None, (max(earlier, key=parse_version) if earlier else None)


def parse_version(text: str) -> VersionParts:
    """``"9.28.1"`` to ``(9, 28, 1)``; missing parts are 0."""
    major, minor, patch, *_ = (*(int(part) for part in text.split(".")), 0, 0, 0)
    return major, minor, patch


def version_of_number(number: int) -> VersionParts:
    """What ``cudnnGetVersion`` answers, taken apart: major*10000 since version 9, major*1000 before."""
    base = 10000 if number >= 90000 else 1000
    return number // base, number % base // 100, number % 100


def value_at(moves: tuple[tuple[str, _T], ...], version: VersionParts) -> _T:
    """The entry of (since, entry) that holds at `version`; older versions than the first count as the first."""
    current = moves[0][1]
    for since, entry in moves:
        if parse_version(since) <= version:
            current = entry
    return current
