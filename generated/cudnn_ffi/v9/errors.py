# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""An exception for every status of cuDNN 9 but success; a narrower status derives from the wider one."""

from __future__ import annotations

from .._support.errors import StatusError

__all__ = [
    "STATUS_ERRORS",
    "STATUS_NAMES",
    "StatusError",
    "BadParamAttributeTypeError",
    "BadParamCudaGraphMismatchError",
    "BadParamDescriptorTypeError",
    "BadParamDuplicatedEntriesError",
    "BadParamError",
    "BadParamMisalignedPointerError",
    "BadParamNotFinalizedError",
    "BadParamNullPointerError",
    "BadParamOutOfBoundError",
    "BadParamShapeMismatchError",
    "BadParamSizeInsufficientError",
    "BadParamStreamMismatchError",
    "DeprecatedError",
    "ExecutionFailedCublasError",
    "ExecutionFailedCudaDriverError",
    "ExecutionFailedCudartError",
    "ExecutionFailedCurandError",
    "ExecutionFailedError",
    "InternalError",
    "InternalErrorBadLaunchParamError",
    "InternalErrorCompilationFailedError",
    "InternalErrorDeviceAllocationFailedError",
    "InternalErrorHostAllocationFailedError",
    "InternalErrorTextureCreationFailedError",
    "InternalErrorUnexpectedValueError",
    "InvalidValueError",
    "LicenseError",
    "NotInitializedError",
    "NotSupportedArchMismatchError",
    "NotSupportedBadLaunchParamError",
    "NotSupportedCudaGraphNativeApiError",
    "NotSupportedDataTypeError",
    "NotSupportedError",
    "NotSupportedGraphPatternError",
    "NotSupportedIncompatibleCudaDriverError",
    "NotSupportedIncompatibleCudartError",
    "NotSupportedInvalidDynamicShapeError",
    "NotSupportedLayoutError",
    "NotSupportedPaddingError",
    "NotSupportedRuntimePrerequisiteMissingError",
    "NotSupportedShapeError",
    "NotSupportedSharedMemoryInsufficientError",
    "NotSupportedSublibraryUnavailableError",
    "RuntimeFpOverflowError",
    "RuntimeInProgressError",
    "SerializationVersionMismatchError",
    "SublibraryLoadingFailedError",
    "SublibraryVersionMismatchError",
]


class NotInitializedError(StatusError):
    """``CUDNN_STATUS_NOT_INITIALIZED`` (1001)."""


class SublibraryVersionMismatchError(StatusError):
    """``CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH`` (1002)."""


class SerializationVersionMismatchError(StatusError):
    """``CUDNN_STATUS_SERIALIZATION_VERSION_MISMATCH`` (1003)."""


class DeprecatedError(StatusError):
    """``CUDNN_STATUS_DEPRECATED`` (1004)."""


class LicenseError(StatusError):
    """``CUDNN_STATUS_LICENSE_ERROR`` (1005)."""


class RuntimeInProgressError(StatusError):
    """``CUDNN_STATUS_RUNTIME_IN_PROGRESS`` (1006)."""


class RuntimeFpOverflowError(StatusError):
    """``CUDNN_STATUS_RUNTIME_FP_OVERFLOW`` (1007)."""


class SublibraryLoadingFailedError(StatusError):
    """``CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED`` (1008)."""


class BadParamError(StatusError):
    """``CUDNN_STATUS_BAD_PARAM`` (2000)."""


class BadParamNullPointerError(BadParamError):
    """``CUDNN_STATUS_BAD_PARAM_NULL_POINTER`` (2002)."""


class BadParamMisalignedPointerError(BadParamError):
    """``CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER`` (2003)."""


class BadParamNotFinalizedError(BadParamError):
    """``CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED`` (2004)."""


class BadParamOutOfBoundError(BadParamError):
    """``CUDNN_STATUS_BAD_PARAM_OUT_OF_BOUND`` (2005)."""


class BadParamSizeInsufficientError(BadParamError):
    """``CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT`` (2006)."""


class BadParamStreamMismatchError(BadParamError):
    """``CUDNN_STATUS_BAD_PARAM_STREAM_MISMATCH`` (2007)."""


class BadParamShapeMismatchError(BadParamError):
    """``CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH`` (2008)."""


class BadParamDuplicatedEntriesError(BadParamError):
    """``CUDNN_STATUS_BAD_PARAM_DUPLICATED_ENTRIES`` (2009)."""


class BadParamAttributeTypeError(BadParamError):
    """``CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE`` (2010)."""


class BadParamCudaGraphMismatchError(BadParamError):
    """``CUDNN_STATUS_BAD_PARAM_CUDA_GRAPH_MISMATCH`` (2011)."""


class BadParamDescriptorTypeError(BadParamError):
    """``CUDNN_STATUS_BAD_PARAM_DESCRIPTOR_TYPE`` (2012)."""


class NotSupportedError(StatusError):
    """``CUDNN_STATUS_NOT_SUPPORTED`` (3000)."""


class NotSupportedGraphPatternError(NotSupportedError):
    """``CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN`` (3001)."""


class NotSupportedShapeError(NotSupportedError):
    """``CUDNN_STATUS_NOT_SUPPORTED_SHAPE`` (3002)."""


class NotSupportedDataTypeError(NotSupportedError):
    """``CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE`` (3003)."""


class NotSupportedLayoutError(NotSupportedError):
    """``CUDNN_STATUS_NOT_SUPPORTED_LAYOUT`` (3004)."""


class NotSupportedIncompatibleCudaDriverError(NotSupportedError):
    """``CUDNN_STATUS_NOT_SUPPORTED_INCOMPATIBLE_CUDA_DRIVER`` (3005)."""


class NotSupportedIncompatibleCudartError(NotSupportedError):
    """``CUDNN_STATUS_NOT_SUPPORTED_INCOMPATIBLE_CUDART`` (3006)."""


class NotSupportedArchMismatchError(NotSupportedError):
    """``CUDNN_STATUS_NOT_SUPPORTED_ARCH_MISMATCH`` (3007)."""


class NotSupportedRuntimePrerequisiteMissingError(NotSupportedError):
    """``CUDNN_STATUS_NOT_SUPPORTED_RUNTIME_PREREQUISITE_MISSING`` (3008)."""


class NotSupportedSublibraryUnavailableError(NotSupportedError):
    """``CUDNN_STATUS_NOT_SUPPORTED_SUBLIBRARY_UNAVAILABLE`` (3009)."""


class NotSupportedSharedMemoryInsufficientError(NotSupportedError):
    """``CUDNN_STATUS_NOT_SUPPORTED_SHARED_MEMORY_INSUFFICIENT`` (3010)."""


class NotSupportedPaddingError(NotSupportedError):
    """``CUDNN_STATUS_NOT_SUPPORTED_PADDING`` (3011)."""


class NotSupportedBadLaunchParamError(NotSupportedError):
    """``CUDNN_STATUS_NOT_SUPPORTED_BAD_LAUNCH_PARAM`` (3012)."""


class NotSupportedCudaGraphNativeApiError(NotSupportedError):
    """``CUDNN_STATUS_NOT_SUPPORTED_CUDA_GRAPH_NATIVE_API`` (3013)."""


class NotSupportedInvalidDynamicShapeError(NotSupportedError):
    """``CUDNN_STATUS_NOT_SUPPORTED_INVALID_DYNAMIC_SHAPE`` (3014)."""


class InternalError(StatusError):
    """``CUDNN_STATUS_INTERNAL_ERROR`` (4000)."""


class InternalErrorCompilationFailedError(InternalError):
    """``CUDNN_STATUS_INTERNAL_ERROR_COMPILATION_FAILED`` (4001)."""


class InternalErrorUnexpectedValueError(InternalError):
    """``CUDNN_STATUS_INTERNAL_ERROR_UNEXPECTED_VALUE`` (4002)."""


class InternalErrorHostAllocationFailedError(InternalError):
    """``CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED`` (4003)."""


class InternalErrorDeviceAllocationFailedError(InternalError):
    """``CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED`` (4004)."""


class InternalErrorBadLaunchParamError(InternalError):
    """``CUDNN_STATUS_INTERNAL_ERROR_BAD_LAUNCH_PARAM`` (4005)."""


class InternalErrorTextureCreationFailedError(InternalError):
    """``CUDNN_STATUS_INTERNAL_ERROR_TEXTURE_CREATION_FAILED`` (4006)."""


class ExecutionFailedError(StatusError):
    """``CUDNN_STATUS_EXECUTION_FAILED`` (5000)."""


class ExecutionFailedCudaDriverError(ExecutionFailedError):
    """``CUDNN_STATUS_EXECUTION_FAILED_CUDA_DRIVER`` (5001)."""


class ExecutionFailedCublasError(ExecutionFailedError):
    """``CUDNN_STATUS_EXECUTION_FAILED_CUBLAS`` (5002)."""


class ExecutionFailedCudartError(ExecutionFailedError):
    """``CUDNN_STATUS_EXECUTION_FAILED_CUDART`` (5003)."""


class ExecutionFailedCurandError(ExecutionFailedError):
    """``CUDNN_STATUS_EXECUTION_FAILED_CURAND`` (5004)."""


class InvalidValueError(StatusError):
    """``CUDNN_STATUS_INVALID_VALUE`` (2001)."""


STATUS_ERRORS: dict[int, type[StatusError]] = {
    1001: NotInitializedError,
    1002: SublibraryVersionMismatchError,
    1003: SerializationVersionMismatchError,
    1004: DeprecatedError,
    1005: LicenseError,
    1006: RuntimeInProgressError,
    1007: RuntimeFpOverflowError,
    1008: SublibraryLoadingFailedError,
    2000: BadParamError,
    2002: BadParamNullPointerError,
    2003: BadParamMisalignedPointerError,
    2004: BadParamNotFinalizedError,
    2005: BadParamOutOfBoundError,
    2006: BadParamSizeInsufficientError,
    2007: BadParamStreamMismatchError,
    2008: BadParamShapeMismatchError,
    2009: BadParamDuplicatedEntriesError,
    2010: BadParamAttributeTypeError,
    2011: BadParamCudaGraphMismatchError,
    2012: BadParamDescriptorTypeError,
    3000: NotSupportedError,
    3001: NotSupportedGraphPatternError,
    3002: NotSupportedShapeError,
    3003: NotSupportedDataTypeError,
    3004: NotSupportedLayoutError,
    3005: NotSupportedIncompatibleCudaDriverError,
    3006: NotSupportedIncompatibleCudartError,
    3007: NotSupportedArchMismatchError,
    3008: NotSupportedRuntimePrerequisiteMissingError,
    3009: NotSupportedSublibraryUnavailableError,
    3010: NotSupportedSharedMemoryInsufficientError,
    3011: NotSupportedPaddingError,
    3012: NotSupportedBadLaunchParamError,
    3013: NotSupportedCudaGraphNativeApiError,
    3014: NotSupportedInvalidDynamicShapeError,
    4000: InternalError,
    4001: InternalErrorCompilationFailedError,
    4002: InternalErrorUnexpectedValueError,
    4003: InternalErrorHostAllocationFailedError,
    4004: InternalErrorDeviceAllocationFailedError,
    4005: InternalErrorBadLaunchParamError,
    4006: InternalErrorTextureCreationFailedError,
    5000: ExecutionFailedError,
    5001: ExecutionFailedCudaDriverError,
    5002: ExecutionFailedCublasError,
    5003: ExecutionFailedCudartError,
    5004: ExecutionFailedCurandError,
    2001: InvalidValueError,
}

STATUS_NAMES: dict[int, str] = {
    0: "CUDNN_STATUS_SUCCESS",
    1001: "CUDNN_STATUS_NOT_INITIALIZED",
    1002: "CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH",
    1003: "CUDNN_STATUS_SERIALIZATION_VERSION_MISMATCH",
    1004: "CUDNN_STATUS_DEPRECATED",
    1005: "CUDNN_STATUS_LICENSE_ERROR",
    1006: "CUDNN_STATUS_RUNTIME_IN_PROGRESS",
    1007: "CUDNN_STATUS_RUNTIME_FP_OVERFLOW",
    1008: "CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED",
    2000: "CUDNN_STATUS_BAD_PARAM",
    2002: "CUDNN_STATUS_BAD_PARAM_NULL_POINTER",
    2003: "CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER",
    2004: "CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED",
    2005: "CUDNN_STATUS_BAD_PARAM_OUT_OF_BOUND",
    2006: "CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT",
    2007: "CUDNN_STATUS_BAD_PARAM_STREAM_MISMATCH",
    2008: "CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH",
    2009: "CUDNN_STATUS_BAD_PARAM_DUPLICATED_ENTRIES",
    2010: "CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE",
    2011: "CUDNN_STATUS_BAD_PARAM_CUDA_GRAPH_MISMATCH",
    2012: "CUDNN_STATUS_BAD_PARAM_DESCRIPTOR_TYPE",
    3000: "CUDNN_STATUS_NOT_SUPPORTED",
    3001: "CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN",
    3002: "CUDNN_STATUS_NOT_SUPPORTED_SHAPE",
    3003: "CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE",
    3004: "CUDNN_STATUS_NOT_SUPPORTED_LAYOUT",
    3005: "CUDNN_STATUS_NOT_SUPPORTED_INCOMPATIBLE_CUDA_DRIVER",
    3006: "CUDNN_STATUS_NOT_SUPPORTED_INCOMPATIBLE_CUDART",
    3007: "CUDNN_STATUS_NOT_SUPPORTED_ARCH_MISMATCH",
    3008: "CUDNN_STATUS_NOT_SUPPORTED_RUNTIME_PREREQUISITE_MISSING",
    3009: "CUDNN_STATUS_NOT_SUPPORTED_SUBLIBRARY_UNAVAILABLE",
    3010: "CUDNN_STATUS_NOT_SUPPORTED_SHARED_MEMORY_INSUFFICIENT",
    3011: "CUDNN_STATUS_NOT_SUPPORTED_PADDING",
    3012: "CUDNN_STATUS_NOT_SUPPORTED_BAD_LAUNCH_PARAM",
    3013: "CUDNN_STATUS_NOT_SUPPORTED_CUDA_GRAPH_NATIVE_API",
    3014: "CUDNN_STATUS_NOT_SUPPORTED_INVALID_DYNAMIC_SHAPE",
    4000: "CUDNN_STATUS_INTERNAL_ERROR",
    4001: "CUDNN_STATUS_INTERNAL_ERROR_COMPILATION_FAILED",
    4002: "CUDNN_STATUS_INTERNAL_ERROR_UNEXPECTED_VALUE",
    4003: "CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED",
    4004: "CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED",
    4005: "CUDNN_STATUS_INTERNAL_ERROR_BAD_LAUNCH_PARAM",
    4006: "CUDNN_STATUS_INTERNAL_ERROR_TEXTURE_CREATION_FAILED",
    5000: "CUDNN_STATUS_EXECUTION_FAILED",
    5001: "CUDNN_STATUS_EXECUTION_FAILED_CUDA_DRIVER",
    5002: "CUDNN_STATUS_EXECUTION_FAILED_CUBLAS",
    5003: "CUDNN_STATUS_EXECUTION_FAILED_CUDART",
    5004: "CUDNN_STATUS_EXECUTION_FAILED_CURAND",
    2001: "CUDNN_STATUS_INVALID_VALUE",
}
