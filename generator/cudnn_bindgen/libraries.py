"""Bringing shared objects out of a cuDNN wheel into the cache: those that are asked for, not the whole wheel.

The tests load a real libcudnn, which answers many questions without a GPU.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Sequence
from pathlib import Path

from cudnn_bindgen.cache import MANIFEST, Cache, Manifest
from cudnn_bindgen.errors import HeaderNotFoundError, UnknownVersionError
from cudnn_bindgen.fetch import Fetcher

__all__ = ["fetch_libraries"]

_MEMBER = re.compile(r"(?:.*/)?lib(?:64)?/(?P<name>[^/]+)")


def _lacking(names: Sequence[str], patterns: Sequence[str]) -> list[str]:
    return [pattern for pattern in patterns if not fnmatch.filter(names, pattern)]


def fetch_libraries(
    version: str,
    patterns: Sequence[str],
    *,
    offline: bool = False,
    cache: Cache | None = None,
    fetcher: Fetcher | None = None,
) -> Path:
    """The folder in the cache with a version's shared objects, fetched if need be.

    Parameters
    ----------
    version
        A full version, ``9.28.1.4``.
    patterns
        File names as in the wheel's ``lib`` folder, ``*`` allowed; each has to match something.
    offline
        Fail rather than ask the index.
    cache
        Instead of the default cache; with `fetcher`, its cache is used.
    fetcher
        The run to fetch in.

    Raises
    ------
    UnknownVersionError, HeaderNotFoundError, DownloadError, OutputError
        There is no such version, its wheel has no such file, it could not be read or written.
    """
    store = fetcher.cache if fetcher else cache or Cache.default()
    folder = store.libraries(version)
    if _has(folder, patterns):
        return folder
    if offline:
        raise UnknownVersionError(f"the cache {store.root} lacks libraries of cuDNN {version}; fetch them online once")
    if fetcher is None:
        with Fetcher(store) as run:
            return fetch_libraries(version, patterns, fetcher=run)
    note = f"waiting for another run that fetches the libraries of {version}"
    with store.turn(folder, lambda: fetcher.reporter.note(note)):
        if not _has(folder, patterns):
            _bring(version, patterns, folder, fetcher)
    return folder


def _has(folder: Path, patterns: Sequence[str]) -> bool:
    manifest = Manifest.read(folder)
    # Hundreds of megabytes are not read to compare: a folder with a manifest was written whole.
    return (
        manifest is not None
        and manifest.matches(folder, contents=False)
        and not _lacking(list(manifest.files), patterns)
    )


def _bring(version: str, patterns: Sequence[str], folder: Path, fetcher: Fetcher) -> None:
    before = Manifest.read(folder)
    wanted = [*patterns, *(before.files if before else ())]

    def is_wanted(member: str) -> bool:
        match = _MEMBER.fullmatch(member)
        return match is not None and any(fnmatch.fnmatchcase(match["name"], pattern) for pattern in wanted)

    offer = fetcher.listing.offer(version)
    wheel = offer.wheels[0]
    with fetcher.cache.staged(folder) as beside, fetcher.reporter.display():
        files = fetcher.source.save(wheel, is_wanted, beside)
        if lacking := _lacking(list(files), patterns):
            raise HeaderNotFoundError(f"{wheel.filename} holds no {', '.join(lacking)}; choose another version")
        (beside / MANIFEST).write_text(Manifest(offer.version, wheel.filename, files).to_text(), encoding="utf-8")
