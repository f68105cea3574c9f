"""``cudnn-bindgen render``: the committed bindings again, from the history alone."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from cudnn_bindgen.cli.arguments import path
from cudnn_bindgen.errors import OutputError
from cudnn_bindgen.files import STAMP_FILE, replace_tree

__all__ = ["register"]

_PACKAGE = "cudnn_ffi"


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "render",
        help="write the bindings again from the history",
        description="Render the package cudnn_ffi, every line that the history has, without network or headers. The "
        "same history gives the same bytes.",
    )
    parser.add_argument("--history", type=path, metavar="FILE", help="the history; the committed one by default")
    parser.add_argument(
        "--out", type=path, metavar="DIR", help="the package's folder; the checkout's generated/cudnn_ffi by default"
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit with status 1 when the files there differ"
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from cudnn_bindgen.history import History
    from cudnn_bindgen.render import render
    from cudnn_bindgen.versions import Version

    folder = options.out or _own_folder()
    history = History.load(options.history)
    majors = sorted({Version(version).major for version in history.versions})
    files = render(
        [history.line(major) for major in majors],
        package=folder.name if folder.name.isidentifier() else _PACKAGE,
        command="cudnn-bindgen render",
    )
    if options.check:
        return _check(folder, files)
    replace_tree(folder, files)
    print(f"{folder}: {len(files)} files, cuDNN {' and '.join(map(str, majors))}")
    return 0


def _own_folder() -> Path:
    """``generated/cudnn_ffi`` of the checkout that this code runs from."""
    generated = Path(__file__).resolve().parents[3] / "generated"
    if not generated.is_dir():
        raise OutputError(
            "this cudnn-bindgen is installed outside a checkout; name the package's folder with --out, as in "
            f"--out generated/{_PACKAGE}"
        )
    return generated / _PACKAGE


def _check(folder: Path, files: Mapping[str, str]) -> int:
    there = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.name != STAMP_FILE
    }
    faults = [f"{name} is missing" for name in sorted(files.keys() - there)]
    faults += [f"{name} is not written by the generator" for name in sorted(there - files.keys())]
    faults += [
        f"{name} differs"
        for name in sorted(files.keys() & there)
        if (folder / name).read_bytes() != files[name].encode()
    ]
    for fault in faults:
        print(f"{folder / fault}", file=sys.stderr)
    if faults:
        print(f"{len(faults)} files are not what the generator writes; run: cudnn-bindgen render", file=sys.stderr)
        return 1
    print(f"{folder}: {len(files)} files are what the generator writes")
    return 0
