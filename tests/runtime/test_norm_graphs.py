"""Normalisation nodes attribute by attribute, and scalars that a plan reads from the host."""

from __future__ import annotations

from typing import Any

import cffi
import pytest
from cudnn_ffi.v9 import enums
from cudnnkit.arrays.view import channels_last_strides, contiguous_strides
from cudnnkit.engines.graph_build import build_graph, build_operations
from cudnnkit.engines.graph_plan import GraphPlan
from cudnnkit.policy import Policy
from cudnnkit.problem import Epilogue, Problem, TensorSpec

from .problems import DEVICE, VERSIONS
from .recorded import Recorded, RecordedContext, RecordedLibrary

IMAGES = ("x", "y", "dy", "dx", "residual", "dresidual")
SHAPE = (2, 8, 3, 4)


class Library(RecordedLibrary):
    """With real host memory."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._ffi: Any = cffi.FFI()

    def _new(self, kind: str, value: Any = None) -> Any:
        return self._ffi.new(kind, value)


def problem(operation: str, roles: str, **more: Any) -> Problem:
    tensors = tuple(
        TensorSpec(role, SHAPE, channels_last_strides(SHAPE), "float16")
        if role in IMAGES
        else TensorSpec(role, (8,), (1,), "float32")
        for role in roles.split()
    )
    parameters = (("epsilon", 0.125),)
    return Problem(operation, tensors, "float32", DEVICE, VERSIONS, Policy().key, parameters=parameters, **more)


def modes(nodes: list[Recorded]) -> list[str]:
    return [node["OPERATION_POINTWISE_PW_DESCRIPTOR"]["POINTWISE_MODE"].name for node in nodes]


TRAINING = "x scale bias running_mean running_variance mean inverse_std y"


def test_training_attribute_by_attribute() -> None:
    graph, (node,) = build_operations(Library(), problem("batch_norm_training", TRAINING, alpha="general"), (0.25, 0.0))
    assert node.kind is enums.BackendDescriptorType.OPERATION_NORM_FORWARD_DESCRIPTOR
    values = {name.removeprefix("OPERATION_NORM_FWD_"): value for name, value in node.values.items()}
    assert values.pop("MODE") is enums.BackendNormMode.BATCH_NORM
    assert values.pop("PHASE") is enums.BackendNormFwdPhase.TRAINING
    uids = {name: tensor["TENSOR_UNIQUE_ID"] for name, tensor in values.items()}
    scalars = uids.pop("EPSILON_DESC"), uids.pop("EXP_AVG_FACTOR_DESC")
    assert uids == {
        "XDESC": 1, "SCALE_DESC": 2, "BIAS_DESC": 3, "OUTPUT_RUNNING_MEAN_DESC": 4, "OUTPUT_RUNNING_VAR_DESC": 5,
        "MEAN_DESC": 6, "INV_VARIANCE_DESC": 7, "YDESC": 8, "INPUT_RUNNING_MEAN_DESC": 1101,
        "INPUT_RUNNING_VAR_DESC": 1102,
    }  # fmt: skip
    bound = dict(zip(graph.uids, graph.places, strict=True))
    assert (bound[4], bound[1101], bound[5], bound[1102]) == (3, 3, 4, 4)
    assert [(uid, memory[0]) for uid, memory in graph.constants] == [(scalars[0], 0.125), (scalars[1], 0.25)]
    vector = values["SCALE_DESC"]
    assert (vector["TENSOR_DIMENSIONS"], vector["TENSOR_STRIDES"]) == ((1, 8, 1, 1), (8, 1, 8, 8))


def test_a_plan_binds_the_scalars_memory() -> None:
    library = Library()
    context: Any = RecordedContext(library)
    graph = build_graph(library, problem("batch_norm_training", TRAINING, alpha="general"), "handle", (0.25, 0.0))
    config = library.backend_create_descriptor(enums.BackendDescriptorType.ENGINECFG_DESCRIPTOR).finalize()
    plan = GraphPlan(context, graph, config, "made up")
    plan.launch(tuple(range(64, 64 * 9, 64)), 0)
    ids, addresses = (call for call in library.calls if call[0] == "set" and call[4] > 1)
    found = dict(zip(ids[5], addresses[5], strict=True))
    assert ids[4] == addresses[4] == len(graph.uids) + 2
    assert (found[1], found[4], found[1101], found[8]) == (64, 256, 256, 512)
    scalars = [library._ffi.cast("float *", found[uid])[0] for uid, _ in graph.constants]
    assert scalars == [0.125, 0.25]


def test_residual_and_activation_follow_training_and_stand_before_the_gradient() -> None:
    epilogue = Epilogue(residual=True, activation="relu")
    _, nodes = build_operations(
        Library(), problem("batch_norm_training", TRAINING.replace("bias", "bias residual"), epilogue=epilogue)
    )
    assert modes(nodes[1:]) == ["ADD", "RELU_FWD"]
    assert nodes[0]["OPERATION_NORM_FWD_YDESC"]["TENSOR_IS_VIRTUAL"]
    roles = "dy x scale mean inverse_std y dscale dbias dresidual dx"
    _, (relu, norm) = build_operations(Library(), problem("batch_norm_backward", roles, epilogue=epilogue))
    assert modes([relu]) == ["RELU_BWD"]
    assert relu["OPERATION_POINTWISE_XDESC"]["TENSOR_UNIQUE_ID"] == 6
    assert relu["OPERATION_POINTWISE_DXDESC"]["TENSOR_UNIQUE_ID"] == 9
    assert norm["OPERATION_NORM_BWD_DYDESC"] is relu["OPERATION_POINTWISE_DXDESC"]
    with pytest.raises(ValueError, match="copy"):
        build_operations(Library(), problem("batch_norm_backward", roles, epilogue=Epilogue(residual=True)))


def test_inference_is_pointwise() -> None:
    _, nodes = build_operations(Library(), problem("batch_norm_inference", "x mean variance scale bias y"))
    assert modes(nodes) == ["ADD", "RSQRT", "MUL", "SUB", "MUL", "ADD"]
    epilogue = Epilogue(residual=True, activation="relu")
    _, nodes = build_operations(
        Library(), problem("batch_norm_inference", "x mean variance residual y", epilogue=epilogue)
    )
    assert modes(nodes) == ["ADD", "RSQRT", "SUB", "MUL", "ADD", "RELU_FWD"]


def test_operands_that_are_unusual_are_left_to_others() -> None:
    one = problem("batch_norm_inference", "x mean variance y")
    strided = TensorSpec("y", SHAPE, (300, 1, 100, 8), "float16")
    with pytest.raises(ValueError, match="dense layout"):
        build_operations(Library(), Problem(
            one.operation, (*one.tensors[:-1], strided), "float32", DEVICE, VERSIONS, Policy().key,
            parameters=one.parameters,
        ))  # fmt: skip


@pytest.mark.parametrize(("dtype", "strides"), [("float16", contiguous_strides), ("float64", channels_last_strides)])
def test_nodes_are_for_what_they_are_documented_for(dtype: str, strides: Any) -> None:
    vector = "float64" if dtype == "float64" else "float32"
    for operation, roles in [
        ("batch_norm_training", TRAINING),
        ("batch_norm_backward", "dy x scale mean inverse_std dscale dbias dx"),
    ]:
        tensors = tuple(
            TensorSpec(role, SHAPE, strides(SHAPE), dtype) if role in IMAGES else TensorSpec(role, (8,), (1,), vector)
            for role in roles.split()
        )
        one = Problem(operation, tensors, vector, DEVICE, VERSIONS, Policy().key, parameters=(("epsilon", 0.125),))
        with pytest.raises(ValueError, match=r"float64|channels-last"):
            build_operations(Library(), one)
