"""The support code under the real bindings and the real libraries, as far as that goes without a GPU."""

from __future__ import annotations

import gc
import json
import logging
import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cudnn_ffi
import pytest
from cudnn_ffi import v9
from cudnn_ffi._support.errors import ArgumentError, DescriptorClosedError, StatusError, SymbolNotAvailableError
from cudnn_ffi.v9.enums import DataType, TensorFormat

Real = Callable[[int], Path]


@pytest.fixture
def lib(real_library: Real) -> Any:
    return cudnn_ffi.load(real_library(9))


def test_each_major_gets_its_line(real_library: Real) -> None:
    assert type(cudnn_ffi.load(real_library(9))).__module__ == "cudnn_ffi.v9.library"
    assert type(cudnn_ffi.load(real_library(8))).__module__ == "cudnn_ffi.v8.library"
    with pytest.raises(cudnn_ffi.LibraryVersionError, match=r"is cuDNN 8\.9\.7, and these bindings cover 9\.x"):
        v9.load(real_library(8))


def test_status_error_carries_the_library_s_own_reason(lib: Any) -> None:
    with pytest.raises(StatusError) as caught:
        lib.create()
    error = caught.value
    assert (error.function, error.status, error.status_name) == ("cudnnCreate", 1001, "CUDNN_STATUS_NOT_INITIALIZED")
    assert type(error).__name__ == "NotInitializedError"
    assert "cuda" in error.message.lower()
    twin = pickle.loads(pickle.dumps(error))
    assert (type(twin), vars(twin), str(twin)) == (type(error), vars(error), str(error))


def test_version_8_has_another_number_for_the_same_status(real_library: Real) -> None:
    with pytest.raises(StatusError) as caught:
        cudnn_ffi.load(real_library(8)).create()
    assert (caught.value.status, caught.value.status_name) == (1, "CUDNN_STATUS_NOT_INITIALIZED")


def test_arguments_are_checked_by_what_c_takes(lib: Any) -> None:
    with lib.create_tensor_descriptor() as tensor, lib.create_filter_descriptor() as weights:
        with pytest.raises(ArgumentError) as caught:
            lib.set_tensor4d_descriptor(weights, TensorFormat.NCHW, DataType.FLOAT, 1, 2, 3, 4)
        assert str(caught.value).startswith(
            "cudnnSetTensor4dDescriptor: argument 'tensor_desc' must be TensorDescriptor"
        )
        with pytest.raises(ArgumentError, match=r"argument 'h' must be int, not 3\.5"):
            lib.set_tensor4d_descriptor(tensor, TensorFormat.NCHW, DataType.FLOAT, 1, 2, 3.5, 4)
    with pytest.raises(DescriptorClosedError, match="'tensor_desc' is a TensorDescriptor that was closed"):
        lib.get_tensor4d_descriptor(tensor)


def test_function_of_another_version(lib: Any) -> None:
    gone = lib.missing()
    assert all(not lib.has(name) for name in gone)
    for name in gone:
        error = lib._unavailable(name)
        assert isinstance(error, SymbolNotAvailableError)
        assert name in str(error)
        assert lib.version_text in str(error)


def test_report(lib: Any) -> None:
    found = lib.report()
    assert (found.version, found.line, found.coverage) == (lib.version_text, "v9", "known")
    assert found.mixed == ()
    assert len(found.available) + len(found.missing) == len(lib._tables.functions)
    assert json.loads(json.dumps(found.to_dict()))["version"] == lib.version_text
    assert f"cuDNN {lib.version_text}: {lib.path}" in str(found)


def test_backend_descriptor_with_the_real_library(real_library: Real) -> None:
    # cuDNN 8, since 9 loads its engines to finalize a tensor, and those need the driver.
    lib: Any = cudnn_ffi.load(real_library(8))
    from cudnn_ffi.v8.enums import BackendAttributeName, BackendDescriptorType, DataType

    with lib.backend_create_descriptor(BackendDescriptorType.TENSOR_DESCRIPTOR) as tensor:
        tensor["TENSOR_DATA_TYPE"] = DataType.HALF
        tensor["TENSOR_DIMENSIONS"] = [8, 64, 56, 56]
        tensor["TENSOR_STRIDES"] = [64 * 56 * 56, 1, 64 * 56, 64]
        tensor[BackendAttributeName.TENSOR_UNIQUE_ID] = 42
        tensor["TENSOR_BYTE_ALIGNMENT"] = 16
        tensor.finalize()
        assert tensor["TENSOR_DATA_TYPE"] is DataType.HALF
        assert tensor["TENSOR_DIMENSIONS"] == [8, 64, 56, 56]
        assert tensor["TENSOR_UNIQUE_ID"] == 42
        assert tensor["TENSOR_IS_VIRTUAL"] is False
        with pytest.raises(StatusError, match="TENSOR_UNIQUE_ID"):
            tensor["TENSOR_UNIQUE_ID"] = 43


def test_backend_descriptor_that_is_not_complete(real_library: Real) -> None:
    # Again 8: a failed loading of its engines leaves cuDNN 9 refusing other calls later on.
    lib: Any = cudnn_ffi.load(real_library(8))
    tensor = lib.backend_create_descriptor(lib.enums.BackendDescriptorType.TENSOR_DESCRIPTOR)
    with pytest.raises(StatusError, match="cudnnBackendFinalize") as caught:
        tensor.finalize()
    assert not tensor.finalized
    assert caught.value.status_name == "CUDNN_STATUS_BAD_PARAM"


def test_scalar_of_double_data(lib: Any) -> None:
    with lib.create_tensor_descriptor() as tensor:
        lib.set_tensor4d_descriptor(tensor, TensorFormat.NCHW, DataType.DOUBLE, 1, 1, 1, 1)
        assert lib._ffi.typeof(lib._scalar(0.5, tensor)).cname == "double *"
        lib.set_tensor4d_descriptor(tensor, TensorFormat.NCHW, DataType.HALF, 1, 1, 1, 1)
        assert lib._ffi.typeof(lib._scalar(0.5, tensor)).cname == "float *"


@pytest.mark.parametrize("major", [9, 8])
@pytest.mark.timeout(120)
def test_messages_of_the_real_library_reach_logging(
    real_library: Real, caplog: pytest.LogCaptureFixture, major: int
) -> None:
    library = cudnn_ffi.load(real_library(major))
    with caplog.at_level(logging.INFO, logger="cudnn_ffi"):
        library.logs.enable(severities=("fatal", "error", "warning", "info"))
        try:
            threads = [threading.Thread(target=_fail, args=(library,)) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(60)
            assert not any(thread.is_alive() for thread in threads)
            gc.collect()
            assert library.logs.flush(30)
        finally:
            library.logs.disable()
    assert library.logs.dropped == 0
    said = [record.getMessage() for record in caplog.records]
    assert sum("cudnnCreate()" in text and "CUDNN_STATUS_NOT_INITIALIZED; Reason: " in text for text in said) == 8
    heard = len(caplog.records)
    _fail(library)
    assert len(caplog.records) == heard


def _fail(library: Any) -> None:
    with pytest.raises(StatusError):
        library.create()
    library.create_tensor_descriptor().close()
