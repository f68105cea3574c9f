"""What rendering needs of one major version: the union of its versions, and what moved inside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cudnn_bindgen.model import Api, Function, Record

__all__ = ["Line", "Span"]

Span = tuple[str, str | None]


@dataclass(frozen=True)
class Line:
    """One major version. All versions here are three-part (``9.28.1``): what a loaded library can tell apart.

    Where several builds share the three parts, a declaration is present when any of them has it, in the form of the
    newest that has it.

    Attributes
    ----------
    versions
        Ascending.
    api
        Every declaration that any version has, in its newest form and the newest order; one that was removed stands
        after its last predecessor.
    spans
        Name of a declaration or enumerator to its spans (first, last); last is None while the newest version has it.
    moved_values
        Enumerator to ((since, value), ...), ascending, only where the value moved.
    moved_records
        Struct or union to ((since, record), ...), only where its layout moved.
    moved_signatures
        Function to ((since, function), ...), only where a C type in it moved.
    """

    major: int
    versions: tuple[str, ...]
    api: Api
    spans: Mapping[str, tuple[Span, ...]]
    moved_values: Mapping[str, tuple[tuple[str, int], ...]]
    moved_records: Mapping[str, tuple[tuple[str, Record], ...]]
    moved_signatures: Mapping[str, tuple[tuple[str, Function], ...]]
