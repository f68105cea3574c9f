"""The committed bindings against the real libraries, as far as they go without a GPU.

Expected values are what the setters were given, or follow from cuDNN's documented formulas.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cudnn_ffi
import pytest
from cudnn_ffi._support.tables import parse_version


@pytest.fixture(scope="module", params=[9, 8])
def lib(request: pytest.FixtureRequest, real_library: Callable[[int], Path]) -> Any:
    return cudnn_ffi.load(real_library(request.param))


@pytest.fixture
def enums(lib: Any) -> Any:
    return lib.enums


VERSIONS = {9: 92801, 8: 8907}


# --- the library itself ---------------------------------------------------------------------------------------------


def test_version_and_property(lib: Any, enums: Any) -> None:
    number = VERSIONS[lib.version[0]]
    assert lib.get_version() == lib.version_number == number
    kinds = enums.LibraryPropertyType
    parts = tuple(lib.get_property(kind) for kind in (kinds.MAJOR_VERSION, kinds.MINOR_VERSION, kinds.PATCH_LEVEL))
    assert parts == lib.version


def test_every_function_of_the_loaded_version_is_there(lib: Any) -> None:
    def belongs(name: str) -> bool:
        since, until = (lib._tables.spans.get(name) or ((None, None),))[-1]
        return until is None and (since is None or parse_version(since) <= lib.version)

    assert [name for name in lib.missing() if belongs(name)] == []


@pytest.mark.parametrize("name", ["SUCCESS", "BAD_PARAM", "NOT_SUPPORTED", "EXECUTION_FAILED"])
def test_error_strings_are_the_names(lib: Any, enums: Any, name: str) -> None:
    assert lib.get_error_string(enums.Status[name]) == f"CUDNN_STATUS_{name}"


def test_create_without_a_gpu_says_why(lib: Any) -> None:
    with pytest.raises(cudnn_ffi.StatusError) as caught:
        lib.create()
    assert type(caught.value).__name__ == "NotInitializedError"
    assert caught.value.function == "cudnnCreate"
    assert caught.value.status_name == "CUDNN_STATUS_NOT_INITIALIZED"
    assert caught.value.status == {9: 1001, 8: 1}[lib.version[0]]
    if lib.version[0] == 9:
        assert "cudaGetDeviceCount" in caught.value.message


def test_functions_of_the_other_line_are_no_methods(lib: Any) -> None:
    assert hasattr(lib, "set_rnn_descriptor_v6") == (lib.version[0] == 8)
    assert hasattr(lib, "get_last_error_string") == (lib.version[0] == 9)


# --- tensors and filters --------------------------------------------------------------------------------------------


def test_tensor_4d(lib: Any, enums: Any) -> None:
    with lib.create_tensor_descriptor() as tensor:
        lib.set_tensor4d_descriptor(tensor, enums.TensorFormat.NCHW, enums.DataType.HALF, 2, 3, 5, 7)
        found = lib.get_tensor4d_descriptor(tensor)
        assert found.data_type is enums.DataType.HALF
        assert (found.n, found.c, found.h, found.w) == (2, 3, 5, 7)
        assert (found.n_stride, found.c_stride, found.h_stride, found.w_stride) == (105, 35, 7, 1)
        assert lib.get_tensor_size_in_bytes(tensor) == 2 * 3 * 5 * 7 * 2


def test_tensor_4d_ex_keeps_strides_of_size_one_axes(lib: Any, enums: Any) -> None:
    with lib.create_tensor_descriptor() as tensor:
        lib.set_tensor4d_descriptor_ex(tensor, enums.DataType.FLOAT, 4, 1, 1, 6, 6, 77, 88, 1)
        found = lib.get_tensor4d_descriptor(tensor)
        assert (found.n_stride, found.c_stride, found.h_stride, found.w_stride) == (6, 77, 88, 1)


@pytest.mark.parametrize("make", [list, tuple])
def test_tensor_nd(lib: Any, enums: Any, make: Callable[[list[int]], Any]) -> None:
    dims, strides = [2, 3, 4, 5, 6], [360, 120, 30, 6, 1]
    with lib.create_tensor_descriptor() as tensor:
        lib.set_tensor_nd_descriptor(tensor, enums.DataType.DOUBLE, make(dims), make(strides))
        found = lib.get_tensor_nd_descriptor(tensor)
        assert (found.data_type, found.dim_a, found.stride_a) == (enums.DataType.DOUBLE, dims, strides)
        assert lib.get_tensor_nd_descriptor(tensor, nb_dims_requested=2).dim_a == dims[:2]


def test_tensor_nd_takes_numpy_arrays(lib: Any, enums: Any) -> None:
    numpy = pytest.importorskip("numpy")
    with lib.create_tensor_descriptor() as tensor:
        lib.set_tensor_nd_descriptor(
            tensor, enums.DataType.FLOAT, numpy.array([2, 3, 4, 5]), numpy.array([60, 20, 5, 1], dtype=numpy.int64)
        )
        assert lib.get_tensor_nd_descriptor(tensor).dim_a == [2, 3, 4, 5]


def test_tensor_nd_ex_channels_last(lib: Any, enums: Any) -> None:
    with lib.create_tensor_descriptor() as tensor:
        lib.set_tensor_nd_descriptor_ex(tensor, enums.TensorFormat.NHWC, enums.DataType.FLOAT, [2, 3, 4, 5])
        assert lib.get_tensor_nd_descriptor(tensor).stride_a == [60, 1, 15, 3]


def test_filter_4d_and_nd(lib: Any, enums: Any) -> None:
    with lib.create_filter_descriptor() as weights:
        lib.set_filter4d_descriptor(weights, enums.DataType.FLOAT, enums.TensorFormat.NHWC, 8, 3, 5, 7)
        found = lib.get_filter4d_descriptor(weights)
        assert (found.data_type, found.format) == (enums.DataType.FLOAT, enums.TensorFormat.NHWC)
        assert (found.k, found.c, found.h, found.w) == (8, 3, 5, 7)
        assert lib.get_filter_size_in_bytes(weights) == 8 * 3 * 5 * 7 * 4
        lib.set_filter_nd_descriptor(weights, enums.DataType.HALF, enums.TensorFormat.NCHW, [8, 3, 1, 2, 3])
        assert lib.get_filter_nd_descriptor(weights).filter_dim_a == [8, 3, 1, 2, 3]


# --- convolution ----------------------------------------------------------------------------------------------------


def test_convolution_2d_with_groups_and_math_type(lib: Any, enums: Any) -> None:
    with lib.create_convolution_descriptor() as convolution:
        mode, float_ = enums.ConvolutionMode.CROSS_CORRELATION, enums.DataType.FLOAT
        lib.set_convolution2d_descriptor(convolution, 1, 2, 3, 4, 5, 6, mode, float_)
        found = lib.get_convolution2d_descriptor(convolution)
        assert (found.pad_h, found.pad_w, found.u, found.v, found.dilation_h, found.dilation_w) == (1, 2, 3, 4, 5, 6)
        assert (found.mode, found.compute_type) == (mode, float_)
        lib.set_convolution_group_count(convolution, 32)
        lib.set_convolution_math_type(convolution, enums.MathType.TENSOR_OP_MATH)
        lib.set_convolution_reorder_type(convolution, enums.ReorderType.NO_REORDER)
        assert lib.get_convolution_group_count(convolution) == 32
        assert lib.get_convolution_math_type(convolution) is enums.MathType.TENSOR_OP_MATH
        assert lib.get_convolution_reorder_type(convolution) is enums.ReorderType.NO_REORDER


def test_convolution_nd(lib: Any, enums: Any) -> None:
    with lib.create_convolution_descriptor() as convolution:
        mode = enums.ConvolutionMode.CONVOLUTION
        lib.set_convolution_nd_descriptor(convolution, [1, 0, 2], [2, 1, 3], [1, 2, 1], mode, enums.DataType.FLOAT)
        found = lib.get_convolution_nd_descriptor(convolution)
        assert (found.pad_a, found.stride_a, found.dilation_a, found.mode) == ([1, 0, 2], [2, 1, 3], [1, 2, 1], mode)


def test_convolution_output_size(lib: Any, enums: Any) -> None:
    nchw, float_ = enums.TensorFormat.NCHW, enums.DataType.FLOAT
    with (
        lib.create_tensor_descriptor() as x,
        lib.create_filter_descriptor() as w,
        lib.create_convolution_descriptor() as convolution,
    ):
        lib.set_tensor4d_descriptor(x, nchw, float_, 4, 6, 17, 23)
        lib.set_filter4d_descriptor(w, float_, nchw, 10, 3, 3, 5)
        lib.set_convolution2d_descriptor(convolution, 1, 0, 2, 3, 2, 1, enums.ConvolutionMode.CROSS_CORRELATION, float_)
        lib.set_convolution_group_count(convolution, 2)
        # 1 + (size + 2*pad - (dilation*(window-1) + 1)) // stride
        height, width = 1 + (17 + 2 - 5) // 2, 1 + (23 + 0 - 5) // 3
        found = lib.get_convolution2d_forward_output_dim(convolution, x, w)
        assert (found.n, found.c, found.h, found.w) == (4, 10, height, width)
        assert lib.get_convolution_nd_forward_output_dim(convolution, x, w, 4) == [4, 10, height, width]


# --- the other descriptors ------------------------------------------------------------------------------------------


def test_pooling(lib: Any, enums: Any) -> None:
    mode, nan = enums.PoolingMode.AVERAGE_COUNT_EXCLUDE_PADDING, enums.NanPropagation.PROPAGATE_NAN
    with lib.create_pooling_descriptor() as pooling, lib.create_tensor_descriptor() as x:
        lib.set_pooling2d_descriptor(pooling, mode, nan, 3, 2, 1, 0, 2, 1)
        found = lib.get_pooling2d_descriptor(pooling)
        assert (found.mode, found.window_height, found.window_width) == (mode, 3, 2)
        assert (found.vertical_padding, found.horizontal_padding) == (1, 0)
        assert (found.vertical_stride, found.horizontal_stride) == (2, 1)
        lib.set_tensor4d_descriptor(x, enums.TensorFormat.NCHW, enums.DataType.FLOAT, 2, 3, 9, 9)
        size = lib.get_pooling2d_forward_output_dim(pooling, x)
        assert (size.n, size.c, size.h, size.w) == (2, 3, 1 + (9 + 2 - 3) // 2, 1 + (9 - 2) // 1)
        assert lib.get_pooling_nd_forward_output_dim(pooling, x, 4) == [2, 3, 5, 8]
        lib.set_pooling_nd_descriptor(pooling, enums.PoolingMode.MAX, nan, [2, 3, 4], [0, 1, 0], [1, 2, 3])
        nd = lib.get_pooling_nd_descriptor(pooling)
        assert (nd.window_dim_a, nd.padding_a, nd.stride_a) == ([2, 3, 4], [0, 1, 0], [1, 2, 3])


def test_activation(lib: Any, enums: Any) -> None:
    mode, nan = enums.ActivationMode.CLIPPED_RELU, enums.NanPropagation.NOT_PROPAGATE_NAN
    with lib.create_activation_descriptor() as activation:
        lib.set_activation_descriptor(activation, mode, nan, 6.0)
        found = lib.get_activation_descriptor(activation)
        assert (found.mode, found.relu_nan_opt, found.coef) == (mode, nan, 6.0)
        lib.set_activation_descriptor(activation, enums.ActivationMode.SWISH, nan, 0.0)
        lib.set_activation_descriptor_swish_beta(activation, 1.75)
        assert lib.get_activation_descriptor_swish_beta(activation) == 1.75


def test_lrn(lib: Any) -> None:
    with lib.create_lrn_descriptor() as norm:
        lib.set_lrn_descriptor(norm, 5, 1e-4, 0.75, 2.0)
        found = lib.get_lrn_descriptor(norm)
        assert (found.lrn_n, found.lrn_alpha, found.lrn_beta, found.lrn_k) == (5, 1e-4, 0.75, 2.0)


def test_op_tensor_and_reduction(lib: Any, enums: Any) -> None:
    nan = enums.NanPropagation.PROPAGATE_NAN
    with lib.create_op_tensor_descriptor() as operation, lib.create_reduce_tensor_descriptor() as reduction:
        lib.set_op_tensor_descriptor(operation, enums.OpTensorOp.MUL, enums.DataType.FLOAT, nan)
        found = lib.get_op_tensor_descriptor(operation)
        assert (found.op_tensor_op, found.op_tensor_comp_type) == (enums.OpTensorOp.MUL, enums.DataType.FLOAT)
        indices = enums.ReduceTensorIndices.FLATTENED_INDICES
        width = enums.IndicesType.CUDNN_32BIT_INDICES
        lib.set_reduce_tensor_descriptor(reduction, enums.ReduceTensorOp.MAX, enums.DataType.FLOAT, nan, indices, width)
        reduced = lib.get_reduce_tensor_descriptor(reduction)
        assert (reduced.reduce_tensor_op, reduced.reduce_tensor_indices) == (enums.ReduceTensorOp.MAX, indices)


def test_dropout_sizes(lib: Any, enums: Any) -> None:
    with lib.create_dropout_descriptor() as dropout, lib.create_tensor_descriptor() as x:
        lib.set_tensor4d_descriptor(x, enums.TensorFormat.NCHW, enums.DataType.FLOAT, 2, 3, 4, 5)
        assert lib.dropout_get_reserve_space_size(x) > 0
        assert not dropout.closed


def test_ctc_loss(lib: Any, enums: Any) -> None:
    with lib.create_ctc_loss_descriptor() as loss:
        mode = enums.LossNormalizationMode.SOFTMAX
        lib.set_ctc_loss_descriptor_ex(loss, enums.DataType.FLOAT, mode, enums.NanPropagation.PROPAGATE_NAN)
        found = lib.get_ctc_loss_descriptor_ex(loss)
        assert (found.comp_type, found.norm_mode) == (enums.DataType.FLOAT, mode)
        lib.set_ctc_loss_descriptor(loss, enums.DataType.FLOAT)
        assert lib.get_ctc_loss_descriptor(loss) is enums.DataType.FLOAT


def test_rnn(lib: Any, enums: Any) -> None:
    with lib.create_rnn_descriptor() as rnn, lib.create_dropout_descriptor() as dropout:
        lib.set_rnn_descriptor_v8(
            rnn,
            enums.RNNAlgo.STANDARD,
            enums.RNNMode.LSTM,
            enums.RNNBiasMode.DOUBLE_BIAS,
            enums.DirectionMode.BIDIRECTIONAL,
            enums.RNNInputMode.LINEAR_INPUT,
            enums.DataType.FLOAT,
            enums.DataType.FLOAT,
            enums.MathType.DEFAULT_MATH,
            16,
            32,
            32,
            2,
            dropout,
            enums.RNNPaddedIO.PADDED_IO_ENABLED,
        )
        found = lib.get_rnn_descriptor_v8(rnn)
        assert (found.input_size, found.hidden_size, found.proj_size, found.num_layers) == (16, 32, 32, 2)
        assert (found.cell_mode, found.dir_mode) == (enums.RNNMode.LSTM, enums.DirectionMode.BIDIRECTIONAL)
        assert found.aux_flags == 1
        # The getter answers a descriptor that belongs to somebody else.
        assert found.dropout_desc.address == dropout.address
        assert not found.dropout_desc.owned


@pytest.mark.parametrize("batch", [1, 8, 11])
def test_rnn_data_answers_all_lengths_however_many(lib: Any, enums: Any, batch: int) -> None:
    lengths = [1 + i % 5 for i in range(batch)]
    with lib.create_rnn_data_descriptor() as data:
        layout = enums.RNNDataLayout.BATCH_MAJOR_UNPACKED
        lib.set_rnn_data_descriptor(data, enums.DataType.FLOAT, layout, 9, 7, lengths, 2.5)
        found = lib.get_rnn_data_descriptor(data)
        assert (found.layout, found.max_seq_length, found.batch_size, found.vector_size) == (layout, 9, batch, 7)
        assert (found.seq_length_array, found.padding_fill) == (lengths, 2.5)
        assert lib.get_rnn_data_descriptor(data, array_length_requested=1).seq_length_array == lengths[:1]


def test_padding_fill_is_of_the_data_type(lib: Any, enums: Any) -> None:
    with lib.create_rnn_data_descriptor() as data:
        layout = enums.RNNDataLayout.SEQ_MAJOR_UNPACKED
        lib.set_rnn_data_descriptor(data, enums.DataType.DOUBLE, layout, 4, 7, [4, 2], 0.1)
        assert lib.get_rnn_data_descriptor(data).padding_fill == 0.1


def test_seq_data(lib: Any, enums: Any) -> None:
    axes = enums.SeqDataAxis
    order = [axes.BATCH_DIM, axes.BEAM_DIM, axes.TIME_DIM, axes.VECT_DIM]
    with lib.create_seq_data_descriptor() as data:
        # By axis: time 5, batch 6, beam 2, vector 7; twelve lengths, one for each of batch and beam.
        lengths = [1 + i % 5 for i in range(12)]
        lib.set_seq_data_descriptor(data, enums.DataType.FLOAT, [5, 6, 2, 7], order, lengths, None)
        found = lib.get_seq_data_descriptor(data)
        assert (found.dim_a, found.axes, found.seq_length_array) == ([5, 6, 2, 7], order, lengths)


def test_attention(lib: Any, enums: Any) -> None:
    with lib.create_attn_descriptor() as attention:
        mode = enums_flag(lib).QUERYMAP_ONE_TO_ONE | enums_flag(lib).ENABLE_PROJ_BIASES
        float_, math = enums.DataType.FLOAT, enums.MathType.DEFAULT_MATH
        lib.set_attn_descriptor(
            attention, mode, 2, 0.5, float_, float_, math, None, None, 8, 8, 8, 4, 4, 4, 8, 16, 12, 3, 1
        )
        found = lib.get_attn_descriptor(attention)
        assert (found.attn_mode, found.n_heads, found.sm_scaler) == (mode, 2, 0.5)
        assert (found.q_size, found.q_proj_size, found.o_proj_size) == (8, 4, 8)
        assert (found.qo_max_seq_length, found.kv_max_seq_length, found.max_batch_size) == (16, 12, 3)
        assert found.attn_dropout_desc is None


def enums_flag(lib: Any) -> Any:
    return lib._enums_module.AttnMode


def test_fused_operation_labels(lib: Any, enums: Any) -> None:
    label = enums.FusedOpsConstParamLabel
    with (
        lib.create_fused_ops_const_param_pack(enums.FusedOps.SCALE_BIAS_ACTIVATION_CONV_BNSTATS) as pack,
        lib.create_tensor_descriptor() as x,
        lib.create_convolution_descriptor() as convolution,
    ):
        lib.set_tensor4d_descriptor(x, enums.TensorFormat.NHWC, enums.DataType.HALF, 1, 8, 4, 4)
        lib.set_fused_ops_const_param_pack_attribute(pack, label.XDESC, x)
        lib.set_fused_ops_const_param_pack_attribute(pack, label.BN_MODE, enums.BatchNormMode.SPATIAL_PERSISTENT)
        with pytest.raises(cudnn_ffi.ArgumentError, match="param"):
            lib.set_fused_ops_const_param_pack_attribute(pack, label.XDESC, convolution)
        with lib.create_tensor_descriptor() as copy:
            assert lib.get_fused_ops_const_param_pack_attribute(pack, label.XDESC, copy) == 0
            assert lib.get_tensor4d_descriptor(copy) == lib.get_tensor4d_descriptor(x)


def test_backend_descriptor_attributes(lib: Any, enums: Any) -> None:
    kind = enums.BackendDescriptorType.MATMUL_DESCRIPTOR
    with lib.backend_create_descriptor(kind) as matmul:
        matmul["MATMUL_COMP_TYPE"] = enums.DataType.FLOAT
        assert matmul.kind == kind
        with pytest.raises(cudnn_ffi.ArgumentError):
            matmul["MATMUL_COMP_TYPE"] = 1.5


# --- faults ---------------------------------------------------------------------------------------------------------


FAULTS: list[tuple[str, str, list[Any]]] = [
    ("tensor_desc", "set_tensor4d_descriptor", ["filter", 0, 0, 1, 1, 1, 1]),
    ("data_type", "set_tensor4d_descriptor", ["tensor", 0, "float", 1, 1, 1, 1]),
    ("n", "set_tensor4d_descriptor", ["tensor", 0, 0, 2**31, 1, 1, 1]),
    ("w", "set_tensor4d_descriptor", ["tensor", 0, 0, 1, 1, 1, 1.5]),
    ("tensor_desc", "get_tensor_size_in_bytes", [None]),
    ("stride_a", "set_tensor_nd_descriptor", ["tensor", 0, [1, 2, 3, 4], [1, 2]]),
    (r"dim_a\[1\]", "set_tensor_nd_descriptor", ["tensor", 0, [1, "2", 3, 4], [1, 2, 3, 4]]),
]


@pytest.mark.parametrize(("argument", "method", "arguments"), FAULTS)
def test_wrong_arguments_are_named(lib: Any, argument: str, method: str, arguments: list[Any]) -> None:
    with lib.create_tensor_descriptor() as tensor, lib.create_filter_descriptor() as weights:
        first = {"tensor": tensor, "filter": weights, None: None}[arguments[0]]
        with pytest.raises(cudnn_ffi.ArgumentError, match=f"argument '{argument}'"):
            getattr(lib, method)(first, *arguments[1:])


def test_negative_request_is_named(lib: Any) -> None:
    with (
        lib.create_tensor_descriptor() as tensor,
        pytest.raises(cudnn_ffi.ArgumentError, match="argument 'nb_dims_requested'"),
    ):
        lib.get_tensor_nd_descriptor(tensor, nb_dims_requested=-1)


def test_status_tells_function_and_arguments(lib: Any, enums: Any) -> None:
    with lib.create_tensor_descriptor() as tensor, pytest.raises(cudnn_ffi.StatusError) as caught:
        lib.set_tensor4d_descriptor(tensor, enums.TensorFormat.NCHW, enums.DataType.FLOAT, -1, 1, 1, 1)
    assert type(caught.value).__name__ == "BadParamError"
    assert caught.value.function == "cudnnSetTensor4dDescriptor"
    assert caught.value.arguments["n"] == "-1"


def test_closed_descriptor(lib: Any) -> None:
    tensor = lib.create_tensor_descriptor()
    tensor.close()
    with pytest.raises(cudnn_ffi.DescriptorClosedError, match="tensor_desc"):
        lib.get_tensor_size_in_bytes(tensor)
    with pytest.raises(cudnn_ffi.DescriptorClosedError):
        lib.destroy_tensor_descriptor(tensor)


def test_destroy_closes_the_object(lib: Any) -> None:
    weights = lib.create_filter_descriptor()
    lib.destroy_filter_descriptor(weights)
    assert weights.closed
    weights.close()


def test_every_kind_of_descriptor_is_created_and_destroyed(lib: Any) -> None:
    creators = {method for name, method in lib._tables.methods.items() if name.startswith("cudnnCreate")}
    skipped = {"create", "create_algorithm_performance", "create_persistent_rnn_plan"}
    fused = {name for name in creators if "fused_ops" in name}
    for method in creators - skipped - fused:
        made = getattr(lib, method)()
        assert made.address
        made.close()
        assert made.closed
    for method in fused:
        made = getattr(lib, method)(0)
        getattr(lib, method.replace("create_", "destroy_"))(made)
        assert made.closed


def test_algorithm_performance_objects(real_library: Callable[[int], Path]) -> None:
    lib = cudnn_ffi.load(real_library(8))
    enums = lib.enums
    made = lib.create_algorithm_performance(3)
    assert len({one.address for one in made}) == 3
    with lib.create_algorithm_descriptor() as algorithm:  # which the performance object frees
        union = lib.structs.AlgorithmUnion(conv_fwd_algo=enums.ConvolutionFwdAlgo.FFT)
        lib.set_algorithm_descriptor(algorithm, lib.structs.Algorithm(union))
        assert lib.get_algorithm_descriptor(algorithm).algo.conv_fwd_algo is enums.ConvolutionFwdAlgo.FFT
        lib.set_algorithm_performance(made[0], algorithm, enums.Status.SUCCESS, 1.5, 4096)
        found = lib.get_algorithm_performance(made[0])
        assert (found.status, found.time, found.memory) == (enums.Status.SUCCESS, 1.5, 4096)
    lib.destroy_algorithm_performance(made)
    assert all(one.closed for one in made)
