"""``cudnn-bindgen fetch``: list the versions there are, bring their headers."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from cudnn_bindgen.cli.arguments import path
from cudnn_bindgen.errors import UnknownVersionError
from cudnn_bindgen.versions import Version

if TYPE_CHECKING:
    from cudnn_bindgen.cache import Cache
    from cudnn_bindgen.headers import HeaderSet

__all__ = ["register"]


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "fetch",
        help="list and bring the headers of cuDNN versions",
        description="Bring cuDNN headers into the cache out of NVIDIA's wheels, a few hundred kilobytes a version. The "
        "index, mirrors, certificates and proxy are those that pip is configured for.",
    )
    parser.add_argument(
        "what",
        nargs="*",
        metavar="VERSION|PATH",
        help="9.28.1.4, 9.28 (its newest build), or a folder with headers to check",
    )
    parser.add_argument(
        "--list", action="store_true", dest="listing", help="list the versions there are, fetch nothing"
    )
    parser.add_argument("--all", action="store_true", dest="everything", help="fetch every version there is")
    parser.add_argument("--again", action="store_true", help="fetch also what the cache has")
    parser.add_argument("--jobs", type=_positive, default=8, metavar="N", help="how many at once (8)")
    parser.add_argument("--index-url", type=_not_empty, metavar="URL", help="fetch from this index or folder alone")
    parser.add_argument("--offline", action="store_true", help="use only what is cached")
    parser.add_argument("--cache", type=path, metavar="DIR", help="the cache folder, instead of the user's own")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_run, parser=parser)


def _not_empty(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("it is empty; name an index or a folder")
    return text


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def _run(options: argparse.Namespace) -> int:
    from cudnn_bindgen.cache import Cache

    cache = Cache(options.cache) if options.cache else Cache.default()
    if not (options.what or options.everything or options.listing):
        options.parser.error("name a version or a folder, or give --list or --all")
    if options.offline and options.index_url:
        options.parser.error("--offline and --index-url exclude each other")
    if options.listing:
        rows = _offline_rows(cache) if options.offline else _rows(options, cache)
        if options.what:
            rows = _among(rows, options.what)
        _print_rows(rows, options.json)
        return 0
    _print_sets(_obtain(options, cache), options.json)
    return 0


def _obtain(options: argparse.Namespace, cache: Cache) -> list[HeaderSet]:
    from cudnn_bindgen.headers import cached, is_version, locate, obtain, source_path

    if options.offline:
        named = [*options.what, *(cache.versions() if options.everything else ())]
        return [obtain(text, offline=True, cache=cache) for text in dict.fromkeys(named)]
    # Several versions are fetched together, so what is a version is told from what is a path first.
    found = {text: locate(source_path(text)) for text in options.what if not is_version(text)}
    versions = [text for text in options.what if is_version(text)]
    if options.everything or len(versions) > 1 or options.again:
        from cudnn_bindgen.fetch import Fetcher

        with Fetcher(cache, index_url=options.index_url, jobs=options.jobs) as fetcher:
            if options.everything:
                versions += [offer.version for offer in fetcher.listing.offers]
            full = dict(zip(versions, fetcher.fetch(versions, again=options.again), strict=True))
        for text, version in full.items():
            headers = cached(version, cache)
            found[text] = headers if headers is not None else obtain(version, cache=cache, index_url=options.index_url)
    else:
        found |= {text: obtain(text, cache=cache, index_url=options.index_url) for text in versions}
    named = [*options.what, *(text for text in versions if text not in options.what)]
    return list({found[text].folder: found[text] for text in named}.values())


def _rows(options: argparse.Namespace, cache: Cache) -> list[dict[str, object]]:
    from cudnn_bindgen.fetch import Fetcher

    here = set(cache.versions())
    with Fetcher(cache, index_url=options.index_url) as fetcher:
        return [
            {
                "version": offer.version,
                "packages": list(offer.packages),
                "development": offer.development,
                "yanked": offer.yanked,
                "cached": offer.version in here,
            }
            for offer in fetcher.listing.offers
        ]


def _offline_rows(cache: Cache) -> list[dict[str, object]]:
    from cudnn_bindgen.cache import Manifest

    rows: list[dict[str, object]] = []
    for version in cache.versions():
        manifest = Manifest.read(cache.headers(version))
        project = manifest.wheel.partition("-")[0].replace("_", "-") if manifest else ""
        development = Version(version).development is not None
        rows.append(
            {"version": version, "packages": [project], "development": development, "yanked": False, "cached": True}
        )
    return rows


def _among(rows: list[dict[str, object]], wanted: list[str]) -> list[dict[str, object]]:
    chosen = [Version(text).parts for text in wanted]
    kept = [row for row in rows if any(Version(str(row["version"])).parts[: len(one)] == one for one in chosen)]
    if not kept:
        listed = ", ".join(str(row["version"]) for row in rows[-3:])
        raise UnknownVersionError(f"no version belongs to {', '.join(wanted)}; the newest are {listed or 'none'}")
    return kept


def _print_rows(rows: list[dict[str, object]], as_json: bool) -> None:
    if as_json:
        print(json.dumps(rows, indent=1))
        return
    width = max((len(str(row["version"])) for row in rows), default=0)
    for row in rows:
        packages = row["packages"]
        assert isinstance(packages, list)
        marks = [mark for mark in ("development", "yanked", "cached") if row[mark]]
        print(f"{row['version']:<{width}}  {' '.join(packages):<53}  {' '.join(marks)}".rstrip())


def _print_sets(found: list[HeaderSet], as_json: bool) -> None:
    if as_json:
        rows = [
            {
                "version": headers.version,
                "folder": str(headers.folder),
                "entry": list(headers.entry),
                "skipped": [{"header": name, "reason": reason} for name, reason in headers.skipped],
            }
            for headers in found
        ]
        print(json.dumps(rows, indent=1))
        return
    for headers in found:
        print(f"{headers.version}  {headers.folder}")
        for name, reason in headers.skipped:
            print(f"    without {name}: {reason}")
