"""Synthetic headers: declarations made at random, written as C, parsed back to what they were made from.

Layouts are checked against ctypes, values of expressions against gcc: neither shares code with the parser.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cudnn_bindgen.headers import HeaderSet
from cudnn_bindgen.model import (
    Alias,
    Api,
    Array,
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
    Named,
    Parameter,
    Pointer,
    Primitive,
    Record,
    declare,
)
from cudnn_bindgen.parse import parse
from cudnn_bindgen.serialize import from_json, to_json
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

CTYPES: dict[str, Any] = {
    "char": ctypes.c_char,
    "signed char": ctypes.c_byte,
    "unsigned char": ctypes.c_ubyte,
    "short": ctypes.c_short,
    "unsigned short": ctypes.c_ushort,
    "int": ctypes.c_int,
    "unsigned int": ctypes.c_uint,
    "long": ctypes.c_long,
    "unsigned long": ctypes.c_ulong,
    "long long": ctypes.c_longlong,
    "unsigned long long": ctypes.c_ulonglong,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
    "long double": ctypes.c_longdouble,
    "_Bool": ctypes.c_bool,
}

# Names that are hard for somebody: Python's keywords, names that look like numbers or suffixes.
PARAMETER_NAMES = ("x", "from", "lambda", "in", "type", "None", "self", "A1L2", "u", "L", "e1", "xUL", "deprecated")
ADVICE = st.none() | st.text(
    st.characters(codec="ascii", exclude_categories=["C"], exclude_characters='"\\?'), min_size=1
)


@dataclass
class World:
    """What a header under construction has declared so far."""

    draw: st.DrawFn
    declarations: list[tuple[Declaration, str]] = field(default_factory=list)
    values: list[str] = field(default_factory=list)  # typedef names that can be passed and stored by value
    sized: dict[str, Any] = field(default_factory=dict)  # the same, with their ctypes
    functions: list[str] = field(default_factory=list)  # typedef names of function types and pointers to them
    count: int = 0

    def name(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def pick(self, *options: Any) -> Any:
        return self.draw(st.sampled_from(options))

    def flag(self) -> bool:
        return self.draw(st.booleans())

    def base(self) -> CType:
        const, volatile = self.flag(), self.pick(False, False, False, True)
        if self.values and self.flag():
            return Named(self.pick(*self.values), "", const, volatile)
        return Primitive(self.pick(*CTYPES), const, volatile)

    def pointer(self, depth: int = 0) -> CType:
        target: CType
        choice = self.pick("base", "void", "opaque", "deeper", "array", "function")
        if choice == "void":
            target = Primitive("void", self.flag())
        elif choice == "opaque":
            target = Named(self.name("Opaque"), "struct", self.flag())
        elif choice == "deeper" and depth < 2:
            target = self.pointer(depth + 1)
        elif choice == "array":
            target = Array(self.base(), self.draw(st.integers(1, 9)))
        elif choice == "function" and depth < 2:
            target = self.function_type(depth + 1)
        else:
            target = self.base()
        return Pointer(target, self.flag(), self.pick(False, False, True), False)

    def parameter(self, depth: int = 0) -> CType:
        choice = self.pick("base", "pointer", "array")
        if choice == "base":
            return self.base()
        if choice == "pointer":
            return self.pointer(depth)
        return Array(self.base(), self.pick(None, 1, 4, 8))

    def returns(self) -> CType:
        return self.pick(Primitive("void"), Primitive("int")) if self.flag() else self.pointer(2)

    def function_type(self, depth: int = 0) -> FunctionType:
        parameters = tuple(self.parameter(depth) for _ in range(self.draw(st.integers(0, 3))))
        return FunctionType(self.returns(), parameters, bool(parameters) and self.flag())

    def deprecation(self) -> Deprecation | None:
        return Deprecation(self.draw(ADVICE)) if self.pick(False, False, True) else None


def _attribute(deprecated: Deprecation | None, style: str) -> str:
    if deprecated is None:
        return ""
    inner = "deprecated" if deprecated.advice is None else f'deprecated("{deprecated.advice}")'
    return {"gnu": f"__attribute__(({inner}))", "c23": f"[[{inner}]]", "declspec": f"__declspec({inner})"}[style]


def _enum(world: World) -> None:
    name = world.name("Enum")
    enumerators: list[Enumerator] = []
    lines = []
    value = -1
    for _ in range(world.draw(st.integers(1, 5))):
        one = world.name("ENUMERATOR_")
        deprecated = world.deprecation()
        expression = alias = None
        if not world.flag():
            value += 1
        elif enumerators and world.flag():
            alias = world.pick(*enumerators)
            expression, value, alias = alias.name, alias.value, alias.name
        else:
            value = world.draw(st.integers(-(2**31), 2**31 - 10))
            expression = f"{value}" if value < 0 or world.flag() else f"{value:#x}"
        enumerators.append(Enumerator(one, value, expression, alias, deprecated))
        mark = _attribute(deprecated, world.pick("gnu", "c23"))
        lines.append(f"    {one} {mark}" + ("" if expression is None else f" = {expression}") + ",")
    tag = world.name("tag") if world.flag() else None
    signed = any(one.value < 0 for one in enumerators)
    enum = Enum(name, tuple(enumerators), tag, True, signed)
    text = f"typedef enum {tag or ''} {{\n" + "\n".join(lines) + f"\n}} {name};"
    world.declarations.append((enum, text))
    world.values.append(name)
    world.sized[name] = ctypes.c_int if signed else ctypes.c_uint


def _layout(world: World, ctype: CType) -> Any:
    match ctype:
        case Primitive(name):
            return CTYPES[name]
        case Named(name):
            return world.sized[name]
        case Array(element, length):
            return _layout(world, element) * (length or 0)
        case _:
            return ctypes.c_void_p


def _record(world: World) -> None:
    name = world.name("Record")
    kind = world.pick("struct", "struct", "union")
    packed = world.pick(False, False, True)
    members = []
    for _ in range(world.draw(st.integers(1, 5))):
        ctype = world.pointer() if world.flag() else world.base()
        if world.flag():
            ctype = Array(ctype, world.draw(st.integers(1, 5)))
        members.append((world.name("field"), ctype, world.deprecation()))
    base: Any = ctypes.Union if kind == "union" else ctypes.Structure
    rows = [(one, _layout(world, ctype)) for one, ctype, _ in members]
    body = {"_pack_": 1, "_layout_": "ms"} if packed else {}
    layout = type(name, (base,), {**body, "_fields_": rows})
    fields = tuple(
        Field(one, ctype, getattr(layout, one).offset, ctypes.sizeof(kind_of), deprecated=deprecated)
        for (one, ctype, deprecated), (_, kind_of) in zip(members, rows, strict=True)
    )
    tag = world.name("tag") if world.flag() else None
    record = Record(name, kind, fields, ctypes.sizeof(layout), ctypes.alignment(layout), tag, True, packed)
    lines = [f"    {declare(ctype, one)} {_attribute(deprecated, 'gnu')};" for one, ctype, deprecated in members]
    attribute = "__attribute__((packed)) " if packed else ""
    text = f"typedef {kind} {attribute}{tag or ''} {{\n" + "\n".join(lines) + f"\n}} {name};"
    world.declarations.append((record, text))
    world.values.append(name)
    world.sized[name] = layout


def _handle(world: World) -> None:
    name, tag = world.name("Handle"), world.name("Hidden")
    deprecated = world.deprecation()
    handle = Handle(name, f"struct {tag}", True, False, deprecated)
    world.declarations.append((handle, f"typedef struct {tag} *{name} {_attribute(deprecated, 'gnu')};"))
    world.values.append(name)
    world.sized[name] = ctypes.c_void_p


def _callback(world: World) -> None:
    name = world.name("Callback")
    ctype = world.function_type()
    names = tuple(f"{word}{number}" for number, word in enumerate(PARAMETER_NAMES[: len(ctype.parameters)]))
    listed = ", ".join(declare(one, word) for one, word in zip(ctype.parameters, names, strict=True))
    listed = f"{listed}, ..." if ctype.variadic else listed or "void"
    callback = Callback(name, ctype, names)
    world.declarations.append((callback, f"typedef {declare(ctype.returns, f'(*{name})({listed})')};"))
    world.values.append(name)
    world.sized[name] = ctypes.c_void_p


def _alias(world: World) -> None:
    name = world.name("Alias")
    ctype = world.base()
    world.declarations.append((Alias(name, ctype), f"typedef {declare(ctype, name)};"))
    world.values.append(name)
    world.sized[name] = _layout(world, ctype)


def _macro(world: World) -> None:
    name = world.name("MACRO_")
    value: int | float | str = world.draw(
        st.integers(0, 2**64 - 1) | st.floats(0, 1e300) | st.text(st.characters(min_codepoint=32, max_codepoint=126))
    )
    if isinstance(value, str):
        written = '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?") + '"'
    elif isinstance(value, float):
        written = repr(value)
    else:
        written = f"{value}u" if value >= 2**63 else f"{value}"
    world.declarations.append((Macro(name, value, written), f"#define {name} {written}"))


def _function(world: World) -> None:
    name = world.name("function")
    ctype = world.function_type()
    words = world.draw(st.permutations(PARAMETER_NAMES))
    parameters = tuple(Parameter(word, one) for word, one in zip(words, ctype.parameters, strict=False))
    deprecated = world.deprecation()
    function = Function(name, ctype.returns, parameters, ctype.variadic, deprecated)
    plain = str(function).removesuffix(";")
    style = world.pick("gnu", "c23", "declspec", "behind")
    if style == "behind":
        text = f"{plain} {_attribute(deprecated, 'gnu')};"
    else:
        text = f"{_attribute(deprecated, style)} {plain};"
    world.declarations.append((function, text))


_MAKERS = (_enum, _record, _handle, _callback, _alias, _macro, _function, _function)
_NOISE = ("", "\n\n", "/* int hidden(void); */\n", "// struct { int a; };\n", "#if 0\nint hidden(void);\n#endif\n")


@st.composite
def headers(draw: st.DrawFn) -> tuple[str, Api]:
    """The text of a header, and the model that must come of it."""
    world = World(draw)
    for _ in range(draw(st.integers(1, 8))):
        draw(st.sampled_from(_MAKERS))(world)
    text = ""
    placed: list[Declaration] = []
    for declaration, written in world.declarations:
        text += draw(st.sampled_from(_NOISE))
        line = text.count("\n") + 1
        placed.append(_place(declaration, line))
        text += written + "\n"
    return text, Api(
        version="1.0.0",
        headers=("header.h",),
        functions=tuple(one for one in placed if isinstance(one, Function)),
        enums=tuple(one for one in placed if isinstance(one, Enum)),
        records=tuple(one for one in placed if isinstance(one, Record)),
        handles=tuple(one for one in placed if isinstance(one, Handle)),
        callbacks=tuple(one for one in placed if isinstance(one, Callback)),
        aliases=tuple(one for one in placed if isinstance(one, Alias)),
        macros=tuple(one for one in placed if isinstance(one, Macro)),
    )


def _place(declaration: Declaration, line: int) -> Declaration:
    location = Location("header.h", line)
    if isinstance(declaration, Enum):
        placed = tuple(
            replace(one, location=Location("header.h", line + number))
            for number, one in enumerate(declaration.enumerators, 1)
        )
        return replace(declaration, enumerators=placed, location=location)
    return replace(declaration, location=location)


@given(headers())
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_parsed_back_to_what_it_was_made_from(made: tuple[str, Api]) -> None:
    text, expected = made
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "header.h").write_text(text)
        found = parse(HeaderSet("1.0.0", Path(folder), ("header.h",)))
    assert found == expected
    assert from_json(to_json(found)) == found


# --- expressions ---------------------------------------------------------------------------------------------------

_SUFFIXED = st.tuples(st.integers(0, 2**40), st.sampled_from(["u", "L", "UL", "ll", "ULL", "lu"]))
_LITERALS = st.one_of(
    st.integers(0, 300).map(str),
    st.sampled_from(["0x7fffffff", "0x80000000", "2147483647", "4294967295", "0777", "0b1011", "0xFFFFFFFFFFFFFFFF"]),
    _SUFFIXED.map(lambda pair: f"{pair[0]}{pair[1]}"),
    st.sampled_from(["'a'", "'\\n'", "'\\x7f'", "'\\377'", "'\\0'", "'ab'"]),
    st.sampled_from(["sizeof(int)", "sizeof(long double)", "sizeof(char *)", "_Alignof(short)", "sizeof(int[3])"]),
)
_CASTS = ("char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long")


_BINARY = ("+", "-", "*", "&", "|", "^", "<", ">", "<=", ">=", "==", "!=", "&&", "||")


def _binary(left: Any, operators: tuple[str, ...], right: Any) -> st.SearchStrategy[str]:
    return st.tuples(left, st.sampled_from(operators), right).map(lambda parts: f"({' '.join(parts)})")


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(st.sampled_from(["-", "~", "!", "+"]), inner).map(lambda p: f"({p[0]} {p[1]})"),
        _binary(inner, _BINARY, inner),
        _binary(inner, ("/", "%"), st.integers(1, 99).map(str)),
        _binary(inner, ("<<", ">>"), st.integers(0, 31).map(str)),
        st.tuples(inner, inner, inner).map(lambda p: f"({p[0]} ? {p[1]} : {p[2]})"),
        st.tuples(st.sampled_from([*_CASTS, "_Bool"]), inner).map(lambda p: f"(({p[0]}){p[1]})"),
        inner.map(lambda one: f"sizeof({one})"),
    )


_EXPRESSIONS = st.recursive(_LITERALS, _larger, max_leaves=8)


@given(st.lists(_EXPRESSIONS, min_size=20, max_size=40))
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_expressions_have_the_values_gcc_gives(expressions: list[str]) -> None:
    text = "".join(f"enum {{ VALUE_{number} = {one} }};\n" for number, one in enumerate(expressions))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "header.h").write_text(text)
        found = parse(HeaderSet("1.0.0", Path(folder), ("header.h",)))
        values = [enum.enumerators[0].value for enum in found.enums]
        printed = "".join(
            f'printf("%s%llu\\n", VALUE_{n} < 0 ? "-" : "", VALUE_{n} < 0 ? 0ull - (unsigned long long)VALUE_{n} '
            f": (unsigned long long)VALUE_{n});\n"
            for n in range(len(expressions))
        )
        program = Path(folder, "program")
        source = f'#include <stdio.h>\n#include "header.h"\nint main(void) {{\n{printed}return 0; }}\n'
        Path(folder, "program.c").write_text(source)
        subprocess.run(["gcc", "-std=gnu2x", "-w", "-O0", f"{program}.c", "-o", str(program)], check=True)
        said = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout.split()
    assert values == [int(one) for one in said]
