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
from cudnn_bindgen.lexer import Lexer, UnterminatedError
from cudnn_bindgen.model import Location
from cudnn_bindgen.settings import cudnn_settings

__all__ = ["STUBS_VARIABLE", "Comment", "HeaderSource", "MacroDefinition", "Source", "Token", "preprocess"]

STUBS = Path(__file__).parent / "stubs"
STUBS_VARIABLE = "CUDNN_BINDGEN_STUBS"

# What a C compiler on 64-bit Linux would define; headers ask for these before they use attributes.
_PREDEFINED = (
    "__STDC__ 1",
    "__STDC_VERSION__ 201112L",
    "__GNUC__ 4",
    "__GNUC_MINOR__ 2",
    "__linux__ 1",
    "__LP64__ 1",
    "__CHAR_BIT__ 8",
    "__has_attribute(x) 1",
)

# pcpp splits lines at each of these, an editor does not: a form feed would put every line number off.
_ODD_LINE_ENDS = re.compile("[\v\f\x1c\x1d\x1e\x85\u2028\u2029]")

# C23's spelling, which pcpp does not know and would skip.
_ELIFDEF = re.compile(r"^([ \t]*#[ \t]*)elif(n?)def\b[ \t]*(\w+)", re.MULTILINE)
_DEEPEST = 200


def _elif_defined(match: re.Match[str]) -> str:
    return f"{match[1]}elif {'!' if match[2] else ''}defined({match[3]})"


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
        self.contents: dict[bytes, str] = {}

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
        return True

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
        try:
            data = path.read_bytes()
        except OSError as error:
            raise HeaderNotFoundError(f"cannot read {path}: {error.strerror}; check its permissions") from error
        if not external:
            # Headers come with copies of themselves under other names; a copy adds nothing.
            if self.contents.setdefault(data, absolute) != absolute:
                return
        else:
            self.external.add(absolute)
        self.names[absolute] = name = path.name
        text = _ODD_LINE_ENDS.sub(" ", data.decode("utf-8-sig", "replace"))
        self.temp_path.insert(0, str(path.parent.absolute()))
        if len(self.temp_path) > _DEEPEST:
            raise HeaderParseError("includes itself without end; give it an include guard", name, 1)
        try:
            yield from self.parsegen(_ELIFDEF.sub(_elif_defined, text), name, absolute)
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
            before = self.macros.get(tokens[0].value)
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
    for definition in (*_PREDEFINED, *cudnn_settings().defines):
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
        elif kind == "CPP_WS" or kind == "CPP_LINECONT":
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
