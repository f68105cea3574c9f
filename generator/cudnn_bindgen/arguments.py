"""Arguments of the public functions that are of another kind: one sentence instead of a failure further in."""

from __future__ import annotations

from cudnn_bindgen.errors import ArgumentTypeError
from cudnn_bindgen.line import Line
from cudnn_bindgen.model import Api

__all__ = ["expect"]

_ANSWERED_BY = {Api: "parse(...) or History.load().api(...)", Line: "History.load().line(...)"}


def expect(kind: type[Api | Line], value: object) -> None:
    """See that `value` is of `kind`, and not a version's name, say.

    Raises
    ------
    ArgumentTypeError
        It is something else.
    """
    if not isinstance(value, kind):
        shown = repr(value)
        shown = shown if len(shown) <= 60 else shown[:57] + "..."
        raise ArgumentTypeError(f"{shown} is no {kind.__name__}; give what {_ANSWERED_BY[kind]} answers")
