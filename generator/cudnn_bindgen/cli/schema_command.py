"""``cudnn-bindgen schema``: the JSON Schema of the model."""

from __future__ import annotations

import argparse
import json

from cudnn_bindgen.cli.arguments import path
from cudnn_bindgen.files import write_file

__all__ = ["register"]


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "schema",
        help="print the JSON Schema of the model",
        description="Print the JSON Schema of what `cudnn-bindgen model --json` prints.",
    )
    parser.add_argument("--out", type=path, metavar="FILE", help="write to a file instead of printing")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from cudnn_bindgen.serialize import json_schema

    text = json.dumps(json_schema(), indent=2) + "\n"
    if options.out is None:
        print(text, end="")
    else:
        write_file(options.out, text)
        if options.out.is_file():
            print(f"{options.out}: the JSON Schema of the model")
    return 0
