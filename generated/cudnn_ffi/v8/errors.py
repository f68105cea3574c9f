# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""An exception for every status of cuDNN 8 but success; a narrower status derives from the wider one."""

from __future__ import annotations

from .._support.errors import StatusError

__all__ = [
    "STATUS_ERRORS",
    "STATUS_NAMES",
    "StatusError",
    "AllocFailedError",
    "ArchMismatchError",
    "BadParamError",
    "ExecutionFailedError",
    "InternalError",
    "InvalidValueError",
    "LicenseError",
    "MappingError",
    "NotInitializedError",
    "NotSupportedError",
    "RuntimeFpOverflowError",
    "RuntimeInProgressError",
    "RuntimePrerequisiteMissingError",
    "VersionMismatchError",
]


class NotInitializedError(StatusError):
    """``CUDNN_STATUS_NOT_INITIALIZED`` (1)."""


class AllocFailedError(StatusError):
    """``CUDNN_STATUS_ALLOC_FAILED`` (2)."""


class BadParamError(StatusError):
    """``CUDNN_STATUS_BAD_PARAM`` (3)."""


class InternalError(StatusError):
    """``CUDNN_STATUS_INTERNAL_ERROR`` (4)."""


class InvalidValueError(StatusError):
    """``CUDNN_STATUS_INVALID_VALUE`` (5)."""


class ArchMismatchError(StatusError):
    """``CUDNN_STATUS_ARCH_MISMATCH`` (6)."""


class MappingError(StatusError):
    """``CUDNN_STATUS_MAPPING_ERROR`` (7)."""


class ExecutionFailedError(StatusError):
    """``CUDNN_STATUS_EXECUTION_FAILED`` (8)."""


class NotSupportedError(StatusError):
    """``CUDNN_STATUS_NOT_SUPPORTED`` (9)."""


class LicenseError(StatusError):
    """``CUDNN_STATUS_LICENSE_ERROR`` (10)."""


class RuntimePrerequisiteMissingError(StatusError):
    """``CUDNN_STATUS_RUNTIME_PREREQUISITE_MISSING`` (11)."""


class RuntimeInProgressError(StatusError):
    """``CUDNN_STATUS_RUNTIME_IN_PROGRESS`` (12)."""


class RuntimeFpOverflowError(StatusError):
    """``CUDNN_STATUS_RUNTIME_FP_OVERFLOW`` (13)."""


class VersionMismatchError(StatusError):
    """``CUDNN_STATUS_VERSION_MISMATCH`` (14)."""


STATUS_ERRORS: dict[int, type[StatusError]] = {
    1: NotInitializedError,
    2: AllocFailedError,
    3: BadParamError,
    4: InternalError,
    5: InvalidValueError,
    6: ArchMismatchError,
    7: MappingError,
    8: ExecutionFailedError,
    9: NotSupportedError,
    10: LicenseError,
    11: RuntimePrerequisiteMissingError,
    12: RuntimeInProgressError,
    13: RuntimeFpOverflowError,
    14: VersionMismatchError,
}

STATUS_NAMES: dict[int, str] = {
    0: "CUDNN_STATUS_SUCCESS",
    1: "CUDNN_STATUS_NOT_INITIALIZED",
    2: "CUDNN_STATUS_ALLOC_FAILED",
    3: "CUDNN_STATUS_BAD_PARAM",
    4: "CUDNN_STATUS_INTERNAL_ERROR",
    5: "CUDNN_STATUS_INVALID_VALUE",
    6: "CUDNN_STATUS_ARCH_MISMATCH",
    7: "CUDNN_STATUS_MAPPING_ERROR",
    8: "CUDNN_STATUS_EXECUTION_FAILED",
    9: "CUDNN_STATUS_NOT_SUPPORTED",
    10: "CUDNN_STATUS_LICENSE_ERROR",
    11: "CUDNN_STATUS_RUNTIME_PREREQUISITE_MISSING",
    12: "CUDNN_STATUS_RUNTIME_IN_PROGRESS",
    13: "CUDNN_STATUS_RUNTIME_FP_OVERFLOW",
    14: "CUDNN_STATUS_VERSION_MISMATCH",
}
