"""``python -m cudnnkit tune``: decide problems ahead of their use."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cudnnkit.cli.output import one_line, print_json
from cudnnkit.cli.session import Session, add_options, add_policy, opened, policy_of
from cudnnkit.cli.tune_network import add_network, run

if TYPE_CHECKING:
    from cudnnkit.choice import Choice
    from cudnnkit.cli.requests import Request

__all__ = ["register"]


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "tune",
        help="decide the problems of a file or a network ahead of their use",
        description="Decide the problems of a file or a network, on random operands, and keep the decisions in the "
        "cache file. What is decided already stays. The file holds a list of requests, such as "
        '{"operation": "conv2d", "x": [64, 64, 56, 56], "w": [64, 64, 3, 3], "bias": [64], "padding": 1, "activation": '
        '"relu", "dtype": "float16", "layout": "last"}, or is a document of `cache export`, whose problems are decided '
        "anew for this device and these versions.",
        epilog="Exit status 1 when a problem could not be decided, or an entry of the file is no request; the others "
        "are decided all the same. What --budget-seconds left no time "
        "for is no failure: the heuristic's first answer serves it, and its status is `left`.",
    )
    parser.add_argument("problems", nargs="?", metavar="FILE", help="JSON; - is standard input")
    add_network(parser)
    parser.add_argument("--again", action="store_true", help="forget what is known of these problems first, pins too")
    add_policy(parser)
    add_options(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_run, parser=parser)


@dataclass(frozen=True)
class _Tuned:
    """What became of one request: its choice, and whether that was searched for now; or why there is none."""

    place: int
    label: str
    choice: Choice | None = None
    searched: bool = False
    seconds: float = 0.0
    failure: str = ""

    @property
    def status(self) -> str:
        if self.failure:
            return "failed"
        return "nothing to compute" if self.choice is None else "searched" if self.searched else "known"

    def to_json(self) -> dict[str, Any]:
        best = None if self.choice is None else self.choice.best
        return {
            "label": self.label,
            "status": self.status,
            "candidate": None if best is None else str(best.id),
            "ms": None if best is None or best.seconds is None else best.seconds * 1000,
            "workspace": None if best is None else best.workspace,
            "search_seconds": self.seconds,
            "failure": self.failure,
        }

    def line(self) -> str:
        from cudnnkit.cli.cache_rows import milliseconds
        from cudnnkit.sizes import format_bytes

        if self.failure:
            return f"failed    problem {self.place}: {self.label}: {self.failure}"
        if self.choice is None:
            return f"nothing   {self.label}"
        best = self.choice.best
        return (
            f"{self.status:<9} {self.label}: {best.id}, {milliseconds(best.seconds)} ms, {format_bytes(best.workspace)}"
        )


def _run(options: argparse.Namespace) -> int:
    if (options.problems is None) == (options.network is None):
        options.parser.error("give either a file of problems or --network")
    if options.network is None:
        given = [name for name in ("dtype", "budget_seconds", "refine_seconds") if getattr(options, name) is not None]
        if given:
            words = ", ".join(f"--{name.replace('_', '-')}" for name in given)
            options.parser.error(f"{words}: only with --network; a request in a file has its own dtype")
    return _run_file(options) if options.network is None else run(options)


def _run_file(options: argparse.Namespace) -> int:
    from cudnnkit.cli.progress import progress
    from cudnnkit.cli.requests import read_requests

    requests = read_requests(options.problems)
    tuned: list[_Tuned] = []
    policy_of(options)  # wrong options are one error, not one for each problem, and need no GPU to be told
    with opened(options) as session, progress(len(requests)) as step:
        for place, request in enumerate(requests, 1):
            step(request.label)
            tuned.append(_tune(session, place, request, options))
    failed = sum(bool(one.failure) for one in tuned)
    if options.json:
        print_json([one.to_json() for one in tuned])
    else:
        for one in tuned:
            print(one.line())
        searched = sum(one.status == "searched" for one in tuned)
        seconds = sum(one.seconds for one in tuned)
        print(f"{len(tuned)} problems: {searched} searched in {seconds:.3g} s, {failed} failed")
        if options.simulated:
            print("simulated: the candidates' times are of the simulated clock")
    return 1 if failed else 0


def _tune(session: Session, place: int, request: Request, options: argparse.Namespace) -> _Tuned:
    if request.failure:
        return _Tuned(place, request.label, failure=request.failure)
    before = session.tuner.counters
    try:
        choice = _choice(session, request, options)
    except Exception as error:  # the other problems shall still be decided
        return _Tuned(place, request.label, failure=one_line(error))
    after = session.tuner.counters
    seconds = after.search_seconds - before.search_seconds
    return _Tuned(place, request.label, choice, after.searches > before.searches, seconds)


def _choice(session: Session, request: Request, options: argparse.Namespace) -> Choice | None:
    import cudnnkit
    from cudnnkit.decompose import Setting

    if request.problem is None:
        function, keywords = request.call(session.library, session.device)
        with cudnnkit.use_policy(policy_of(options)):
            if options.again:
                cudnnkit.unpin(function, **keywords)
            return cudnnkit.plan(function, **keywords).choice
    policy = policy_of(options, request.problem)
    problem = session.here(request.problem, policy)
    if options.again:
        session.tuner.unpin(problem)
    ready = session.tuner.ready(problem, Setting(session.tuner, policy, session.library, session.device))
    ready.executable.close()
    return ready.choice
