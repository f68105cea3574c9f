"""``python -m cudnnkit cache``: look at, carry and clean the tuning cache."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cudnnkit.cli.cache_files import default_path, read_records, writable
from cudnnkit.cli.output import print_json, print_table, warn, write_file

if TYPE_CHECKING:
    from cudnnkit.store import Record

__all__ = ["register"]


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "cache",
        help="show, export, import, merge, compare and prune tuning decisions",
        description="Work on tuning decisions. A cache file (SQLite) and a tuning document (JSON, by `cache export`) "
        "are told apart by their content, and are taken wherever a file is only read.",
    )
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    _register_readers(actions)
    _register_writers(actions)


def _register_readers(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    show = actions.add_parser("show", help="list decisions", description="List decisions, oldest first.")
    _selection(show)
    _common(show)
    show.set_defaults(run=_show)

    stats = actions.add_parser("stats", help="count decisions", description="Count decisions and what they cost.")
    _selection(stats)
    _common(stats)
    stats.set_defaults(run=_stats)

    export = actions.add_parser(
        "export",
        help="write decisions as a JSON document",
        description="Write decisions as a JSON document in a fixed order, to keep under version control or to merge on "
        "another machine.",
    )
    _selection(export)
    _path(export)
    export.add_argument("--out", type=Path, metavar="FILE", help="where to; standard output by default")
    export.add_argument("--reports", action="store_true", help="with how each decision came about")
    export.set_defaults(run=_export)

    diff = actions.add_parser(
        "diff",
        help="how two sets of decisions differ",
        description="How two sets of decisions differ, the largest loss of speed first.",
    )
    diff.add_argument("before", type=Path, metavar="BEFORE", help="cache file or document")
    diff.add_argument("after", type=Path, nargs="?", metavar="AFTER", help="the same; the cache file by default")
    diff.add_argument(
        "--across-versions", action="store_true", help="match problems whatever their cuDNN and driver: an upgrade"
    )
    diff.add_argument(
        "--threshold", type=_share, default=0.05, metavar="SHARE", help="smallest change of time (default: 0.05)"
    )
    diff.add_argument("--check", action="store_true", help="exit 1 when a problem became slower")
    _common(diff)
    diff.set_defaults(run=_diff)


def _register_writers(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    long = "Put the decisions of tuning documents and other cache files into the cache file. `import` and `merge` are "
    long += "two names of one command: say import after `cache export`, merge for another machine's cache file."
    told = {
        "import": "put exported decisions into the cache",
        "merge": "put another cache file's decisions into the cache",
    }
    for name, short in told.items():
        merge = actions.add_parser(name, help=short, description=long)
        merge.add_argument("files", type=Path, nargs="+", metavar="FILE", help="tuning document or cache file")
        merge.add_argument(
            "--prefer",
            choices=("better", "ours", "theirs"),
            default="better",
            help="which of two decisions for one problem stays: the one with more work behind it, the newer of equals "
            "(default), or a side's",
        )
        _common(merge)
        merge.set_defaults(run=_merge)

    prune = actions.add_parser(
        "prune",
        help="remove decisions",
        description="Remove decisions that match every condition given; pinned ones stay.",
    )
    prune.add_argument("--older-than", type=_days, metavar="DAYS", help="made more than so many days ago")
    prune.add_argument("--cudnn", metavar="VERSION", help="of this cuDNN version")
    prune.add_argument("--keep-cudnn", metavar="VERSION", help="of any cuDNN version but this")
    prune.add_argument("--device", metavar="NAME", help="of the device of this name")
    _common(prune)
    prune.set_defaults(run=_prune, parser=prune)


def _path(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--path", type=Path, metavar="FILE", help="the cache file; the user's own by default")


def _common(parser: argparse.ArgumentParser) -> None:
    _path(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def _selection(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pattern", nargs="?", metavar="TEXT", help="problems whose description has this text, only")
    parser.add_argument(
        "--operation", metavar="NAME", help="of this operation alone, or of the function's: conv_forward, conv2d"
    )
    parser.add_argument("--cudnn", metavar="VERSION", help="of this cuDNN version alone")
    parser.add_argument("--device", metavar="NAME", help="of the device of this name alone")


def _share(text: str) -> float:
    return _number(text, "share such as 0.05")


def _days(text: str) -> float:
    return _number(text, "number of days, 0 or more")


def _number(text: str, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no {what}")
    return value


# Reading -----------------------------------------------------------------------------------------------------------


def _read(path: Path | None) -> tuple[Path, list[Record]]:
    """The file and its records; the user's own file may be missing, one that was named may not."""
    if path is None:
        path = default_path()
        if not path.exists():
            return path, []
    return path, read_records(path)


def _selected(options: argparse.Namespace) -> tuple[Path, list[Record], int]:
    """The file, the records that are asked for, and how many there are; where none is, a note tells that too."""
    path, records = _read(options.path)
    operation = options.operation
    if operation is not None:
        from cudnnkit.cli.operation_names import stored_name

        operation = stored_name(operation, {one.problem.operation for one in records})
    selected = [
        record
        for record in records
        if (options.pattern is None or options.pattern.lower() in record.problem.label.lower())
        and (operation is None or record.problem.operation == operation)
        and (options.cudnn is None or record.problem.versions.cudnn == options.cudnn)
        and (options.device is None or record.problem.device.name == options.device)
    ]
    if records and not selected:
        warn(f"none of the {len(records)} decisions in {path} is selected", "note")
    return path, selected, len(records)


def _show(options: argparse.Namespace) -> int:
    from cudnnkit.cli.cache_rows import COLUMNS, cells, row

    path, records, total = _selected(options)
    if options.json:
        print_json([row(record) for record in records])
    elif records:
        print_table(COLUMNS, [cells(record) for record in records])
    elif not total:
        print(f"no decisions in {path}")
    return 0


def _stats(options: argparse.Namespace) -> int:
    from cudnnkit.cli.cache_rows import stats, stats_lines

    path, records, _ = _selected(options)
    found = stats(path, records)
    if options.json:
        print_json(found)
    else:
        print("\n".join(stats_lines(found)))
    return 0


def _export(options: argparse.Namespace) -> int:
    from cudnnkit import exchange

    _, records, _ = _selected(options)
    text = json.dumps(exchange.export(records, reports=options.reports), indent=1) + "\n"
    if options.out is None:
        sys.stdout.write(text)
    else:
        write_file(options.out, text)
        print(f"{len(records)} decisions written to {options.out}")
    return 0


def _diff(options: argparse.Namespace) -> int:
    from cudnnkit import exchange
    from cudnnkit.cli.cache_rows import change_line, change_row

    before, (path, after) = read_records(options.before), _read(options.after or options.path)
    changes = exchange.diff(before, after, across_versions=options.across_versions, threshold=options.threshold)
    slower = sum(change.kind == "slower" for change in changes)
    if options.json:
        print_json([change_row(change) for change in changes])
    else:
        for change in changes:
            print(change_line(change))
        print(f"{options.before} -> {path}: {len(changes)} differences, {slower} slower")
    return 1 if options.check and slower else 0


# Writing -----------------------------------------------------------------------------------------------------------


def _merge(options: argparse.Namespace) -> int:
    from cudnnkit import exchange

    counts: dict[str, Any] = {"added": 0, "replaced": 0, "kept": 0}
    # Every file is read before the first row is written.
    records = [record for file in options.files for record in read_records(file)]
    path = options.path or default_path()
    with writable(path, named=options.path is not None, tried=not records) as store:
        result = exchange.merge(store, records, prefer=options.prefer)
    for name in counts:
        counts[name] = getattr(result, name)
    if options.json:
        print_json({"path": str(store.path), **counts})
    else:
        told = ", ".join(f"{count} {name}" for name, count in counts.items())
        print(f"{store.path}: {told}")
    return 0


def _prune(options: argparse.Namespace) -> int:
    from cudnnkit import exchange

    conditions = (options.older_than, options.cudnn, options.keep_cudnn, options.device)
    if all(one is None for one in conditions):
        options.parser.error("give a condition: --older-than, --cudnn, --keep-cudnn or --device")
    path = options.path or default_path()
    removed = 0
    if options.path is not None or path.exists():
        read_records(path)  # a file that is missing, damaged or not ours is an error here, nothing to set aside
        with writable(path, named=True) as store:
            removed = exchange.prune(
                store,
                older_than_days=options.older_than,
                cudnn=options.cudnn,
                keep_cudnn=options.keep_cudnn,
                device=options.device,
            )
    if options.json:
        print_json({"path": str(path), "removed": removed})
    else:
        print(f"{path}: {removed} decisions removed")
    return 0
