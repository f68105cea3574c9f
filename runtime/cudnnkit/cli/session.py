"""Where commands compute: real devices, or simulated ones with NumPy; and the options that say so."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cudnnkit.errors import ArgumentError

if TYPE_CHECKING:
    from cudnnkit.arrays.view import ArrayLibrary
    from cudnnkit.policy import Policy
    from cudnnkit.problem import Problem
    from cudnnkit.tuner import Tuner

__all__ = ["Session", "add_options", "add_policy", "opened", "policy_of"]

_SIMULATED = "simulated devices; NumPy computes the whole problem, which for a network's large layers takes minutes"


@dataclass(frozen=True)
class Session:
    """What a command works with: who decides, whose arrays, on which device."""

    tuner: Tuner
    library: ArrayLibrary
    device: int

    def check_type(self, dtype: str) -> None:
        """See that the library has arrays of an element type: before a network's problems fail one after the other.

        Raises
        ------
        ArgumentError
            It has none.
        """
        try:
            self.library.empty((0,), (1,), dtype, self.device)
        except TypeError:
            told = "NumPy, which --simulated computes with," if self.library.name == "numpy" else self.library.name
            raise ArgumentError("dtype", dtype, f"{told} has no such arrays; torch has") from None

    def here(self, problem: Problem, policy: Policy) -> Problem:
        """A problem of any machine as one of this device, these versions and this policy.

        Raises
        ------
        ArgumentError
            The library has no arrays of a type of the problem.
        """
        from dataclasses import replace

        for dtype in {one.dtype for one in problem.tensors}:
            self.check_type(dtype)
        backend, name = self.tuner.backend, self.library.name
        return replace(
            problem,
            device=backend.spec(self.device),
            versions=backend.versions(),
            policy=policy.key,
            # Whose kernels compete depends on the arrays that are used here.
            parameters=tuple((key, name if key == "library" else value) for key, value in problem.parameters),
        )


def add_options(parser: argparse.ArgumentParser, *, scratch: bool = False) -> None:
    """Add what says where to compute; `scratch` where decisions go into a temporary file by default."""
    usual = "a temporary one" if scratch else "the user's own"
    parser.add_argument("--path", type=Path, metavar="FILE", help=f"the cache file; {usual} by default")
    parser.add_argument("--device", type=int, default=0, metavar="N", help="the device's index (default: 0)")
    parser.add_argument("--library", choices=("cupy", "torch"), help="whose arrays; CuPy's where it is installed")
    kept = "" if scratch else "; nothing is kept without --path"
    parser.add_argument("--simulated", action="store_true", help=f"{_SIMULATED}{kept}")


def add_policy(parser: argparse.ArgumentParser) -> None:
    """Add fields of the policy."""
    parser.add_argument("--precision", choices=("fast", "no-tf32", "strict"), help="default: fast")
    parser.add_argument("--deterministic", action="store_true", default=None, help="the same bits on every run")
    parser.add_argument("--workspace", metavar="SIZE", help="limit: bytes, '256 MiB', or '10%%' of the memory")
    parser.add_argument("--search", choices=("heuristic", "measure", "exhaustive"), help="default: measure")
    parser.add_argument("--budget-ms", type=float, metavar="MS", help="time for one search (default: 1000)")


def policy_of(options: argparse.Namespace, problem: Problem | None = None) -> Policy:
    """The policy that the options ask for, on top of a problem's own.

    Raises
    ------
    ArgumentError
        A field is out of its range.
    """
    from cudnnkit.policy import Policy, WorkspaceLimit, resolve_policy

    base = None
    if problem is not None:
        key = problem.policy
        base = Policy(
            precision=key.precision,  # type: ignore[arg-type]
            deterministic=key.deterministic,
            workspace=WorkspaceLimit(key.workspace_bytes, key.workspace_fraction),
            tolerance=key.tolerance,
        )
    return resolve_policy(
        base,
        precision=options.precision,
        deterministic=options.deterministic,
        workspace=options.workspace,
        search=options.search,
        budget_ms=options.budget_ms,
    )


@contextlib.contextmanager
def opened(options: argparse.Namespace, *, store: bool = True) -> Iterator[Session]:
    """A session for a block; the runtime's warnings come out afterwards.

    Parameters
    ----------
    options
        Of :func:`add_options`.
    store
        Decisions come from the cache file and go there.

    Raises
    ------
    CudnnKitError
        There is no driver, no GPU, no cuDNN, no array library, or no such device, or the file is no cache file.
    """
    from cudnnkit.cli.output import collected_warnings, warn

    with collected_warnings() as notes, contextlib.ExitStack() as stack:
        try:
            yield _session(options, store, stack)
        finally:
            for note in notes:
                warn(note)


def _session(options: argparse.Namespace, store: bool, stack: contextlib.ExitStack) -> Session:
    from cudnnkit.cli.cache_files import check_ours, default_path
    from cudnnkit.store import Store
    from cudnnkit.tuner import Tuner, use_tuner

    if options.simulated and options.library is not None:
        raise ArgumentError(
            "library", options.library, "--simulated computes with NumPy's arrays; leave one of them out"
        )
    if options.path is not None:
        check_ours(options.path)
    if options.simulated:
        from cudnnkit.testing import simulated

        kept = Store(options.path) if store and options.path is not None else None
        device = stack.enter_context(simulated(store=kept))
        assert device.tuner is not None
        device.before_search = _telling()
        _check_device(options.device, device.devices)
        session = Session(device.tuner, device.library, 0)
    else:
        from cudnnkit.arrays.registry import library_named
        from cudnnkit.backend import CudnnBackend
        from cudnnkit.driver import DriverError, driver
        from cudnnkit.library import library

        try:
            devices = driver().devices
        except DriverError as error:
            hint = f"{error.reason}; --simulated needs no GPU"
            raise DriverError(error.call, error.code, hint) from None
        _check_device(options.device, devices)
        library()
        if store and options.path is None:
            default_path()  # tells what is wrong with the folder
        kept = Store(options.path) if store else None
        tuner = stack.enter_context(use_tuner(Tuner(CudnnBackend(), kept)))
        session = Session(tuner, library_named(options.library or _installed()), options.device)
    if kept is not None:
        stack.callback(kept.close)
    return session


def _telling() -> Callable[[Problem], None]:
    """What says of a command's first large problem that NumPy takes its time, on standard error."""
    from cudnnkit.cli.output import warn
    from cudnnkit.testing.work import LARGE, multiplications, search_seconds

    told = False

    def tell(problem: Problem) -> None:
        nonlocal told
        count = multiplications(problem)
        if told or count <= LARGE:
            return
        told = True
        seconds = search_seconds(problem)
        long = f"{seconds:.2g} s" if seconds < 100 else f"{seconds / 60:.0f} min"
        warn(
            f"NumPy computes {problem.label}: {count:.2g} multiplications, about {long} for its search; "
            "a smaller batch shows the same candidates",
            "note",
        )

    return tell


def _check_device(device: int, count: int) -> None:
    if not 0 <= device < count:
        raise ArgumentError("device", device, f"there are {count}, counted from 0")


def _installed() -> str:
    from importlib.util import find_spec

    for name in ("cupy", "torch"):
        if find_spec(name) is not None:
            return name
    raise ArgumentError("library", None, "neither CuPy nor torch is installed; install cupy-cuda12x or cupy-cuda13x")
