"""What one declaration is in one version, and what it was in others: the answer of ``cudnn-bindgen show``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cudnn_bindgen.ask import deprecation, find, functions, lifetime, list_kind
from cudnn_bindgen.history_merge import Entity
from cudnn_bindgen.model import Alias, Callback, Enum, Function, Handle, Macro, Pointer, Record
from cudnn_bindgen.versions import three_part

if TYPE_CHECKING:
    from cudnn_bindgen.facts import ParameterFacts
    from cudnn_bindgen.history import History

__all__ = ["show"]


def show(history: History, name: str, version: str) -> dict[str, Any]:
    """Everything known of `name` in a full version.

    Where a struct's tag and another declaration share a name, the answer is the first of function, enum, enumerator,
    and so on.

    Raises
    ------
    UnknownNameError
        The version has no such name.
    """
    entity = find(history, name, version)[0]
    answer: dict[str, Any] = {
        "name": name,
        "kind": list_kind(history, entity, version),
        "version": version,
        **lifetime(history, entity),
        "deprecated": deprecation(history, entity, version),
        "header": _header(history, entity, version),
    }
    if entity.value("external", version, history.ranks):
        answer["external"] = True
    if entity.kind == "enumerator":
        return answer | _enumerator(history, entity, version)
    match history.declaration(entity.kind, name, version):
        case Function() as function:
            return answer | _function(history, entity, function, version)
        case Enum() as enum:
            listed = [{"name": one.name, "value": one.value} for one in enum.enumerators]
            return answer | {"signed": enum.signed, "tag": enum.tag, "enumerators": listed}
        case Record() as record:
            return answer | _record(history, entity, record)
        case Handle() as handle:
            return answer | _handle(history, handle, version)
        case Callback() as callback:
            ctype = str(Pointer(callback.type) if callback.pointer else callback.type)
            return answer | {"type": ctype, "parameter_names": list(callback.parameter_names)}
        case Alias() as alias:
            return answer | {"type": str(alias.type)}
        case Macro() as macro:
            values = _moves(history, entity, "value")
            return answer | {"value": macro.value, "expression": macro.expression} | _more("values", values)


def _header(history: History, entity: Entity, version: str) -> str | None:
    file: str | None = entity.value("file", version, history.ranks)
    if file is None and entity.kind == "enumerator":
        file = history.fact("enum", entity.value("enum", version, history.ranks), "file", version)
    return file


def _moves(history: History, entity: Entity, fact: str) -> list[dict[str, Any]]:
    """Each value that a fact had and since which version, where there was more than one."""
    moves = [
        {"since": three_part(since), "value": entity.value(fact, since, history.ranks)}
        for since in sorted(entity.changes([fact]), key=history.ranks.__getitem__)
    ]
    return moves if len(moves) > 1 else []


def _more(key: str, listed: list[dict[str, Any]]) -> dict[str, Any]:
    return {key: listed} if listed else {}


def _function(history: History, entity: Entity, function: Function, version: str) -> dict[str, Any]:
    facts = functions(history, version)[function.name]
    parameters = [
        {"name": one.name, "type": str(one.type), "documented": one.documented, **_parameter(known)}
        for one, known in zip(function.parameters, facts.parameters, strict=True)
    ]
    moved = [{"since": move["since"], "signature": move["value"] + ";"} for move in _moves(history, entity, "c")]
    return {
        "returns": str(function.returns),
        "family": facts.family,
        "family_rule": facts.rule,
        "handle": facts.handle,
        "operation": facts.operation,
        "pass": facts.passes,
        "signature": str(function),
        "parameters": parameters,
        **_more("signatures", moved),
    }


def _parameter(facts: ParameterFacts) -> dict[str, Any]:
    told = {"direction": facts.direction, "role": facts.role, "rule": facts.rule, "nullable": facts.nullable}
    more = {
        "memory": facts.memory,
        "count": facts.count,
        "returned_count": facts.returned_count,
        "typed_by": facts.typed_by,
    }
    return told | {key: value for key, value in more.items() if value is not None}


def _enumerator(history: History, entity: Entity, version: str) -> dict[str, Any]:
    facts = entity.at(version, history.ranks)
    return {
        "enum": facts["enum"],
        "value": facts["value"],
        "expression": facts.get("expression"),
        "alias_of": facts.get("alias_of"),
        **_more("values", _moves(history, entity, "value")),
    }


def _record(history: History, entity: Entity, record: Record) -> dict[str, Any]:
    fields = [
        {"name": one.name, "type": str(one.type), "offset": one.offset, "size": one.size}
        | ({} if one.bits is None else {"bits": one.bits, "bit_offset": one.bit_offset})
        for one in record.fields
    ]
    layouts = []
    versions = sorted(entity.changes(["fields", "size", "alignment"]), key=history.ranks.__getitem__)
    for since in versions if len(versions) > 1 else ():
        names = [text_fields[0] for text_fields in entity.value("fields", since, history.ranks)]
        size = entity.value("size", since, history.ranks)
        layouts.append({"since": three_part(since), "size": size, "fields": names})
    more = {"alignment": record.alignment, "tag": record.tag, "fields": fields}
    return {"size": record.size, **more, **_more("layouts", layouts)}


def _handle(history: History, handle: Handle, version: str) -> dict[str, Any]:
    known = functions(history, version).values()
    return {
        "target": handle.target,
        "pointer": handle.pointer,
        "created_by": [one.name for one in known if one.family == "create" and one.handle == handle.name],
        "destroyed_by": [one.name for one in known if one.family == "destroy" and one.handle == handle.name],
    }
