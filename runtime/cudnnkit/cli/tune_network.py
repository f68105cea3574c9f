"""``python -m cudnnkit tune --network``: the problems of a whole network, and what deciding them saves."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cudnnkit.cli.output import print_json
from cudnnkit.cli.session import Session, opened, policy_of
from cudnnkit.errors import ArgumentError, CudnnKitError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cudnnkit.network import Asked, NetworkReport, Tuned

__all__ = ["add_network", "run"]


_TYPES = ("float16", "bfloat16", "float32", "float64")
_ENTRY = "a function without arguments that runs your operations or answers (function, arrays)"
_NEEDS = "needs a function and its arrays: --network module:function that answers both"


def add_network(parser: argparse.ArgumentParser) -> None:
    """Add the options of a network."""
    add = parser.add_argument
    add(
        "--network",
        metavar="NAME",
        help="instead of a file: a known network (resnet50 and others, at the batch of the project's table), or "
        f"module:function, {_ENTRY}; with --simulated a known network is made tiny: one image, a seventh of its size, "
        "a sixteenth of the channels",
    )
    add(
        "--dtype", metavar="TYPE",
        help=f"of a known network: {', '.join(_TYPES)} (default: float16); bfloat16 needs torch's arrays",
    )  # fmt: skip
    add("--budget-seconds", type=float, metavar="S", help="for all searches of a network together (default: no bound)")
    add(
        "--refine-seconds", type=float, metavar="S",
        help="then try runners-up in the whole function, with module:function that answers (function, arrays)",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Tune a network's problems, and tell what that saves.

    Raises
    ------
    ArgumentError
        There is no such network, module or function, or a number is out of range.
    """
    import cudnnkit
    from cudnnkit.cli.progress import progress
    from cudnnkit.network import tune_network, tune_problems

    entry = _checked(options)
    report: NetworkReport | None = None
    with opened(options) as session, cudnnkit.use_policy(policy_of(options)) as policy:
        if entry is None:
            asked, function, arrays = _shipped(session, options, policy), None, ()
        else:
            asked, function, arrays = _recorded(entry, options, policy)
        if options.again:
            for one in asked:
                session.tuner.unpin(one.problem)
        # Where the budget does not last, the largest problems had their turn.
        asked = sorted(asked, key=lambda one: -one.count * one.problem.nbytes)
        with progress(len(asked)) as step:
            search = "measure" if policy.search == "heuristic" else policy.search
            tuned = tune_problems(asked, seconds=options.budget_seconds, search=search, step=step)
        if options.refine_seconds:
            if function is None:
                raise ArgumentError("refine-seconds", options.refine_seconds, _NEEDS)
            report = tune_network(function, *arrays, seconds=options.refine_seconds)
    failed = any(one.failure for one in tuned)
    if options.json:
        print_json(_json(tuned, report))
    else:
        _print(tuned, report)
        if options.simulated and entry is None:
            print("simulated: images and channels are tiny, and the layers' times are of the simulated clock")
    return 1 if failed else 0


def _checked(options: argparse.Namespace) -> Callable[[], Any] | None:
    """A user's function, None for a known network; what is wrong with the words is told before a GPU is asked for."""
    from cudnnkit.network.shipped import check_name

    for name in ("budget_seconds", "refine_seconds"):
        value = getattr(options, name)
        if value is not None and not value >= 0:
            raise ArgumentError(name.replace("_", "-"), value, "must be a number of seconds, 0 or more")
    policy_of(options)
    if ":" in options.network:
        if options.dtype is not None:
            raise ArgumentError("dtype", options.dtype, "goes with a known network; your function makes its own arrays")
        return _found(options.network)
    if options.refine_seconds:
        raise ArgumentError("refine-seconds", options.refine_seconds, _NEEDS)
    check_name(options.network)
    if options.dtype is not None and options.dtype not in _TYPES:
        raise ArgumentError("dtype", options.dtype, f"allowed are {', '.join(_TYPES)}")
    return None


def _shipped(session: Session, options: argparse.Namespace, policy: Any) -> list[Asked]:
    """A known network's problems; tiny ones on simulated devices, which compute with NumPy."""
    from cudnnkit.network.shipped import asked_of
    from cudnnkit.network.tiny import tiny

    dtype = options.dtype or "float16"
    session.check_type(dtype)
    found = asked_of(options.network, session.tuner, session.library, session.device, policy, dtype)
    return [replace(one, problem=tiny(one.problem)) for one in found] if options.simulated else found


def _recorded(
    entry: Callable[[], Any], options: argparse.Namespace, policy: Any
) -> tuple[list[Asked], Callable[..., Any] | None, tuple[Any, ...]]:
    """The problems of a user's function, and that function with its arrays where the entry answers both."""
    from cudnnkit.network import problems_of

    answers: list[Any] = []
    with _told(options.network):
        asked = problems_of(lambda: answers.append(entry()))
    (answer,) = answers
    if isinstance(answer, tuple) and answer and callable(answer[0]):
        function, *rest = answer
        arrays = tuple(rest[0]) if len(rest) == 1 and isinstance(rest[0], tuple | list) else tuple(rest)
        with _told(options.network):
            asked = problems_of(function, *arrays)
    else:
        function, arrays = None, ()
    if not asked:
        raise ArgumentError(
            "network", options.network, f"calls no operation of cudnnkit, or with nothing to compute; name {_ENTRY}"
        )
    # Recorded under the heuristic; searched as the policy in force says.
    return [_under(one, policy) for one in asked], function, arrays


def _under(one: Asked, policy: Any) -> Asked:
    mine = one.setting.policy.but(budget_ms=policy.budget_ms)
    return replace(one, setting=replace(one.setting, policy=mine))


def _found(text: str) -> Callable[[], Any]:
    module, _, name = text.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")  # where the command runs, as for `python -m`
    try:
        found = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (Exception, SystemExit) as error:  # a module may do anything
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise ArgumentError(
            "network",
            text,
            f"cannot be imported ({reason}); write module:function of a module that Python finds from here",
        ) from error
    if not callable(found):
        raise ArgumentError("network", text, f"is no function ({type(found).__name__}); name {_ENTRY}")
    result: Callable[[], Any] = found
    return result


@contextlib.contextmanager
def _told(network: str) -> Iterator[None]:
    """What a user's function raises, cudnnkit's own errors excepted, as one sentence that names it."""
    try:
        yield
    except CudnnKitError:
        raise
    except (Exception, SystemExit) as error:
        if isinstance(error, Exception) and os.environ.get("CUDNNKIT_TRACEBACK"):
            raise
        reason = (f"{type(error).__name__}: {error}".splitlines() or ["no reason given"])[0]
        raise ArgumentError("network", network, f"raised {reason} (CUDNNKIT_TRACEBACK=1 shows where)") from error


def _ms(seconds: float | None) -> float | None:
    return None if seconds is None else seconds * 1000


def _milliseconds(one: Tuned) -> tuple[float | None, float | None]:
    """A layer's time by the heuristic's first answer and by the choice, comparable where both are known."""
    if one.times is not None:
        return one.times[0] * 1000, one.times[1] * 1000
    best = None if one.choice is None else one.choice.best
    return None if one.first is None else _ms(one.first.seconds), None if best is None else _ms(best.seconds)


def _totals(tuned: list[Tuned]) -> tuple[float, float, int]:
    """Milliseconds of all layers by the heuristic's first answers and by the choices, and how many layers count."""
    before = after = 0.0
    layers = 0
    for one in tuned:
        if one.times is not None:
            first, now = one.times
            before += one.count * first * 1000
            after += one.count * now * 1000
            layers += one.count
    return before, after, layers


def _json(tuned: list[Tuned], report: NetworkReport | None) -> dict[str, Any]:
    rows = []
    for one in tuned:
        best = None if one.choice is None else one.choice.best
        first, now = _milliseconds(one)
        rows.append({
            "label": one.problem.label, "count": one.count, "status": one.status,
            "candidate": None if best is None else str(best.id), "ms": now,
            "first_candidate": None if one.first is None else str(one.first.id),
            "first_ms": first, "saved_ms": _ms(one.saved),
            "search_seconds": one.seconds, "failure": one.failure,
        })  # fmt: skip
    before, after, _ = _totals(tuned)
    result: dict[str, Any] = {"problems": rows, "first_ms": before, "ms": after}
    if report is not None:
        result["network"] = {
            "before_ms": report.before * 1000, "after_ms": report.after * 1000, "tried": report.tried,
            "left": report.left, "changes": [str(one) for one in report.changes],
        }  # fmt: skip
    return result


def _print(tuned: list[Tuned], report: NetworkReport | None) -> None:
    from cudnnkit.cli.output import print_table

    cells = []
    for one in sorted(tuned, key=lambda one: -(one.saved or 0.0)):
        best = None if one.choice is None else one.choice.best
        first, now = map(_cell, _milliseconds(one))
        what = one.failure or ("-" if best is None else str(best.id))
        cells.append((_cell(_ms(one.saved)), str(one.count), first, now, one.status, what, one.problem.label))
    print_table(("saved ms", "count", "first ms", "ms", "status", "candidate", "problem"), cells)
    searched = sum(one.status == "searched" for one in tuned)
    seconds, failed = sum(one.seconds for one in tuned), sum(bool(one.failure) for one in tuned)
    left = sum(one.status == "left" for one in tuned)
    print(
        f"{len(tuned)} problems: {searched} searched in {seconds:.3g} s, {left} left for lack of time, {failed} failed"
    )
    before, after, layers = _totals(tuned)
    if layers:
        print(
            f"{layers} layers, each alone: {before:.4g} ms by the heuristic's first answers, {after:.4g} ms now "
            f"({before - after:.4g} ms saved a run)"
        )
    if report is not None:
        print(report)


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"
