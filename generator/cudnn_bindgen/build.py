"""From pycparser's tree to the model: declarations are collected in order, then named and classified."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from pycparser import c_ast

from cudnn_bindgen.attributes import Attributes
from cudnn_bindgen.compatible import compatible
from cudnn_bindgen.docs import Docs
from cudnn_bindgen.errors import DuplicateDefinitionError, HeaderParseError
from cudnn_bindgen.evaluate import NotConstantError
from cudnn_bindgen.model import Function, FunctionType, Location, Loss, Parameter
from cudnn_bindgen.preprocess import Token
from cudnn_bindgen.sanitize import Sanitized
from cudnn_bindgen.scope import RecordDraft, Scope, TypedefDraft
from cudnn_bindgen.snippets import evaluate_tokens
from cudnn_bindgen.type_reader import TypeReader

__all__ = ["Builder"]

_BODY = "a function with its body in the header has no symbol in the library"
# How a declaration writes its parameters, from the least that is told to the most: `f()`, `f(int)`, `f(int a)`.
_Parameters: TypeAlias = Literal["unknown", "unnamed", "named"]
_PARAMETERS: tuple[_Parameters, ...] = ("unknown", "unnamed", "named")


class Builder:
    """Collects what one translation unit declares, in `scope` and `functions`."""

    def __init__(self, sanitized: Sanitized, docs: Docs) -> None:
        self.sanitized = sanitized
        self.docs = docs
        self.scope = Scope()
        self.attributes = Attributes(sanitized, self.value_of)
        self.types = TypeReader(self.scope, sanitized, self.attributes, docs)
        self.functions: dict[str, tuple[Function, bool]] = {}
        self.lists: dict[str, _Parameters] = {}  # how the parameters of each function were written
        self.losses: list[Loss] = list(sanitized.losses)

    def run(self, tree: Any) -> None:
        self.docs.names = frozenset(_declared(tree))
        for node in tree.ext:
            if isinstance(node, c_ast.Typedef):
                self.typedef(node)
            elif isinstance(node, c_ast.Decl):
                self.declaration(node)
            elif isinstance(node, c_ast.StaticAssert):
                self.assertion(node)
            elif isinstance(node, c_ast.FuncDef):  # its parameters stand between the parentheses and the braces
                self.lose(node.decl.name, _BODY, self.token(node.decl))
            else:
                token = self.token(node)
                raise HeaderParseError(f"{type(node).__name__} is not expected in a header", token.file, token.line)

    def token(self, node: Any) -> Token:
        return self.types.token(node)

    def value_of(self, tokens: Sequence[str]) -> int | float:
        """The value of an expression that stands inside an attribute."""
        return evaluate_tokens(tokens, self.scope, self.types.evaluate)

    # --- typedefs ---

    def typedef(self, node: Any) -> None:
        index = self.types.name_index(node)
        token = self.sanitized.tokens[index]
        meaning = self.attributes.of_name(index)
        draft = self.types.direct_draft(node, index)
        parameters = self.types.parameters_of(node.type, node.name)
        found = TypedefDraft(
            name=node.name,
            type=None if draft is not None else self.types.convert(node.type, node.name),
            order=index,
            location=token.location,
            own=token.own,
            draft=draft,
            aligned=meaning.aligned,
            parameter_names=tuple(parameter.name for parameter in parameters or ()),
            deprecated=self.docs.with_replacement(meaning.deprecated, self.sanitized.segment[index], node.name),
            documentation=self.docs.text(self.sanitized.segment[index]),
        )
        earlier = self.scope.typedefs.get(node.name)
        if earlier is None:
            self.scope.typedefs[node.name] = found
        elif not _same_typedef(self.scope, earlier, found):
            raise _duplicate("typedef", node.name, earlier.location, token)
        elif found.deprecated and not earlier.deprecated:
            earlier.deprecated = found.deprecated

    # --- functions, variables, bare structs ---

    def declaration(self, node: Any) -> None:
        if node.name is None:
            self.types.convert_base(node.type, owner="")
            return
        index = self.types.name_index(node)
        token = self.sanitized.tokens[index]
        segment = self.sanitized.segment[index]
        ctype = self.types.convert(node.type, node.name)
        resolved = self.scope.resolve(ctype)
        if not isinstance(resolved, FunctionType):
            self.lose(node.name, "a variable, not a function or type", token)
        elif segment in self.sanitized.bodies:
            self.lose(node.name, _BODY, token)
        elif "static" in node.storage:
            self.lose(node.name, "a static function has no symbol in the library", token)
        else:
            self.function(node, index, resolved)
            return
        self.attributes.of_name(index)

    def function(self, node: Any, index: int, ctype: FunctionType) -> None:
        token = self.sanitized.tokens[index]
        segment = self.sanitized.segment[index]
        meaning = self.attributes.of_name(index)
        parameters = self.types.parameters_of(node.type, node.name)
        if parameters is None:  # declared through a typedef of a function type
            parameters = [Parameter(f"arg{number}", one) for number, one in enumerate(ctype.parameters, 1)]
        directions = self.docs.directions(segment)
        found = Function(
            name=node.name,
            returns=ctype.returns,
            parameters=tuple(Parameter(one.name, one.type, directions.get(one.name)) for one in parameters),
            variadic=ctype.variadic,
            deprecated=self.docs.with_replacement(meaning.deprecated, segment, node.name),
            location=token.location,
            documentation=self.docs.text(segment),
        )
        earlier = self.functions.get(node.name)
        if node.name in self.types.enums.places:
            raise _duplicate("enumerator", node.name, self.types.enums.places[node.name][1].location, token)
        if earlier is None:
            self.functions[node.name] = (found, token.own)
            self.lists[node.name] = _parameter_list(node)
        else:
            self.functions[node.name] = (self.again(earlier[0], found, _parameter_list(node), token), earlier[1])

    def again(self, earlier: Function, found: Function, written: _Parameters, token: Token) -> Function:
        """A function that was declared before: as the first declaration says, with what only another one says."""
        before = self.lists[found.name]
        types = (earlier.type, found.type)
        if "unknown" in (before, written):
            types = (FunctionType(earlier.returns), FunctionType(found.returns))
        if not compatible(self.scope, *types):
            raise _duplicate("function", found.name, earlier.location, token)
        first, second = earlier, found
        if _PARAMETERS.index(written) > _PARAMETERS.index(before):
            self.lists[found.name] = written
            first, second = found, earlier
        parameters = first.parameters
        if len(parameters) == len(second.parameters):
            parameters = tuple(
                replace(one, documented=one.documented or other.documented)
                for one, other in zip(parameters, second.parameters, strict=True)
            )
        return replace(
            earlier,
            parameters=parameters,
            variadic=first.variadic,
            deprecated=earlier.deprecated or found.deprecated,
            documentation=earlier.documentation or found.documentation,
        )

    def assertion(self, node: Any) -> None:
        try:
            holds = self.types.evaluate(node.cond).value
        except NotConstantError:
            return
        if not holds:
            token = self.token(node)
            raise HeaderParseError("the header's own static assertion does not hold", token.file, token.line)

    def lose(self, name: str, reason: str, token: Token, what: Literal["declaration"] = "declaration") -> None:
        if token.own:
            self.losses.append(Loss(name, what, reason, token.location))


def _duplicate(kind: str, name: str, earlier: Location, token: Token) -> DuplicateDefinitionError:
    return DuplicateDefinitionError(
        f"{kind} {name} is declared again as something else; the first declaration is at {earlier}; keep one of them",
        token.file,
        token.line,
    )


def _parameter_list(node: Any) -> _Parameters:
    inner = node.type
    while inner is not None and not isinstance(inner, c_ast.FuncDecl):
        inner = getattr(inner, "type", None)
    if inner is None:  # declared through a typedef
        return "unnamed"
    if inner.args is None:
        return "unknown"
    return "named" if any(getattr(one, "name", None) for one in inner.args.params) else "unnamed"


def _same_typedef(scope: Scope, first: TypedefDraft, second: TypedefDraft) -> bool:
    if first.type is not None and second.type is not None:
        return compatible(scope, first.type, second.type)
    if first.draft is second.draft:
        return first.type == second.type
    left, right = first.draft, second.draft
    if isinstance(left, RecordDraft) and isinstance(right, RecordDraft):
        return (left.kind, left.fields, left.size, left.alignment) == (
            right.kind,
            right.fields,
            right.size,
            right.alignment,
        )
    return False


def _declared(tree: Any) -> Iterator[str]:
    """Names of functions, types and enumerators at file level."""
    for node in tree.ext:
        name = getattr(node, "name", None)
        if name:
            yield name
        inner = getattr(node, "type", None)
        while inner is not None and not isinstance(inner, c_ast.Enum):
            inner = getattr(inner, "type", None)
        if inner is not None and inner.values is not None:
            for one in inner.values.enumerators:
                if isinstance(one, c_ast.Enumerator):
                    yield one.name
