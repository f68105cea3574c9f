"""cuDNN's legacy calls beside convolution, built with the real library; running them needs a GPU."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cudnn_ffi
import pytest
from cudnnkit.arrays.view import contiguous_strides
from cudnnkit.policy import Policy
from cudnnkit.primitives import offer
from cudnnkit.problem import Epilogue, Problem, TensorSpec

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
