"""Taking out of the token stream what pycparser refuses, and keeping what it said.

Attributes in any style, ``extern "C"``, ``asm``, function bodies and compilers' own keywords are removed or spelt as
standard C. What an attribute says is kept as a `Mark` with the place it stood at; the parser gets one token a line, so
that every position it reports is a token's number and a mark attaches to exactly one declaration.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Literal

from cudnn_bindgen.errors import HeaderParseError
from cudnn_bindgen.model import Location, Loss
from cudnn_bindgen.preprocess import Token

__all__ = ["RESPELT", "Mark", "Sanitized", "sanitize"]

# Spellings of compilers and of C++ beside C's own; an empty one means nothing to the model.
RESPELT = {
    "__const": "const", "__const__": "const", "__volatile": "volatile", "__volatile__": "volatile",
    "__signed": "signed", "__signed__": "signed", "__restrict": "restrict", "__restrict__": "restrict",
    "__inline": "inline", "__inline__": "inline", "__forceinline": "inline", "__extension__": "", "__noreturn__": "",
    "_Noreturn": "", "noreturn": "noreturn", "bool": "_Bool", "alignas": "_Alignas", "static_assert": "_Static_assert",
    "__int8": "char", "__int16": "short", "__int32": "int", "__int64": "long long", "_Nullable": "", "_Nonnull": "",
    "__alignof__": "_Alignof", "__alignof": "_Alignof", "alignof": "_Alignof", "constexpr": "", "noexcept": "",
    "__thread": "", "_Thread_local": "", "__builtin_offsetof": "offsetof",
}  # fmt: skip

_ATTRIBUTES = frozenset(("__attribute__", "__attribute"))
_CALLING = frozenset(
    word + tail for word in ("stdcall", "cdecl", "fastcall", "vectorcall", "thiscall", "pascal") for tail in ("", "__")
)
_CALLING_WORDS = frozenset({*(f"__{word}" for word in _CALLING), *(f"_{word}" for word in _CALLING if word[-1] != "_")})
_ASM = frozenset(("asm", "__asm__", "__asm"))
_CLOSING = {"(": ")", "[": "]", "{": "}"}

Context = Literal["file", "record", "enum", "parenthesis", "initializer"]


@dataclass(frozen=True, slots=True)
class Mark:
    """One attribute that stood before token number `position`.

    Attributes
    ----------
    arguments
        The tokens between its parentheses, None without.
    segment, declarator
        Numbers of the first token of the declaration and of the declarator (what follows a comma) it stands in.
    tag
        For an attribute of a struct, union or enum itself: the number of the token behind that keyword.
    """

    name: str
    arguments: tuple[str, ...] | None
    position: int
    segment: int
    declarator: int
    context: Context
    tag: int | None
    location: Location
    own: bool


@dataclass(slots=True)
class Sanitized:
    """Tokens that pycparser takes, and everything else that was there.

    Attributes
    ----------
    segment, declarator
        For each token the numbers as in `Mark`.
    packs
        ``#pragma pack`` in force where a struct ends, by the number of the token behind its keyword.
    bodies
        Numbers of the first tokens of declarations that had a function body.
    positions
        For each token its number in the preprocessed stream.
    """

    tokens: list[Token] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    segment: list[int] = field(default_factory=list)
    declarator: list[int] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    packs: dict[int, int] = field(default_factory=dict)
    bodies: set[int] = field(default_factory=set)
    losses: list[Loss] = field(default_factory=list)

    def marks_by_segment(self) -> dict[int, list[Mark]]:
        found: dict[int, list[Mark]] = defaultdict(list)
        for mark in self.marks:
            found[mark.segment].append(mark)
        return found

    def marks_by_tag(self) -> dict[int, list[Mark]]:
        found: dict[int, list[Mark]] = defaultdict(list)
        for mark in self.marks:
            if mark.tag is not None:
                found[mark.tag].append(mark)
        return found


@dataclass(slots=True)
class _Frame:
    """One open bracket: what it encloses and where its current declaration began."""

    context: Context
    opening: Token
    segment: int
    declarator: int
    tag: int | None = None
    linkage: bool = False


def sanitize(tokens: tuple[Token, ...]) -> Sanitized:
    """Remove from `tokens` what pycparser refuses.

    Raises
    ------
    HeaderParseError
        Brackets do not match.
    """
    return _Sanitizer(tokens).run()


class _Sanitizer:
    def __init__(self, tokens: tuple[Token, ...]) -> None:
        self.source = tokens
        self.at = 0
        self.out = Sanitized()
        self.frames = [_Frame("file", Token("", "", 0), 0, 0)]
        self.pack: list[int] = []
        self.pack_now = 0
        self.keyword_tag: int | None = None  # token behind the last struct/union/enum keyword of this declaration
        self.closed: tuple[int, int | None] = (-1, None)

    # --- helpers ---

    @property
    def kept(self) -> int:
        return len(self.out.tokens)

    def peek(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.source[place].text if place < len(self.source) else ""

    def emit(self, token: Token, text: str | None = None) -> None:
        frame = self.frames[-1]
        self.out.tokens.append(token if text is None or text == token.text else token._replace(text=text))
        self.out.positions.append(self.at)
        self.out.segment.append(frame.segment)
        self.out.declarator.append(frame.declarator)

    def matching(self, start: int) -> int:
        """Place of the bracket that closes the one at `start`."""
        open_brackets: list[str] = []
        for place in range(start, len(self.source)):
            text = self.source[place].text
            if text in _CLOSING:
                open_brackets.append(_CLOSING[text])
            elif open_brackets and text == open_brackets[-1]:
                open_brackets.pop()
                if not open_brackets:
                    return place
        token = self.source[start]
        raise HeaderParseError(f"{token.text!r} is never closed", token.file, token.line)

    def mark(self, name: str, arguments: tuple[str, ...] | None, token: Token) -> None:
        frame = self.frames[-1]
        previous = self.out.tokens[-1].text if self.out.tokens else ""
        tag = None
        if previous in ("struct", "union", "enum"):
            tag = self.kept
        elif self.closed[0] == self.kept:
            tag = self.closed[1]
        self.out.marks.append(
            Mark(
                name,
                arguments,
                self.kept,
                frame.segment,
                frame.declarator,
                frame.context,
                tag,
                token.location,
                token.own,
            )
        )

    # --- one pass ---

    def run(self) -> Sanitized:
        while self.at < len(self.source):
            token = self.source[self.at]
            if not self.special(token):
                self.plain(token)
                self.at += 1
        if len(self.frames) > 1:
            opening = self.frames[-1].opening
            raise HeaderParseError(f"{opening.text!r} is never closed", opening.file, opening.line)
        return self.out

    def special(self, token: Token) -> bool:
        """Handle a token that pycparser must not see; False if it may."""
        text = token.text
        first = text[0]
        if first == "#":
            self.pragma(text, token)
            self.at += 1
        elif text in _ATTRIBUTES and self.peek(1) == "(":
            end = self.matching(self.at + 1)
            self.attributes(self.at + 3, end - 1)
            self.at = end + 1
        elif text == "[" and self.peek(1) == "[":
            end = self.matching(self.at)
            self.attributes(self.at + 2, end - 1)
            self.at = end + 1
        elif text in ("__declspec", "_declspec") and self.peek(1) == "(":
            end = self.matching(self.at + 1)
            self.attributes(self.at + 2, end)
            self.at = end + 1
        elif text in _CALLING_WORDS:
            self.mark(text, None, token)
            self.at += 1
        elif text in _ASM:
            self.asm(token)
        elif text == "_Pragma" and self.peek(1) == "(":
            self.pragma("#pragma " + self.peek(2).strip('"'), token)
            self.at += 4
        elif text == "extern" and self.peek(1) in ('"C"', '"C++"'):
            if self.peek(2) == "{":
                self.frames.append(_Frame("file", token, self.kept, self.kept, linkage=True))
                self.at += 3
            else:
                self.emit(token)
                self.at += 2
        elif text in RESPELT:
            for part in RESPELT[text].split():
                self.emit(token, part)
            self.at += 1
        elif text == "{" and self.frames[-1].context == "file" and self.is_body():
            self.body(token)
        else:
            return False
        return True

    def plain(self, token: Token) -> None:
        text = token.text
        frame = self.frames[-1]
        if text == "_Atomic" and token.own:
            self.out.losses.append(Loss(text, "attribute", "atomic types are kept as plain ones", token.location))
        if text in ("struct", "union", "enum"):
            self.emit(token)
            self.keyword_tag = self.kept
        elif text == "{":
            self.emit(token)
            self.open_brace(token)
        elif text in ("(", "["):
            self.emit(token)
            inner: Context = "parenthesis"
            self.frames.append(_Frame(inner, token, frame.segment, frame.declarator))
        elif text in ("}", ")", "]"):
            self.close(token)
        else:
            self.emit(token)
            ends = text == ";" or (text == "," and frame.context == "enum")
            if ends and frame.context in ("file", "record", "enum"):
                frame.segment = frame.declarator = self.kept
                self.keyword_tag = None
            elif text == "," and frame.context in ("file", "record"):
                frame.declarator = self.kept

    def open_brace(self, token: Token) -> None:
        place = self.kept - 1
        frame = self.frames[-1]
        context: Context = "initializer"
        tag = self.keyword_tag
        if tag is not None and (tag == place or place == tag + 1 or self.out.tokens[tag - 1].text == "enum"):
            context = "enum" if self.out.tokens[tag - 1].text == "enum" else "record"
            if context == "enum" and any(self.out.tokens[i].text == "=" for i in range(tag, place)):
                context = "initializer"
        elif frame.context == "enum":
            context = "enum"
        self.frames.append(_Frame(context, token, self.kept, self.kept, tag if context != "initializer" else None))

    def close(self, token: Token) -> None:
        frame = self.frames[-1]
        if len(self.frames) == 1 or _CLOSING.get("{" if frame.linkage else frame.opening.text) != token.text:
            hint = f"; {frame.opening.text!r} of line {frame.opening.line} is open" if len(self.frames) > 1 else ""
            raise HeaderParseError(f"{token.text!r} closes nothing here{hint}", token.file, token.line)
        self.frames.pop()
        if frame.linkage:
            self.frames[-1].segment = self.frames[-1].declarator = self.kept
            return
        self.emit(token)
        if frame.tag is not None:
            self.closed = (self.kept, frame.tag)
            if self.pack_now:
                self.out.packs[frame.tag] = self.pack_now
            self.keyword_tag = None

    # --- what is removed ---

    def attributes(self, start: int, end: int) -> None:
        """Read a comma- or blank-separated list of attributes between two places."""
        place = start
        while place < end:
            token = self.source[place]
            if not re.match(r"\w", token.text):
                place += 1
                continue
            name = token.text
            if place + 3 < end and self.source[place + 1].text == self.source[place + 2].text == ":":
                name = f"{name}::{self.source[place + 3].text}"
                place += 3
            arguments: tuple[str, ...] | None = None
            place += 1
            if place < end and self.source[place].text == "(":
                closing = self.matching(place)
                arguments = tuple(one.text for one in self.source[place + 1 : closing])
                place = closing + 1
            self.mark(name, arguments, token)

    def asm(self, token: Token) -> None:
        standalone = self.frames[-1].segment == self.kept
        while self.peek() not in ("(", "", ";"):
            self.at += 1
        label: tuple[str, ...] = ()
        if self.peek() == "(":
            end = self.matching(self.at)
            label = tuple(one.text for one in self.source[self.at + 1 : end])
            self.at = end + 1
        if not standalone:
            self.mark("asm", label, token)
            return
        if self.peek() == ";":
            self.at += 1
        if token.own:
            self.out.losses.append(Loss("asm", "declaration", "assembler code has no place in an API", token.location))

    def is_body(self) -> bool:
        previous = self.out.tokens[-1].text if self.out.tokens else ""
        segment = self.frames[-1].segment
        return previous == ")" and segment < self.kept and self.keyword_tag != self.kept

    def body(self, token: Token) -> None:
        self.out.bodies.add(self.frames[-1].segment)
        self.emit(token, ";")
        self.at = self.matching(self.at) + 1
        self.frames[-1].segment = self.frames[-1].declarator = self.kept
        self.keyword_tag = None

    def pragma(self, text: str, token: Token) -> None:
        match = re.match(r"#\s*pragma\s+pack\s*\(([^)]*)\)", text)
        if match is None:
            return
        words = [word.strip() for word in match[1].split(",") if word.strip()]
        number = int(words[-1]) if words and words[-1].isdigit() else None
        if number is None and words and words not in (["push"], ["pop"]) and words[0] != "pop":
            message = f"{text!r} has no number, and compilers differ on what a name means there; write the number"
            raise HeaderParseError(message, token.file, token.line)
        if words and words[0] == "push":
            self.pack.append(self.pack_now)
            self.pack_now = self.pack_now if number is None else number
        elif words and words[0] == "pop":
            self.pack_now = self.pack.pop() if self.pack else 0
        else:
            self.pack_now = number or 0
