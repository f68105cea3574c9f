# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_ops_infer.h`` about reduce tensor."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer, optional_device_pointer
from ..descriptors import Handle, ReduceTensorDescriptor, TensorDescriptor
from ..enums import DataType, IndicesType, NanPropagation, ReduceTensorIndices, ReduceTensorOp

if TYPE_CHECKING:
    from ..results import ops_infer_reduce_tensor as results
else:
    results = LazyModule("..results.ops_infer_reduce_tensor", __package__)

__all__ = ["OpsInferReduceTensorFunctions"]


class OpsInferReduceTensorFunctions(LibraryBase):
    """Functions of ``cudnn_ops_infer.h`` about reduce tensor, as methods of the loaded library."""

    def create_reduce_tensor_descriptor(self) -> ReduceTensorDescriptor:
        """Create a ``cudnnReduceTensorDescriptor_t``: ``cudnnCreateReduceTensorDescriptor``.

        Returns
        -------
        ReduceTensorDescriptor
            `reduce_tensor_desc`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            reduce_tensor_desc = self._new("cudnnReduceTensorDescriptor_t *")
            status = self._lib.cudnnCreateReduceTensorDescriptor(reduce_tensor_desc)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateReduceTensorDescriptor", error) from None
        if status:
            raise self._status_error("cudnnCreateReduceTensorDescriptor", status)
        return ReduceTensorDescriptor(self, reduce_tensor_desc[0])

    def set_reduce_tensor_descriptor(
        self,
        reduce_tensor_desc: ReduceTensorDescriptor,
        reduce_tensor_op: ReduceTensorOp | int,
        reduce_tensor_comp_type: DataType | int,
        reduce_tensor_nan_opt: NanPropagation | int,
        reduce_tensor_indices: ReduceTensorIndices | int,
        reduce_tensor_indices_type: IndicesType | int,
    ) -> None:
        """Set up a ``cudnnReduceTensorDescriptor_t``: ``cudnnSetReduceTensorDescriptor``.

        Parameters
        ----------
        reduce_tensor_desc : ReduceTensorDescriptor
            ``cudnnReduceTensorDescriptor_t reduceTensorDesc``, inout.
        reduce_tensor_op : ReduceTensorOp | int
            ``cudnnReduceTensorOp_t reduceTensorOp``, in.
        reduce_tensor_comp_type : DataType | int
            ``cudnnDataType_t reduceTensorCompType``, in.
        reduce_tensor_nan_opt : NanPropagation | int
            ``cudnnNanPropagation_t reduceTensorNanOpt``, in.
        reduce_tensor_indices : ReduceTensorIndices | int
            ``cudnnReduceTensorIndices_t reduceTensorIndices``, in.
        reduce_tensor_indices_type : IndicesType | int
            ``cudnnIndicesType_t reduceTensorIndicesType``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetReduceTensorDescriptor(
                reduce_tensor_desc._ptr,
                enum_value(reduce_tensor_op, ReduceTensorOp),
                enum_value(reduce_tensor_comp_type, DataType),
                enum_value(reduce_tensor_nan_opt, NanPropagation),
                enum_value(reduce_tensor_indices, ReduceTensorIndices),
                enum_value(reduce_tensor_indices_type, IndicesType),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetReduceTensorDescriptor",
                error,
                reduce_tensor_desc=reduce_tensor_desc,
                reduce_tensor_op=reduce_tensor_op,
                reduce_tensor_comp_type=reduce_tensor_comp_type,
                reduce_tensor_nan_opt=reduce_tensor_nan_opt,
                reduce_tensor_indices=reduce_tensor_indices,
                reduce_tensor_indices_type=reduce_tensor_indices_type,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetReduceTensorDescriptor",
                status,
                reduce_tensor_desc=reduce_tensor_desc,
                reduce_tensor_op=reduce_tensor_op,
                reduce_tensor_comp_type=reduce_tensor_comp_type,
                reduce_tensor_nan_opt=reduce_tensor_nan_opt,
                reduce_tensor_indices=reduce_tensor_indices,
                reduce_tensor_indices_type=reduce_tensor_indices_type,
            )
        reduce_tensor_desc._data_type = reduce_tensor_comp_type

    def get_reduce_tensor_descriptor(
        self, reduce_tensor_desc: ReduceTensorDescriptor
    ) -> results.GetReduceTensorDescriptorResult:
        """Read a ``cudnnReduceTensorDescriptor_t``: ``cudnnGetReduceTensorDescriptor``.

        Parameters
        ----------
        reduce_tensor_desc : ReduceTensorDescriptor
            ``const cudnnReduceTensorDescriptor_t reduceTensorDesc``, in.

        Returns
        -------
        results.GetReduceTensorDescriptorResult
            reduce_tensor_op : ReduceTensorOp
            reduce_tensor_comp_type : DataType
            reduce_tensor_nan_opt : NanPropagation
            reduce_tensor_indices : ReduceTensorIndices
            reduce_tensor_indices_type : IndicesType

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            reduce_tensor_op = self._new("cudnnReduceTensorOp_t *")
            reduce_tensor_comp_type = self._new("cudnnDataType_t *")
            reduce_tensor_nan_opt = self._new("cudnnNanPropagation_t *")
            reduce_tensor_indices = self._new("cudnnReduceTensorIndices_t *")
            reduce_tensor_indices_type = self._new("cudnnIndicesType_t *")
            status = self._lib.cudnnGetReduceTensorDescriptor(
                reduce_tensor_desc._ptr,
                reduce_tensor_op,
                reduce_tensor_comp_type,
                reduce_tensor_nan_opt,
                reduce_tensor_indices,
                reduce_tensor_indices_type,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetReduceTensorDescriptor", error, reduce_tensor_desc=reduce_tensor_desc
            ) from None
        if status:
            raise self._status_error("cudnnGetReduceTensorDescriptor", status, reduce_tensor_desc=reduce_tensor_desc)
        return results.GetReduceTensorDescriptorResult(
            reduce_tensor_op=ReduceTensorOp(reduce_tensor_op[0]),
            reduce_tensor_comp_type=DataType(reduce_tensor_comp_type[0]),
            reduce_tensor_nan_opt=NanPropagation(reduce_tensor_nan_opt[0]),
            reduce_tensor_indices=ReduceTensorIndices(reduce_tensor_indices[0]),
            reduce_tensor_indices_type=IndicesType(reduce_tensor_indices_type[0]),
        )

    def destroy_reduce_tensor_descriptor(self, reduce_tensor_desc: ReduceTensorDescriptor) -> None:
        """Destroy a ``cudnnReduceTensorDescriptor_t``: ``cudnnDestroyReduceTensorDescriptor``.

        Parameters
        ----------
        reduce_tensor_desc : ReduceTensorDescriptor
            ``cudnnReduceTensorDescriptor_t reduceTensorDesc``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyReduceTensorDescriptor", reduce_tensor_desc)

    def get_reduction_indices_size(
        self,
        handle: Handle,
        reduce_tensor_desc: ReduceTensorDescriptor,
        a_desc: TensorDescriptor,
        c_desc: TensorDescriptor,
    ) -> int:
        """Ask how many bytes are needed (ReduceTensor): ``cudnnGetReductionIndicesSize``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        reduce_tensor_desc : ReduceTensorDescriptor
            ``const cudnnReduceTensorDescriptor_t reduceTensorDesc``, in.
        a_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t aDesc``, in.
        c_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t cDesc``, in.

        Returns
        -------
        int
            `size_in_bytes`, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            size_in_bytes = self._new("size_t *")
            status = self._lib.cudnnGetReductionIndicesSize(
                handle._ptr, reduce_tensor_desc._ptr, a_desc._ptr, c_desc._ptr, size_in_bytes
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetReductionIndicesSize",
                error,
                handle=handle,
                reduce_tensor_desc=reduce_tensor_desc,
                a_desc=a_desc,
                c_desc=c_desc,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetReductionIndicesSize",
                status,
                handle=handle,
                reduce_tensor_desc=reduce_tensor_desc,
                a_desc=a_desc,
                c_desc=c_desc,
            )
        found: int = size_in_bytes[0]
        return found

    def get_reduction_workspace_size(
        self,
        handle: Handle,
        reduce_tensor_desc: ReduceTensorDescriptor,
        a_desc: TensorDescriptor,
        c_desc: TensorDescriptor,
    ) -> int:
        """Ask how many bytes are needed (ReduceTensor): ``cudnnGetReductionWorkspaceSize``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        reduce_tensor_desc : ReduceTensorDescriptor
            ``const cudnnReduceTensorDescriptor_t reduceTensorDesc``, in.
        a_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t aDesc``, in.
        c_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t cDesc``, in.

        Returns
        -------
        int
            `size_in_bytes`, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            size_in_bytes = self._new("size_t *")
            status = self._lib.cudnnGetReductionWorkspaceSize(
                handle._ptr, reduce_tensor_desc._ptr, a_desc._ptr, c_desc._ptr, size_in_bytes
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetReductionWorkspaceSize",
                error,
                handle=handle,
                reduce_tensor_desc=reduce_tensor_desc,
                a_desc=a_desc,
                c_desc=c_desc,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetReductionWorkspaceSize",
                status,
                handle=handle,
                reduce_tensor_desc=reduce_tensor_desc,
                a_desc=a_desc,
                c_desc=c_desc,
            )
        found: int = size_in_bytes[0]
        return found

    def reduce_tensor(
        self,
        handle: Handle,
        reduce_tensor_desc: ReduceTensorDescriptor,
        indices: DevicePointer | None,
        indices_size_in_bytes: int,
        workspace: DevicePointer | None,
        workspace_size_in_bytes: int,
        alpha: float,
        a_desc: TensorDescriptor,
        a: DevicePointer,
        beta: float,
        c_desc: TensorDescriptor,
        c: DevicePointer,
    ) -> None:
        """Call ``cudnnReduceTensor``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        reduce_tensor_desc : ReduceTensorDescriptor
            ``const cudnnReduceTensorDescriptor_t reduceTensorDesc``, in.
        indices : DevicePointer | None
            ``void *indices``, out, device memory.
        indices_size_in_bytes : int
            ``size_t indicesSizeInBytes``, in, bytes.
        workspace : DevicePointer | None
            ``void *workspace``, inout, device memory.
        workspace_size_in_bytes : int
            ``size_t workspaceSizeInBytes``, in, bytes.
        alpha : float
            ``const void *alpha``, in, in host memory; double where `c_desc` is, else float.
        a_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t aDesc``, in.
        a : DevicePointer
            ``const void *A``, in, device memory.
        beta : float
            ``const void *beta``, in, in host memory; double where `c_desc` is, else float.
        c_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t cDesc``, in.
        c : DevicePointer
            ``void *C``, inout, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnReduceTensor(
                handle._ptr,
                reduce_tensor_desc._ptr,
                optional_device_pointer(indices, "indices"),
                index(indices_size_in_bytes),
                optional_device_pointer(workspace, "workspace"),
                index(workspace_size_in_bytes),
                self._scalar(alpha, c_desc),
                a_desc._ptr,
                device_pointer(a, "a"),
                self._scalar(beta, c_desc),
                c_desc._ptr,
                device_pointer(c, "c"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnReduceTensor",
                error,
                handle=handle,
                reduce_tensor_desc=reduce_tensor_desc,
                indices=indices,
                indices_size_in_bytes=indices_size_in_bytes,
                workspace=workspace,
                workspace_size_in_bytes=workspace_size_in_bytes,
                alpha=alpha,
                a_desc=a_desc,
                a=a,
                beta=beta,
                c_desc=c_desc,
                c=c,
            ) from None
        if status:
            raise self._status_error(
                "cudnnReduceTensor",
                status,
                handle=handle,
                reduce_tensor_desc=reduce_tensor_desc,
                indices=indices,
                indices_size_in_bytes=indices_size_in_bytes,
                workspace=workspace,
                workspace_size_in_bytes=workspace_size_in_bytes,
                alpha=alpha,
                a_desc=a_desc,
                a=a,
                beta=beta,
                c_desc=c_desc,
                c=c,
            )
