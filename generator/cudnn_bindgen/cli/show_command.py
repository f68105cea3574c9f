"""``cudnn-bindgen show``: what one name is."""

from __future__ import annotations

import argparse
import json
from typing import Any

from cudnn_bindgen.cli.arguments import path
from cudnn_bindgen.cli.table import print_table

__all__ = ["register"]


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "show",
        help="show what a function, enum, struct or any other name is",
        description="Show what one name is in a cuDNN version: types, values, layout, roles of parameters and the rule "
        "that said so. Answers from the committed history, without headers or network.",
        epilog="A parameter's columns: `documented` is the direction that the header's comment gives, `direction` the "
        "one found; `rule` is the generator's rule that found role and direction; `typed by` is the parameter whose "
        "data type tells the type of what a void pointer points to; `count` is the parameter, or the number, that "
        "tells an array's length.",
    )
    parser.add_argument("name", metavar="NAME", help="cudnnConvolutionForward, CUDNN_DATA_HALF, cudnnHandle_t, ...")
    parser.add_argument("--version", metavar="V", help="9.28.1, or 9.28 for its newest build; the newest by default")
    parser.add_argument("--history", type=path, metavar="FILE", help="another history file")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from cudnn_bindgen.history import History
    from cudnn_bindgen.show import show
    from cudnn_bindgen.versions import three_part

    history = History.load(options.history)
    answer = show(history, options.name, history.resolve(options.version))
    if options.json:
        print(json.dumps(answer, indent=1))
    else:
        first = three_part(history.versions[0])
        for facts in (answer, answer["deprecated"] or {}):
            if facts.get("since") == first:
                facts["since"] = f"{first} or before (the first version covered)"
        _print(answer)
    return 0


def _print(answer: dict[str, Any]) -> None:
    """Single facts first, one a line, then each list as a table."""
    tables = {key: value for key, value in answer.items() if isinstance(value, list) and value}
    single = {key: value for key, value in answer.items() if not isinstance(value, list)}
    width = max(map(len, single))
    print(f"{answer['kind']} {answer['name']}")
    for key, value in single.items():
        if key not in ("kind", "name") and value is not None:
            print(f"  {key.replace('_', ' '):<{width}}  {_cell(value)}")
    for key, listed in tables.items():
        print(f"\n{key.replace('_', ' ')}")
        if isinstance(listed[0], dict):
            columns = list(dict.fromkeys(column for row in listed for column in row))
            columns = [one for one in columns if any(row.get(one) not in (None, False) for row in listed)]
            rows = [[_cell(row.get(column)) for column in columns] for row in listed]
            print_table([column.replace("_", " ") for column in columns], rows)
        else:
            print("  " + ", ".join(map(_cell, listed)))


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case dict():
            return ", ".join(f"{key} {one}" for key, one in value.items() if one is not None)
        case list():
            return ", ".join(map(str, value))
    return str(value)
