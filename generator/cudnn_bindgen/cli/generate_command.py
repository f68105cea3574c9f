"""``cudnn-bindgen generate``: headers to a package of bindings that stands on its own."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cudnn_bindgen.cli.arguments import path
from cudnn_bindgen.errors import LossError
from cudnn_bindgen.files import check_place, replace_tree, write_file

if TYPE_CHECKING:
    from cudnn_bindgen.model import Api

__all__ = ["register"]


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "generate",
        help="turn headers into a package of bindings",
        description="Parse the headers of one or several versions and write a Python package that binds them and needs "
        "nothing but cffi. Versions of one major become one line, which serves a library of any of them. "
        "The package is replaced whole or left as it was.",
    )
    parser.add_argument(
        "sources", nargs="+", metavar="VERSION|PATH", help="a version such as 9.28, or a folder with headers"
    )
    parser.add_argument("--out", type=path, required=True, metavar="DIR", help="the folder to write the package into")
    parser.add_argument("--package", default="cudnn_ffi", metavar="NAME", help="the package's name (cudnn_ffi)")
    parser.add_argument("--embed-docs", action="store_true", help="put the headers' own text into the docstrings")
    parser.add_argument(
        "--templates", type=path, metavar="DIR", help="render these templates instead (templates/README.md)"
    )
    parser.add_argument("--strict", action="store_true", help="exit with status 1 when anything was left out")
    parser.add_argument("--loss-report", type=path, metavar="FILE", help="write what was left out, a line each")
    parser.add_argument("--no-format", action="store_true", help="do not format the Python files with ruff")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from cudnn_bindgen.generate import check_package_name, lines_of
    from cudnn_bindgen.headers import obtain
    from cudnn_bindgen.parse import parse
    from cudnn_bindgen.render import render

    check_package_name(options.package)
    check_place(options.loss_report)
    headers = [obtain(source) for source in options.sources]
    begun = time.perf_counter()
    apis = [parse(one, documentation=options.embed_docs) for one in headers]
    losses = [f"{api.version}: {loss}" for api in apis for loss in api.losses]
    if options.loss_report is not None:
        write_file(options.loss_report, "".join(f"{loss}\n" for loss in losses))
    if losses and options.strict:
        where = f"see {options.loss_report}" if options.loss_report else "they are:\n  " + "\n  ".join(losses)
        raise LossError(f"{len(losses)} things were left out of the model and --strict allows none; {where}")
    versions = " ".join(api.version for api in apis)
    files = render(
        lines_of(apis),
        package=options.package,
        command=f"cudnn-bindgen generate {versions}",
        templates=options.templates,
        formatted=not options.no_format,
    )
    folder = options.out / options.package
    replace_tree(folder, files)
    print(_report(folder, files, apis, len(losses), time.perf_counter() - begun))
    return 0


def _report(folder: Path, files: Mapping[str, str], apis: Sequence[Api], losses: int, took: float) -> str:
    lines = [f"{folder}: {len(files)} files in {took:.2f} s"]
    for api in apis:
        enumerators = sum(len(enum.enumerators) for enum in api.enums)
        lines.append(
            f"  cuDNN {api.version}: {len(api.functions)} functions, {len(api.enums)} enums with {enumerators} "
            f"enumerators, {len(api.records)} structs, {len(api.handles)} handles, {len(api.macros)} macros"
        )
    lines.append(f"  {losses} left out" + ("; --loss-report FILE lists them" if losses else ""))
    return "\n".join(lines)
