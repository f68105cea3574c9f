"""What the facts of a history may be, so that a damaged file is told when it is read and not wherever it is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

__all__ = ["check_facts"]

_Check: TypeAlias = Callable[[Any], bool]


def _is(*kinds: type) -> _Check:
    # Exactly: True is no number here.
    return lambda value: type(value) in kinds


def _texts(value: Any) -> bool:
    return type(value) is list and all(type(one) is str for one in value)


def _mark(value: Any) -> bool:
    return value is True or type(value) is str


_FIELD_MORE: dict[str, _Check] = {"bits": _is(int), "bit_offset": _is(int), "deprecated": _mark}


def _fields(value: Any) -> bool:
    return type(value) is list and all(map(_field, value))


def _field(value: Any) -> bool:
    if type(value) is not list or [type(one) for one in value[:3]] != [str, int, int]:
        return False
    more = value[3] if len(value) == 4 else {}
    return (
        len(value) <= 4
        and type(more) is dict
        and all(name in _FIELD_MORE and _FIELD_MORE[name](one) for name, one in more.items())
    )


_TEXT, _NUMBER, _TRUE = _is(str), _is(int), lambda value: value is True
_COMMON: dict[str, _Check] = {"after": _TEXT, "file": _TEXT, "deprecated": _mark, "external": _TRUE}
# By kind: the facts that each one has, and those that it may have.
_SHAPES: dict[str, tuple[dict[str, _Check], dict[str, _Check]]] = {
    "headers": ({"files": _texts}, {}),
    "function": ({"c": _TEXT}, {"directions": _TEXT}),
    "enum": ({}, {"tag": _TEXT, "untyped": _TRUE, "signed": _TRUE}),
    "enumerator": ({"enum": _TEXT, "value": _NUMBER}, {"expression": _TEXT, "alias_of": _TEXT}),
    "record": (
        {"kind": lambda value: value in ("struct", "union"), "fields": _fields, "size": _NUMBER, "alignment": _NUMBER},
        {"tag": _TEXT, "untyped": _TRUE, "packed": _TRUE},
    ),
    "handle": ({"target": _TEXT}, {"incomplete": _TRUE}),
    "callback": ({"c": _TEXT}, {"names": _texts, "bare": _TRUE}),
    "alias": ({"c": _TEXT}, {}),
    "macro": ({"value": _is(int, float, str), "expression": _TEXT}, {}),
}


def check_facts(kind: str, name: str, facts: Mapping[str, Mapping[str, Any]]) -> None:
    """See that one entity's facts, each a timeline, are what `cudnn_bindgen.history_facts` writes.

    Raises
    ------
    ValueError
        They are not; the message names the entity and the fact.
    """
    if type(kind) is not str or kind not in _SHAPES or type(name) is not str:
        raise ValueError(f"{kind!r} {name!r} is no kind of declaration and name")
    needed, possible = _SHAPES[kind]
    for fact in needed:
        if fact not in facts:
            raise ValueError(f"{kind} {name} has no {fact!r}")
    for fact, timeline in facts.items():
        check = needed.get(fact) or possible.get(fact) or _COMMON.get(fact)
        if check is None:
            raise ValueError(f"{kind} {name} has the unknown fact {fact!r}")
        for value in timeline.values():
            if not check(value) and not (value is None and fact not in needed):
                raise ValueError(f"{kind} {name} has a wrong {fact!r}: {value!r}")
