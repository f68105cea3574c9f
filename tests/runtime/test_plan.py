"""Bound plans, the table of plans, the hot path's rules: no search, no look-up, nothing kept alive."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable
from functools import partial
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit import thread_plans
from cudnnkit.candidates import CandidateId
from cudnnkit.testing import SimulatedDevice, simulated
from cudnnkit.testing.candidates import SimulatedCandidate, SimulatedStatusError
from cudnnkit.workspace import workspaces

from .references import random

X, W, B = random(1, 3, 5, 5), random(4, 3, 3, 3, seed=1), random(4, seed=2)


def threads(work: Any, count: int) -> list[BaseException]:
    errors: list[BaseException] = []
    barrier = threading.Barrier(count)

    def run(number: int) -> None:
        try:
            barrier.wait()
            work(number)
        except BaseException as error:
            errors.append(error)

    started = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for one in started:
        one.start()
    for one in started:
        one.join()
    return errors


@pytest.mark.parametrize("search", ["heuristic", "measure"])
def test_explain_tells_who_offers_nothing_and_why(device: SimulatedDevice, search: Any) -> None:
    silent = device.candidate("graph engine 1")
    silent.refuses = lambda _: "knows no such graph\nat all"
    found = ck.explain(ck.conv2d, X, W, padding=1, search=search)
    assert found.report is not None
    assert found.report.refusals == ((str(silent.id), "knows no such graph\nat all"),)
    assert f"{silent.id} offers nothing: knows no such graph" in str(found).splitlines()
    assert found.to_json()["report"]["refusals"] == [[str(silent.id), "knows no such graph\nat all"]]


def test_a_plan_computes_what_the_function_computes(device: SimulatedDevice) -> None:
    plan = ck.plan(ck.conv2d, X, W, B, padding=1, activation="relu")
    expected = ck.conv2d(X, W, B, padding=1, activation="relu")
    searches, offered = device.tuner.counters.searches, device.offered
    np.testing.assert_array_equal(plan(X, W, B), expected)
    out = np.empty_like(expected)
    assert plan(X, W, B, out=out) is out
    np.testing.assert_array_equal(out, expected)
    other = X + 1
    np.testing.assert_array_equal(plan(other, W, B), ck.conv2d(other, W, B, padding=1, activation="relu"))
    assert (device.tuner.counters.searches, device.offered) == (searches, offered)
    assert "graph engine 1" in repr(plan)
    assert plan.problem.operation == "conv_forward"
    assert plan.workspace == 4 * 2**20


@pytest.mark.usefixtures("device")
def test_what_differs_from_a_plan_is_told_by_its_name() -> None:
    step = ck.plan(ck.relu, np.ones((2, 3), "f4"))
    for array, told in (
        (np.ones((3, 3), "f4"), "x=(3, 3): its shape differs from the plan's, (2, 3);"),
        (
            np.ones((2, 3), "f4", order="F"),
            "x=(1, 2): its layout (strides in elements) differs from the plan's, (3, 1);",
        ),
        (np.ones((2, 3), "f2"), "x='float16': its type differs from the plan's, float32;"),
    ):
        with pytest.raises(ck.ArgumentError) as caught:
            step(array)
        assert str(caught.value).startswith(told)


@pytest.mark.usefixtures("device")
def test_a_plan_names_the_array_that_differs() -> None:
    plan = ck.plan(ck.conv2d, X, W, B, padding=1)
    for arrays, argument in [
        ((X[:, :, :4], W, B), "x"),
        ((X, W.astype("f4"), B), "w"),
        ((X, W, B.tolist()), "bias"),
        ((X, W), "arrays"),
    ]:
        with pytest.raises(ck.ArgumentError) as caught:
            plan(*arrays)
        assert caught.value.argument == argument
    for out in (np.zeros((1, 4, 5, 6)), np.zeros((1, 4, 5, 5), "f4"), X):
        with pytest.raises(ck.ArgumentError) as caught:
            plan(X, W, B, out=out)
        assert caught.value.argument == "out"
    same = ck.plan(ck.conv2d, random(1, 4, 5, 5), random(4, 4, 1, 1))
    x = random(1, 4, 5, 5)
    with pytest.raises(ck.ArgumentError, match="was no input when the plan was made"):
        same(x, random(4, 4, 1, 1), out=x)


@pytest.mark.usefixtures("device")
def test_arrays_seen_before_are_looked_at_again() -> None:
    x, out = X.copy(), np.empty((1, 4, 5, 5))
    plan = ck.plan(ck.conv2d, x, W, B, padding=1)
    expected = plan(x, W, B, out=out).copy()
    plan(x, W, B, out=out)
    x.shape = (3, 1, 5, 5)  # the same object at the same address
    with pytest.raises(ck.ArgumentError, match="differs") as caught:
        plan(x, W, B, out=out)
    assert caught.value.argument == "x"
    x.shape = X.shape
    out.shape = (4, 1, 5, 5)
    with pytest.raises(ck.ArgumentError) as caught:
        plan(x, W, B, out=out)
    assert caught.value.argument == "out"
    out.shape = (1, 4, 5, 5)
    for arrays in ((), (x, W), (x, W, B, B)):
        with pytest.raises(ck.ArgumentTypeError):
            plan(*arrays, out=out)
    with pytest.raises(ck.ArgumentTypeError):
        plan(x, W, None, out=out)
    np.testing.assert_array_equal(plan(x, W, B, out=out), expected)


@pytest.mark.usefixtures("device")
def test_operands_change_places_between_calls() -> None:
    x, w, buffer = random(1, 4, 5, 5), random(4, 4, 1, 1), np.zeros(300)
    plan = ck.plan(ck.conv2d, x, w)
    expected = ck.conv2d(x, w)
    outs = [buffer[at : at + 100].reshape(1, 4, 5, 5) for at in (0, 150)]
    for out in (*outs, outs[0], None, outs[1]):
        buffer[...] = 0
        np.testing.assert_array_equal(plan(x, w, out=out), expected)
        assert np.count_nonzero(buffer) == (0 if out is None else 100)
    inside = buffer[:100].reshape(1, 4, 5, 5)
    inside[...] = x
    plan(inside, w, out=outs[1])
    with pytest.raises(ck.ArgumentError, match="overlaps"):
        plan(inside, w, out=buffer[50:150].reshape(1, 4, 5, 5))
    with pytest.raises(ck.ArgumentError, match="aligned worse") as caught:
        plan(x, w, out=buffer[1:101].reshape(1, 4, 5, 5))
    assert caught.value.argument == "out"


@pytest.mark.usefixtures("device")
def test_a_plan_keeps_no_operand_alive() -> None:
    x, w, out = random(1, 4, 5, 5), random(4, 4, 1, 1), np.empty((1, 4, 5, 5))
    plan = ck.plan(ck.conv2d, x, w)
    watched = [weakref.ref(one) for one in (x, w, out)]
    for _ in range(2):
        plan(x, w, out=out)
    del x, w, out
    gc.collect()
    assert [one() for one in watched] == [None] * 3


@pytest.mark.usefixtures("device")
def test_plans_of_every_operation() -> None:
    dy = random(1, 4, 3, 3, seed=5)
    for function, arguments, keywords in [
        (ck.conv_filter_gradient, (X, dy, 3), {}),
        (ck.conv_bias_gradient, (dy,), {}),
        (ck.softmax, (X, 1), {}),
        (ck.relu, (X,), {}),
        (ck.bias_add, (X, B[:3]), {}),
    ]:
        arrays = [one for one in arguments if isinstance(one, np.ndarray)]
        plan = ck.plan(function, *arguments, **keywords)
        np.testing.assert_array_equal(plan(*arrays), function(*arguments, **keywords))


@pytest.mark.parametrize("ask", [ck.plan, ck.explain, ck.unpin, lambda *call: ck.pin(CandidateId("graph", 1), *call)])
@pytest.mark.usefixtures("device")
def test_what_is_no_whole_call_of_an_operation_is_told(ask: Callable[..., Any]) -> None:
    called: list[Any] = []
    for function, arguments in ((len, ()), (called.append, (1,)), ("conv2d", ()), (3, ()), (ck.plan, (ck.relu, X))):
        with pytest.raises(ck.ArgumentTypeError, match=r"^function=.*is no operation of cudnnkit; name one"):
            ask(function, *arguments)
    assert not called
    with pytest.raises(ck.ArgumentTypeError, match=r"^function=.*calls no operation of cudnnkit"):
        ask(ck.fold_batch_norm, W, B, B, B * B)
    told = r"^function='conv2d': missing a required argument: 'x'; give what conv2d would be called with$"
    with pytest.raises(ck.ArgumentTypeError, match=told):
        ask(ck.conv2d)
    with pytest.raises(ck.ArgumentTypeError, match="too many positional arguments"):
        ask(ck.relu, X, X, X, X, X)


@pytest.mark.usefixtures("device")
def test_an_operation_with_some_arguments_given_has_a_plan() -> None:
    plan = ck.plan(partial(ck.conv2d, padding=1), X, W)
    np.testing.assert_array_equal(plan(X, W), ck.conv2d(X, W, padding=1))


def test_one_plan_from_eight_threads(device: SimulatedDevice) -> None:
    plan = ck.plan(ck.conv2d, X, W, B)
    expected = plan(X, W, B)
    searches = device.tuner.counters.searches

    def work(_: int) -> None:
        for _repeat in range(5):
            np.testing.assert_array_equal(plan(X, W, B), expected)

    assert threads(work, 8) == []
    assert device.tuner.counters.searches == searches


def test_eight_threads_search_once(device: SimulatedDevice) -> None:
    results: dict[int, Any] = {}

    def work(number: int) -> None:
        for _ in range(3):
            results[number] = ck.conv2d(X, W)

    assert threads(work, 8) == []
    assert device.tuner.counters.searches == 1
    assert all(np.array_equal(results[0], one) for one in results.values())


def test_what_threads_prepared_goes_with_them(device: SimulatedDevice) -> None:
    ck.conv2d(X, W)
    before = len(device.live)
    assert threads(lambda _: ck.conv2d(X, W), 4) == []
    gc.collect()
    alive = weakref.WeakSet(device.live)
    device.live.clear()
    gc.collect()
    assert len(alive) == before


def test_a_repeated_call_does_not_ask_the_cache(device: SimulatedDevice) -> None:
    ck.conv2d(X, W)
    counters, launches = device.tuner.counters, len(device.launches)
    for _ in range(10):
        ck.conv2d(X, W)
    assert device.tuner.counters == counters
    assert len(device.launches) == launches + 10


def test_the_signature_tells_calls_apart(device: SimulatedDevice) -> None:
    calls = [
        lambda: ck.conv2d(X, W),
        lambda: ck.conv2d(X, W, padding=1),
        lambda: ck.conv2d(X, W, stride=2),
        lambda: ck.conv2d(X, W, dilation=2),
        lambda: ck.conv2d(X, W, mode="convolution"),
        lambda: ck.conv2d(X, W, B),
        lambda: ck.conv2d(X, W, activation="relu"),
        lambda: ck.conv2d(X, W, activation=("elu", 0.5)),
        lambda: ck.conv2d(X, W, precision="strict"),
        lambda: ck.conv2d(X, W, deterministic=True),
        lambda: ck.conv2d(X, W, workspace=0),
        lambda: ck.conv2d(X.astype("f4"), W.astype("f4")),
        lambda: ck.conv2d(X, W, alpha=2),
        lambda: ck.conv2d(X, W, alpha=0),
        lambda: ck.conv2d(X[:, :, ::-1], W),
    ]
    problems = []
    for call in calls:
        before = device.tuner.counters.misses
        call()
        problems.append(device.tuner.counters.misses - before)
        call()
        assert device.tuner.counters.misses == before + problems[-1]
    assert min(problems) >= 1


def test_a_policy_in_force_reaches_the_table() -> None:
    with simulated() as device:
        tensor_core = device.candidates[0].id
        for _ in range(2):
            ck.conv2d(X.astype("f4"), W.astype("f4"))
            assert device.launches[-1][1] == tensor_core
            with ck.use_policy(precision="no-tf32"):
                ck.conv2d(X.astype("f4"), W.astype("f4"))
            assert device.launches[-1][1] != tensor_core


def test_the_table_is_bounded_and_keeps_what_is_used(device: SimulatedDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thread_plans, "MOST_PLANS", 4)
    keep = random(1, 1, 3, 3)
    w = random(1, 1, 1, 1)
    ck.conv2d(keep, w)
    for length in range(4, 30):
        ck.conv2d(random(1, 1, 3, length), w)
        offered = device.offered
        ck.conv2d(keep, w)
        assert device.offered == offered
    table = thread_plans.local.thread
    assert len(table.young) + len(table.old) <= 8


def test_scaling_factors_are_not_baked_in(device: SimulatedDevice) -> None:
    y = ck.conv2d(X, W)
    ck.conv2d(X, W, alpha=2)
    misses = device.tuner.counters.misses
    np.testing.assert_allclose(ck.conv2d(X, W, alpha=3), 3 * y)
    assert device.tuner.counters.misses == misses


def test_the_stream_is_set_when_it_changes(device: SimulatedDevice) -> None:
    ck.conv2d(X, W)
    context = device.context(0)
    changes = context.changes
    ck.conv2d(X, W)
    assert context.changes == changes
    device.stream = 77
    ck.conv2d(X, W)
    assert (context.stream, context.changes) == (77, changes + 1)


def test_streams_have_workspaces_of_their_own(device: SimulatedDevice) -> None:
    ck.conv2d(X, W)
    device.stream = 5
    ck.conv2d(X, W)
    first, second = (workspaces.arena(device.library, 0, stream) for stream in (0, 5))
    assert first.nbytes == second.nbytes == 4 * 2**20
    assert workspaces.trim() >= 8 * 2**20
    ck.conv2d(X, W)


def test_a_recorded_graph_keeps_its_workspace(device: SimulatedDevice) -> None:
    ck.conv2d(X, W)
    plan = ck.plan(ck.conv2d, X, W)
    workspaces.trim()
    gc.collect()
    device.stream, device.capturing = 9, True  # the legacy stream, 0, cannot be recorded
    used = device.used
    out = np.empty((1, 4, 3, 3))
    ck.conv2d(X, W, out=out)
    plan(X, W, out=out)
    device.capturing = False
    workspaces.trim()
    gc.collect()
    assert device.used - used == 2 * 4 * 2**20


def test_out_of_memory_falls_back_and_says_what_was_tried(device: SimulatedDevice) -> None:
    y = ck.conv2d(X, W)
    workspaces.trim()
    gc.collect()
    device.memory_bytes = device.used + 2**20  # less than any workspace
    np.testing.assert_array_equal(ck.conv2d(X, W, out=np.empty_like(y)), y)
    assert device.launches[-1][1] == device.candidate("graph engine 0").id
    assert device.trims
    for one in device.candidates:
        one.fails, one.status = "run", "ALLOC_FAILED"
    with pytest.raises(ck.OutOfMemoryError, match="graph engine 0") as caught:
        ck.conv2d(X, W, out=np.empty_like(y))
    assert [one.workspace for one in caught.value.attempts] == [4 * 2**20, 0]


def test_out_of_memory_passes_over_a_fallback_that_cannot_be_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = (64 * 2**20, 2 * 2**20, 2**20, 0)
    ids = [CandidateId("graph", 4 - place) for place in range(4)]
    candidates = [
        SimulatedCandidate(one, 0.001 * (place + 1), workspace=size)
        for place, (one, size) in enumerate(zip(ids, sizes, strict=True))
    ]
    with simulated(candidates=candidates) as device, ck.use_policy(search="heuristic"):
        y = ck.conv2d(X, W)
        assert [one.id for one in ck.plan(ck.conv2d, X, W).choice.chain] == ids
        workspaces.trim()
        gc.collect()
        device.memory_bytes = device.used + 8 * 2**20
        prepare = device.tuner.prepare
        missing: dict[CandidateId, Exception] = {ids[1]: OSError("no NVRTC"), ids[2]: ValueError("no such name")}

        def failing(problem: Any, one: CandidateId, *rest: Any) -> Any:
            if one in missing:
                raise missing[one]
            return prepare(problem, one, *rest)

        monkeypatch.setattr(device.tuner, "prepare", failing)
        device.candidates[-1].fails, device.candidates[-1].status = "run", "ALLOC_FAILED"
        with pytest.raises(ck.OutOfMemoryError) as caught:
            ck.conv2d(X, W, out=np.empty_like(y))
        assert [(one.candidate, one.workspace) for one in caught.value.attempts] == [
            (str(one), size) for one, size in zip(ids, sizes, strict=True)
        ]
        told = [one.status for one in caught.value.attempts]
        assert told[1] == "cannot be prepared (OSError: no NVRTC)"
        assert told[2] == "cannot be prepared (ValueError: no such name)"
        device.candidates[-1].fails = None
        np.testing.assert_array_equal(ck.conv2d(X, W, out=np.empty_like(y)), y)
        assert device.launches[-1][1] == ids[3]


def test_memory_that_cannot_be_asked_for_does_not_stop_a_call(device: SimulatedDevice) -> None:
    device.memory_query_fails = True
    assert ck.conv2d(X, W).shape == (1, 4, 3, 3)


def test_two_devices_have_plans_of_their_own() -> None:
    with simulated(devices=2) as device:
        ck.conv2d(X, W)
        x, w = device.place(X.copy(), 1), device.place(W.copy(), 1)
        y = ck.conv2d(x, w)
        assert device.library.device_of(y) == 1
        assert device.active[-1] == 1
        assert device.tuner.counters.searches == 2  # another kind of device is another problem
        ck.conv2d(X, W)
        assert device.active[-1] == 0


def test_plans_outlive_a_simulated_library() -> None:
    with simulated():
        plan = ck.plan(ck.relu, X)
    with simulated() as device:
        np.testing.assert_array_equal(plan(X), np.maximum(X, 0))
        assert device.tuner.counters.misses == 0


def test_a_forked_child_starts_anew() -> None:
    import os

    if not hasattr(os, "fork"):
        pytest.skip("the system has no fork")
    with simulated():
        y = ck.conv2d(X, W)
        child = os.fork()
        if child == 0:
            try:
                os._exit(0 if np.array_equal(ck.conv2d(X, W), y) and thread_plans.local.thread.generation else 1)
            finally:
                os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_the_interpreter_ends_quietly_with_live_plans() -> None:
    import subprocess
    import sys

    code = """
import threading
import numpy as np, cudnnkit as ck
from cudnnkit.testing import simulated
block = simulated(); device = block.__enter__()
x, w = np.ones((1, 3, 5, 5)), np.ones((2, 3, 3, 3))
plan = ck.plan(ck.conv2d, x, w, activation="relu")
threading.Thread(target=lambda: plan(x, w)).start()
ck.conv2d(x, w); plan(x, w)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_no_memory_for_the_result_gives_workspaces_back_and_then_says_so(device: SimulatedDevice) -> None:
    ck.conv2d(X, W)
    gc.collect()
    device.memory_bytes = device.used  # only the workspace can make room
    y = ck.conv2d(X, W)
    assert y.shape == (1, 4, 3, 3)
    workspaces.trim()
    device.memory_bytes = 0
    with pytest.raises(ck.OutOfMemoryError, match="result's own memory"):
        ck.conv2d(X, W)


@pytest.mark.parametrize("status", ["ALLOC_FAILED", "EXECUTION_FAILED", "INTERNAL_ERROR"])
def test_out_of_memory_under_other_names(status: str, device: SimulatedDevice) -> None:
    y = ck.conv2d(X, W)
    device.memory_bytes = device.used + 2**20  # nearly full
    device.candidates[0].fails, device.candidates[0].status = "run", status
    np.testing.assert_array_equal(ck.conv2d(X, W), y)
    assert device.launches[-1][1] == device.candidate("graph engine 0").id


def test_an_error_that_is_none_of_memory_is_raised(device: SimulatedDevice) -> None:
    ck.conv2d(X, W)
    device.candidates[0].fails, device.candidates[0].status = "run", "EXECUTION_FAILED"
    with pytest.raises(Exception, match="EXECUTION_FAILED"):
        ck.conv2d(X, W)


def fails_once(device: SimulatedDevice, **finds_out: Any) -> list[Any]:
    """The next launch of what is prepared fails and finds something out; answers what it was given."""
    (one,) = device.live
    launch, workspaces_given = one.launch, []

    def failing(pointers: Any, workspace: int, *rest: Any) -> None:
        workspaces_given.append(workspace)
        if len(workspaces_given) > 1:
            launch(pointers, workspace, *rest)
            return
        vars(one).update(finds_out)
        raise SimulatedStatusError("BAD_PARAM")

    one.launch = failing
    return workspaces_given


def test_a_remembered_workspace_that_is_too_small_now_grows() -> None:
    small = SimulatedCandidate(CandidateId("legacy", algorithm="GEMM", math_type="FMA"), workspace=2**20)
    with simulated(candidates=[small]) as device:
        y = ck.conv2d(X, W)
        prepared = next(iter(thread_plans.local.thread.young.values()))
        given = fails_once(device, workspace=16 * 2**20)
        prepared._run = next(iter(device.live)).launch
        np.testing.assert_array_equal(ck.conv2d(X, W), y)
        assert (len(given), prepared.workspace) == (2, 16 * 2**20)
        assert workspaces.arena(device.library, 0, 0).nbytes == 16 * 2**20
        ck.conv2d(X, W)
        assert len(given) == 3


def test_a_remembered_choice_that_does_not_serve_now_is_made_anew(device: SimulatedDevice) -> None:
    y = ck.conv2d(X, W)
    first = device.launches[-1][1]
    prepared = next(iter(thread_plans.local.thread.young.values()))
    fails_once(device, stale=True)
    prepared._run = next(iter(device.live)).launch
    device.candidate(str(first)).refuses = lambda _: "is not to be had"
    np.testing.assert_allclose(ck.conv2d(X, W), y)
    assert device.launches[-1][1] != first
    assert device.tuner.counters.rejected == 1
    searches = device.tuner.counters.searches
    ck.conv2d(X, W)
    assert device.tuner.counters.searches == searches == 2


@pytest.mark.parametrize("workspace", [True, False])
@pytest.mark.parametrize("bound", [True, False])
def test_a_graph_recorded_by_somebody_else_keeps_its_plans(
    device: SimulatedDevice, bound: bool, workspace: bool
) -> None:
    """CuDNN unloads kernels that it compiled for a plan together with the plan: a replay would crash."""
    if not workspace:
        for one in device.candidates:
            one.workspace = 0
    out = np.empty((1, 4, 3, 3))
    device.stream = 9

    def left(*, capturing: bool) -> list[Any]:
        """What is prepared and still there after plans were dropped."""
        run = ck.plan(ck.conv2d, X, W) if bound else ck.conv2d
        device.capturing = False
        run(X, W, out=out)
        made = weakref.WeakSet(one for one in device.live if one._bound.problem.tensors[0].shape == X.shape)
        device.capturing = capturing
        run(X, W, out=out)
        device.capturing = False
        ck.unpin(ck.conv2d, X, W)  # plans are of another generation now
        ck.conv2d(X[:, :1], W[:, :1])
        device.live.clear()
        del run
        gc.collect()
        return list(made)

    assert left(capturing=False) == []
    (held,) = left(capturing=True)
    held.close()
    assert not held.closed


def test_equal_policies_share_what_was_prepared(device: SimulatedDevice) -> None:
    def prepared() -> int:
        local = thread_plans.local.thread
        return len(local.young) + len(local.old)

    ck.conv2d(X, W, policy=ck.Policy(precision="strict"))
    before = prepared(), len(device.live)
    for _ in range(3):
        with ck.use_policy(precision="strict"):
            ck.conv2d(X, W)
        ck.conv2d(X, W, policy=ck.Policy(precision="strict"))
    assert (prepared(), len(device.live)) == before
    with ck.use_policy(precision="fast"):
        ck.conv2d(X, W)
    assert prepared() == before[0] + 1
