"""``cudnn-bindgen list``: the names that a version has."""

from __future__ import annotations

import argparse
import json
from typing import Any, get_args

from cudnn_bindgen.ask import LIST_KINDS, names, no_names
from cudnn_bindgen.cli.arguments import path
from cudnn_bindgen.cli.table import print_table
from cudnn_bindgen.facts import Family

__all__ = ["register"]


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "list",
        help="list the names of a version, with since and until",
        description="List the names that a cuDNN version declares, and since and until which version they are there. "
        "Answers from the committed history, without headers or network. What is since the history's first version may "
        "be older.",
        epilog="Exit status 1 when there is no such name.",
    )
    parser.add_argument(
        "patterns", nargs="*", metavar="PATTERN", help="whole names to list, in any case, * for any text: '*find*'"
    )
    parser.add_argument("--version", metavar="V", help="9.28.1, or 9.28 for its newest build; the newest by default")
    parser.add_argument("--kind", choices=LIST_KINDS, help="this kind alone")
    parser.add_argument("--family", choices=get_args(Family), help="functions of this family alone")
    parser.add_argument("--deprecated", action="store_true", help="deprecated names alone")
    parser.add_argument("--history", type=path, metavar="FILE", help="another history file")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_run, parser=parser)


def _run(options: argparse.Namespace) -> int:
    from cudnn_bindgen.history import History

    if options.family and options.kind not in (None, "function"):
        options.parser.error(f"--family goes with functions; leave out --kind {options.kind}")
    history = History.load(options.history)
    version = history.resolve(options.version)
    rows = names(
        history,
        version,
        kind=options.kind,
        family=options.family,
        patterns=options.patterns,
        deprecated=options.deprecated,
    )
    if options.json:
        print(json.dumps(rows, indent=1))
    if not rows:
        restricted = bool(options.kind or options.family or options.deprecated)
        raise no_names(history, version, options.patterns, restricted=restricted)
    if options.json:
        return 0
    columns = ["name", "kind", "since", "until", "deprecated"]
    if options.kind == "enumerator":
        columns += ["value", "enum"]
    print_table(columns, [[_cell(row, column) for column in columns] for row in rows])
    return 0


def _cell(row: dict[str, Any], column: str) -> str:
    value = row[column]
    if column == "deprecated":
        if value is None:
            return ""
        return f"{value['since']}, use {value['replacement']}" if value["replacement"] else f"{value['since']}"
    return "" if value is None else str(value)
