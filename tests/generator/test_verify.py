"""The C compiler as judge: true models pass, and each kind of fact that is made false is found and named."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cudnn_bindgen import verify as verify_module
from cudnn_bindgen.errors import VerificationError
from cudnn_bindgen.headers import HeaderSet
from cudnn_bindgen.model import (
    Alias,
    Api,
    Array,
    Callback,
    Enum,
    Enumerator,
    Field,
    Function,
    FunctionType,
    Handle,
    Macro,
    Named,
    Parameter,
    Pointer,
    Primitive,
    Record,
)
from cudnn_bindgen.parse import parse
from cudnn_bindgen.verify import verification_source, verify

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="verifying needs a C compiler; install gcc or clang"
)

INT = Primitive("int")
SIGNED_BYTE = Primitive("signed char")

HEADER = """
#include <stddef.h>
#define LEVEL 7
#define LOW (-3)
#define HUGE_NUMBER 18446744073709551615ULL
#define SMALL 1e-5
#define TEXT "a\\"b\\\\c?\\n"
typedef enum colour { RED = -1, GREEN = 1 << 4, LIME = GREEN, BLUE } colour_t;
typedef enum { FIRST, SECOND } order_t;
enum bare { BARE = 5 };
enum { NAMELESS = 6 };
struct hidden;
typedef struct hidden *hidden_t;
typedef struct point { char tag; int x[2][3]; const void *link; order_t order; } point_t;
typedef union { float f; unsigned bits; } word_t;
struct flags { unsigned a : 3; unsigned b : 5; int after; };
typedef void (*notify_t)(int level, void *user);
typedef int plain_t(const char *);
typedef unsigned long long wide_t;
int paint(hidden_t canvas, const point_t *at, colour_t with, unsigned count, notify_t notify, int grid[4]);
void none(void);
int many(const char *format, ...);
"""

MODEL = Api(
    version="9.0.0",
    headers=("tiny.h",),
    functions=(
        Function(
            "paint",
            INT,
            (
                Parameter("canvas", Named("hidden_t")),
                Parameter("at", Pointer(Named("point_t", const=True))),
                Parameter("with", Named("colour_t")),
                Parameter("count", Primitive("unsigned int")),
                Parameter("notify", Named("notify_t")),
                Parameter("grid", Array(INT, 4)),
            ),
        ),
        Function("none", Primitive("void")),
        Function("many", INT, (Parameter("format", Pointer(Primitive("char", const=True))),), variadic=True),
    ),
    enums=(
        Enum(
            "colour_t",
            (
                Enumerator("RED", -1, "-1"),
                Enumerator("GREEN", 16, "1 << 4"),
                Enumerator("LIME", 16, "GREEN", alias_of="GREEN"),
                Enumerator("BLUE", 17),
            ),
            tag="colour",
            signed=True,
        ),
        Enum("order_t", (Enumerator("FIRST", 0), Enumerator("SECOND", 1))),
        Enum("bare", (Enumerator("BARE", 5, "5"),), tag="bare", typedef=False),
        Enum("anonymous_enum_1", (Enumerator("NAMELESS", 6, "6"),), typedef=False),
    ),
    records=(
        Record(
            "point_t",
            "struct",
            (
                Field("tag", Primitive("char"), 0, 1),
                Field("x", Array(Array(INT, 3), 2), 4, 24),
                Field("link", Pointer(Primitive("void", const=True)), 32, 8),
                Field("order", Named("order_t"), 40, 4),
            ),
            48,
            8,
            tag="point",
        ),
        Record(
            "word_t",
            "union",
            (Field("f", Primitive("float"), 0, 4), Field("bits", Primitive("unsigned int"), 0, 4)),
            4,
            4,
        ),
        Record(
            "flags",
            "struct",
            (
                Field("a", Primitive("unsigned int"), 0, 4, 3, 0),
                Field("b", Primitive("unsigned int"), 0, 4, 5, 3),
                Field("after", INT, 4, 4),
            ),
            8,
            4,
            tag="flags",
            typedef=False,
        ),
    ),
    handles=(Handle("hidden_t", "struct hidden"),),
    callbacks=(
        Callback("notify_t", FunctionType(Primitive("void"), (INT, Pointer(Primitive("void"))))),
        Callback("plain_t", FunctionType(INT, (Pointer(Primitive("char", const=True)),)), pointer=False),
    ),
    aliases=(Alias("wide_t", Primitive("unsigned long long")),),
    macros=(
        Macro("LEVEL", 7, "7"),
        Macro("LOW", -3, "(-3)"),
        Macro("HUGE_NUMBER", 2**64 - 1, "18446744073709551615ULL"),
        Macro("SMALL", 1e-5, "1e-5"),
        Macro("TEXT", 'a"b\\c?\n', '"..."'),
    ),
)


@pytest.fixture
def tiny(tmp_path: Path) -> HeaderSet:
    (tmp_path / "tiny.h").write_text(HEADER)
    return HeaderSet("9.0.0", tmp_path, ("tiny.h",))


def test_a_true_model_passes(tiny: HeaderSet) -> None:
    report = verify(tiny, MODEL)
    assert report.counts == {
        "alias": 1,
        "alignment": 3,
        "callback": 2,
        "enum complete": 3,
        "enum signedness": 3,
        "enumerator": 8,
        "enumerator alias": 1,
        "field size": 7,
        "field type": 7,
        "function": 3,
        "handle": 1,
        "macro": 5,
        "offset": 7,
        "size": 3,
        "tag": 2,
    }
    assert report.total == 56
    assert report.unchecked == (
        "the type of anonymous_enum_1, which has no name",
        "bit-field a of struct flags",
        "bit-field b of struct flags",
    )


def test_the_parser_agrees_with_the_model_above(tiny: HeaderSet) -> None:
    """Both the parser and the compiler read the same header, so the parser's model must pass too."""
    assert verify(tiny, parse(tiny)).total >= 56


def changed(attribute: str, called: str, /, **more: Any) -> Api:
    """MODEL with fields of one declaration replaced."""
    listed = tuple(replace(one, **more) if one.name == called else one for one in getattr(MODEL, attribute))
    assert listed != getattr(MODEL, attribute)
    replaced: dict[str, Any] = {attribute: listed}
    return replace(MODEL, **replaced)


def enumerator(called: str, /, **more: Any) -> Api:
    enums = tuple(
        replace(enum, enumerators=tuple(replace(m, **more) if m.name == called else m for m in enum.enumerators))
        for enum in MODEL.enums
    )
    return replace(MODEL, enums=enums)


def without(name: str) -> Api:
    enums = tuple(
        replace(enum, enumerators=tuple(m for m in enum.enumerators if m.name != name)) for enum in MODEL.enums
    )
    return replace(MODEL, enums=enums)


def field(record: str, called: str, /, **more: Any) -> Api:
    (one,) = [one for one in MODEL.records if one.name == record]
    fields = tuple(replace(field, **more) if field.name == called else field for field in one.fields)
    return changed("records", record, fields=fields)


def parameter(place: int, ctype: Any) -> Api:
    parameters = list(MODEL.functions[0].parameters)
    parameters[place] = replace(parameters[place], type=ctype)
    return changed("functions", "paint", parameters=tuple(parameters))


@pytest.mark.parametrize(
    ("model", "says"),
    [
        (enumerator("GREEN", value=15), "enumerator GREEN is 15"),
        (enumerator("RED", value=2**32 - 1), "enumerator RED is 4294967295"),
        (enumerator("RED", value=2**64 - 1), "enumerator RED is 18446744073709551615"),
        (enumerator("BLUE", name="MAUVE"), "enumerator MAUVE is 17 ("),
        (enumerator("BLUE", alias_of="RED"), "enumerator BLUE is another name of RED"),
        (without("SECOND"), "enum order_t has no other value (enumeration value 'SECOND' not handled"),
        (changed("enums", "colour_t", signed=False), "enum colour_t is unsigned"),
        (changed("enums", "order_t", signed=True), "enum order_t is signed"),
        (changed("enums", "colour_t", tag="bare"), "colour_t is enum bare"),
        (changed("records", "point_t", size=56), "struct point_t has 56 bytes"),
        (changed("records", "point_t", alignment=4), "struct point_t is aligned to 4"),
        (changed("records", "point_t", tag="flags"), "point_t is struct flags"),
        (field("point_t", "link", offset=28), "field link of struct point_t is at byte 28"),
        (field("point_t", "tag", size=2), "field tag of struct point_t has 2 bytes"),
        (field("point_t", "tag", type=SIGNED_BYTE), "field tag of struct point_t is signed char"),
        (field("point_t", "link", type=Pointer(Primitive("void"))), "field link of struct point_t is void *"),
        (field("point_t", "order", type=Primitive("unsigned int")), "field order of struct point_t is unsigned int"),
        (field("point_t", "x", type=Array(Array(INT, 2), 3)), "field x of struct point_t is int [3][2]"),
        (field("point_t", "order", name="sort"), "field sort of struct point_t"),
        (field("word_t", "f", type=INT), "field f of union word_t is int"),
        (field("flags", "after", offset=8), "field after of struct flags is at byte 8"),
        (changed("handles", "hidden_t", target="struct other"), "handle hidden_t is struct other *"),
        (changed("handles", "hidden_t", pointer=False), "handle hidden_t is struct hidden"),
        (changed("callbacks", "notify_t", type=FunctionType(INT, (INT,))), "callback notify_t is int (*)(int)"),
        (changed("callbacks", "plain_t", pointer=True), "callback plain_t is int (*)(const char *)"),
        (changed("aliases", "wide_t", type=Primitive("unsigned long")), "alias wide_t is unsigned long"),
        (changed("macros", "LEVEL", value=8), "macro LEVEL is 8"),
        (changed("macros", "LOW", value=3), "macro LOW is 3"),
        (changed("macros", "HUGE_NUMBER", value=-1), "macro HUGE_NUMBER is -1"),
        (changed("macros", "SMALL", value=2e-5), "macro SMALL is 2e-05"),
        (changed("macros", "TEXT", value="a"), 'macro TEXT is "a"'),
        (changed("macros", "TEXT", value=5), "macro TEXT is 5"),
        (changed("macros", "LEVEL", value="seven"), 'macro LEVEL is "seven"'),
        # The compiler puts this one where the macro is defined.
        (changed("macros", "SMALL", value="x"), 'macro SMALL is "x"'),
        (changed("functions", "none", returns=INT), "function int none(void)"),
        (changed("functions", "none", name="gone"), "function void gone(void); ("),
        (changed("functions", "many", variadic=False), "function int many(const char *format);"),
        (parameter(1, Pointer(Named("point_t"))), "function int paint(hidden_t canvas, point_t *at,"),
        (parameter(2, Named("order_t")), "order_t with"),
        # C takes an enum for the integer it is stored in: found by the run with short enums.
        (parameter(2, INT), "int with"),
        (parameter(3, Named("order_t")), "order_t count"),
        (parameter(0, Pointer(Primitive("void"))), "void *canvas"),
        (parameter(5, Array(Primitive("long"), 4)), "long grid[4]"),
    ],
)
def test_a_false_fact_is_named(tiny: HeaderSet, model: Api, says: str) -> None:
    with pytest.raises(VerificationError) as caught:
        verify(tiny, model)
    message = str(caught.value)
    assert says in message
    assert "cuDNN 9.0.0: the C compiler disagrees on" in message


def test_every_false_fact_is_listed(tiny: HeaderSet) -> None:
    enums = (replace(MODEL.enums[1], enumerators=(Enumerator("FIRST", 5), Enumerator("SECOND", 6))), *MODEL.enums[2:])
    with pytest.raises(
        VerificationError, match=r"disagrees on 4 facts.*FIRST is 5; .*SECOND is 6; .*LEVEL is 9"
    ) as caught:
        verify(tiny, replace(changed("macros", "LEVEL", value=9), enums=(MODEL.enums[0], *enums)))
    assert "enum order_t has no other value" in str(caught.value)


def test_a_header_that_does_not_compile_is_named(tiny: HeaderSet) -> None:
    (tiny.folder / "tiny.h").write_text(HEADER + "int broken(;\n")
    line = HEADER.count("\n") + 1
    with pytest.raises(VerificationError, match=rf"the headers in \S+ do not compile: tiny\.h:{line}: [^;]*';' token$"):
        verify(tiny, MODEL)


def test_the_source_names_its_headers_and_writer() -> None:
    source = verification_source(MODEL)
    assert source.startswith("/* Written by cudnn-bindgen verify.")
    assert '#include "tiny.h"' in source
    assert source == verification_source(MODEL)


def test_a_real_cuda_folder_goes_before_the_stubs(tmp_path: Path) -> None:
    headers, cuda = tmp_path / "headers", tmp_path / "cuda"
    headers.mkdir()
    cuda.mkdir()
    (headers / "tiny.h").write_text('#include "driver_types.h"\nint use(cudaStream_t stream);\n')
    tiny = HeaderSet("9.0.0", headers, ("tiny.h",))
    api = parse(tiny)
    assert [one.name for one in api.handles if one.external] == ["cudaStream_t"]
    assert verify(tiny, api, cuda_include=cuda).counts["handle"] == 1
    (cuda / "driver_types.h").write_text("typedef struct other *cudaStream_t;\n")
    with pytest.raises(VerificationError, match=r"1 facts of the model: handle cudaStream_t is struct CUstream_st \*$"):
        verify(tiny, api, cuda_include=cuda)


# --- the compiler --------------------------------------------------------------------------------------------------


def test_no_compiler(tiny: HeaderSet, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(VerificationError, match="none of cc, gcc, clang is on PATH; install gcc or clang, or set CC"):
        verify(tiny, MODEL)
    monkeypatch.setenv("CC", "nocc -m64")
    with pytest.raises(VerificationError, match="the C compiler CC=nocc is not there"):
        verify(tiny, MODEL)


def test_cc_is_used_and_may_have_arguments(tiny: HeaderSet, monkeypatch: pytest.MonkeyPatch) -> None:
    (found,) = verify_module.find_compiler()
    monkeypatch.setenv("CC", f"{found} -DLEVEL_TOO=1")
    assert verify(tiny, MODEL).compiler == f"{found} -DLEVEL_TOO=1"


def test_a_compiler_that_only_fails(tiny: HeaderSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "false")
    with pytest.raises(VerificationError, match="the C compiler failed on the headers in"):
        verify(tiny, MODEL)


def test_a_compiler_that_accepts_anything(tiny: HeaderSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "true")
    with pytest.raises(VerificationError, match="true accepts an assertion that is false"):
        verify(tiny, parse(tiny))


def test_cc_that_cannot_be_read(tiny: HeaderSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "'gcc")
    with pytest.raises(VerificationError, match="CC='gcc cannot be read"):
        verify(tiny, parse(tiny))
