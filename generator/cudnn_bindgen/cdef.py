"""C declarations for cffi, and the out-of-line ABI module that cffi compiles them to.

One cdef cannot hold two constants, layouts or signatures of one name. What moved inside a line is therefore declared
under names of its own: enumerators that moved are left out (the tables hold their values), older layouts of a record
are ``NAME__9_25_0``, and a function whose signature moved has one function-pointer type ``NAME__9_5_0`` for each form.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from cudnn_bindgen.errors import TemplateRenderError
from cudnn_bindgen.model import (
    Alias,
    Api,
    Array,
    Callback,
    CType,
    Enum,
    Function,
    FunctionType,
    Handle,
    Named,
    Pointer,
    Primitive,
    Record,
    declare,
)

if TYPE_CHECKING:
    from cudnn_bindgen.line import Line

__all__ = ["by_value", "cdef_text", "cffi_module", "holds_union", "named_types", "variant"]

_TypeDeclaration = Enum | Record | Handle | Callback | Alias


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


def named_types(ctype: CType) -> Iterator[str]:
    """Names of the types that `ctype` is made of."""
    match ctype:
        case Named(name):
            yield name
        case Pointer(target):
            yield from named_types(target)
        case Array(element):
            yield from named_types(element)
        case FunctionType(returns, parameters):
            for part in (returns, *parameters):
                yield from named_types(part)
        case Primitive():
            return


def _known_to_cffi() -> frozenset[str]:
    from cffi import commontypes, model

    return frozenset(commontypes.COMMON_TYPES) | frozenset(model.PrimitiveType.ALL_PRIMITIVE_TYPES)


def holds_union(api: Api, record: Record) -> bool:
    """The record is a union or has one among its fields, at any depth."""
    records = {name: one for one in api.records for name in (one.name, one.tag) if name}
    inside = [records[name] for field in record.fields for name in named_types(field.type) if name in records]
    return record.kind == "union" or any(one is not record and holds_union(api, one) for one in inside)


def _unions_by_value(api: Api) -> dict[str, Record]:
    """The records that functions take or give by value and that hold a union."""
    types = [ctype for one in api.functions for ctype in (one.returns, *(p.type for p in one.parameters))]
    names = {ctype.name for ctype in types if isinstance(ctype, Named)}
    return {one.name: one for one in api.records if one.name in names and holds_union(api, one)}


def _as_integers(record: Record) -> str:
    unit = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t", 8: "uint64_t"}[record.alignment]
    return f"typedef struct {{ {unit} units[{record.size // record.alignment}]; }} {by_value(record.name)};"


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
    head = f"enum {enum.tag}" if enum.tag else "enum"
    body = f"{head} {{ {', '.join(kept)} }}"
    return f"typedef {body} {enum.name};" if enum.typedef else f"{body};"


def _record(record: Record) -> str:
    fields = " ".join(f"{field};" for field in record.fields)
    body = f"{record.kind} {record.tag} {{ {fields} }}" if record.tag else f"{record.kind} {{ {fields} }}"
    return f"typedef {body} {record.name};" if record.typedef else f"{body};"


def _handle(handle: Handle) -> str:
    return f"typedef {handle.target} {'*' if handle.pointer else ''}{handle.name};"


def _needs(declaration: _TypeDeclaration) -> Iterator[str]:
    match declaration:
        case Record():
            for field in declaration.fields:
                yield from named_types(field.type)
        case Callback() | Alias():
            yield from named_types(declaration.type)
        case Enum() | Handle():
            return


def _in_order(declarations: Iterable[_TypeDeclaration]) -> Iterator[_TypeDeclaration]:
    """The declarations, each after those that it needs."""
    listed = list(declarations)
    by_name: dict[str, _TypeDeclaration] = {}
    for one in listed:
        by_name.setdefault(one.name, one)
        tag = getattr(one, "tag", None)
        if tag:
            by_name.setdefault(tag, one)
    done: set[int] = set()

    def visit(one: _TypeDeclaration) -> Iterator[_TypeDeclaration]:
        if id(one) in done:
            return
        done.add(id(one))
        for name in _needs(one):
            if name in by_name:
                yield from visit(by_name[name])
        yield one

    for one in listed:
        yield from visit(one)


def _text(declaration: _TypeDeclaration, moved_values: Iterable[str]) -> str:
    match declaration:
        case Enum():
            return _enum(declaration, moved_values)
        case Record():
            return _record(declaration)
        case Handle():
            return _handle(declaration)
        case Callback():
            ctype = Pointer(declaration.type) if declaration.pointer else declaration.type
            return f"typedef {declare(ctype, declaration.name)};"
        case Alias():
            return f"typedef {declare(declaration.type, declaration.name)};"


def cdef_text(line: Line, *, packed: bool = False) -> str:
    """Every declaration of a line as C text that ``ffi.cdef`` takes.

    Parameters
    ----------
    packed
        Give only the packed records, which cffi takes in a call of their own; otherwise everything else.
    """
    api = line.api
    known = _known_to_cffi()
    types: list[_TypeDeclaration] = [*api.handles, *api.enums, *api.aliases, *api.records, *api.callbacks]
    ordered = [one for one in _in_order(types) if one.name not in known]
    older = [
        replace(record, name=variant(name, since), tag=None, typedef=True)
        for name, forms in line.moved_records.items()
        for since, record in forms[:-1]
    ]
    is_packed = [one for one in [*ordered, *older] if isinstance(one, Record) and one.packed]
    if packed:
        return "".join(f"{_record(one)}\n" for one in is_packed)
    lines = [_text(one, line.moved_values) for one in [*ordered, *older] if one not in is_packed]
    unions = _unions_by_value(api)
    lines.extend(_as_integers(record) for record in unions.values())
    for name, signatures in line.moved_signatures.items():
        for since, function in signatures:
            form = _callable(function, unions)
            lines.append(f"typedef {declare(Pointer(form.type), variant(name, since))};")
    lines.extend(str(_callable(function, unions)) for function in api.functions)
    return "".join(f"{text}\n" for text in lines)


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
    packed = cdef_text(line, packed=True)
    try:
        if packed:
            ffi.cdef(packed, packed=True)
        ffi.cdef(cdef_text(line))
        ffi.set_source(module, None)
        # What `recompiler.make_py_source` does, which takes no stream in older versions.
        compiler = recompiler.Recompiler(ffi, module, target_is_python=True)
        compiler.collect_type_table()
        compiler.collect_step_tables()
        stream = io.StringIO()
        compiler.write_source_to_f(stream, cast("str", None))
    except (cffi.CDefError, cffi.FFIError, cffi.VerificationError, TypeError, ValueError) as error:
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise TemplateRenderError(
            f"cffi does not take the declarations of cuDNN line {line.major}: {first}; "
            "report this with the headers' version"
        ) from error
    return stream.getvalue()
