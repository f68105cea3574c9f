"""Which declaration an attribute belongs to, and what it means for the model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from cudnn_bindgen.errors import EvaluationError, HeaderParseError
from cudnn_bindgen.evaluate import NotConstantError, unquote
from cudnn_bindgen.model import Deprecation, Loss
from cudnn_bindgen.sanitize import Mark, Sanitized

__all__ = ["Attributes", "Meaning"]


# What changes the size of a type in ways that layouts here do not follow: wrong sizes are worse than none.
_RESIZING = frozenset(("mode", "vector_size", "ms_struct", "gcc_struct", "scalar_storage_order", "address_space"))
_STRING = re.compile(r'(?:u8|[LuU])?"(?:[^"\\]|\\.)*"')


@dataclass(frozen=True, slots=True)
class Meaning:
    """What the attributes of one declaration say."""

    deprecated: Deprecation | None = None
    packed: bool = False
    aligned: int | None = None


class Attributes:
    """Hands each mark to exactly one declaration; what nobody takes, or nobody understands, becomes a loss."""

    def __init__(self, sanitized: Sanitized, evaluate: Callable[[Sequence[str]], int | float]) -> None:
        self._sanitized = sanitized
        self._by_segment = sanitized.marks_by_segment()
        self._by_tag = sanitized.marks_by_tag()
        self._first_name: dict[int, int] = {}
        self._taken: set[int] = set()
        self._evaluate = evaluate

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
                text = " ".join(mark.arguments or ())
                advice = "".join(unquote(one) for one in _STRING.findall(text)) or None
                deprecated = Deprecation(advice or (deprecated.advice if deprecated else None))
            elif name == "packed" and mark.context != "enum":
                packed = True
            elif name in ("aligned", "align"):
                # As gcc does: of several, a field takes the strictest, a type the last.
                least = aligned or 1 if mark.context == "record" and mark.tag is None else 1
                aligned = max(self._alignment(mark), least)
            elif name in _RESIZING:
                message = f"the attribute {mark.name} changes the size of a type, which is not supported"
                raise HeaderParseError(message, mark.location.file, mark.location.line)
            else:
                continue
            self._taken.add(id(mark))
        return Meaning(deprecated, packed, aligned)

    def _alignment(self, mark: Mark) -> int:
        if not mark.arguments:
            return 16  # gcc's largest alignment on x86-64 and aarch64
        try:
            value = self._evaluate(mark.arguments)
        except NotConstantError as error:
            message = f"the alignment '{' '.join(mark.arguments)}' cannot be evaluated: {error}"
            raise EvaluationError(message, mark.location.file, mark.location.line) from None
        if not isinstance(value, int) or value <= 0 or value & (value - 1):
            message = f"the alignment {value} is no power of two"
            raise EvaluationError(message, mark.location.file, mark.location.line)
        return value

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
