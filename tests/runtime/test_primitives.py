"""cuDNN's legacy calls beside convolution, built with the real library; running them needs a GPU."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cudnn_ffi
import pytest
from cudnnkit.arrays.view import channels_last_strides, contiguous_strides
from cudnnkit.policy import Policy
from cudnnkit.primitives import offer
from cudnnkit.problem import Epilogue, PoolingSpec, Problem, TensorSpec

from .problems import DEVICE, VERSIONS


@dataclass
class Built:
    names: list[str]
    arguments: list[tuple[Any, ...]]


def problem(operation: str, roles: str, shape: tuple[int, ...], dtype: str = "float16", **more: Any) -> Problem:
    *inputs, result = roles.split()
    tensors = [
        TensorSpec(role, (shape[1],), (1,), dtype)
        if role == "bias"
        else TensorSpec(role, shape, contiguous_strides(shape), dtype, output=role == result)
        for role in (*inputs, result)
    ]
    compute = "float64" if dtype == "float64" else "float32"
    return Problem(operation, tuple(tensors), compute, DEVICE, VERSIONS, Policy().key, **more)


@pytest.fixture(scope="module")
def build(real_library: Callable[[int], Path]) -> Callable[[Problem], Built]:
    library: Any = cudnn_ffi.load(real_library(9))
    context = SimpleNamespace(library=library, handle=SimpleNamespace(_ptr=library._ffi.NULL), stream=0)

    def prepare(one: Problem) -> Built:
        names, calls = [], []
        for candidate in offer(one, context):
            plan = candidate.prepare()
            made = plan._make((tuple(range(64, 64 * (len(one.tensors) + 1), 64)), 0, 1.0, 0.0))
            wanted = library._ffi.typeof(plan._function).args
            assert len(made) == len(wanted)
            for value, kind in zip(made, wanted, strict=True):
                if not isinstance(value, int):  # addresses, descriptors and numbers are what C takes there
                    given = library._ffi.typeof(value)
                    assert given is kind or kind.kind == "pointer", (given, kind)
            names.append(f"{candidate.description.id.algorithm} {candidate.description.id.name}".strip())
            calls.append(made)
        return Built(names, calls)

    return prepare


def addresses(arguments: tuple[Any, ...]) -> list[int]:
    """Operands in the order in which they stand in the call; they are the multiples of 64 up to 64 * 5."""
    found = []
    for one in arguments:
        text = str(one)
        if "void *" in text and " 0x" in text:
            found.append(int(text.rsplit(" ", 1)[1].rstrip(">"), 16) // 64)
    return found


@pytest.mark.parametrize("algorithm", ["accurate", "fast", "log"])
def test_softmax_modes(algorithm: str, build: Callable[[Problem], Built]) -> None:
    parameters = (("algorithm", algorithm), ("library", "torch"))
    rows = build(problem("softmax_forward", "x y", (6, 10, 1), parameters=parameters))
    assert rows.names == ["SoftmaxForward INSTANCE", "SoftmaxForward CHANNEL"]
    assert addresses(rows.arguments[0]) == [1, 2]
    assert [one[1] for one in rows.arguments] == [{"fast": 0, "accurate": 1, "log": 2}[algorithm]] * 2
    assert [one[2] for one in rows.arguments] == [0, 1]
    wide = build(problem("softmax_backward", "y dy dx", (6, 10, 4), "float64", parameters=parameters))
    assert wide.names == ["SoftmaxBackward CHANNEL"]
    assert addresses(wide.arguments[0]) == [1, 2, 3]


@pytest.mark.parametrize("name", ["relu", "relu6", "clipped_relu", "elu", "sigmoid", "tanh", "silu"])
def test_activations(name: str, build: Callable[[Problem], Built]) -> None:
    epilogue = Epilogue(activation=name)
    rows = build(problem("epilogue", "x y", (1, 30, 1, 1), epilogue=epilogue))
    assert [one.split()[0] for one in rows.names] == ["ActivationForward"]
    assert addresses(rows.arguments[0]) == [1, 2]
    back = build(problem("activation_backward", "y dy x dx", (1, 30, 1, 1), epilogue=epilogue))
    assert addresses(back.arguments[0]) == [1, 2, 3, 4]
    assert not build(problem("activation_backward", "dy x dx", (1, 30, 1, 1), epilogue=epilogue)).names


@pytest.mark.parametrize("last", [False, True], ids=["nchw", "nhwc"])
@pytest.mark.parametrize(("image", "result"), [((9,), (5,)), ((9, 8), (5, 4)), ((9, 8, 7), (5, 4, 4))], ids=str)
def test_pooling(
    image: tuple[int, ...], result: tuple[int, ...], last: bool, build: Callable[[Problem], Built]
) -> None:
    rank = len(image)
    strides = channels_last_strides if last else contiguous_strides
    shapes = {"x": (2, 6, *image), "dx": (2, 6, *image), "y": (2, 6, *result), "dy": (2, 6, *result)}

    def rows(roles: str, mode: Any, post: int = 1) -> Built:
        *_, made = roles.split()
        tensors = tuple(
            TensorSpec(role, shapes[role], strides(shapes[role]), "float16", output=role == made)
            for role in roles.split()
        )
        spec = PoolingSpec(mode, (3,) * rank, (1,) * rank, (post,) * rank, (2,) * rank)
        operation = "pool_forward" if made == "y" else "pool_backward"
        return build(Problem(operation, tensors, "float32", DEVICE, VERSIONS, Policy().key, pooling=spec))

    forward, backward = rows("x y", "max"), rows("y dy x dx", "max")
    assert forward.names == ["PoolingForward MAX", "PoolingForward MAX_DETERMINISTIC"]
    assert backward.names == ["PoolingBackward MAX", "PoolingBackward MAX_DETERMINISTIC"]
    assert addresses(forward.arguments[0]) == [1, 2]
    assert addresses(backward.arguments[0]) == [1, 2, 3, 4]
    mean = rows("dy dx", "average_exclude_padding")
    assert mean.names == ["PoolingBackward AVERAGE_COUNT_EXCLUDE_PADDING"]
    # It reads neither y nor x, and gets addresses of the same shapes for them.
    assert addresses(mean.arguments[0]) == [1, 1, 2, 2]
    assert rows("x y", "max", post=0).names == []


def test_only_the_gradient_of_maxima_may_differ_from_run_to_run() -> None:
    spec = PoolingSpec("max", (2, 2), (0, 0), (0, 0), (2, 2))
    shapes = {"x": (2, 6, 8, 8), "y": (2, 6, 4, 4), "dy": (2, 6, 4, 4), "dx": (2, 6, 8, 8)}
    for operation, roles, steady in (
        ("pool_forward", "x y", [True, True]),
        ("pool_backward", "y dy x dx", [False, True]),
    ):
        tensors = tuple(
            TensorSpec(role, shapes[role], contiguous_strides(shapes[role]), "float32") for role in roles.split()
        )
        one = Problem(operation, tensors, "float32", DEVICE, VERSIONS, Policy().key, pooling=spec)
        assert [candidate.description.deterministic for candidate in offer(one, None)] == steady


@pytest.mark.parametrize("name", ["leaky_relu", "gelu", "gelu_tanh", "softplus", "swish"])
def test_activations_that_the_legacy_api_lacks(name: str, build: Callable[[Problem], Built]) -> None:
    assert not build(problem("epilogue", "x y", (1, 30, 1, 1), epilogue=Epilogue(activation=name))).names


def test_a_bias_is_added_only_in_place_and_along_channels(build: Callable[[Problem], Built]) -> None:
    epilogue, shared = Epilogue(bias=True), (("x", "y"),)
    rows = build(problem("epilogue", "x bias y", (6, 10, 4), epilogue=epilogue, aliasing=shared))
    assert rows.names == ["AddTensor"]
    assert addresses(rows.arguments[0]) == [2, 3]
    for changes in (
        {"epilogue": epilogue},
        {"epilogue": Epilogue(bias=True, activation="relu"), "aliasing": shared},
        {"epilogue": epilogue, "aliasing": shared, "dtype": "bfloat16"},
    ):
        assert "AddTensor" not in build(problem("epilogue", "x bias y", (6, 10, 4), **changes)).names  # type: ignore[arg-type]
