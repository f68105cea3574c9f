"""Enums of the simulated library."""

from __future__ import annotations

from cudnn_ffi._support.enums import OpenIntEnum, OpenIntFlag

__all__ = ["BackendAttributeName", "BackendAttributeType", "BackendDescriptorType", "DataType", "Kind", "SeverityMask"]


class DataType(OpenIntEnum, c_type="cudnnDataType_t", c_prefix="CUDNN_DATA_"):
    FLOAT = 0
    DOUBLE = 1
    HALF = 2
    INT8 = 3
    FP8_E4M3 = 12


class Kind(OpenIntEnum, c_type="cudnnKind_t", c_prefix="CUDNN_KIND_", c_names={"ODD": "CUDNN_QUITE_ODD"}):
    FIRST = 1
    SAME_AS_FIRST = 1
    MOVED = 40
    LATE = 37
    ODD = -1


class SeverityMask(OpenIntFlag, c_type="unsigned", c_prefix="CUDNN_SEV_"):
    ERROR_EN = 2
    WARNING_EN = 4


class BackendDescriptorType(OpenIntEnum, c_type="cudnnBackendDescriptorType_t", c_prefix="CUDNN_BACKEND_"):
    TENSOR_DESCRIPTOR = 1
    ENGINE_DESCRIPTOR = 2


class BackendAttributeName(OpenIntEnum, c_type="cudnnBackendAttributeName_t", c_prefix="CUDNN_ATTR_"):
    TENSOR_DATA_TYPE = 1
    TENSOR_DIMENSIONS = 2
    TENSOR_ALPHA = 3
    TENSOR_IS_VIRTUAL = 4
    OPERATION_X = 5
    PLAN_HANDLE = 6
    PACK_POINTERS = 7
    PLAN_JSON = 8
    ENGINE_RESULTS = 9
    RATIO = 10
    UNTYPED = 11


class BackendAttributeType(OpenIntEnum, c_type="cudnnBackendAttributeType_t", c_prefix="CUDNN_TYPE_"):
    HANDLE = 0
    DATA_TYPE = 1
    BOOLEAN = 2
    INT64 = 3
    FLOAT = 4
    DOUBLE = 5
    VOID_PTR = 6
    BACKEND_DESCRIPTOR = 15
    INT32 = 23
    CHAR = 24
    FRACTION = 26
