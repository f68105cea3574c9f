"""What the headers' doc comments say: directions of parameters, what replaces a deprecated name, the text itself.

A comment belongs to the declaration that follows it; one that begins with ``/**<`` (or ``///<``, ``/*!<``) to what it
follows. A comment that a directive such as ``#define`` follows belongs to no declaration.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import replace

from cudnn_bindgen.model import Deprecation, Direction
from cudnn_bindgen.preprocess import Comment, Source
from cudnn_bindgen.sanitize import Sanitized

__all__ = ["Docs"]

_PARAM = re.compile(r"[@\\]param\s*\[\s*([a-z, ]+?)\s*\]\s*([A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)")
_DEPRECATED = re.compile(r"[@\\]deprecated\b((?:(?![@\\][a-z]+\b).)*)", re.DOTALL)
_DIRECTIONS: dict[str, Direction] = {"in": "in", "out": "out", "in,out": "inout", "inout": "inout", "out,in": "inout"}


class Docs:
    """Comments of a header set, by the declaration they belong to."""

    def __init__(self, source: Source, sanitized: Sanitized, *, documentation: bool) -> None:
        self._positions = sanitized.positions
        self._texts = [token.text for token in sanitized.tokens]
        self._documentation = documentation
        self._before: dict[int, list[Comment]] = defaultdict(list)
        self._behind: dict[int, list[Comment]] = defaultdict(list)
        self.names: frozenset[str] = frozenset()  # of the API: what a deprecation may point to
        lines: dict[str, list[int]] = defaultdict(list)
        for file, line in sorted(source.directives):
            lines[file].append(line)
        for comment in source.comments:
            if re.match(r"/(?:\*[*!]|/[/!])<", comment.text):
                self._behind[comment.position].append(comment)
            elif not _followed_by_directive(comment, source, lines[comment.file]):
                self._before[comment.position].append(comment)

    def _comments(self, segment: int) -> list[Comment]:
        start = self._positions[segment - 1] + 1 if segment else 0
        found: list[Comment] = []
        for position in range(start, self._positions[segment] + 1):
            found.extend(self._before.get(position, ()))
        return found

    def _enumerator_comments(self, index: int) -> list[Comment]:
        found = self._comments(index)
        # Behind the enumerator: before or after the comma that ends it.
        end = index
        while self._texts[end] not in (",", "}"):
            end += 1
        following = self._positions[end]
        for position in range(self._positions[index] + 1, following + 2):
            found.extend(self._behind.get(position, ()))
        return found

    def directions(self, segment: int) -> dict[str, Direction]:
        """Direction by parameter name, as the comment before a declaration states it."""
        found: dict[str, Direction] = {}
        for comment in self._comments(segment):
            for match in _PARAM.finditer(comment.text):
                direction = _DIRECTIONS.get(match[1].replace(" ", ""))
                if direction is not None:
                    for name in re.split(r"\s*,\s*", match[2]):
                        found[name] = direction
        return found

    def with_replacement(self, deprecated: Deprecation | None, segment: int, name: str) -> Deprecation | None:
        """`deprecated` with the API name that the comment of `name` points to."""
        return self._replacement(deprecated, self._comments(segment), name)

    def enumerator_replacement(self, deprecated: Deprecation | None, index: int) -> Deprecation | None:
        return self._replacement(deprecated, self._enumerator_comments(index), self._texts[index])

    def _replacement(self, deprecated: Deprecation | None, comments: list[Comment], own: str) -> Deprecation | None:
        for comment in comments:
            match = _DEPRECATED.search(comment.text)
            if match is None:
                continue
            words = re.findall(r"[A-Za-z_]\w*", match[1])
            named = next((word for word in words if word in self.names and word != own), None)
            if deprecated is not None and named is not None:
                return replace(deprecated, replacement=named)
        return deprecated

    def text(self, segment: int) -> str | None:
        return self._clean(self._comments(segment)) if self._documentation else None

    def enumerator_text(self, index: int) -> str | None:
        return self._clean(self._enumerator_comments(index)) if self._documentation else None

    def _clean(self, comments: list[Comment]) -> str | None:
        chosen = [one for one in comments if re.match(r"/(?:\*[*!]|/[/!])", one.text)] or comments[-1:]
        text = "\n".join(_body(one.text) for one in chosen).strip()
        return text or None


def _followed_by_directive(comment: Comment, source: Source, lines: list[int]) -> bool:
    end = comment.line + comment.text.count("\n")
    if comment.position >= len(source.tokens):
        return True
    following = source.tokens[comment.position]
    if following.file != comment.file:
        return True
    place = bisect_left(lines, end)
    return place < len(lines) and lines[place] < following.line


def _body(text: str) -> str:
    if text.startswith("//"):
        return re.sub(r"^//[/!]?<?\s?", "", text)
    inner = re.sub(r"^/\*[*!]?<?|\*/$", "", text)
    return "\n".join(re.sub(r"^\s*\*? ?", "", line).rstrip() for line in inner.splitlines()).strip()
