"""Whether two declarations of one name declare the same thing, as C sees it."""

from __future__ import annotations

from dataclasses import replace

from cudnn_bindgen.model import Array, CType, FunctionType, Named, Pointer, Primitive
from cudnn_bindgen.scope import Scope

__all__ = ["compatible"]


def compatible(scope: Scope, first: CType, second: CType) -> bool:
    """Whether both spell one type: typedefs are names only, and a parameter is what a caller sees of it."""
    return _canonical(scope, first) == _canonical(scope, second)


def _canonical(scope: Scope, ctype: CType) -> CType:
    match ctype:
        case Named(name, "", const, volatile):
            typedef = scope.typedefs[name]
            if typedef.draft is not None:
                return Named(typedef.draft.tag or typedef.draft.name, typedef.draft.kind, const, volatile)
            assert typedef.type is not None
            return _qualified(_canonical(scope, typedef.type), const, volatile)
        case Pointer(target):
            return replace(ctype, target=_canonical(scope, target))
        case Array(element, length):
            return Array(_canonical(scope, element), length)
        case FunctionType(returns, parameters, variadic):
            seen = tuple(_parameter(_canonical(scope, one)) for one in parameters)
            return FunctionType(_canonical(scope, returns), seen, variadic)
    return ctype


def _qualified(ctype: CType, const: bool, volatile: bool) -> CType:
    match ctype:
        case Array(element, length):
            return Array(_qualified(element, const, volatile), length)
        case Primitive() | Named() | Pointer():
            return replace(ctype, const=ctype.const or const, volatile=ctype.volatile or volatile)
    return ctype


def _parameter(ctype: CType) -> CType:
    match ctype:
        case Array(element):
            return Pointer(element)
        case FunctionType():
            return Pointer(ctype)
        case Pointer(target):
            return Pointer(target)
        case Primitive(name):
            return Primitive(name)
        case Named(name, tag_kind):
            return Named(name, tag_kind)
