"""Parsing the command line, and turning every failure into one sentence and an exit status."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from cudnn_bindgen.errors import BindgenError, MissingDependencyError

__all__ = ["TRACE_VARIABLE", "main"]

# In the order of the help text. A module here imports the generator's dependencies inside its functions only.
TRACE_VARIABLE = "CUDNN_BINDGEN_TRACE"

_COMMANDS = ("fetch", "generate", "history", "render", "verify", "model", "schema", "list", "show", "diff")


class _Version(argparse.Action):
    """``--version``: the project's, and which cuDNN versions this one knows."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import PackageNotFoundError, version

        from cudnn_bindgen.history import History

        try:
            own = version("cudnnkit")
        except PackageNotFoundError:
            own = "not installed"
        try:
            known = History.load().versions
            told = f"knows {len(known)} cuDNN versions, {known[0]} to {known[-1]}"
        except BindgenError as error:
            told = str(error)
        print(f"{parser.prog} {own}, {told}")
        parser.exit()


class _Command(Protocol):
    def register(self, commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None: ...


def _command(name: str) -> _Command:
    module: _Command = importlib.import_module(f"cudnn_bindgen.cli.{name}_command")
    return module


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cudnn-bindgen",
        description="Turn NVIDIA's cuDNN headers into typed bindings, and answer questions about every version.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in _COMMANDS:
        _command(name).register(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; a failure is one sentence on standard error."""
    with _streams(), _signals():
        return _run(arguments)


def _run(arguments: Sequence[str] | None) -> int:
    try:
        options = _parser().parse_args(arguments)
        status: int = options.run(options)
        sys.stdout.flush()
    except BindgenError as error:
        return _fail(str(error), error.exit_status)
    except ModuleNotFoundError as error:
        missing = MissingDependencyError(
            f"this command needs the package {error.name}, of the extra generator; in a checkout of cudnnkit, "
            "install it with: pip install '.[generator]'"
        )
        return _fail(str(missing), missing.exit_status)
    except BrokenPipeError:
        # The reader (head, less) has gone; Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return _fail("interrupted; nothing was left half-written", 130)
    except OSError as error:
        return _fail(f"{error.filename or 'the system'}: {error.strerror or error}", 1)
    except Exception as error:
        # A fault of ours; nobody but us can use its traceback.
        if os.environ.get(TRACE_VARIABLE):
            raise
        told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return _fail(f"unexpected {told}; please report it with what {TRACE_VARIABLE}=1 prints", 1)
    return status


def _fail(message: str, status: int) -> int:
    with contextlib.suppress(OSError):
        print(f"cudnn-bindgen: error: {message}", file=sys.stderr)
    return status


@contextlib.contextmanager
def _streams() -> Iterator[None]:
    """Run also where standard output or error was closed (``>&-``): Python has None for such a stream.

    What the terminal's encoding lacks, as in a header's comments or a file's name, is printed as an escape.
    """
    output, error = sys.stdout, sys.stderr
    for stream in (output, error):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with contextlib.ExitStack() as stack:
        if output is None or error is None:
            nowhere = stack.enter_context(Path(os.devnull).open("w", encoding="utf-8"))
            sys.stdout, sys.stderr = output or nowhere, error or nowhere
        try:
            yield
        finally:
            sys.stdout, sys.stderr = output, error


@contextlib.contextmanager
def _signals() -> Iterator[None]:
    """End like an interrupt when told to end or when the terminal closes, so that what is beside gets cleaned up."""
    before = {}
    for name in ("SIGTERM", "SIGHUP"):
        with contextlib.suppress(ValueError, AttributeError):  # another thread's call; another system
            number = getattr(signal, name)
            # nohup leaves SIGHUP ignored, and that must stay.
            if signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
