"""C declarations back into model types: the inverse of `cudnn_bindgen.model.declare`.

It reads what the model prints, not C at large; the history keeps types as that text, since a person can read it and a
changed line shows what changed.
"""

from __future__ import annotations

import re
from functools import cache

from cudnn_bindgen.layout import PRIMITIVES
from cudnn_bindgen.model import Array, CType, FunctionType, Named, Pointer, Primitive

__all__ = ["Declared", "read_declaration", "read_type"]

Declared = tuple[str, CType, tuple[str, ...]]

_TOKEN = re.compile(r"\.\.\.|[^\s*()\[\],;]+|[*()\[\],]")
_PRIMITIVE_WORDS = frozenset(word for name in PRIMITIVES for word in name.split())
_TAG_KINDS = ("struct", "union", "enum")
_QUALIFIERS = ("const", "volatile", "restrict")


class _Reader:
    """A cursor over the tokens; every method consumes what it returns."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _TOKEN.findall(text)
        self._at = 0

    def _peek(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else ""

    def _take(self, expected: str = "") -> str:
        token = self._peek()
        if not token or (expected and token != expected):
            raise ValueError(
                f"{self._text!r} is no declaration that the model prints: {token or 'its end'!r} is unexpected"
            )
        self._at += 1
        return token

    def _accept(self, token: str) -> bool:
        found = self._peek() == token
        self._at += found
        return found

    def whole(self) -> Declared:
        declared = self.declaration()
        if self._peek():
            self._take("the end")
        return declared

    def declaration(self) -> Declared:
        """A base type and one declarator: the name ("" when abstract), the type, and its parameters' names."""
        const, volatile = self._accept("const"), self._accept("volatile")
        base: CType
        if self._peek() in _PRIMITIVE_WORDS:
            words = [self._take()]
            while self._peek() in _PRIMITIVE_WORDS:
                words.append(self._take())
            base = Primitive(" ".join(words), const, volatile)
        elif self._peek() in _TAG_KINDS:
            kind = self._take()
            base = Named(self._take(), kind, const, volatile)  # type: ignore[arg-type]
        else:
            base = Named(self._take(), "", const, volatile)
        return self._declarator(base)

    def _declarator(self, base: CType) -> Declared:
        while self._accept("*"):
            marks = set()
            while self._peek() in _QUALIFIERS:
                marks.add(self._take())
            base = Pointer(base, "const" in marks, "volatile" in marks, "restrict" in marks)
        if self._peek() == "(" and self._peek(1) == "*":
            # The inner declarator applies to what the suffixes behind the parenthesis make of the base.
            self._take("(")
            inner_start = self._at
            self._skip_group()
            outer, names = self._suffixes(base)
            end, self._at = self._at, inner_start
            name, ctype, inner_names = self._declarator(outer)
            self._take(")")
            self._at = end
            return name, ctype, names or inner_names
        name = self._take() if self._peek() not in ("", "(", ")", "[", ",") else ""
        ctype, names = self._suffixes(base)
        return name, ctype, names

    def _skip_group(self) -> None:
        depth = 1
        while depth:
            depth += {"(": 1, ")": -1}.get(self._take(), 0)

    def _suffixes(self, base: CType) -> tuple[CType, tuple[str, ...]]:
        if self._accept("["):
            length = None if self._peek() == "]" else int(self._take())
            self._take("]")
            element, names = self._suffixes(base)
            return Array(element, length), names
        if self._accept("("):
            types, names, variadic = self._parameters()
            # A function returns no array and no function: nothing can follow.
            return FunctionType(base, types, variadic), names
        return base, ()

    def _parameters(self) -> tuple[tuple[CType, ...], tuple[str, ...], bool]:
        if self._peek() == "void" and self._peek(1) == ")":
            self._take()
        types: list[CType] = []
        names: list[str] = []
        variadic = False
        while not self._accept(")"):
            if self._accept("..."):
                variadic = True
            else:
                name, ctype, _ = self.declaration()
                types.append(ctype)
                names.append(name)
            if self._peek() != ")":
                self._take(",")
        return tuple(types), tuple(names), variadic


@cache
def read_declaration(text: str) -> Declared:
    """Name, type and, for (a pointer to) a function, the names of its parameters.

    Raises
    ------
    ValueError
        The text is nothing that the model prints.

    Examples
    --------
    >>> name, ctype, names = read_declaration("int f(const void *x)")
    >>> name, str(ctype), names
    ('f', 'int (const void *)', ('x',))
    """
    return _Reader(text).whole()


def read_type(text: str) -> CType:
    """The type alone; see `read_declaration`."""
    return read_declaration(text)[1]
