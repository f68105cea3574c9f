"""From C names to Python names."""

from __future__ import annotations

import keyword

import pytest
from cudnn_bindgen.naming import class_name, member_names, snake, unique


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cudnnFindConvolutionForwardAlgorithmEx", "find_convolution_forward_algorithm_ex"),
        ("cudnnGetConvolutionForwardAlgorithm_v7", "get_convolution_forward_algorithm_v7"),
        ("cudnnSetTensor4dDescriptor", "set_tensor4d_descriptor"),
        ("cudnnSetRNNDescriptor_v8", "set_rnn_descriptor_v8"),
        ("cudnnIm2Col", "im2_col"),
        ("cudnnB2BCausalConv1dForward", "b2b_causal_conv1d_forward"),
        ("cudnnGnnMhaGatV2Backward", "gnn_mha_gat_v2_backward"),
        ("cudnnCTCLoss", "ctc_loss"),
        ("cudnn", "cudnn"),
    ],
)
def test_methods(name: str, expected: str) -> None:
    assert snake(name, "cudnn") == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("nbDims", "nb_dims"),
        ("dimA", "dim_a"),
        ("A", "a"),
        ("xDesc", "x_desc"),
        ("dBnScaleBiasDesc", "d_bn_scale_bias_desc"),
        ("isNULL", "is_null"),
        ("pad_h", "pad_h"),
        ("3d", "_3d"),
    ],
)
def test_parameters(name: str, expected: str) -> None:
    assert snake(name) == expected


@pytest.mark.parametrize(
    "name",
    [*(word for word in keyword.kwlist if word.islower()), "type", "format", "min", "self", "status", "error", "match"],
)
def test_names_that_mean_something_to_python_or_the_wrapper(name: str) -> None:
    assert snake(name) == f"{name.lower()}_"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cudnnTensorDescriptor_t", "TensorDescriptor"),
        ("cudnnRNNMode_t", "RNNMode"),
        ("cudnnHandle_t", "Handle"),
        ("libraryPropertyType", "LibraryPropertyType"),
        ("my_thing_t", "MyThing"),
    ],
)
def test_classes(name: str, expected: str) -> None:
    assert class_name(name, "cudnn") == expected


@pytest.mark.parametrize(
    ("enum", "names"),
    [
        ("DataType", {"CUDNN_DATA_FLOAT": "FLOAT", "CUDNN_DATA_FP8_E4M3": "FP8_E4M3"}),
        ("MathType", {"CUDNN_DEFAULT_MATH": "DEFAULT_MATH", "CUDNN_TENSOR_OP_MATH": "TENSOR_OP_MATH"}),
        (
            "BackendHeurMode",
            {"CUDNN_HEUR_MODE_A": "A", "CUDNN_HEUR_MODE_B": "B", "CUDNN_HEUR_MODES_COUNT": "MODES_COUNT"},
        ),
        ("IndicesType", {"CUDNN_32BIT_INDICES": "CUDNN_32BIT_INDICES", "CUDNN_64BIT_INDICES": "CUDNN_64BIT_INDICES"}),
        ("DivNormMode", {"CUDNN_DIVNORM_PRECOMPUTED_MEANS": "PRECOMPUTED_MEANS"}),
        ("Mode", {"CUDNN_MODE_None": "MODE_None", "CUDNN_MODE_ALL": "ALL"}),
        ("LibraryPropertyType", {"MAJOR_VERSION": "MAJOR_VERSION", "PATCH_LEVEL": "PATCH_LEVEL"}),
        ("Same", {"CUDNN_SAME": "CUDNN_SAME", "CUDNN_SAME_MORE": "SAME_MORE"}),
    ],
)
def test_members(enum: str, names: dict[str, str]) -> None:
    found = member_names(list(names), enum, "CUDNN_")
    assert all(name.isidentifier() and not keyword.iskeyword(name) for name in found.values())
    assert len(set(found.values())) == len(found)
    if enum != "Same":  # one name is the beginning of the other: only that they stay apart matters
        assert found == names


def test_unique() -> None:
    assert unique(["a", "b", "a", "a", "a_2"]) == ["a", "b", "a_2", "a_3", "a_2_2"]
