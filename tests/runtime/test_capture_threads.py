"""Recorded functions in threads, in forked children, closed, and at the interpreter's end."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import weakref
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.recording import captured as captured_module
from cudnnkit.rooms import ACTIVE
from cudnnkit.testing import SimulatedDevice

RANDOM = np.random.default_rng(11)
W = RANDOM.standard_normal((4, 4, 3, 3))


def random(*shape: int) -> Any:
    return RANDOM.standard_normal(shape)


def test_eight_threads(device: SimulatedDevice) -> None:  # noqa: ARG001
    captured = ck.capture(lambda x: ck.conv2d(ck.relu(x), W))
    wrong: list[Any] = []

    def work(seed: int) -> None:
        random = np.random.default_rng(seed)
        for _ in range(10):
            x = random.standard_normal((1 + seed % 2, 4, 5, 5))
            if not np.allclose(captured(x), ck.conv2d(np.maximum(x, 0), W)):
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(60)
    assert not wrong
    assert sum(one.replays for one in captured.report()) == 78


def test_a_closed_one_says_so(device: SimulatedDevice) -> None:  # noqa: ARG001
    with ck.capture(lambda x: ck.relu(x)) as captured:
        captured(random(1, 1, 1))
    captured.close()
    assert "closed" in repr(captured)
    for use in (captured, captured.inputs):
        with pytest.raises(ck.ArgumentError, match="was closed"):
            use(random(1, 1, 1))
    with pytest.raises(ck.ArgumentError, match="was closed"):
        captured.inputs()


def test_a_forked_child_leaves_the_parents_recordings_alone(device: SimulatedDevice) -> None:  # noqa: ARG001
    captured = ck.capture(lambda x: ck.relu(x))
    x = random(1, 2, 3)
    captured(x)
    (recording,) = captured._recordings.values()
    graph, kept = recording._graph, weakref.ref(recording)
    del recording
    held, done = threading.Event(), threading.Event()
    other = threading.Thread(
        target=lambda: captured._lock.acquire() and (held.set(), done.wait(), captured._lock.release())
    )
    other.start()
    held.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(20)  # ends a child that waits for the parent's lock
        ok = captured.report() == () and np.array_equal(captured(x), np.maximum(x, 0)) and len(captured.report()) == 1
        ok &= kept() is not None  # what it has of the array library frees itself without asking
        captured_module._lost.clear()
        gc.collect()
        ok &= kept() is None and len(graph._steps) == 1
        os._exit(0 if ok else 1)
    done.set()
    other.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert captured.report()[0].replays == 0
    np.testing.assert_array_equal(captured(-x), np.maximum(-x, 0))


@pytest.mark.parametrize("during", [1, 2, 3], ids=["as it is", "while traced", "while recorded"])
def test_a_child_forked_within_the_function_records(during: int, device: SimulatedDevice) -> None:  # noqa: ARG001
    calls, child = [], [-1]
    x = random(1, 2, 3)

    def forks(x: Any) -> Any:
        calls.append(None)
        if len(calls) == during:
            child[0] = os.fork()
            if child[0] == 0:
                signal.alarm(20)
                own = ck.capture(lambda x: ck.relu(x))
                right = all(np.array_equal(own(one), np.maximum(one, 0)) for one in (x, -x))
                os._exit(0 if right and [one.replays for one in own.report()] == [1] else 1)
        return ck.relu(x)

    captured = ck.capture(forks)
    for one in (x, -x):
        np.testing.assert_array_equal(captured(one), np.maximum(one, 0))
    assert os.waitstatus_to_exitcode(os.waitpid(child[0], 0)[1]) == 0
    assert [one.replays for one in captured.report()] == [1]


@pytest.mark.parametrize("during", [1, 2, 3], ids=["as it is", "while traced", "while recorded"])
def test_a_child_forked_within_the_function_may_return_from_it(during: int, device: SimulatedDevice) -> None:  # noqa: ARG001
    """Whatever was put in force for the parent's recording ends in the child, too."""
    calls, child = [], [-1]

    def forks(x: Any) -> Any:
        calls.append(None)
        if len(calls) == during:
            child[0] = os.fork()
        return ck.relu(x)

    captured, x, right = ck.capture(forks), random(1, 2, 3), False
    try:
        right = all(np.array_equal(captured(one), np.maximum(one, 0)) for one in (x, -x))
    finally:
        if child[0] == 0:
            os._exit(0 if right and not ACTIVE else 1)
    assert right
    assert os.waitstatus_to_exitcode(os.waitpid(child[0], 0)[1]) == 0


def test_the_interpreter_ends_well_with_live_recordings() -> None:
    code = """
import numpy as np, cudnnkit as ck
from cudnnkit.testing import simulated
context = simulated()
device = context.__enter__()
captured = ck.capture(lambda x: ck.relu(x), copy=False)
y = captured(np.ones((1, 2, 3)))
captured(y)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_a_daemon_thread_within_the_function_does_not_keep_the_interpreter() -> None:
    code = """
import threading, numpy as np, cudnnkit as ck
from cudnnkit.testing import simulated
context = simulated()
context.__enter__()
inside = threading.Event()
captured = ck.capture(lambda x: (inside.set(), threading.Event().wait()))
threading.Thread(target=captured, args=(np.ones((1, 2, 3)),), daemon=True).start()
inside.wait()
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_a_thread_that_the_function_waits_for_may_call_it(
    device: SimulatedDevice,  # noqa: ARG001
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(captured_module, "PATIENCE", 0.05)
    found: list[Any] = []

    def function(x: Any) -> Any:
        if not found:
            found.append(None)
            helper = threading.Thread(target=lambda: found.append(captured(-x)), daemon=True)
            helper.start()
            helper.join(60)
        return ck.relu(x)

    captured, x = ck.capture(function), random(1, 2, 3)
    with caplog.at_level("INFO", "cudnnkit"):
        np.testing.assert_array_equal(captured(x), np.maximum(x, 0))
    np.testing.assert_array_equal(found[1], np.maximum(-x, 0))
    assert "another thread's call took more than 0.05 s" in caplog.text
    assert len(captured.report()) == 1
