"""Types as pycparser gives them, to types of the model; structs, unions and enums are defined on the way."""

from __future__ import annotations

from typing import Any, Literal

from pycparser import c_ast, c_generator

from cudnn_bindgen.attributes import Attributes
from cudnn_bindgen.docs import Docs
from cudnn_bindgen.enums import EnumReader
from cudnn_bindgen.errors import DuplicateDefinitionError, EvaluationError, HeaderParseError
from cudnn_bindgen.evaluate import Constant, NotConstantError, evaluate
from cudnn_bindgen.expressions import Expressions
from cudnn_bindgen.layout import PRIMITIVES
from cudnn_bindgen.model import (
    Array,
    CType,
    FunctionType,
    Named,
    Parameter,
    Pointer,
    Primitive,
)
from cudnn_bindgen.preprocess import Token
from cudnn_bindgen.records import RecordReader
from cudnn_bindgen.sanitize import Sanitized
from cudnn_bindgen.scope import Draft, EnumDraft, RecordDraft, Scope
from cudnn_bindgen.syntax import index_of, unknown_type

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
        self.enums = EnumReader(self)
        self.records = RecordReader(self)
        self.expressions = Expressions(self)

    # --- places ---

    def token(self, node: Any) -> Token:
        index = index_of(node.coord)
        return self.sanitized.tokens[index] if 0 <= index < len(self.sanitized.tokens) else Token("", "", 0)

    def name_index(self, node: Any) -> int:
        """Number of the token that is the declared name."""
        inner = node.type
        while not isinstance(inner, c_ast.TypeDecl) and hasattr(inner, "type"):
            inner = inner.type
        if isinstance(inner, c_ast.TypeDecl) and inner.declname and inner.coord is not None:
            return index_of(inner.coord)
        # An unnamed bit-field has no place of its own; its width and its type have.
        parts = (node, inner, getattr(inner, "type", None), getattr(node, "bitsize", None))
        places = (getattr(one, "coord", None) for one in parts)
        return index_of(next((place for place in places if place is not None), None))

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
                if length < 0:
                    token = self.token(node)
                    raise EvaluationError(f"the array length {length} is negative", token.file, token.line)
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
        if isinstance(node, (c_ast.Struct, c_ast.Union, c_ast.Enum)):
            return self.reference(self.definition(node, owner))
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
        given = node.args.params if node.args is not None else ()
        named = {getattr(one, "name", None) for one in given}
        for number, one in enumerate(given, 1):
            if isinstance(one, c_ast.EllipsisParam):
                continue
            if isinstance(one, c_ast.ID):
                raise unknown_type(one.name, self.token(one))
            name = getattr(one, "name", None) or f"arg{number}"
            while getattr(one, "name", None) is None and name in named:
                name += "_"
            if any(name == earlier.name for earlier in parameters):
                token = self.token(one)
                message = f"parameter {name} of {owner} stands twice; rename one of them"
                raise DuplicateDefinitionError(message, token.file, token.line)
            ctype = self.parameter_type(one, owner, name)
            if ctype == Primitive("void") and len(given) == 1:
                continue
            parameters.append(Parameter(name, ctype))
        return parameters

    def parameter_type(self, node: Any, owner: str, name: str) -> CType:
        declarator = node.type
        if isinstance(declarator, c_ast.ArrayDecl) and declarator.dim is not None:
            try:  # `int n, double a[n]`: C takes any length there and keeps none
                self.evaluate(declarator.dim)
            except NotConstantError:
                return Array(self.convert(declarator.type, f"{owner}__{name}"), None)
        return self.convert(declarator, f"{owner}__{name}")

    # --- structs, unions and enums ---

    def direct_draft(self, node: Any, index: int) -> Draft | None:
        """For ``typedef struct {...} X``: the struct without a tag, named after the typedef."""
        declarator = node.type
        if not isinstance(declarator, c_ast.TypeDecl) or declarator.quals:
            return None
        base = declarator.type
        if not isinstance(base, (c_ast.Struct, c_ast.Union, c_ast.Enum)) or base.name is not None:
            return None
        draft = self.definition(base, node.name)
        if draft.typedef:  # a copy of the whole declaration, or a second name: an alias of the first
            return draft if draft.name == node.name else None
        draft.typedef = True
        draft.documentation = self.docs.text(self.sanitized.segment[index])
        return draft

    def definition(self, node: Any, owner: str) -> Draft:
        """What a struct, union or enum specifier means; its members are read when they are there."""
        index = index_of(node.coord)
        if self.sanitized.tokens[index].text in ("struct", "union", "enum"):
            index += 1
        draft = self.scope.tags.get(node.name) if node.name else self.anonymous.get(index)
        token = self.sanitized.tokens[index - 1]
        kind: Literal["struct", "union", "enum"] = type(node).__name__.lower()  # type: ignore[assignment]
        if draft is None:
            if kind == "enum":
                name = node.name or owner or f"enum__{node.values.enumerators[0].name}"
                draft = EnumDraft(name, node.name, index, token.location, token.own)
            else:
                draft = RecordDraft(kind, node.name or owner, node.name, index, token.location, token.own)
            self.scope.drafts.append(draft)
            if draft.tag is not None:
                self.scope.tags[draft.tag] = draft
            else:
                self.anonymous[index] = draft
                self.scope.made_up[draft.name] = draft
        if draft.kind != kind:
            raise self.duplicate(draft, token)
        body = node.values if kind == "enum" else node.decls
        if body is None or index in draft.read:
            return draft
        draft.read.add(index)
        if isinstance(draft, EnumDraft):
            draft = self.enums.read(node, draft, index)
            self.anonymous[index] = draft
        else:
            self.records.read(node, draft, index)
        return draft

    def duplicate(self, earlier: Draft, token: Token) -> DuplicateDefinitionError:
        return DuplicateDefinitionError(
            f"{earlier.kind} {earlier.name} is defined again with other contents; the first definition is at "
            f"{earlier.location}; keep one of them",
            token.file,
            token.line,
        )

    # --- expressions ---

    def expression(self, node: Any) -> str:
        return str(node.value) if isinstance(node, c_ast.Constant) else str(_GENERATOR.visit(node))

    def evaluate(self, node: Any) -> Constant:
        return evaluate(node, self.scope.constants, self.cast_type, self.size_of, self.expressions.place_of)

    def cast_type(self, node: Any) -> Any:
        return self.scope.arithmetic(self.convert(node.type, ""))

    def size_of(self, node: Any) -> tuple[int, int]:
        if isinstance(node, c_ast.Typename):
            return self.scope.measure(self.convert(node.type, ""), self.token(node).location)
        ctype = self.expressions.type_of(node)
        if ctype is not None:
            return self.scope.measure(ctype, self.token(node).location)
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
