"""Types of backend attributes and fused-operation labels, judged by the real library, which names what it expects."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from cudnn_bindgen.attribute_types import AttributeType, attribute_types, check_attribute_data, element_types
from cudnn_bindgen.errors import DataFileError
from cudnn_bindgen.history import History
from cudnn_bindgen.model import Api, Enum, Enumerator

# Sets each attribute with the type inferred and with one that is wrong for all, on a fresh descriptor each time, and
# prints the status and what the library says. Descriptors are never handed over: a wrong one crashes the library.
PROBE = """
import ctypes, json, sys
library = ctypes.CDLL(sys.argv[1])
def set_one(owner, attribute, type_):
    descriptor = ctypes.c_void_p()
    if library.cudnnBackendCreateDescriptor(owner, ctypes.byref(descriptor)):
        return None
    elements = (ctypes.c_char * 4096)()
    count = ctypes.c_int64(1)
    status = library.cudnnBackendSetAttribute(descriptor, attribute, type_, count, elements)
    text = ctypes.create_string_buffer(1024)
    if hasattr(library, "cudnnGetLastErrorString"):
        library.cudnnGetLastErrorString(text, 1024)
    return [status, text.value.decode() if status else ""]
for name, owner, attribute, type_, wrong in json.load(sys.stdin):
    right = set_one(owner, attribute, type_) if type_ is not None else None
    print(json.dumps([name, right, set_one(owner, attribute, wrong)]), flush=True)
"""
# Of these the library says nothing without a GPU: it reads them only, wants another attribute set first, or takes any
# type (text).
SILENT = re.compile(
    r"JSON_REPRESENTATION|TENSOR_CONSTANT_VALUE|OPERATION_REDUCTION_(DIMS|INIT_VALUES|SUBGRAPH)|_HANDLE$"
)


@cache
def api(version: str) -> Api:
    return History.load(None).api(version)


def values(version: str, enum: str) -> dict[str, int]:
    return {one.name: one.value for found in api(version).enums if found.name == enum for one in found.enumerators}


def backend(version: str) -> dict[str, AttributeType]:
    return {name: one for name, one in attribute_types(api(version)).items() if name.startswith("CUDNN_ATTR_")}


def probed(library: Path, version: str) -> dict[str, tuple[list[object] | None, list[object]]]:
    """What the library answers to the inferred type (None for descriptors) and to a type that is always wrong."""
    types = values(version, "cudnnBackendAttributeType_t")
    attributes = values(version, "cudnnBackendAttributeName_t")
    owners = values(version, "cudnnBackendDescriptorType_t")
    rows = [
        (
            name,
            owners[one.owner],
            attributes[name],
            None if one.type == "CUDNN_TYPE_BACKEND_DESCRIPTOR" or one.vector else types[one.type or ""],
            types["CUDNN_TYPE_LAYOUT_TYPE"],
        )
        for name, one in backend(version).items()
        if not one.read_only and not SILENT.search(name)
    ]
    command = [sys.executable, "-c", PROBE, str(library)]
    done = subprocess.run(command, input=json.dumps(rows), capture_output=True, text=True, check=True)
    return {name: (right, wrong) for name, right, wrong in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize(("major", "version"), [(9, "9.28.1.4"), (8, "8.9.7.29")])
def test_the_library_takes_the_inferred_types(major: int, version: str, real_library: Callable[[int], Path]) -> None:
    answers = probed(real_library(major), version)
    taken = {name: right for name, (right, _) in answers.items() if right is not None}
    assert {name: right for name, right in taken.items() if right[0] != 0} == {}
    assert {name for name, (_, wrong) in answers.items() if wrong[0] == 0} == set()
    assert len(taken) > (80 if major == 9 else 60)


def test_the_library_names_the_inferred_types(real_library: Callable[[int], Path]) -> None:
    """With a wrong type the library answers which it wants; where it does, that is what is inferred."""
    found = backend("9.28.1.4")
    named = 0
    for name, (_, wrong) in probed(real_library(9), "9.28.1.4").items():
        wanted = set(re.findall(r"CUDNN_TYPE_\w+", str(wrong[1])))
        if wanted:
            named += 1
            assert {found[name].type, *found[name].also} == wanted, name
    assert named > 200


def test_every_attribute_of_every_version_has_a_type() -> None:
    history = History.load(None)
    unknown = set()
    for version in history.versions:
        types = values(version, "cudnnBackendAttributeType_t")
        owners = values(version, "cudnnBackendDescriptorType_t")
        for name, one in backend(version).items():
            if one.type is None:
                unknown.add(name)
            else:
                assert {one.type, *one.also} <= types.keys(), (version, name)
            assert one.owner in owners, (version, name)
            assert one.descriptor is None or one.descriptor in owners
            assert (one.descriptor is not None) == (
                "CUDNN_TYPE_BACKEND_DESCRIPTOR" in (one.type, *one.also) and name != "CUDNN_ATTR_OPERATIONGRAPH_OPS"
            )
    # It was there for two versions, and its type stands nowhere.
    assert unknown == {"CUDNN_ATTR_OPERATION_BLOCK_SCALE_QUANTIZE_DENOM_FACTOR_MODE"}


@pytest.mark.parametrize(
    ("name", "type_", "vector", "descriptor", "owner", "rule"),
    [
        ("TENSOR_DATA_TYPE", "DATA_TYPE", False, None, "TENSOR", "type_name"),
        ("TENSOR_DIMENSIONS", "INT64", True, None, "TENSOR", "integers_suffix"),
        ("TENSOR_UNIQUE_ID", "INT64", False, None, "TENSOR", "integer_suffix"),
        ("TENSOR_IS_VIRTUAL", "BOOLEAN", False, None, "TENSOR", "is_word"),
        ("CONVOLUTION_COMP_TYPE", "DATA_TYPE", False, None, "CONVOLUTION", "computation_type"),
        ("CONVOLUTION_SPATIAL_DIMS", "INT64", False, None, "CONVOLUTION", "integer_suffix"),
        ("OPERATION_CONVOLUTION_FORWARD_X", "BACKEND_DESCRIPTOR", False, "TENSOR", "OPERATION_CONVOLUTION_FORWARD",
         "tensor_letter"),
        ("OPERATION_CONVOLUTION_BWD_DATA_ALPHA", "FLOAT", False, None, "OPERATION_CONVOLUTION_BACKWARD_DATA",
         "scaling_factor"),
        ("OPERATION_CONVOLUTION_FORWARD_CONV_DESC", "BACKEND_DESCRIPTOR", False, "CONVOLUTION",
         "OPERATION_CONVOLUTION_FORWARD", "data"),
        ("OPERATION_MATMUL_DESC", "BACKEND_DESCRIPTOR", False, "MATMUL", "OPERATION_MATMUL", "operation_descriptor"),
        ("OPERATION_RESAMPLE_BWD_DESC", "BACKEND_DESCRIPTOR", False, "RESAMPLE", "OPERATION_RESAMPLE_BWD",
         "operation_descriptor"),
        ("OPERATION_MATMUL_ADESC", "BACKEND_DESCRIPTOR", False, "TENSOR", "OPERATION_MATMUL", "desc_suffix"),
        ("OPERATION_CONCAT_INPUT_DESCS", "BACKEND_DESCRIPTOR", True, "TENSOR", "OPERATION_CONCAT", "desc_suffix"),
        ("ENGINECFG_ENGINE", "BACKEND_DESCRIPTOR", False, "ENGINE", "ENGINECFG", "descriptor_name"),
        ("ENGINECFG_KNOB_CHOICES", "BACKEND_DESCRIPTOR", True, "KNOB_CHOICE", "ENGINECFG", "descriptor_name"),
        ("ENGINEHEUR_OPERATION_GRAPH", "BACKEND_DESCRIPTOR", False, "OPERATIONGRAPH", "ENGINEHEUR", "descriptor_name"),
        ("ENGINEHEUR_RESULTS", "BACKEND_DESCRIPTOR", True, "ENGINECFG", "ENGINEHEUR", "data"),
        ("OPERATION_SDPA_FWD_SUBGRAPH", "BACKEND_DESCRIPTOR", False, "OPERATIONGRAPH", "OPERATION_SDPA_FWD",
         "subgraph_suffix"),
        ("OPERATIONGRAPH_OPS", "BACKEND_DESCRIPTOR", True, None, "OPERATIONGRAPH", "data"),
        ("EXECUTION_PLAN_JSON_REPRESENTATION", "CHAR", True, None, "EXECUTION_PLAN", "json_suffix"),
        ("ENGINE_SM_COUNT_TARGET", "INT32", False, None, "ENGINE", "int32_suffix"),
        ("POINTWISE_RELU_LOWER_CLIP", "DOUBLE", False, None, "POINTWISE", "activation_parameter"),
        ("RNG_NORMAL_DIST_MEAN", "DOUBLE", False, None, "RNG", "distribution_parameter"),
        ("OPERATION_SDPA_FWD_DROPOUT_PROBABILITY", "FLOAT", False, None, "OPERATION_SDPA_FWD", "float_suffix"),
        ("VARIANT_PACK_DATA_POINTERS", "VOID_PTR", True, None, "VARIANT_PACK", "data"),
    ],
)  # fmt: skip
def test_rule(name: str, type_: str, vector: bool, descriptor: str | None, owner: str, rule: str) -> None:
    one = backend("9.28.1.4")[f"CUDNN_ATTR_{name}"]
    wanted = f"CUDNN_BACKEND_{descriptor}_DESCRIPTOR" if descriptor else None
    assert (one.type, one.vector, one.descriptor) == (f"CUDNN_TYPE_{type_}", vector, wanted)
    assert (one.owner, one.rule) == (f"CUDNN_BACKEND_{owner}_DESCRIPTOR", rule)


def test_what_can_only_be_read() -> None:
    read = {name for name, one in backend("9.28.1.4").items() if one.read_only}
    assert {"CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE", "CUDNN_ATTR_KNOB_INFO_TYPE"} <= read
    assert not {"CUDNN_ATTR_KERNEL_CACHE_JSON_REPRESENTATION", "CUDNN_ATTR_ENGINE_GLOBAL_INDEX"} & read


def test_elements_are_what_the_types_are_named_after() -> None:
    found = element_types(api("9.28.1.4"))
    assert found.keys() == values("9.28.1.4", "cudnnBackendAttributeType_t").keys()
    assert found["CUDNN_TYPE_NORM_MODE"] == "cudnnBackendNormMode_t"  # not the old API's cudnnNormMode_t
    assert found["CUDNN_TYPE_HEUR_MODE"] == "cudnnBackendHeurMode_t"
    assert found["CUDNN_TYPE_GENSTATS_MODE"] == "cudnnGenStatsMode_t"
    assert found["CUDNN_TYPE_INT64"] == "int64_t"


def test_labels_of_fused_operations() -> None:
    found = attribute_types(api("9.28.1.4"))
    types = {name: one.type for name, one in found.items()}
    assert types["CUDNN_PARAM_XDESC"] == types["CUDNN_PARAM_BN_EQSCALEBIAS_DESC"] == "cudnnTensorDescriptor_t"
    assert types["CUDNN_PARAM_WDESC"] == types["CUDNN_PARAM_DWDESC"] == "cudnnFilterDescriptor_t"
    assert types["CUDNN_PARAM_CONV_DESC"] == "cudnnConvolutionDescriptor_t"
    assert types["CUDNN_PARAM_ACTIVATION_DESC"] == "cudnnActivationDescriptor_t"
    assert types["CUDNN_PARAM_ACTIVATION_BITMASK_DESC"] == "cudnnTensorDescriptor_t"
    assert types["CUDNN_PARAM_BN_MODE"] == "cudnnBatchNormMode_t"
    assert types["CUDNN_PARAM_XDATA_PLACEHOLDER"] == "cudnnFusedOpsPointerPlaceHolder_t"
    assert types["CUDNN_SCALAR_SIZE_T_WORKSPACE_SIZE_IN_BYTES"] == "size_t"
    assert types["CUDNN_SCALAR_INT64_T_BN_ACCUMULATION_COUNT"] == "int64_t"
    assert types["CUDNN_SCALAR_DOUBLE_BN_EPSILON"] == "double"
    pointer, descriptor = found["CUDNN_PTR_XDATA"], found["CUDNN_PARAM_XDESC"]
    assert (pointer.type, pointer.set_directly, pointer.get_directly) == ("void *", True, False)
    assert (descriptor.set_directly, descriptor.get_directly) == (True, True)
    assert not found["CUDNN_PARAM_BN_MODE"].set_directly


FUSED = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
def make(name, *more):
    handle = ctypes.c_void_p()
    assert getattr(library, name)(ctypes.byref(handle), *more) == 0
    return handle
given, answered = make("cudnnCreateTensorDescriptor"), make("cudnnCreateTensorDescriptor")
assert library.cudnnSetTensor4dDescriptor(given, 0, 0, 1, 2, 3, 4) == 0
pack, variant = make("cudnnCreateFusedOpsConstParamPack", 0), make("cudnnCreateFusedOpsVariantParamPack", 0)
is_null = ctypes.c_int(-1)
assert library.cudnnSetFusedOpsConstParamPackAttribute(pack, 0, given) == 0
assert library.cudnnGetFusedOpsConstParamPackAttribute(pack, 0, answered, ctypes.byref(is_null)) == 0
numbers = [ctypes.c_int() for _ in range(9)]
assert library.cudnnGetTensor4dDescriptor(answered, *map(ctypes.byref, numbers)) == 0
assert library.cudnnSetFusedOpsVariantParamPackAttribute(variant, 0, ctypes.c_void_p(0x123400)) == 0
address = ctypes.c_void_p()
assert library.cudnnGetFusedOpsVariantParamPackAttribute(variant, 0, ctypes.byref(address)) == 0
print([one.value for one in numbers[1:5]], is_null.value, hex(address.value))
"""


def test_the_library_takes_descriptors_and_addresses_directly(real_library: Callable[[int], Path]) -> None:
    command = [sys.executable, "-c", FUSED, str(real_library(9))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "[1, 2, 3, 4] 0 0x123400\n"


def test_an_attribute_that_nobody_knows_has_no_type() -> None:
    types = Enum("cudnnBackendAttributeType_t", (Enumerator("CUDNN_TYPE_INT64", 0), Enumerator("CUDNN_TYPE_ODD", 1)))
    owners = Enum("cudnnBackendDescriptorType_t", (Enumerator("CUDNN_BACKEND_TENSOR_DESCRIPTOR", 0),))
    names = Enum("cudnnBackendAttributeName_t", (Enumerator("CUDNN_ATTR_TENSOR_MYSTERY", 0),))
    made = Api("99.0.0", enums=(types, owners, names))
    assert attribute_types(made)["CUDNN_ATTR_TENSOR_MYSTERY"] == AttributeType(
        "CUDNN_ATTR_TENSOR_MYSTERY", None, "CUDNN_BACKEND_TENSOR_DESCRIPTOR", "unknown"
    )
    assert element_types(made) == {"CUDNN_TYPE_INT64": "int64_t"}


def test_no_entry_of_the_data_is_stale() -> None:
    history = History.load(None)
    check_attribute_data(history.api(version) for version in history.versions)
    with pytest.raises(DataFileError, match=r"CUDNN_ATTR_\w+ is an attribute of no known version; remove it"):
        check_attribute_data([api("8.5.0.96")])
