"""``cudnn-bindgen verify``: let a C compiler check the model against the real headers."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from cudnn_bindgen.cli.arguments import path

if TYPE_CHECKING:
    from cudnn_bindgen.headers import HeaderSet
    from cudnn_bindgen.history import History
    from cudnn_bindgen.model import Api
    from cudnn_bindgen.verify import Report

__all__ = ["register"]


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "verify",
        help="let a C compiler check the model against the real headers",
        description="Compile a C file that asserts every constant, size, offset, signature, handle, callback, typedef "
        "and macro against the real headers. Needs a C compiler (CC, cc, gcc or clang), not CUDA.",
    )
    parser.add_argument("what", nargs="*", metavar="VERSION|PATH", help="9.28.1, or a folder with headers")
    parser.add_argument("--all", action="store_true", dest="everything", help="every version of the history")
    parser.add_argument(
        "--from-history", action="store_true", help="check what the history says of the version, instead of parsing"
    )
    parser.add_argument("--history", type=path, metavar="FILE", help="another history file")
    parser.add_argument("--cuda-include", type=path, metavar="DIR", help="a real CUDA include folder, instead of stubs")
    parser.add_argument("--keep", type=path, metavar="FILE", help="write the C file here")
    parser.add_argument("--offline", action="store_true", help="use only cached headers")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_run, parser=parser)


def _run(options: argparse.Namespace) -> int:
    from cudnn_bindgen.errors import VerificationError
    from cudnn_bindgen.headers import obtain
    from cudnn_bindgen.verify import verify

    if not (options.what or options.everything):
        options.parser.error("name a version or a folder, or give --all")
    if options.cuda_include and not options.cuda_include.is_dir():
        options.parser.error(f"--cuda-include {options.cuda_include} is no folder")
    history = _history(options)
    wanted = list(dict.fromkeys([*options.what, *(history.versions if history and options.everything else ())]))
    if options.keep and len(wanted) > 1:
        options.parser.error("--keep writes one file; name one version")
    reports, failures = [], []
    for text in wanted:
        headers = obtain(text, offline=options.offline)
        api = _api(headers, history if options.from_history else None)
        try:
            report = verify(headers, api, cuda_include=options.cuda_include, keep=options.keep)
        except VerificationError as error:
            if len(wanted) == 1:
                raise
            failures.append(str(error))
            continue
        reports.append(report)
        if not options.json:
            print(report, flush=True)
            for one in report.unchecked:
                print(f"  not checked: {one}")
    if options.json:
        print(json.dumps([_row(report) for report in reports], indent=1))
    if failures:
        raise VerificationError(f"{len(failures)} of {len(wanted)} versions disagree: " + " | ".join(failures))
    return 0


def _history(options: argparse.Namespace) -> History | None:
    if not (options.from_history or options.everything):
        return None
    from cudnn_bindgen.history import History

    return History.load(options.history)


def _api(headers: HeaderSet, history: History | None) -> Api:
    if history is None:
        from cudnn_bindgen.parse import parse

        return parse(headers)
    return history.api(history.resolve(headers.version))


def _row(report: Report) -> dict[str, object]:
    return {
        "version": report.version,
        "compiler": report.compiler,
        "facts": report.total,
        "counts": dict(report.counts),
        "unchecked": list(report.unchecked),
    }
