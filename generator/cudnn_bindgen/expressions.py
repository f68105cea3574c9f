"""Types and places of expressions: what ``sizeof`` of one needs, ``offsetof``, and the address of a member."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pycparser import c_ast

from cudnn_bindgen.evaluate import NotConstantError, code_units
from cudnn_bindgen.model import Array, CType, Field, Pointer, Primitive
from cudnn_bindgen.scope import RecordDraft

if TYPE_CHECKING:
    from cudnn_bindgen.type_reader import TypeReader

__all__ = ["Expressions"]


class Expressions:
    """Answers about expressions in the scope of a `TypeReader`."""

    def __init__(self, types: TypeReader) -> None:
        self.types = types

    def type_of(self, node: Any) -> CType | None:
        """The type of a string, a cast, or what is reached from one by members, indices and pointers; else None."""
        if isinstance(node, c_ast.Constant) and node.value[-1] == '"':
            unit, length = code_units(node.value)
            return Array(Primitive(unit), length)
        if isinstance(node, c_ast.Cast):
            return self.types.convert(node.to_type.type, "")
        if isinstance(node, c_ast.StructRef):
            owner = self.type_of(node.name)
            return None if owner is None else self._member(self._behind(owner, node.type), node.field.name, node).type
        if isinstance(node, c_ast.ArrayRef) or (isinstance(node, c_ast.UnaryOp) and node.op == "*"):
            inner = self.type_of(node.name if isinstance(node, c_ast.ArrayRef) else node.expr)
            return None if inner is None else self._element(inner, node)
        if isinstance(node, c_ast.UnaryOp) and node.op == "&":
            inner = self.type_of(node.expr)
            return None if inner is None else Pointer(inner)
        return None

    def place_of(self, node: Any) -> int:
        """What ``&expression`` or ``offsetof(type, member)`` is as a number.

        Raises
        ------
        NotConstantError
            It is none that a compiler would know.
        """
        if isinstance(node, c_ast.FuncCall):
            if getattr(node.name, "name", None) != "offsetof":
                raise NotConstantError("a call is no constant expression", node)
            kind, member = node.args.exprs
            return self._designated(self.types.convert(kind.type, ""), member)[0]
        return self._address(node.expr)

    def _address(self, node: Any) -> int:
        if isinstance(node, c_ast.StructRef):
            owner = self.type_of(node.name)
            if owner is not None:
                offset = self._member(self._behind(owner, node.type), node.field.name, node).offset
                return offset + (self._pointer(node.name) if node.type == "->" else self._address(node.name))
        if isinstance(node, c_ast.ArrayRef):
            inner = self.type_of(node.name)
            if inner is not None:
                resolved = self.types.scope.resolve(inner)
                start = self._address(node.name) if isinstance(resolved, Array) else self._pointer(node.name)
                return start + self._index(node.subscript) * self._size(self._element(inner, node), node)
        if isinstance(node, c_ast.UnaryOp) and node.op == "*":
            return self._pointer(node.expr)
        raise NotConstantError("an address that only the linker knows", node)

    def _pointer(self, node: Any) -> int:
        """The value of a constant that was cast to a pointer."""
        if isinstance(node, c_ast.Cast):
            return self._pointer(node.expr)
        if isinstance(node, c_ast.UnaryOp) and node.op == "&":
            return self._address(node.expr)
        return self._index(node)

    def _index(self, node: Any) -> int:
        value = self.types.evaluate(node).value
        if not isinstance(value, int):
            raise NotConstantError("a floating number", node)
        return value

    def _designated(self, owner: CType, node: Any) -> tuple[int, CType]:
        """Offset and type of what ``offsetof`` names inside `owner`: ``a``, ``a.b``, ``a[2].b``."""
        if isinstance(node, c_ast.ID):
            member = self._member(owner, node.name, node)
            return member.offset, member.type
        start, inner = self._designated(owner, node.name)
        if isinstance(node, c_ast.StructRef):
            member = self._member(inner, node.field.name, node)
            return start + member.offset, member.type
        element = self._element(inner, node)
        return start + self._index(node.subscript) * self._size(element, node), element

    def _behind(self, owner: CType, operator: str) -> CType:
        return self._element(owner, None) if operator == "->" else owner

    def _element(self, ctype: CType, node: Any) -> CType:
        resolved = self.types.scope.resolve(ctype)
        if isinstance(resolved, Pointer):
            return resolved.target
        if isinstance(resolved, Array):
            return resolved.element
        raise NotConstantError(f"{ctype} is neither a pointer nor an array", node)

    def _size(self, ctype: CType, node: Any) -> int:
        return self.types.scope.measure(ctype, self.types.token(node).location)[0]

    def _member(self, owner: CType, name: str, node: Any) -> Field:
        draft = self.types.scope.resolve(owner)
        if not isinstance(draft, RecordDraft) or draft.fields is None:
            raise NotConstantError(f"{owner} is no struct or union that is defined here", node)
        found = self._find(draft.fields, name, 0)
        if found is None:
            raise NotConstantError(f"{owner} has no member {name}", node)
        if found.bits is not None:
            raise NotConstantError(f"{name} is a bit-field, which has neither address nor size", node)
        return found

    def _find(self, fields: Sequence[Field], name: str, base: int) -> Field | None:
        """A member by name, also inside members without a name; its offset counts from the outermost struct."""
        for one in fields:
            if one.name == name:
                return Field(one.name, one.type, base + one.offset, one.size, one.bits)
            inner = self.types.scope.resolve(one.type) if not one.name else None
            if isinstance(inner, RecordDraft):
                found = self._find(inner.fields or (), name, base + one.offset)
                if found is not None:
                    return found
        return None
