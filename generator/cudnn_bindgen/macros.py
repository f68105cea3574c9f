"""Object-like macros with a constant value; everything else becomes a loss with its reason."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from pycparser import c_parser

from cudnn_bindgen.evaluate import NotConstantError, parse_number, unquote
from cudnn_bindgen.layout import PRIMITIVES
from cudnn_bindgen.model import Loss, Macro
from cudnn_bindgen.preprocess import MacroDefinition, Source
from cudnn_bindgen.scope import Scope

__all__ = ["read_macros"]

_STRING = re.compile(r'(?:u8|[LuU])?"')
_NAME = re.compile(r"[A-Za-z_]\w*")


def read_macros(source: Source, scope: Scope, evaluate: Callable[[Any], Any]) -> tuple[list[Macro], list[Loss]]:
    """The constant macros of `source` in order, and what was left out."""
    found: list[Macro] = []
    losses: list[Loss] = []
    for definition in source.macros:
        if definition.name in source.guards and not definition.body:
            continue
        value = _value(definition, scope, evaluate)
        if isinstance(value, _Reason):
            losses.append(Loss(definition.name, "macro", value.text, definition.location))
        else:
            found.append(Macro(definition.name, value, definition.body, definition.location))
    return found, losses


class _Reason:
    def __init__(self, text: str) -> None:
        self.text = text


def _value(definition: MacroDefinition, scope: Scope, evaluate: Callable[[Any], Any]) -> int | float | str | _Reason:
    tokens = definition.expansion
    if definition.parameters is not None:
        return _Reason("a function-like macro has no value of its own")
    if not tokens:
        return _Reason("an empty macro has no value")
    if all(_STRING.match(token) for token in tokens):
        return "".join(unquote(token) for token in tokens)
    if len(tokens) == 1 and tokens[0][0].isdigit():
        try:
            return parse_number(tokens[0]).value
        except NotConstantError as error:
            return _Reason(f"no constant: {error}")
    types = dict.fromkeys(token for token in tokens if token in scope.typedefs)
    unknown = [
        token for token in tokens if _NAME.match(token) and token not in scope.constants and token not in types
        and token not in _WORDS and token not in scope.tags
    ]  # fmt: skip
    if unknown:
        return _Reason(f"no constant: {unknown[0]} has no value")
    prelude = "".join(f"typedef int {name};" for name in types)
    try:
        tree = c_parser.CParser().parse(f"{prelude}\nint value = ({' '.join(tokens)});", "macro")
        result: int | float | str = evaluate(tree.ext[-1].init).value
    except NotConstantError as error:
        return _Reason(f"no constant: {error}")
    except Exception as error:
        if type(error).__name__ not in ("ParseError", "AssertionError", "HeaderParseError"):
            raise
        return _Reason("no constant expression")
    return result


_WORDS = frozenset(
    ("sizeof", "_Alignof", "struct", "union", "enum", "const", "volatile", "signed", "unsigned", *PRIMITIVES)
)
