"""Which declaration an attribute belongs to, and what it means for the model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cudnn_bindgen.evaluate import unquote
from cudnn_bindgen.model import Deprecation, Loss
from cudnn_bindgen.sanitize import Mark, Sanitized

__all__ = ["Attributes", "Meaning"]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What the attributes of one declaration say."""

    deprecated: Deprecation | None = None
    packed: bool = False
    aligned: int | None = None


class Attributes:
    """Hands each mark to exactly one declaration; what nobody takes, or nobody understands, becomes a loss."""

    def __init__(self, sanitized: Sanitized) -> None:
        self._sanitized = sanitized
        self._by_segment = sanitized.marks_by_segment()
        self._by_tag = sanitized.marks_by_tag()
        self._first_name: dict[int, int] = {}
        self._taken: set[int] = set()
        self.losses: list[Loss] = []

    def of_name(self, index: int) -> Meaning:
        """Attributes of the function, typedef, field or enumerator whose name is token number `index`."""
        segment = self._sanitized.segment[index]
        if segment not in self._by_segment:
            return Meaning()
        declarator = self._sanitized.declarator[index]
        first = self._first_name.setdefault(segment, index)
        found = [
            mark
            for mark in self._by_segment[segment]
            if mark.tag is None
            and mark.context in ("file", "record", "enum")
            and (mark.declarator == declarator or (mark.declarator == segment and mark.position <= first))
        ]
        return self._meaning(found)

    def of_tag(self, tag: int | None) -> Meaning:
        """Attributes of the struct, union or enum itself whose keyword stands before token number `tag`."""
        return self._meaning(self._by_tag.get(tag, ())) if tag is not None else Meaning()

    def _meaning(self, marks: Iterable[Mark]) -> Meaning:
        deprecated = None
        packed = False
        aligned = None
        for mark in marks:
            name = mark.name.rpartition("::")[2].strip("_")
            if name == "deprecated":
                advice = unquote(mark.arguments) if mark.arguments and '"' in mark.arguments else None
                deprecated = Deprecation(advice or (deprecated.advice if deprecated else None))
            elif name == "packed" and mark.context != "enum":
                packed = True
            elif name in ("aligned", "align"):
                aligned = self._alignment(mark)
                if aligned is None:
                    continue
            else:
                continue
            self._taken.add(id(mark))
        return Meaning(deprecated, packed, aligned)

    def _alignment(self, mark: Mark) -> int | None:
        if mark.arguments is None:
            return 16
        text = mark.arguments.strip()
        return int(text, 0) if text.isalnum() and text[0].isdigit() else None

    def left_out(self) -> list[Loss]:
        """What no declaration took."""
        return [
            Loss(mark.name, "attribute", _reason(mark), mark.location)
            for mark in self._sanitized.marks
            if id(mark) not in self._taken and mark.own
        ]


def _reason(mark: Mark) -> str:
    if mark.name == "asm":
        return "the symbol has another name in the library"
    if "call" in mark.name or "cdecl" in mark.name:
        return "calling conventions of other systems are not modelled"
    if mark.context == "parenthesis":
        return "attributes of parameters are not modelled"
    return "this attribute is not modelled"
