"""Values of cuBLASLt's enumerations, as its header has had them since CUDA 12; names without prefix."""

from __future__ import annotations

import ctypes
from enum import IntEnum, IntFlag
from typing import Any

__all__ = [
    "ALGORITHM_WORDS",
    "CONFIG_TYPES",
    "AlgoCap",
    "AlgoConfig",
    "ComputeType",
    "DataType",
    "DescAttribute",
    "Epilogue",
    "HeuristicResult",
    "ImplFlags",
    "LayoutAttribute",
    "PreferenceAttribute",
    "ReductionScheme",
]


class DataType(IntEnum):
    """``cudaDataType_t``."""

    R_32F = 0
    R_64F = 1
    R_16F = 2
    R_16BF = 14


class ComputeType(IntEnum):
    """``cublasComputeType_t``, ``CUBLAS_COMPUTE_...``."""

    F32 = 68
    F64 = 70
    F32_FAST_TF32 = 77


class DescAttribute(IntEnum):
    """``cublasLtMatmulDescAttributes_t``."""

    TRANSA = 3
    TRANSB = 4
    EPILOGUE = 7
    BIAS_POINTER = 8


class LayoutAttribute(IntEnum):
    """``cublasLtMatrixLayoutAttribute_t``."""

    BATCH_COUNT = 5
    STRIDED_BATCH_OFFSET = 6


class Epilogue(IntFlag):
    """``cublasLtEpilogue_t``; ReLU and GELU go together with BIAS."""

    DEFAULT = 1
    RELU = 2
    BIAS = 4
    GELU = 32


class PreferenceAttribute(IntEnum):
    """``cublasLtMatmulPreferenceAttributes_t``."""

    MAX_WORKSPACE_BYTES = 1
    MIN_ALIGNMENT_A_BYTES = 5
    MIN_ALIGNMENT_B_BYTES = 6
    MIN_ALIGNMENT_C_BYTES = 7
    MIN_ALIGNMENT_D_BYTES = 8


class ReductionScheme(IntEnum):
    """``cublasLtReductionScheme_t``: how the parts of a sum that is split along k come together."""

    NONE = 0
    INPLACE = 1
    COMPUTE_TYPE = 2
    OUTPUT_TYPE = 4


class AlgoConfig(IntEnum):
    """``cublasLtMatmulAlgoConfigAttributes_t``: with the id, what an algorithm is made of."""

    ID = 0
    TILE_ID = 1
    SPLITK_NUM = 2
    REDUCTION_SCHEME = 3
    CTA_SWIZZLING = 4
    CUSTOM_OPTION = 5
    STAGES_ID = 6
    INNER_SHAPE_ID = 7
    CLUSTER_SHAPE_ID = 8


CONFIG_TYPES: dict[AlgoConfig, Any] = {
    AlgoConfig.TILE_ID: ctypes.c_uint32,
    AlgoConfig.SPLITK_NUM: ctypes.c_int32,
    AlgoConfig.REDUCTION_SCHEME: ctypes.c_uint32,
    AlgoConfig.CTA_SWIZZLING: ctypes.c_uint32,
    AlgoConfig.CUSTOM_OPTION: ctypes.c_uint32,
    AlgoConfig.STAGES_ID: ctypes.c_uint32,
    AlgoConfig.INNER_SHAPE_ID: ctypes.c_uint16,
    AlgoConfig.CLUSTER_SHAPE_ID: ctypes.c_uint16,
}
"""C type of each attribute that can be set; the library refuses any other size."""


class AlgoCap(IntEnum):
    """``cublasLtMatmulAlgoCapAttributes_t``."""

    NUMERICAL_IMPL_FLAGS = 15


class ImplFlags(IntFlag):
    """``cublasLtNumericalImplFlags_t``."""

    TENSOR_OP_MASK = 0xFE
    ACCUMULATOR_16F = 1 << 8
    INPUT_16F = 1 << 16
    INPUT_16BF = 1 << 17
    INPUT_TF32 = 1 << 18


ALGORITHM_WORDS = 8
"""64-bit words of ``cublasLtMatmulAlgo_t``."""


class HeuristicResult(ctypes.Structure):
    """``cublasLtMatmulHeuristicResult_t``."""

    _fields_ = (
        ("algo", ctypes.c_uint64 * ALGORITHM_WORDS),
        ("workspaceSize", ctypes.c_size_t),
        ("state", ctypes.c_int),
        ("wavesCount", ctypes.c_float),
        ("reserved", ctypes.c_int * 4),
    )
