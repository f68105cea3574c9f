"""C declarations for cffi, and the out-of-line ABI module that cffi compiles them to.

One cdef cannot hold two constants, layouts or signatures of one name. What moved inside a line is therefore declared
under names of its own: enumerators that moved are left out (the tables hold their values), older layouts of a record
are ``NAME__9_25_0``, and a function whose signature moved has one function-pointer type ``NAME__9_5_0`` for each form.
"""

from __future__ import annotations

import io
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from cudnn_bindgen.cdef_records import RecordTexts
from cudnn_bindgen.errors import TemplateRenderError
from cudnn_bindgen.layout import FLOATS
from cudnn_bindgen.model import (
    Alias,
    Api,
    Array,
    Callback,
    CType,
    Enum,
    Function,
    Handle,
    Named,
    Pointer,
    Primitive,
    Record,
    declare,
    named_types,
)

if TYPE_CHECKING:
    from cudnn_bindgen.line import Line

__all__ = ["by_value", "cdef_parts", "cffi_module", "as_integers", "variant"]

_TypeDeclaration = Enum | Record | Handle | Callback | Alias
_UNITS = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t", 8: "uint64_t"}


def variant(name: str, since: str) -> str:
    """The cdef's name for the form that `name` took in version `since`.

    >>> variant("cudnnGnnCscGraph_t", "9.25.0")
    'cudnnGnnCscGraph_t__9_25_0'
    """
    return f"{name}__{since.replace('.', '_')}"


def by_value(name: str) -> str:
    """The cdef's name for a record with a union inside, where it is passed by value.

    libffi passes no unions. Without floating-point members a record of plain integers of the same size and alignment
    is passed in the same registers, on x86-64 as on aarch64.
    """
    return f"{name}__by_value"


def _known_to_cffi() -> frozenset[str]:
    from cffi import commontypes, model

    return frozenset(commontypes.COMMON_TYPES) | frozenset(model.PrimitiveType.ALL_PRIMITIVE_TYPES)


def _leaves(api: Api, record: Record) -> Iterator[tuple[str, CType]]:
    """What a record is made of at the bottom: the kind of what holds it, and its type."""
    records = {name: one for one in api.records for name in (one.name, one.tag) if name}
    for field in record.fields:
        ctype: CType = field.type
        while isinstance(ctype, Array):
            ctype = ctype.element
        inner = records.get(ctype.name) if isinstance(ctype, Named) else None
        if inner is None:
            yield record.kind, ctype
        else:
            yield from (
                ("union" if "union" in (record.kind, kind) else kind, leaf) for kind, leaf in _leaves(api, inner)
            )


def as_integers(api: Api, record: Record) -> bool:
    """The record has a union inside and nothing floating, so that integers can stand for it by value."""
    leaves = list(_leaves(api, record))
    floating = any(isinstance(leaf, Primitive) and leaf.name in FLOATS for _, leaf in leaves)
    return record.alignment in _UNITS and not floating and any(kind == "union" for kind, _ in leaves)


def _unions_by_value(api: Api) -> dict[str, Record]:
    """The records that functions take or give by value and that integers stand for."""
    types = [ctype for one in api.functions for ctype in (one.returns, *(p.type for p in one.parameters))]
    names = {ctype.name for ctype in types if isinstance(ctype, Named)}
    return {one.name: one for one in api.records if one.name in names and as_integers(api, one)}


def _of_integers(record: Record) -> str:
    units = record.size // record.alignment
    return f"typedef struct {{ {_UNITS[record.alignment]} units[{units}]; }} {by_value(record.name)};"


def _callable(function: Function, unions: Mapping[str, Record]) -> Function:
    """The function as libffi can call it."""

    def plain(ctype: CType) -> CType:
        return Named(by_value(ctype.name)) if isinstance(ctype, Named) and ctype.name in unions else ctype

    parameters = tuple(replace(parameter, type=plain(parameter.type)) for parameter in function.parameters)
    return replace(function, returns=plain(function.returns), parameters=parameters)


def _enum(enum: Enum, moved: Iterable[str]) -> str:
    left_out = frozenset(moved)
    kept = [f"{one.name} = {one.value}" for one in enum.enumerators if one.name not in left_out]
    values = [one.value for one in enum.enumerators if one.name not in left_out]
    # An enum needs one enumerator, and a negative one makes it signed.
    if enum.signed and not any(value < 0 for value in values):
        kept.append(f"{enum.name}__negative = -1")
    elif not kept:
        kept.append(f"{enum.name}__none = 0")
    tag = enum.tag or (None if enum.typedef else enum.name)
    head = f"enum {tag}" if tag else "enum"
    body = f"{head} {{ {', '.join(kept)} }}"
    return f"typedef {body} {enum.name};" if enum.typedef else f"{body};"


def _handle(handle: Handle) -> str:
    target = handle.target
    if target == "void" and handle.pointer and not handle.external:
        # For C any pointer is a `void *`; with a type of its own, cffi refuses objects of other kinds, either way.
        target = f"struct {handle.name}__object"
    return f"typedef {target} {'*' if handle.pointer else ''}{handle.name};"


def _forward(records: Iterable[Record]) -> dict[str, str]:
    """Typedefs of records ahead of their fields, since two records may point at each other; by name."""
    return {one.name: f"typedef {one.kind} {one.tag} {one.name};" for one in records if one.tag and one.typedef}


def _in_order(declarations: Iterable[_TypeDeclaration], forward: Container[str]) -> Iterator[_TypeDeclaration]:
    """The declarations, each after those that it needs; of what is declared `forward` the name alone may be enough."""
    listed = list(declarations)
    by_name: dict[str, _TypeDeclaration] = {}
    for one in listed:
        by_name.setdefault(one.name, one)
        if isinstance(one, Enum | Record) and one.tag:
            by_name.setdefault(one.tag, one)
    begun: set[int] = set()

    def visit(one: _TypeDeclaration) -> Iterator[_TypeDeclaration]:
        if id(one) in begun:
            return
        begun.add(id(one))
        for ctype in _parts(one):
            held = {ctype.name} if isinstance(ctype, Named) else set()
            for name in named_types(ctype):
                if name in by_name and (name in held or name not in forward):
                    yield from visit(by_name[name])
        yield one

    for one in listed:
        yield from visit(one)


def _parts(declaration: _TypeDeclaration) -> Iterator[CType]:
    """The types that a declaration is made of, arrays taken off."""
    if isinstance(declaration, Record):
        for field in declaration.fields:
            ctype: CType = field.type
            while isinstance(ctype, Array):
                ctype = ctype.element
            yield ctype
    elif isinstance(declaration, Callback | Alias):
        yield declaration.type


def _text(declaration: _TypeDeclaration, moved_values: Iterable[str], records: RecordTexts) -> str:
    match declaration:
        case Enum():
            return _enum(declaration, moved_values)
        case Record():
            # The typedef of one with a tag was given ahead of all.
            return records.text(replace(declaration, typedef=not declaration.tag and declaration.typedef))
        case Handle():
            return _handle(declaration)
        case Callback():
            ctype = records.declarable(Pointer(declaration.type) if declaration.pointer else declaration.type)
            return f"typedef {declare(ctype, declaration.name)};"
        case Alias():
            size = records.foreign(declaration.type)
            if size is not None:
                return f"typedef struct {{ unsigned char bytes[{size}]; }} {declaration.name};"
            return f"typedef {declare(records.declarable(declaration.type), declaration.name)};"


def _functions(line: Line, records: RecordTexts) -> Iterator[str]:
    """The functions, and a function-pointer type for each form of one that moved."""
    unions = _unions_by_value(line.api)
    yield from (_of_integers(record) for record in unions.values())
    for name, signatures in line.moved_signatures.items():
        for since, function in signatures:
            form = records.declarable(_callable(function, unions).type)
            yield f"typedef {declare(Pointer(form), variant(name, since))};"
    for function in line.api.functions:
        types = (function.returns, *(parameter.type for parameter in function.parameters))
        # Nothing can call what takes such a type by value.
        if all(records.foreign(ctype) is None for ctype in types):
            yield f"{declare(records.declarable(_callable(function, unions).type), function.name)};"


def cdef_parts(line: Line) -> list[tuple[str, bool]]:
    """Every declaration of a line as C text, in parts for ``ffi.cdef(text, packed=packed)``, in order."""
    api, known = line.api, _known_to_cffi()
    types: list[_TypeDeclaration] = [*api.handles, *api.enums, *api.aliases, *api.records, *api.callbacks]
    forward = _forward(api.records)
    declared = [one for one in _in_order(types, forward) if one.name not in known]
    older: list[_TypeDeclaration] = [
        replace(record, name=variant(name, since), tag=None, typedef=True)
        for name, forms in line.moved_records.items()
        for since, record in forms[:-1]
    ]
    records = RecordTexts(api)
    parts = [("".join(f"{text}\n" for text in forward.values()), False)]
    for one in [*declared, *older]:
        packed = isinstance(one, Record) and not records.plain(one)
        text = f"{_text(one, line.moved_values, records)}\n"
        if parts[-1][1] == packed:
            parts[-1] = (parts[-1][0] + text, packed)
        else:
            parts.append((text, packed))
    parts.append(("".join(f"{text}\n" for text in _functions(line, records)), False))
    return parts


def cffi_module(line: Line, module: str) -> str:
    """The source of cffi's out-of-line ABI module for a line: data, imported without a compiler.

    Parameters
    ----------
    module
        The full name that it will be imported by.

    Raises
    ------
    TemplateRenderError
        cffi does not take a declaration.
    """
    import cffi
    from cffi import recompiler

    ffi = cffi.FFI()
    try:
        for text, packed in cdef_parts(line):
            ffi.cdef(text, packed=packed)
        ffi.set_source(module, None)
        # What `recompiler.make_py_source` does, which takes no stream in older versions.
        compiler = recompiler.Recompiler(ffi, module, target_is_python=True)
        compiler.collect_type_table()
        compiler.collect_step_tables()
        stream = io.StringIO()
        compiler.write_source_to_f(stream, cast("str", None))
    except (cffi.CDefError, cffi.FFIError, cffi.VerificationError, NotImplementedError, TypeError, ValueError) as error:
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise TemplateRenderError(
            f"cffi does not take the declarations of cuDNN line {line.major}: {first}; "
            "report this with the headers' version"
        ) from error
    return stream.getvalue()
