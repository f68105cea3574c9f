"""Arguments of the benchmark scripts, checked before anything asks for torch or a GPU, and how a script ends."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

__all__ = ["MISREAD", "check_places", "check_resume", "ended", "number", "torch_ready", "whole"]

MISREAD = (ValueError, TypeError, LookupError, AttributeError, RecursionError)
"""What reading a damaged file raises, or one of another program: no UTF-8, no JSON, nested too deeply, other fields."""

_MOST = 2**31 - 1


def whole(least: int) -> Callable[[str], int]:
    """A type for ``add_argument``: a whole number, `least` or more, that 32 bits hold."""

    def read(text: str) -> int:
        digits = text.lstrip("0") or text[-1:]
        known = digits.isascii() and digits.isdigit() and len(digits) <= len(str(_MOST))
        if not (known and least <= int(digits) <= _MOST):
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number of {least} to {_MOST}")
        return int(digits)

    return read


def number(text: str) -> float:
    """A type for ``add_argument``: a number, 0 or more; ``inf`` is one."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not value >= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of 0 or more")
    return value


def check_resume(parser: argparse.ArgumentParser, path: Path | None, read: Callable[[Path], None]) -> None:
    """End the script with status 2 where ``--resume`` names a file that cannot be read, or is of another script."""
    if path is None:
        return
    try:
        read(path)
    except OSError as error:
        parser.error(f"argument --resume: {path}: {error.strerror}; leave --resume away for a new run")
    except MISREAD as error:
        parser.error(f"argument --resume: {path} was not written by this script ({type(error).__name__}: {error})")


def check_places(parser: argparse.ArgumentParser, results: Path | None, cache: Path | None) -> None:
    """End the script with status 2 where ``--json`` or ``--cache`` cannot be written: hours later is too late."""
    for option, path in (("--json", results), ("--cache", cache)):
        if path is None:
            continue
        there = next(one for one in (path, *path.absolute().parents) if os.path.lexists(one))
        if there == path and path.is_dir() != (option == "--cache"):
            parser.error(f"argument {option}: {path} is {'a' if path.is_dir() else 'no'} folder")
        if there != path and not there.is_dir():
            parser.error(f"argument {option}: {path}: {there} is no folder")
        if not os.access(there, os.W_OK):
            parser.error(f"argument {option}: {path}: {there} cannot be written")


def ended(main: Callable[[], int]) -> int:
    """Run a script; where its reader has gone (``| head``) or its output cannot be written, it ends with status 1."""
    try:
        status = main()
        if sys.stdout is not None:  # as a shell's >&- leaves it
            sys.stdout.flush()
        return status
    except BrokenPipeError:
        pass
    except OSError as error:
        print(f"{Path(sys.argv[0]).name}: error: {error.filename or 'output'}: {error.strerror}", file=sys.stderr)
    # Python would complain again when it flushes at its end.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 1


def torch_ready(script: str) -> bool:
    """Whether torch is installed and has a GPU; where not, one sentence on standard error tells what is missing."""
    try:
        import torch
    except ModuleNotFoundError:
        print(f"{script}: error: needs torch to compare with; install it with: pip install torch", file=sys.stderr)
        return False
    if not torch.cuda.is_available():
        print(f"{script}: error: no GPU that torch can use", file=sys.stderr)
        return False
    return True
