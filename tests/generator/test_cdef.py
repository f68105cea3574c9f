"""What cffi is told: the layouts of the model, types in order, and a way around what cffi cannot do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cffi
import pytest
from cudnn_bindgen.cdef import cdef_parts, cffi_module
from cudnn_bindgen.cdef_records import RecordTexts, c_name
from cudnn_bindgen.errors import BindgenError
from cudnn_bindgen.generate import lines_of
from cudnn_bindgen.headers import HeaderSet
from cudnn_bindgen.layout import PRIMITIVES
from cudnn_bindgen.model import Api
from cudnn_bindgen.parse import parse

CASES = Path(__file__).parent / "cases"


def ffi_of(api: Api) -> Any:
    """What a program sees that imports the module."""
    namespace: dict[str, Any] = {}
    exec(cffi_module(lines_of([api])[0], "somewhere._cffi"), namespace)
    return namespace["ffi"]


def headers_that_parse() -> Iterator[Path]:
    for path in sorted(CASES.glob("*.h")):
        try:
            parse(HeaderSet("9.0.0", CASES, (path.name,)))
        except BindgenError:
            continue
        yield path


@pytest.mark.parametrize("path", list(headers_that_parse()), ids=lambda path: path.stem)
def test_layouts_are_the_models(path: Path) -> None:
    api = parse(HeaderSet("9.0.0", CASES, (path.name,)))
    ffi, texts = ffi_of(api), RecordTexts(api)
    for record in api.records:
        if not record.size:  # GNU's empty struct, which cffi makes one byte large
            continue
        assert ffi.sizeof(c_name(record)) == record.size, record.name
        reached = {field.name for field in texts.visible(record)}
        for field in record.fields:
            if field.name in reached and field.bits is None:
                assert ffi.offsetof(c_name(record), field.name) == field.offset, f"{record.name}.{field.name}"


def test_types_are_declared_before_they_are_needed(parsed: Callable[..., Api]) -> None:
    api = parsed(
        "typedef struct Inner Inner;\n"
        "typedef struct { Inner *pointer; int (*call)(Inner *one); } Outer;\n"
        "struct Inner { Outer *back; int n; };\n"
        "typedef void (*Callback)(const Outer *outer, Inner inner);\n"
        "int use(Outer outer, Callback callback);\n"
    )
    ffi = ffi_of(api)
    assert ffi.sizeof("Outer") == 16
    assert ffi.sizeof("Inner") == 16
    assert ffi.typeof("Callback").args[1] is ffi.typeof("Inner")


def test_anonymous_members_are_reached_through_the_record(parsed: Callable[..., Api]) -> None:
    ffi = ffi_of(parsed("typedef struct { int tag; union { int i; float f; }; struct { short s; } named; } T;"))
    one = ffi.new("T *")
    one.f = 1.0
    one.named.s = 7
    assert one.i == 0x3F800000
    assert ffi.offsetof("T", "named", "s") == 8


def test_enums_keep_their_sign(parsed: Callable[..., Api]) -> None:
    ffi = ffi_of(
        parsed("typedef enum { A = -1, B = 1 } Signed; typedef enum { C = 1 } Unsigned; int f(Signed a, Unsigned b);")
    )
    assert int(ffi.cast("Signed", -1)) == -1
    assert int(ffi.cast("Unsigned", -1)) == 2**32 - 1


def test_bit_fields_that_cffi_lays_out_alike_stay(parsed: Callable[..., Api]) -> None:
    api = parsed("typedef struct { unsigned a : 3; unsigned b : 5; int c; } Bits;")
    one = ffi_of(api).new("Bits *")
    one.b = 31
    one.a = 0
    assert one.b == 31
    assert {field.name for field in RecordTexts(api).visible(api.records[0])} == {"a", "b", "c"}


def test_union_by_value_is_called_as_integers(
    rendered: Callable[..., Any], compiled: Callable[[str, str], Path]
) -> None:
    types = (
        "typedef enum { CUDNN_STATUS_SUCCESS = 0 } cudnnStatus_t;\n"
        "typedef enum { CUDNN_A_ONE = 1, CUDNN_A_TWO = 2 } cudnnA_t;\n"
        "typedef struct { union Choice { cudnnA_t a; int n; } choice; int more; } cudnnBox_t;\n"
        "cudnnStatus_t cudnnOpen(cudnnBox_t box, int *sum);\n"
    )
    version = "#include <stddef.h>\nsize_t cudnnGetVersion(void)"
    code = f"{types}{version} {{ return 90000; }}\n"
    code += "cudnnStatus_t cudnnOpen(cudnnBox_t box, int *sum) { *sum = box.choice.n * 1000 + box.more; return 0; }\n"
    library = rendered({"9.0.0": f"{types}{version};\n"}).load(compiled(code, "libcudnn.so.9"))
    structs = library.structs
    assert library.open_(structs.Box(structs.Choice(n=5), 7)) == 5007
    assert library.open_(structs.Box(structs.Choice(a=library._enums_module.A.TWO), 8)) == 2008


def test_no_declaration_is_lost(parsed: Callable[..., Api]) -> None:
    api = parsed("typedef struct S { int a; } S; typedef S *S_pointer; enum E { X = 3 }; int f(S_pointer s, enum E e);")
    text = "".join(part for part, _ in cdef_parts(lines_of([api])[0]))
    ffi = cffi.FFI()
    ffi.cdef(text)
    assert ffi.typeof("S_pointer").item.fields[0][0] == "a"
    assert "int f(S_pointer, enum E);" in text


@pytest.mark.parametrize("name", [name for name in PRIMITIVES if name != "void"])
def test_every_type_of_c_has_a_place(parsed: Callable[..., Api], name: str) -> None:
    """By value, behind a pointer, in an array and in a struct: cffi takes what the model can say."""
    text = f"typedef {name} T; typedef struct {{ char a; {name} b[2]; T c; char d; {name} *e; }} S; "
    ffi = ffi_of(parsed(text + f"int f(S *s, {name} *a, T *b); {name} g({name} a);"))
    size, alignment = PRIMITIVES[name]
    assert ffi.offsetof("S", "d") == alignment + 3 * size
