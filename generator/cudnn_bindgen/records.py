"""Reading the members of structs and unions, and laying them out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pycparser import c_ast

from cudnn_bindgen.errors import DuplicateDefinitionError, HeaderParseError
from cudnn_bindgen.layout import Member, lay_out
from cudnn_bindgen.model import CType, Deprecation, Field, FunctionType
from cudnn_bindgen.scope import RecordDraft

if TYPE_CHECKING:
    from cudnn_bindgen.type_reader import TypeReader

__all__ = ["RecordReader"]


class RecordReader:
    """Fills a draft with fields; the types of the fields are the `TypeReader`'s business."""

    def __init__(self, types: TypeReader) -> None:
        self.types = types

    def read(self, node: Any, draft: RecordDraft, index: int) -> None:
        """Read the members of `node`, whose keyword stands before token number `index`, into `draft`.

        Raises
        ------
        DuplicateDefinitionError
            The draft has other members already, or two members share a name.
        HeaderParseError
            A member has no size.
        """
        meaning = self.types.attributes.of_tag(index)
        rows: list[tuple[str, CType, Deprecation | None]] = []
        names: set[str] = set()
        members = [
            self._member(one, draft, rows, names, meaning.packed) for one in node.decls if isinstance(one, c_ast.Decl)
        ]
        places, size, alignment = lay_out(
            members,
            union=draft.kind == "union",
            packed=meaning.packed,
            pack=self.types.sanitized.packs.get(index, 0),
            aligned=meaning.aligned,
        )
        fields = tuple(
            Field(name, ctype, place.offset, member.size, member.bits, place.bit_offset, deprecated)
            for (name, ctype, deprecated), member, place in zip(rows, members, places, strict=True)
            if member.named
        )
        token = self.types.sanitized.tokens[index - 1]
        if draft.fields is not None:
            if (draft.fields, draft.size, draft.alignment) != (fields, size, alignment):
                raise self.types.duplicate(draft, token)
            return
        draft.fields, draft.size, draft.alignment, draft.packed = fields, size, alignment, meaning.packed
        draft.order, draft.deprecated = index, meaning.deprecated
        draft.location, draft.own = token.location, token.own

    def _member(
        self,
        node: Any,
        draft: RecordDraft,
        rows: list[tuple[str, CType, Deprecation | None]],
        names: set[str],
        packed: bool,
    ) -> Member:
        types = self.types
        name = node.name or ""
        ctype = types.convert(node.type, f"{draft.name}__{name or len(rows)}")
        index = types.name_index(node)
        token = types.sanitized.tokens[index]
        meaning = types.attributes.of_name(index)
        if isinstance(types.scope.resolve(ctype), FunctionType):
            raise HeaderParseError(f"field {name} is a function; only a pointer to one can be", token.file, token.line)
        for one in [name] if name else self._reached(ctype):
            if one in names:
                message = f"field {one} of {draft.name} stands twice; rename one of them"
                raise DuplicateDefinitionError(message, token.file, token.line)
            names.add(one)
        size, alignment = types.scope.measure(ctype, token.location)
        bits = None
        if node.bitsize is not None:
            bits = types.integer(node.bitsize, "bit-field width")
            widest = 1 if str(types.scope.resolve(ctype)) == "_Bool" else size * 8
            if not (1 if name else 0) <= bits <= widest:
                message = f"the bit-field {name} cannot have {bits} bits of a type of {widest}"
                raise HeaderParseError(message, token.file, token.line)
        aligned = meaning.aligned
        for one in getattr(node, "align", None) or ():
            aligned = max(aligned or 1, self._alignas(one))
        rows.append((name, ctype, meaning.deprecated))
        return Member(size, alignment, bits, bool(name) or bits is None, packed or meaning.packed, aligned)

    def _reached(self, ctype: CType) -> Iterator[str]:
        """The fields of a member without a name, which belong to the whole."""
        inner = self.types.scope.resolve(ctype)
        if isinstance(inner, RecordDraft):
            for one in inner.fields or ():
                yield from [one.name] if one.name else self._reached(one.type)

    def _alignas(self, node: Any) -> int:
        inner = node.alignment
        if isinstance(inner, c_ast.Typename):
            return self.types.scope.measure(self.types.convert(inner.type, ""), self.types.token(node).location)[1]
        return self.types.integer(inner, "alignment")
