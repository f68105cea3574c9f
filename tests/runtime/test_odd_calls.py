"""What is not an operation on arrays, called with what it does not take; blocks of devices that end in any order."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.arrays.registry import kind_of
from cudnnkit.cli import main
from cudnnkit.store import Store
from cudnnkit.testing import SimulatedDevice, simulated
from cudnnkit.tuner import tuner

X, W = np.ones((1, 2, 4, 4)), np.ones((2, 2, 1, 1))


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: ck.plan(5), "function"),  # type: ignore[arg-type]
        (lambda: ck.explain("conv2d", X, W), "function"),  # type: ignore[arg-type]
        (lambda: ck.tune_network(None, X), "function"),  # type: ignore[arg-type]
        (lambda: ck.pin("graph engine 1", ck.conv2d, X, W), "candidate"),  # type: ignore[arg-type]
        (lambda: ck.set_cache(5), "path"),  # type: ignore[arg-type]
        (lambda: ck.set_cache(b"file"), "path"),  # type: ignore[arg-type]
        (lambda: ck.set_cache("a\0b"), "path"),
        (lambda: ck.set_cache(""), "path"),
        (lambda: ck.set_cache("a" * 5000), "path"),
        (lambda: ck.set_cache("file", read_only="no"), "read_only"),  # type: ignore[arg-type]
        (lambda: ck.warm_up(operations=5), "operations"),  # type: ignore[arg-type]
        (lambda: ck.warm_up(operations="conv"), "operations"),
        (lambda: ck.warm_up("0"), "device"),  # type: ignore[arg-type]
        (lambda: ck.capture(ck.relu, copy="no"), "copy"),  # type: ignore[call-overload]
    ],
)
def test_wrong_arguments_are_named(call: Any, argument: str) -> None:
    with pytest.raises(ck.ArgumentError) as caught:
        call()
    assert caught.value.argument == argument


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("name", ["padding", "stride", "kernel"])
@pytest.mark.parametrize("cyclic", [False, True])
def test_sequences_nested_without_end_are_refused(name: str, cyclic: bool) -> None:
    nested: Any = []
    nested.append(nested)
    if not cyclic:
        for _ in range(100_000):
            nested = [nested]
    given = {"kernel": 1, name: nested}
    with pytest.raises(ck.ArgumentError, match=r"sequences|nested|takes"):
        ck.conv_filter_gradient(X, X, **given)


@pytest.mark.usefixtures("device")
def test_a_recording_is_found_again_by_a_value_that_equals_nothing() -> None:
    captured = ck.capture(lambda x, fill: ck.relu(x))  # noqa: ARG005
    for _ in range(3):
        captured(X, float("nan"))
    assert [one.replays for one in captured.report()] == [2]


def test_a_block_that_ends_before_one_within_it_leaves_nothing_behind() -> None:
    before = tuner()
    outer, inner = simulated(), simulated()
    first = outer.__enter__()
    second = inner.__enter__()
    outer.__exit__(None, None, None)
    assert kind_of(X, "x").library is second.library
    ck.conv2d(X, W)
    assert second.launches
    assert not first.launches
    inner.__exit__(None, None, None)
    assert tuner() is before
    with pytest.raises(ck.ArgumentTypeError, match="host memory"):
        ck.conv2d(X, W)


def test_a_block_within_a_block_has_a_device_of_its_own(device: SimulatedDevice) -> None:
    ck.conv2d(X, W)
    seen = len(device.launches)
    with simulated() as inner:
        inner.capturing = True
        ck.conv2d(X, W)
        assert kind_of(X, "x").library.capturing(0)
        assert len(inner.launches) == 1  # not searched
    assert len(device.launches) == seen
    assert not kind_of(X, "x").library.capturing(0)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
@pytest.mark.parametrize("read_only", [False, True])
def test_a_pipe_is_no_cache_and_nobody_waits_for_it(read_only: bool, tmp_path: Path) -> None:
    path = tmp_path / "tuning.sqlite"
    os.mkfifo(path)
    store = Store(path, read_only=read_only)
    with simulated(store=store):
        assert ck.conv2d(X, W).max() == 2
    assert list(store.records()) == []
    assert path.is_fifo()


USER = """
import sys
def leaves(): sys.exit(0)
def fails(): raise RuntimeError("no weights")
def wants(x): pass
"""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("odd_user:leaves", "raised SystemExit"),
        ("odd_user:fails", "raised RuntimeError: no weights"),
        ("odd_user:wants", "raised TypeError: wants() missing 1 required positional argument"),
        ("math:sqrt", "raised TypeError"),
        (".relative:f", "cannot be imported"),
        ("..:f", "cannot be imported"),
        ("odd_broken:f", "cannot be imported (SyntaxError"),
        ("odd_leaves:f", "cannot be imported (SystemExit"),
    ],
)
def test_a_function_of_the_users_that_fails_is_one_sentence(
    name: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module, text in (("user", USER), ("broken", "def"), ("leaves", "raise SystemExit(0)")):
        (tmp_path / f"odd_{module}.py").write_text(text)
        monkeypatch.delitem(sys.modules, f"odd_{module}", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main(["tune", "--simulated", "--network", name]) == 1
    printed = capsys.readouterr()
    assert printed.err.startswith(f"cudnnkit: error: network={name!r}: ")
    assert said in printed.err
    assert printed.err.count("\n") == 1
