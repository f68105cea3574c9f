"""Docstrings of wrappers, composed from what is known of the function; none of the headers' own sentences.

Only where a function carries its headers' documentation (``--embed-docs``) is that text repeated.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence

from cudnn_bindgen.facts import FunctionFacts
from cudnn_bindgen.line import Line, Span
from cudnn_bindgen.model import Function
from cudnn_bindgen.pieces import Output, Piece

__all__ = ["WIDTH", "availability", "clean_documentation", "wrapper_docstring"]

# Of the whole line in the rendered file; a method's docstring is indented by eight.
WIDTH = 120
_INDENT = 8

# What a function of each family does: with the handle type it works on, or with its operation.
_WITH_HANDLE = {
    "create": "Create a",
    "destroy": "Destroy a",
    "set": "Set up a",
    "get": "Read a",
    "backend": "Backend API, of a",
    "workspace_size": "Ask how many bytes are needed, for a",
}
_WITHOUT_HANDLE = {
    "find": "Measure the algorithms{of}, in memory that the library allocates",
    "find_ex": "Measure the algorithms{of}, in the caller's memory",
    "get_v7": "List the algorithms{of} in the order that the heuristic prefers",
    "get_algorithm": "Ask the heuristic for one algorithm{of}",
    "max_count": "Count the algorithms{of} that there can be",
    "workspace_size": "Ask how many bytes are needed{of}",
    "fused": "Run a fused operation{of}",
    "forward": "Compute{of}",
    "backward": "Compute gradients{of}",
}


def _summary(facts: FunctionFacts) -> str:
    if facts.handle and facts.family in _WITH_HANDLE:
        return f"{_WITH_HANDLE[facts.family]} ``{facts.handle}``: ``{facts.name}``."
    if facts.family in _WITHOUT_HANDLE:
        words = [word.replace("_", " ") for word in (facts.operation, facts.passes) if word]
        of = f" ({', '.join(words)})" if words else ""
        return f"{_WITHOUT_HANDLE[facts.family].format(of=of)}: ``{facts.name}``."
    return f"Call ``{facts.name}``."


def availability(line: Line, name: str) -> str:
    """In which versions of the line a name is there; empty when in all of them."""
    spans: Sequence[Span] = line.spans.get(name, ())
    if not spans or spans == ((line.versions[0], None),):
        return ""
    return "; ".join(_span(line, first, last) for first, last in spans)


def _span(line: Line, first: str, last: str | None) -> str:
    if last is None:
        return f"since {first}"
    if first == line.versions[0]:
        return f"until {last}"
    return f"from {first} to {last}"


def clean_documentation(text: str) -> list[str]:
    """The lines of a C comment without its marks, as they may stand in a docstring."""
    body = re.sub(r"^\s*/\*[*!]?<?|\*/\s*$", "", text.strip())
    lines = [re.sub(r"^\s*(\*|///?)? ?", "", line).rstrip() for line in body.splitlines()]
    plain = [line.replace("\\", "\\\\").replace('"""', "'''") for line in lines]
    while plain and not plain[0]:
        plain.pop(0)
    while plain and not plain[-1]:
        plain.pop()
    return plain


def _wrapped(text: str, indent: int = 0, width: int = WIDTH - _INDENT) -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=" " * indent,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _parameters(pieces: Iterable[Piece]) -> list[str]:
    lines: list[str] = []
    listed = [piece for piece in pieces if piece.argument is not None]
    for piece in sorted(listed, key=lambda one: one.argument is not None and one.argument.default is not None):
        assert piece.argument is not None
        name, annotation, default = piece.argument.name, piece.argument.annotation, piece.argument.default
        lines.append(f"{name} : {annotation}" + (f", default {default}" if default is not None else ""))
        words = [f"``{piece.parameter}``", piece.facts.direction, *([piece.note] if piece.note else [])]
        lines += _wrapped(", ".join(words) + ".", 4)
    return ["", "Parameters", "----------", *lines] if lines else []


def _returns(outputs: Sequence[Output], notes: dict[str, str], result: str, answer: Output | None) -> list[str]:
    head = ["", "Returns", "-------"]
    if not outputs:
        return [*head, answer.annotation] if answer is not None else []
    if len(outputs) == 1:
        note = notes.get(outputs[0].name, "")
        return [*head, outputs[0].annotation, *_wrapped(f"`{outputs[0].name}`" + (f", {note}." if note else "."), 4)]
    lines: list[str] = []
    for output in outputs:
        note = notes.get(output.name, "")
        lines += _wrapped(f"{output.field} : {output.annotation}" + (f", {note}" if note else ""), 4)
    return [*head, result, *lines]


def wrapper_docstring(
    line: Line,
    function: Function,
    facts: FunctionFacts,
    pieces: Sequence[Piece],
    outputs: Sequence[Output],
    result: str,
    answer: Output | None,
    checks: bool,
) -> tuple[str, ...]:
    """The lines of a wrapper's docstring, without quotes and indentation.

    Parameters
    ----------
    outputs
        What is returned.
    result
        The annotation of what is returned where there are several outputs.
    answer
        The C function's own value where it is no status and not void.
    checks
        The function returns a status.
    """
    notes = {one.output.name: one.note for one in pieces if one.output is not None}
    # The quotes stand before and, where nothing else follows, behind it.
    lines = _wrapped(_summary(facts), width=WIDTH - _INDENT - 6)
    there = availability(line, function.name)
    remarks = [f"{there[0].upper()}{there[1:]}."] if there else []
    if function.deprecated is not None:
        instead = function.deprecated.replacement
        remarks.append("Deprecated" + (f": use ``{instead}`` instead." if instead else "."))
    if remarks:
        lines += ["", *_wrapped(" ".join(remarks))]
    if function.documentation:
        lines += ["", *clean_documentation(function.documentation)]
    lines += _parameters(pieces)
    lines += _returns(outputs, notes, result, answer)
    if checks:
        lines += ["", "Raises", "------", "StatusError", "    The library answers anything but success."]
    return tuple(lines)
