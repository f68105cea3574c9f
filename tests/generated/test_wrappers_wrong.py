"""Wrong arguments, object mix-ups and memory that is too small: refused by name, before C sees them."""

from __future__ import annotations

import contextlib
import copy
import subprocess
import sys
from array import array
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import cudnn_ffi
import pytest
from cudnn_ffi import v8, v9
from cudnn_ffi._support.enums import enum_value
from cudnn_ffi._support.values import at_most, exactly, host_buffer

MAKE = "int {}({}) {{ for (int i = 0; i < {}; i++) made[i] = calloc(1, 64); return 0; }}"
HERE = Path(__file__).parent


@pytest.fixture(scope="module", params=[9, 8])
def lib(request: pytest.FixtureRequest, real_library: Callable[[int], Path]) -> Any:
    return cudnn_ffi.load(real_library(request.param))


@pytest.fixture
def other(lib: Any, real_library: Callable[[int], Path]) -> Any:
    return cudnn_ffi.load(real_library(17 - lib.version[0]))


@pytest.fixture(scope="module")
def stub(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Path]:
    """A library that has every function of a line, does nothing and answers success."""

    def build(major: int) -> Path:
        special = {
            "cudnnGetVersion": f"size_t cudnnGetVersion(void) {{ return {(92801, 8907)[major == 8]}; }}",
            "cudnnGetErrorString": 'const char *cudnnGetErrorString(int status) { return "?"; }',
            "cudnnBackendCreateDescriptor": MAKE.format("cudnnBackendCreateDescriptor", "int kind, void **made", 1),
            "cudnnCreateAlgorithmPerformance": MAKE.format(
                "cudnnCreateAlgorithmPerformance", "void **made, int count", "count"
            ),
        }
        lines = ["#include <stdlib.h>"]
        for name in {8: v8, 9: v9}[major].tables.TABLES.functions:
            if name in special:
                lines.append(special[name])
            elif name.startswith("cudnnCreate"):
                lines.append(MAKE.format(name, "void **made", 1))
            else:
                lines.append(f"int {name}() {{ return 0; }}")
        folder = tmp_path_factory.mktemp("stub")
        (folder / "stub.c").write_text("\n".join(lines))
        target = folder / f"libcudnn.so.{major}"
        subprocess.run(["gcc", "-shared", "-fPIC", "-w", "-o", target, folder / "stub.c"], check=True)
        return target

    return build


@pytest.mark.parametrize("major", [9, 8])
def test_every_function_takes_every_wrong_value_without_a_crash(
    major: int, real_library: Callable[[int], Path]
) -> None:
    command: list[str | Path] = [sys.executable, HERE / "wrong_calls.py", real_library(major), real_library(17 - major)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    *unexpected, calls = done.stdout.splitlines()
    assert unexpected == []
    assert int(calls) > 30_000


@pytest.mark.parametrize("major", [9, 8])
def test_every_function_takes_right_values(
    major: int, stub: Callable[[int], Path], real_library: Callable[[int], Path]
) -> None:
    command: list[str | Path] = [
        sys.executable,
        HERE / "wrong_calls.py",
        stub(major),
        real_library(17 - major),
        "right",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    *unexpected, calls = done.stdout.splitlines()
    # What right values cannot be guessed for from the signature alone.
    allowed = ("cudnnSetSeqDataDescriptor: ", "cudnnSetTensorTransformDescriptor: ", "cudnnSetTensor: ")
    assert [line for line in unexpected if not line.startswith(allowed)] == []
    assert int(calls) > 30_000


# --- objects --------------------------------------------------------------------------------------------------------


def test_backend_descriptor_is_no_other_descriptor_nor_the_reverse(lib: Any) -> None:
    backend = lib.backend_create_descriptor(lib.enums.BackendDescriptorType.TENSOR_DESCRIPTOR)
    tensor = lib.create_tensor_descriptor()
    with pytest.raises(cudnn_ffi.ArgumentError, match="'tensor_desc' must be TensorDescriptor"):
        lib.get_tensor4d_descriptor(backend)
    with pytest.raises(cudnn_ffi.ArgumentError, match="'descriptor' must be BackendDescriptor"):
        lib.backend_finalize(tensor)


@pytest.mark.parametrize("method", ["get_tensor_size_in_bytes", "destroy_tensor_descriptor"])
def test_object_of_another_library_is_named_and_stays_open(lib: Any, other: Any, method: str) -> None:
    with other.create_tensor_descriptor() as strange:
        other.set_tensor4d_descriptor(strange, 0, 0, 1, 2, 3, 4)
        with pytest.raises(cudnn_ffi.ArgumentError, match=f"belongs to <cuDNN {other.version_text} at"):
            getattr(lib, method)(strange)
        assert other.get_tensor_size_in_bytes(strange) == 1 * 2 * 3 * 4 * 4


def test_attribute_takes_no_descriptor_of_another_library(lib: Any, other: Any) -> None:
    graph = lib.backend_create_descriptor(lib.enums.BackendDescriptorType.OPERATIONGRAPH_DESCRIPTOR)
    strange = other.backend_create_descriptor(other.enums.BackendDescriptorType.OPERATION_MATMUL_DESCRIPTOR)
    with pytest.raises(cudnn_ffi.ArgumentError, match="OPERATIONGRAPH_OPS"):
        graph["OPERATIONGRAPH_OPS"] = [strange]


def test_attribute_takes_descriptors_of_its_type_only(lib: Any) -> None:
    # cuDNN 9.28 ends the process over each of these.
    kinds = lib.enums.BackendDescriptorType
    tensor = lib.backend_create_descriptor(kinds.TENSOR_DESCRIPTOR)
    for owner, attribute in (
        (kinds.ENGINE_DESCRIPTOR, "ENGINE_OPERATION_GRAPH"),
        (kinds.ENGINECFG_DESCRIPTOR, "ENGINECFG_ENGINE"),
        (kinds.ENGINEHEUR_DESCRIPTOR, "ENGINEHEUR_OPERATION_GRAPH"),
        (kinds.EXECUTION_PLAN_DESCRIPTOR, "EXECUTION_PLAN_ENGINE_CONFIG"),
    ):
        with pytest.raises(cudnn_ffi.ArgumentError, match=f"{attribute} .* must be a [A-Z_]+_DESCRIPTOR, not <Backend"):
            lib.backend_create_descriptor(owner)[attribute] = tensor
    matmul = lib.backend_create_descriptor(int(kinds.OPERATION_MATMUL_DESCRIPTOR))
    matmul["OPERATION_MATMUL_DESC"] = lib.backend_create_descriptor(int(kinds.MATMUL_DESCRIPTOR))


def test_softmax_of_attention_is_an_operation(real_library: Callable[[int], Path]) -> None:
    lib = v9.load(real_library(9))
    kinds = lib.enums.BackendDescriptorType
    attention = lib.backend_create_descriptor(kinds.OPERATION_SDPA_FWD_DESCRIPTOR)
    attention["OPERATION_SDPA_FWD_SOFTMAX_DESC"] = lib.backend_create_descriptor(kinds.OPERATION_SOFTMAX_DESCRIPTOR)
    with pytest.raises(cudnn_ffi.ArgumentError, match="must be a OPERATION_SOFTMAX_DESCRIPTOR"):
        attention["OPERATION_SDPA_FWD_SOFTMAX_DESC"] = lib.backend_create_descriptor(kinds.TENSOR_DESCRIPTOR)


@pytest.mark.parametrize("attribute", [1.5, None, True, "NO_SUCH", b"x", [], v9.enums.DataType.FLOAT])
def test_what_names_no_attribute(lib: Any, attribute: Any) -> None:
    backend = lib.backend_create_descriptor(lib.enums.BackendDescriptorType.TENSOR_DESCRIPTOR)
    with pytest.raises(cudnn_ffi.ArgumentError, match="'attribute'"):
        backend[attribute] = 1
    with pytest.raises(cudnn_ffi.ArgumentError, match="'attribute'"):
        backend[attribute]


@pytest.mark.parametrize("count", [-1, 1.5, "3", True])
def test_room_for_elements_is_a_count(lib: Any, count: Any) -> None:
    backend = lib.backend_create_descriptor(lib.enums.BackendDescriptorType.TENSOR_DESCRIPTOR)
    with pytest.raises(cudnn_ffi.ArgumentError, match="'count'"):
        backend.get("TENSOR_DIMENSIONS", count)


def test_cffi_pointer_is_one_value(lib: Any) -> None:
    backend = lib.backend_create_descriptor(lib.enums.BackendDescriptorType.VARIANT_PACK_DESCRIPTOR)
    backend["VARIANT_PACK_WORKSPACE"] = lib._null
    with pytest.raises(cudnn_ffi.ArgumentError, match="VARIANT_PACK_UNIQUE_IDS"):
        backend["VARIANT_PACK_UNIQUE_IDS"] = lib._null


def test_label_takes_no_object_of_another_library(lib: Any, other: Any) -> None:
    label = lib.enums.FusedOpsConstParamLabel.XDESC
    with lib.create_fused_ops_const_param_pack(0) as pack, other.create_tensor_descriptor() as strange:
        for method in (
            lib.set_fused_ops_const_param_pack_attribute,
            lib.get_fused_ops_const_param_pack_attribute,
        ):
            with pytest.raises(cudnn_ffi.ArgumentError, match="belongs to"):
                method(pack, label, strange)


# --- enums and numbers ----------------------------------------------------------------------------------------------


def test_swapped_enumerators_are_refused(lib: Any) -> None:
    enums = lib.enums
    with lib.create_tensor_descriptor() as tensor:
        with pytest.raises(cudnn_ffi.ArgumentError, match=r"'format_' must be TensorFormat or int, not <DataType"):
            lib.set_tensor4d_descriptor(tensor, enums.DataType.FLOAT, enums.TensorFormat.NHWC, 1, 2, 3, 4)
        with pytest.raises(cudnn_ffi.ArgumentError, match="'data_type'"):
            lib.set_tensor4d_descriptor(tensor, enums.TensorFormat.NHWC, True, 1, 2, 3, 4)


def test_wrong_enumerator_in_a_list_is_named(lib: Any) -> None:
    axes = lib.enums.SeqDataAxis
    wrong = [axes.BATCH_DIM, axes.BEAM_DIM, lib.enums.DataType.FLOAT, axes.VECT_DIM]
    with lib.create_seq_data_descriptor() as data, pytest.raises(cudnn_ffi.ArgumentError, match=r"'axes\[2\]'"):
        lib.set_seq_data_descriptor(data, lib.enums.DataType.FLOAT, [5, 6, 2, 7], wrong, [1] * 12, None)


def test_member_of_another_lines_enum_goes_by_its_name() -> None:
    assert enum_value(v8.enums.Status.NOT_SUPPORTED, v9.enums.Status) is v9.enums.Status.NOT_SUPPORTED
    assert enum_value(v8.enums.DataType.FLOAT, v9.enums.DataType) is v9.enums.DataType.FLOAT
    assert enum_value(v8.enums.Status(12345), v9.enums.Status) == 12345
    assert enum_value(3, v9.enums.Status) == 3


@pytest.mark.parametrize("value", [1.5, Decimal("1.5"), Fraction(3, 2), "1"])
def test_no_fraction_is_cut_off(lib: Any, value: Any) -> None:
    with lib.create_tensor_descriptor() as tensor:
        with pytest.raises(cudnn_ffi.ArgumentError, match="'h' must be int"):
            lib.set_tensor4d_descriptor(tensor, 0, 0, 1, 2, value, 4)
        with pytest.raises(cudnn_ffi.ArgumentError, match=r"'dim_a\[2\]'"):
            lib.set_tensor_nd_descriptor(tensor, 0, [1, 2, value, 4], [24, 12, 4, 1])


def test_numpy_numbers(lib: Any) -> None:
    numpy = pytest.importorskip("numpy")
    with lib.create_tensor_descriptor() as tensor:
        lib.set_tensor4d_descriptor(tensor, 0, 0, numpy.int64(1), numpy.uint8(2), 3, numpy.int32(4))
        assert lib.get_tensor_size_in_bytes(tensor) == 96
        for wrong in (numpy.float32(1.5), numpy.float64(1.5), numpy.zeros((), "float32")):
            with pytest.raises(cudnn_ffi.ArgumentError, match="'n' must be int"):
                lib.set_tensor4d_descriptor(tensor, 0, 0, wrong, 2, 3, 4)


def test_enumerator_is_no_device_address(lib: Any) -> None:
    from cudnn_ffi._support.pointers import device_pointer, stream_pointer

    for function in (device_pointer, stream_pointer):
        with pytest.raises(cudnn_ffi.ArgumentError, match="argument 'x'"):
            function(lib.enums.DataType.DOUBLE, "x")


def test_members_of_a_version_copy_to_themselves(lib: Any) -> None:
    member = lib.enums.BackendDescriptorType.TENSOR_DESCRIPTOR
    assert copy.copy(member) is copy.deepcopy(member) is member


# --- lengths and memory ---------------------------------------------------------------------------------------------


def test_more_dimensions_than_the_library_has_room_for(lib: Any) -> None:
    with lib.create_tensor_descriptor() as tensor:
        lib.set_tensor_nd_descriptor_ex(tensor, 0, 0, [1] * 8)
        with pytest.raises(cudnn_ffi.ArgumentError, match="'dim_a' must have 8 elements or fewer, not 9"):
            lib.set_tensor_nd_descriptor_ex(tensor, 0, 0, [1] * 9)


@pytest.mark.parametrize("folds", [[], [1], [1, 1, 1], [1] * 50])
def test_folds_are_one_for_each_spatial_dimension(lib: Any, folds: list[int]) -> None:
    direction = lib.enums.FoldingDirection.FOLD
    with lib.create_tensor_transform_descriptor() as transform:
        with contextlib.suppress(cudnn_ffi.StatusError):  # it needs the engines, which are not everywhere
            lib.set_tensor_transform_descriptor(transform, 0, [0] * 4, [0] * 4, [2, 2], direction)
        with pytest.raises(cudnn_ffi.ArgumentError, match="'fold_a' must have 2 elements"):
            lib.set_tensor_transform_descriptor(transform, 0, [0] * 4, [0] * 4, folds, direction)


@pytest.mark.parametrize("method", ["scale_tensor", "set_tensor"])
def test_scaling_factor_is_not_left_out(lib: Any, method: str) -> None:
    handle = lib.descriptors.Handle(lib, lib._ffi.cast("cudnnHandle_t", 16), owned=False)  # C never sees it
    with lib.create_tensor_descriptor() as tensor:
        lib.set_tensor4d_descriptor(tensor, 0, 0, 1, 2, 3, 4)
        with pytest.raises(cudnn_ffi.ArgumentError, match=r"must be (float|a number that fits FLOAT), not None"):
            getattr(lib, method)(handle, tensor, 4096, None)


def test_backend_descriptor_is_no_sequence(lib: Any) -> None:
    backend = lib.backend_create_descriptor(lib.enums.BackendDescriptorType.TENSOR_DESCRIPTOR)
    with pytest.raises(TypeError, match="not iterable"):
        list(backend)


@pytest.mark.parametrize("wrong", [{1: 2}, {1, 2}, range, "12", 12])
def test_lists_have_an_order(lib: Any, wrong: Any) -> None:
    with lib.create_tensor_descriptor() as tensor, pytest.raises(cudnn_ffi.ArgumentError, match="dim_a"):
        lib.set_tensor_nd_descriptor_ex(tensor, 0, 0, wrong)


@pytest.mark.parametrize("count", [-1, 2**31, 1.5, "3"])
def test_requested_results_fit_an_int(lib: Any, count: Any) -> None:
    with pytest.raises(cudnn_ffi.ArgumentError, match="requested_algo_count"):
        lib.find_convolution_forward_algorithm(None, None, None, None, None, requested_algo_count=count)


def test_lengths_are_checked_by_name() -> None:
    exactly(None, 3, "x")
    exactly([1, 2], 2, "x")
    at_most(8, 8, "x")
    with pytest.raises(cudnn_ffi.ArgumentError, match="'x' must have 3 elements, not 2"):
        exactly([1, 2], 3, "x")
    with pytest.raises(cudnn_ffi.ArgumentError, match="'x' must be a sequence"):
        exactly(3, 3, "x")  # type: ignore[arg-type]


def test_plain_attribute_call_looks_at_the_memory(lib: Any) -> None:
    enums = lib.enums
    name, kind = enums.BackendAttributeName.MATMUL_COMP_TYPE, enums.BackendAttributeType.DATA_TYPE
    with lib.backend_create_descriptor(enums.BackendDescriptorType.MATMUL_DESCRIPTOR) as matmul:
        lib.backend_set_attribute(matmul, name, kind, 1, array("i", [0]))
        with pytest.raises(cudnn_ffi.ArgumentError, match="must hold 2 elements of DATA_TYPE, 8 bytes; it has 4"):
            lib.backend_set_attribute(matmul, name, kind, 2, array("i", [0]))
        with pytest.raises(cudnn_ffi.ArgumentError, match="must be writable host memory"):
            lib.backend_get_attribute(matmul, name, kind, 1, b"1234")


def test_what_c_writes_to_is_of_the_labels_type(lib: Any) -> None:
    label = lib.enums.FusedOpsConstParamLabel
    with lib.create_fused_ops_const_param_pack(0) as pack, lib.create_filter_descriptor() as weights:
        get = lib.get_fused_ops_const_param_pack_attribute
        with pytest.raises(cudnn_ffi.ArgumentError, match="must be cudnnTensorDescriptor_t for CUDNN_PARAM_XDESC"):
            get(pack, label.XDESC, weights)
        with pytest.raises(cudnn_ffi.ArgumentError, match="must be a handle of cudnnTensorDescriptor_t"):
            get(pack, label.XDESC, bytearray(8))
        with pytest.raises(cudnn_ffi.ArgumentError, match="must hold 4 bytes for CUDNN_PARAM_BN_MODE"):
            get(pack, label.BN_MODE, bytearray(2))
        with pytest.raises(cudnn_ffi.ArgumentError, match="it is a cudnnDataType_t"):
            lib.set_fused_ops_const_param_pack_attribute(pack, label.BN_MODE, lib.enums.DataType.FLOAT)


def test_text_is_no_memory(lib: Any) -> None:
    # cffi's `from_buffer` takes a first text for a C declaration.
    for text in ("char[]", "\udc80"):
        with pytest.raises(cudnn_ffi.ArgumentError, match="must be host memory"):
            host_buffer(lib._ffi, text, "x")


def test_argument_of_any_type_is_still_diagnosed(lib: Any) -> None:
    with pytest.raises(cudnn_ffi.ArgumentError, match="'mask' must be"):
        lib.set_callback("all", "text", None)
