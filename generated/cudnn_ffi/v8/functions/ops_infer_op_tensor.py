# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_ops_infer.h`` about op tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer
from ..descriptors import Handle, OpTensorDescriptor, TensorDescriptor
from ..enums import DataType, NanPropagation, OpTensorOp

if TYPE_CHECKING:
    from ..results import ops_infer_op_tensor as results
else:
    results = LazyModule("..results.ops_infer_op_tensor", __package__)

__all__ = ["OpsInferOpTensorFunctions"]


class OpsInferOpTensorFunctions(LibraryBase):
    """Functions of ``cudnn_ops_infer.h`` about op tensor, as methods of the loaded library."""

    def create_op_tensor_descriptor(self) -> OpTensorDescriptor:
        """Create a ``cudnnOpTensorDescriptor_t``: ``cudnnCreateOpTensorDescriptor``.

        Returns
        -------
        OpTensorDescriptor
            `op_tensor_desc`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            op_tensor_desc = self._new("cudnnOpTensorDescriptor_t *")
            status = self._lib.cudnnCreateOpTensorDescriptor(op_tensor_desc)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateOpTensorDescriptor", error) from None
        if status:
            raise self._status_error("cudnnCreateOpTensorDescriptor", status)
        return OpTensorDescriptor(self, op_tensor_desc[0])

    def set_op_tensor_descriptor(
        self,
        op_tensor_desc: OpTensorDescriptor,
        op_tensor_op: OpTensorOp | int,
        op_tensor_comp_type: DataType | int,
        op_tensor_nan_opt: NanPropagation | int,
    ) -> None:
        """Set up a ``cudnnOpTensorDescriptor_t``: ``cudnnSetOpTensorDescriptor``.

        Parameters
        ----------
        op_tensor_desc : OpTensorDescriptor
            ``cudnnOpTensorDescriptor_t opTensorDesc``, inout.
        op_tensor_op : OpTensorOp | int
            ``cudnnOpTensorOp_t opTensorOp``, in.
        op_tensor_comp_type : DataType | int
            ``cudnnDataType_t opTensorCompType``, in.
        op_tensor_nan_opt : NanPropagation | int
            ``cudnnNanPropagation_t opTensorNanOpt``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetOpTensorDescriptor(
                op_tensor_desc._ptr,
                enum_value(op_tensor_op, OpTensorOp),
                enum_value(op_tensor_comp_type, DataType),
                enum_value(op_tensor_nan_opt, NanPropagation),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetOpTensorDescriptor",
                error,
                op_tensor_desc=op_tensor_desc,
                op_tensor_op=op_tensor_op,
                op_tensor_comp_type=op_tensor_comp_type,
                op_tensor_nan_opt=op_tensor_nan_opt,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetOpTensorDescriptor",
                status,
                op_tensor_desc=op_tensor_desc,
                op_tensor_op=op_tensor_op,
                op_tensor_comp_type=op_tensor_comp_type,
                op_tensor_nan_opt=op_tensor_nan_opt,
            )
        op_tensor_desc._data_type = op_tensor_comp_type

    def get_op_tensor_descriptor(self, op_tensor_desc: OpTensorDescriptor) -> results.GetOpTensorDescriptorResult:
        """Read a ``cudnnOpTensorDescriptor_t``: ``cudnnGetOpTensorDescriptor``.

        Parameters
        ----------
        op_tensor_desc : OpTensorDescriptor
            ``const cudnnOpTensorDescriptor_t opTensorDesc``, in.

        Returns
        -------
        results.GetOpTensorDescriptorResult
            op_tensor_op : OpTensorOp
            op_tensor_comp_type : DataType
            op_tensor_nan_opt : NanPropagation

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            op_tensor_op = self._new("cudnnOpTensorOp_t *")
            op_tensor_comp_type = self._new("cudnnDataType_t *")
            op_tensor_nan_opt = self._new("cudnnNanPropagation_t *")
            status = self._lib.cudnnGetOpTensorDescriptor(
                op_tensor_desc._ptr, op_tensor_op, op_tensor_comp_type, op_tensor_nan_opt
            )
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetOpTensorDescriptor", error, op_tensor_desc=op_tensor_desc) from None
        if status:
            raise self._status_error("cudnnGetOpTensorDescriptor", status, op_tensor_desc=op_tensor_desc)
        return results.GetOpTensorDescriptorResult(
            op_tensor_op=OpTensorOp(op_tensor_op[0]),
            op_tensor_comp_type=DataType(op_tensor_comp_type[0]),
            op_tensor_nan_opt=NanPropagation(op_tensor_nan_opt[0]),
        )

    def destroy_op_tensor_descriptor(self, op_tensor_desc: OpTensorDescriptor) -> None:
        """Destroy a ``cudnnOpTensorDescriptor_t``: ``cudnnDestroyOpTensorDescriptor``.

        Parameters
        ----------
        op_tensor_desc : OpTensorDescriptor
            ``cudnnOpTensorDescriptor_t opTensorDesc``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyOpTensorDescriptor", op_tensor_desc)

    def op_tensor(
        self,
        handle: Handle,
        op_tensor_desc: OpTensorDescriptor,
        alpha1: float,
        a_desc: TensorDescriptor,
        a: DevicePointer,
        alpha2: float,
        b_desc: TensorDescriptor,
        b: DevicePointer,
        beta: float,
        c_desc: TensorDescriptor,
        c: DevicePointer,
    ) -> None:
        """Call ``cudnnOpTensor``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        op_tensor_desc : OpTensorDescriptor
            ``const cudnnOpTensorDescriptor_t opTensorDesc``, in.
        alpha1 : float
            ``const void *alpha1``, in, in host memory; double where `c_desc` is, else float.
        a_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t aDesc``, in.
        a : DevicePointer
            ``const void *A``, in, device memory.
        alpha2 : float
            ``const void *alpha2``, in, in host memory; double where `c_desc` is, else float.
        b_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t bDesc``, in.
        b : DevicePointer
            ``const void *B``, in, device memory.
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
            status = self._lib.cudnnOpTensor(
                handle._ptr,
                op_tensor_desc._ptr,
                self._scalar(alpha1, c_desc),
                a_desc._ptr,
                device_pointer(a, "a"),
                self._scalar(alpha2, c_desc),
                b_desc._ptr,
                device_pointer(b, "b"),
                self._scalar(beta, c_desc),
                c_desc._ptr,
                device_pointer(c, "c"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnOpTensor",
                error,
                handle=handle,
                op_tensor_desc=op_tensor_desc,
                alpha1=alpha1,
                a_desc=a_desc,
                a=a,
                alpha2=alpha2,
                b_desc=b_desc,
                b=b,
                beta=beta,
                c_desc=c_desc,
                c=c,
            ) from None
        if status:
            raise self._status_error(
                "cudnnOpTensor",
                status,
                handle=handle,
                op_tensor_desc=op_tensor_desc,
                alpha1=alpha1,
                a_desc=a_desc,
                a=a,
                alpha2=alpha2,
                b_desc=b_desc,
                b=b,
                beta=beta,
                c_desc=c_desc,
                c=c,
            )
