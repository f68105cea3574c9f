"""``cudnn-bindgen diff``: what changed between two versions, and what of it breaks compiled programs."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from cudnn_bindgen.cli.arguments import path

if TYPE_CHECKING:
    from cudnn_bindgen.diff import Change
    from cudnn_bindgen.history import History
    from cudnn_bindgen.model import Api

__all__ = ["register"]


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "diff",
        help="what changed between two versions, and what breaks",
        description="List what changed between two cuDNN versions. A change is breaking when a program compiled "
        "against the first misbehaves with the library of the second: a name that is gone, or another value, layout or "
        "signature; the sentinel enumerators *_COUNT count as values. Additions, deprecations, renamed parameters and "
        "macros are not. Versions are answered from the committed history; a folder's headers are parsed.",
    )
    parser.add_argument("before", metavar="VERSION|PATH", help="the older side: 9.10.0, or a folder with headers")
    parser.add_argument("after", metavar="VERSION|PATH", help="the newer side")
    parser.add_argument("--breaking", action="store_true", help="list breaking changes alone")
    parser.add_argument("--check", action="store_true", help="exit 1 when any change is breaking")
    parser.add_argument("--history", type=path, metavar="FILE", help="another history file")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from cudnn_bindgen.diff import diff
    from cudnn_bindgen.history import History

    history = History.load(options.history)
    before, after = (_side(text, history) for text in (options.before, options.after))
    changes = diff(before, after)
    broken = sum(change.breaking for change in changes)
    listed = [change for change in changes if change.breaking or not options.breaking]
    if options.json:
        print(json.dumps([change.as_json() for change in listed], indent=1))
    else:
        for change in listed:
            print(_line(change))
        print(f"{before.version} -> {after.version}: {len(changes)} changes, {broken} breaking")
    return 1 if options.check and broken else 0


def _side(text: str, history: History) -> Api:
    if not _is_version(text):
        from cudnn_bindgen.headers import locate, source_path
        from cudnn_bindgen.history_facts import normalised
        from cudnn_bindgen.parse import parse

        return normalised(parse(locate(source_path(text))))
    return history.api(history.resolve(text))


def _is_version(text: str) -> bool:
    from cudnn_bindgen.errors import UnknownVersionError
    from cudnn_bindgen.versions import Version

    try:
        Version(text)
    except UnknownVersionError:
        return False
    return True


def _line(change: Change) -> str:
    mark = "!" if change.breaking else {"added": "+", "removed": "-"}.get(change.change, "~")
    head = f"{mark} {change.kind} {change.name}"
    before, after = _text(change.before), _text(change.after)
    match change.change:
        case "added":
            told = f"added {after}".rstrip()
        case "removed":
            told = "removed"
        case "deprecated" if change.after is None:
            told = "deprecated no more"
        case "deprecated":
            told = "deprecated" + ("" if change.after is True else f", use {after}")
        case _:
            told = f"{change.change}: {before} -> {after}"
    return f"{head}: {told}" + (f" ({change.reason})" if change.reason else "")


def _text(value: Any) -> str:
    match value:
        case None:
            return ""
        case {"size": size, "fields": fields}:
            return f"{size} bytes, {len(fields)} fields"
        case {"parameter": parameter, "direction": direction}:
            return f"{parameter} {direction}"
        case list():
            return ", ".join(map(str, value[:3])) + (", ..." if len(value) > 3 else "")
    return str(value)
