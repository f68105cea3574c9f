"""``python -m cudnnkit info``: a report to paste into an issue."""

from __future__ import annotations

import argparse

from cudnnkit.cli.output import print_json

__all__ = ["register"]


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "info",
        help="versions, library files, devices and the cache file, to paste into an issue",
        description="Report versions, library files, devices and the cache file, to paste into an issue. It works "
        "without a GPU and without cuDNN, and says what is missing.",
    )
    parser.add_argument("--json", action="store_true", help="print JSON: the report's lines and the cache file's facts")
    parser.add_argument("--check", action="store_true", help="exit 1 when cudnnkit cannot compute here")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from cudnnkit import library

    report = library.info()
    cache = _cache()
    missing = _missing()
    if options.json:
        print_json({"report": report.splitlines(), "cache": cache, "missing": missing})
    else:
        print(report)
        print(_cache_line(cache))
        print(
            f"cudnnkit cannot compute here for lack of {', '.join(missing)}" if missing else "cudnnkit can compute here"
        )
    return 1 if options.check and missing else 0


def _cache() -> dict[str, object]:
    """The user's cache file, opened for reading only."""
    from cudnnkit.cli.cache_files import default_path, read_records
    from cudnnkit.errors import CudnnKitError
    from cudnnkit.folder import cache_folder
    from cudnnkit.store import FILE_NAME

    facts: dict[str, object] = {"path": None, "exists": False}
    try:
        facts["path"] = str(cache_folder() / FILE_NAME)
        path = default_path()
        if path.exists():
            facts |= {"exists": True, "bytes": path.stat().st_size}
            facts["decisions"] = len(read_records(path))
    except (CudnnKitError, OSError) as error:
        facts["error"] = str(error)
    return facts


def _cache_line(cache: dict[str, object]) -> str:
    if "error" in cache:
        return f"cache: {cache['path'] or 'none'}: {cache['error']}"
    if not cache["exists"]:
        return f"cache: {cache['path']} (not there yet)"
    return f"cache: {cache['path']}: {cache['decisions']} decisions, {cache['bytes']} bytes"


def _missing() -> list[str]:
    """What keeps cudnnkit from computing here; the report above has the reasons."""
    from importlib.util import find_spec

    from cudnnkit import library
    from cudnnkit.driver import driver
    from cudnnkit.errors import CudnnKitError

    missing = []
    try:
        if not driver().devices:
            missing.append("a GPU")
    except CudnnKitError:
        missing.append("a GPU with its driver")
    try:
        library.library()
    except library.LibraryError as error:
        # What did not load stands in the report; a library that loaded and does not serve does not.
        missing.append("cuDNN" if error.__cause__ is not None else f"a cuDNN that serves ({error.reason})")
    except Exception as error:  # whatever a broken installation raises, the report goes on
        missing.append(f"a cuDNN that loads ({type(error).__name__}: {error})")
    if find_spec("cupy") is None and find_spec("torch") is None:
        missing.append("an array library (CuPy or torch)")
    return missing
