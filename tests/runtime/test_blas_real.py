"""The real cuBLASLt, where there is one, takes descriptors and configurations as they are made here. Needs no GPU."""

from __future__ import annotations

import ctypes

import pytest
from cudnnkit.engines.blas.enums import (
    ALGORITHM_WORDS,
    CONFIG_TYPES,
    AlgoConfig,
    ComputeType,
    HeuristicResult,
    PreferenceAttribute,
)
from cudnnkit.engines.blas.library import BlasError, BlasLibrary, Handle, library
from cudnnkit.engines.blas.operation import Operation, _Descriptor
from cudnnkit.engines.blas.product import Product, product_of
from cudnnkit.problem import Epilogue

from .test_blas import case


@pytest.fixture
def lt() -> BlasLibrary:
    try:
        return library()
    except BlasError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_descriptors_are_taken(lt: BlasLibrary, dtype: str, last: bool) -> None:
    problem, _ = case(last=last, dtype=dtype, epilogue=Epilogue(last, True, "relu"))
    product = product_of(problem)
    assert isinstance(product, Product)
    handle = object.__new__(Handle)  # a real one wants a GPU
    handle.library, handle.address = lt, 0
    compute = ComputeType.F64 if dtype == "float64" else ComputeType.F32_FAST_TF32
    operation = Operation(handle, problem, product, compute)
    assert len({address for address in operation.layouts if address}) == 4
    with pytest.raises(BlasError, match="NOT_INITIALIZED"):
        list(operation.suggested(4, 0))


def test_sizes_of_attributes(lt: BlasLibrary) -> None:
    preference = _Descriptor(lt, "MatmulPreference")
    preference.put(PreferenceAttribute.MAX_WORKSPACE_BYTES, 1, ctypes.c_uint64)
    with pytest.raises(BlasError, match="INVALID_VALUE"):
        preference.put(PreferenceAttribute.MAX_WORKSPACE_BYTES, 1, ctypes.c_uint32)
    assert ctypes.sizeof(HeuristicResult) == 96
    data, written = (ctypes.c_uint64 * ALGORITHM_WORDS)(), ctypes.c_size_t()
    at = ctypes.addressof(data)
    for value, (key, kind) in enumerate(CONFIG_TYPES.items(), 1):
        held, found = kind(value), kind()
        lt.call("cublasLtMatmulAlgoConfigSetAttribute", at, key, ctypes.addressof(held), ctypes.sizeof(held))
        lt.call(
            "cublasLtMatmulAlgoConfigGetAttribute", at, key, ctypes.addressof(found), ctypes.sizeof(found),
            ctypes.addressof(written),
        )  # fmt: skip
        assert (found.value, written.value) == (value, ctypes.sizeof(kind)), AlgoConfig(key)
