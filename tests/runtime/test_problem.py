from __future__ import annotations

import dataclasses
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from cudnnkit.errors import CacheError
from cudnnkit.policy import PolicyKey
from cudnnkit.problem import (
    ConvolutionSpec,
    Epilogue,
    PoolingSpec,
    Problem,
    TensorSpec,
    memory_class,
    normalize_strides,
    scale_class,
)
from hypothesis import given
from hypothesis import strategies as st

from .problems import convolution

LITERALS = {"alpha": "general", "beta": "one", "mode": "convolution", "dtype": "bfloat16"}
FIXED = ("architecture", "shape", "strides")
"""Tuples whose length is fixed, by their type or by another field."""


def changed(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Each way to change exactly one leaf of `value`, with the leaf's path."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        for one in dataclasses.fields(value):
            if not one.init:
                continue
            inner = getattr(value, one.name)
            for path, other in changed(inner, one.name):
                yield f"{one.name}.{path}" if path else one.name, replace(value, **{one.name: other})
            if isinstance(inner, tuple) and not isinstance(inner, PolicyKey) and one.name not in FIXED:
                yield f"{one.name}.shorter", replace(value, **{one.name: inner[:-1]})
    elif isinstance(value, PolicyKey):
        for field in value._fields:
            for _, other in changed(getattr(value, field), field):
                yield field, value._replace(**{field: other})
    elif isinstance(value, tuple):
        for place, item in enumerate(value):
            for path, other in changed(item, name):
                yield f"{place}.{path}" if path else f"{place}", (*value[:place], other, *value[place + 1 :])
    elif name in LITERALS:
        yield "", "average_include_padding" if value == "max" else LITERALS[name]
    elif value is None:
        yield "", 12345
    elif isinstance(value, bool):
        yield "", not value
    elif isinstance(value, int | float):
        yield "", value + 1
    else:
        yield "", value + "x"


# No operation has both a convolution and a pooling; the key carries either.
WHOLE = convolution(pooling=PoolingSpec("max", (3, 3), (1, 1), (1, 1), (2, 2)))
MUTATIONS = [
    *changed(WHOLE),
    ("convolution", replace(WHOLE, convolution=None)),
    ("pooling", replace(WHOLE, pooling=None)),
]


def test_every_field_is_mutated() -> None:
    """The list below is written by hand, so that a field that the generic mutation skips is noticed."""
    paths = {path for path, _ in MUTATIONS}
    for wanted in [
        "operation",
        "tensors.0.role",
        "tensors.0.shape.3",
        "tensors.1.strides.2",
        "tensors.2.dtype",
        "tensors.0.alignment",
        "tensors.2.output",
        "tensors.shorter",
        "compute",
        "device.architecture.0",
        "device.multiprocessors",
        "device.memory_class",
        "device.name",
        "versions.cudnn",
        "versions.driver",
        "policy.precision",
        "policy.deterministic",
        "policy.workspace_bytes",
        "policy.workspace_fraction",
        "policy.tolerance",
        "convolution.pre_padding.0",
        "convolution.post_padding.1",
        "convolution.stride.0",
        "convolution.dilation.1",
        "convolution.groups",
        "convolution.mode",
        "epilogue.bias",
        "epilogue.residual",
        "epilogue.activation",
        "epilogue.parameters.0",
        "parameters.0.1",
        "parameters.1.1",
        "alpha",
        "beta",
        "aliasing.0.1",
        "aliasing.shorter",
        "pooling.mode",
        "pooling.window.0",
        "pooling.pre_padding.0",
        "pooling.post_padding.1",
        "pooling.stride.1",
    ]:
        assert wanted in paths


@pytest.mark.parametrize(("path", "other"), MUTATIONS, ids=[path for path, _ in MUTATIONS])
def test_a_change_of_any_field_changes_the_key(path: str, other: Problem) -> None:
    problem = WHOLE
    assert other != problem, path
    assert other.canonical() != problem.canonical(), path
    assert problem not in {other: 1}
    assert Problem.from_json(json.loads(other.canonical())) == other


def test_all_mutations_differ_from_each_other() -> None:
    assert (
        len({other.canonical() for _, other in MUTATIONS}) == len({other for _, other in MUTATIONS}) == len(MUTATIONS)
    )


def test_equality_is_by_fields_not_identity() -> None:
    one, other = convolution(), convolution()
    assert one is not other
    assert one == other
    assert hash(one) == hash(other)
    assert {one: "choice"}[other] == "choice"
    assert one != "conv"


def test_a_residual_behind_the_activation_is_another_problem() -> None:
    before = convolution()
    after = replace(before, epilogue=replace(before.epilogue, residual_after=True))
    assert after != before
    assert "residual_after" not in json.loads(before.canonical())["epilogue"]  # the text of earlier versions
    assert Problem.from_json(json.loads(after.canonical())) == after
    assert Problem.from_json(json.loads(before.canonical())) == before
    assert "leaky_relu 0.01, then the residual" in after.label


def test_the_text_of_what_has_no_pooling_is_that_of_earlier_versions() -> None:
    assert "pooling" not in json.loads(convolution().canonical())


def test_forced_hash_collision_keeps_problems_apart() -> None:
    problems = [convolution(batch) for batch in range(1, 20)]
    for one in problems:
        object.__setattr__(one, "_hash", 7)
    assert len({hash(one) for one in problems}) == 1
    table = {one: one.tensors[0].shape[0] for one in problems}
    assert [table[one] for one in problems] == list(range(1, 20))


def test_numbers_that_are_equal_have_one_text() -> None:
    one = convolution(parameters=(("axis", 1), ("slope", -0.0)), epilogue=Epilogue(parameters=(1,)))
    other = convolution(parameters=(("slope", 0.0), ("axis", True)), epilogue=Epilogue(parameters=(1.0,)))
    assert one == other
    assert one.canonical() == other.canonical()


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_without_an_identity_are_refused(value: float) -> None:
    with pytest.raises(ValueError, match="cannot be part of a problem's key"):
        convolution(parameters=(("axis", value),))


def test_order_of_aliasing_does_not_matter() -> None:
    one = convolution(aliasing=(("y", "residual"), ("x", "w")))
    assert one == convolution(aliasing=(("w", "x"), ("residual", "y")))


def test_pickled_key_is_found_in_a_process_with_other_hashes() -> None:
    problem = convolution()
    code = (
        "import sys, pickle, json\n"
        "from cudnnkit.problem import Problem\n"
        "one = pickle.load(sys.stdin.buffer)\n"
        "other = Problem.from_json(json.loads(one.canonical()))\n"
        "print(hash(one), {one: 'found'}[other])"
    )
    answers = []
    for seed in ("1", "2"):
        result = subprocess.run(
            [sys.executable, "-c", code],
            input=pickle.dumps(problem),
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        answers.append(result.stdout.split())
    assert [found for _, found in answers] == [b"found", b"found"]
    assert answers[0][0] != answers[1][0]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data.update(key_version=2),
        lambda data: data.pop("key_version"),
        lambda data: data.pop("device"),
        lambda data: data.update(colour="red"),
        lambda data: data["policy"].pop("precision"),
        lambda data: data.update(tensors=3),
        lambda data: data["tensors"][0].update(extra=1),
    ],
)
def test_damaged_keys_are_cache_errors(damage: Any) -> None:
    data = json.loads(convolution().canonical())
    damage(data)
    with pytest.raises(CacheError):
        Problem.from_json(data)


@pytest.mark.parametrize("data", [None, 3, [], "x"])
def test_keys_that_are_no_objects_are_cache_errors(data: Any) -> None:
    with pytest.raises(CacheError):
        Problem.from_json(data)


shapes = st.lists(st.integers(0, 4), min_size=1, max_size=5).map(tuple)
tensors = st.builds(
    lambda role, shape, dtype, alignment, output: TensorSpec(role, shape, tuple(shape), dtype, alignment, output),
    st.sampled_from(["x", "w"]),
    shapes,
    st.sampled_from(["float16", "float32"]),
    st.sampled_from([2, 16]),
    st.booleans(),
)
problems = st.builds(
    convolution,
    tensors=st.lists(tensors, min_size=1, max_size=2).map(tuple),
    convolution=st.one_of(st.none(), st.builds(ConvolutionSpec, *[st.just((1,))] * 4, groups=st.integers(1, 2))),
    parameters=st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["1", 1, 1.5])), max_size=1).map(tuple),
    beta=st.sampled_from(["zero", "one"]),
)


@given(problems, problems)
def test_text_equality_is_field_equality(one: Problem, other: Problem) -> None:
    assert (one == other) == (one.canonical() == other.canonical())
    assert Problem.from_json(json.loads(one.canonical())) == one


def test_bytes_and_label() -> None:
    problem = convolution(2, dtype="float16")
    assert problem.nbytes == 2 * (2 * 64 * 56 * 56 + 128 * 32 * 9 + 2 * 128 * 56 * 56)
    assert problem.label == (
        "conv_forward (x 2x64x56x56 float16, w 128x32x3x3 float16, y 2x128x56x56 float16; channels last, padding 1x1, "
        "groups 2, leaky_relu 0.01, axis 1, mode channel, residual is y, fast)"
    )
    assert problem.tensor("w").shape == (128, 32, 3, 3)
    with pytest.raises(KeyError):
        problem.tensor("bias")


def test_the_label_tells_what_is_not_the_usual() -> None:
    plain = convolution(
        1, convolution=ConvolutionSpec((0, 0), (0, 0), (1, 1), (1, 1)), epilogue=Epilogue(), parameters=(), aliasing=(),
        tensors=(TensorSpec("x", (1, 2, 3, 4), (24, 12, 4, 1), "float32"),),
    )  # fmt: skip
    assert plain.label == "conv_forward (x 1x2x3x4 float32; fast)"
    spec = ConvolutionSpec((0, 1), (1, 1), (2, 2), (1, 3), 1, "convolution")
    told = replace(
        plain, convolution=spec, beta="general", alpha="zero",
        tensors=(TensorSpec("x", (1, 2, 3, 4), (48, 24, 8, 2), "float32"),),
    ).label  # fmt: skip
    assert told == (
        "conv_forward (x 1x2x3x4 float32; strided, padding 0x1 and 1x1, stride 2x2, dilation 1x3, flipped window, "
        "alpha zero, beta general, fast)"
    )


def test_scratch_is_needed_when_the_output_is_read_or_shared() -> None:
    assert convolution(aliasing=()).needs_scratch is False
    assert convolution(aliasing=(), beta="one").needs_scratch
    assert convolution().needs_scratch


def test_scale_classes() -> None:
    assert [scale_class(value) for value in (0, 0.0, -0.0, 1, 1.0, 2, -1)] == [
        "zero", "zero", "zero", "one", "one", "general", "general",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("gib", "expected"),
    [(139.8, 144), (79.1, 80), (79.6, 80), (39.4, 40), (23.6, 24), (15.8, 16), (11.9, 12), (8.0, 8), (5.8, 8)],
)
def test_memory_class_ignores_what_the_driver_takes(gib: float, expected: int) -> None:
    assert memory_class(int(gib * 2**30)) == expected


@pytest.mark.parametrize(
    ("shape", "strides", "last", "expected"),
    [
        ((2, 3, 4, 5), (60, 20, 5, 1), False, (60, 20, 5, 1)),
        ((2, 3, 4, 5), (60, 1, 15, 3), False, (60, 1, 15, 3)),
        # Axes of size 1 carry anything.
        ((1, 3, 4, 5), (999, 20, 5, 1), False, (60, 20, 5, 1)),
        ((1, 3, 4, 5), (0, 1, 15, 3), False, (60, 1, 15, 3)),
        # One channel fits both layouts: the caller says which.
        ((2, 1, 4, 5), (20, 7, 5, 1), False, (20, 20, 5, 1)),
        ((2, 1, 4, 5), (20, 7, 5, 1), True, (20, 1, 5, 1)),
        # Neither layout: only the meaningless stride changes.
        ((2, 1, 4), (100, 77, 2), False, (100, 8, 2)),
        ((2, 3, 1), (100, 2, 0), False, (100, 2, 1)),
        ((), (), False, ()),
    ],
)
def test_strides_of_axes_of_size_one(
    shape: tuple[int, ...], strides: tuple[int, ...], last: bool, expected: tuple[int, ...]
) -> None:
    assert normalize_strides(shape, strides, channels_last=last) == expected
