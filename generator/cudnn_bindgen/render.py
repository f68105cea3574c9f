"""Lines through templates to files: the whole generated package, or whatever a user's own templates make."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cudnn_bindgen.arguments import expect
from cudnn_bindgen.cdef import cffi_module
from cudnn_bindgen.conventions import conventions
from cudnn_bindgen.docstrings import clean_documentation
from cudnn_bindgen.errors import TemplateRenderError
from cudnn_bindgen.formatting import format_files
from cudnn_bindgen.inference import function_facts
from cudnn_bindgen.line import Line
from cudnn_bindgen.line_view import LineView, view

if TYPE_CHECKING:
    import jinja2

__all__ = ["render", "template_folder"]

# Template -> the file that it makes, once for the package and once for each line.
_PACKAGE_FILES = {"package.py.j2": "__init__.py"}
_LINE_FILES = {
    "line.py.j2": "__init__.py",
    "cffi.pyi.j2": "_cffi.pyi",
    "constants.py.j2": "constants.py",
    "descriptors.py.j2": "descriptors.py",
    "enums.py.j2": "enums.py",
    "errors.py.j2": "errors.py",
    "functions_package.py.j2": "functions/__init__.py",
    "library.py.j2": "library.py",
    "results_package.py.j2": "results/__init__.py",
    "structs.py.j2": "structs.py",
    "tables.py.j2": "tables.py",
}
# In a user's template folder, a path with this in it is rendered once for each line.
_EACH_LINE = "__line__"


def template_folder() -> Path:
    """The generator's own templates: inside the installed package, or beside the sources in a checkout.

    Raises
    ------
    TemplateRenderError
        They are in neither place.
    """
    here = Path(__file__).resolve().parent
    for folder in (here / "templates", here.parents[1] / "templates"):
        if (folder / "package.py.j2").is_file():
            return folder
    raise TemplateRenderError(f"the templates are not at {here / 'templates'}; install cudnnkit again")


def render(
    lines: Sequence[Line],
    *,
    package: str = "cudnn_ffi",
    command: str,
    templates: Path | str | None = None,
    formatted: bool = True,
) -> dict[str, str]:
    """Render lines to files.

    Parameters
    ----------
    lines
        The lines that the package holds.
    package
        Its name.
    command
        What the stamp at the top of each file names.
    templates
        A folder of the user's own templates to render instead (``templates/README.md``).
    formatted
        Format Python files with ruff.

    Returns
    -------
    dict[str, str]
        Path inside the package's folder to text, sorted by path.

    Raises
    ------
    TemplateRenderError
        A template is broken; the message has its name and line.
    ArgumentTypeError
        One of `lines` is no line, but a version's name, say.
    """
    for line in lines:
        expect(Line, line)
    rules = conventions()
    views = [view(line, function_facts(line.api), rules) for line in sorted(lines, key=lambda line: line.major)]
    shared = {"lines": views, "package": package, "command": command, "stamp": _stamp(command, views)}
    files = dict(_own(views, shared) if templates is None else _users(Path(templates), views, shared))
    if templates is None:
        for line in lines:
            name = f"v{line.major}/_cffi.py"
            files[name] = _data_stamp(command, line) + cffi_module(line, f"{package}.v{line.major}._cffi")
    ordered = dict(sorted(files.items()))
    return format_files(ordered) if formatted else ordered


def _stamp(command: str, views: Sequence[LineView]) -> str:
    # Which versions, the tables say: a stamp with the newest one would change every file whenever a version is added.
    lines = " and ".join(str(one.major) for one in views)
    return f"# Written by `{command}` from the headers of cuDNN {lines}; do not edit."


def _data_stamp(command: str, line: Line) -> str:
    return (
        f"# Written by `{command}`; do not edit. cuDNN {line.major}, compiled for cffi: data, not code.\n"
        "# fmt: off\n# ruff: noqa\n# mypy: ignore-errors\n# pyright: basic\n"
    )


# --- templates ------------------------------------------------------------------------------------------------------


def _environment(folder: Path) -> jinja2.Environment:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters["docstring"] = _docstring
    environment.filters["documentation"] = clean_documentation
    environment.filters["literal"] = repr
    environment.filters["parts"] = lambda version: repr(tuple(int(part) for part in version.split(".")))
    environment.tests["untyped"] = lambda value: bool(re.fullmatch(r"\w+(\[0\])?|self\._ffi\..*", value))
    return environment


def _docstring(lines: Sequence[str], indent: int) -> str:
    """Lines as the inside of a docstring: the first beside the quotes, the rest indented, the end on its own line."""
    space = " " * indent
    body = "\n".join([lines[0], *(f"{space}{line}" if line else "" for line in lines[1:])])
    return body if len(lines) == 1 else f"{body}\n{space}"


def _print(environment: jinja2.Environment, folder: Path, name: str, context: Mapping[str, Any]) -> str:
    import jinja2

    try:
        return environment.get_template(name).render(context)
    except jinja2.TemplateSyntaxError as error:
        raise TemplateRenderError(
            f"{folder / (error.name or name)}:{error.lineno}: {error.message}; correct the template"
        ) from error
    except Exception as error:
        where, line = _place(error, folder, name)
        reason = f"{error}" if isinstance(error, jinja2.TemplateError) else f"{type(error).__name__}: {error}"
        if isinstance(error, jinja2.TemplateNotFound):
            reason = f"there is no template {error.name}"
        raise TemplateRenderError(f"{where}:{line}: {reason}; correct the template") from error


def _place(error: BaseException, folder: Path, name: str) -> tuple[str, int]:
    """The innermost line of a template that an error went through: jinja2 rewrites tracebacks to template lines."""
    place = (str(folder / name), 0)
    trace = error.__traceback__
    while trace is not None:
        filename = trace.tb_frame.f_code.co_filename
        if filename.startswith(str(folder)):
            place = (filename, trace.tb_lineno)
        trace = trace.tb_next
    return place


def _own(views: Sequence[LineView], shared: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    folder = template_folder()
    environment = _environment(folder)
    for template, name in _PACKAGE_FILES.items():
        yield name, _print(environment, folder, template, shared)
    yield "py.typed", ""
    for path in sorted((folder / "support").glob("*.py")):
        yield f"_support/{path.name}", f"{shared['stamp']}\n{path.read_text(encoding='utf-8')}"
    for line in views:
        home, stamp = f"v{line.major}", _stamp(shared["command"], [line])
        context = {**shared, "line": line, "stamp": stamp}
        for template, name in _LINE_FILES.items():
            yield f"{home}/{name}", _print(environment, folder, template, context)
        for module in line.modules:
            inside = {**context, "module": module}
            yield f"{home}/functions/{module.name}.py", _print(environment, folder, "functions.py.j2", inside)
            if module.results:
                yield f"{home}/results/{module.name}.py", _print(environment, folder, "results.py.j2", inside)


def _users(folder: Path, views: Sequence[LineView], shared: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    folder = folder.resolve()
    paths = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.j2")) if folder.is_dir() else []
    wanted = [path for path in paths if not path.rsplit("/", 1)[-1].startswith("_")]
    if not wanted:
        raise TemplateRenderError(f"{folder} holds no template; give a folder with files named like NAME.j2")
    environment = _environment(folder)
    for path in wanted:
        name = path.removesuffix(".j2")
        if _EACH_LINE in name:
            for line in views:
                context = {**shared, "line": line, "stamp": _stamp(shared["command"], [line])}
                yield name.replace(_EACH_LINE, f"v{line.major}"), _print(environment, folder, path, context)
        else:
            yield name, _print(environment, folder, path, shared)
