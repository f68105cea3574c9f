"""Declarations taken apart into named facts that JSON can hold, and put together again.

What is dropped here is what the history does not keep: line numbers, documentation text, the headers' own words of
advice, and losses. `normalised` drops the same from an `Api`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from cudnn_bindgen.ctext import read_declaration, read_type
from cudnn_bindgen.errors import HistoryError
from cudnn_bindgen.history_merge import Facts, chain
from cudnn_bindgen.model import (
    Alias,
    Api,
    Callback,
    CType,
    Declaration,
    Deprecation,
    Enum,
    Enumerator,
    Field,
    Function,
    FunctionType,
    Handle,
    Location,
    Macro,
    Parameter,
    Record,
    declare,
)

__all__ = ["KINDS", "Key", "assemble", "declaration", "enumerator", "normalised", "take_apart"]

Key: TypeAlias = tuple[str, str]  # kind, name

# Kind to the attribute of `Api` that holds its declarations, in the order of the history file.
KINDS = {
    "function": "functions",
    "enum": "enums",
    "record": "records",
    "handle": "handles",
    "callback": "callbacks",
    "alias": "aliases",
    "macro": "macros",
}


def normalised(api: Api) -> Api:
    """`api` without what the history does not keep."""
    return assemble(api.version, take_apart(api))


# --- taking apart --------------------------------------------------------------------------------------------------


def take_apart(api: Api) -> dict[Key, Facts]:
    """Every declaration's facts; facts that have their default are left out.

    Raises
    ------
    HistoryError
        A type does not survive being written as C text.
    """
    found: dict[Key, Facts] = {("headers", ""): {"files": list(api.headers)}}
    for kind, attribute in KINDS.items():
        after = None
        for one in getattr(api, attribute):
            found[kind, one.name] = {**_facts(one), "after": after}
            after = one.name
    for enum in api.enums:
        after = None
        for member in enum.enumerators:
            found["enumerator", member.name] = {"enum": enum.name, **_enumerator_facts(member, enum), "after": after}
            after = member.name
    return {key: {fact: value for fact, value in facts.items() if value is not None} for key, facts in found.items()}


def _facts(one: Declaration) -> dict[str, Any]:
    match one:
        case Macro():
            return {"value": one.value, "expression": one.expression, "file": one.location.file or None}
        case Function():
            marks = [parameter.documented or "-" for parameter in one.parameters]
            facts: dict[str, Any] = {
                "c": _text(FunctionType(one.returns, one.type.parameters, one.variadic), str(one)[:-1]),
                "directions": " ".join(marks) if set(marks) - {"-"} else None,
            }
        case Enum():
            facts = {"tag": one.tag, "untyped": _mark(not one.typedef), "signed": _mark(one.signed)}
        case Record():
            facts = {
                "kind": one.kind,
                "fields": [_field_facts(field) for field in one.fields],
                "size": one.size,
                "alignment": one.alignment,
                "tag": one.tag,
                "untyped": _mark(not one.typedef),
                "packed": _mark(one.packed),
            }
        case Handle():
            facts = {"target": one.target, "incomplete": _mark(not one.pointer)}
        case Callback():
            facts = {
                "c": _text(one.type, str(one.type)),
                "names": list(one.parameter_names) or None,
                "bare": _mark(not one.pointer),
            }
        case Alias():
            facts = {"c": _text(one.type, str(one.type))}
    if not isinstance(one, Function):
        facts["external"] = _mark(one.external)
    return {**facts, "deprecated": _deprecation_mark(one.deprecated), "file": one.location.file or None}


def _enumerator_facts(member: Enumerator, enum: Enum) -> dict[str, Any]:
    file = member.location.file
    return {
        "value": member.value,
        "expression": member.expression,
        "alias_of": member.alias_of,
        "deprecated": _deprecation_mark(member.deprecated),
        # Nearly every enumerator stands in its enum's file.
        "file": None if file == enum.location.file else file,
    }


def _field_facts(field: Field) -> list[Any]:
    more = {"bits": field.bits, "bit_offset": field.bit_offset, "deprecated": _deprecation_mark(field.deprecated)}
    kept = {name: value for name, value in more.items() if value is not None}
    text = _text(field.type, declare(field.type, field.name))
    return [text, field.offset, field.size, *([kept] if kept else [])]


def _text(ctype: CType, text: str) -> str:
    try:
        survives = read_type(text) == ctype
    except ValueError:
        survives = False
    if not survives:
        raise HistoryError(
            f"the history cannot keep the type in {text!r}; please report it with the header it comes from"
        )
    return text


def _mark(on: bool) -> bool | None:
    return True if on else None


def _deprecation_mark(deprecated: Deprecation | None) -> bool | str | None:
    return None if deprecated is None else deprecated.replacement or True


# --- putting together ----------------------------------------------------------------------------------------------


def declaration(kind: str, name: str, facts: Facts, members: Sequence[Enumerator] = ()) -> Declaration:
    """The declaration that `facts` describe; `members` are an enum's enumerators."""
    try:
        return _enum(name, facts, members) if kind == "enum" else _MAKERS[kind](name, facts)
    except (KeyError, TypeError, ValueError) as error:
        raise HistoryError(f"the history is damaged: {kind} {name} cannot be read ({error})") from error


def _common(facts: Facts) -> dict[str, Any]:
    return {"deprecated": _deprecation(facts.get("deprecated")), "location": Location(facts.get("file") or "")}


def _deprecation(mark: bool | str | None) -> Deprecation | None:
    return None if mark is None else Deprecation(replacement=mark if isinstance(mark, str) else None)


def _function(name: str, facts: Facts) -> Function:
    _, ctype, names = read_declaration(facts["c"])
    if not isinstance(ctype, FunctionType):
        raise ValueError(f"{facts['c']!r} is no function")
    marks = facts["directions"].split() if facts.get("directions") else ["-"] * len(names)
    parameters = tuple(
        Parameter(parameter, one, None if mark == "-" else mark)
        for parameter, one, mark in zip(names, ctype.parameters, marks, strict=True)
    )
    return Function(name, ctype.returns, parameters, ctype.variadic, **_common(facts))


def _enum(name: str, facts: Facts, members: Sequence[Enumerator]) -> Enum:
    file = facts.get("file") or ""
    placed = tuple(member if member.location.file else replace(member, location=Location(file)) for member in members)
    return Enum(
        name,
        placed,
        facts.get("tag"),
        typedef=not facts.get("untyped"),
        signed=bool(facts.get("signed")),
        external=bool(facts.get("external")),
        **_common(facts),
    )


def enumerator(name: str, facts: Facts) -> Enumerator:
    """The enumerator that `facts` describe; its file is empty where that is its enum's."""
    try:
        return Enumerator(name, facts["value"], facts.get("expression"), facts.get("alias_of"), **_common(facts))
    except KeyError as error:
        raise HistoryError(f"the history is damaged: enumerator {name} has no {error}") from error


def _record(name: str, facts: Facts) -> Record:
    return Record(
        name,
        facts["kind"],
        tuple(_field(*field) for field in facts["fields"]),
        facts["size"],
        facts["alignment"],
        facts.get("tag"),
        typedef=not facts.get("untyped"),
        packed=bool(facts.get("packed")),
        external=bool(facts.get("external")),
        **_common(facts),
    )


def _field(text: str, offset: int, size: int, more: Mapping[str, Any] | None = None) -> Field:
    name, ctype, _ = read_declaration(text)
    more = more or {}
    return Field(
        name, ctype, offset, size, more.get("bits"), more.get("bit_offset"), _deprecation(more.get("deprecated"))
    )


def _handle(name: str, facts: Facts) -> Handle:
    external = bool(facts.get("external"))
    return Handle(name, facts["target"], not facts.get("incomplete"), external=external, **_common(facts))


def _callback(name: str, facts: Facts) -> Callback:
    ctype = read_type(facts["c"])
    if not isinstance(ctype, FunctionType):
        raise ValueError(f"{facts['c']!r} is no function")
    external = bool(facts.get("external"))
    names = tuple(facts.get("names") or ())
    return Callback(name, ctype, names, not facts.get("bare"), external=external, **_common(facts))


def _alias(name: str, facts: Facts) -> Alias:
    return Alias(name, read_type(facts["c"]), external=bool(facts.get("external")), **_common(facts))


def _macro(name: str, facts: Facts) -> Macro:
    return Macro(name, facts["value"], facts["expression"], Location(facts.get("file") or ""))


_MAKERS: dict[str, Callable[[str, Facts], Declaration]] = {
    "function": _function,
    "record": _record,
    "handle": _handle,
    "callback": _callback,
    "alias": _alias,
    "macro": _macro,
}


def assemble(version: str, parts: Mapping[Key, Facts]) -> Api:
    """The `Api` whose facts these are, in the order that they tell.

    Raises
    ------
    HistoryError
        The order is broken: a predecessor is missing, or two declarations name the same one.
    """
    followers: dict[tuple[str, str | None], dict[str | None, str]] = {}
    for (kind, name), facts in parts.items():
        group = followers.setdefault((kind, facts.get("enum") if kind == "enumerator" else None), {})
        other = group.setdefault(facts.get("after"), name)
        if other != name:
            raise HistoryError(f"the history is damaged: in {version}, {other} and {name} stand in one place")
    left = len(parts) - (("headers", "") in parts)
    found: dict[str, list[Any]] = {attribute: [] for attribute in KINDS.values()}
    for kind, attribute in KINDS.items():
        for name in chain(followers.get((kind, None), {})):
            members = [
                enumerator(member, parts["enumerator", member])
                for member in (chain(followers.get(("enumerator", name), {})) if kind == "enum" else ())
            ]
            found[attribute].append(declaration(kind, name, parts[kind, name], members))
            left -= 1 + len(members)
    if left:
        raise HistoryError(f"the history is damaged: in {version}, {left} declarations have no place")
    headers = tuple(parts.get(("headers", ""), {}).get("files", ()))
    return Api(version, headers, **{attribute: tuple(listed) for attribute, listed in found.items()})
