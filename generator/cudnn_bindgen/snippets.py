"""Constant expressions that stand outside declarations: in macros and in the arguments of attributes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from pycparser import c_parser

from cudnn_bindgen.errors import HeaderParseError
from cudnn_bindgen.evaluate import Constant, NotConstantError, parse_number
from cudnn_bindgen.layout import PRIMITIVES
from cudnn_bindgen.sanitize import RESPELT
from cudnn_bindgen.scope import Scope

__all__ = ["Evaluate", "evaluate_tokens"]

Evaluate: TypeAlias = Callable[[Any], Constant]

_NAME = re.compile(r"[A-Za-z_]\w*")
_TYPE_WORDS = frozenset(("struct", "union", "enum", "const", "volatile", "signed", "unsigned", *PRIMITIVES))
_WORDS = _TYPE_WORDS | {"sizeof", "_Alignof", "offsetof"}


def evaluate_tokens(tokens: Sequence[str], scope: Scope, evaluate: Evaluate) -> int | float:
    """The value of an expression in text.

    Parameters
    ----------
    evaluate
        Evaluates pycparser's tree in the scope of the header.

    Raises
    ------
    NotConstantError
        It has none; the message says why.
    """
    tokens = [part for token in tokens for part in RESPELT.get(token, token).split()]
    if len(tokens) == 1 and tokens[0][0].isdigit():
        return parse_number(tokens[0]).value
    types = dict.fromkeys(token for token in tokens if token in scope.typedefs)
    if all(token in types or token in _TYPE_WORDS or token == "*" for token in tokens):
        raise NotConstantError("a type has no value")
    if "{" in tokens:
        raise NotConstantError("braces have no value")
    for before, token in zip(("", *tokens), tokens, strict=False):
        if token in ("__attribute__", "__declspec"):
            raise NotConstantError("an attribute has no value")
        known = token in scope.constants or token in types or token in _WORDS or token in scope.tags
        known = known or before in (".", "->") or (before == "," and "offsetof" in tokens)  # a member
        if _NAME.match(token) and not known and not token.endswith("'"):
            raise NotConstantError(f"{token} has no value")
    prelude = "".join(f"typedef int {name};" for name in types)
    try:
        tree = c_parser.CParser().parse(f"{prelude}\nint value = ({' '.join(tokens)});", "snippet")
        return evaluate(tree.ext[-1].init).value
    except HeaderParseError as error:
        raise NotConstantError(error.message) from None
    except NotConstantError:
        raise
    except Exception as error:  # pycparser's ParseError has moved between modules
        if type(error).__name__ not in ("ParseError", "AssertionError"):
            raise
        raise NotConstantError("no expression") from None
