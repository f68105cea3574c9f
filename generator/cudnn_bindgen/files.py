"""Writing whole files and whole folders or nothing: write beside, then rename."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from cudnn_bindgen.errors import OutputError

__all__ = ["STAMP_FILE", "check_place", "locked", "remedy", "replace_tree", "write_file"]

# A folder that holds this file was written by `replace_tree` and may be replaced by it.
STAMP_FILE = ".cudnn-bindgen"
# No run takes this long: what is older beside a folder was left by one that was killed.
_ABANDONED_SECONDS = 3600


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


def remedy(error: OSError, choose: str) -> str:
    """What helps against an error of writing: `choose` (``"choose another place"``), and room where there is none."""
    return f"free the disk, or {choose}" if error.errno in (errno.ENOSPC, errno.EDQUOT) else choose


@contextlib.contextmanager
def _reported(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        told = f"{_reason(error)}; {remedy(error, 'choose another place')}"
        raise OutputError(f"cannot write {path}: {told}") from error


def check_place(*files: Path | None) -> None:
    """Whether the folders that files are to be written into are there: asked before the work, not after it.

    Raises
    ------
    OutputError
        One is missing; a mistyped path makes no new folders.
    """
    for file in files:
        if file is not None and not os.path.lexists(file.parent):
            raise OutputError(
                f"cannot write {file}: there is no folder {file.parent}; make it, or choose another place"
            )


def write_file(path: Path, content: str | bytes) -> None:
    """Replace `path` by `content` in one step; a reader sees the old file or the new one, never a part.

    Its folder must be there. A symbolic link stays, and the file that it leads to is replaced. What is no file, such as
    ``/dev/stdout`` or a named pipe, is written to.

    Raises
    ------
    OutputError
        The file cannot be written; nothing has changed then.
    """
    data = content.encode() if isinstance(content, str) else content
    check_place(path)
    with _reported(path):
        if path.exists() and not path.is_file() and not path.is_dir():
            path.write_bytes(data)
            return
        path = Path(os.path.realpath(path))
        descriptor, beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(data)
            Path(beside).chmod(0o644)
            os.replace(beside, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(beside)
            raise


def replace_tree(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Make `folder` hold exactly `files` (relative path to content), in one step.

    An existing folder is replaced only when it is empty or carries the mark of an earlier call, so that a mistyped
    ``--out`` never removes somebody's work. Runs that write the same folder at once take turns.

    Raises
    ------
    OutputError
        The folder holds something else, or cannot be written; it is left as it was then.
    """
    with _reported(folder):
        folder = Path(os.path.realpath(folder))
        folder.parent.mkdir(parents=True, exist_ok=True)
        # In turn: while another run swaps the folder, its mark is away for a moment.
        with locked(folder.parent):
            _refuse_foreign(folder)
        _sweep(folder)
        beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            beside.chmod(0o755)
            # The mark comes first: it tells a later run that what a killed one left may go.
            (beside / STAMP_FILE).write_text("Written by cudnn-bindgen; replaced whole by the next run.\n")
            for name, content in files.items():
                target = beside / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content.encode() if isinstance(content, str) else content)
            with locked(folder.parent):
                _refuse_foreign(folder)
                _swap(beside, folder)
        finally:
            shutil.rmtree(beside, ignore_errors=True)


def _refuse_foreign(folder: Path) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise OutputError(f"{folder} is a file; name a folder to write to")
    if any(folder.iterdir()) and not (folder / STAMP_FILE).exists():
        raise OutputError(f"{folder} holds files that cudnn-bindgen did not write; name an empty or new folder")


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """One process or thread at a time; systems that cannot lock a folder do without.

    The lock goes with the process, and leaves no file behind.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            descriptor = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, descriptor)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield


def _sweep(folder: Path) -> None:
    """Remove what runs that were killed outright left beside `folder`."""
    before = time.time() - _ABANDONED_SECONDS
    for path in folder.parent.iterdir():
        with contextlib.suppress(OSError):
            if (
                path.name.startswith(f".{folder.name}.")
                and (path / STAMP_FILE).is_file()
                and path.stat().st_mtime < before
            ):
                shutil.rmtree(path, ignore_errors=True)


def _swap(new: Path, folder: Path) -> None:
    if not folder.exists():
        new.rename(folder)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{folder.name}.old.", dir=folder.parent))
    try:
        (old / STAMP_FILE).touch()
        folder.rename(old / folder.name)
        try:
            new.rename(folder)
        except BaseException:
            (old / folder.name).rename(folder)
            raise
    finally:
        shutil.rmtree(old, ignore_errors=True)
