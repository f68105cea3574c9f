"""The cache: headers and libraries that were fetched once, each version a folder that is there whole or not at all.

::

    <root>/headers/9.28.1.4/cudnn.h ... manifest.json
    <root>/libraries/9.28.1.4/libcudnn.so.9 ... manifest.json

A folder is written beside and renamed, so neither an interrupted run nor two runs at once leave half of one. The
manifest names the wheel and the sha256 of every file.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cudnn_bindgen.errors import OutputError, UnknownVersionError
from cudnn_bindgen.files import remedy
from cudnn_bindgen.versions import Version

__all__ = ["ENVIRONMENT_VARIABLE", "MANIFEST", "Cache", "Manifest", "sha256"]

ENVIRONMENT_VARIABLE = "CUDNN_BINDGEN_CACHE"
MANIFEST = "manifest.json"
_FORMAT = 1
# What an earlier run left when it was killed outright is removed by a later run once nobody can still be writing it.
_ABANDONED_SECONDS = 24 * 3600
_RENAMES = 100


def sha256(path: Path) -> str:
    """The hexadecimal SHA-256 of a file, read in pieces."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while piece := stream.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Manifest:
    """Where the files of one folder came from.

    Attributes
    ----------
    version
        The full version of the wheel, ``9.28.1.4``.
    wheel
        The wheel's file name.
    files
        File name (with ``/`` for folders) to SHA-256.
    """

    version: str
    wheel: str
    files: Mapping[str, str]

    def to_text(self) -> str:
        content = {
            "format": _FORMAT,
            "version": self.version,
            "wheel": self.wheel,
            "files": dict(sorted(self.files.items())),
        }
        return json.dumps(content, indent=1) + "\n"

    @classmethod
    def read(cls, folder: Path) -> Manifest | None:
        """The manifest of `folder`; None where it is missing, damaged or of another format."""
        try:
            content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
            if content["format"] != _FORMAT:
                return None
            files = {str(name): str(digest) for name, digest in content["files"].items()}
            return cls(str(content["version"]), str(content["wheel"]), files)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def matches(self, folder: Path, *, contents: bool = True) -> bool:
        """Every file is in `folder`, with the right contents (`contents` False: only there)."""
        paths = ((folder / name, digest) for name, digest in self.files.items())
        try:
            return all(path.is_file() and (not contents or sha256(path) == digest) for path, digest in paths)
        except OSError:
            return False


@dataclass(frozen=True, slots=True)
class Cache:
    """The cache under one folder; nothing is created before something is written."""

    root: Path

    @classmethod
    def default(cls) -> Cache:
        """The folder that ``CUDNN_BINDGEN_CACHE`` names, else the user's cache folder on this system."""
        if named := os.environ.get(ENVIRONMENT_VARIABLE):
            try:
                return cls(Path(named).expanduser())
            except RuntimeError as error:
                message = f"{ENVIRONMENT_VARIABLE}={named}: there is no such home folder; write the path without ~"
                raise OutputError(message) from error
        # Not at the top: listing from the committed history works without the package.
        import platformdirs

        return cls(platformdirs.user_cache_path("cudnn-bindgen", appauthor=False))

    def headers(self, version: str) -> Path:
        """Where the headers of a full version are or would be."""
        return self.root / "headers" / version

    def libraries(self, version: str) -> Path:
        """Where the shared objects of a full version are or would be."""
        return self.root / "libraries" / version

    def versions(self) -> tuple[str, ...]:
        """The full versions whose headers are here, ascending."""
        found = []
        with contextlib.suppress(OSError):
            for folder in (self.root / "headers").iterdir():
                with contextlib.suppress(UnknownVersionError):
                    version = Version(folder.name)
                    if (folder / MANIFEST).is_file():
                        found.append(version)
        return tuple(str(version) for version in sorted(found))

    @contextlib.contextmanager
    def turn(self, folder: Path, waiting: Callable[[], None]) -> Iterator[None]:
        """Let one process or thread at a time bring `folder`, so that two runs do not download the same thing.

        It only spares work: what is written is whole without it, and systems that know no such locks do without.

        Parameters
        ----------
        waiting
            Called once when somebody else has the turn.
        """
        with contextlib.ExitStack() as stack:
            with contextlib.suppress(ImportError, OSError):
                import fcntl

                folder.parent.mkdir(parents=True, exist_ok=True)
                stream = stack.enter_context((folder.parent / f".{folder.name}.lock").open("ab"))
                try:
                    fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    waiting()
                    fcntl.flock(stream, fcntl.LOCK_EX)
            yield

    @contextlib.contextmanager
    def staged(self, folder: Path) -> Iterator[Path]:
        """A new folder to write to, which becomes `folder` when the block ends well and vanishes when it does not.

        Raises
        ------
        OutputError
            The cache cannot be written: full disk, permissions.
        """
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            _sweep(folder.parent)
            beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
            try:
                yield beside
                beside.chmod(0o755)
                _settle(beside, folder)
            finally:
                shutil.rmtree(beside, ignore_errors=True)
        except OSError as error:
            way = remedy(error, f"choose another cache with --cache or {ENVIRONMENT_VARIABLE}")
            raise OutputError(f"cannot write {folder}: {error.strerror or error}; {way}") from error

    def store(self, folder: Path, files: Mapping[str, bytes], *, version: str, wheel: str) -> Manifest:
        """Write `files` and their manifest as `folder`, in one step."""
        digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
        manifest = Manifest(version, wheel, digests)
        with self.staged(folder) as beside:
            for name, content in files.items():
                target = beside / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
            (beside / MANIFEST).write_text(manifest.to_text(), encoding="utf-8")
        return manifest


def _settle(beside: Path, folder: Path) -> None:
    """Rename `beside` to `folder`, whatever is there; a rival who renames between our two steps makes us try again."""
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent, ignore_cleanup_errors=True) as aside:
        for attempt in range(_RENAMES):
            try:
                beside.rename(folder)
            except OSError as error:
                if error.errno not in (errno.ENOTEMPTY, errno.EEXIST) or attempt == _RENAMES - 1:
                    raise
            else:
                return
            # What was there is removed only afterwards: the shorter the gap, the fewer readers find nothing.
            with contextlib.suppress(FileNotFoundError):
                folder.rename(Path(aside) / str(attempt))


def _sweep(parent: Path) -> None:
    before = time.time() - _ABANDONED_SECONDS
    for path in parent.glob(".*"):
        with contextlib.suppress(OSError):
            if path.is_dir() and path.stat().st_mtime < before:
                shutil.rmtree(path, ignore_errors=True)
