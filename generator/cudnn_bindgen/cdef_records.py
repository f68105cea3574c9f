"""Structs and unions as cffi lays them out: as they are where its own rules agree with the model, else byte by byte.

cffi knows nothing of explicit alignment, of packing that is not of a whole struct, of enums smaller than an int and of
a few types. Such a record is declared packed, with padding where the model has it, and what cffi cannot express (then
also bit-fields) is padding.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from cudnn_bindgen.layout import PRIMITIVES
from cudnn_bindgen.model import Api, Array, CType, Field, FunctionType, Named, Pointer, Primitive, Record

__all__ = ["RecordTexts", "c_name"]

# Names of types that cffi knows under another one.
_SAME = {"_Float32": "float", "_Float64": "double", "_Float32x": "double", "_Float64x": "long double"}
# Types that cffi cannot declare, with their size.
_FOREIGN = {
    "long double _Complex": 32,
    **{
        name: size
        for name, (size, _) in PRIMITIVES.items()
        if name.removeprefix("unsigned ").startswith("_") and name != "_Bool" and name not in _SAME
    },
}
_BYTE = Primitive("unsigned char")
_SMALL = {1: Primitive("signed char"), 2: Primitive("short")}


def c_name(record: Record) -> str:
    """How C calls a record's type; one that has no name of its own has the model's as its tag."""
    return record.name if record.typedef else f"{record.kind} {record.tag or record.name}"


class RecordTexts:
    """The records of one `Api` as declarations for cffi."""

    def __init__(self, api: Api) -> None:
        self._records = {name: one for one in api.records for name in (one.name, one.tag) if name}
        self._enums = {name for one in api.enums for name in (one.name, one.tag) if name}
        self._aliases = {one.name: one.type for one in api.aliases}
        self._plain: dict[str, bool] = {}

    # --- types ----------------------------------------------------------------------------------------------------

    def foreign(self, ctype: CType) -> int | None:
        """The size of a type that cffi cannot declare by value; None for all others."""
        match ctype:
            case Primitive(name):
                return _FOREIGN.get(name)
            case Named(name) if name in self._aliases:
                return self.foreign(self._aliases[name])
            case _:
                return None

    def declarable(self, ctype: CType) -> CType:
        """The type with ``void`` for what cffi cannot declare behind a pointer."""
        match ctype:
            case Primitive(name):
                return replace(ctype, name=_SAME.get(name, name))
            case Pointer(target) if self.foreign(target) is not None:
                return replace(ctype, target=Primitive("void"))
            case Array(element) if self.foreign(element) is not None:
                return Pointer(Primitive("void"))
            case Array(element):
                return replace(ctype, element=self.declarable(element))
            case Pointer(target):
                return replace(ctype, target=self.declarable(target))
            case FunctionType(returns, parameters):
                return replace(
                    ctype, returns=self.declarable(returns), parameters=tuple(map(self.declarable, parameters))
                )
            case _:
                return ctype

    def _element(self, field: Field) -> tuple[CType, int]:
        ctype: CType = field.type
        count = 1
        while isinstance(ctype, Array):
            count *= ctype.length or 0
            ctype = ctype.element
        return ctype, field.size // count if count else field.size

    def _record_of(self, ctype: CType) -> Record | None:
        return self._records.get(ctype.name) if isinstance(ctype, Named) else None

    # --- layout ---------------------------------------------------------------------------------------------------

    def plain(self, record: Record) -> bool:
        """Cffi's own rules give the record the model's layout."""
        known = self._plain.get(record.name)
        if known is None:
            known = self._plain[record.name] = self._is_plain(record)
        return known

    def _is_plain(self, record: Record) -> bool:
        if record.packed or any(field.bits is not None for field in record.fields):
            return self._agrees(record)
        offset, widest = 0, 1
        for field in record.fields:
            ctype, size = self._element(field)
            inner = self._record_of(ctype)
            if self.foreign(ctype) is not None or (inner is not None and not self.plain(inner)):
                return False
            alignment = inner.alignment if inner is not None else max(size, 1)
            start = 0 if record.kind == "union" else math.ceil(offset / alignment) * alignment
            if start != field.offset or (size in _SMALL and isinstance(ctype, Named) and ctype.name in self._enums):
                return False
            offset, widest = max(offset, start + field.size), max(widest, alignment)
        return (math.ceil(offset / widest) * widest, widest) == (record.size, record.alignment)

    def _agrees(self, record: Record) -> bool:
        """Ask cffi itself about bit-fields, whose types are numbers."""
        if record.packed or not all(isinstance(self._element(field)[0], Primitive) for field in record.fields):
            return False
        import cffi

        ffi = cffi.FFI()
        try:
            ffi.cdef(f"typedef struct {{ {self._body(record)} }} one;")
            places = [(f.name, f.offset) for f in record.fields if f.name and f.bits is None]
            same = all(ffi.offsetof("one", name) == offset for name, offset in places)
            return same and (ffi.sizeof("one"), ffi.alignof("one")) == (record.size, record.alignment)
        except (cffi.CDefError, cffi.FFIError, NotImplementedError, TypeError):
            return False

    # --- text -----------------------------------------------------------------------------------------------------

    def text(self, record: Record) -> str:
        """The declaration of a record; one that is not plain is meant for ``cdef(..., packed=True)``."""
        body = self._body(record) if self.plain(record) else self._bytes(record)
        tag = record.tag or (None if record.typedef else record.name)
        head = f"{record.kind} {tag}" if tag else record.kind
        return f"typedef {head} {{ {body} }} {record.name};" if record.typedef else f"{head} {{ {body} }};"

    def _body(self, record: Record) -> str:
        return " ".join(self._member(field) for field in record.fields)

    def _member(self, field: Field) -> str:
        inner = self._record_of(field.type)
        if not field.name and inner is not None:
            return f"{inner.kind} {{ {self._body(inner)} }};"
        return f"{replace(field, type=self.declarable(field.type))};"

    def _bytes(self, record: Record) -> str:
        parts: list[str] = []
        offset = 0
        for field in self.visible(record):
            ctype, size = self._element(field)
            if size in _SMALL and isinstance(ctype, Named) and ctype.name in self._enums:
                field = replace(field, type=_SMALL[size])
            if record.kind == "struct" and field.offset > offset:
                parts.append(f"unsigned char padding__{offset}[{field.offset - offset}];")
            parts.append(f"{replace(field, type=self.declarable(field.type))};")
            offset = field.offset + field.size
        if record.kind == "union":
            parts.append(f"unsigned char padding__[{record.size}];")
        elif record.size > offset:
            parts.append(f"unsigned char padding__{offset}[{record.size - offset}];")
        return " ".join(parts)

    def visible(self, record: Record) -> Iterator[Field]:
        """The fields that Python can reach; those of anonymous members are reached through the record itself."""
        plain = self.plain(record)
        for field in record.fields:
            inner = self._record_of(field.type)
            if field.name and (plain or (field.bits is None and self.foreign(self._element(field)[0]) is None)):
                yield field
            elif not field.name and inner is not None and plain:
                yield from self.visible(inner)
