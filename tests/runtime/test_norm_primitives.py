"""The legacy calls of batch normalisation, built with the real library; running them needs a GPU."""

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
from cudnnkit.primitives.batch_norm import reserve_bytes
from cudnnkit.problem import Epilogue, Problem, TensorSpec

from .problems import DEVICE, VERSIONS

IMAGES = ("x", "y", "dy", "dx", "residual", "dresidual")
OUTPUTS = ("running_mean", "running_variance", "mean", "inverse_std", "dscale", "dbias", "dresidual")
TRAINING = "x scale bias running_mean running_variance mean inverse_std reserve y"
WORKSPACE, RESERVE = 1000, 640


class Sized:
    """The real library, but for the sizes that it tells only with a handle."""

    def __init__(self, real: Any) -> None:
        self._real = real
        self.asked: list[tuple[str, Any, Any]] = []

    def __getattr__(self, name: str) -> Any:
        if not name.endswith("_size"):
            return getattr(self._real, name)

        def size(handle: Any, mode: Any, fused: Any, *rest: Any) -> int:  # noqa: ARG001
            self.asked.append((name, mode.name, fused.name))
            return RESERVE if "reserve" in name and fused.name != "BN" else 0 if "reserve" in name else WORKSPACE

        return size


def problem(
    operation: str, roles: str, shape: tuple[int, ...] = (2, 8, 4, 4), dtype: str = "float16", *, last: bool = True,
    room: int = RESERVE, vectors: str | None = None, **more: Any,
) -> Problem:  # fmt: skip
    *_, result = roles.split()
    compute = "float64" if dtype == "float64" else "float32"
    strides = (channels_last_strides if last else contiguous_strides)(shape)
    tensors = []
    for role in roles.split():
        output = role == result or (role in OUTPUTS and operation != "batch_norm_inference")
        if operation == "batch_norm_backward" and role in ("mean", "inverse_std"):
            output = False
        if role == "reserve":
            tensors.append(TensorSpec(role, (room,), (1,), "uint8", output=operation == "batch_norm_training"))
        elif role in IMAGES:
            tensors.append(TensorSpec(role, shape, strides, dtype, output=output))
        else:
            tensors.append(TensorSpec(role, (shape[1],), (1,), vectors or compute, output=output))
    parameters = (("epsilon", 0.125), *more.pop("parameters", ()))
    return Problem(operation, tuple(tensors), compute, DEVICE, VERSIONS, Policy().key, parameters=parameters, **more)


@dataclass
class Built:
    name: str
    plan: Any
    arguments: tuple[Any, ...]
    roles: list[str]

    @property
    def operands(self) -> list[str]:
        """Roles of the operands in the order in which they stand in the call; + is inside the workspace."""
        found = []
        for one in self.arguments:
            text = str(one)
            if text.startswith("<cdata 'void *'") and "NULL" not in text:
                address = int(text.rsplit(" ", 1)[1].rstrip(">"), 16)
                found.append(self.roles[address // 64 - 1] if address < 4096 else f"+{address - 8192}")
        return found


@pytest.fixture(scope="module")
def library(real_library: Callable[[int], Path]) -> Any:
    return cudnn_ffi.load(real_library(9))


@pytest.fixture
def build(library: Any) -> Callable[[Problem], list[Built]]:
    context = SimpleNamespace(library=Sized(library), handle=SimpleNamespace(_ptr=library._ffi.NULL), stream=0)

    def prepare(one: Problem) -> list[Built]:
        rows = []
        for candidate in offer(one, context):
            try:
                plan: Any = candidate.prepare()
            except ValueError as error:
                rows.append(Built(str(error), None, (), []))
                continue
            made = plan._make((tuple(range(64, 64 * (len(one.tensors) + 1), 64)), 8192, 0.25, 0.0))
            wanted = library._ffi.typeof(plan._function).args
            assert len(made) == len(wanted)
            for value, kind in zip(made, wanted, strict=True):
                if isinstance(value, float):
                    assert kind.cname == "double"
                elif not isinstance(value, int):  # addresses and descriptors are what C takes there
                    given = library._ffi.typeof(value)
                    assert given is kind or kind.kind == "pointer", (given, kind)
            name = f"{candidate.description.id.algorithm} {candidate.description.id.name}"
            rows.append(Built(name.removeprefix("BatchNormalization"), plan, made, [t.role for t in one.tensors]))
        return rows

    return prepare


Build = Callable[[Problem], list[Built]]


def test_inference(build: Build) -> None:
    rows = build(problem("batch_norm_inference", "x mean variance scale bias y"))
    assert [one.name for one in rows] == ["ForwardInference SPATIAL"]
    assert rows[0].operands == ["x", "y", "scale", "bias", "mean", "variance"]
    assert rows[0].arguments[-1] == 0.125
    flat = build(problem("batch_norm_inference", "x mean variance scale bias y", (6, 8)))
    assert [one.name for one in flat] == ["ForwardInference SPATIAL", "ForwardInference PER_ACTIVATION"]
    assert build(problem("batch_norm_inference", "x mean variance y")) == []
    relu = Epilogue(activation="relu")
    assert build(problem("batch_norm_inference", "x mean variance scale bias y", epilogue=relu)) == []


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("shape", [(6, 8), (6, 8, 5), (2, 8, 4, 4), (2, 8, 2, 3, 4)], ids=str)
def test_training_in_every_mode(shape: tuple[int, ...], dtype: str, build: Build) -> None:
    rows = build(problem("batch_norm_training", TRAINING.replace(" reserve", ""), shape, dtype))
    modes = ["SPATIAL_PERSISTENT", "SPATIAL", *(["PER_ACTIVATION"] if len(shape) == 2 else [])]
    assert [one.name for one in rows] == [f"ForwardTrainingEx {mode}" for mode in modes]
    for one in rows:
        *operands, space = one.operands
        assert operands == ["x", "y", "scale", "bias", "running_mean", "running_variance", "mean", "inverse_std"]
        assert (space, one.plan.workspace, one.plan.fills) == ("+0", WORKSPACE, "")
        assert 0.25 in one.arguments  # alpha is the running statistics' share of the new value


def test_what_fuses_leaves_a_reserve(build: Build) -> None:
    roles = TRAINING.replace("bias", "bias residual")
    epilogue = Epilogue(residual=True, activation="relu")
    (row,) = build(problem("batch_norm_training", roles, epilogue=epilogue))
    assert row.name == "ForwardTrainingEx SPATIAL_PERSISTENT BN_ADD_ACTIVATION"
    assert row.operands[1:3] == ["residual", "y"]
    assert row.operands[-2:] == ["+0", "reserve"]
    assert row.arguments[-1] == RESERVE
    assert (row.plan.workspace, row.plan.fills) == (WORKSPACE, "SPATIAL_PERSISTENT BN_ADD_ACTIVATION")


def test_the_size_of_a_reserve_is_asked_for(library: Any) -> None:
    x = problem("batch_norm_training", TRAINING).tensor("x")
    sized: Any = Sized(library)
    context = SimpleNamespace(library=sized, handle=None)
    assert reserve_bytes(x, "BN_ADD_ACTIVATION", context) == RESERVE
    assert sized.asked[-1][1:] == ("SPATIAL_PERSISTENT", "BN_ADD_ACTIVATION")
    assert reserve_bytes(x, "BN", context) == 0

    def refuse(*_: Any) -> int:
        raise cudnn_ffi.StatusError("cudnnGetBatchNormalizationTrainingExReserveSpaceSize", 3000, "NOT_SUPPORTED")

    sized.get_batch_normalization_training_ex_reserve_space_size = refuse
    assert reserve_bytes(x, "BN_ACTIVATION", context) == 0


@pytest.mark.parametrize("roles", [TRAINING, TRAINING.replace(" reserve", "")])
def test_a_reserve_without_room_lies_in_the_workspace(roles: str, build: Build) -> None:
    (row,) = build(problem("batch_norm_training", roles, room=RESERVE - 1, epilogue=Epilogue(activation="relu")))
    assert row.operands[-2:] == ["+0", "+1024"]
    assert (row.plan.workspace, row.plan.fills) == (1024 + RESERVE, "")


@pytest.mark.parametrize(
    "changes",
    [
        {"dtype": "float32"},
        {"last": False},
        {"shape": (2, 6, 4, 4)},
        {"epilogue": Epilogue(activation="sigmoid")},
        {"epilogue": Epilogue(residual=True)},
        {"aliasing": (("residual", "y"),)},
        {"vectors": "float16"},
    ],
    ids=str,
)
def test_what_is_not_fused_is_not_offered(changes: dict[str, Any], build: Build) -> None:
    assert build(problem("batch_norm_training", TRAINING, **{"epilogue": Epilogue(activation="relu"), **changes})) == []


def test_backward(build: Build) -> None:
    rows = build(problem("batch_norm_backward", "dy x scale bias mean inverse_std dscale dbias dx"))
    names = ["Backward SPATIAL_PERSISTENT", "Backward SPATIAL"]
    assert [one.name for one in rows] == [*names, "BackwardEx SPATIAL_PERSISTENT", "BackwardEx SPATIAL"]
    assert rows[0].operands == ["x", "dy", "dx", "scale", "dscale", "dbias", "mean", "inverse_std"]
    assert rows[0].arguments[-3] == 0.125
    assert rows[2].operands == [*["x", "dy", "dx", "scale", "dscale", "dbias", "mean", "inverse_std"], "+0"]


def test_a_fused_backward_needs_the_reserve_of_its_own_forward(build: Build) -> None:
    roles = "dy x scale bias mean inverse_std y reserve dscale dbias dresidual dx"
    epilogue = Epilogue(residual=True, activation="relu")
    made_by = "SPATIAL_PERSISTENT BN_ADD_ACTIVATION"
    (row,) = build(problem("batch_norm_backward", roles, epilogue=epilogue, parameters=(("reserve", made_by),)))
    assert row.name == f"BackwardEx {made_by}"
    wanted = "x y dy dresidual dx scale bias dscale dbias mean inverse_std +0 reserve"
    assert row.operands == wanted.split()
    for one in (
        problem("batch_norm_backward", roles, epilogue=epilogue, parameters=(("reserve", "SPATIAL BN"),)),
        problem("batch_norm_backward", roles.replace("reserve ", ""), epilogue=epilogue),
    ):
        assert build(one)[0].name.startswith(f"needs the reserve of the forward call {made_by}")
    assert build(problem("batch_norm_backward", roles.replace("bias ", "", 1), epilogue=epilogue)) == []


@pytest.mark.parametrize(
    ("shape", "mode", "expected"),
    [
        ((2, 8, 4, 6), "SPATIAL", (1, 8, 1, 1)),
        ((2, 8, 4, 6), "PER_ACTIVATION", (1, 8, 4, 6)),
        ((2, 8, 3, 4, 6), "SPATIAL_PERSISTENT", (1, 8, 1, 1, 1)),
    ],
)
@pytest.mark.parametrize("dtype", ["HALF", "BFLOAT16", "FLOAT", "DOUBLE"])
def test_derived_descriptors(shape: Any, mode: str, expected: Any, dtype: str, library: Any) -> None:
    image, vector = library.create_tensor_descriptor(), library.create_tensor_descriptor()
    library.set_tensor_nd_descriptor(image, library.enums.DataType[dtype], shape, channels_last_strides(shape))
    library.derive_bn_tensor_descriptor(vector, image, library.enums.BatchNormMode[mode])
    found = library.get_tensor_nd_descriptor(vector)
    assert found.data_type.name == ("DOUBLE" if dtype == "DOUBLE" else "FLOAT")
    assert tuple(found.dim_a) == expected
