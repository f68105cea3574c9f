"""Naming and classifying what was collected: which typedef is a handle, a callback, a record's name or an alias."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from cudnn_bindgen.build import Builder
from cudnn_bindgen.model import (
    Alias,
    Api,
    Callback,
    CType,
    Enum,
    FunctionType,
    Handle,
    Loss,
    Macro,
    Named,
    Pointer,
    Primitive,
    Record,
    named_types,
)
from cudnn_bindgen.preprocess import Source
from cudnn_bindgen.scope import Draft, EnumDraft, RecordDraft, Scope, TypedefDraft
from cudnn_bindgen.settings import cudnn_settings
from cudnn_bindgen.versions import Version

__all__ = ["assemble"]

_Typed: TypeAlias = Enum | Record | Handle | Callback | Alias


def assemble(version: str, source: Source, builder: Builder, macros: Sequence[Macro], losses: Sequence[Loss]) -> Api:
    """Make the `Api` out of everything that was collected."""
    scope = builder.scope
    rows = [*_drafts(scope), *_typedefs(scope)]
    rows = _without_copies(sorted(rows, key=lambda row: row[0]))
    functions = [function for function, own in builder.functions.values() if own]
    used = _used(builder, [one for _, one in rows])
    kept = [one for _, one in rows if not one.external or one.name in used]
    lost = [
        *_enum_sizes(scope),
        *_alignments(scope),
        *builder.losses,
        *builder.attributes.left_out(),
        *losses,
        *_forward_only(scope, used),
    ]
    order = {name: number for number, name in enumerate(source.headers)}
    lost.sort(key=lambda one: (order.get(one.location.file, len(order)), one.location.line, one.name))
    return Api(
        version=version or _version(macros),
        headers=source.headers,
        functions=tuple(functions),
        enums=tuple(one for one in kept if isinstance(one, Enum)),
        records=tuple(one for one in kept if isinstance(one, Record)),
        handles=tuple(one for one in kept if isinstance(one, Handle)),
        callbacks=tuple(one for one in kept if isinstance(one, Callback)),
        aliases=tuple(one for one in kept if isinstance(one, Alias)),
        macros=tuple(macros),
        losses=tuple(lost),
    )


def _without_copies(rows: list[tuple[int, _Typed]]) -> list[tuple[int, _Typed]]:
    """A declaration that is repeated word for word leaves one of everything inside it."""
    seen: set[tuple[type, str]] = set()
    kept = []
    for order, one in rows:
        key = (type(one), one.name)
        if key not in seen:
            seen.add(key)
            kept.append((order, one))
    return kept


def _version(macros: Sequence[Macro]) -> str:
    values = {macro.name: macro.value for macro in macros}
    settings = cudnn_settings()
    parts = [values.get(name) for name in settings.version_macros]
    if all(isinstance(part, int) for part in parts):
        return ".".join(str(part) for part in parts)
    number = values.get(settings.version_number_macro)
    return str(Version.from_number(number)) if isinstance(number, int) else ""


def _direct_typedef(scope: Scope, draft: Draft) -> TypedefDraft | None:
    """The typedef that names `draft` itself, if there is one: its name is the one that people use."""
    for typedef in scope.typedefs.values():
        if typedef.draft is draft or (draft.tag and typedef.type == Named(draft.tag, draft.kind)):
            return typedef
    return None


def _drafts(scope: Scope) -> Iterator[tuple[int, _Typed]]:
    names: dict[tuple[str, str], TypedefDraft] = {}
    for typedef in scope.typedefs.values():
        if isinstance(typedef.type, Named) and typedef.type.tag_kind and not typedef.type.const:
            names.setdefault((typedef.type.tag_kind, typedef.type.name), typedef)
    for draft in scope.drafts:
        named = names.get((draft.kind, draft.tag)) if draft.tag else None
        name = named.name if named else draft.name
        own_typedef = named or (scope.typedefs.get(draft.name) if draft.typedef else None)
        documentation = draft.documentation or (own_typedef.documentation if own_typedef else None)
        deprecated = draft.deprecated or (own_typedef.deprecated if own_typedef else None)
        is_typedef = own_typedef is not None
        if isinstance(draft, RecordDraft) and draft.fields is not None:
            # What is usually written after the braces belongs to the typedef, and so to the name that people use.
            alignment = own_typedef.aligned or draft.alignment if own_typedef else draft.alignment
            yield (
                draft.order,
                Record(
                    name=name,
                    kind=draft.kind,
                    fields=draft.fields,
                    size=draft.size,
                    alignment=alignment,
                    tag=draft.tag,
                    typedef=is_typedef,
                    packed=draft.packed,
                    external=not draft.own,
                    deprecated=deprecated,
                    location=draft.location,
                    documentation=documentation,
                ),
            )
        elif isinstance(draft, EnumDraft) and draft.enumerators is not None:
            yield (
                draft.order,
                Enum(
                    name=name,
                    enumerators=draft.enumerators,
                    tag=draft.tag,
                    typedef=is_typedef,
                    signed=draft.signed,
                    external=not draft.own,
                    deprecated=deprecated,
                    location=draft.location,
                    documentation=documentation,
                ),
            )


def _complete(draft: Draft) -> bool:
    return (draft.fields if isinstance(draft, RecordDraft) else draft.enumerators) is not None


def _typedefs(scope: Scope) -> Iterator[tuple[int, _Typed]]:
    named: set[str] = set()
    for typedef in scope.typedefs.values():
        ctype = typedef.type
        if ctype is None:
            continue
        if isinstance(ctype, Named) and ctype.tag_kind and not ctype.const and ctype.name not in named:
            named.add(ctype.name)
            draft = scope.tags[ctype.name]
            if _complete(draft):
                continue  # the record carries this name
        yield typedef.order, _classify(scope, typedef, ctype)


def _opaque(scope: Scope, ctype: CType) -> bool:
    if isinstance(ctype, Primitive):
        return ctype.name == "void"
    if isinstance(ctype, Named):
        resolved = scope.resolve(ctype)
        if isinstance(resolved, RecordDraft | EnumDraft):
            return not _complete(resolved)
        return isinstance(resolved, Primitive) and resolved.name == "void"
    return False


def _classify(scope: Scope, typedef: TypedefDraft, ctype: CType) -> _Typed:
    external = not typedef.own
    name, deprecated, location, text = typedef.name, typedef.deprecated, typedef.location, typedef.documentation
    if isinstance(ctype, Pointer) and _opaque(scope, ctype.target):
        return Handle(name, str(ctype.target), True, external, deprecated, location, text)
    if isinstance(ctype, Named) and ctype.tag_kind and _opaque(scope, ctype):
        return Handle(name, str(ctype), False, external, deprecated, location, text)
    function = ctype.target if isinstance(ctype, Pointer) else ctype
    if isinstance(function, FunctionType):
        pointer = isinstance(ctype, Pointer)
        return Callback(name, function, typedef.parameter_names, pointer, external, deprecated, location, text)
    return Alias(name, ctype, external, deprecated, location, text)


# --- which foreign types are used ---


def _mentions(declaration: _Typed) -> Iterator[str]:
    match declaration:
        case Record():
            for one in declaration.fields:
                yield from named_types(one.type)
        case Callback() | Alias():
            yield from named_types(declaration.type)
        case Handle():
            yield declaration.target.split()[-1]
        case Enum():
            pass


def _used(builder: Builder, declarations: Sequence[_Typed]) -> set[str]:
    """Every type name that the version's own declarations need, directly or through other types."""
    by_name: dict[str, _Typed] = {}
    for one in declarations:
        by_name[one.name] = one
        if isinstance(one, Enum | Record) and one.tag:
            by_name.setdefault(one.tag, one)
    todo: list[str] = []
    for function, own in builder.functions.values():
        if own:
            todo.extend(named_types(function.type))
    for one in declarations:
        if not one.external:
            todo.extend(_mentions(one))
    used: set[str] = set()
    while todo:
        name = todo.pop()
        if name in used:
            continue
        used.add(name)
        if name in by_name:
            used.add(by_name[name].name)
            todo.extend(_mentions(by_name[name]))
    return used


def _enum_sizes(scope: Scope) -> Iterator[Loss]:
    for draft in scope.drafts:
        if isinstance(draft, EnumDraft) and draft.own and (draft.packed or draft.underlying):
            reason = f"its width of {draft.arithmetic.bits} bits is in the layouts, but not in the enum itself"
            yield Loss(f"enum {draft.name}", "attribute", reason, draft.location)


def _alignments(scope: Scope) -> Iterator[Loss]:
    for typedef in scope.typedefs.values():
        if typedef.aligned and typedef.own and not isinstance(typedef.draft, RecordDraft):
            reason = f"the alignment {typedef.aligned} is in the layouts, but not in the alias {typedef.name} itself"
            yield Loss("aligned", "attribute", reason, typedef.location)


def _forward_only(scope: Scope, used: set[str]) -> Iterator[Loss]:
    for draft in scope.drafts:
        needed = draft.name in used or draft.tag in used or _direct_typedef(scope, draft) is not None
        if draft.own and not _complete(draft) and not needed:
            reason = "declared, but neither defined nor used"
            yield Loss(f"{draft.kind} {draft.name}", "declaration", reason, draft.location)
