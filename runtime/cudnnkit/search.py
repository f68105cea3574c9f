"""Choosing a candidate: by the heuristic's order, or by measuring.

The rules of a measured choice:

- the fastest candidate sets the bar; among those within the policy's tolerance of it the one with the smallest
  workspace wins. Each is compared with the fastest, never with the last one taken, so the allowance does not add up;
- the heuristic's own first answer is measured as well, whatever the budget, and the choice is never slower than it;
- finalists are timed again in a second round, so that other work on the device has to strike twice;
- those that are close to the best then take turns in a final: several launches a sample, back to back as in a network,
  on operands that rotate through more memory than the cache holds. A single launch, with the events' own 2 microseconds
  and their coarse steps, cannot tell apart short kernels that differ by 1 %;
- where a final counts, the choice is among its members: its times are never compared with those of single launches.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from cudnnkit.admission import ABSURD_WORKSPACE, Denial, refusal
from cudnnkit.candidates import Candidate, CandidateId, Executable, in_try_order
from cudnnkit.choice import WRONG, Choice, Decision, Unsupported, smaller_and_smaller
from cudnnkit.errors import Attempt, OutOfMemoryError
from cudnnkit.measure import Bench, in_turns, launches_for, measuring, median, sample
from cudnnkit.policy import EFFORTS, Policy
from cudnnkit.problem import Problem
from cudnnkit.report import SearchReport
from cudnnkit.sizes import format_bytes
from cudnnkit.trial import Trial, pick, why, why_not
from cudnnkit.workspace import Cap, is_out_of_memory

__all__ = ["Outcome", "choose_by_heuristic", "choose_by_measuring"]

A = TypeVar("A")

FINALISTS = 6
"""How many candidates besides the heuristic's first are timed again."""
MOST_IN_FINAL = 12
"""How many candidates take turns in the final; chosen, not measured."""
NEAR = 1.05
"""Times the best that a candidate may take to be in the final."""
NEAR_SECONDS = 1.5e-6
"""And so much more: a single launch is not timed more finely than that, so short kernels come out in any order."""
FEWEST_TURNS = 3
"""With fewer of them the final does not count."""
FINAL_SHARE = 0.2
"""Of the budget, kept for second round and final."""
HOPELESS, BEHIND, BEHIND_SECONDS = 2.0, 1.2, 5e-6
"""A candidate this many times slower than the best is given up after two runs, and after three; in the second case it
is so many seconds slower besides: other work on the device has to disturb all three runs to mislead."""
ABSURD_SECONDS = 0.2
"""A hopeless first run of cuDNN's that takes so long is a candidate's only one; a shorter one may have been loading
code, and the array library's may have been compiling it."""
DRIFT = 1.25
"""Factor between two rounds of the reference from which the device counts as disturbed."""


@dataclass(frozen=True)
class Outcome(Generic[A]):
    """What a search decided, and how it came to it.

    Attributes
    ----------
    decision
        The choice, or that nothing serves.
    report
        Every candidate.
    executable
        The chosen one, prepared; the caller's to close. It saves compiling twice.
    """

    decision: Decision
    report: SearchReport
    executable: Executable[A] | None = None


class _Search(Generic[A]):
    """The state of one search."""

    def __init__(
        self,
        problem: Problem,
        policy: Policy,
        candidates: Sequence[Candidate[A]],
        bench: Bench[A],
        cap: Cap,
        denied: Sequence[Denial] | None,
        search: str,
    ) -> None:
        self.problem, self.policy, self.bench, self.search = problem, policy, bench, search
        self.started = bench.now()
        self.attempts: list[Attempt] = []
        self.cut = self.constrained = self.disturbed = False
        described = ((one, one.description) for one in candidates)
        self.trials = in_try_order((Trial(one, about, workspace=about.workspace), about) for one, about in described)
        for trial in self.trials:
            reason = refusal(trial.description, problem, denied)
            if reason is not None:
                trial.end("refused", reason)
        # Where our own rules leave nothing, the smallest there is beats no answer, unless the user's limit forbids it.
        needs = [one.workspace for one in self.trials if one.status is None]
        least = min((need for need in needs if cap.ceiling is None or need <= cap.ceiling), default=0)
        self.allowed = max(cap.lasting, least)
        self.allowed_now = max(min(cap.now, self.allowed), least)
        self.compilation = 0.0  # seconds that the last one took
        self.grace = 0.0  # seconds of compiling that are not on the budget

    def end(self, kept: float = 0.0) -> float:
        """When the budget is spent, on the bench's clock, but for a share that is kept.

        Compiling a kernel of our own is not on the budget: it is kept on disk, and paid for once.
        """
        return self.started + self.policy.budget_seconds * (1 - kept) + self.grace

    def fits(self, trial: Trial[A], workspace: int) -> bool:
        """Whether a workspace is allowed; notes why where it is not."""
        trial.workspace = workspace
        size = format_bytes(workspace)
        if not 0 <= workspace < ABSURD_WORKSPACE:
            trial.end("refused", f"reports a workspace of {workspace} bytes, which no device has: unsupported")
        elif workspace > self.allowed:
            trial.end("refused", f"needs {size} of workspace, {format_bytes(self.allowed)} are allowed")
        elif workspace > self.allowed_now:
            self.starve(trial, f"needs {size} of workspace, too large a share of the memory that is free now")
        else:
            return True
        return False

    def starve(self, trial: Trial[A], reason: str) -> None:
        """Note that a lack of memory kept a candidate from being used."""
        self.constrained = True
        self.attempts.append(Attempt(str(trial.description.id), trial.workspace, reason, self.bench.free()))
        trial.end("skipped", reason)

    def prepared(self, trial: Trial[A]) -> Executable[A] | None:
        """The candidate prepared and within the cap, else None with the reason noted."""
        if trial.status is not None or not self.fits(trial, trial.workspace):
            return None
        begun = self.bench.now()
        try:
            trial.executable = trial.candidate.prepare()
            if trial.description.needs_compilation:
                self.compilation = self.bench.now() - begun
            if trial.description.id.api == "array":
                self.grace += self.bench.now() - begun
            if self.fits(trial, trial.executable.workspace):
                return trial.executable
        except Exception as error:  # an engine may fail in any way; that is its answer
            self.fail(trial, error)
        trial.close()
        return None

    def fail(self, trial: Trial[A], error: Exception) -> None:
        """Note that a candidate raised."""
        if is_out_of_memory(error, self.bench.free()):
            self.starve(trial, f"out of memory: {error}")
        else:
            trial.end("failed", f"{type(error).__name__}: {error}")

    def finish(self, winner: Trial[A] | None, others: Sequence[Trial[A]]) -> Outcome[A]:
        """Close what lost, and answer."""
        for trial in self.trials:
            if trial is not winner:
                trial.close()
        report = SearchReport(
            self.problem.label,
            self.search,
            tuple(trial.row() for trial in self.trials),
            self.bench.now() - self.started,
            self.allowed,
            self.cut,
            self.constrained,
            self.disturbed,
        )
        level = EFFORTS[self.search]
        cut_ms = self.policy.budget_ms if self.cut else None
        if winner is None:
            if self.attempts:
                raise OutOfMemoryError(self.problem.label, self.attempts)
            reasons = tuple((str(trial.description.id), trial.reason) for trial in self.trials)
            return Outcome(Unsupported(reasons, _hint(self.trials), level=level, cut_ms=cut_ms), report)
        fallbacks = smaller_and_smaller(winner.alternative, (one.alternative for one in others if one is not winner))
        provisional = self.constrained or self.disturbed
        choice = Choice(winner.alternative, fallbacks, provisional, level=level, cut_ms=cut_ms)
        return Outcome(choice, report, winner.executable)


def _hint(trials: Sequence[Trial[A]]) -> str:
    reasons = " ".join(trial.reason for trial in trials if trial.status == "refused")
    hints = {
        "are allowed": "allow more workspace",
        "precision": "allow precision='fast'",
        "not deterministic": "allow deterministic=False",
    }
    return " or ".join(hint for word, hint in hints.items() if word in reasons)


def choose_by_heuristic(
    problem: Problem,
    policy: Policy,
    candidates: Sequence[Candidate[A]],
    bench: Bench[A],
    cap: Cap,
    *,
    denied: Sequence[Denial] | None = None,
) -> Outcome[A]:
    """The first admitted candidate, in the heuristics' order, that can be prepared within the cap. Nothing is run.

    Raises
    ------
    OutOfMemoryError
        Nothing could be had, and for at least one candidate a lack of memory was the reason.
    """
    search = _Search(problem, policy, candidates, bench, cap, denied, "heuristic")
    for place, trial in enumerate(search.trials):
        if search.prepared(trial) is None:
            continue
        trial.end("chosen", "the heuristic's first answer that is admitted and can be prepared")
        later = [one for one in search.trials[place + 1 :] if one.status is None]
        for one in later:
            one.end("usable", "comes later in the heuristic's order; neither prepared nor measured")
        return search.finish(trial, later)
    return search.finish(None, ())


def choose_by_measuring(
    problem: Problem,
    policy: Policy,
    candidates: Sequence[Candidate[A]],
    bench: Bench[A],
    cap: Cap,
    *,
    denied: Sequence[Denial] | None = None,
) -> Outcome[A]:
    """The best candidate of those that could be measured within the policy's budget.

    Parameters
    ----------
    problem
        The problem, whose key says what is admitted.
    policy
        Budget, tolerance and mode (``"measure"`` unless it says ``"exhaustive"``).
    candidates
        Every candidate of every API, in any order.
    bench
        Operands, workspace, clocks.
    cap
        How much workspace is allowed.
    denied
        A deny list in place of the shipped one.

    Raises
    ------
    OutOfMemoryError
        Nothing could be had, and for at least one candidate a lack of memory was the reason.
    """
    mode = "exhaustive" if policy.search == "exhaustive" else "measure"
    with measuring(bench.device):
        search = _Search(problem, policy, candidates, bench, cap, denied, mode)
        try:
            with bench.arguments(scratch=problem.needs_scratch) as arguments:
                running = _first_round(search, arguments)
                if running:
                    _second_round(search, arguments, running, search.end())
                    _final(search, arguments, running, search.end())
        except MemoryError:
            # No room for scratch outputs: the heuristic answers for now.
            outcome = choose_by_heuristic(problem, policy, candidates, bench, cap, denied=denied)
            if isinstance(outcome.decision, Choice):
                return replace(outcome, decision=replace(outcome.decision, provisional=True))
            return outcome
        except BaseException:
            for trial in search.trials:
                trial.close()
            raise
        finally:
            with contextlib.suppress(Exception):
                bench.trim()
    if not running:
        return search.finish(None, ())
    winner = pick(running, policy.tolerance)
    for one in running:
        one.end("measured", why_not(one, winner, running, policy.tolerance))
    winner.end("chosen", why(winner, running, policy.tolerance))
    return search.finish(winner, sorted(running, key=lambda one: one.samples.order))


def _first_round(search: _Search[A], arguments: A) -> list[Trial[A]]:
    """Measure each candidate until the budget ends; the first that runs is measured in any case."""
    running: list[Trial[A]] = []
    best = float("inf")
    for trial in search.trials:
        if trial.status is not None:
            continue
        expected = search.compilation if trial.description.needs_compilation else 0.0
        if running and search.bench.now() + expected >= search.end(FINAL_SHARE):
            search.cut = True
            trial.end("skipped", "the budget was spent before its turn")
            continue
        if search.prepared(trial) is None:
            continue
        _time(search, trial, arguments, best=best, deadline=search.end(FINAL_SHARE), check=True)
        if trial.samples.rounds:
            running.append(trial)
            best = min(best, trial.samples.seconds)
        else:
            trial.close()
    return running


def _second_round(search: _Search[A], arguments: A, running: list[Trial[A]], deadline: float) -> None:
    """Time the finalists again, the heuristic's first among them; all, when the device was disturbed."""
    first = running[0]
    before = first.samples.seconds
    _time(search, first, arguments, deadline=deadline)
    if first.status is not None:
        running.remove(first)
        return
    after = median(first.samples.rounds[-1])
    search.disturbed = max(before, after) > DRIFT * min(before, after)
    ranked = sorted((one for one in running if one is not first), key=lambda one: one.samples.seconds)
    for one in ranked if search.disturbed else ranked[:FINALISTS]:
        if search.bench.now() >= deadline:
            break
        _time(search, one, arguments, deadline=deadline)
        if one.status is not None:
            running.remove(one)


def _final(search: _Search[A], arguments: A, running: list[Trial[A]], deadline: float) -> None:
    """Samples of those near the best, in turns: what disturbs one disturbs all. Without time or room the rounds decide.

    The heuristic's first is among them, or too slow to be chosen; so is the smallest workspace within the tolerance.
    """
    best = min((one.samples.seconds for one in running), default=0.0)
    bar = best * max(NEAR, 1 + search.policy.tolerance) + NEAR_SECONDS
    near = sorted((one for one in running if one.samples.seconds <= bar), key=lambda one: one.samples.seconds)
    if len(near) < 2:
        return
    first, smallest = running[0], min(near, key=lambda one: one.workspace)
    near = sorted(near, key=lambda one: one is not first and one is not smallest)[:MOST_IN_FINAL]
    contenders = {one.description.id: one.executable for one in near if one.executable is not None}
    trials = {one.description.id: one for one in near}

    def failed(one: CandidateId, error: Exception) -> None:
        search.fail(trials[one], error)
        running.remove(trials[one])

    try:
        with search.bench.workspace(max(one.workspace for one in near)) as workspace:
            turns = in_turns(
                search.bench, contenders, arguments, workspace, launches=launches_for(best), deadline=deadline,
                failed=failed,
            )  # fmt: skip
    except MemoryError:
        return
    if len(turns) >= FEWEST_TURNS:
        for one in contenders:
            trials[one].samples.final = [turn[one] for turn in turns]


def _time(
    search: _Search[A],
    trial: Trial[A],
    arguments: A,
    *,
    deadline: float,
    best: float = float("inf"),
    check: bool = False,
) -> None:
    """One round of a candidate; a fault ends it. `check` looks at its results after a first run, which is no sample.

    What is far behind `best`, seconds, is not timed as often as the rest.
    """
    bench, executable = search.bench, trial.executable
    assert executable is not None, "a candidate is timed only while it is prepared"
    try:
        with bench.workspace(trial.workspace) as workspace:
            if check:
                bench.poison(arguments)
            first = bench.time(executable, arguments, workspace)
            wrong = bench.check(arguments) if check else None
            if wrong is not None:
                trial.end("failed", f"{WRONG}: {wrong}")
                return
            hopeless, behind = best * HOPELESS, best * BEHIND + BEHIND_SECONDS
            if first > max(hopeless, ABSURD_SECONDS) and trial.description.id.api not in ("array", "decomposed"):
                trial.samples.rounds.append([first])
                return
            limits = {"hopeless": hopeless, "behind": behind, "deadline": deadline, "first": first}
            trial.samples.rounds.append(sample(bench, executable, arguments, workspace, **limits))
    except Exception as error:  # an engine may fail in any way; that is its answer
        search.fail(trial, error)
