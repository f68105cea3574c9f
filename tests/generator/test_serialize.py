"""The model as JSON: nothing lost, a schema that says what is there, and bad data refused with its place."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from cudnn_bindgen.errors import ModelFormatError
from cudnn_bindgen.model import (
    Alias,
    Api,
    Array,
    Callback,
    Deprecation,
    Enum,
    Enumerator,
    Field,
    Function,
    FunctionType,
    Handle,
    Location,
    Loss,
    Macro,
    Named,
    Parameter,
    Pointer,
    Primitive,
    Record,
)
from cudnn_bindgen.serialize import SCHEMA_VERSION, from_json, json_schema, to_json

ROOT = Path(__file__).parents[2]
INT = Primitive("int")

# Every class and every field of the model, each with another value than its default.
FULL = Api(
    version="9.28.1",
    headers=("a.h", "b.h"),
    functions=(
        Function(
            "f",
            Pointer(Primitive("void", const=True, volatile=True), const=True, volatile=True, restrict=True),
            (
                Parameter("a", Array(Array(INT, 3), None), "inout"),
                Parameter("b", Named("S", "struct", const=True, volatile=True), "in"),
                Parameter("c", Pointer(FunctionType(INT, (INT,), variadic=True)), "out"),
            ),
            variadic=True,
            deprecated=Deprecation("advice", "g"),
            location=Location("a.h", 3),
            documentation="/** text */",
        ),
    ),
    enums=(
        Enum(
            "E",
            (Enumerator("A", -1, "-1", "B", Deprecation(), Location("a.h", 1), "text"),),
            tag="E_tag",
            typedef=False,
            signed=True,
            external=True,
            deprecated=Deprecation(),
            location=Location("a.h", 2),
            documentation="text",
        ),
    ),
    records=(
        Record(
            "S",
            "union",
            (Field("x", INT, 4, 4, 3, 2, Deprecation("x")),),
            8,
            4,
            tag="S_tag",
            typedef=False,
            packed=True,
            external=True,
            deprecated=Deprecation(),
            location=Location("a.h", 2),
            documentation="text",
        ),
    ),
    handles=(Handle("H", "struct H", False, True, Deprecation(), Location("b.h", 1), "text"),),
    callbacks=(Callback("C", FunctionType(INT), ("a",), False, True, Deprecation(), Location("b.h", 1), "text"),),
    aliases=(Alias("T", INT, True, Deprecation(), Location("b.h", 1), "text"),),
    macros=(
        Macro("I", 2**64 - 1, "X", Location("b.h", 9)),
        Macro("F", 1.0, "1.0"),
        Macro("S", 'text "\xe9\n', "..."),
    ),
    losses=(Loss("M", "macro", "why", Location("b.h", 7)),),
)


def _through_text(api: Api) -> Any:
    return json.loads(json.dumps(to_json(api)))


def test_everything_comes_back() -> None:
    assert from_json(_through_text(FULL)) == FULL


def test_numbers_keep_their_type() -> None:
    macros = from_json(_through_text(FULL)).macros
    assert [type(macro.value) for macro in macros] == [int, float, str]


def test_schema_accepts_what_is_written_and_is_itself_valid() -> None:
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(_through_text(FULL), schema)


def test_published_schema_is_current() -> None:
    published = ROOT / "docs" / "schema" / f"model-{SCHEMA_VERSION}.json"
    assert json.loads(published.read_text()) == json_schema(), "run: cudnn-bindgen schema --out " + str(published)


def _set(data: Any, path: tuple[str | int, ...], value: Any) -> Any:
    changed = copy.deepcopy(data)
    place = changed
    for key in path[:-1]:
        place = place[key]
    if value is KeyError:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return changed


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("schema",), 2, "$.schema is 2, and this cudnn-bindgen reads 1"),
        (("schema",), KeyError, "$.schema is None"),
        (("version",), KeyError, "$.version is missing"),
        (("functions",), {}, "$.functions must be an array, and is {}"),
        (("functions", 0, "name"), 3, "$.functions[0].name must be a string, and is 3"),
        (("functions", 0, "variadic"), 1, "$.functions[0].variadic must be true or false, and is 1"),
        (("functions", 0, "returns", "kind"), "x", "$.functions[0].returns.kind must be one of 'primitive'"),
        (("functions", 0, "returns", "kind"), [], "$.functions[0].returns.kind must be one of 'primitive'"),
        (("functions", 0, "returns"), 4, "$.functions[0].returns must be an object, and is 4"),
        (
            ("functions", 0, "parameters", 0, "documented"),
            "up",
            "$.functions[0].parameters[0].documented must",
        ),
        (("functions", 0, "parameters", 1, "type", "new"), 1, "$.functions[0].parameters[1].type.new is not known"),
        (
            ("enums", 0, "enumerators", 0, "value"),
            "1",
            "$.enums[0].enumerators[0].value must be an integer, and is '1'",
        ),
        (("enums", 0, "enumerators", 0, "value"), True, "$.enums[0].enumerators[0].value must be an integer"),
        (("records", 0, "size"), None, "$.records[0].size must be an integer, and is None"),
        (("macros", 0, "value"), [1], "$.macros[0].value must be an integer or a floating number or a string"),
        (("losses", 0, "location", "line"), KeyError, None),
        (("losses", 0, "location", "file"), KeyError, "$.losses[0].location.file is missing"),
    ],
)
def test_bad_data_names_its_place(path: tuple[str | int, ...], value: Any, message: str | None) -> None:
    changed = _set(to_json(FULL), path, value)
    if message is None:
        from_json(changed)  # a field with a default may be absent
        return
    with pytest.raises(ModelFormatError) as caught:
        from_json(changed)
    assert str(caught.value).startswith(message)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(changed, json_schema())


@pytest.mark.parametrize("data", [None, [], "text", 3])
def test_no_object(data: Any) -> None:
    with pytest.raises(ModelFormatError, match=r"^\$ must be an object"):
        from_json(data)


def test_defaults_are_left_out(parsed: Callable[..., Api]) -> None:
    assert to_json(parsed("int f(void);")) == {
        "schema": 1,
        "version": "1.0.0",
        "headers": ["header.h"],
        "functions": [
            {"name": "f", "returns": {"kind": "primitive", "name": "int"}, "location": {"file": "header.h", "line": 1}}
        ],
    }
