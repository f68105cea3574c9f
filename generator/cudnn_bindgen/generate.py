"""From parsed versions to lines, with or without the headers' own documentation."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from cudnn_bindgen.errors import OutputError
from cudnn_bindgen.history import History
from cudnn_bindgen.line import Line
from cudnn_bindgen.model import Api, Enum, Function, Record
from cudnn_bindgen.versions import Version

__all__ = ["check_package_name", "lines_of"]

_Documented = TypeVar("_Documented", Function, Enum, Record)


def lines_of(apis: Iterable[Api]) -> list[Line]:
    """The lines that these versions make, one for each major, ascending.

    Documentation that the models carry is kept, the newest version's first.
    """
    ordered = sorted(apis, key=lambda api: Version(api.version))
    history = History()
    for api in ordered:
        history.add(api)
    majors = sorted({Version(api.version).major for api in ordered})
    return [
        _documented(history.line(major), [api for api in ordered if Version(api.version).major == major])
        for major in majors
    ]


def _documented(line: Line, apis: Sequence[Api]) -> Line:
    """The line with the documentation that the history does not keep."""
    texts: dict[str, str] = {}
    for api in apis:
        documented: list[Function | Enum | Record] = [*api.functions, *api.enums, *api.records]
        texts.update({one.name: one.documentation for one in documented if one.documentation})

    def with_text(ones: tuple[_Documented, ...]) -> tuple[_Documented, ...]:
        return tuple(replace(one, documentation=texts.get(one.name)) for one in ones)

    if not texts:
        return line
    api = line.api
    return replace(
        line,
        api=replace(
            api, functions=with_text(api.functions), enums=with_text(api.enums), records=with_text(api.records)
        ),
    )


def check_package_name(name: str) -> None:
    """See that a package can be imported by `name`.

    Raises
    ------
    OutputError
        It cannot.
    """
    if not name.isidentifier() or keyword.iskeyword(name):
        raise OutputError(f"{name!r} cannot be imported as a package; give --package a name like cudnn_ffi")
