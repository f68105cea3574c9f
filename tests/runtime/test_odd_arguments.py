"""Arguments of every wrong kind, before and after a good call of the same signature: each is named, nothing else."""

from __future__ import annotations

from typing import Any

import cudnnkit as ck
import numpy as np
import pytest
from cudnnkit.testing import simulated

from .references import random

HUGE = 10**400
X, W = random(2, 4, 6, 6), random(6, 4, 3, 3)
V = np.ones(4)

WRONG: list[Any] = [
    True, "", "1", b"1", (), (1, 2), [], {}, set(), object(), HUGE, 1j, np.float32(1), np.zeros(0), np.zeros(2), X,
    np.zeros(2, [("a", "f4")]), memoryview(bytearray(4)), float("nan"), float("inf"), slice(1), ...,
]  # fmt: skip


class Unreadable:
    """Claims to be a GPU array, and cannot be asked."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        raise RuntimeError("lost")


class NoDictionary:
    __cuda_array_interface__ = 5


class NoDevice:
    def __dlpack_device__(self) -> None:
        return None

    def __dlpack__(self, **_: Any) -> None:
        return None


class Shapeless(np.ndarray):
    """An array whose attributes raise, as a sparse tensor's do."""

    error: type[Exception] = RuntimeError

    @property
    def strides(self) -> Any:
        raise self.error("no strides")


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("error", [RuntimeError, TypeError, ValueError, KeyError])
@pytest.mark.parametrize("argument", ["x", "w", "bias", "out"])
@pytest.mark.parametrize("seen", [False, True])
def test_arrays_without_strides_are_named(error: type[Exception], argument: str, seen: bool) -> None:
    wrong = X.view(type("Odd", (Shapeless,), {"error": error}))
    arguments: dict[str, Any] = {"x": X, "w": W, argument: wrong}
    if seen:
        ck.conv2d(X, W)
    for _ in range(2):
        with pytest.raises(ck.ArgumentTypeError, match=rf"^{argument}=.*pass a dense array.*{argument}\.to_dense"):
            ck.conv2d(**arguments)


def test_an_error_shows_nothing_of_the_look_up_before_it() -> None:
    for wrong in ({"x": X}, {"x": object()}, {"x": X, "padding": [1, 2, 3]}):
        with simulated(), pytest.raises(ck.ArgumentError) as caught:  # a new device has seen no type of array
            ck.conv2d(**{"w": W, **wrong, **({} if "padding" in wrong else {"groups": -1})})
        assert caught.value.__context__ is None or caught.value.__suppress_context__


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(
    ("good", "wrong"), [({"deterministic": True}, {"deterministic": 1}), ({"after": 1}, {"after": True})]
)
def test_a_policy_field_that_equals_a_good_one_is_refused_whatever_came_before(good: Any, wrong: Any) -> None:
    for _ in range(2):
        with pytest.raises(ck.ArgumentTypeError):
            ck.relu(X, **wrong)
        ck.relu(X, **good)


@pytest.mark.parametrize("argument", ["alpha", "beta"])
@pytest.mark.parametrize("seen", [False, True])
def test_factors(argument: str, seen: bool) -> None:
    out = np.zeros((2, 6, 4, 4))
    with simulated():
        if seen:
            ck.conv2d(X, W, out=out, alpha=0.5, beta=0.5)
            ck.conv2d(X, W, out=out, **{argument: 0.5})
            ck.conv2d(X, W, out=out)
        for wrong in WRONG:
            if seen and (wrong is True or isinstance(wrong, np.float32)):
                continue  # equals 1, which was seen
            with pytest.raises(ck.ArgumentError, match=f"^{argument}="):
                ck.conv2d(X, W, out=out, **{argument: wrong})
        assert np.isfinite(ck.conv2d(X, W, out=out, alpha=0.25)).all()  # nothing wrong is remembered


@pytest.mark.parametrize("seen", [False, True])
@pytest.mark.parametrize(
    ("function", "arrays", "argument"),
    [
        (ck.conv2d, (X, W), "residual_after"),
        (ck.conv2d, (X, W), "policy"),
        (ck.relu, (X,), "policy"),
        (ck.gelu, (X,), "approximate"),
        (ck.batch_norm_training, (X, V, V), "activation"),
        (ck.batch_norm_backward, (X, X, V, V, V, V), "residual"),
        (ck.batch_norm_backward, (X, X, V, V, V, V), "activation"),
    ],
)
def test_switches_and_names(function: Any, arrays: tuple[Any, ...], argument: str, seen: bool) -> None:
    with simulated():
        if seen:
            function(*(one.copy() for one in arrays))
        for wrong in [one for one in WRONG if one is not True]:
            with pytest.raises(ck.ArgumentError):
                function(*(one.copy() for one in arrays), **{argument: wrong})


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: ck.batch_norm(X, V, V, eps=HUGE), "eps"),
        (lambda: ck.batch_norm_training(X, V, V, running_mean=V, running_variance=V, momentum=HUGE), "momentum"),
        (lambda: ck.leaky_relu(X, HUGE), "activation"),
        (lambda: ck.conv2d(X, W, activation=("elu", HUGE)), "activation"),
        (lambda: ck.relu(X, budget_ms=HUGE), "budget_ms"),
        (lambda: ck.relu(X, tolerance=HUGE), "tolerance"),
        (lambda: ck.relu(X, workspace=HUGE), "workspace"),
        (lambda: ck.relu(X, self=1), "self"),
        (lambda: ck.set_policy(after=HUGE), "after"),
        (lambda: ck.conv2d(X, W, padding=2**31), "padding"),
        (lambda: ck.conv2d(X, W, padding=HUGE), "padding"),
        (lambda: ck.conv_transpose2d(random(2, 6, 2, 2), W, stride=2**31), "stride"),
        (lambda: ck.conv_transpose2d(random(2, 6, 2, 2), W, dilation=2**63), "dilation"),
        (lambda: ck.max_pool(X, 2, stride=2**31), "stride"),
    ],
)
def test_numbers_that_nothing_holds(call: Any, argument: str) -> None:
    with pytest.raises(ck.ArgumentError) as caught:
        call()
    assert caught.value.argument == argument


@pytest.mark.parametrize("wrong", [Unreadable(), NoDictionary()])
@pytest.mark.parametrize("argument", ["x", "w", "bias", "out"])
@pytest.mark.usefixtures("device")
def test_objects_that_lie_about_being_arrays(wrong: Any, argument: str) -> None:
    arguments: dict[str, Any] = {"x": X, "w": W, argument: wrong}
    with pytest.raises(ck.ArgumentTypeError, match=f"^{argument}=.* does not tell what it is"):
        ck.conv2d(**arguments)


def test_an_object_without_a_device() -> None:
    with pytest.raises(ck.ArgumentTypeError, match=r"^x=.* does not tell what it is"):
        ck.relu(NoDevice())


def test_a_message_is_short_whatever_was_given() -> None:
    for value in (X.tolist(), "x" * 5000, 10**5000, [[0] * 1000]):
        assert len(str(ck.ArgumentError("padding", value, "is wrong"))) < 500
    assert "very many digits" in str(ck.ArgumentError("padding", 10**5000, "is wrong"))


@pytest.mark.usefixtures("device")
def test_a_first_result_that_does_not_fit() -> None:
    with pytest.raises(ck.OutOfMemoryError, match="the result's own memory"):
        ck.conv2d(X, W, padding=2**20)
    assert ck.conv2d(X, W).shape == (2, 6, 4, 4)


def outcome(call: Any) -> Any:
    try:
        return call().tolist()
    except ck.ArgumentError as error:
        return type(error), error.argument


@pytest.mark.parametrize(
    ("function", "argument", "good", "others"),
    [
        (lambda **a: ck.conv2d(X, W, **a), "padding", 1, [1.0, True, 1 + 0j, np.float32(1), np.int64(1)]),
        (lambda **a: ck.conv2d(X, W, **a), "padding", (1, 0), [(1.0, False), [True, 0]]),
        (lambda **a: ck.conv2d(X, W, **a), "stride", 2, [2.0, (2.0, 2)]),
        (lambda **a: ck.conv2d(X, W, **a), "dilation", 1, [True]),
        (lambda **a: ck.conv2d(X, W, **a), "groups", 1, [True, 1.0]),
        (lambda **a: ck.conv2d(X, W, residual=X[:, :1, 1:5, 1:5].repeat(6, 1), **a), "residual_after", True, [1, 1.0]),
        (lambda **a: ck.conv2d(X, W, **a), "activation", ("elu", 1.0), [("elu", 1), ("elu", True)]),
        (lambda **a: ck.conv_filter_gradient(X, X[:, :, 2:, 2:], **a), "kernel", 3, [3.0, (3.0, 3)]),
        (lambda **a: ck.conv_data_gradient(X[:, :, 2:, 2:], W[:4], **a), "x_shape", (2, 4, 6, 6), [(2.0, 4, 6, 6)]),
        (lambda **a: ck.max_pool(X, **a), "window", 2, [2.0]),
        (lambda **a: ck.avg_pool(X, 2, **a), "include_padding", True, [1]),
        (lambda **a: ck.global_avg_pool_backward(X[..., :1, :1], **a), "x_shape", (2, 4, 6, 6), [(2.0, 4, 6, 6)]),
        (lambda **a: ck.softmax(X, **a), "axis", 1, [1.0, True]),
        (lambda **a: ck.batch_norm(X, V, V, **a), "eps", 1.0, [1, True, np.float32(1)]),
    ],
)  # fmt: skip
def test_what_equals_a_good_argument_is_answered_alike_whichever_came_first(
    function: Any, argument: str, good: Any, others: list[Any]
) -> None:
    for other in others:
        with simulated():
            first = outcome(lambda other=other: function(**{argument: other}))
            expected = function(**{argument: good}).tolist()
            assert outcome(lambda other=other: function(**{argument: other})) == first
        assert first in (expected, (ck.ArgumentTypeError, argument))
