"""The lexer that ``pcpp`` works with here: C's preprocessing tokens by one regular expression.

pcpp's own lexer splits numbers such as ``1000ULL``, ``0b101`` or ``.5f`` in two; this one follows the standard's
pp-numbers and is several times faster. Token types carry pcpp's names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate

__all__ = ["LexedToken", "Lexer", "UnterminatedError"]


class UnterminatedError(Exception):
    """A comment never ends; ``line`` is where it begins."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class LexedToken:
    """A token as pcpp expects it: pcpp sets and copies these attributes."""

    __slots__ = ("expanded_from", "lexpos", "lineno", "source", "type", "value")

    expanded_from: list[str]
    source: str

    def __init__(self, kind: str | None, value: str, line: int, position: int) -> None:
        self.type = kind
        self.value = value
        self.lineno = line
        self.lexpos = position

    def __copy__(self) -> LexedToken:
        other = LexedToken(self.type, self.value, self.lineno, self.lexpos)
        for name in ("source", "expanded_from"):
            if hasattr(self, name):
                setattr(other, name, getattr(self, name))
        return other


_OPERATORS = {
    "...": "DOT", "<<=": "LSHIFTEQUAL", ">>=": "RSHIFTEQUAL", "->": "DEREFERENCE", "-=": "MINUSEQUAL",
    "--": "MINUSMINUS", "<<": "LSHIFT", "<=": "LESSEQUAL", ">>": "RSHIFT", ">=": "GREATEREQUAL", "||": "LOGICALOR",
    "|=": "OREQUAL", "&&": "LOGICALAND", "&=": "ANDEQUAL", "==": "EQUALITY", "!=": "INEQUALITY", "^=": "XOREQUAL",
    "*=": "MULTIPLYEQUAL", "/=": "DIVIDEEQUAL", "+=": "PLUSEQUAL", "++": "PLUSPLUS", "%=": "PERCENTEQUAL",
    "##": "DPOUND", "#": "POUND", "+": "PLUS", "-": "MINUS", "*": "STAR", "/": "FSLASH", "%": "PERCENT", "|": "BAR",
    "&": "AMPERSAND", "~": "TILDE", "^": "HAT", "<": "LESS", ">": "GREATER", "=": "EQUAL", "!": "EXCLAMATION",
    "?": "QUESTION", "(": "LPAREN", ")": "RPAREN", "[": "LBRACKET", "]": "RBRACKET", "{": "LCURLY", "}": "RCURLY",
    ".": "DOT", ",": "COMMA", ";": "SEMICOLON", ":": "COLON", "\\": "BSLASH", "'": "SQUOTE", '"': "DQUOTE",
}  # fmt: skip

_TYPES = {text: f"CPP_{name}" for text, name in _OPERATORS.items()}

# Other spellings that the standard gives some operators.
_DIGRAPHS = {"%:%:": "##", "%:": "#", "<:": "[", ":>": "]", "<%": "{", "%>": "}"}

_PATTERN = re.compile(
    r"""(?P<space>[ \t]+|\n)
    |(?P<string>(?:u8|[LuU])?"(?:[^"\\\n]|\\.)*")
    |(?P<char>[LuU]?'(?:[^'\\\n]|\\.)+')
    |(?P<name>[^\W\d][\w$]*|\$[\w$]*)
    |(?P<number>0[xX](?:[pP][+-]|'?\w|\.)*|\.?\d(?:[eE][+-]|'?\w|\.)*)
    |(?P<block>/\*(?:[^*]|\*(?!/))*\*/)
    |(?P<open>/\*)
    |(?P<line>//[^\n]*)
    |(?P<continuation>\\[ \t]*\n)
    |(?P<operator>"""
    + "|".join(re.escape(text) for text in (*_DIGRAPHS, *_OPERATORS))
    + r")|(?P<other>.)",
    re.VERBOSE,
)

_GROUP_TYPES = {
    "space": "CPP_WS",
    "string": "CPP_STRING",
    "char": "CPP_CHAR",
    "name": "CPP_ID",
    "block": "CPP_COMMENT1",
    "line": "CPP_COMMENT2",
}

_INTEGER = re.compile(r"(?:0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)[uUlL]*")
_CONTINUATION = re.compile(r"\\[ \t]*(?:\n|\Z)")


class Lexer:
    """What pcpp uses of a PLY lexer: ``input``, ``token``, ``clone`` and ``lineno``.

    Parameters
    ----------
    joins
        Join lines at a backslash first, as a file's must be. pcpp reads files with a clone; the original answers its
        question for what a lexer makes of a lone backslash.
    """

    def __init__(self, *, joins: bool = False) -> None:
        self.lineno = 1
        self._joins = joins
        self._tokens: Iterator[LexedToken] = iter(())

    def clone(self) -> Lexer:
        return Lexer(joins=True)

    def input(self, text: str) -> None:
        self._tokens = self._scan(text)

    def token(self) -> LexedToken | None:
        return next(self._tokens, None)

    def _scan(self, text: str) -> Iterator[LexedToken]:
        line = self.lineno
        # Before there are tokens: a word may go on behind the backslash.
        pieces = _CONTINUATION.split(text) if self._joins else [text]
        text = "".join(pieces)
        joints = list(accumulate(map(len, pieces[:-1])))
        joints.reverse()
        for match in _PATTERN.finditer(text):
            while joints and joints[-1] <= match.start():
                joints.pop()
                line += 1
            group = match.lastgroup or ""
            value = match.group()
            start = line
            kind = _GROUP_TYPES.get(group)
            if group == "operator":
                value = _DIGRAPHS.get(value, value)
                kind = _TYPES[value]
            elif group == "number":
                value = value.replace("'", "")
                kind = "CPP_INTEGER" if _INTEGER.fullmatch(value) else "CPP_FLOAT"
            elif group == "open":
                raise UnterminatedError(start)
            elif group == "continuation":
                kind, value = "CPP_LINECONT", value[1:-1]
            elif group == "other":
                kind = value
            elif "\n" in value:
                line += value.count("\n")
            yield LexedToken(kind, value, start, match.start())
