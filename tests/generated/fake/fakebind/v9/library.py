"""Wrappers of the simulated library, in the pattern of the generated ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from cudnn_ffi._support.backend import BackendDescriptorBase
from cudnn_ffi._support.descriptors import Handle
from cudnn_ffi._support.errors import StatusError
from cudnn_ffi._support.library import CALL_ERRORS, LibraryBase
from cudnn_ffi._support.tables import BackendTables, LineTables
from cudnn_ffi._support.values import out_list

from . import enums
from .enums import DataType, Kind


class BadParamError(StatusError):
    """``CUDNN_STATUS_BAD_PARAM`` (2000)."""

    c_name = "CUDNN_STATUS_BAD_PARAM"


class CudnnHandle(Handle):
    __slots__ = ()
    _c_type = "cudnnHandle_t"


class TensorDescriptor(Handle):
    __slots__ = ()
    _c_type = "cudnnTensorDescriptor_t"
    _destroy = "cudnnDestroyTensorDescriptor"


class BackendDescriptor(BackendDescriptorBase):
    __slots__ = ()
    _c_type = "cudnnBackendDescriptor_t"
    _destroy = "cudnnBackendDestroyDescriptor"
    _tables = BackendTables(
        attributes={
            "TENSOR_DATA_TYPE": "DATA_TYPE",
            "TENSOR_DIMENSIONS": "INT64",
            "TENSOR_ALPHA": "DOUBLE",
            "TENSOR_IS_VIRTUAL": "BOOLEAN",
            "OPERATION_X": "BACKEND_DESCRIPTOR",
            "PLAN_HANDLE": "HANDLE",
            "PACK_POINTERS": "VOID_PTR",
            "PLAN_JSON": "CHAR",
            "ENGINE_RESULTS": "BACKEND_DESCRIPTOR",
            "RATIO": "FRACTION",
        },
        enums={"DATA_TYPE": "DataType"},
        lists=frozenset({"PACK_POINTERS", "TENSOR_DIMENSIONS", "ENGINE_RESULTS", "PLAN_JSON"}),
        descriptors={"ENGINE_RESULTS": "ENGINE_DESCRIPTOR"},
    )


_METHODS = {
    "cudnnGetVersion": "get_version",
    "cudnnNewer": "newer",
    "cudnnNowhere": "nowhere",
    "cudnnCreateTensorDescriptor": "create_tensor_descriptor",
    "cudnnDestroyTensorDescriptor": "destroy_tensor_descriptor",
    "cudnnSetTensor": "set_tensor",
    "cudnnGetTensor": "get_tensor",
    "cudnnFail": "fail",
    "cudnnGetKind": "get_kind",
    "cudnnFindThings": "find_things",
}


class Library(LibraryBase):
    _tables = LineTables(
        major=9,
        versions=("9.0.0", "9.10.0", "9.28.1"),
        functions=tuple(sorted(_METHODS)),
        methods=_METHODS,
        spans={
            "cudnnNewer": (("9.10.0", None),),
            "cudnnNowhere": (("9.0.0", "9.5.0"),),
            "CUDNN_KIND_LATE": (("9.10.0", None),),
        },
        moved_values={"CUDNN_KIND_MOVED": (("9.0.0", 37), ("9.10.0", 40))},
        moved_enums=("Kind",),
        moved_signatures={"cudnnFail": (("9.0.0", "cudnnFail__9_0_0"), ("9.9.0", "cudnnFail__9_9_0"))},
        moved_records={"cudnnThing_t": (("9.0.0", "cudnnThing_t__9_0_0"), ("9.10.0", "cudnnThing_t"))},
    )
    _status_errors: ClassVar[Mapping[int, type[StatusError]]] = {2000: BadParamError}
    _status_names: ClassVar[Mapping[int, str]] = {0: "CUDNN_STATUS_SUCCESS", 2000: "CUDNN_STATUS_BAD_PARAM"}
    _enums_module = enums
    _double = 1

    def newer(self) -> None:
        try:
            status = self._lib.cudnnNewer()
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnNewer", error) from None
        if status:
            raise self._status_error("cudnnNewer", status)

    def nowhere(self, n: int) -> None:
        try:
            self._lib.cudnnNowhere(n)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnNowhere", error, n=n) from None

    def create_tensor_descriptor(self) -> TensorDescriptor:
        out = self._new("cudnnTensorDescriptor_t *")
        status = self._lib.cudnnCreateTensorDescriptor(out)
        if status:
            raise self._status_error("cudnnCreateTensorDescriptor", status)
        return TensorDescriptor(self, out[0])

    def destroy_tensor_descriptor(self, tensor: TensorDescriptor) -> None:
        self._destroy_handle("cudnnDestroyTensorDescriptor", tensor)

    def set_tensor(self, tensor: TensorDescriptor, type_: DataType | int, n: int) -> None:
        try:
            status = self._lib.cudnnSetTensor(tensor._ptr, type_, n)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnSetTensor", error, tensor=tensor, type_=type_, n=n) from None
        if status:
            raise self._status_error("cudnnSetTensor", status, tensor=tensor, type_=type_, n=n)
        tensor._data_type = type_

    def get_tensor(self, tensor: TensorDescriptor) -> tuple[DataType, int]:
        try:
            type_, n = self._new("int *"), self._new("int *")
            status = self._lib.cudnnGetTensor(tensor._ptr, type_, n)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetTensor", error, tensor=tensor) from None
        if status:
            raise self._status_error("cudnnGetTensor", status, tensor=tensor)
        return DataType(type_[0]), n[0]

    def fail(self, status: int) -> int:
        out = self._new("int *")
        answer = self._moved.cudnnFail(status, out)
        if answer:
            raise self._status_error("cudnnFail", answer, status=status)
        return int(out[0])

    def get_kind(self, value: Kind | int) -> Kind:
        out = self._new("int *")
        status = self._lib.cudnnGetKind(out, self._wire(value, Kind))
        if status:
            raise self._status_error("cudnnGetKind", status, value=value)
        return self._from_wire(Kind, out[0])

    def find_things(self, requested: int, count: int) -> list[int]:
        returned, rows = self._new("int *"), self._new("int[]", requested)
        status = self._lib.cudnnFindThings(requested, returned, rows, count)
        if status:
            raise self._status_error("cudnnFindThings", status, requested=requested)
        return out_list(self._ffi, rows, returned[0], requested)

    def backend_create_descriptor(self, kind: int) -> BackendDescriptor:
        out = self._new("cudnnBackendDescriptor_t *")
        status = self._lib.cudnnBackendCreateDescriptor(kind, out)
        if status:
            raise self._status_error("cudnnBackendCreateDescriptor", status, kind=kind)
        return BackendDescriptor(self, out[0], kind=kind)
