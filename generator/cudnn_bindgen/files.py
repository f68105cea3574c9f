"""Writing whole files and whole folders or nothing: write beside, then rename."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from cudnn_bindgen.errors import OutputError

__all__ = ["STAMP_FILE", "replace_tree", "write_file"]

# A folder that holds this file was written by `replace_tree` and may be replaced by it.
STAMP_FILE = ".cudnn-bindgen"


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


@contextlib.contextmanager
def _reported(path: Path, remedy: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(f"cannot write {path}: {_reason(error)}; {remedy}") from error


def write_file(path: Path, content: str | bytes) -> None:
    """Replace `path` by `content` in one step; a reader sees the old file or the new one, never a part.

    Raises
    ------
    OutputError
        The file cannot be written; nothing has changed then.
    """
    data = content.encode() if isinstance(content, str) else content
    with _reported(path, "free the disk or choose another place"):
        path.parent.mkdir(parents=True, exist_ok=True)
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
    ``--out`` never removes somebody's work.

    Raises
    ------
    OutputError
        The folder holds something else, or cannot be written; it is left as it was then.
    """
    if folder.exists():
        if not folder.is_dir():
            raise OutputError(f"{folder} is a file; name a folder to write to")
        if any(folder.iterdir()) and not (folder / STAMP_FILE).exists():
            raise OutputError(f"{folder} holds files that cudnn-bindgen did not write; name an empty or new folder")
    with _reported(folder, "free the disk or choose another place"):
        folder.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            beside.chmod(0o755)
            stamp = {STAMP_FILE: "Written by cudnn-bindgen; replaced whole by the next run.\n"}
            for name, content in {**files, **stamp}.items():
                target = beside / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content.encode() if isinstance(content, str) else content)
            _swap(beside, folder)
        finally:
            shutil.rmtree(beside, ignore_errors=True)


def _swap(new: Path, folder: Path) -> None:
    if not folder.exists():
        new.rename(folder)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{folder.name}.old.", dir=folder.parent))
    try:
        folder.rename(old / folder.name)
        try:
            new.rename(folder)
        except BaseException:
            (old / folder.name).rename(folder)
            raise
    finally:
        shutil.rmtree(old, ignore_errors=True)
