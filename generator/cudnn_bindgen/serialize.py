"""The model as JSON and back without loss, and the JSON Schema of it.

Fields that hold their default are left out. C types carry a ``kind``. The same model gives the same JSON; the schema's
version changes whenever a reader of the old one could misread the new one.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from cudnn_bindgen import model
from cudnn_bindgen.arguments import expect
from cudnn_bindgen.errors import ModelFormatError

__all__ = ["SCHEMA_VERSION", "from_json", "json_schema", "to_json"]

SCHEMA_VERSION = 1

# C types are the one place where a field holds one of several classes; `kind` tells which.
_KINDS: dict[str, type[Any]] = {
    "primitive": model.Primitive,
    "named": model.Named,
    "pointer": model.Pointer,
    "array": model.Array,
    "function": model.FunctionType,
}
_KIND_OF = {cls: kind for kind, cls in _KINDS.items()}


@dataclasses.dataclass(frozen=True, slots=True)
class _FieldRow:
    name: str
    hint: Any
    default: Any


_rows: dict[Any, tuple[_FieldRow, ...]] = {}  # resolving annotations is slow, and there are a dozen classes


def _fields(cls: Any) -> tuple[_FieldRow, ...]:
    if cls not in _rows:
        hints = get_type_hints(cls)
        _rows[cls] = tuple(_FieldRow(one.name, hints[one.name], one.default) for one in dataclasses.fields(cls))
    return _rows[cls]


def _required(row: _FieldRow) -> bool:
    return row.default is dataclasses.MISSING


# --- out -----------------------------------------------------------------------------------------------------------


def to_json(api: model.Api) -> dict[str, Any]:
    """`api` as plain dicts, lists, strings and numbers, in a fixed order."""
    expect(model.Api, api)
    return {"schema": SCHEMA_VERSION, **_encode(api)}


def _encode(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_encode(one) for one in value]
    if not dataclasses.is_dataclass(value):
        return value
    cls = type(value)
    found: dict[str, Any] = {"kind": _KIND_OF[cls]} if cls in _KIND_OF else {}
    for row in _fields(cls):
        one = getattr(value, row.name)
        if _required(row) or one != row.default:
            found[row.name] = _encode(one)
    return found


# --- in ------------------------------------------------------------------------------------------------------------


def from_json(data: Any) -> model.Api:
    """The model that `to_json` wrote.

    Raises
    ------
    ModelFormatError
        `data` does not fit the schema, or is of another version of it.
    """
    if not isinstance(data, dict):
        raise _wrong("$", "an object", data)
    version = data.get("schema")
    if version != SCHEMA_VERSION:
        raise ModelFormatError(
            f"$.schema is {version!r}, and this cudnn-bindgen reads {SCHEMA_VERSION}; write the model again with "
            "cudnn-bindgen model"
        )
    api: model.Api = _object(model.Api, {key: one for key, one in data.items() if key != "schema"}, "$")
    return api


def _wrong(path: str, wanted: str, value: Any) -> ModelFormatError:
    shown = repr(value)
    return ModelFormatError(f"{path} must be {wanted}, and is {shown if len(shown) <= 60 else shown[:57] + '...'}")


def _object(cls: type[Any], data: Any, path: str) -> Any:
    if not isinstance(data, dict):
        raise _wrong(path, "an object", data)
    rows = _fields(cls)
    unknown = sorted(set(data) - {row.name for row in rows} - ({"kind"} if cls in _KIND_OF else set()))
    if unknown:
        raise ModelFormatError(f"{path}.{unknown[0]} is not known to version {SCHEMA_VERSION} of the schema; remove it")
    values = {}
    for row in rows:
        if row.name in data:
            values[row.name] = _decode(row.hint, data[row.name], f"{path}.{row.name}")
        elif _required(row):
            raise ModelFormatError(f"{path}.{row.name} is missing")
    return cls(**values)


def _decode(hint: Any, value: Any, path: str) -> Any:
    origin = get_origin(hint)
    if origin is tuple:
        if not isinstance(value, list):
            raise _wrong(path, "an array", value)
        return tuple(_decode(get_args(hint)[0], one, f"{path}[{number}]") for number, one in enumerate(value))
    if origin is Literal:
        if value not in get_args(hint):
            raise _wrong(path, "one of " + ", ".join(map(repr, get_args(hint))), value)
        return value
    if origin in (Union, types.UnionType):
        return _decode_union(get_args(hint), value, path)
    if dataclasses.is_dataclass(hint):
        return _object(typing.cast("type[Any]", hint), value, path)
    if type(value) is not hint:
        raise _wrong(path, _SCALARS[hint][1], value)
    return value


def _decode_union(options: tuple[Any, ...], value: Any, path: str) -> Any:
    if value is None and type(None) in options:
        return None
    options = tuple(one for one in options if one is not type(None))
    if _KINDS["primitive"] in options:
        if not isinstance(value, dict):
            raise _wrong(path, "an object", value)
        kind = value.get("kind")
        if not isinstance(kind, str) or kind not in _KINDS:
            raise _wrong(f"{path}.kind", "one of " + ", ".join(map(repr, _KINDS)), kind)
        return _object(_KINDS[kind], value, path)
    if len(options) == 1:
        return _decode(options[0], value, path)
    if type(value) not in options:
        raise _wrong(path, " or ".join(_SCALARS[one][1] for one in options), value)
    return value


_SCALARS: dict[Any, tuple[str, str]] = {
    str: ("string", "a string"),
    int: ("integer", "an integer"),
    float: ("number", "a floating number"),
    bool: ("boolean", "true or false"),
}


# --- schema --------------------------------------------------------------------------------------------------------


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of what `to_json` gives."""
    definitions: dict[str, Any] = {}
    root = _schema_object(model.Api, definitions)
    root["properties"] = {"schema": {"const": SCHEMA_VERSION}, **root["properties"]}
    root["required"] = ["schema", *root["required"]]
    definitions["CType"] = {"oneOf": [{"$ref": f"#/$defs/{cls.__name__}"} for cls in _KINDS.values()]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"model-{SCHEMA_VERSION}.json",
        "title": "All that one version's headers declare",
        **root,
        "$defs": dict(sorted(definitions.items())),
    }


def _schema_object(cls: type[Any], definitions: dict[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = {"kind": {"const": _KIND_OF[cls]}} if cls in _KIND_OF else {}
    required = list(properties)
    for row in _fields(cls):
        properties[row.name] = _schema(row.hint, definitions)
        if _required(row):
            required.append(row.name)
        elif row.default is None or isinstance(row.default, bool | int | str):
            properties[row.name]["default"] = row.default
    return {
        "type": "object",
        "description": (cls.__doc__ or cls.__name__).strip().partition("\n")[0],
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _reference(cls: type[Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if cls.__name__ not in definitions:
        definitions[cls.__name__] = {}  # types refer to themselves
        definitions[cls.__name__] = _schema_object(cls, definitions)
    return {"$ref": f"#/$defs/{cls.__name__}"}


def _schema(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    origin = get_origin(hint)
    if origin is tuple:
        return {"type": "array", "items": _schema(get_args(hint)[0], definitions)}
    if origin is Literal:
        return {"enum": list(get_args(hint))}
    if origin in (Union, types.UnionType):
        options = get_args(hint)
        if _KINDS["primitive"] in options:
            for cls in _KINDS.values():
                _reference(cls, definitions)
            return {"$ref": "#/$defs/CType"}
        names = [{"type": "null"} if one is type(None) else _schema(one, definitions) for one in options]
        return {"anyOf": names}
    if dataclasses.is_dataclass(hint):
        return _reference(typing.cast("type[Any]", hint), definitions)
    return {"type": _SCALARS[hint][0]}
