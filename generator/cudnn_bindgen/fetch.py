"""Bringing the headers of versions into the cache, several at once."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Sequence
from functools import partial
from types import TracebackType

from cudnn_bindgen.cache import Cache, Manifest
from cudnn_bindgen.errors import BindgenError, DownloadError, HeaderNotFoundError, UnknownVersionError
from cudnn_bindgen.header_files import select
from cudnn_bindgen.index import Listing, Offer, list_wheels
from cudnn_bindgen.network import Connection
from cudnn_bindgen.parallel import run_all
from cudnn_bindgen.pip_settings import PipSettings, read_pip_settings
from cudnn_bindgen.progress import Reporter, TerminalReporter
from cudnn_bindgen.versions import Version, resolve
from cudnn_bindgen.wheels import Wheel, WheelSource

__all__ = ["JOBS", "Fetcher"]

JOBS = 8
_HEADER = re.compile(r"(?:.*/)?include/(?P<name>(?:[^/]+/)*[^/]+\.h)")


def _is_header(member: str) -> bool:
    return _HEADER.fullmatch(member) is not None and ".." not in member.split("/")


class Fetcher:
    """One run of fetching: lists what there is once, brings headers into the cache.

    Parameters
    ----------
    cache
        Where they go.
    index_url
        The one place to fetch from: an index's URL, or a folder. By default where pip is configured to look.
    jobs
        How many versions at once.
    """

    def __init__(
        self,
        cache: Cache,
        *,
        index_url: str | None = None,
        jobs: int = JOBS,
        reporter: Reporter | None = None,
        settings: PipSettings | None = None,
        pause: float | None = None,
    ) -> None:
        self.cache = cache
        self.reporter: Reporter = reporter or TerminalReporter()
        self._place = index_url
        self._jobs = max(1, jobs)
        chosen = settings or read_pip_settings()
        self.connection = Connection(chosen) if pause is None else Connection(chosen, pause=pause)
        self.source = WheelSource(self.connection, cache.root / "downloads", self.reporter)
        self._listing: Listing | None = None

    def __enter__(self) -> Fetcher:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.connection.close()

    @property
    def listing(self) -> Listing:
        """What is on offer, asked for once."""
        if self._listing is None:
            self._listing = list_wheels(self.connection, self.reporter, self._place)
        return self._listing

    def fetch(self, wanted: Sequence[str], *, again: bool = False) -> list[str]:
        """Make sure that the cache holds the headers of each version.

        Parameters
        ----------
        wanted
            Versions, full or partial.
        again
            Bring also what is there.

        Returns
        -------
        list[str]
            The full version of each, in the order asked for.

        Raises
        ------
        UnknownVersionError, HeaderNotFoundError, DownloadError, OutputError
            Of several failures, one error that names all; what did come stays.
        """
        versions = [self._full(version, again) for version in wanted]
        absent = [version for version in dict.fromkeys(versions) if again or not self._has(version)]
        missing = {version: self.listing.offer(version) for version in absent}
        tasks = {version: partial(self._bring, offer, again) for version, offer in missing.items()}
        failures: dict[str, BindgenError] = {}
        with self.reporter.display(), self.reporter.task("headers", len(missing), unit="versions") as advance:

            def ended(version: str, error: BaseException | None) -> None:
                if isinstance(error, BindgenError):
                    failures[version] = error
                elif error is not None:
                    raise error
                advance(1)

            run_all(tasks, self._jobs, ended=ended, stop=self.connection.stop)
        _raise(failures, len(missing))
        return versions

    def _full(self, version: str, again: bool) -> str:
        """The version that a partial one stands for; one that the cache answers costs no request."""
        if not again and len(Version(version).parts) >= 3:
            with contextlib.suppress(UnknownVersionError):
                found = resolve(version, self.cache.versions())
                if self._has(found):
                    return found
        return self.listing.offer(version).version

    def _has(self, version: str) -> bool:
        folder = self.cache.headers(version)
        manifest = Manifest.read(folder)
        return manifest is not None and manifest.version == version and manifest.matches(folder)

    def _bring(self, offer: Offer, again: bool) -> None:
        folder = self.cache.headers(offer.version)
        note = f"waiting for another run that fetches {offer.version}"
        with self.cache.turn(folder, lambda: self.reporter.note(note)):
            if again or not self._has(offer.version):
                self._store(offer)

    def _store(self, offer: Offer) -> None:
        empty: list[str] = []
        for wheel in offer.wheels:
            files = self._headers(wheel)
            if not files:
                empty.append(wheel.filename)
                continue
            texts = {name: content.decode("utf-8", "surrogateescape") for name, content in files.items()}
            select(texts, wheel.filename, wheel.version)
            self.cache.store(self.cache.headers(offer.version), files, version=offer.version, wheel=wheel.filename)
            return
        raise HeaderNotFoundError(f"{', '.join(empty)} holds no header files; choose another version")

    def _headers(self, wheel: Wheel) -> dict[str, bytes]:
        members = self.source.read(wheel, _is_header)
        found: dict[str, bytes] = {}
        for member, content in members.items():
            match = _HEADER.fullmatch(member)
            assert match is not None
            found[match["name"]] = content
        return found


def _raise(failures: dict[str, BindgenError], asked: int) -> None:
    if not failures:
        return
    if len(failures) == 1:
        raise next(iter(failures.values()))
    listed = _few(f"{version} ({error})" for version, error in sorted(failures.items()))
    kinds = {type(error) for error in failures.values()}
    kind = kinds.pop() if len(kinds) == 1 else DownloadError
    raise kind(f"{len(failures)} of {asked} versions could not be fetched: {listed}")


def _few(texts: Iterable[str], limit: int = 3) -> str:
    listed = list(texts)
    more = f"; and {len(listed) - limit} more" if len(listed) > limit else ""
    return "; ".join(listed[:limit]) + more
