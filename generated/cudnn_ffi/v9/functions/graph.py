# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""Wrappers of the functions of ``cudnn_graph.h``."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import Stream, stream_pointer
from ..._support.values import attribute_buffer, text
from ..descriptors import BackendDescriptor, Handle
from ..enums import (
    BackendAttributeName,
    BackendAttributeType,
    BackendDescriptorType,
    ErrQueryMode,
    LibraryPropertyType,
    SeverityMask,
    Status,
)

if TYPE_CHECKING:
    from ..results import graph as results
else:
    results = LazyModule("..results.graph", __package__)

__all__ = ["GraphFunctions"]


class GraphFunctions(LibraryBase):
    """Functions of ``cudnn_graph.h``, as methods of the loaded library."""

    def get_version(self) -> int:
        """Call ``cudnnGetVersion``.

        Returns
        -------
        int
        """
        try:
            answer = self._lib.cudnnGetVersion()
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetVersion", error) from None
        found: int = answer
        return found

    def get_max_device_version(self) -> int:
        """Call ``cudnnGetMaxDeviceVersion``.

        Returns
        -------
        int
        """
        try:
            answer = self._lib.cudnnGetMaxDeviceVersion()
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetMaxDeviceVersion", error) from None
        found: int = answer
        return found

    def get_cudart_version(self) -> int:
        """Call ``cudnnGetCudartVersion``.

        Returns
        -------
        int
        """
        try:
            answer = self._lib.cudnnGetCudartVersion()
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetCudartVersion", error) from None
        found: int = answer
        return found

    def get_error_string(self, status_: Status | int) -> str:
        """Call ``cudnnGetErrorString``.

        Parameters
        ----------
        status_ : Status | int
            ``cudnnStatus_t status``, in.

        Returns
        -------
        str
        """
        try:
            answer = self._lib.cudnnGetErrorString(enum_value(status_, Status))
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetErrorString", error, status_=status_) from None
        return text(self._ffi, answer)

    def get_last_error_string(self, *, max_size: int = 1024) -> str:
        """Call ``cudnnGetLastErrorString``.

        Parameters
        ----------
        max_size : int, default 1024
            ``size_t max_size``, in, bytes.

        Returns
        -------
        str
            `message`.
        """
        try:
            message = self._new("char[]", max_size)
            self._lib.cudnnGetLastErrorString(message, index(max_size))
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetLastErrorString", error, max_size=max_size) from None
        return text(self._ffi, message)

    def query_runtime_error(self, handle: Handle, mode: ErrQueryMode | int, tag: Any) -> Status:
        """Call ``cudnnQueryRuntimeError``.

        Deprecated: use ``cudnnGetLastErrorString`` instead.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        mode : ErrQueryMode | int
            ``cudnnErrQueryMode_t mode``, in.
        tag : Any
            ``cudnnRuntimeTag_t *tag``, inout, cffi data, passed as it is.

        Returns
        -------
        Status
            `rstatus`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            rstatus = self._new("cudnnStatus_t *")
            status = self._lib.cudnnQueryRuntimeError(
                handle._ptr, rstatus, enum_value(mode, ErrQueryMode), self._null if tag is None else tag
            )
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnQueryRuntimeError", error, handle=handle, mode=mode, tag=tag) from None
        if status:
            raise self._status_error("cudnnQueryRuntimeError", status, handle=handle, mode=mode, tag=tag)
        return Status(rstatus[0])

    def get_property(self, type_: LibraryPropertyType | int) -> int:
        """Call ``cudnnGetProperty``.

        Parameters
        ----------
        type_ : LibraryPropertyType | int
            ``libraryPropertyType type``, in.

        Returns
        -------
        int
            `value`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            value = self._new("int *")
            status = self._lib.cudnnGetProperty(enum_value(type_, LibraryPropertyType), value)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetProperty", error, type_=type_) from None
        if status:
            raise self._status_error("cudnnGetProperty", status, type_=type_)
        found: int = value[0]
        return found

    def create(self) -> Handle:
        """Create a ``cudnnHandle_t``: ``cudnnCreate``.

        Returns
        -------
        Handle
            `handle`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            handle = self._new("cudnnHandle_t *")
            status = self._lib.cudnnCreate(handle)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreate", error) from None
        if status:
            raise self._status_error("cudnnCreate", status)
        return Handle(self, handle[0])

    def destroy(self, handle: Handle) -> None:
        """Destroy a ``cudnnHandle_t``: ``cudnnDestroy``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroy", handle)

    def set_stream(self, handle: Handle, stream_id: Stream) -> None:
        """Set up a ``cudnnHandle_t``: ``cudnnSetStream``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        stream_id : Stream
            ``cudaStream_t streamId``, in, 0: the default stream.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetStream(handle._ptr, stream_pointer(stream_id, "stream_id"))
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnSetStream", error, handle=handle, stream_id=stream_id) from None
        if status:
            raise self._status_error("cudnnSetStream", status, handle=handle, stream_id=stream_id)

    def get_stream(self, handle: Handle) -> int:
        """Read a ``cudnnHandle_t``: ``cudnnGetStream``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.

        Returns
        -------
        int
            `stream_id`, an address, 0 for NULL.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            stream_id = self._new("cudaStream_t *")
            status = self._lib.cudnnGetStream(handle._ptr, stream_id)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetStream", error, handle=handle) from None
        if status:
            raise self._status_error("cudnnGetStream", status, handle=handle)
        return int(self._ffi.cast("uintptr_t", stream_id[0]))

    def set_callback(self, mask: SeverityMask | int, udata: Any, fptr: Any) -> None:
        """Call ``cudnnSetCallback``.

        Parameters
        ----------
        mask : SeverityMask | int
            ``unsigned int mask``, in.
        udata : Any
            ``void *udata``, in, cffi data or None.
        fptr : Any
            ``cudnnCallback_t fptr``, in, cffi data: a callback that the caller keeps alive, or None.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetCallback(
                index(mask), self._null if udata is None else udata, self._null if fptr is None else fptr
            )
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnSetCallback", error, mask=mask, udata=udata, fptr=fptr) from None
        if status:
            raise self._status_error("cudnnSetCallback", status, mask=mask, udata=udata, fptr=fptr)

    def get_callback(self) -> results.GetCallbackResult:
        """Call ``cudnnGetCallback``.

        Returns
        -------
        results.GetCallbackResult
            mask : SeverityMask
            udata : int, an address, 0 for NULL
            fptr : Any

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            mask = self._new("unsigned int *")
            udata = self._new("void * *")
            fptr = self._new("cudnnCallback_t *")
            status = self._lib.cudnnGetCallback(mask, udata, fptr)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetCallback", error) from None
        if status:
            raise self._status_error("cudnnGetCallback", status)
        return results.GetCallbackResult(
            mask=SeverityMask(mask[0]),
            udata=int(self._ffi.cast("uintptr_t", udata[0])),
            fptr=fptr[0],
        )

    def graph_version_check(self) -> None:
        """Call ``cudnnGraphVersionCheck``.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnGraphVersionCheck()
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGraphVersionCheck", error) from None
        if status:
            raise self._status_error("cudnnGraphVersionCheck", status)

    def backend_create_descriptor(self, descriptor_type: BackendDescriptorType | int) -> BackendDescriptor:
        """Backend API, of a ``cudnnBackendDescriptor_t``: ``cudnnBackendCreateDescriptor``.

        Parameters
        ----------
        descriptor_type : BackendDescriptorType | int
            ``cudnnBackendDescriptorType_t descriptorType``, in.

        Returns
        -------
        BackendDescriptor
            `descriptor`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            descriptor = self._new("cudnnBackendDescriptor_t *")
            status = self._lib.cudnnBackendCreateDescriptor(
                self._wire(descriptor_type, BackendDescriptorType), descriptor
            )
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnBackendCreateDescriptor", error, descriptor_type=descriptor_type) from None
        if status:
            raise self._status_error("cudnnBackendCreateDescriptor", status, descriptor_type=descriptor_type)
        return BackendDescriptor(self, descriptor[0], kind=descriptor_type)

    def backend_destroy_descriptor(self, descriptor: BackendDescriptor) -> None:
        """Backend API, of a ``cudnnBackendDescriptor_t``: ``cudnnBackendDestroyDescriptor``.

        Parameters
        ----------
        descriptor : BackendDescriptor
            ``cudnnBackendDescriptor_t descriptor``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnBackendDestroyDescriptor", descriptor)

    def backend_initialize(self, descriptor: BackendDescriptor) -> None:
        """Backend API, of a ``cudnnBackendDescriptor_t``: ``cudnnBackendInitialize``.

        Deprecated: use ``cudnnBackendCreateDescriptor`` instead.

        Parameters
        ----------
        descriptor : BackendDescriptor
            ``cudnnBackendDescriptor_t descriptor``, inout.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnBackendInitialize(descriptor._ptr)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnBackendInitialize", error, descriptor=descriptor) from None
        if status:
            raise self._status_error("cudnnBackendInitialize", status, descriptor=descriptor)

    def backend_finalize(self, descriptor: BackendDescriptor) -> None:
        """Backend API, of a ``cudnnBackendDescriptor_t``: ``cudnnBackendFinalize``.

        Parameters
        ----------
        descriptor : BackendDescriptor
            ``cudnnBackendDescriptor_t descriptor``, inout.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnBackendFinalize(descriptor._ptr)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnBackendFinalize", error, descriptor=descriptor) from None
        if status:
            raise self._status_error("cudnnBackendFinalize", status, descriptor=descriptor)

    def backend_set_attribute(
        self,
        descriptor: BackendDescriptor,
        attribute_name: BackendAttributeName | int,
        attribute_type: BackendAttributeType | int,
        element_count: int,
        array_of_elements: Any,
    ) -> None:
        """Backend API, of a ``cudnnBackendDescriptor_t``: ``cudnnBackendSetAttribute``.

        Parameters
        ----------
        descriptor : BackendDescriptor
            ``cudnnBackendDescriptor_t descriptor``, inout.
        attribute_name : BackendAttributeName | int
            ``cudnnBackendAttributeName_t attributeName``, in.
        attribute_type : BackendAttributeType | int
            ``cudnnBackendAttributeType_t attributeType``, in.
        element_count : int
            ``int64_t elementCount``, in.
        array_of_elements : Any
            ``const void *arrayOfElements``, in, a buffer in host memory, cffi data or None.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnBackendSetAttribute(
                descriptor._ptr,
                self._wire(attribute_name, BackendAttributeName),
                enum_value(attribute_type, BackendAttributeType),
                index(element_count),
                attribute_buffer(self, array_of_elements, attribute_type, element_count, "array_of_elements"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnBackendSetAttribute",
                error,
                descriptor=descriptor,
                attribute_name=attribute_name,
                attribute_type=attribute_type,
                element_count=element_count,
                array_of_elements=array_of_elements,
            ) from None
        if status:
            raise self._status_error(
                "cudnnBackendSetAttribute",
                status,
                descriptor=descriptor,
                attribute_name=attribute_name,
                attribute_type=attribute_type,
                element_count=element_count,
                array_of_elements=array_of_elements,
            )

    def backend_get_attribute(
        self,
        descriptor: BackendDescriptor,
        attribute_name: BackendAttributeName | int,
        attribute_type: BackendAttributeType | int,
        requested_element_count: int,
        array_of_elements: Any,
    ) -> int:
        """Backend API, of a ``cudnnBackendDescriptor_t``: ``cudnnBackendGetAttribute``.

        Parameters
        ----------
        descriptor : BackendDescriptor
            ``const cudnnBackendDescriptor_t descriptor``, in.
        attribute_name : BackendAttributeName | int
            ``cudnnBackendAttributeName_t attributeName``, in.
        attribute_type : BackendAttributeType | int
            ``cudnnBackendAttributeType_t attributeType``, in.
        requested_element_count : int
            ``int64_t requestedElementCount``, in.
        array_of_elements : Any
            ``void *arrayOfElements``, out, a buffer in host memory, cffi data or None; the call writes to it.

        Returns
        -------
        int
            `element_count`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            element_count = self._new("int64_t *")
            status = self._lib.cudnnBackendGetAttribute(
                descriptor._ptr,
                self._wire(attribute_name, BackendAttributeName),
                enum_value(attribute_type, BackendAttributeType),
                index(requested_element_count),
                element_count,
                attribute_buffer(
                    self, array_of_elements, attribute_type, requested_element_count, "array_of_elements", writable=True
                ),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnBackendGetAttribute",
                error,
                descriptor=descriptor,
                attribute_name=attribute_name,
                attribute_type=attribute_type,
                requested_element_count=requested_element_count,
                array_of_elements=array_of_elements,
            ) from None
        if status:
            raise self._status_error(
                "cudnnBackendGetAttribute",
                status,
                descriptor=descriptor,
                attribute_name=attribute_name,
                attribute_type=attribute_type,
                requested_element_count=requested_element_count,
                array_of_elements=array_of_elements,
            )
        found: int = element_count[0]
        return found

    def get_execution_plan_workspace_size(
        self, handle: Handle, execution_plan: BackendDescriptor, variant_pack: BackendDescriptor
    ) -> int:
        """Ask how many bytes are needed (ExecutionPlan): ``cudnnGetExecutionPlanWorkspaceSize``.

        Since 9.23.0.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        execution_plan : BackendDescriptor
            ``cudnnBackendDescriptor_t executionPlan``, in.
        variant_pack : BackendDescriptor
            ``cudnnBackendDescriptor_t variantPack``, in.

        Returns
        -------
        int
            `workspace_size_in_bytes`, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            workspace_size_in_bytes = self._new("size_t *")
            status = self._lib.cudnnGetExecutionPlanWorkspaceSize(
                handle._ptr, execution_plan._ptr, variant_pack._ptr, workspace_size_in_bytes
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetExecutionPlanWorkspaceSize",
                error,
                handle=handle,
                execution_plan=execution_plan,
                variant_pack=variant_pack,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetExecutionPlanWorkspaceSize",
                status,
                handle=handle,
                execution_plan=execution_plan,
                variant_pack=variant_pack,
            )
        found: int = workspace_size_in_bytes[0]
        return found

    def backend_execute(
        self, handle: Handle, execution_plan: BackendDescriptor, variant_pack: BackendDescriptor
    ) -> None:
        """Backend API, of a ``cudnnBackendDescriptor_t``: ``cudnnBackendExecute``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        execution_plan : BackendDescriptor
            ``cudnnBackendDescriptor_t executionPlan``, in.
        variant_pack : BackendDescriptor
            ``cudnnBackendDescriptor_t variantPack``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnBackendExecute(handle._ptr, execution_plan._ptr, variant_pack._ptr)
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnBackendExecute", error, handle=handle, execution_plan=execution_plan, variant_pack=variant_pack
            ) from None
        if status:
            raise self._status_error(
                "cudnnBackendExecute", status, handle=handle, execution_plan=execution_plan, variant_pack=variant_pack
            )

    def backend_populate_cuda_graph(
        self, handle: Handle, execution_plan: BackendDescriptor, variant_pack: BackendDescriptor, graph: int
    ) -> None:
        """Backend API, of a ``cudnnBackendDescriptor_t``: ``cudnnBackendPopulateCudaGraph``.

        Since 9.5.0.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        execution_plan : BackendDescriptor
            ``cudnnBackendDescriptor_t executionPlan``, in.
        variant_pack : BackendDescriptor
            ``cudnnBackendDescriptor_t variantPack``, in.
        graph : int
            ``cudaGraph_t graph``, inout, the graph's address.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnBackendPopulateCudaGraph(
                handle._ptr, execution_plan._ptr, variant_pack._ptr, self._ffi.cast("cudaGraph_t", index(graph))
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnBackendPopulateCudaGraph",
                error,
                handle=handle,
                execution_plan=execution_plan,
                variant_pack=variant_pack,
                graph=graph,
            ) from None
        if status:
            raise self._status_error(
                "cudnnBackendPopulateCudaGraph",
                status,
                handle=handle,
                execution_plan=execution_plan,
                variant_pack=variant_pack,
                graph=graph,
            )

    def backend_update_cuda_graph(
        self, handle: Handle, execution_plan: BackendDescriptor, variant_pack: BackendDescriptor, graph: int
    ) -> None:
        """Backend API, of a ``cudnnBackendDescriptor_t``: ``cudnnBackendUpdateCudaGraph``.

        Since 9.5.0.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        execution_plan : BackendDescriptor
            ``cudnnBackendDescriptor_t executionPlan``, in.
        variant_pack : BackendDescriptor
            ``cudnnBackendDescriptor_t variantPack``, in.
        graph : int
            ``cudaGraph_t graph``, inout, the graph's address.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnBackendUpdateCudaGraph(
                handle._ptr, execution_plan._ptr, variant_pack._ptr, self._ffi.cast("cudaGraph_t", index(graph))
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnBackendUpdateCudaGraph",
                error,
                handle=handle,
                execution_plan=execution_plan,
                variant_pack=variant_pack,
                graph=graph,
            ) from None
        if status:
            raise self._status_error(
                "cudnnBackendUpdateCudaGraph",
                status,
                handle=handle,
                execution_plan=execution_plan,
                variant_pack=variant_pack,
                graph=graph,
            )
