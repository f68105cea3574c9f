"""Object-like macros with a constant value; everything else becomes a loss with its reason."""

from __future__ import annotations

import math
import re

from cudnn_bindgen.evaluate import NotConstantError, unquote
from cudnn_bindgen.model import Loss, Macro
from cudnn_bindgen.preprocess import MacroDefinition, Source
from cudnn_bindgen.scope import Scope
from cudnn_bindgen.snippets import Evaluate, evaluate_tokens

__all__ = ["read_macros"]

_STRING = re.compile(r'(?:u8|[LuU])?"')


def read_macros(source: Source, scope: Scope, evaluate: Evaluate) -> tuple[list[Macro], list[Loss]]:
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


def _value(definition: MacroDefinition, scope: Scope, evaluate: Evaluate) -> int | float | str | _Reason:
    tokens = definition.expansion
    if definition.parameters is not None:
        return _Reason("a function-like macro has no value of its own")
    if not tokens:
        return _Reason("an empty macro has no value")
    if all(_STRING.match(token) for token in tokens):
        return "".join(unquote(token) for token in tokens)
    try:
        value = evaluate_tokens(tokens, scope, evaluate)
    except NotConstantError as error:
        return _Reason(f"no constant: {error}")
    if not math.isfinite(value):
        return _Reason("no constant: the number overflows")
    return value
