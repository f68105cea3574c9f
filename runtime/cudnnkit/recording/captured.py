"""What users hold: a function, and a recording for each signature that it was called with."""

from __future__ import annotations

import atexit
import inspect
import os
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable
from types import TracebackType
from typing import Any

from cudnnkit.errors import ArgumentError, ArgumentTypeError
from cudnnkit.policy import get_policy, use_policy
from cudnnkit.recording.errors import CaptureError
from cudnnkit.recording.inputs import Inputs
from cudnnkit.recording.recorded import Recording
from cudnnkit.recording.recordings import Recordings
from cudnnkit.recording.refusals import check_arguments, checked_results
from cudnnkit.recording.report import RecordingReport
from cudnnkit.recording.signature import in_words, is_capturing, key_of, place_of
from cudnnkit.recording.trees import flatten, unflatten
from cudnnkit.rooms import ACTIVE, here
from cudnnkit.tuner import GENERATION
from cudnnkit.workspace import is_out_of_memory

__all__ = ["MOST_RECORDINGS", "Captured"]

MOST_RECORDINGS = 8
"""Recordings that a function keeps unless told otherwise."""
PATIENCE = 5.0
"""Seconds that a call waits for another thread's: the function may wait for this thread, and a search may last."""


class _Thread(threading.local):
    """Whether a thread is in a call that precedes a recording."""

    busy = False


_live: weakref.WeakSet[Captured] = weakref.WeakSet()
_thread = _Thread()
_lost: list[Any] = []
"""What a forked child inherited: CUDA does not work there, not even to free it."""


class Captured:
    """A function whose operations are recorded as CUDA graphs; made by :func:`cudnnkit.capture`.

    Threads may share it: their calls follow one another; one that waits for more than 5 seconds, as long as another's
    first call may search, runs the function as it is. With `static_inputs` they share the first call's arrays too:
    what one thread wrote into them is overwritten when another calls with other arrays before it does. Let a lock
    hold both, the writing and the call, or give each thread a `Captured` and arrays of its own.

    Parameters
    ----------
    function, copy, static_inputs, most
        As in :func:`cudnnkit.capture`.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        copy: bool = True,
        static_inputs: bool = False,
        most: int = MOST_RECORDINGS,
    ) -> None:
        if not callable(function):
            raise ArgumentTypeError("function", function, "must be a function of arrays")
        for one in (function, getattr(function, "__call__", None)):  # noqa: B004 (also an object's own)
            if inspect.isgeneratorfunction(one) or inspect.iscoroutinefunction(one) or inspect.isasyncgenfunction(one):
                hint = "is a generator or async function, whose body runs after it returned; capture what it calls"
                raise ArgumentTypeError("function", function, hint)
        for name, value in (("copy", copy), ("static_inputs", static_inputs)):
            if not isinstance(value, bool):
                raise ArgumentTypeError(name, value, "must be True or False")
        if isinstance(most, bool) or not isinstance(most, int):
            raise ArgumentTypeError("most", most, "must be a whole number of recordings, 1 or more")
        if most < 1:
            raise ArgumentError("most", most, "must be a whole number of recordings, 1 or more")
        self.__wrapped__ = function
        self.__name__: str = getattr(function, "__qualname__", type(function).__name__)
        self.__doc__ = getattr(function, "__doc__", None)
        self._copy, self._static, self._most = copy, static_inputs, most
        self._lock = threading.RLock()
        self._recordings = Recordings(most, static=static_inputs)
        self._failures: OrderedDict[Any, str] = OrderedDict()
        self._generation = GENERATION[0]
        self._closed = False
        _live.add(self)

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """The function's result for these arguments.

        Parameters
        ----------
        arguments, keywords
            Arrays of one library on one device, in tuples, lists and dictionaries if need be. Other values are part of
            the signature: numbers and texts by value, an object that defines no equality by being the same one,
            whatever changed in it.

        Raises
        ------
        CaptureError
            The function cannot be recorded. Its operations ran once; calls after this one run it as it is.
        ArgumentError
            It was closed; an argument is in host memory, neither an array nor hashable, or nested more than 100 deep;
            two array libraries or devices are mixed.
        OutOfMemoryError
            There is no memory for a recording, not even in place of the one unused longest where there are `most`. As a
            rule that shows after the operations ran once: what they wrote in place stays written. The next call runs
            them again and tries anew.
        Exception
            Whatever the function raises.
        """
        leaves: list[Any] = []
        if len(keywords) > 1:
            keywords = dict(sorted(keywords.items()))  # their order means nothing
        structure = flatten((arguments, keywords), leaves)
        key, pointers = key_of(structure, leaves, get_policy())
        self._check_open()
        # Within a larger recording, or the call that precedes one, it is a part like any other.
        if not _thread.busy and not (ACTIVE and here() is not None):
            lock = self._lock  # a child forked by the function gets another
            if lock.acquire(timeout=PATIENCE):
                try:
                    self._check_open()
                    if self._generation != GENERATION[0]:
                        self._forget()
                    found = self._recordings.find(key, leaves)
                    if found is not None and not found.capturing():
                        if found.replay(leaves, pointers):
                            return found.results(copy=self._copy)
                        self._recordings.drop(found)
                        found = None
                    if found is None and key not in self._failures and not is_capturing(leaves):
                        return self._first(key, structure, leaves, (arguments, keywords))
                finally:
                    lock.release()
            else:
                import logging

                text = "%s: another thread's call took more than %g s; this one runs the function as it is"
                logging.getLogger("cudnnkit").info(text, self.__name__, PATIENCE)
        return self.__wrapped__(*arguments, **keywords)

    def _check_open(self) -> None:
        if self._closed:
            raise ArgumentError("captured", self.__name__, "was closed; capture the function again")

    def _first(self, key: Any, structure: Any, leaves: list[Any], arguments: Any) -> Any:
        """A call of a new signature: run as it is, which chooses and loads all that is needed, then recorded."""
        library, device = place_of(leaves)
        given: list[Any] = []
        flatten(arguments, given)
        foreign = {place for place, one in enumerate(given) if one is not leaves[place]}
        policy = get_policy()
        _thread.busy = True
        try:
            inputs = Inputs(leaves, library, static=self._static, foreign=foreign)
            # Recorded once, replayed often: what it holds is measured now.
            with use_policy(policy, **({"after": 0} if policy.after else {})):
                own, words = unflatten(structure, iter(inputs.leaves))
                results = self.__wrapped__(*own, **words)
                check_arguments(self.__name__, leaves)
                checked_results(self.__name__, results)
                made = Recording(self.__wrapped__, self.__name__, structure, inputs, library, device, self._make_room)
                made.fill(results)
                del results  # before they are copied for the caller
        except CaptureError as error:
            self._failures[key] = f"after {error.after or 'nothing'}, {error.reason}"
            if len(self._failures) > self._most:
                self._failures.popitem(last=False)
            raise
        except Exception as error:
            if is_out_of_memory(error):
                self._make_room()  # for the next call
            raise
        finally:
            _thread.busy = False
        # The recording's own arrays are dense where the caller's may not be: they lead to it too.
        dense = (*key_of(structure, inputs.leaves, policy)[0][:3], *key[3:])
        self._recordings.add(key, dense, made)
        results = made.results(copy=self._copy)
        if self._closed:  # by the function
            self._forget()
        return results

    def _make_room(self) -> None:
        """For one recording more; not before there is one, or memory that it lacks, since its call may raise."""
        self._recordings.make_room()

    def inputs(self, *arguments: Any, **keywords: Any) -> tuple[Any, ...]:
        """The recording's own arguments: what is written into their arrays need not be copied.

        Parameters
        ----------
        arguments, keywords
            Arguments like those of the recording that is meant; none for the one used last.

        Returns
        -------
        tuple
            Its positional arguments, and a dictionary of the others where there are any. Given to a call in their
            places, its arrays are read where they are.

        Raises
        ------
        ArgumentError
            There is no such recording yet, or it was closed.

        Examples
        --------
        >>> (x,) = captured.inputs()  # doctest: +SKIP
        >>> x.copy_(batch)  # doctest: +SKIP
        >>> y = captured(x)  # doctest: +SKIP
        """
        with self._lock:
            self._check_open()
            if arguments or keywords:
                leaves: list[Any] = []
                structure = flatten((arguments, dict(sorted(keywords.items()))), leaves)
                found = self._recordings.find(key_of(structure, leaves, get_policy())[0], leaves)
            else:
                found = self._recordings.last
            if found is not None and not found.inputs.settle():
                self._recordings.drop(found)
                found = None
            if found is None:
                raise ArgumentError("arguments", len(arguments), "have no recording yet: call the function with them")
            given, words = unflatten(found.structure, iter(found.inputs.leaves))
        return (*given, words) if words else tuple(given)

    def report(self) -> tuple[RecordingReport, ...]:
        """Every recording in numbers, the one used last at the end; failures come first."""
        with self._lock:
            failed = [RecordingReport(in_words(key[1]), failure=reason) for key, reason in self._failures.items()]
            return (*failed, *(one.report for one in self._recordings.values()))

    def clear(self) -> None:
        """Drop all recordings: the next call records anew, as it must after an array closed over was replaced."""
        with self._lock:
            self._forget()

    def close(self) -> None:
        """Drop all recordings for good; a second call does nothing."""
        self._closed = True
        with self._lock:
            self._forget()

    def _forget(self) -> None:
        self._failures.clear()
        self._generation = GENERATION[0]
        self._recordings.clear()

    def _end(self) -> None:
        """At exit; a thread that is in a call, for good perhaps, keeps its recordings."""
        self._closed = True
        if self._lock.acquire(blocking=False):
            try:
                self._forget()
            finally:
                self._lock.release()

    def _after_fork(self) -> None:
        self._lock = threading.RLock()
        _lost.append(self._recordings)
        self._recordings = Recordings(self._most, static=self._static)

    def __enter__(self) -> Captured:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "closed" if self._closed else f"{len(self._recordings)} recordings"
        return f"<Captured {self.__name__}: {state}>"


def _after_fork() -> None:
    _thread.busy = False  # what the parent was recording is none of the child's business
    for one in tuple(_live):
        one._after_fork()


def _at_exit() -> None:
    for one in tuple(_live):
        one._end()


os.register_at_fork(after_in_child=_after_fork)
atexit.register(_at_exit)
