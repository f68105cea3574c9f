"""Operation graphs: which descriptors and attributes a problem becomes. Expectations are written by hand."""

from __future__ import annotations

from typing import Any

import pytest
from cudnn_ffi.v9 import enums
from cudnnkit.arrays.view import channels_last_strides, contiguous_strides
from cudnnkit.axes import Layout, lift
from cudnnkit.engines.activations import ACTIVATIONS, pointwise_settings
from cudnnkit.engines.graph_build import OPERATIONS, build_graph, build_operations, scale_is_fixed
from cudnnkit.engines.operands import channel_vector
from cudnnkit.policy import Policy
from cudnnkit.problem import ConvolutionSpec, Epilogue, PoolingSpec, Problem, TensorSpec

from .problems import DEVICE, VERSIONS
from .recorded import Recorded, RecordedLibrary

SPEC = ConvolutionSpec((1, 1), (1, 1), (1, 1), (1, 1))
SHAPES = {
    "x": (2, 8, 6, 6), "w": (4, 8, 3, 3), "y": (2, 4, 6, 6), "dx": (2, 8, 6, 6), "dw": (4, 8, 3, 3), "dy": (2, 4, 6, 6),
    "bias": (4,), "residual": (2, 4, 6, 6), "dbias": (4,),
}  # fmt: skip


def problem(operation: str, roles: str, *, dtype: str = "float16", last: bool = True, **more: Any) -> Problem:
    *_, result = roles.split()
    tensors = []
    for role in roles.split():
        shape = SHAPES[role]
        strides = channels_last_strides(shape) if last and len(shape) > 1 else contiguous_strides(shape)
        tensors.append(TensorSpec(role, shape, strides, dtype, output=role == result))
    compute = "float64" if dtype == "float64" else "float32"
    more.setdefault("convolution", SPEC if operation in ("conv_forward", "conv_dgrad", "conv_wgrad") else None)
    return Problem(operation, tuple(tensors), compute, DEVICE, VERSIONS, Policy().key, **more)


def operations(one: Problem, **more: Any) -> tuple[Any, list[Recorded]]:
    return build_operations(RecordedLibrary(), one, **more)


def uid(tensor: Recorded) -> int:
    number: int = tensor["TENSOR_UNIQUE_ID"]
    return number


def modes(nodes: list[Recorded]) -> list[str]:
    return [node["OPERATION_POINTWISE_PW_DESCRIPTOR"]["POINTWISE_MODE"].name for node in nodes]


def test_forward_convolution_attribute_by_attribute() -> None:
    spec = ConvolutionSpec((0, 1), (1, 2), (2, 1), (1, 3), mode="convolution")
    graph, (node,) = operations(problem("conv_forward", "x w y", convolution=spec))
    what = node["OPERATION_CONVOLUTION_FORWARD_CONV_DESC"]
    assert node.kind is enums.BackendDescriptorType.OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR
    assert what.values == {
        "CONVOLUTION_SPATIAL_DIMS": 2,
        "CONVOLUTION_COMP_TYPE": enums.DataType.FLOAT,
        "CONVOLUTION_CONV_MODE": enums.ConvolutionMode.CONVOLUTION,
        "CONVOLUTION_PRE_PADDINGS": (0, 1),
        "CONVOLUTION_POST_PADDINGS": (1, 2),
        "CONVOLUTION_FILTER_STRIDES": (2, 1),
        "CONVOLUTION_DILATIONS": (1, 3),
    }
    x = node["OPERATION_CONVOLUTION_FORWARD_X"]
    assert x.values == {
        "TENSOR_UNIQUE_ID": 1,
        "TENSOR_DATA_TYPE": enums.DataType.HALF,
        "TENSOR_DIMENSIONS": (2, 8, 6, 6),
        "TENSOR_STRIDES": (288, 1, 48, 8),
        "TENSOR_BYTE_ALIGNMENT": 16,
    }
    assert (node["OPERATION_CONVOLUTION_FORWARD_ALPHA"], node["OPERATION_CONVOLUTION_FORWARD_BETA"]) == (1.0, 0.0)
    assert node.kinds["OPERATION_CONVOLUTION_FORWARD_ALPHA"] == "FLOAT"
    assert (graph.uids, graph.places) == ([1, 2, 3], [0, 1, 2])


@pytest.mark.parametrize(
    ("operation", "roles", "prefix", "names"),
    [
        ("conv_forward", "x w y", "FORWARD", "X W Y"),
        ("conv_dgrad", "w dy dx", "BWD_DATA", "W DY DX"),
        ("conv_wgrad", "x dy dw", "BWD_FILTER", "X DY DW"),
    ],
)
def test_each_direction_puts_its_operands_in_their_places(operation: str, roles: str, prefix: str, names: str) -> None:
    _, (node,) = operations(problem(operation, roles, dtype="float64", last=False))
    for place, (role, name) in enumerate(zip(roles.split(), names.split(), strict=True)):
        tensor = node[f"OPERATION_CONVOLUTION_{prefix}_{name}"]
        assert (uid(tensor), tensor["TENSOR_DIMENSIONS"]) == (place + 1, SHAPES[role])
    assert node.kinds[f"OPERATION_CONVOLUTION_{prefix}_ALPHA"] == "DOUBLE"
    assert node[f"OPERATION_CONVOLUTION_{prefix}_CONV_DESC"]["CONVOLUTION_COMP_TYPE"] is enums.DataType.DOUBLE


def test_the_operands_order_in_the_problem_decides_what_is_bound() -> None:
    graph, (node,) = operations(problem("conv_dgrad", "dy w dx"))
    assert uid(node["OPERATION_CONVOLUTION_BWD_DATA_W"]) == 2
    assert sorted(zip(graph.uids, graph.places, strict=True)) == [(1, 0), (2, 1), (3, 2)]


def test_one_spatial_axis_becomes_two() -> None:
    shapes = {"x": (2, 8, 10), "w": (4, 8, 3), "y": (2, 4, 10)}
    tensors = tuple(TensorSpec(role, shape, contiguous_strides(shape), "float32") for role, shape in shapes.items())
    spec = ConvolutionSpec((2,), (0,), (1,), (2,))
    one = Problem("conv_forward", tensors, "float32", DEVICE, VERSIONS, Policy().key, spec)
    _, (node,) = operations(one)
    what = node["OPERATION_CONVOLUTION_FORWARD_CONV_DESC"]
    assert what["CONVOLUTION_SPATIAL_DIMS"] == 2
    names = ("PRE_PADDINGS", "POST_PADDINGS", "FILTER_STRIDES", "DILATIONS")
    assert [what[f"CONVOLUTION_{name}"] for name in names] == [(0, 2), (0, 0), (1, 1), (1, 2)]
    x = node["OPERATION_CONVOLUTION_FORWARD_X"]
    assert (x["TENSOR_DIMENSIONS"], x["TENSOR_STRIDES"]) == ((2, 8, 1, 10), (80, 10, 10, 1))


def test_lifting_keeps_channels_last() -> None:
    assert lift((2, 8, 10), (80, 1, 8)) == Layout((2, 8, 1, 10), (80, 1, 80, 8))
    assert lift((2, 8, 3, 4, 5), (480, 60, 20, 5, 1)).shape == (2, 8, 3, 4, 5)


def test_residual_bias_and_activation_follow_in_the_order_of_the_precompiled_engines() -> None:
    one = problem("conv_forward", "x w bias residual y", epilogue=Epilogue(True, True, "leaky_relu", (0.2,)))
    graph, (conv, *rest) = operations(one)
    assert modes(rest) == ["ADD", "ADD", "RELU_FWD"]
    value = conv["OPERATION_CONVOLUTION_FORWARD_Y"]
    for node in rest:
        assert value["TENSOR_IS_VIRTUAL"] is True
        assert value["TENSOR_DATA_TYPE"] is enums.DataType.FLOAT
        assert node["OPERATION_POINTWISE_XDESC"] is value
        value = node["OPERATION_POINTWISE_YDESC"]
    assert uid(value) == 5
    assert "TENSOR_IS_VIRTUAL" not in value.values
    residual, bias = (node["OPERATION_POINTWISE_BDESC"] for node in rest[:2])
    assert (uid(residual), uid(bias)) == (4, 3)
    assert (bias["TENSOR_DIMENSIONS"], bias["TENSOR_STRIDES"]) == ((1, 4, 1, 1), (4, 1, 4, 4))
    what = rest[2]["OPERATION_POINTWISE_PW_DESCRIPTOR"]
    assert what["POINTWISE_RELU_LOWER_CLIP_SLOPE"] == 0.2
    assert dict(zip(graph.uids, graph.places, strict=True)) == {1: 0, 2: 1, 3: 2, 4: 3, 5: 4}
    assert len({uid(node["OPERATION_POINTWISE_XDESC"]) for node in rest} | set(graph.uids)) == 8


def test_a_residual_behind_the_activation_is_the_last_node() -> None:
    epilogue = Epilogue(True, True, "leaky_relu", (0.2,), residual_after=True)
    _, (_, *rest) = operations(problem("conv_forward", "x w bias residual y", epilogue=epilogue, beta="one"))
    assert modes(rest) == ["ADD", "ADD", "RELU_FWD", "ADD"]
    bound = [node.values.get("OPERATION_POINTWISE_BDESC") for node in rest]
    assert [None if one is None else uid(one) for one in bound] == [1001, 3, None, 4]
    assert uid(rest[-1]["OPERATION_POINTWISE_YDESC"]) == 5
    assert rest[-1]["OPERATION_POINTWISE_XDESC"] is rest[-2]["OPERATION_POINTWISE_YDESC"]


def test_alpha_and_beta_of_a_bare_convolution_are_its_own() -> None:
    one = problem("conv_wgrad", "x dy dw", alpha="general", beta="one")
    graph, (node,) = operations(one, scale=(0.25, 7.0))
    prefix = "OPERATION_CONVOLUTION_BWD_FILTER_"
    assert (node[f"{prefix}ALPHA"], node[f"{prefix}BETA"]) == (0.25, 1.0)
    assert graph.places == [0, 1, 2]
    assert not scale_is_fixed(one)
    assert scale_is_fixed(problem("conv_wgrad", "x dy dw", beta="one"))


def test_alpha_and_beta_before_an_epilogue_belong_to_its_first_node() -> None:
    one = problem("conv_forward", "x w bias y", epilogue=Epilogue(True), alpha="general", beta="general")
    graph, (conv, first, second) = operations(one, scale=(0.5, -2.0))
    assert (conv["OPERATION_CONVOLUTION_FORWARD_ALPHA"], conv["OPERATION_CONVOLUTION_FORWARD_BETA"]) == (1.0, 0.0)
    old, new = first["OPERATION_POINTWISE_BDESC"], second["OPERATION_POINTWISE_YDESC"]
    assert (first["OPERATION_POINTWISE_ALPHA1"], first["OPERATION_POINTWISE_ALPHA2"]) == (0.5, -2.0)
    assert "OPERATION_POINTWISE_ALPHA1" not in second.values
    bound = dict(zip(graph.uids, graph.places, strict=True))
    assert uid(old) != uid(new)
    assert bound[uid(old)] == bound[uid(new)] == 3
    assert old["TENSOR_STRIDES"] == new["TENSOR_STRIDES"]


def test_a_scaled_reduction_gets_a_node_for_alpha() -> None:
    _, (reduction, node) = operations(problem("conv_bias_grad", "dy dbias", alpha="general"), scale=(3.0, 0.0))
    assert reduction["OPERATION_REDUCTION_DESC"]["REDUCTION_OPERATOR"] is enums.ReduceTensorOp.ADD
    assert reduction["OPERATION_REDUCTION_YDESC"]["TENSOR_IS_VIRTUAL"] is True
    assert modes([node]) == ["IDENTITY"]
    assert node["OPERATION_POINTWISE_ALPHA1"] == 3.0
    assert node["OPERATION_POINTWISE_YDESC"]["TENSOR_DIMENSIONS"] == (1, 4, 1, 1)


def test_activation_gradient_reads_dy_and_x() -> None:
    shapes = "dy x dx"
    one = problem("activation_backward", shapes, epilogue=Epilogue(activation="swish", parameters=(1.5,)))
    _, (node,) = operations(one)
    names = {name: uid(node[f"OPERATION_POINTWISE_{name}"]) for name in ("DYDESC", "XDESC", "DXDESC")}
    assert names == {"DYDESC": 1, "XDESC": 2, "DXDESC": 3}
    assert modes([node]) == ["SWISH_BWD"]
    assert node["OPERATION_POINTWISE_PW_DESCRIPTOR"]["POINTWISE_SWISH_BETA"] == 1.5


@pytest.mark.parametrize(
    ("shape", "strides", "bias"),
    [
        ((1, 4096, 1, 1), (4096, 1, 4096, 4096), (4096, 1, 4096, 4096)),  # an activation's one long row
        ((100, 64, 1), (64, 1, 64, 64), (64, 1, 64, 64)),  # rows of channels
        ((2, 8, 9), (72, 9, 9, 1), (8, 1, 1, 1)),  # planes
    ],
)
def test_what_fits_both_layouts_is_nhwc_in_an_elementwise_graph(shape: Any, strides: Any, bias: Any) -> None:
    """On NCHW cuDNN has no engine for pointwise operations alone."""
    tensors = [TensorSpec(role, shape, contiguous_strides(shape), "float16", output=role == "y") for role in "xy"]
    tensors.insert(1, TensorSpec("bias", shape[1:2], (1,), "float16"))
    epilogue = Epilogue(bias=True, activation="relu")
    one = Problem("epilogue", tuple(tensors), "float32", DEVICE, VERSIONS, Policy().key, epilogue=epilogue)
    _, (add, relu) = operations(one)
    places = [add["OPERATION_POINTWISE_XDESC"], add["OPERATION_POINTWISE_YDESC"], relu["OPERATION_POINTWISE_YDESC"]]
    assert [tensor["TENSOR_STRIDES"] for tensor in places] == [strides] * 3
    assert add["OPERATION_POINTWISE_BDESC"]["TENSOR_STRIDES"] == bias
    tensors = [TensorSpec(role, shape, contiguous_strides(shape), "float16") for role in ("dy", "x", "dx")]
    epilogue = Epilogue(activation="gelu")
    one = Problem("activation_backward", tuple(tensors), "float32", DEVICE, VERSIONS, Policy().key, epilogue=epilogue)
    _, (node,) = operations(one)
    names = [f"OPERATION_POINTWISE_{name}" for name in ("DYDESC", "XDESC", "DXDESC")]
    assert [node[name]["TENSOR_STRIDES"] for name in names] == [strides] * 3


def test_matrix_product_has_its_bias_along_the_last_axis() -> None:
    shapes = {"a": (2, 5, 3), "b": (2, 3, 7), "bias": (7,), "y": (2, 5, 7)}
    tensors = tuple(TensorSpec(role, shape, contiguous_strides(shape), "float16") for role, shape in shapes.items())
    one = Problem("matmul", tensors, "float32", DEVICE, VERSIONS, Policy().key, epilogue=Epilogue(True))
    _, (product, node) = operations(one)
    places = [product[f"OPERATION_MATMUL_{name}"]["TENSOR_DIMENSIONS"] for name in ("ADESC", "BDESC", "CDESC")]
    assert places == [(2, 5, 3), (2, 3, 7), (2, 5, 7)]
    bias = node["OPERATION_POINTWISE_BDESC"]
    assert (bias["TENSOR_DIMENSIONS"], bias["TENSOR_STRIDES"]) == ((1, 1, 7), (7, 7, 1))


@pytest.mark.parametrize("name", sorted(ACTIVATIONS))
def test_every_activation_exists_forward_and_backward(name: str) -> None:
    for direction in ("FWD", "BWD"):
        settings = pointwise_settings(Epilogue(activation=name), direction)
        if name == "identity":
            assert settings is None
            continue
        assert settings is not None
        assert settings[0] in enums.PointwiseMode.__members__
        assert all(attribute in enums.BackendAttributeName.__members__ for attribute in settings[1])
    if name != "identity":
        operations(problem("conv_forward", "x w bias y", epilogue=Epilogue(True, False, name)))


@pytest.mark.parametrize(
    ("name", "parameters", "expected"),
    [
        ("relu", (), ("RELU_FWD", {})),
        ("relu6", (), ("RELU_FWD", {"POINTWISE_RELU_UPPER_CLIP": 6.0})),
        ("clipped_relu", (2.5,), ("RELU_FWD", {"POINTWISE_RELU_UPPER_CLIP": 2.5})),
        ("leaky_relu", (), ("RELU_FWD", {"POINTWISE_RELU_LOWER_CLIP_SLOPE": 0.01})),
        ("elu", (0.5,), ("ELU_FWD", {"POINTWISE_ELU_ALPHA": 0.5})),
        ("gelu_tanh", (), ("GELU_APPROX_TANH_FWD", {})),
        ("silu", (), ("SWISH_FWD", {"POINTWISE_SWISH_BETA": 1.0})),
        ("softplus", (2.0,), ("SOFTPLUS_FWD", {"POINTWISE_SOFTPLUS_BETA": 2.0})),
    ],
)
def test_parameters_of_activations(name: str, parameters: tuple[float, ...], expected: Any) -> None:
    assert pointwise_settings(Epilogue(activation=name, parameters=parameters)) == expected


def test_too_many_parameters_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="relu takes 0 parameter"):
        pointwise_settings(Epilogue(activation="relu", parameters=(1.0,)))


NCHW, NHWC = Layout((2, 4, 6, 6), (144, 36, 6, 1)), Layout((2, 4, 6, 6), (144, 1, 24, 4))


@pytest.mark.parametrize(
    ("shape", "strides", "like", "expected"),
    [
        ((4,), (1,), NHWC, (4, 1, 4, 4)),
        ((4,), (1,), NCHW, (4, 1, 1, 1)),
        ((1, 4, 1, 1), (4, 1, 1, 1), NCHW, (4, 1, 1, 1)),
        ((4,), (3,), NHWC, (12, 3, 12, 12)),
    ],
)
def test_a_channel_vector_lies_as_its_result_does(
    shape: tuple[int, ...], strides: tuple[int, ...], like: Layout, expected: tuple[int, ...]
) -> None:
    spec = TensorSpec("bias", shape, strides, "float16")
    assert channel_vector(spec, like) == Layout((1, 4, 1, 1), expected)


def test_the_graph_holds_all_operations_and_the_handle() -> None:
    library = RecordedLibrary()
    graph = build_graph(library, problem("conv_forward", "x w bias y", epilogue=Epilogue(True)), "handle")
    assert graph.descriptor.finalized
    assert graph.descriptor["OPERATIONGRAPH_HANDLE"] == "handle"
    assert [one.kind.name for one in graph.descriptor["OPERATIONGRAPH_OPS"]] == [
        "OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR",
        "OPERATION_POINTWISE_DESCRIPTOR",
    ]


def test_what_is_missing_is_named() -> None:
    with pytest.raises(KeyError, match="bias"):
        operations(problem("conv_forward", "x w y", epilogue=Epilogue(True)))
    with pytest.raises(ValueError, match="conv_forward lacks the parameters"):
        operations(problem("conv_forward", "x w y", convolution=None))
    assert "softmax_forward" not in OPERATIONS


def test_the_gradient_of_maxima_is_not_asked_of_the_graph_api() -> None:
    # Its heuristic ends the process (cuDNN 9.19.0) where the node has no index tensor.
    spec = PoolingSpec("max", (2, 2), (0, 0), (0, 0), (2, 2))
    with pytest.raises(ValueError, match="index tensor"):
        operations(problem("pool_backward", "y dy x dx", pooling=spec))
