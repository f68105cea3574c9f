"""Types as pycparser gives them, to types of the model; structs, unions and enums are defined on the way."""

from __future__ import annotations

from typing import Any, Literal

from pycparser import c_ast, c_generator

from cudnn_bindgen.attributes import Attributes
from cudnn_bindgen.docs import Docs
from cudnn_bindgen.errors import DuplicateDefinitionError, EvaluationError, HeaderParseError
from cudnn_bindgen.evaluate import Constant, NotConstantError, evaluate
from cudnn_bindgen.layout import PRIMITIVES, Member, lay_out
from cudnn_bindgen.model import (
    Array,
    CType,
    Enumerator,
    Field,
    FunctionType,
    Named,
    Parameter,
    Pointer,
    Primitive,
)
from cudnn_bindgen.preprocess import Token
from cudnn_bindgen.sanitize import Sanitized
from cudnn_bindgen.scope import Draft, EnumDraft, RecordDraft, Scope
from cudnn_bindgen.syntax import index_of

__all__ = ["TypeReader"]

_GENERATOR = c_generator.CGenerator()


def _canonical(names: list[str]) -> str | None:
    """The canonical spelling of a primitive type: ``long unsigned int`` is ``unsigned long``."""
    words = [word for word in names if word not in ("signed", "unsigned", "int", "_Complex")]
    unsigned = "unsigned" in names
    if words == ["char"]:
        base = "unsigned char" if unsigned else "signed char" if "signed" in names else "char"
    elif not words:
        base = "unsigned int" if unsigned else "int"
    else:
        base = ("unsigned " if unsigned else "") + " ".join(sorted(words, reverse=words[0] == "double"))
        if "double" in words and "long" in words:
            base = "long double"
    if "_Complex" in names:
        base += " _Complex"
    return base if base in PRIMITIVES else None


class TypeReader:
    """Converts pycparser's types; see `convert`."""

    def __init__(self, scope: Scope, sanitized: Sanitized, attributes: Attributes, docs: Docs) -> None:
        self.scope = scope
        self.sanitized = sanitized
        self.attributes = attributes
        self.docs = docs
        self.anonymous: dict[int, Draft] = {}
        self.enumerator_places: dict[str, tuple[str, Token]] = {}

    # --- places ---

    def token(self, node: Any) -> Token:
        return self.sanitized.tokens[index_of(node.coord)]

    def name_index(self, node: Any) -> int:
        """Number of the token that is the declared name."""
        inner = node.type
        while not isinstance(inner, c_ast.TypeDecl) and hasattr(inner, "type"):
            inner = inner.type
        if isinstance(inner, c_ast.TypeDecl) and inner.declname and inner.coord is not None:
            return index_of(inner.coord)
        return index_of(node.coord)

    # --- types ---

    def convert(self, node: Any, owner: str) -> CType:
        """The model's type; `owner` is what a struct or enum without a name is named after."""
        if isinstance(node, c_ast.TypeDecl):
            return _qualify(self.convert_base(node.type, owner), node.quals)
        if isinstance(node, c_ast.PtrDecl):
            quals = node.quals or []
            return Pointer(self.convert(node.type, owner), "const" in quals, "volatile" in quals, "restrict" in quals)
        if isinstance(node, c_ast.ArrayDecl):
            length = None
            if node.dim is not None and not (isinstance(node.dim, c_ast.ID) and node.dim.name == "*"):
                length = self.integer(node.dim, "array length")
            return Array(self.convert(node.type, owner), length)
        if isinstance(node, c_ast.FuncDecl):
            parameters = self.parameters_of(node, owner) or []
            return FunctionType(self.convert(node.type, owner), tuple(one.type for one in parameters), _variadic(node))
        if isinstance(node, (c_ast.Typename, c_ast.Decl)):
            return self.convert(node.type, owner)
        return self.convert_base(node, owner)

    def convert_base(self, node: Any, owner: str) -> CType:
        if isinstance(node, c_ast.IdentifierType):
            return self.identifier(node)
        if isinstance(node, (c_ast.Struct, c_ast.Union)):
            return self.reference(self.record(node, owner))
        if isinstance(node, c_ast.Enum):
            return self.reference(self.enum(node, owner))
        token = self.token(node)
        raise HeaderParseError(f"types of the kind {type(node).__name__} are not supported", token.file, token.line)

    def identifier(self, node: Any) -> CType:
        names = node.names
        if len(names) == 1 and names[0] in self.scope.typedefs:
            return Named(names[0])
        canonical = _canonical(names)
        if canonical is None and names[0] in PRIMITIVES:
            canonical = names[0]
        if canonical is None:
            token = self.token(node)
            raise HeaderParseError(f"{' '.join(names)!r} is no type", token.file, token.line)
        return Primitive(canonical)

    def reference(self, draft: Draft) -> Named:
        if draft.tag is None and draft.typedef:
            return Named(draft.name)
        return Named(draft.tag or draft.name, draft.kind)

    def parameters_of(self, node: Any, owner: str) -> list[Parameter] | None:
        """The parameters of the function type inside a declarator; None where there is none."""
        while node is not None and not isinstance(node, c_ast.FuncDecl):
            node = getattr(node, "type", None)
        if node is None:
            return None
        parameters: list[Parameter] = []
        for number, one in enumerate(node.args.params if node.args is not None else (), 1):
            if isinstance(one, c_ast.EllipsisParam):
                continue
            if isinstance(one, c_ast.ID):
                token = self.token(one)
                raise HeaderParseError(
                    f"the type {one.name} is declared nowhere; declare it in a stub header", token.file, token.line
                )
            name = getattr(one, "name", None) or f"arg{number}"
            ctype = self.convert(one.type, f"{owner}__{name}")
            if ctype == Primitive("void") and len(node.args.params) == 1:
                continue
            parameters.append(Parameter(name, ctype))
        return parameters

    # --- structs and unions ---

    def direct_draft(self, node: Any, index: int) -> Draft | None:
        """For ``typedef struct {...} X``: the struct without a tag, named after the typedef."""
        declarator = node.type
        if not isinstance(declarator, c_ast.TypeDecl) or declarator.quals:
            return None
        base = declarator.type
        if not isinstance(base, (c_ast.Struct, c_ast.Union, c_ast.Enum)) or base.name is not None:
            return None
        draft = self.enum(base, node.name) if isinstance(base, c_ast.Enum) else self.record(base, node.name)
        if draft.typedef:  # a second name for the same struct: an alias of the first
            return None
        draft.typedef = True
        draft.documentation = self.docs.text(self.sanitized.segment[index])
        return draft

    def tag_index(self, node: Any) -> int:
        """Number of the token behind the keyword."""
        index = index_of(node.coord)
        return index + 1 if self.sanitized.tokens[index].text in ("struct", "union", "enum") else index

    def record(self, node: Any, owner: str) -> RecordDraft:
        kind: Literal["struct", "union"] = "union" if isinstance(node, c_ast.Union) else "struct"
        index = self.tag_index(node)
        draft = self.scope.tags.get(node.name) if node.name else self.anonymous.get(index)
        if draft is None:
            token = self.sanitized.tokens[index - 1]
            draft = RecordDraft(kind, node.name or owner, node.name, index, token.location, token.own)
            self.remember(draft, index)
        if not isinstance(draft, RecordDraft) or draft.kind != kind:
            raise self.duplicate(f"{kind} {node.name}", draft, self.sanitized.tokens[index])
        if node.decls is None or (draft.fields is not None and draft.order == index):
            return draft
        meaning = self.attributes.of_tag(index)
        members: list[Member] = []
        rows: list[tuple[str, CType, Any]] = []
        for number, one in enumerate(node.decls):
            self.member(one, draft, number, members, rows, meaning.packed)
        places, size, alignment = lay_out(
            members,
            union=kind == "union",
            packed=meaning.packed,
            pack=self.sanitized.packs.get(index, 0),
            aligned=meaning.aligned,
        )
        fields = tuple(
            Field(name, ctype, place.offset, member.size, member.bits, place.bit_offset, deprecated)
            for (name, ctype, deprecated), member, place in zip(rows, members, places, strict=True)
            if member.named or member.bits is None
        )
        packed = meaning.packed
        if draft.fields is not None:
            if (draft.fields, draft.size, draft.alignment) != (fields, size, alignment):
                raise self.duplicate(f"{kind} {draft.name}", draft, self.sanitized.tokens[index])
            return draft
        draft.fields, draft.size, draft.alignment, draft.packed = fields, size, alignment, packed
        draft.order, draft.deprecated = index, meaning.deprecated
        token = self.sanitized.tokens[index - 1]
        draft.location, draft.own = token.location, token.own
        return draft

    def member(
        self, node: Any, draft: RecordDraft, number: int, members: list[Member], rows: list[Any], packed: bool
    ) -> None:
        name = node.name or ""
        ctype = self.convert(node.type, f"{draft.name}__{name or number}")
        index = self.name_index(node)
        token = self.sanitized.tokens[index]
        meaning = self.attributes.of_name(index)
        if isinstance(ctype, FunctionType):
            raise HeaderParseError(f"field {name} is a function; only a pointer to one can be", token.file, token.line)
        size, alignment = self.scope.measure(ctype, token.location)
        bits = self.integer(node.bitsize, "bit-field width") if node.bitsize is not None else None
        aligned = meaning.aligned
        for one in getattr(node, "align", None) or ():
            aligned = max(aligned or 1, self.alignas(one))
        members.append(Member(size, alignment, bits, bool(name) or bits is None, packed or meaning.packed, aligned))
        rows.append((name, ctype, meaning.deprecated))

    def alignas(self, node: Any) -> int:
        inner = node.alignment
        if isinstance(inner, c_ast.Typename):
            return self.scope.measure(self.convert(inner.type, ""), self.token(node).location)[1]
        return self.integer(inner, "alignment")

    def remember(self, draft: Draft, index: int) -> None:
        self.scope.drafts.append(draft)
        if draft.tag is not None:
            self.scope.tags[draft.tag] = draft
        else:
            self.anonymous[index] = draft
            self.scope.tags.setdefault(draft.name, draft)

    def duplicate(self, what: str, earlier: Draft, token: Token) -> DuplicateDefinitionError:
        return DuplicateDefinitionError(
            f"{what} is defined again with other contents; the first definition is at {earlier.location}",
            token.file,
            token.line,
        )

    # --- enums ---

    def enum(self, node: Any, owner: str) -> EnumDraft:
        index = self.tag_index(node)
        draft = self.scope.tags.get(node.name) if node.name else self.anonymous.get(index)
        if draft is None:
            token = self.sanitized.tokens[index - 1]
            name = node.name or owner or f"enum__{node.values.enumerators[0].name}"
            draft = EnumDraft(name, node.name, index, token.location, token.own)
            self.remember(draft, index)
        if not isinstance(draft, EnumDraft):
            raise self.duplicate(f"enum {node.name}", draft, self.sanitized.tokens[index])
        if node.values is None or (draft.enumerators is not None and draft.order == index):
            return draft
        values = self.enumerators(node, draft)
        draft.enumerators, draft.order = values, index
        draft.deprecated = self.attributes.of_tag(index).deprecated
        token = self.sanitized.tokens[index - 1]
        draft.location, draft.own = token.location, token.own
        return draft

    def enumerators(self, node: Any, draft: EnumDraft) -> tuple[Enumerator, ...]:
        found: list[Enumerator] = []
        value = -1
        for one in node.values.enumerators:
            if not isinstance(one, c_ast.Enumerator):
                continue
            index = index_of(one.coord)
            token = self.sanitized.tokens[index]
            if one.name in self.enumerator_places:
                raise DuplicateDefinitionError(
                    f"enumerator {one.name} is defined again; the first definition is at "
                    f"{self.enumerator_places[one.name][1].location}",
                    token.file,
                    token.line,
                )
            value = value + 1 if one.value is None else self.integer(one.value, f"enumerator {one.name}", token)
            alias = one.value
            while isinstance(alias, c_ast.Cast):
                alias = alias.expr
            found.append(
                Enumerator(
                    name=one.name,
                    value=value,
                    expression=None if one.value is None else self.expression(one.value),
                    alias_of=alias.name if isinstance(alias, c_ast.ID) else None,
                    deprecated=self.docs.enumerator_replacement(self.attributes.of_name(index).deprecated, index),
                    location=token.location,
                    documentation=self.docs.enumerator_text(index),
                )
            )
            self.scope.constants[one.name] = Constant.of_enumerator(value)
            self.enumerator_places[one.name] = (draft.name, token)
        return tuple(found)

    # --- expressions ---

    def expression(self, node: Any) -> str:
        return str(node.value) if isinstance(node, c_ast.Constant) else str(_GENERATOR.visit(node))

    def evaluate(self, node: Any) -> Constant:
        return evaluate(node, self.scope.constants, self.cast_type, self.size_of)

    def cast_type(self, node: Any) -> Any:
        return self.scope.arithmetic(self.convert(node.type, ""))

    def size_of(self, node: Any) -> tuple[int, int]:
        if isinstance(node, c_ast.Typename):
            return self.scope.measure(self.convert(node.type, ""), self.token(node).location)
        constant = self.evaluate(node)
        return constant.type.bits // 8, constant.type.bits // 8

    def integer(self, node: Any, what: str, token: Token | None = None) -> int:
        """The value of an integer constant expression.

        Raises
        ------
        EvaluationError
            It has none.
        """
        try:
            value = self.evaluate(node).value
            if isinstance(value, float):
                raise NotConstantError("a floating number", node)
        except NotConstantError as error:
            at = error.node if error.node is not None and error.node.coord is not None else node
            place = self.token(at) if at.coord is not None else token
            assert place is not None
            raise EvaluationError(
                f"the {what} cannot be evaluated: {error} (in '{self.expression(node)}'); correct the header",
                place.file,
                place.line,
            ) from None
        return value


def _variadic(node: Any) -> bool:
    return node.args is not None and any(isinstance(one, c_ast.EllipsisParam) for one in node.args.params)


def _qualify(ctype: CType, quals: list[str] | None) -> CType:
    const, volatile = "const" in (quals or ()), "volatile" in (quals or ())
    if not (const or volatile):
        return ctype
    if isinstance(ctype, Primitive):
        return Primitive(ctype.name, const, volatile)
    assert isinstance(ctype, Named)
    return Named(ctype.name, ctype.tag_kind, const, volatile)
