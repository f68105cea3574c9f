"""``python -m cudnnkit explain``: every candidate for a problem, and why this one."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from cudnnkit.cli.output import one_line, print_json, warn
from cudnnkit.cli.session import Session, add_options, add_policy, opened, policy_of

if TYPE_CHECKING:
    from cudnnkit.cli.requests import Request
    from cudnnkit.plans import Explanation

__all__ = ["explained", "register"]


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "explain",
        help="every candidate for a problem, with time, workspace, precision, notes, and why this one",
        description="Show every candidate for a problem with time, workspace, precision and notes, and why the one in "
        "use was chosen. A decision that is on disk already is explained by measuring anew.",
        epilog="Example: python -m cudnnkit explain conv2d x=64x64x56x56 w=64x64x3x3 bias=64 padding=1 activation=relu "
        "--dtype float16 --layout last. A value may be written as in Python: \"activation=('elu', 1.0)\". "
        "Exit status 1 when a problem of a file could not be explained; the others are.",
    )
    parser.add_argument("operation", nargs="?", metavar="OPERATION", help="such as conv2d or conv_data_gradient")
    parser.add_argument("arguments", nargs="*", metavar="NAME=VALUE", help="shapes (x=64x3x224x224) and arguments")
    parser.add_argument("--problem", metavar="FILE", help="problems from JSON instead, as for `tune`; - is stdin")
    parser.add_argument(
        "--dtype", metavar="TYPE", help="float16, bfloat16 (torch's arrays), float32 (default) or float64"
    )
    parser.add_argument("--layout", choices=("first", "last"), help="channels first (NCHW, default) or last (NHWC)")
    add_policy(parser)
    add_options(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_run, parser=parser)


def _run(options: argparse.Namespace) -> int:
    from cudnnkit.cli.requests import from_arguments, read_requests

    if (options.operation is None) == (options.problem is None):
        options.parser.error("give either an operation with its shapes, or --problem FILE")
    if options.problem is not None:
        if options.dtype is not None or options.layout is not None:
            options.parser.error("--dtype and --layout go with shapes on the command line; a file has its own")
        requests = read_requests(options.problem)
    else:
        words = options.arguments
        requests = [from_arguments(options.operation, words, dtype=options.dtype, layout=options.layout)]
    policy_of(options)  # what is wrong with the words is told before a GPU is asked for
    with opened(options) as session:
        found = [_explained_or_told(session, request, options) for request in requests]
    failed = [(place, one) for place, one in enumerate(found, 1) if isinstance(one, str)]
    if options.json:
        data = [{"failure": one} if isinstance(one, str) else one.to_json() for one in found]
        print_json(data[0] if options.problem is None else data)
    elif len(failed) < len(found):
        print("\n\n".join(str(one) for one in found if not isinstance(one, str)))
    for place, failure in failed:
        name = "standard input" if options.problem == "-" else options.problem
        warn(f"{name}: problem {place}: {requests[place - 1].label}: {failure}", "error")
    return 1 if failed else 0


def _explained_or_told(session: Session, request: Request, options: argparse.Namespace) -> Explanation | str:
    """As :func:`explained`; for a problem out of a file, whose others shall still be explained, why it cannot be."""
    if request.failure:
        return request.failure
    try:
        return explained(session, request, options)
    except Exception as error:
        if options.problem is None or os.environ.get("CUDNNKIT_TRACEBACK"):
            raise
        return one_line(error)


def explained(session: Session, request: Request, options: argparse.Namespace) -> Explanation:
    """How the choice for a request came about.

    Raises
    ------
    CudnnKitError
        The request is wrong, or nothing computes it.
    """
    import cudnnkit
    from cudnnkit.choice import Choice
    from cudnnkit.decompose import Setting
    from cudnnkit.plans import Explanation

    if request.problem is None:
        function, keywords = request.call(session.library, session.device)
        with cudnnkit.use_policy(policy_of(options)):
            return cudnnkit.explain(function, **keywords)
    policy = policy_of(options, request.problem)
    problem = session.here(request.problem, policy)
    report = session.tuner.explain(problem, Setting(session.tuner, policy, session.library, session.device))
    decision = session.tuner.cache.peek(problem)
    return Explanation(problem, decision if isinstance(decision, Choice) else None, report)
