"""Parsing the command line, and turning every failure into one sentence and an exit status."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import cudnnkit
from cudnnkit.errors import CudnnKitError

__all__ = ["main"]

# In the order of the help text. A module here imports what costs time or may be missing inside its functions only.
_COMMANDS = ("info", "demo", "explain", "tune", "cache")


class _Command(Protocol):
    def register(self, commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None: ...


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m cudnnkit",
        description="Look at what cudnnkit found and decided, tune problems ahead of time, and manage the cache file.",
        epilog="Exit status: 0 when all went well, 1 on a failure (one sentence on standard error), 2 when the command "
        "line is wrong.",
    )
    parser.add_argument("--version", action="version", version=f"cudnnkit {cudnnkit.__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in _COMMANDS:
        command: _Command = importlib.import_module(f"cudnnkit.cli.{name}_command")
        command.register(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; a failure is one sentence on standard error."""
    _open_streams()
    parser = _parser()
    options, rest = parser.parse_known_args(arguments)
    if rest:
        # argparse takes positional words in one run only; these may stand between and behind options.
        if not hasattr(options, "arguments") or any(word.startswith("-") or "=" not in word for word in rest):
            parser.error(f"unrecognized arguments: {' '.join(rest)}")
        options.arguments += rest
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except CudnnKitError as error:
        return _fail(str(error), 1)
    except ModuleNotFoundError as error:
        return _fail(f"this command needs the package {error.name}; install it with: pip install {error.name}", 1)
    except BrokenPipeError:
        # The reader (head, less) has gone; Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return _fail("interrupted", 130)
    except UnicodeDecodeError as error:
        return _fail(f"a file is no UTF-8 text: {error.reason} at byte {error.start}", 1)
    except OSError as error:
        return _fail(f"{error.filename or 'the system'}: {error.strerror or error}", 1)
    except MemoryError as error:  # an array library's: cudnnkit's own is a CudnnKitError
        return _fail((str(error).splitlines() or ["there is not enough memory"])[0], 1)
    except Exception as error:  # of cuDNN, of an array library, or our own fault
        if os.environ.get("CUDNNKIT_TRACEBACK"):
            raise
        told = (str(error).splitlines() or ["no reason given"])[0]
        return _fail(f"{type(error).__name__}: {told} (CUDNNKIT_TRACEBACK=1 shows where)", 1)
    return status


def _open_streams() -> None:
    """What a shell closed (``>&-``) is None in Python: nothing is read from it, and what is written goes nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def _fail(message: str, status: int) -> int:
    print(f"cudnnkit: error: {message}", file=sys.stderr)
    return status
