"""Preprocessing: a header set becomes one stream of C tokens, each with its place, and the macros that it defined.

``pcpp`` does the work over this package's own stub headers, so neither a C compiler nor CUDA is needed.
"""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pcpp

from cudnn_bindgen.errors import DuplicateDefinitionError, HeaderNotFoundError, HeaderParseError
from cudnn_bindgen.header_text import read_header
from cudnn_bindgen.lexer import Lexer, UnterminatedError
from cudnn_bindgen.model import Location
from cudnn_bindgen.settings import cudnn_settings

__all__ = ["STUBS_VARIABLE", "Comment", "HeaderSource", "MacroDefinition", "Source", "Token", "preprocess"]

STUBS = Path(__file__).parent / "stubs"
STUBS_VARIABLE = "CUDNN_BINDGEN_STUBS"

_COMPILER = Path(__file__).parent / "data" / "compiler.h"

_DEEPEST = 200

# Directives that say nothing about an API; a number is a line marker.
_IGNORED = re.compile(r"warning|ident|sccs|line|assert|unassert|\d+")
_HAS_INCLUDE = ("__has_include", "__has_include_next")
_ONCE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+once\b", re.MULTILINE)


class HeaderSource(Protocol):
    """What `preprocess` needs to know of a header set."""

    @property
    def version(self) -> str: ...
    @property
    def folder(self) -> Path: ...
    @property
    def entry(self) -> tuple[str, ...]: ...


class Token(NamedTuple):
    """One token and where it stands; ``own`` is False for what comes from a stub header."""

    text: str
    file: str
    line: int
    own: bool = True

    @property
    def location(self) -> Location:
        return Location(self.file, self.line)


class Comment(NamedTuple):
    """A comment that stands before token number ``position`` of the stream."""

    text: str
    file: str
    line: int
    position: int


@dataclass(frozen=True, slots=True)
class MacroDefinition:
    """A macro that a header defines, as written. `parameters` is None for an object-like macro."""

    name: str
    body: str
    expansion: tuple[str, ...]
    parameters: tuple[str, ...] | None
    location: Location


@dataclass(frozen=True, slots=True)
class Source:
    """A preprocessed header set.

    Attributes
    ----------
    guards
        Names of macros that are include guards.
    """

    tokens: tuple[Token, ...]
    comments: tuple[Comment, ...]
    directives: frozenset[tuple[str, int]]
    headers: tuple[str, ...]
    macros: tuple[MacroDefinition, ...]
    guards: frozenset[str]


class _Preprocessor(pcpp.Preprocessor):  # type: ignore[misc]
    """pcpp with this project's search order, errors instead of prints, and a memory of what it met."""

    def __init__(self, folder: Path, stubs: Sequence[Path]) -> None:
        super().__init__(Lexer())
        self.rewrite_paths: list[tuple[str, str]] = []
        self.folder = folder
        self.stubs = stubs
        self.names: dict[str, str] = {}  # absolute path -> name as the user knows it
        self.external: set[str] = set()
        self.guard_names: set[str] = set()
        self.directive_lines: set[tuple[str, int]] = set()
        self.seen_else: list[bool] = []  # of each open #if
        self.contents: dict[str, str] = {}

    def name_of(self, path: str) -> str:
        return self.names.get(path, path)

    # --- pcpp's hooks ---

    def on_error(self, file: str, line: int, msg: str) -> None:
        message = " ".join(msg.split())
        condition = re.search(r"\(passed to evaluator: '(.*)'\)", message)
        if condition:
            message = f"the condition '{condition[1]}' cannot be evaluated"
        raise HeaderParseError(message[:1].lower() + message[1:] + "; correct it", self.name_of(file), line)

    def on_include_not_found(self, malformed: bool, system: bool, curdir: str, path: str) -> str:  # noqa: ARG002
        directive = self.lastdirective
        if directive is None or directive.source not in self.names:
            raise HeaderNotFoundError(f"{self.folder / path} does not exist; name a folder that holds {path}")
        if malformed:
            raise HeaderParseError(f"malformed #include: {path}", self.name_of(directive.source), directive.lineno)
        raise HeaderParseError(
            f"#include of {path!r}, which is neither in {self.folder} nor among the stub headers; "
            f"put a header of that name into a folder named by {STUBS_VARIABLE}",
            self.name_of(directive.source),
            directive.lineno,
        )

    def on_directive_handle(self, directive: Any, toks: Any, ifpassthru: Any, precedingtoks: Any) -> Any:
        if directive.source in self.names:
            self.directive_lines.add((directive.source, directive.lineno))
        self.nest(directive)
        # A comment behind a definition must not travel to wherever the macro is used.
        toks[:] = self.tokenstrip([token for token in toks if token.type not in self.t_COMMENT])
        return super().on_directive_handle(directive, toks, ifpassthru, precedingtoks)

    def on_directive_unknown(self, directive: Any, toks: Any, ifpassthru: Any, precedingtoks: Any) -> Any:  # noqa: ARG002
        if directive.value == "error":
            text = "".join(token.value for token in toks)
            raise HeaderParseError(
                f"the header refuses: #error {text}; check that all headers are of one version",
                self.name_of(directive.source),
                directive.lineno,
            )
        if directive.value == "pragma":
            return None
        if not _IGNORED.fullmatch(directive.value):
            raise HeaderParseError(
                f"#{directive.value} is no directive of C; correct it", self.name_of(directive.source), directive.lineno
            )
        return True

    def nest(self, directive: Any) -> None:
        """Refuse what pcpp would take in the order it comes: a branch behind ``#else``."""
        if directive.value in ("if", "ifdef", "ifndef"):
            self.seen_else.append(False)
        elif directive.value in ("else", "elif") and self.seen_else:
            if self.seen_else[-1]:
                message = f"#{directive.value} stands behind #else; correct it"
                raise HeaderParseError(message, self.name_of(directive.source), directive.lineno)
            self.seen_else[-1] = directive.value == "else"
        elif directive.value == "endif" and self.seen_else:
            self.seen_else.pop()

    def on_unknown_macro_in_defined_expr(self, tok: Any) -> bool:
        return tok.value in _HAS_INCLUDE

    def on_unknown_macro_function_in_expr(self, name: str) -> Callable[[Any], int]:
        if name.startswith("__has_"):  # another compiler's question
            return lambda _: 0
        raise KeyError(name)  # pcpp tells that the condition cannot be evaluated

    def evalexpr(self, tokens: Any) -> Any:
        return super().evalexpr(self.answered(tokens))

    def answered(self, tokens: list[Any]) -> list[Any]:
        """A condition with ``__has_include(...)`` replaced by its answer."""
        tokens = list(tokens)
        for at in range(len(tokens) - 1, -1, -1):
            if tokens[at].value not in _HAS_INCLUDE:
                continue
            size, arguments, _ = self.collect_args(tokens[at + 1 :], True)
            name = "".join(token.value for token in arguments[0]).strip() if arguments else ""
            if name[:1] not in ("<", '"') and name:
                name = "".join(token.value for token in self.expand_macros(list(arguments[0]))).strip()
            if size and name:
                answer = copy.copy(tokens[at])
                answer.type, answer.value = self.t_INTEGER, str(int(self.findable(name[1:-1], name[0] == '"')))
                tokens[at : at + 1 + size] = [answer]
        return tokens

    def findable(self, name: str, quoted: bool) -> bool:
        folders = [*(Path(folder) for folder in self.temp_path if quoted), self.folder, *self.stubs]
        return any((folder / name).is_file() for folder in folders)

    def on_potential_include_guard(self, macro: str | None) -> None:
        if macro:
            self.guard_names.add(macro)

    def on_comment(self, tok: Any) -> bool:  # noqa: ARG002
        return True

    # --- search order: stubs by name, then the header's own folder ---

    def include(self, tokens: Any, original_line: Any) -> Any:  # noqa: ARG002
        text = "".join(token.value for token in tokens).strip()
        match = re.match(r'<([^>]+)>|"([^"]+)"', text)
        if match is None:
            raise IndexError
        name = match[1] or match[2]
        stubs = [folder / name for folder in self.stubs if (folder / name).is_file()]
        if stubs:
            for stub in stubs:
                yield from self._read(stub, name, external=True)
            return
        folders = [*(Path(folder) for folder in self.temp_path if match[2]), self.folder]
        for folder in folders:
            if (folder / name).is_file():
                yield from self._read(folder / name, name, external=False)
                return
        self.on_include_not_found(False, bool(match[1]), "", name)

    def _read(self, path: Path, name: str, *, external: bool) -> Any:
        absolute = str(path.absolute())
        if absolute in self.include_once:
            return
        text = read_header(path)
        if external:
            self.external.add(absolute)
        elif self.contents.setdefault(text, absolute) != absolute and (not self.temp_path or _ONCE.search(text)):
            # Headers come with copies of themselves under other names; a copy adds nothing. A list that is included
            # again and again, each time for other macros, is no such copy.
            return
        self.names[absolute] = name = path.name
        self.temp_path.insert(0, str(path.parent.absolute()))
        if len(self.temp_path) > _DEEPEST:
            raise HeaderParseError("includes itself without end; give it an include guard", name, 1)
        try:
            yield from self.parsegen(text, name, absolute)
        except UnterminatedError as error:
            raise HeaderParseError("the comment that begins here never ends; close it", name, error.line) from error
        except (IndexError, AssertionError) as error:  # how pcpp meets a directive that lacks its operand
            directive = self.lastdirective
            raise HeaderParseError(
                f"#{directive.value} lacks what must follow it; complete the directive", name, directive.lineno
            ) from error
        del self.temp_path[0]

    def define(self, tokens: Any) -> None:
        before = None
        if not isinstance(tokens, str) and tokens:
            name = tokens[0]
            if name.type != self.t_ID or name.value == "defined":
                message = f"{name.value} is no name for a macro; choose another"
                raise HeaderParseError(message, self.name_of(name.source), name.lineno)
            before = self.macros.get(name.value)
        super().define(tokens)
        if before is None or before.source not in self.names or before.source in self.external:
            return
        after = self.macros[before.name]
        if (before.arglist, _text(before.value)) != (after.arglist, _text(after.value)):
            raise DuplicateDefinitionError(
                f"macro {before.name} is defined again with other contents; the first definition is at "
                f"{self.name_of(before.source)}:{before.lineno}",
                self.name_of(after.source),
                after.lineno,
            )


def _text(tokens: Sequence[Any]) -> str:
    return re.sub(r"\s+", " ", "".join(" " if "COMMENT" in token.type else token.value for token in tokens)).strip()


def _stub_folders() -> list[Path]:
    return [STUBS, *(Path(part) for part in os.environ.get(STUBS_VARIABLE, "").split(os.pathsep) if part)]


def preprocess(headers: HeaderSource) -> Source:
    """Preprocess every entry header of `headers` over the stub headers.

    Raises
    ------
    HeaderNotFoundError
        The folder or an entry header is missing.
    HeaderParseError
        An ``#include`` finds nothing, ``#error``, or a malformed directive.
    DuplicateDefinitionError
        A macro is defined twice with different contents.
    """
    if not headers.folder.is_dir():
        raise HeaderNotFoundError(f"{headers.folder} is no folder; name the folder that holds the headers")
    worker = _Preprocessor(headers.folder, _stub_folders())
    predefined = re.findall(r"^#define (.*)", _COMPILER.read_text(encoding="utf-8"), re.MULTILINE)
    for definition in (*predefined, *cudnn_settings().defines):
        worker.define(definition)
    given = set(worker.macros)
    worker.parse("".join(f'#include "{name}"\n' for name in headers.entry), None)
    tokens, comments = _collect(worker)
    return Source(
        tokens=tuple(tokens),
        comments=tuple(comments),
        directives=frozenset((worker.name_of(path), line) for path, line in worker.directive_lines),
        headers=tuple(name for path, name in worker.names.items() if path not in worker.external),
        macros=tuple(_macros(worker, given)),
        guards=frozenset(worker.guard_names),
    )


def _collect(worker: _Preprocessor) -> tuple[list[Token], list[Comment]]:
    tokens: list[Token] = []
    comments: list[Comment] = []
    names, external = worker.names, worker.external
    take: Callable[[], Any] = worker.token
    pragma: list[Any] | None = None
    while (token := take()) is not None:
        kind = token.type
        if pragma is not None:
            if token.value == "\n":
                text, place = "#" + _text(pragma[1:]), pragma[0]
                if not text.startswith("#pragma"):
                    message = "'#' stands where no directive can; remove it"
                    raise HeaderParseError(message, names[place.source], place.lineno)
                tokens.append(Token(text, names[place.source], place.lineno, place.source not in external))
                pragma = None
            else:
                pragma.append(token)
        elif kind == "CPP_WS":
            continue
        elif kind == "CPP_COMMENT1" or kind == "CPP_COMMENT2":
            comments.append(Comment(token.value, names[token.source], token.lineno, len(tokens)))
        elif kind == "CPP_POUND":
            pragma = [token]
        else:
            source = token.source
            tokens.append(Token(token.value, names[source], token.lineno, source not in external))
    return tokens, comments


def _macros(worker: _Preprocessor, given: set[str]) -> list[MacroDefinition]:
    found = []
    # What depends on the place or the time of its use has no value of its own.
    worker.expand_linemacro = worker.expand_countermacro = False
    for name in ("__FILE__", "__DATE__", "__TIME__"):
        if name in worker.macros and worker.macros[name].source not in worker.names:
            del worker.macros[name]
    for macro in list(worker.macros.values()):
        if macro.source not in worker.names or macro.source in worker.external or macro.name in given:
            continue
        body = [token for token in macro.value if "COMMENT" not in token.type]
        expansion: tuple[str, ...] = ()
        if macro.arglist is None and body:
            expanded = worker.expand_macros([copy.copy(token) for token in body])
            expansion = tuple(token.value for token in expanded if token.type not in worker.t_WS)
        found.append(
            MacroDefinition(
                name=macro.name,
                body=_text(body),
                expansion=expansion,
                parameters=None if macro.arglist is None else tuple(macro.arglist),
                location=Location(worker.name_of(macro.source), macro.lineno),
            )
        )
    return found
