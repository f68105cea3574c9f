"""What is known while a header is read: typedefs, tags, constants; and the sizes of types."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from cudnn_bindgen.errors import HeaderParseError
from cudnn_bindgen.evaluate import BOOL, Arithmetic, Constant
from cudnn_bindgen.layout import PRIMITIVES
from cudnn_bindgen.model import (
    Array,
    CType,
    Deprecation,
    Enumerator,
    Field,
    FunctionType,
    Location,
    Named,
    Pointer,
    Primitive,
)

__all__ = ["EnumDraft", "RecordDraft", "Scope", "TypedefDraft"]


@dataclass(slots=True)
class RecordDraft:
    """A struct or union in the making; `fields` is None while it is only declared."""

    kind: Literal["struct", "union"]
    name: str
    tag: str | None
    order: int
    location: Location
    own: bool
    typedef: bool = False
    fields: tuple[Field, ...] | None = None
    size: int = 0
    alignment: int = 1
    packed: bool = False
    deprecated: Deprecation | None = None
    documentation: str | None = None
    read: set[int] = field(default_factory=set)  # tokens whose braces have been read


@dataclass(slots=True)
class EnumDraft:
    """An enum in the making; `enumerators` is None while it is only declared."""

    name: str
    tag: str | None
    order: int
    location: Location
    own: bool
    typedef: bool = False
    enumerators: tuple[Enumerator, ...] | None = None
    deprecated: Deprecation | None = None
    documentation: str | None = None
    read: set[int] = field(default_factory=set)
    packed: bool = False
    underlying: Arithmetic | None = None  # C23: enum E : unsigned char

    @property
    def signed(self) -> bool:
        return any(one.value < 0 for one in self.enumerators or ())

    @property
    def kind(self) -> Literal["enum"]:
        return "enum"

    @property
    def arithmetic(self) -> Arithmetic:
        if self.underlying is not None:
            return self.underlying
        for bits in (8, 16, 32) if self.packed else (32,):
            kind = Arithmetic(bits, self.signed)
            if all(kind.holds(one.value) for one in self.enumerators or ()):
                return kind
        return Arithmetic(64, self.signed)


Draft: TypeAlias = RecordDraft | EnumDraft


@dataclass(slots=True)
class TypedefDraft:
    """A typedef; `draft` is set instead of `type` when it names a struct or enum without a tag."""

    name: str
    type: CType | None
    order: int
    location: Location
    own: bool
    draft: Draft | None = None
    aligned: int | None = None
    parameter_names: tuple[str, ...] = ()
    deprecated: Deprecation | None = None
    documentation: str | None = None


@dataclass(slots=True)
class Scope:
    """The names of one translation unit, and what their types measure."""

    typedefs: dict[str, TypedefDraft] = field(default_factory=dict)
    tags: dict[str, Draft] = field(default_factory=dict)
    made_up: dict[str, Draft] = field(default_factory=dict)  # structs and enums without a tag, by made-up name
    constants: dict[str, Constant] = field(default_factory=dict)
    drafts: list[Draft] = field(default_factory=list)

    def resolve(self, ctype: CType) -> CType | Draft:
        """`ctype` without names: the type or the struct, union or enum that it means."""
        while isinstance(ctype, Named):
            if ctype.tag_kind:
                return self.tags.get(ctype.name) or self.made_up[ctype.name]
            typedef = self.typedefs[ctype.name]
            if typedef.draft is not None:
                return typedef.draft
            assert typedef.type is not None
            ctype = typedef.type
        return ctype

    def measure(self, ctype: CType, location: Location) -> tuple[int, int]:
        """Size and alignment in bytes.

        Raises
        ------
        HeaderParseError
            The type is incomplete.
        """
        aligned = self._typedef_alignment(ctype)
        resolved = self.resolve(ctype)
        match resolved:
            case Primitive(name):
                size, alignment = PRIMITIVES[name]
            case Pointer():
                size, alignment = 8, 8
            case Array(element, length):
                size, alignment = self.measure(element, location)
                size *= length or 0
            case EnumDraft():
                size = alignment = resolved.arithmetic.bits // 8
            case RecordDraft():
                if resolved.fields is None:
                    raise HeaderParseError(
                        f"{ctype} is used by value before it is defined; its definition must come first",
                        location.file,
                        location.line,
                    )
                size, alignment = resolved.size, resolved.alignment
            case FunctionType():
                size, alignment = 1, 1
            case _:
                raise AssertionError(resolved)
        return size, aligned or alignment

    def _typedef_alignment(self, ctype: CType) -> int | None:
        while isinstance(ctype, Named) and not ctype.tag_kind:
            typedef = self.typedefs[ctype.name]
            if typedef.aligned:
                return typedef.aligned
            if typedef.type is None:
                return None
            ctype = typedef.type
        return None

    def arithmetic(self, ctype: CType) -> Arithmetic | None:
        """The arithmetic type that a cast to `ctype` makes, None where it makes no number."""
        resolved = self.resolve(ctype)
        if isinstance(resolved, EnumDraft):
            return resolved.arithmetic
        if not isinstance(resolved, Primitive) or resolved.name not in PRIMITIVES or resolved.name == "void":
            return None
        name = resolved.name
        if name == "_Bool":
            return BOOL
        if any(word in name for word in ("float", "double", "Float", "fp16", "bf16")):
            return Arithmetic(PRIMITIVES[name][0] * 8, floating=True)
        if "va_list" in name:
            return None
        return Arithmetic(PRIMITIVES[name][0] * 8, signed=not name.startswith("unsigned"))
