"""The whole way from a header set to the model."""

from __future__ import annotations

from cudnn_bindgen.assemble import assemble
from cudnn_bindgen.build import Builder
from cudnn_bindgen.docs import Docs
from cudnn_bindgen.errors import ArgumentTypeError, HeaderParseError
from cudnn_bindgen.macros import read_macros
from cudnn_bindgen.model import Api
from cudnn_bindgen.preprocess import HeaderSource, preprocess
from cudnn_bindgen.sanitize import sanitize
from cudnn_bindgen.syntax import parse_tokens

__all__ = ["parse"]


def parse(headers: HeaderSource, *, documentation: bool = False) -> Api:
    """Read every declaration of a header set.

    Parameters
    ----------
    headers
        Version, folder and entry headers (`cudnn_bindgen.headers`).
    documentation
        Keep the headers' own comments in the model.

    Raises
    ------
    HeaderNotFoundError
        The folder or a header is missing.
    ArgumentTypeError
        `headers` is no header set, but a version's name, say.
    HeaderParseError
        A header does not preprocess or parse; also its subclasses `DuplicateDefinitionError` and `EvaluationError`.
    """
    if not hasattr(headers, "entry"):
        raise ArgumentTypeError(f"{headers!r} is no header set; give what obtain(...) answers")
    try:
        return _parse(headers, documentation)
    except RecursionError:
        first = headers.entry[0] if headers.entry else ""
        raise HeaderParseError("something in it is nested too deeply to be read", first, 0) from None


def _parse(headers: HeaderSource, documentation: bool) -> Api:
    source = preprocess(headers)
    sanitized = sanitize(source.tokens)
    docs = Docs(source, sanitized, documentation=documentation)
    builder = Builder(sanitized, docs)
    builder.run(parse_tokens(sanitized.tokens))
    macros, losses = read_macros(source, builder.scope, builder.types.evaluate)
    return assemble(headers.version, source, builder, macros, losses)
