"""``cudnn-bindgen history``: merge versions into the history file."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cudnn_bindgen.cli.arguments import path

if TYPE_CHECKING:
    from cudnn_bindgen.cache import Cache
    from cudnn_bindgen.headers import HeaderSet
    from cudnn_bindgen.history import History
    from cudnn_bindgen.model import Api

__all__ = ["register"]

# Each worker holds a parser of some 100 MB.
_MOST_JOBS = 4


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "history",
        help="merge versions into the history that everything is rendered from",
        description="Merge cuDNN versions into the history file. A version that is already there is replaced; the "
        "result does not depend on the order. The file is replaced whole or left as it was.",
    )
    parser.add_argument(
        "--add",
        nargs="+",
        action="extend",
        default=[],
        metavar="VERSION|PATH",
        help="versions or header folders to add",
    )
    parser.add_argument("--all", action="store_true", dest="everything", help="add every version that can be fetched")
    parser.add_argument("--list", action="store_true", dest="listing", help="list the versions in the history")
    parser.add_argument(
        "--table", type=path, metavar="FILE", help="write the table of versions between the marks in a Markdown file"
    )
    parser.add_argument("--out", type=path, metavar="FILE", help="the file to write; the checkout's own by default")
    begin = parser.add_mutually_exclusive_group()
    begin.add_argument(
        "--from",
        type=path,
        dest="start",
        metavar="FILE",
        help="begin with this history; by default FILE of --out if it exists, else the committed one (--all: none)",
    )
    begin.add_argument("--empty", action="store_true", help="begin with no version")
    parser.add_argument("--offline", action="store_true", help="use only cached headers")
    parser.add_argument(
        "--jobs", type=int, metavar="N", help=f"how many to parse at once (processors, at most {_MOST_JOBS})"
    )
    parser.set_defaults(run=_run, parser=parser)


def _run(options: argparse.Namespace) -> int:
    from cudnn_bindgen.files import check_place, locked
    from cudnn_bindgen.history import History

    if options.listing:
        for version in History.load(options.start or options.out).versions:
            print(version)
        return 0
    if options.table is not None and not (options.add or options.everything):
        return _table(options.table, History.load(options.start or options.out))
    if not (options.add or options.everything):
        options.parser.error("name versions with --add, or give --all, --list or --table")
    if options.jobs is not None and options.jobs < 1:
        options.parser.error(f"--jobs {options.jobs} is not a whole number above 0")
    target = options.out or _own_file()
    check_place(target)
    _begin(options, target)  # a damaged file is told before the work, not after it
    sets = _header_sets(options)
    apis = _parsed(sets, options.jobs or min(_MOST_JOBS, os.cpu_count() or 1))
    with locked(target.parent):
        # Read only now: another run may have added to it meanwhile, and that must stay.
        history = _begin(options, target)
        before = history.text()
        for api in apis:
            history.add(api)
        text = history.text()
        unchanged = target.exists() and text == before == target.read_text(encoding="utf-8")
        if not unchanged:
            history.save(target)
    if unchanged:
        print(f"{target} already has {_listed(sets)}; nothing changed")
    else:
        print(f"{target}: {_listed(sets)} merged; {len(history.versions)} versions, {len(text.encode()) / 1000:.0f} kB")
    return 0 if options.table is None else _table(options.table, history)


def _table(file: Path, history: History) -> int:
    from cudnn_bindgen.versions_table import update_table

    changed = update_table(file, history)
    print(f"{file}: the table of versions " + ("was brought up to date" if changed else "is up to date"))
    return 0


def _own_file() -> Path:
    from cudnn_bindgen.errors import HistoryError
    from cudnn_bindgen.history_store import checkout_path

    path = checkout_path()
    if path is None:
        raise HistoryError("this cudnn-bindgen is installed outside a checkout; name the file to write with --out FILE")
    return path


def _begin(options: argparse.Namespace, target: Path) -> History:
    from cudnn_bindgen.history import History

    if options.start:
        return History.load(options.start)
    if options.empty or (options.everything and not target.exists()):
        return History()
    return History.load(target if target.exists() else None)


def _header_sets(options: argparse.Namespace) -> list[HeaderSet]:
    from cudnn_bindgen.cache import Cache
    from cudnn_bindgen.errors import HeaderNotFoundError
    from cudnn_bindgen.headers import obtain

    cache = Cache.default()
    named = list(options.add)
    if options.everything:
        named += cache.versions() if options.offline else _fetch_all(cache)
        if not named:
            raise HeaderNotFoundError(f"the cache {cache.root} holds no version; leave out --offline to fetch them all")
    sets = [obtain(text, offline=options.offline, cache=cache) for text in dict.fromkeys(named)]
    return list({one.version: one for one in sets}.values())


def _fetch_all(cache: Cache) -> list[str]:
    from cudnn_bindgen.fetch import Fetcher

    with Fetcher(cache) as fetcher:
        return fetcher.fetch([offer.version for offer in fetcher.listing.offers])


def _parsed(sets: Sequence[HeaderSet], jobs: int) -> list[Api]:
    """Every version's API; several processes share the work where there is more than one version."""
    if jobs == 1 or len(sets) < 2:
        return [_parse(one) for one in sets]
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(min(jobs, len(sets))) as pool:
        try:
            return list(pool.map(_parse, sets))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _parse(headers: HeaderSet) -> Api:
    from cudnn_bindgen.errors import BindgenError, HistoryError
    from cudnn_bindgen.history_facts import normalised
    from cudnn_bindgen.parse import parse

    try:
        # Normalised here, so that a worker sends back no documentation and reports a type that cannot be kept.
        return normalised(parse(headers))
    except BindgenError as error:
        raise HistoryError(f"cuDNN {headers.version} in {headers.folder}: {error} (nothing was written)") from error


def _listed(sets: Sequence[HeaderSet]) -> str:
    return sets[0].version if len(sets) == 1 else f"{len(sets)} versions"
