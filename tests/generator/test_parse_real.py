"""The real headers: counts that were taken without this parser, and every value judged by gcc."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cudnn_bindgen.headers import HeaderSet, locate
from cudnn_bindgen.model import Api, Pointer
from cudnn_bindgen.parse import parse
from cudnn_bindgen.serialize import from_json, json_schema, to_json

# One of each minor line that differs in how its headers are written, and those where values or layouts moved.
JUDGED = ("8.5.0", "8.9.7", "9.0.0", "9.10.0", "9.10.1", "9.22.0", "9.25.0", "9.28.1")


@pytest.fixture(scope="module")
def headers_of(real_headers: Callable[[str], Path]) -> Callable[[str], HeaderSet]:
    return lambda version: locate(real_headers(version))


@pytest.fixture(scope="module")
def newest(headers_of: Callable[[str], HeaderSet]) -> Api:
    return parse(headers_of("9.28.1"), documentation=True)


@pytest.mark.parametrize("version", JUDGED)
def test_compiler_agrees(
    version: str,
    headers_of: Callable[[str], HeaderSet],
    check_with_compiler: Callable[[Api, HeaderSet], dict[str, str]],
) -> None:
    headers = headers_of(version)
    api = parse(headers)
    facts = check_with_compiler(api, headers)
    enumerators = sum(len(enum.enumerators) for enum in api.enums)
    fields = sum(1 + len(record.fields) for record in api.records if record.typedef)
    assert len(facts) >= enumerators + fields + len(api.macros)


# Counted on the headers as text: facts.md.
@pytest.mark.parametrize(("version", "functions"), [("8.5.0", 263), ("9.0.0", 218), ("9.28.1", 239)])
def test_function_count(version: str, functions: int, headers_of: Callable[[str], HeaderSet]) -> None:
    assert len(parse(headers_of(version)).functions) == functions


def test_enum_count(newest: Api) -> None:
    assert len(newest.enums) == 74
    assert sum(len(enum.enumerators) for enum in newest.enums) == 963


@pytest.mark.parametrize("version", JUDGED)
def test_every_exported_name_is_there(version: str, headers_of: Callable[[str], HeaderSet]) -> None:
    """The headers mark each function they export; what follows that mark is its name."""
    headers = headers_of(version)
    marked: set[str] = set()
    for path in headers.folder.glob("*.h"):
        text = re.sub(r"/\*.*?\*/|//[^\n]*|^\s*#[^\n]*", " ", path.read_text(), flags=re.DOTALL | re.MULTILINE)
        marked |= set(re.findall(r"\bCUDNNWINAPI\s+(\w+)\s*\(", text))
    assert {function.name for function in parse(headers).functions} == marked


def _preprocessed_by_gcc(headers: HeaderSet, stubs: Path) -> str:
    source = "".join(f'#include "{name}"\n' for name in headers.entry)
    command = ["gcc", "-E", "-P", "-DCUDNN_WARN_DEPRECATED", f"-I{stubs}", f"-I{headers.folder}", "-x", "c", "-"]
    return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("version", ["8.9.7", "9.28.1"])
def test_deprecated_marks(version: str, headers_of: Callable[[str], HeaderSet]) -> None:
    """As many marks as the C preprocessor leaves in the text, each on some declaration."""
    import cudnn_bindgen

    headers = headers_of(version)
    api = parse(headers)
    text = _preprocessed_by_gcc(headers, Path(cudnn_bindgen.__file__).parent / "stubs")
    marked = sum(one.deprecated is not None for one in api.declarations() if hasattr(one, "deprecated"))
    marked += sum(one.deprecated is not None for enum in api.enums for one in enum.enumerators)
    assert marked == text.count("__attribute__((deprecated))")
    assert marked > 20


def test_known_declarations(newest: Api) -> None:
    functions = {function.name: function for function in newest.functions}
    query = functions["cudnnQueryRuntimeError"]
    assert str(query) == (
        "cudnnStatus_t cudnnQueryRuntimeError(cudnnHandle_t handle, cudnnStatus_t *rstatus, "
        "cudnnErrQueryMode_t mode, cudnnRuntimeTag_t *tag);"
    )
    assert query.deprecated is not None
    assert query.deprecated.replacement == "cudnnGetLastErrorString"
    assert [parameter.documented for parameter in query.parameters] == ["in", "out", "in", "out"]
    assert query.location.file == "cudnn_graph.h"
    status = next(enum for enum in newest.enums if enum.name == "cudnnStatus_t")
    mapping = next(one for one in status.enumerators if one.name == "CUDNN_STATUS_MAPPING_ERROR")
    assert mapping.alias_of == "CUDNN_STATUS_INTERNAL_ERROR_TEXTURE_CREATION_FAILED"
    assert mapping.deprecated is not None
    assert mapping.deprecated.replacement == "CUDNN_STATUS_INTERNAL_ERROR_TEXTURE_CREATION_FAILED"
    handle = next(one for one in newest.handles if one.name == "cudnnHandle_t")
    assert (handle.target, handle.pointer, handle.external) == ("struct cudnnContext", True, False)


def test_locations_name_the_line(newest: Api, headers_of: Callable[[str], HeaderSet]) -> None:
    folder = headers_of("9.28.1").folder
    lines = {name: (folder / name).read_text().splitlines() for name in newest.headers}
    for function in newest.functions:
        assert function.name in lines[function.location.file][function.location.line - 1]
    for enum in newest.enums:
        for one in enum.enumerators:
            if not enum.external:
                assert one.name in lines[one.location.file][one.location.line - 1]
    for macro in newest.macros:
        assert macro.name in lines[macro.location.file][macro.location.line - 1]
    for loss in newest.losses:
        assert loss.name in lines[loss.location.file][loss.location.line - 1]


def test_every_direction_mark_is_taken(newest: Api, headers_of: Callable[[str], HeaderSet]) -> None:
    folder = headers_of("9.28.1").folder
    text = "".join((folder / name).read_text() for name in newest.headers)
    marks = len(re.findall(r"@param\[", text))
    taken = sum(parameter.documented is not None for function in newest.functions for parameter in function.parameters)
    assert taken == marks
    assert taken > 1200


def test_documentation_on_request_only(newest: Api, headers_of: Callable[[str], HeaderSet]) -> None:
    create = next(function for function in newest.functions if function.name == "cudnnCreate")
    assert create.documentation is not None
    assert "@param[out] handle" in create.documentation
    silent = parse(headers_of("9.28.1"))
    assert all(getattr(one, "documentation", None) is None for one in silent.declarations())


def test_foreign_types_are_those_used(newest: Api) -> None:
    foreign = {one.name for one in newest.declarations() if getattr(one, "external", False)}
    assert foreign == {
        "cudaStream_t", "cudaGraph_t", "libraryPropertyType", "size_t", "int32_t", "int64_t", "uint32_t"
    }  # fmt: skip


def test_every_named_type_resolves(newest: Api) -> None:
    names = {one.name for one in newest.declarations()}
    for function in newest.functions:
        for ctype in (function.returns, *(parameter.type for parameter in function.parameters)):
            inner = ctype
            while isinstance(inner, Pointer):
                inner = inner.target
            if type(inner).__name__ == "Named":
                assert getattr(inner, "name") in names  # noqa: B009


def test_losses_are_macros_without_value(newest: Api) -> None:
    assert sorted(loss.name for loss in newest.losses) == [
        "CUDNNWINAPI",
        "CUDNN_DEPRECATED",
        "CUDNN_DEPRECATED_ENUM",
        "CUDNN_STATUS_CATEGORY",
        "CUDNN_STATUS_FULL_ERROR_CODE",
        "CUDNN_STATUS_SPECIFIC_ERROR",
    ]


def test_json_without_loss(newest: Api) -> None:
    import jsonschema

    data = json.loads(json.dumps(to_json(newest)))
    jsonschema.validate(data, json_schema())
    assert from_json(data) == newest


def test_same_with_any_hash_seed(real_headers: Callable[[str], Path]) -> None:
    program = (
        "import json, sys; from pathlib import Path; from cudnn_bindgen.headers import locate; "
        "from cudnn_bindgen.parse import parse; from cudnn_bindgen.serialize import to_json; "
        "print(json.dumps(to_json(parse(locate(Path(sys.argv[1]))))))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program, str(real_headers("9.28.1"))],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1


def test_version_from_macros(headers_of: Callable[[str], HeaderSet]) -> None:
    for version in ("8.9.7", "9.28.1"):
        headers = headers_of(version)
        assert parse(HeaderSet("", headers.folder, headers.entry)).version == version
