"""Arguments of the benchmark scripts, checked before anything asks for torch or a GPU."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

__all__ = ["check_resume", "number", "torch_ready", "whole"]

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
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        parser.error(f"argument --resume: {path} was not written by this script ({type(error).__name__}: {error})")


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
