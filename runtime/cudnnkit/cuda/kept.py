"""Machine code kept in the user's cache folder, since compiling takes 0.1 to 0.6 s a kernel and every process needs it.

A file is named by the digest of what it was compiled from, and begins with the digest of its own content: one that is
damaged is compiled anew. Nothing here stops a computation; where the folder cannot be written, each process compiles.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from functools import cache
from pathlib import Path

from cudnnkit.cuda.compiler import compile_kernel
from cudnnkit.folder import cache_folder, is_read_only

__all__ = ["machine_code"]

_DIGEST = hashlib.sha256().digest_size


def machine_code(source: str, architecture: tuple[int, int]) -> bytes:
    """The cubin for a source and an architecture, from the folder or compiled (and then kept).

    ``CUDNNKIT_CACHE_DIR`` moves the folder, ``CUDNNKIT_CACHE_READ_ONLY=1`` leaves it as it is.

    Raises
    ------
    OSError, UnsupportedError
        As :func:`cudnnkit.cuda.compiler.compile_kernel`.
    """
    name = hashlib.sha256(f"{architecture} {source}".encode()).hexdigest()
    try:
        path = cache_folder() / "kernels" / f"{name}.cubin"
    except OSError as error:
        _without(str(error))
        return compile_kernel(source, architecture)
    with contextlib.suppress(OSError):
        content = path.read_bytes()
        digest, code = content[:_DIGEST], content[_DIGEST:]
        if hashlib.sha256(code).digest() == digest:
            return code
    code = compile_kernel(source, architecture)
    if not is_read_only():
        with contextlib.suppress(OSError):
            _write(path, hashlib.sha256(code).digest() + code)
    return code


@cache
def _without(reason: str) -> None:
    """Log once that there is no folder."""
    import logging

    logging.getLogger("cudnnkit").warning("kept machine code: %s; going on without", reason)


def _write(path: Path, content: bytes) -> None:
    """At once, so that no other process sees a part of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
