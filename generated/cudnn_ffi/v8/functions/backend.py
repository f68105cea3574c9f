# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_backend.h``."""

from __future__ import annotations

from operator import index
from typing import Any

from ..._support.enums import enum_value
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.values import attribute_buffer
from ..descriptors import BackendDescriptor, Handle
from ..enums import BackendAttributeName, BackendAttributeType, BackendDescriptorType

__all__ = ["BackendFunctions"]


class BackendFunctions(LibraryBase):
    """Functions of ``cudnn_backend.h``, as methods of the loaded library."""

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
                enum_value(descriptor_type, BackendDescriptorType), descriptor
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
                enum_value(attribute_name, BackendAttributeName),
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
                enum_value(attribute_name, BackendAttributeName),
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
