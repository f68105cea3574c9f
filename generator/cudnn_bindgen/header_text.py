"""The text of one header file, with the lines that an editor shows and the directives that ``pcpp`` knows."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from cudnn_bindgen.errors import HeaderNotFoundError, HeaderParseError

__all__ = ["read_header"]

# pcpp splits lines at each of these, an editor does not: a form feed would put every line number off. A compiler
# ignores NUL.
_ODD_LINE_ENDS = re.compile("[\0\v\f\x1c\x1d\x1e\x85\u2028\u2029]")

# Spellings that pcpp does not know and would skip: C23's; and the next header of a name, which is the stub.
_ELIFDEF = re.compile(r"^([ \t]*#[ \t]*)elif(n?)def\b[ \t]*(\w+)", re.MULTILINE)
_INCLUDE_NEXT = re.compile(r"^([ \t]*#[ \t]*include)_next\b", re.MULTILINE)


def read_header(path: Path) -> str:
    """Read a header in UTF-8, with or without a byte order mark; what is none is taken for Latin-1.

    Raises
    ------
    HeaderNotFoundError
        It cannot be read.
    HeaderParseError
        It is UTF-16, which C compilers refuse as well.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise HeaderNotFoundError(f"cannot read {path}: {error.strerror}; check its permissions") from error
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise HeaderParseError("the file is UTF-16, which is no C; save it as UTF-8", path.name, 1)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    text = _ODD_LINE_ENDS.sub(" ", text)
    return _INCLUDE_NEXT.sub(r"\1", _ELIFDEF.sub(_elif_defined, text))


def _elif_defined(match: re.Match[str]) -> str:
    return f"{match[1]}elif {'!' if match[2] else ''}defined({match[3]})"
