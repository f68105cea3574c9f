"""The generated bindings on a real GPU: the calls that only answer there."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from cudnn_ffi import v9
from cudnn_ffi.v9 import errors
from cudnn_ffi.v9.enums import (
    BackendAttributeName,
    BackendDescriptorType,
    BackendHeurMode,
    ConvolutionMode,
    DataType,
    Determinism,
    MathType,
    Status,
    TensorFormat,
)

N, C, H, K = 4, 32, 14, 48


@pytest.fixture(scope="module")
def lib() -> v9.Library:
    return v9.load()


@pytest.fixture(scope="module")
def handle(lib: v9.Library) -> Iterator[Any]:
    with lib.create() as created:
        yield created


@pytest.fixture
def convolution(lib: v9.Library) -> Iterator[dict[str, Any]]:
    import torch

    generator = torch.Generator("cuda").manual_seed(7)
    x = torch.randn(N, C, H, H, device="cuda", generator=generator)
    w = torch.randn(K, C, 3, 3, device="cuda", generator=generator)
    y = torch.full((N, K, H, H), float("nan"), device="cuda")
    with (
        lib.create_tensor_descriptor() as x_desc,
        lib.create_filter_descriptor() as w_desc,
        lib.create_convolution_descriptor() as conv_desc,
        lib.create_tensor_descriptor() as y_desc,
    ):
        lib.set_tensor4d_descriptor(x_desc, TensorFormat.NCHW, DataType.FLOAT, N, C, H, H)
        lib.set_filter4d_descriptor(w_desc, DataType.FLOAT, TensorFormat.NCHW, K, C, 3, 3)
        lib.set_convolution2d_descriptor(conv_desc, 1, 1, 1, 1, 1, 1, ConvolutionMode.CROSS_CORRELATION, DataType.FLOAT)
        lib.set_convolution_math_type(conv_desc, MathType.FMA_MATH)
        lib.set_tensor4d_descriptor(y_desc, TensorFormat.NCHW, DataType.FLOAT, N, K, H, H)
        yield {"x": x, "w": w, "y": y, "x_desc": x_desc, "w_desc": w_desc, "conv_desc": conv_desc, "y_desc": y_desc}


def _reference(c: dict[str, Any]) -> Any:
    import torch

    return torch.nn.functional.conv2d(c["x"].double(), c["w"].double(), padding=1)


def _error(y: Any, reference: Any) -> float:
    error: float = ((y.double() - reference).norm() / reference.norm()).item()
    return error


def _descs(c: dict[str, Any]) -> tuple[Any, ...]:
    return c["x_desc"], c["w_desc"], c["conv_desc"], c["y_desc"]


def test_handle_and_stream(lib: v9.Library, handle: Any) -> None:
    import torch

    stream = torch.cuda.Stream()
    lib.set_stream(handle, stream)
    assert lib.get_stream(handle) == stream.cuda_stream
    lib.set_stream(handle, None)
    assert lib.get_stream(handle) == 0


def test_find_ex_measures_in_the_callers_memory(lib: v9.Library, handle: Any, convolution: dict[str, Any]) -> None:
    import torch

    c = convolution
    workspace = torch.empty(64 << 20, dtype=torch.uint8, device="cuda")
    found = lib.find_convolution_forward_algorithm_ex(
        handle, c["x_desc"], c["x"], c["w_desc"], c["w"], c["conv_desc"], c["y_desc"], c["y"], workspace, 64 << 20
    )
    assert 0 < len(found) <= lib.get_convolution_forward_algorithm_max_count(handle)
    good = [one for one in found if one.status == Status.SUCCESS]
    assert good == sorted(good, key=lambda one: one.time), "the library's own order, fastest first"
    best = good[0]
    assert best.time > 0
    assert 0 <= best.memory <= 64 << 20
    assert isinstance(best.determinism, Determinism)
    assert isinstance(best.math_type, MathType)
    assert len(lib.find_convolution_forward_algorithm_ex(
        handle, c["x_desc"], c["x"], c["w_desc"], c["w"], c["conv_desc"], c["y_desc"], c["y"], workspace, 64 << 20,
        requested_algo_count=2,
    )) <= 2  # fmt: skip


def test_every_algorithm_that_is_offered_computes(lib: v9.Library, handle: Any, convolution: dict[str, Any]) -> None:
    import torch

    c, reference, tried = convolution, _reference(convolution), 0
    for entry in lib.get_convolution_forward_algorithm_v7(handle, *_descs(c)):
        if entry.status != Status.SUCCESS:
            continue
        size = lib.get_convolution_forward_workspace_size(handle, *_descs(c), entry.algo)
        workspace = torch.empty(size, dtype=torch.uint8, device="cuda") if size else None
        c["y"].fill_(float("nan"))
        lib.convolution_forward(
            handle, 1.0, c["x_desc"], c["x"], c["w_desc"], c["w"], c["conv_desc"], entry.algo, workspace, size, 0.0,
            c["y_desc"], c["y"],
        )  # fmt: skip
        assert _error(c["y"], reference) < 5e-4, entry
        tried += 1
    assert tried >= 2


def test_half_data_takes_float_scalars_and_double_data_double_ones(lib: v9.Library, handle: Any) -> None:
    import torch

    for data_type, dtype in ((DataType.HALF, torch.float16), (DataType.DOUBLE, torch.float64)):
        a = torch.randn(2, 3, 4, 4, device="cuda", dtype=dtype)
        b = torch.randn(2, 3, 4, 4, device="cuda", dtype=dtype)
        expected = 0.5 * a + 2.0 * b
        with lib.create_tensor_descriptor() as desc:
            lib.set_tensor4d_descriptor(desc, TensorFormat.NCHW, data_type, 2, 3, 4, 4)
            lib.add_tensor(handle, 0.5, desc, a, 2.0, desc, b)
        assert torch.allclose(b, expected, atol=1e-2 if dtype is torch.float16 else 1e-12)


def test_backend_graph_computes(lib: v9.Library, handle: Any, convolution: dict[str, Any]) -> None:
    import torch

    c = convolution
    kind = BackendDescriptorType

    def tensor(uid: int, array: Any) -> Any:
        desc = lib.backend_create_descriptor(kind.TENSOR_DESCRIPTOR)
        desc["TENSOR_UNIQUE_ID"] = uid
        desc["TENSOR_DATA_TYPE"] = DataType.FLOAT
        desc["TENSOR_DIMENSIONS"] = list(array.shape)
        desc["TENSOR_STRIDES"] = list(array.stride())
        desc["TENSOR_BYTE_ALIGNMENT"] = 16
        return desc.finalize()

    x, w, y = (tensor(uid, c[name]) for uid, name in enumerate("xwy", start=1))
    conv = lib.backend_create_descriptor(kind.CONVOLUTION_DESCRIPTOR)
    conv["CONVOLUTION_COMP_TYPE"] = DataType.FLOAT
    conv["CONVOLUTION_CONV_MODE"] = ConvolutionMode.CROSS_CORRELATION
    conv["CONVOLUTION_SPATIAL_DIMS"] = 2
    conv["CONVOLUTION_PRE_PADDINGS"] = [1, 1]
    conv["CONVOLUTION_POST_PADDINGS"] = [1, 1]
    conv["CONVOLUTION_FILTER_STRIDES"] = [1, 1]
    conv["CONVOLUTION_DILATIONS"] = [1, 1]
    conv.finalize()
    node = lib.backend_create_descriptor(kind.OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR)
    node["OPERATION_CONVOLUTION_FORWARD_CONV_DESC"] = conv
    node["OPERATION_CONVOLUTION_FORWARD_X"] = x
    node["OPERATION_CONVOLUTION_FORWARD_W"] = w
    node["OPERATION_CONVOLUTION_FORWARD_Y"] = y
    node.set("OPERATION_CONVOLUTION_FORWARD_ALPHA", 1.0, kind="FLOAT")
    node.set("OPERATION_CONVOLUTION_FORWARD_BETA", 0.0, kind="FLOAT")
    node.finalize()
    graph = lib.backend_create_descriptor(kind.OPERATIONGRAPH_DESCRIPTOR)
    graph["OPERATIONGRAPH_HANDLE"] = handle
    graph["OPERATIONGRAPH_OPS"] = [node]
    graph.finalize()
    heuristics = lib.backend_create_descriptor(kind.ENGINEHEUR_DESCRIPTOR)
    heuristics["ENGINEHEUR_OPERATION_GRAPH"] = graph
    heuristics["ENGINEHEUR_MODE"] = BackendHeurMode.A
    heuristics.finalize()
    configs = heuristics.get(BackendAttributeName.ENGINEHEUR_RESULTS)
    assert configs

    reference, ran = _reference(c), 0
    for config in configs[:4]:
        plan = lib.backend_create_descriptor(kind.EXECUTION_PLAN_DESCRIPTOR)
        plan["EXECUTION_PLAN_HANDLE"] = handle
        plan["EXECUTION_PLAN_ENGINE_CONFIG"] = config
        try:
            plan.finalize()
        except errors.NotSupportedError:
            continue
        size = plan["EXECUTION_PLAN_WORKSPACE_SIZE"]
        workspace = torch.empty(max(size, 1), dtype=torch.uint8, device="cuda")
        pack = lib.backend_create_descriptor(kind.VARIANT_PACK_DESCRIPTOR)
        pack["VARIANT_PACK_UNIQUE_IDS"] = [1, 2, 3]
        pack["VARIANT_PACK_DATA_POINTERS"] = [c["x"], c["w"], c["y"]]
        pack["VARIANT_PACK_WORKSPACE"] = workspace
        pack.finalize()
        c["y"].fill_(float("nan"))
        lib.backend_execute(handle, plan, pack)
        assert _error(c["y"], reference) < 2e-3, "TF32 at the worst"
        ran += 1
    assert ran


def test_refusal_names_function_status_and_reason(lib: v9.Library, handle: Any, convolution: dict[str, Any]) -> None:
    c = convolution
    lib.set_filter4d_descriptor(c["w_desc"], DataType.FLOAT, TensorFormat.NCHW, K, C + 1, 3, 3)
    with pytest.raises(errors.BadParamError) as caught:
        lib.get_convolution_forward_workspace_size(handle, *_descs(c), 0)
    assert caught.value.function == "cudnnGetConvolutionForwardWorkspaceSize"
    assert caught.value.status_name.startswith("CUDNN_STATUS_BAD_PARAM")
    assert caught.value.message


def test_messages_reach_logging(lib: v9.Library, handle: Any, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        lib.logs.enable(severities=("info",))
        try:
            lib.set_stream(handle, None)
            lib.get_stream(handle)
            lib.logs.flush()
        finally:
            lib.logs.disable()
    assert any(record.name == "cudnn_ffi" and "cudnnGetStream" in record.getMessage() for record in caplog.records)
