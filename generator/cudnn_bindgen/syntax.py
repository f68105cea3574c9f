"""Running pycparser over sanitised tokens, and telling the user what it means when it refuses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NoReturn

from pycparser import c_parser

from cudnn_bindgen.errors import DuplicateDefinitionError, HeaderParseError
from cudnn_bindgen.layout import PRIMITIVES
from cudnn_bindgen.preprocess import STUBS_VARIABLE, Token

__all__ = ["index_of", "parse_tokens", "unknown_type"]

# Types that compilers know and pycparser does not: declared in the first line of what it parses.
_BUILTIN = tuple(name for name in PRIMITIVES if name.startswith("_") and name not in ("_Bool", "__int128"))
_PRELUDE = "".join(f"typedef int {name};" for name in _BUILTIN)

# What a C++ header begins its declarations with.
_CPLUSPLUS = frozenset(("class", "namespace", "template", "using", "public", "private", "operator", "typename"))

_KEYWORDS = frozenset((
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float",
    "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof",
    "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "_Bool", "_Complex",
    "_Alignas", "_Alignof", "_Atomic", "_Static_assert", "_Thread_local", "__int128", "_Noreturn", "_Generic",
))  # fmt: skip


def index_of(coord: Any) -> int:
    """The number of the token that a position of pycparser's means: one token stands on each line."""
    return int(coord.line) - 2 if coord is not None else 0


def parse_tokens(tokens: Sequence[Token]) -> Any:
    """Pycparser's tree of `tokens`.

    Raises
    ------
    HeaderParseError
        They are no C; the message names the unknown type or the token at fault.
    """
    text = _PRELUDE + "\n" + "\n".join(token.text for token in tokens)
    parser = c_parser.CParser()
    reached = _watch(parser)
    try:
        tree = parser.parse(text, "header")
    except Exception as error:  # pycparser's ParseError has moved between modules; anything else is its bug
        if type(error).__name__ not in ("ParseError", "AssertionError"):
            raise
        _explain(str(error), tokens, reached[0])
    del tree.ext[: len(_BUILTIN)]
    return tree


def _watch(parser: Any) -> list[int]:
    """Note how far the lexer has been read: some errors carry no position."""
    reached = [0]
    original = parser.clex.token

    def token() -> Any:
        found = original()
        if found is not None:
            reached[0] = found.lineno - 2
        return found

    parser.clex.token = token
    return reached


def _explain(message: str, tokens: Sequence[Token], reached: int) -> NoReturn:
    match = re.match(r"header:(\d+)(?::\d+)?: (.*)", message)
    at = int(match[1]) - 2 if match else reached
    detail = match[2] if match else message.partition(": ")[2] or message
    at = min(max(at, 0), len(tokens) - 1)
    token = tokens[at]
    again = re.search(r"'(\w+)' previously declared", detail)
    if again:
        first = next(one for one in tokens if one.text == again[1])
        raise DuplicateDefinitionError(
            f"{again[1]} is declared again as something else; the first declaration is at {first.location}",
            token.file,
            token.line,
        )
    _refuse_typeof(tokens[_beginning(tokens, at) : at + 1])
    unknown = _unknown_type(tokens, at)
    if unknown is not None and unknown.text in _CPLUSPLUS:
        raise HeaderParseError(
            f"{unknown.text!r} is C++, and only C can be read; guard it with #ifdef __cplusplus",
            unknown.file,
            unknown.line,
        )
    if unknown is not None:
        raise unknown_type(unknown.text, unknown)
    _check_shape(tokens, _beginning(tokens, at))
    near = " ".join(one.text for one in tokens[max(0, at - 3) : at + 3])
    raise HeaderParseError(f"syntax error at {token.text!r} in '{near}'; correct the header", token.file, token.line)


def _refuse_typeof(tokens: Sequence[Token]) -> None:
    for token in tokens:
        if token.text in ("typeof", "__typeof__", "__typeof", "typeof_unqual"):
            raise HeaderParseError(f"{token.text} is not supported; write the type itself", token.file, token.line)


def _check_shape(tokens: Sequence[Token], begin: int) -> None:
    """Tell of a missing return type or ``;`` in the declaration that begins at token number `begin`."""
    opened: list[int] = []
    closed_word = ""
    for number in range(begin, len(tokens)):
        token = tokens[number]
        text = token.text
        word = text[0].isalpha() or text[0] == "_"
        if not opened and word and number > begin and tokens[number - 1].text == ")" and closed_word not in _KEYWORDS:
            before = tokens[number - 1]
            message = f"a ';' is missing between ')' and {text!r} of line {token.line}; add it"
            raise HeaderParseError(message, before.file, before.line)
        if number == begin and word and text not in _KEYWORDS and tokens[min(number + 1, len(tokens) - 1)].text == "(":
            raise HeaderParseError(f"{text} has no return type; write it", token.file, token.line)
        if text in ("(", "[", "{"):
            opened.append(number)
        elif text in (")", "]", "}") and opened:
            closed_word = tokens[opened.pop() - 1].text
        elif text == ";" and not opened:
            return
    last = tokens[-1]
    raise HeaderParseError("the last declaration never ends; add the missing ';'", last.file, last.line)


def unknown_type(name: str, token: Token) -> HeaderParseError:
    """The error for a type that neither the headers nor the stubs declare."""
    return HeaderParseError(
        f"the type {name} is declared nowhere; if it comes from another library, declare it in a header in a folder "
        f"named by {STUBS_VARIABLE} (a file of the name that this header includes)",
        token.file,
        token.line,
    )


def _unknown_type(tokens: Sequence[Token], at: int) -> Token | None:
    """The first name that stands where a type must and that no typedef before it declares."""
    known = set(_BUILTIN)
    begin = _beginning(tokens, at)
    for number, token in enumerate(tokens[: at + 1]):
        text = token.text
        if not (text[0].isalpha() or text[0] == "_") or text in _KEYWORDS:
            continue
        before = tokens[number - 1].text if number else ";"
        after = tokens[number + 1].text if number + 1 < len(tokens) else ";"
        if before in ("struct", "union", "enum", ".", "->", "goto", "="):
            continue
        if _declares_typedef(tokens, number, after):
            known.add(text)
        elif text in known:
            continue
        elif number >= begin and _stands_for_type(tokens, number, at):
            return token
    return None


def _declares_typedef(tokens: Sequence[Token], number: int, after: str) -> bool:
    if after not in (";", ",", "[", ")", "("):
        return False
    depth = 0
    for place in range(number - 1, -1, -1):
        text = tokens[place].text
        if text in ("}", ")", "]"):
            depth += 1
        elif text in ("{", "(", "["):
            depth -= 1
        elif depth <= 0 and text == ";":
            return False
        elif depth <= 0 and text == "typedef":
            return True
    return False


def _beginning(tokens: Sequence[Token], at: int) -> int:
    """Where the declaration around token number `at` begins; what stands before it has been parsed."""
    begin = depth = 0
    for number, token in enumerate(tokens[:at]):
        if token.text in ("{", "(", "["):
            depth += 1
        elif token.text in ("}", ")", "]"):
            depth -= 1
        elif token.text == ";" and depth == 0:
            begin = number + 1
    return begin


_BEFORE_TYPE = frozenset((";", "}", "{", "(", ",", "const", "volatile", "static", "extern", "inline", "typedef"))


def _stands_for_type(tokens: Sequence[Token], number: int, at: int) -> bool:
    """Whether a name that no typedef declares stands where only a type can; `at` is where the parser gave up."""
    before = tokens[number - 1].text if number else ";"
    after = tokens[number + 1].text if number + 1 < len(tokens) else ";"
    if before in _BEFORE_TYPE and (after == "*" or after[0].isalpha() or after[0] == "_"):
        return True
    if number == at:  # a parameter without a name
        return before == "," and after in (")", ",")
    return number == at - 2 and before == "(" and after == ")" and tokens[at].text[0] not in ",;)}"  # a cast
