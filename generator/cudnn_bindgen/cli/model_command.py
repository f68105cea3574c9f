"""``cudnn-bindgen model``: what one version's headers declare, as text or JSON, and what was left out."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from cudnn_bindgen.cli.arguments import path
from cudnn_bindgen.errors import LossError
from cudnn_bindgen.files import check_place, write_file

if TYPE_CHECKING:
    from cudnn_bindgen.model import Api

__all__ = ["register"]


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "model",
        help="parse one version's headers into the model",
        description="Parse the headers of one version and print all that they declare. What the model leaves out is "
        "counted on standard error; --loss-report lists it.",
    )
    parser.add_argument("source", metavar="VERSION|PATH", help="a version such as 9.28, or a folder with headers")
    parser.add_argument("--json", action="store_true", help="JSON, as `cudnn-bindgen schema` describes it")
    parser.add_argument("--out", type=path, metavar="FILE", help="write to a file instead of printing")
    parser.add_argument("--documentation", action="store_true", help="keep the headers' own comments")
    parser.add_argument("--strict", action="store_true", help="exit with status 1 when anything was left out")
    parser.add_argument("--loss-report", type=path, metavar="FILE", help="write what was left out, a line each")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from cudnn_bindgen.headers import obtain
    from cudnn_bindgen.parse import parse
    from cudnn_bindgen.serialize import to_json

    check_place(options.out, options.loss_report)
    api = parse(obtain(options.source), documentation=options.documentation)
    if options.loss_report is not None:
        write_file(options.loss_report, "".join(f"{loss}\n" for loss in api.losses))
    if api.losses and options.strict:
        listed = "" if options.loss_report is not None else "".join(f"\n  {loss}" for loss in api.losses)
        where = f"see {options.loss_report}" if options.loss_report is not None else f"it leaves out:{listed}"
        count = "1 thing was" if len(api.losses) == 1 else f"{len(api.losses)} things were"
        raise LossError(f"{count} left out of the model and --strict allows none; {where}")
    text = json.dumps(to_json(api), indent=1) + "\n" if options.json else _readable(api)
    if options.out is not None:
        write_file(options.out, text)
        if options.out.is_file():  # and not /dev/stdout, where the model went
            print(f"{options.out}: {_count(api)}")
    else:
        print(text, end="")
    if api.losses:
        print(f"{len(api.losses)} left out; --loss-report FILE lists them", file=sys.stderr)
    return 0


def _count(api: Api) -> str:
    return (
        f"cuDNN {api.version}: {len(api.functions)} functions, {len(api.enums)} enums, {len(api.records)} structs, "
        f"{len(api.handles)} handles, {len(api.macros)} macros"
    )


def _readable(api: Api) -> str:
    lines = [f"cuDNN {api.version}: {', '.join(api.headers)}", ""]
    for enum in api.enums:
        values = ", ".join(f"{one.name} = {one.value}" for one in enum.enumerators)
        lines.append(f"enum {enum.name} {{{values}}};")
    for record in api.records:
        fields = " ".join(f"{field}; /* +{field.offset} */" for field in record.fields)
        lines.append(f"{record.kind} {record.name} {{{fields}}}; /* {record.size} bytes */")
    lines += [f"handle {handle.name}; /* {handle.target}{' *' if handle.pointer else ''} */" for handle in api.handles]
    lines += [f"callback {one.name}: {one.type}" for one in api.callbacks]
    lines += [f"alias {alias.name} = {alias.type}" for alias in api.aliases]
    lines += [f"macro {macro.name} = {macro.value!r}" for macro in api.macros]
    lines += [f"{function}{'  /* deprecated */' if function.deprecated else ''}" for function in api.functions]
    return "\n".join(lines) + "\n"
