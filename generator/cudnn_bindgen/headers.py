"""Finding the headers of a version: a folder on this machine, the cache, an installed wheel, or the package index."""

from __future__ import annotations

import contextlib
import os
import posixpath
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cudnn_bindgen.cache import Cache, Manifest
from cudnn_bindgen.errors import BindgenError, DownloadError, HeaderNotFoundError, UnknownVersionError
from cudnn_bindgen.header_files import quoted, select
from cudnn_bindgen.versions import Version, resolve

__all__ = ["HeaderSet", "cached", "installed", "is_version", "locate", "obtain", "source_path"]


@dataclass(frozen=True, slots=True)
class HeaderSet:
    """The headers of one version.

    Attributes
    ----------
    version
        The full version where the source tells it (``9.28.1.4``), else what the macros say (``9.28.1``).
    folder
        The folder to give a preprocessor.
    entry
        Names in `folder` that together include every header of the version.
    skipped
        Pairs of a header in `folder` and why it does not belong to the version.
    """

    version: str
    folder: Path
    entry: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...] = field(default=())


# Where headers lie under a folder that somebody may name; `*` stands for any one name.
_PLACES = (
    ".",
    "include",
    "nvidia/cudnn/include",  # site-packages, an unpacked wheel
    "cudnn/include",
    "lib/python3*/site-packages/nvidia/cudnn/include",  # a virtual environment, a conda prefix
    "Lib/site-packages/nvidia/cudnn/include",  # the same on Windows
    "Library/include",  # a conda prefix on Windows
    "targets/*/include",  # a CUDA toolkit
    "*-linux-gnu",  # /usr/include on Debian
    "include/*-linux-gnu",
    "..",  # /usr/include/x86_64-linux-gnu, whose plain names stand one folder up
)
_MARKS = ("cudnn.h", "cudnn_version.h")
_DISTRIBUTION = re.compile(r"nvidia_cudnn_cu\d+-(?P<version>[^-]+)\.dist-info")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise HeaderNotFoundError(f"cannot read {path}: {error.strerror or error}; make it readable") from error


def _read(folder: Path) -> dict[str, str]:
    """The headers of `folder` that can belong to cuDNN, name to text.

    A folder such as /usr/include is shared with others: there, cuDNN's are those named so and what they include.
    """
    own = folder.parts[-2:] == ("cudnn", "include")
    files = {path.name: _text(path) for path in sorted(folder.glob("*.h" if own else "cudnn*.h")) if path.is_file()}
    pending = list(files)
    while pending:
        name = pending.pop()
        for target in quoted(files[name]):
            for relative in (posixpath.normpath(posixpath.join(posixpath.dirname(name), target)), target):
                if relative not in files and not relative.startswith("..") and (folder / relative).is_file():
                    files[relative] = _text(folder / relative)
                    pending.append(relative)
    return files


def _installed_version(folder: Path) -> str | None:
    """The full version of the wheel that put ``<site>/nvidia/cudnn/include`` there."""
    if folder.parts[-3:] != ("nvidia", "cudnn", "include"):
        return None
    found = [match["version"] for path in folder.parents[2].iterdir() if (match := _DISTRIBUTION.fullmatch(path.name))]
    return found[0] if len(found) == 1 else None


def _header_set(folder: Path, files: dict[str, str], version: str, where: str) -> HeaderSet:
    chosen = select(files, where, version or None)
    return HeaderSet(version or chosen.version, folder, chosen.entry, tuple(sorted(chosen.skipped.items())))


def _places(source: Path) -> Iterator[Path]:
    for place in _PLACES:
        if place == "..":
            if source.name.endswith("-linux-gnu"):
                yield source.parent
        elif "*" in place:
            yield from sorted(source.glob(place))
        else:
            yield source / place


def locate(source: Path) -> HeaderSet:
    """The headers in or under `source`.

    Parameters
    ----------
    source
        An include folder with ``cudnn.h`` (``/usr/include``), or what has one inside: a CUDA toolkit, a conda prefix, a
        virtual environment, site-packages, an unpacked wheel; or the path of a ``cudnn.h``.

    Raises
    ------
    HeaderNotFoundError
        There is no such folder, it holds no cuDNN headers, or only a part of them.
    """
    if not source.exists():
        raise HeaderNotFoundError(f"{source} does not exist; name an include folder, or a version such as 9.28.1")
    if source.is_file():
        if source.suffix != ".h":
            raise HeaderNotFoundError(
                f"{source} is a file; name the folder that holds cudnn.h, or a version such as 9.28.1"
            )
        source = source.parent
    for place in _places(source):
        folder = Path(os.path.normpath(place))
        if any((folder / mark).is_file() for mark in _MARKS):
            manifest = Manifest.read(folder)
            if manifest is not None:
                return _from_cache_folder(folder, manifest)
            return _header_set(folder, _read(folder), _installed_version(folder) or "", str(folder))
    raise HeaderNotFoundError(
        f"{source} holds no cuDNN headers: neither cudnn.h nor cudnn_version.h is in it, in its include folder or in a "
        "site-packages under it; name the folder that has them, or a version such as 9.28.1, which is fetched"
    )


def _from_cache_folder(folder: Path, manifest: Manifest) -> HeaderSet:
    files = {name: _text(folder / name) for name in manifest.files if name.endswith(".h")}
    return _header_set(folder, files, manifest.version, str(folder))


def cached(version: str, cache: Cache | None = None) -> HeaderSet | None:
    """The headers of a full version out of the cache; None where it lacks them or they are damaged."""
    folder = (cache or Cache.default()).headers(version)
    manifest = Manifest.read(folder)
    if manifest is None or manifest.version != version or not manifest.matches(folder):
        return None
    return _from_cache_folder(folder, manifest)


def installed(places: Iterable[Path] | None = None) -> tuple[HeaderSet, ...]:
    """The headers installed on this machine, whole ones only.

    Parameters
    ----------
    places
        Where to look. By default this Python's packages, the conda prefix, what ``CUDNN_PATH``, ``CUDA_HOME`` and
        ``CUDA_PATH`` name, ``/usr/local/cuda`` and ``/usr``.
    """
    if places is None:
        named = (os.environ.get(name) for name in ("CONDA_PREFIX", "CUDNN_PATH", "CUDA_HOME", "CUDA_PATH"))
        texts = [*(path for path in sys.path if path.endswith("-packages")), *named, "/usr/local/cuda", "/usr"]
        places = [Path(text) for text in texts if text]
    found: dict[Path, HeaderSet] = {}
    for place in places:
        with contextlib.suppress(HeaderNotFoundError, UnknownVersionError):
            headers = locate(place)
            found.setdefault(headers.folder.resolve(), headers)
    return tuple(found.values())


def source_path(text: str) -> Path:
    """The path that somebody wrote where headers are asked for.

    Raises
    ------
    HeaderNotFoundError
        It is empty, or begins with ``~`` and a user who does not exist.
    """
    if not text:
        raise HeaderNotFoundError("an empty text names no headers; give an include folder, or a version such as 9.28.1")
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise HeaderNotFoundError(f"{text}: there is no such home folder; write the path without ~") from error


def is_version(text: str) -> bool:
    """`text` reads as a version; a folder of such a name is written ``./9.28``."""
    try:
        Version(text)
    except UnknownVersionError:
        return False
    return True


def obtain(
    version_or_path: str | Path,
    *,
    offline: bool = False,
    cache: Cache | None = None,
    index_url: str | None = None,
) -> HeaderSet:
    """The headers of a version, or those in a folder.

    A version with at least three parts comes from the cache if it is there; ``9.28`` and ``9`` ask the index first,
    because a newer build may exist, and fall back to the cache where no index answers.

    Parameters
    ----------
    version_or_path
        ``9.28.1.4``, ``9.28.1``, ``9.28`` (its newest build), or anything that `locate` takes.
    offline
        Do not ask the index: only the cache and this Python's installed wheel.
    cache
        Instead of the default cache.
    index_url
        Instead of the index and mirrors that pip is configured for: a URL, or a folder with wheels.

    Raises
    ------
    HeaderNotFoundError, UnknownVersionError, DownloadError, OutputError, ArgumentTypeError
    """
    if isinstance(version_or_path, Path) or not is_version(version_or_path):
        return locate(source_path(str(version_or_path)))
    store = cache or Cache.default()
    if len(Version(version_or_path).parts) >= 3 or offline:
        found = _at_hand(version_or_path, store)
        if found is not None:
            return found
    if offline:
        return _unknown_offline(version_or_path, store)
    from cudnn_bindgen.fetch import Fetcher

    with Fetcher(store, index_url=index_url) as fetcher:
        try:
            fetched = fetcher.fetch([version_or_path])[0]
        except DownloadError as error:
            found = _at_hand(version_or_path, store)
            if found is None:
                raise
            fetcher.reporter.note(f"{error}; taking {found.version} from {found.folder}")
            return found
        except UnknownVersionError as error:
            raise UnknownVersionError(f"{error}; or give a folder with headers") from error
    headers = cached(fetched, store)
    if headers is None:
        raise BindgenError(f"{store.headers(fetched)} was changed while it was read; run again")
    return headers


def _at_hand(wanted: str, cache: Cache) -> HeaderSet | None:
    """The newest build of `wanted` out of the cache, else out of this Python's installed wheel."""
    with contextlib.suppress(UnknownVersionError):
        found = cached(resolve(wanted, cache.versions()), cache)
        if found is not None:
            return found
    packages = installed(Path(path) for path in sys.path if path.endswith("-packages"))
    whole = {headers.version: headers for headers in packages if len(Version(headers.version).parts) == 4}
    with contextlib.suppress(UnknownVersionError):
        return whole[resolve(wanted, whole)]
    return None


def _unknown_offline(wanted: str, cache: Cache) -> HeaderSet:
    try:
        version = resolve(wanted, cache.versions())
    except UnknownVersionError as error:
        raise UnknownVersionError(f"{error} in the cache {cache.root}; leave out --offline to fetch it") from error
    raise HeaderNotFoundError(f"{cache.headers(version)} is damaged; leave out --offline to fetch it again")
