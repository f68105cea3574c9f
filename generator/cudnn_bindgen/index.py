"""Which cuDNN wheels there are: on the index that pip is configured for, on mirrors, in folders."""

from __future__ import annotations

import contextlib
import re
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from pypi_simple import (
    DistributionPackage,
    NoSuchProjectError,
    ProjectPage,
    PyPISimple,
    UnsupportedContentTypeError,
    UnsupportedRepoVersionError,
)

from cudnn_bindgen.errors import DownloadError, UnknownVersionError
from cudnn_bindgen.network import Connection, ContentError, shown
from cudnn_bindgen.pip_settings import PipSettings
from cudnn_bindgen.progress import Reporter
from cudnn_bindgen.versions import Version, resolve
from cudnn_bindgen.wheels import Wheel

__all__ = ["PROJECTS", "Listing", "Offer", "list_wheels"]

# Of one version, the newest CUDA's wheel is taken; the headers are the same.
PROJECTS = ("nvidia-cudnn-cu13", "nvidia-cudnn-cu12", "nvidia-cudnn-cu11")

_WHEEL_NAME = re.compile(
    r"(?P<project>[^-]+)-(?P<version>[^-]+)(?:-(?P<build>\d)[^-]*)?-(?P<python>[^-]+)-(?P<abi>[^-]+)-(?P<platform>[^-]+)\.whl"
)
_PLATFORM = re.compile(r"(?:many)?linux\w*_x86_64")


@dataclass(frozen=True, slots=True)
class Offer:
    """One version that can be fetched, with its wheels in the order in which to try them."""

    version: str
    wheels: tuple[Wheel, ...]

    @property
    def packages(self) -> tuple[str, ...]:
        """The projects that have it, without repetition."""
        return tuple(sorted({wheel.project for wheel in self.wheels}))

    @property
    def development(self) -> bool:
        return Version(self.version).development is not None

    @property
    def yanked(self) -> bool:
        """Every wheel of it was withdrawn."""
        return all(wheel.yanked for wheel in self.wheels)


@dataclass(frozen=True, slots=True)
class Listing:
    """What is on offer.

    Attributes
    ----------
    offers
        By version, ascending.
    useless
        A version to the files it has, none of which is a Linux x86-64 wheel.
    """

    offers: tuple[Offer, ...]
    useless: dict[str, tuple[str, ...]]

    def offer(self, wanted: str) -> Offer:
        """What a version, or the newest build of a partial one, is offered as.

        Raises
        ------
        UnknownVersionError
            Nothing is; the message lists the nearest.
        """
        if wanted in self.useless:
            listed = ", ".join(self.useless[wanted][:3])
            raise UnknownVersionError(
                f"cuDNN {wanted} has no Linux x86-64 wheel, only {listed}; "
                "cudnn-bindgen fetch --list shows what there is"
            )
        known = {offer.version: offer for offer in self.offers}
        # Withdrawn versions are taken only if nothing else fits.
        for yanked in (False, True):
            usable = [version for version, offer in known.items() if yanked or not offer.yanked]
            with contextlib.suppress(UnknownVersionError):
                return known[resolve(wanted, usable)]
        return known[resolve(wanted, known)]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@dataclass(frozen=True, slots=True)
class _File:
    """A file of one of our projects, a wheel or not."""

    version: str
    filename: str
    wheel: Wheel | None


def _file(filename: str, location: str | Path, package: DistributionPackage | None = None) -> _File | None:
    """What a file name says; None for a file of another project."""
    match = _WHEEL_NAME.fullmatch(filename)
    if match is None:
        source = re.fullmatch(r"(.+)-([^-]+)\.(?:tar\.gz|zip)", filename)
        return _File(source[2], filename, None) if source and _normal(source[1]) in PROJECTS else None
    project, version = _normal(match["project"]), match["version"]
    if project not in PROJECTS:
        return None
    fits = any(_PLATFORM.fullmatch(one) for one in match["platform"].split("."))
    with contextlib.suppress(UnknownVersionError):
        Version(version)
        if fits:
            digests = package.digests if package else {}
            wheel = Wheel(
                project,
                version,
                filename,
                location,
                size=package.size if package else None,
                sha256=digests.get("sha256"),
                yanked=bool(package and package.is_yanked),
                build=int(match["build"] or 0),
            )
            return _File(version, filename, wheel)
    return _File(version, filename, None)


def _local(place: str) -> Path | None:
    """The folder that a setting names by path or by file:// URL; None for the URL of a server."""
    try:
        parts = urlsplit(place)
        if parts.scheme == "file":
            return Path(urllib.request.url2pathname(parts.path))
        # One letter is a Windows drive.
        return None if len(parts.scheme) > 1 else Path(place).expanduser()
    except (ValueError, RuntimeError) as error:  # a bracket that never closes, no such home folder
        raise DownloadError(
            f"{place.rpartition('@')[2]} names neither a server nor a folder ({error}); correct the setting"
        ) from error


class _Reader:
    """Reads the places, one after another."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def from_index(self, endpoint: str | None) -> Iterator[_File]:
        """The files that an index has (None: the one that pypi-simple knows)."""
        folder = None if endpoint is None else _local(endpoint)
        if folder is not None:
            yield from self.from_folder(folder)
            return
        session = self._connection.session
        # Not as a context manager: it would close the session, which others go on using.
        client = (
            PyPISimple(session=session)
            if endpoint is None
            else PyPISimple(self._connection.clean(endpoint), session=session)
        )
        for project in PROJECTS:
            what = f"cannot list {project} on {shown(client.endpoint)}"

            def ask(project: str = project) -> ProjectPage | None:
                try:
                    return client.get_project_page(project)
                except NoSuchProjectError:
                    return None
                except _NONSENSE as error:
                    raise ContentError(f"the answer is not a package index's ({type(error).__name__})") from error

            page = self._connection.retrying(what, ask)
            yield from self._packages(page.packages if page else ())

    def from_page(self, url: str) -> Iterator[_File]:
        """The files that a page links to (pip's find-links)."""
        clean = self._connection.clean(url)

        def ask() -> str:
            with contextlib.closing(self._connection.get(clean)) as response:
                return response.text

        text = self._connection.retrying(f"cannot read {shown(url)}", ask)
        yield from self._packages(_links(text, clean))

    def from_folder(self, folder: Path) -> Iterator[_File]:
        """The files in a folder, in the project folders of an index on disk, or that one file."""
        if folder.is_file() and folder.suffix == ".whl":
            entry = _file(folder.name, folder)
            yield from [entry] if entry else []
            return
        if folder.is_file():
            yield from self._on_disk(folder)
            return
        if not folder.is_dir():
            raise DownloadError(f"{folder} does not exist; name a folder with wheels or an index")
        for place in (folder, *(folder / project for project in PROJECTS)):
            if not place.is_dir():
                continue
            for path in sorted(place.iterdir()):
                entry = _file(path.name, path)
                if entry:
                    yield entry
            if place != folder and (place / "index.html").is_file():
                yield from self._on_disk(place / "index.html")

    def _on_disk(self, page: Path) -> Iterator[_File]:
        try:
            text = page.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise DownloadError(f"cannot read {page}: {error.strerror or error}") from error
        yield from self._packages(_links(text, page.resolve().as_uri()))

    def _packages(self, packages: Iterable[DistributionPackage]) -> Iterator[_File]:
        for package in packages:
            location: str | Path = _local(package.url) or self._connection.clean(package.url)
            # A mirror on disk may link to files that it does not hold.
            if isinstance(location, str) or location.is_file():
                entry = _file(package.filename, location, package)
                if entry:
                    yield entry


_Read = Callable[[], Iterable[_File]]

# The JSON of a page that is no index fails in as many ways as there are fields.
_NONSENSE = (UnsupportedContentTypeError, UnsupportedRepoVersionError, ValueError, KeyError, TypeError, AttributeError)


def _links(text: str, base: str) -> list[DistributionPackage]:
    return [
        package
        for project in PROJECTS
        for package in ProjectPage.from_html(project, text, base_url=base).packages
        if package.project is None or _normal(package.project) == project
    ]


def _places(reader: _Reader, settings: PipSettings, place: str | None) -> list[tuple[str, _Read]]:
    """What to read: pairs of a name and how."""
    if place is not None:
        return [(place, partial(reader.from_index, place))]
    found: list[tuple[str, _Read]] = []
    for link in settings.find_links:
        folder = _local(link)
        # pip is silent about a find-links folder that is not there.
        if folder is None:
            found.append((link, partial(reader.from_page, link)))
        elif folder.exists():
            found.append((link, partial(reader.from_folder, folder)))
    if not settings.no_index:
        endpoints = (settings.index_url, *settings.extra_index_urls)
        found += [(endpoint or "the default index", partial(reader.from_index, endpoint)) for endpoint in endpoints]
    return found


def _read(read: _Read) -> list[_File] | DownloadError:
    try:
        return list(read())
    except DownloadError as error:
        return error


def list_wheels(connection: Connection, reporter: Reporter, place: str | None = None) -> Listing:
    """Everything on offer at `place`, or at all the places that pip's settings name.

    A place that fails is told about and passed over, as long as another one has wheels.

    Parameters
    ----------
    place
        The URL of an index, or a folder: an index on disk, or one with wheels in it.

    Raises
    ------
    DownloadError
        No place could be read, or none has a cuDNN wheel.
    """
    reader = _Reader(connection)
    places = _places(reader, connection.settings, place)
    answers = [_read(read) for _, read in places]
    failures = [answer for answer in answers if isinstance(answer, DownloadError)]
    files = [entry for answer in answers if not isinstance(answer, DownloadError) for entry in answer]
    if not any(entry.wheel for entry in files):
        if failures:
            raise failures[0]
        named = ", ".join(shown(name) if "://" in name else name for name, _ in places) or "pip's settings (no-index)"
        raise DownloadError(
            f"{named} has no Linux x86-64 wheel of {_or(PROJECTS)}; name another index with --index-url"
        )
    for failure in failures:
        reporter.note(f"{failure}; going on without it")
    return _listing(files)


def _or(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _listing(files: Iterable[_File]) -> Listing:
    wheels: dict[str, dict[str, Wheel]] = {}
    others: dict[str, list[str]] = {}
    for entry in files:
        if entry.wheel is None:
            others.setdefault(entry.version, []).append(entry.filename)
        else:
            # The same file in several places: the first place counts, but a file on this machine beats a server.
            same = wheels.setdefault(entry.version, {})
            if entry.filename not in same or isinstance(entry.wheel.location, Path) > isinstance(
                same[entry.filename].location, Path
            ):
                same[entry.filename] = entry.wheel
    offers = [
        Offer(str(version), tuple(sorted(wheels[str(version)].values(), key=_rank)))
        for version in sorted(Version(text) for text in wheels)
    ]
    return Listing(
        tuple(offers),
        {version: tuple(dict.fromkeys(names)) for version, names in others.items() if version not in wheels},
    )


def _rank(wheel: Wheel) -> tuple[bool, int, int, str]:
    return wheel.yanked, PROJECTS.index(wheel.project), -wheel.build, wheel.filename
