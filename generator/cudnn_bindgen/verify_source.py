"""The C file that `verify` compiles: every fact of the model as a static assertion, one a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from cudnn_bindgen.model import (
    Alias,
    Api,
    Array,
    Callback,
    CType,
    Enum,
    Field,
    Function,
    FunctionType,
    Handle,
    Macro,
    Named,
    Pointer,
    Primitive,
    Record,
)

__all__ = ["SHORT_ENUMS", "Assertion", "assertions", "verification_source"]

_CLAIM = re.compile(r"/\* (?P<claim>.*) \*/$")
# C takes an enum for the integer type it is stored in, so a parameter of the one passes for the other. Compiled once
# more with short enums (and this macro, since layouts are others then) it does not.
SHORT_ENUMS = "CUDNN_BINDGEN_SHORT_ENUMS"
_LAYOUT = frozenset(("size", "alignment", "offset", "field size", "enum signedness"))
_INT64 = range(-(2**63), 2**63)
_UINT64 = range(2**64)


@dataclass(frozen=True, slots=True)
class Assertion:
    """One line of C. `about` groups it for the report, `claim` says in words what the model says."""

    about: str
    claim: str
    code: str

    def __str__(self) -> str:
        # A claim never holds the end of a comment: pointers to pointers are written with a space after the slash.
        return f"{self.code} /* {self.claim.replace('*/', '* /')} */"

    @staticmethod
    def claim_of(line: str) -> str | None:
        """The claim behind a line of the file."""
        match = _CLAIM.search(line)
        return match["claim"] if match else None


Found: TypeAlias = Iterator[Assertion | str]


def verification_source(api: Api, *, entry: Sequence[str] | None = None) -> str:
    """The whole C file.

    Parameters
    ----------
    entry
        Headers to include; those of `api` when not given.
    """
    checks, unchecked = assertions(api)
    lines = [
        f"/* Written by cudnn-bindgen verify. What the model says of cuDNN {api.version}: it compiles if true. */",
        "#include <stddef.h>",
        "#include <stdint.h>",
        *(f'#include "{name}"' for name in entry or api.headers),
        *(f"/* not checked: {text} */" for text in unchecked),
        *(str(one) for one in checks if one.about not in _LAYOUT),
        f"#ifndef {SHORT_ENUMS}",
        *(str(one) for one in checks if one.about in _LAYOUT),
        "#endif",
    ]
    return "\n".join(lines) + "\n"


def assertions(api: Api) -> tuple[list[Assertion], list[str]]:
    """Every assertion, and phrases for what C cannot assert."""
    writer = _Writer(api)
    found = [*writer.all()]
    return [one for one in found if isinstance(one, Assertion)], [one for one in found if isinstance(one, str)]


class _Writer:
    def __init__(self, api: Api) -> None:
        self._api = api
        # Types that C gives no name, by the name that the model made for them.
        self._nameless = {
            one.name for declared in (api.enums, api.records) for one in declared if not one.typedef and not one.tag
        }

    def all(self) -> Found:
        api = self._api
        for enum in api.enums:
            yield from self._enum(enum)
        for record in api.records:
            yield from self._record(record)
        for handle in api.handles:
            yield from self._handle(handle)
        for callback in api.callbacks:
            yield from self._callback(callback)
        for alias in api.aliases:
            yield from self._alias(alias)
        for macro in api.macros:
            yield from self._macro(macro)
        for function in api.functions:
            yield from self._function(function)

    def _enum(self, enum: Enum) -> Found:
        for member in enum.enumerators:
            yield _integer("enumerator", member.name, member.value)
            if member.alias_of:
                claim = f"enumerator {member.name} is another name of {member.alias_of}"
                yield _true("enumerator alias", claim, f"{member.name} == {member.alias_of}")
        name = _spelling(enum)
        if name is None:
            yield f"the type of {enum.name}, which has no name"
            return
        word, sign = ("signed", "<") if enum.signed else ("unsigned", ">")
        yield _true("enum signedness", f"enum {enum.name} is {word}", f"({name})-1 {sign} 0")
        if enum.tag and enum.typedef:
            yield _same("tag", f"{enum.name} is enum {enum.tag}", enum.name, f"enum {enum.tag}")
        yield from self._complete(enum, name)

    @staticmethod
    def _complete(enum: Enum, name: str) -> Found:
        """The compiler warns of an enumerator that a switch leaves out: nothing is missing in the model."""
        cases = " ".join(f"case {_literal(value)}:" for value in dict.fromkeys(m.value for m in enum.enumerators))
        if cases:
            claim = f"enum {enum.name} has no other value"
            code = f"static inline void complete_{enum.name}({name} value) {{ switch (value) {{ {cases} break; }} }}"
            yield Assertion("enum complete", claim, code)

    def _record(self, record: Record) -> Found:
        name = _spelling(record)
        if name is None:
            yield f"{record.kind} {record.name}, which has no name"
            return
        about = f"{record.kind} {record.name}"
        yield _true("size", f"{about} has {record.size} bytes", f"sizeof({name}) == {record.size}")
        yield _true("alignment", f"{about} is aligned to {record.alignment}", f"_Alignof({name}) == {record.alignment}")
        if record.tag and record.typedef:
            tag = f"{record.kind} {record.tag}"
            yield _same("tag", f"{record.name} is {tag}", record.name, tag)
        for field in record.fields:
            yield from self._field(about, name, field)

    def _field(self, about: str, name: str, field: Field) -> Found:
        if field.bits is not None or not field.name:
            what = f"bit-field {field.name}" if field.name else "a field without a name"
            yield f"{what} of {about}"
            return
        label = f"field {field.name} of {about}"
        claim = f"{label} is at byte {field.offset}"
        yield _true("offset", claim, f"__builtin_offsetof({name}, {field.name}) == {field.offset}")
        member = f"(({name} *)0)->{field.name}"
        if not _flexible(field.type):
            yield _true("field size", f"{label} has {field.size} bytes", f"sizeof({member}) == {field.size}")
        if self._speakable(field.type):
            yield _same("field type", f"{label} is {field.type}", f"__typeof__(&{member})", str(Pointer(field.type)))
        else:
            yield f"the type of {label}, which has no name"

    def _handle(self, handle: Handle) -> Found:
        behind = f"{handle.target} *" if handle.pointer else handle.target
        # A pointer more, since an incomplete type itself cannot be compared everywhere.
        yield _same("handle", f"handle {handle.name} is {behind}", f"{handle.name} *", f"{behind} *")

    def _callback(self, callback: Callback) -> Found:
        if not self._speakable(callback.type):
            yield f"callback {callback.name}, whose type has a part without a name"
            return
        behind = Pointer(callback.type)
        name = callback.name if callback.pointer else f"{callback.name} *"
        yield _same("callback", f"callback {callback.name} is {behind}", name, str(behind))

    def _alias(self, alias: Alias) -> Found:
        if not self._speakable(alias.type):
            yield f"alias {alias.name}, whose type has no name"
            return
        yield _same("alias", f"alias {alias.name} is {alias.type}", f"{alias.name} *", str(Pointer(alias.type)))

    def _macro(self, macro: Macro) -> Found:
        match macro.value:
            case int():
                yield _integer("macro", macro.name, macro.value)
            case float():
                yield _true("macro", f"macro {macro.name} is {macro.value!r}", f"({macro.name}) == {macro.value!r}")
            case str():
                text = _c_string(macro.value)
                yield _true(
                    "macro",
                    f"macro {macro.name} is {text}",
                    f"sizeof({macro.name}) == sizeof({text}) && __builtin_strcmp({macro.name}, {text}) == 0",
                )

    def _function(self, function: Function) -> Found:
        if not self._speakable(function.type):
            yield f"function {function.name}, whose type has a part without a name"
            return
        behind = str(Pointer(function.type))
        yield _same("function", f"function {function}", f"__typeof__(&{function.name})", behind)

    def _speakable(self, ctype: CType) -> bool:
        match ctype:
            case Primitive():
                return True
            case Named(name):
                return name not in self._nameless
            case Pointer(target):
                return self._speakable(target)
            case Array(element):
                return self._speakable(element)
            case FunctionType(returns, parameters):
                return self._speakable(returns) and all(map(self._speakable, parameters))


def _spelling(one: Enum | Record) -> str | None:
    """How C names the type; None where it cannot."""
    if one.typedef:
        return one.name
    kind = one.kind if isinstance(one, Record) else "enum"
    return f"{kind} {one.tag}" if one.tag else None


def _flexible(ctype: CType) -> bool:
    return isinstance(ctype, Array) and ctype.length is None


def _true(about: str, claim: str, condition: str) -> Assertion:
    return Assertion(about, claim, f'_Static_assert({condition}, "");')


def _same(about: str, claim: str, one: str, other: str) -> Assertion:
    return Assertion(about, claim, f'_Static_assert(__builtin_types_compatible_p({one}, {other}), "");')


def _integer(about: str, name: str, value: int) -> Assertion:
    # The sign is asserted beside the value, since -1 and the largest unsigned number compare equal in C.
    sign = f"({name}) < 0" if value < 0 else f"!(({name}) < 0)"
    return _true(about, f"{about} {name} is {value}", f"({name}) == {_literal(value)} && {sign}")


def _literal(value: int) -> str:
    if value not in _INT64:
        assert value in _UINT64
        return f"{value}ULL"
    # The most negative number has no literal of its own.
    return f"{value}LL" if value > _INT64.start else f"({value + 1}LL - 1)"


def _c_string(text: str) -> str:
    """`text` as a C literal: octal escapes take three digits at most, so nothing that follows joins them."""
    plain = {'"': '\\"', "\\": "\\\\", "?": "\\?"}
    encoded = text.encode("utf-8", "surrogateescape")
    return '"' + "".join(plain.get(chr(b), chr(b)) if 32 <= b < 127 else f"\\{b:03o}" for b in encoded) + '"'
