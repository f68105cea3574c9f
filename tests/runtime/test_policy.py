from __future__ import annotations

import asyncio
import math
import pickle
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from cudnnkit.errors import ArgumentError, ArgumentTypeError
from cudnnkit.policy import Policy, WorkspaceLimit, get_policy, resolve_policy, set_policy, use_policy


@pytest.fixture(autouse=True)
def default_policy() -> Iterator[None]:
    before = set_policy(Policy())
    yield
    set_policy(before)


@pytest.mark.parametrize(
    ("given", "nbytes", "fraction"),
    [
        (None, None, None),
        ("unlimited", None, None),
        (0, 0, None),
        (4096, 4096, None),
        (1e6, 1_000_000, None),
        ("256 MiB", 268_435_456, None),
        ("10%", None, 0.1),
        (" 2.5 % ", None, 0.025),
        ("0%", None, 0.0),
    ],
)
def test_workspace_texts(given: Any, nbytes: int | None, fraction: float | None) -> None:
    limit = Policy(workspace=given).limit
    assert (limit.nbytes, limit.fraction) == (nbytes, fraction)


@pytest.mark.parametrize("given", ["101%", "-1%", "% 5", "5 % of it", "much", "", "nan%", -1, 0.5, math.inf, math.nan])
def test_workspace_values_refused(given: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        Policy(workspace=given)
    assert caught.value.argument == "workspace"
    assert "256 MiB" in caught.value.hint


@pytest.mark.parametrize("given", [True, b"5", [1]])
def test_workspace_types_refused(given: Any) -> None:
    with pytest.raises(ArgumentTypeError) as caught:
        Policy(workspace=given)
    assert caught.value.argument == "workspace"


def test_workspace_share_is_of_the_devices_total() -> None:
    assert WorkspaceLimit.parse("10%").resolve(80_000) == 8_000
    assert WorkspaceLimit.parse("10%").resolve(None) is None
    assert WorkspaceLimit.parse(500).resolve(None) == 500
    assert WorkspaceLimit.parse(None).resolve(80_000) is None


@pytest.mark.parametrize(
    ("field", "value", "allowed"),
    [
        ("precision", "exact", "'no-tf32'"),
        ("precision", None, "'strict'"),
        ("search", "best", "'exhaustive'"),
        ("deterministic", 1, "True or False"),
        ("budget_ms", -1, "0 or more"),
        ("budget_ms", math.nan, "0 or more"),
        ("budget_ms", "1", "number"),
        ("tolerance", 1.5, "0 to 1"),
        ("tolerance", True, "number"),
        ("after", -1, "0 or more"),
        ("after", 1.5, "whole"),
    ],
)
def test_a_bad_field_is_named_with_what_is_allowed(field: str, value: Any, allowed: str) -> None:
    with pytest.raises(ArgumentError, match=allowed) as caught:
        Policy(**{field: value})
    assert caught.value.argument == field


def test_unknown_field_lists_the_known_ones() -> None:
    with pytest.raises(ArgumentError, match=r"precison.*precision, deterministic, workspace"):
        Policy().but(precison="strict")


def test_equal_limits_make_equal_policies_and_keys() -> None:
    one, other = Policy(workspace="1 KiB"), Policy(workspace=1024)
    assert one == other
    assert one.key == other.key
    assert Policy(search="heuristic").key == Policy(search="exhaustive").key  # effort is no part of the key
    assert pickle.loads(pickle.dumps(one)) == one


def test_budget_is_infinite_only_when_exhaustive() -> None:
    assert Policy(budget_ms=250).budget_seconds == 0.25
    assert Policy(budget_ms=250, search="exhaustive").budget_seconds == math.inf


def test_layers_default_block_call() -> None:
    assert get_policy() == Policy()
    before = set_policy(precision="no-tf32")
    assert before == Policy()
    with use_policy(deterministic=True) as outer:
        assert outer == Policy(precision="no-tf32", deterministic=True)
        with use_policy(Policy(), search="heuristic"):
            assert get_policy() == Policy(search="heuristic")
        set_policy(precision="strict")  # the block keeps what it entered with
        assert get_policy() is outer
        assert resolve_policy(workspace=7, precision=None).limit.nbytes == 7
        assert resolve_policy(workspace=7).deterministic
    assert get_policy() == Policy(precision="strict")
    assert resolve_policy(Policy(after=3), tolerance=0.5) == Policy(after=3, tolerance=0.5)


def test_block_is_left_when_its_body_raises() -> None:
    with pytest.raises(ZeroDivisionError), use_policy(precision="strict"):
        raise ZeroDivisionError
    assert get_policy() == Policy()


def test_none_and_unlimited_for_one_call() -> None:
    set_policy(workspace="1 MiB")
    assert resolve_policy(workspace=None).limit.nbytes == 2**20
    assert resolve_policy(workspace="unlimited").limit == WorkspaceLimit()


def test_wrong_type_of_policy() -> None:
    for function in (set_policy, resolve_policy):
        with pytest.raises(ArgumentTypeError, match=r"cudnnkit\.Policy"):
            function("strict")  # type: ignore[operator]


def test_threads_see_the_default_not_each_others_blocks() -> None:
    inside, leave = threading.Event(), threading.Event()
    seen: list[Policy] = []

    def other() -> None:
        with use_policy(precision="strict"):
            inside.set()
            leave.wait(10)
            seen.append(get_policy())

    with use_policy(deterministic=True):
        thread = threading.Thread(target=other)
        thread.start()
        assert inside.wait(10)
        assert get_policy() == Policy(deterministic=True)
        leave.set()
        thread.join(10)
    assert seen == [Policy(precision="strict")]


def test_asynchronous_tasks_keep_apart() -> None:
    async def task(turn: list[asyncio.Event], own: int, precision: Any) -> Policy:
        with use_policy(precision=precision):
            turn[own].set()
            await turn[1 - own].wait()  # both blocks are open now
            return get_policy()

    async def main() -> list[Policy]:
        turn = [asyncio.Event(), asyncio.Event()]
        return await asyncio.gather(task(turn, 0, "strict"), task(turn, 1, "no-tf32"))

    assert [one.precision for one in asyncio.run(main())] == ["strict", "no-tf32"]


@pytest.mark.parametrize(("given", "text"), [(None, "unlimited"), ("10%", "10%"), (2**28, "256 MiB")])
def test_limits_in_words(given: Any, text: str) -> None:
    assert str(WorkspaceLimit.parse(given)) == text
