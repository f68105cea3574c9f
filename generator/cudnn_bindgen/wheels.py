"""Reading single members out of a wheel: by HTTP ranges where the server knows them, whole where not, or from disk."""

from __future__ import annotations

import base64
import contextlib
import csv
import hashlib
import io
import re
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from remotezip import PartialBuffer, RangeNotSupported, RemoteFetcher, RemoteZip

from cudnn_bindgen.errors import DownloadError, OutputError
from cudnn_bindgen.files import remedy
from cudnn_bindgen.network import Connection, ContentError, shown
from cudnn_bindgen.progress import Reporter

__all__ = ["Wheel", "WheelSource"]

_T = TypeVar("_T")

_PIECE = 1 << 20
# Members closer together than this are read with one request.
_LARGEST_PREFETCH = 16 << 20
_CONTENT_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")


@dataclass(frozen=True, slots=True)
class Wheel:
    """One wheel that some index, page or folder offers.

    Attributes
    ----------
    project
        ``nvidia-cudnn-cu13``.
    version
        Its full version, ``9.28.1.4``.
    filename
        The wheel's file name.
    location
        A URL without credentials, or the path of a file on this machine.
    size
        Bytes, where the index says so.
    sha256
        Of the whole wheel, where the index says so.
    yanked
        Its publisher withdrew it.
    build
        The build number in the file name, 0 where there is none.
    """

    project: str
    version: str
    filename: str
    location: str | Path
    size: int | None = None
    sha256: str | None = None
    yanked: bool = False
    build: int = 0

    def __str__(self) -> str:
        return str(self.location) if isinstance(self.location, Path) else shown(self.location)


class _Ranges(RemoteFetcher):  # type: ignore[misc]  # remotezip has no types
    """What `RemoteZip` reads through: checks each answer, and serves what was read ahead."""

    def __init__(self, url: str, connection: Connection, size: int | None) -> None:
        super().__init__(url)
        self._url = url
        self._connection = connection
        self._size = size if size is not None else self._ask_size()
        self._ahead = (0, b"")

    def _ask_size(self) -> int | None:
        with contextlib.suppress(OSError, ValueError, KeyError):
            response = self._connection.session.head(
                self._url, allow_redirects=True, headers={"Accept-Encoding": "identity"}
            )
            response.raise_for_status()
            return int(response.headers["Content-Length"])
        return None

    def read_ahead(self, start: int, end: int) -> None:
        """Bring the bytes from `start` up to `end` (not included) with one request."""
        self._ahead = (start, self.fetch((start, end - 1)).read(end - start))

    def fetch(self, data_range: tuple[int, int | None], stream: bool = False) -> PartialBuffer:
        self._connection.checkpoint()
        start, last = data_range
        if start < 0 and self._size is not None:
            # Not every server knows "the last n bytes".
            start, last = max(0, self._size + start), self._size - 1
        offset, held = self._ahead
        if last is not None and offset <= start and last < offset + len(held):
            return PartialBuffer(io.BytesIO(held[start - offset : last + 1 - offset]), start, last + 1 - start, False)
        asked = f"bytes={start}-{'' if last is None else last}" if start >= 0 else f"bytes={start}"
        try:
            response = self._connection.get(self._url, {"Range": asked})
        except OSError as error:
            raise _RequestError(error) from error
        with contextlib.ExitStack() as stack:
            stack.callback(response.close)
            match = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", ""))
            if response.status_code != 206 or match is None:
                raise RangeNotSupported("the server does not support ranges")
            first, end = int(match[1]), int(match[2]) + 1
            if self._size is not None and match[3] not in ("*", str(self._size)):
                raise ContentError(f"it should have {self._size} bytes and has {match[3]}")
            if stream:
                stack.pop_all()  # the buffer closes it
                return PartialBuffer(response.raw, first, end - first, True)
            content = response.raw.read()
            if len(content) != end - first:
                raise ContentError(f"{end - first} bytes were announced and {len(content)} came")
            return PartialBuffer(io.BytesIO(content), first, end - first, False)


def _read_ahead(archive: zipfile.ZipFile, ranges: _Ranges, members: list[zipfile.ZipInfo]) -> None:
    """Headers lie side by side in a wheel: one request for all instead of one for each."""
    start = min(info.header_offset for info in members)
    last = max(info.header_offset for info in members)
    ends = [info.header_offset for info in archive.infolist() if info.header_offset > last]
    end = min(ends, default=archive.start_dir)
    if end - start <= _LARGEST_PREFETCH:
        ranges.read_ahead(start, end)


class WheelSource:
    """Reads wheels for one run.

    Parameters
    ----------
    scratch
        The folder for wheels that must be downloaded whole; they are removed again.
    """

    def __init__(self, connection: Connection, scratch: Path, reporter: Reporter) -> None:
        self._connection = connection
        self._scratch = scratch
        self._reporter = reporter

    def read(self, wheel: Wheel, wanted: Callable[[str], bool]) -> dict[str, bytes]:
        """The members of `wheel` whose names are wanted, checked against the zip's and the wheel's own digests.

        Raises
        ------
        DownloadError
            The wheel or a member cannot be read whole.
        """

        def action(archive: zipfile.ZipFile, ranges: _Ranges | None) -> dict[str, bytes]:
            members = [info for info in archive.infolist() if wanted(info.filename)]
            if members and ranges is not None:
                _read_ahead(archive, ranges, members)
            digests = _recorded(archive)
            found = {}
            for info in members:
                found[info.filename] = archive.read(info)
                _compare(info.filename, hashlib.sha256(found[info.filename]).digest(), digests)
            return found

        return self._with(wheel, action)

    def save(self, wheel: Wheel, wanted: Callable[[str], bool], folder: Path) -> dict[str, str]:
        """Write the wanted members into `folder` by their base names; returns base name to SHA-256 (hexadecimal).

        They go to disk in pieces, so that a library of hundreds of megabytes needs no memory.

        Raises
        ------
        DownloadError
            As for `read`; the folder may hold some of the members then.
        """

        def action(archive: zipfile.ZipFile, ranges: _Ranges | None) -> dict[str, str]:
            del ranges
            members = [info for info in archive.infolist() if wanted(info.filename)]
            digests = _recorded(archive)
            saved = {}
            total = sum(info.file_size for info in members)
            with self._reporter.task(f"{wheel.project} {wheel.version}", total, unit="bytes") as advance:
                for info in members:
                    name = info.filename.rpartition("/")[2]
                    digest = hashlib.sha256()
                    with archive.open(info) as source, _writing(folder / name) as target:
                        while piece := source.read(_PIECE):
                            self._connection.checkpoint()
                            with _disk(folder / name):
                                target.write(piece)
                            digest.update(piece)
                            advance(len(piece))
                    _compare(info.filename, digest.digest(), digests)
                    saved[name] = digest.hexdigest()
            return saved

        return self._with(wheel, action)

    def _with(self, wheel: Wheel, action: Callable[[zipfile.ZipFile, _Ranges | None], _T]) -> _T:
        if isinstance(wheel.location, Path):
            return _from_disk(wheel.location, action)
        url = wheel.location

        def ranged() -> _T:
            made: list[_Ranges] = []

            def fetcher(*_: Any, **__: Any) -> _Ranges:
                made.append(_Ranges(url, self._connection, wheel.size))
                return made[-1]

            try:
                with RemoteZip(url, fetcher=fetcher) as archive:
                    return action(archive, made[-1])
            except _RequestError as error:
                raise error.error from None

        try:
            return self._connection.retrying(str(wheel), lambda: _ranges_or_raise(ranged))
        except _NoRangesError:
            size = f" ({wheel.size / 1e6:.0f} MB)" if wheel.size else ""
            self._reporter.note(f"{shown(url)} cannot be read in parts, so the whole wheel is downloaded{size}")
        with self._downloaded(wheel, url) as path:
            return _from_disk(path, action, str(wheel))

    @contextlib.contextmanager
    def _downloaded(self, wheel: Wheel, url: str) -> Iterator[Path]:
        try:
            self._scratch.mkdir(parents=True, exist_ok=True)
            stream = tempfile.NamedTemporaryFile(prefix=".wheel.", dir=self._scratch)  # noqa: SIM115
        except OSError as error:
            raise OutputError(f"cannot write to {self._scratch}: {error.strerror}; choose another cache") from error
        with stream:
            self._connection.retrying(str(wheel), lambda: self._download(wheel, url, stream.file))
            yield Path(stream.name)

    def _download(self, wheel: Wheel, url: str, target: Any) -> None:
        target.seek(0)
        target.truncate()
        digest = hashlib.sha256()
        done = 0
        with self._connection.get(url) as response:
            announced = response.headers.get("Content-Length", "")
            size = wheel.size or (int(announced) if announced.isdecimal() else None)
            with self._reporter.task(wheel.filename, size, unit="bytes") as advance:
                while piece := response.raw.read(_PIECE):
                    self._connection.checkpoint()
                    with _disk(Path(target.name)):
                        target.write(piece)
                    digest.update(piece)
                    done += len(piece)
                    advance(len(piece))
        with _disk(Path(target.name)):
            target.flush()
        if size is not None and done != size:
            raise ContentError(f"{size} bytes were announced and {done} came")
        if wheel.sha256 is not None and digest.hexdigest() != wheel.sha256:
            raise ContentError("its SHA-256 is not the one that the index states")


class _RequestError(Exception):
    """Carries requests' own error past `zipfile`, which takes an OSError for the sign of a file that is no zip."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


class _NoRangesError(Exception):
    """The server does not know ranges, which is no reason to try again."""


def _ranges_or_raise(action: Callable[[], _T]) -> _T:
    try:
        return action()
    except RangeNotSupported as error:
        raise _NoRangesError from error


def _from_disk(path: Path, action: Callable[[zipfile.ZipFile, _Ranges | None], _T], name: str | None = None) -> _T:
    try:
        with zipfile.ZipFile(path) as archive:
            return action(archive, None)
    except (zipfile.BadZipFile, EOFError, zlib.error, NotImplementedError, ContentError) as error:
        raise DownloadError(f"{name or path} is not a whole wheel ({error}); bring it again") from error
    except OSError as error:
        raise DownloadError(f"cannot read {name or path}: {error.strerror or error}") from error


@contextlib.contextmanager
def _disk(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        way = remedy(error, "choose another cache with --cache")
        raise OutputError(f"cannot write {path}: {error.strerror or error}; {way}") from error


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[BinaryIO]:
    with _disk(path):
        stream = path.open("wb")
    try:
        yield stream
    finally:
        with _disk(path):
            stream.close()


def _recorded(archive: zipfile.ZipFile) -> Mapping[str, bytes]:
    """Member to SHA-256 as the wheel's RECORD states it; empty where a wheel has none."""
    names = [name for name in archive.namelist() if re.fullmatch(r"[^/]+\.dist-info/RECORD", name)]
    if len(names) != 1:
        return {}
    found = {}
    for row in csv.reader(archive.read(names[0]).decode(errors="replace").splitlines()):
        if len(row) >= 2 and row[1].startswith("sha256="):
            text = row[1].removeprefix("sha256=")
            with contextlib.suppress(ValueError):
                found[row[0]] = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return found


def _compare(name: str, digest: bytes, recorded: Mapping[str, bytes]) -> None:
    if name in recorded and recorded[name] != digest:
        raise ContentError(f"its member {name} is not the one that its RECORD states")
