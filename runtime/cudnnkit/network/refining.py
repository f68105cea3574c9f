"""Choosing in the network: runners-up of each search are tried in the whole function, which is what is timed.

A search times a layer alone, over and over: its operands are in the cache, its neighbours are itself. A candidate may
win there and lose between other kernels. Here each distinct problem's decision is replaced by a runner-up, the whole
function is recorded anew, and both recordings are timed in turns.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from cudnnkit.cache import DecisionCache
from cudnnkit.candidates import CandidateId
from cudnnkit.choice import Alternative, Choice, smaller_and_smaller
from cudnnkit.decompose.setting import Setting
from cudnnkit.dispatch import dropped
from cudnnkit.errors import ArgumentError, ArgumentTypeError, UnsupportedError
from cudnnkit.measure import measuring, median
from cudnnkit.network.listing import Asked, problems_of, unwrapped
from cudnnkit.network.tuning import Measured, measured_of
from cudnnkit.numbers import is_number
from cudnnkit.policy import EFFORTS
from cudnnkit.problem import Problem
from cudnnkit.recording import Captured, capture
from cudnnkit.tuner import GENERATION

__all__ = ["Change", "NetworkReport", "tune_network"]

WITHIN = 0.15
"""Candidates up to this share slower than the choice, alone, are tried in the network."""
MOST_ALTERNATIVES = 3
_PAIRS = 9
_FEWEST_PAIRS = 3
_WARM_UP = 2
_LEAST_GAIN = 0.001
"""Share of the whole's time below which a gain counts as noise, however steady it looks."""
_MAJORITY = 0.8


@dataclass(frozen=True)
class Change:
    """A decision that lost in the network.

    Attributes
    ----------
    problem, count
        What, and how often it stands in the function.
    before, after
        The candidate that won alone, and the one that wins in the network.
    seconds
        Of the whole function before and after.
    """

    problem: Problem
    count: int
    before: CandidateId
    after: CandidateId
    seconds: tuple[float, float]

    def __str__(self) -> str:
        first, second = (one * 1000 for one in self.seconds)
        return f"{self.problem.label}: {self.after} instead of {self.before}: {first:.4g} -> {second:.4g} ms in all"


@dataclass(frozen=True)
class NetworkReport:
    """What :func:`tune_network` did; its text is a line for each change.

    Attributes
    ----------
    before, after
        Seconds of the whole function.
    problems
        Distinct problems.
    tried, left
        Runners-up that were timed in the network, and that the budget left no time for.
    changes
        What was changed, in order.
    failures
        Pairs of a runner-up in words and why it could not be tried.
    seconds
        What it took.
    """

    before: float
    after: float
    problems: int
    tried: int
    left: int
    changes: tuple[Change, ...]
    failures: tuple[tuple[str, str], ...]
    seconds: float

    def __str__(self) -> str:
        head = (
            f"{self.before * 1000:.4g} -> {self.after * 1000:.4g} ms: {self.problems} problems, {self.tried} "
            f"runners-up tried in the network, {len(self.changes)} kept, {self.left} left, {self.seconds:.3g} s"
        )
        failed = (f"could not be tried: {name}: {why}" for name, why in self.failures)
        return "\n".join([head, *map(str, self.changes), *failed])


def tune_network(
    function: Callable[..., Any], /, *arguments: Any, seconds: float = 30.0, within: float = WITHIN, **keywords: Any
) -> NetworkReport:
    """Search a function's problems, then try the runners-up in the whole function and keep those that make it faster.

    What is kept becomes the decision, here and on disk, for this function and any other with the same problem; pinned
    choices stay. Recordings that :func:`cudnnkit.capture` made before are made anew where anything changed.

    Parameters
    ----------
    function
        A function of arrays as :func:`cudnnkit.capture` takes, or what that made.
    arguments, keywords
        What it is called with; the function runs, and what it writes into its arguments stays there.
    seconds
        When to stop. The searches come first and are not cut short: each has the policy's ``budget_ms``.
    within
        Share by which a candidate may have been slower than the choice, alone, to be tried. The fastest of the other
        kind (fused or in several steps) is tried whatever it took up to twice the choice's time.

    Returns
    -------
    NetworkReport

    Raises
    ------
    ArgumentError, ArgumentTypeError
        `seconds` or `within` is negative or no number; the function calls no operation.
    CaptureError
        The function cannot be recorded.
    Exception
        Whatever the function raises.

    Notes
    -----
    Interrupted (Ctrl+C), it keeps what was changed so far, on disk too, and puts back what it was trying.

    A runner-up stays if it wins four turns of five and the medians differ by more than the turns of the recording in
    force scatter, and by 0.1 % at least.

    Examples
    --------
    >>> report = tune_network(network, x, seconds=60)  # doctest: +SKIP
    >>> print(report)  # doctest: +SKIP
    """
    for name, value in (("seconds", seconds), ("within", within)):
        if not is_number(value):
            raise ArgumentTypeError(name, value, "must be a number")
        if not value >= 0:
            raise ArgumentError(name, value, "must be 0 or more")
    asked = problems_of(function, *arguments, search=True, **keywords)
    if not asked:
        raise ArgumentTypeError("function", function, "calls no operation of cudnnkit, or with nothing to compute")
    return _Refining(unwrapped(function), arguments, keywords, asked).run(seconds, within)


@dataclass(frozen=True)
class _Trial:
    """A runner-up of one problem."""

    asked: Asked
    alternative: Measured
    others: tuple[Measured, ...]


class _Refining:
    def __init__(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any], asked: list[Asked]
    ) -> None:
        self.function, self.arguments, self.keywords, self.asked = function, arguments, keywords, asked
        self.setting: Setting = asked[0].setting
        self.tuner = cast(Any, self.setting.resolver)
        self.cache: DecisionCache = self.tuner.cache
        self.failures: list[tuple[str, str]] = []

    def run(self, seconds: float, within: float) -> NetworkReport:
        backend, device = self.tuner.backend, self.setting.device
        begun = backend.now()
        trials = list(_in_turns(self._trials(within)))
        changes: dict[Problem, Change] = {}
        tried = 0
        try:
            # Nothing else of this process is measured meanwhile.
            with measuring(device):
                self.timer = backend.timer(device, self.setting.library.stream(device))
                current = self._recorded()
                try:
                    first = last = median([self._time(current) for _ in range(_PAIRS)])
                    for trial in trials:
                        if backend.now() - begun >= seconds:
                            break
                        tried += 1
                        found = self._try(trial, current)
                        if found is not None:
                            before, last = found[1]
                            changes[trial.asked.problem] = self._change(trial, changes, before, last)
                            current.close()
                            current = found[0]
                finally:
                    current.close()
        finally:  # interrupted or not, as where the budget ends: what proved itself stays
            for problem in changes:
                self._keep(problem)
            if changes:
                GENERATION[0] += 1
        return NetworkReport(
            first, last, len(self.asked), tried, len(trials) - tried, tuple(changes.values()), tuple(self.failures),
            backend.now() - begun,
        )  # fmt: skip

    def _change(self, trial: _Trial, changes: dict[Problem, Change], before: float, after: float) -> Change:
        problem = trial.asked.problem
        known = changes.get(problem)
        was = trial.others[0].id if known is None else known.before
        start = before if known is None else known.seconds[0]
        return Change(problem, trial.asked.count, was, trial.alternative.id, (start, after))

    def _trials(self, within: float) -> list[list[_Trial]]:
        """Runners-up by problem, the problems with the largest share of the time first."""
        weighed = []
        for one in self.asked:
            choice = self.cache.peek(one.problem)
            if not isinstance(choice, Choice) or choice.level == EFFORTS["pinned"]:
                continue
            seconds = choice.best.seconds
            if seconds is None:
                continue
            measured = sorted(measured_of(one.problem, one.setting), key=lambda row: row.order)
            best = choice.best
            known = (row for row in measured if row.id == best.id)
            chosen = next(known, Measured(best.id, seconds, best.workspace))
            single = chosen.seconds  # with the others' times of single launches, which all have
            rest = [row for row in measured if row.id != best.id]
            near = [row for row in rest if row.seconds <= single * (1 + within)][:MOST_ALTERNATIVES]
            kind = best.id.api == "decomposed"
            other = next((row for row in rest if (row.id.api == "decomposed") != kind), None)
            if other is not None and other not in near and other.seconds <= 2 * single:
                near.append(other)
            others = (chosen, *rest)
            weighed.append((one.count * seconds, [_Trial(one, row, others) for row in near]))
        return [trials for _, trials in sorted(weighed, key=lambda pair: -pair[0])]

    def _try(self, trial: _Trial, current: Captured) -> tuple[Captured, tuple[float, float]] | None:
        """The recording with the runner-up and both medians, if it is the better one; else all is as it was."""
        problem, old = trial.asked.problem, self._chosen(trial.asked.problem)
        made: Captured | None = None
        proven = False
        try:
            self._adopt(problem, _choice(trial, old))
            made = self._recorded()
            if self._chosen(problem).best.id != trial.alternative.id:
                raise UnsupportedError(problem.label, [(str(trial.alternative.id), "could not be prepared again")])
            times = self._compare(current, made)
            if times is not None:
                proven = True
                return made, times
        except Exception as error:  # the others shall still be tried
            told = " ".join(str(error).split()) or "no reason given"
            self.failures.append((f"{trial.alternative.id} for {problem.label}", f"{type(error).__name__}: {told}"))
        finally:  # also where it was interrupted
            if not proven:
                self._adopt(problem, old)
                if made is not None:
                    made.close()
        return None

    def _adopt(self, problem: Problem, choice: Choice) -> None:
        """In memory only, until it has proved itself. Other threads see it; it is right, if perhaps slower."""
        self.cache.adopt(problem, choice)
        dropped(problem)

    def _keep(self, problem: Problem) -> None:
        self.cache.adopt(problem, self._chosen(problem), lasting=True)

    def _chosen(self, problem: Problem) -> Choice:
        found = self.cache.peek(problem)
        if not isinstance(found, Choice):
            raise UnsupportedError(problem.label, (), "it was decided a moment ago")
        return found

    def _recorded(self) -> Captured:
        made = capture(self.function, copy=False)
        for _ in range(_WARM_UP + 1):
            made(*self.arguments, **self.keywords)
        return made

    def _time(self, captured: Captured) -> float:
        found: float = self.timer(lambda: captured(*self.arguments, **self.keywords))
        return found

    def _compare(self, current: Captured, made: Captured) -> tuple[float, float] | None:
        """Medians of both if the second is faster by more than noise."""
        pairs: list[tuple[float, float]] = []
        for place in range(_PAIRS):
            # Whoever comes second may find the other's data in the cache: the order alternates.
            if place % 2:
                second = self._time(made)
                pairs.append((self._time(current), second))
            else:
                pairs.append((self._time(current), self._time(made)))
            if len(pairs) >= _FEWEST_PAIRS and all(new >= old for old, new in pairs):
                return None
        olds, news = sorted(old for old, _ in pairs), sorted(new for _, new in pairs)
        before, after = median(olds), median(news)
        quarter = len(olds) // 4
        scatter = (olds[-1 - quarter] - olds[quarter]) / 2
        wins = sum(new < old for old, new in pairs)
        if wins >= _MAJORITY * len(pairs) and before - after > max(scatter, _LEAST_GAIN * before):
            return before, after
        return None


def _choice(trial: _Trial, old: Choice) -> Choice:
    """The runner-up as a decision of the same standing as the one that it replaces."""
    chosen = trial.alternative
    best = Alternative(chosen.id, chosen.workspace, chosen.final or chosen.seconds)
    others = (Alternative(one.id, one.workspace, one.final or one.seconds) for one in trial.others)
    return Choice(best, smaller_and_smaller(best, others), old.provisional, level=old.level, cut_ms=old.cut_ms)


def _in_turns(lists: list[list[_Trial]]) -> Iterator[_Trial]:
    """The first of each list, then the second of each."""
    for row in itertools.zip_longest(*lists):
        yield from (one for one in row if one is not None)
