# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""Wrappers of the functions of ``cudnn_cnn.h`` about convolution."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING

from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer
from ..._support.values import in_array, out_list, same_length
from ..constants import DIM_MAX
from ..descriptors import ConvolutionDescriptor, Handle, TensorDescriptor
from ..enums import ConvolutionMode, DataType, MathType, ReorderType

if TYPE_CHECKING:
    from ..results import cnn_convolution as results
else:
    results = LazyModule("..results.cnn_convolution", __package__)

__all__ = ["CnnConvolutionFunctions"]


class CnnConvolutionFunctions(LibraryBase):
    """Functions of ``cudnn_cnn.h`` about convolution, as methods of the loaded library."""

    def create_convolution_descriptor(self) -> ConvolutionDescriptor:
        """Create a ``cudnnConvolutionDescriptor_t``: ``cudnnCreateConvolutionDescriptor``.

        Deprecated.

        Returns
        -------
        ConvolutionDescriptor
            `conv_desc`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            conv_desc = self._new("cudnnConvolutionDescriptor_t *")
            status = self._lib.cudnnCreateConvolutionDescriptor(conv_desc)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateConvolutionDescriptor", error) from None
        if status:
            raise self._status_error("cudnnCreateConvolutionDescriptor", status)
        return ConvolutionDescriptor(self, conv_desc[0])

    def destroy_convolution_descriptor(self, conv_desc: ConvolutionDescriptor) -> None:
        """Destroy a ``cudnnConvolutionDescriptor_t``: ``cudnnDestroyConvolutionDescriptor``.

        Deprecated.

        Parameters
        ----------
        conv_desc : ConvolutionDescriptor
            ``cudnnConvolutionDescriptor_t convDesc``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyConvolutionDescriptor", conv_desc)

    def set_convolution_math_type(self, conv_desc: ConvolutionDescriptor, math_type: MathType | int) -> None:
        """Set up a ``cudnnConvolutionDescriptor_t``: ``cudnnSetConvolutionMathType``.

        Deprecated.

        Parameters
        ----------
        conv_desc : ConvolutionDescriptor
            ``cudnnConvolutionDescriptor_t convDesc``, inout.
        math_type : MathType | int
            ``cudnnMathType_t mathType``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetConvolutionMathType(conv_desc._ptr, enum_value(math_type, MathType))
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetConvolutionMathType", error, conv_desc=conv_desc, math_type=math_type
            ) from None
        if status:
            raise self._status_error("cudnnSetConvolutionMathType", status, conv_desc=conv_desc, math_type=math_type)

    def get_convolution_math_type(self, conv_desc: ConvolutionDescriptor) -> MathType:
        """Read a ``cudnnConvolutionDescriptor_t``: ``cudnnGetConvolutionMathType``.

        Deprecated.

        Parameters
        ----------
        conv_desc : ConvolutionDescriptor
            ``cudnnConvolutionDescriptor_t convDesc``, in.

        Returns
        -------
        MathType
            `math_type`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            math_type = self._new("cudnnMathType_t *")
            status = self._lib.cudnnGetConvolutionMathType(conv_desc._ptr, math_type)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetConvolutionMathType", error, conv_desc=conv_desc) from None
        if status:
            raise self._status_error("cudnnGetConvolutionMathType", status, conv_desc=conv_desc)
        return MathType(math_type[0])

    def set_convolution_group_count(self, conv_desc: ConvolutionDescriptor, group_count: int) -> None:
        """Set up a ``cudnnConvolutionDescriptor_t``: ``cudnnSetConvolutionGroupCount``.

        Deprecated.

        Parameters
        ----------
        conv_desc : ConvolutionDescriptor
            ``cudnnConvolutionDescriptor_t convDesc``, inout.
        group_count : int
            ``int groupCount``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetConvolutionGroupCount(conv_desc._ptr, index(group_count))
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetConvolutionGroupCount", error, conv_desc=conv_desc, group_count=group_count
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetConvolutionGroupCount", status, conv_desc=conv_desc, group_count=group_count
            )

    def get_convolution_group_count(self, conv_desc: ConvolutionDescriptor) -> int:
        """Read a ``cudnnConvolutionDescriptor_t``: ``cudnnGetConvolutionGroupCount``.

        Deprecated.

        Parameters
        ----------
        conv_desc : ConvolutionDescriptor
            ``cudnnConvolutionDescriptor_t convDesc``, in.

        Returns
        -------
        int
            `group_count`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            group_count = self._new("int *")
            status = self._lib.cudnnGetConvolutionGroupCount(conv_desc._ptr, group_count)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetConvolutionGroupCount", error, conv_desc=conv_desc) from None
        if status:
            raise self._status_error("cudnnGetConvolutionGroupCount", status, conv_desc=conv_desc)
        found: int = group_count[0]
        return found

    def set_convolution_reorder_type(self, conv_desc: ConvolutionDescriptor, reorder_type: ReorderType | int) -> None:
        """Set up a ``cudnnConvolutionDescriptor_t``: ``cudnnSetConvolutionReorderType``.

        Deprecated.

        Parameters
        ----------
        conv_desc : ConvolutionDescriptor
            ``cudnnConvolutionDescriptor_t convDesc``, inout.
        reorder_type : ReorderType | int
            ``cudnnReorderType_t reorderType``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetConvolutionReorderType(conv_desc._ptr, enum_value(reorder_type, ReorderType))
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetConvolutionReorderType", error, conv_desc=conv_desc, reorder_type=reorder_type
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetConvolutionReorderType", status, conv_desc=conv_desc, reorder_type=reorder_type
            )

    def get_convolution_reorder_type(self, conv_desc: ConvolutionDescriptor) -> ReorderType:
        """Read a ``cudnnConvolutionDescriptor_t``: ``cudnnGetConvolutionReorderType``.

        Deprecated.

        Parameters
        ----------
        conv_desc : ConvolutionDescriptor
            ``cudnnConvolutionDescriptor_t convDesc``, in.

        Returns
        -------
        ReorderType
            `reorder_type`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            reorder_type = self._new("cudnnReorderType_t *")
            status = self._lib.cudnnGetConvolutionReorderType(conv_desc._ptr, reorder_type)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetConvolutionReorderType", error, conv_desc=conv_desc) from None
        if status:
            raise self._status_error("cudnnGetConvolutionReorderType", status, conv_desc=conv_desc)
        return ReorderType(reorder_type[0])

    def set_convolution2d_descriptor(
        self,
        conv_desc: ConvolutionDescriptor,
        pad_h: int,
        pad_w: int,
        u: int,
        v: int,
        dilation_h: int,
        dilation_w: int,
        mode: ConvolutionMode | int,
        compute_type: DataType | int,
    ) -> None:
        """Set up a ``cudnnConvolutionDescriptor_t``: ``cudnnSetConvolution2dDescriptor``.

        Deprecated.

        Parameters
        ----------
        conv_desc : ConvolutionDescriptor
            ``cudnnConvolutionDescriptor_t convDesc``, inout.
        pad_h : int
            ``int pad_h``, in.
        pad_w : int
            ``int pad_w``, in.
        u : int
            ``int u``, in.
        v : int
            ``int v``, in.
        dilation_h : int
            ``int dilation_h``, in.
        dilation_w : int
            ``int dilation_w``, in.
        mode : ConvolutionMode | int
            ``cudnnConvolutionMode_t mode``, in.
        compute_type : DataType | int
            ``cudnnDataType_t computeType``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetConvolution2dDescriptor(
                conv_desc._ptr,
                index(pad_h),
                index(pad_w),
                index(u),
                index(v),
                index(dilation_h),
                index(dilation_w),
                enum_value(mode, ConvolutionMode),
                enum_value(compute_type, DataType),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetConvolution2dDescriptor",
                error,
                conv_desc=conv_desc,
                pad_h=pad_h,
                pad_w=pad_w,
                u=u,
                v=v,
                dilation_h=dilation_h,
                dilation_w=dilation_w,
                mode=mode,
                compute_type=compute_type,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetConvolution2dDescriptor",
                status,
                conv_desc=conv_desc,
                pad_h=pad_h,
                pad_w=pad_w,
                u=u,
                v=v,
                dilation_h=dilation_h,
                dilation_w=dilation_w,
                mode=mode,
                compute_type=compute_type,
            )
        conv_desc._data_type = compute_type

    def get_convolution2d_descriptor(
        self, conv_desc: ConvolutionDescriptor
    ) -> results.GetConvolution2dDescriptorResult:
        """Read a ``cudnnConvolutionDescriptor_t``: ``cudnnGetConvolution2dDescriptor``.

        Deprecated.

        Parameters
        ----------
        conv_desc : ConvolutionDescriptor
            ``const cudnnConvolutionDescriptor_t convDesc``, in.

        Returns
        -------
        results.GetConvolution2dDescriptorResult
            pad_h : int
            pad_w : int
            u : int
            v : int
            dilation_h : int
            dilation_w : int
            mode : ConvolutionMode
            compute_type : DataType

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            pad_h = self._new("int *")
            pad_w = self._new("int *")
            u = self._new("int *")
            v = self._new("int *")
            dilation_h = self._new("int *")
            dilation_w = self._new("int *")
            mode = self._new("cudnnConvolutionMode_t *")
            compute_type = self._new("cudnnDataType_t *")
            status = self._lib.cudnnGetConvolution2dDescriptor(
                conv_desc._ptr, pad_h, pad_w, u, v, dilation_h, dilation_w, mode, compute_type
            )
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetConvolution2dDescriptor", error, conv_desc=conv_desc) from None
        if status:
            raise self._status_error("cudnnGetConvolution2dDescriptor", status, conv_desc=conv_desc)
        return results.GetConvolution2dDescriptorResult(
            pad_h=pad_h[0],
            pad_w=pad_w[0],
            u=u[0],
            v=v[0],
            dilation_h=dilation_h[0],
            dilation_w=dilation_w[0],
            mode=ConvolutionMode(mode[0]),
            compute_type=DataType(compute_type[0]),
        )

    def set_convolution_nd_descriptor(
        self,
        conv_desc: ConvolutionDescriptor,
        pad_a: Sequence[int],
        filter_stride_a: Sequence[int],
        dilation_a: Sequence[int],
        mode: ConvolutionMode | int,
        compute_type: DataType | int,
    ) -> None:
        """Set up a ``cudnnConvolutionDescriptor_t``: ``cudnnSetConvolutionNdDescriptor``.

        Deprecated.

        Parameters
        ----------
        conv_desc : ConvolutionDescriptor
            ``cudnnConvolutionDescriptor_t convDesc``, inout.
        pad_a : Sequence[int]
            ``const int padA[]``, in, passed with its length as ``arrayLength``.
        filter_stride_a : Sequence[int]
            ``const int filterStrideA[]``, in, passed with its length as ``arrayLength``.
        dilation_a : Sequence[int]
            ``const int dilationA[]``, in, passed with its length as ``arrayLength``.
        mode : ConvolutionMode | int
            ``cudnnConvolutionMode_t mode``, in.
        compute_type : DataType | int
            ``cudnnDataType_t computeType``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            array_length = same_length(pad_a=pad_a, filter_stride_a=filter_stride_a, dilation_a=dilation_a)
            status = self._lib.cudnnSetConvolutionNdDescriptor(
                conv_desc._ptr,
                array_length,
                in_array(self._ffi, "int[]", pad_a, "pad_a"),
                in_array(self._ffi, "int[]", filter_stride_a, "filter_stride_a"),
                in_array(self._ffi, "int[]", dilation_a, "dilation_a"),
                enum_value(mode, ConvolutionMode),
                enum_value(compute_type, DataType),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetConvolutionNdDescriptor",
                error,
                conv_desc=conv_desc,
                pad_a=pad_a,
                filter_stride_a=filter_stride_a,
                dilation_a=dilation_a,
                mode=mode,
                compute_type=compute_type,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetConvolutionNdDescriptor",
                status,
                conv_desc=conv_desc,
                pad_a=pad_a,
                filter_stride_a=filter_stride_a,
                dilation_a=dilation_a,
                mode=mode,
                compute_type=compute_type,
            )
        conv_desc._data_type = compute_type

    def get_convolution_nd_descriptor(
        self, conv_desc: ConvolutionDescriptor, *, array_length_requested: int | None = None
    ) -> results.GetConvolutionNdDescriptorResult:
        """Read a ``cudnnConvolutionDescriptor_t``: ``cudnnGetConvolutionNdDescriptor``.

        Deprecated.

        Parameters
        ----------
        conv_desc : ConvolutionDescriptor
            ``const cudnnConvolutionDescriptor_t convDesc``, in.
        array_length_requested : int | None, default None
            ``int arrayLengthRequested``, in, all that there are when None.

        Returns
        -------
        results.GetConvolutionNdDescriptorResult
            pad_a : list[int]
            stride_a : list[int]
            dilation_a : list[int]
            mode : ConvolutionMode
            compute_type : DataType

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            array_length_asked = DIM_MAX - 2 if array_length_requested is None else array_length_requested
            array_length = self._new("int *")
            pad_a = self._new("int[]", array_length_asked)
            stride_a = self._new("int[]", array_length_asked)
            dilation_a = self._new("int[]", array_length_asked)
            mode = self._new("cudnnConvolutionMode_t *")
            compute_type = self._new("cudnnDataType_t *")
            status = self._lib.cudnnGetConvolutionNdDescriptor(
                conv_desc._ptr, array_length_asked, array_length, pad_a, stride_a, dilation_a, mode, compute_type
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetConvolutionNdDescriptor",
                error,
                conv_desc=conv_desc,
                array_length_requested=array_length_requested,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetConvolutionNdDescriptor",
                status,
                conv_desc=conv_desc,
                array_length_requested=array_length_requested,
            )
        if array_length_requested is None and array_length[0] > array_length_asked:
            return self.get_convolution_nd_descriptor(conv_desc, array_length_requested=array_length[0])
        return results.GetConvolutionNdDescriptorResult(
            pad_a=out_list(self._ffi, pad_a, array_length[0], array_length_asked),
            stride_a=out_list(self._ffi, stride_a, array_length[0], array_length_asked),
            dilation_a=out_list(self._ffi, dilation_a, array_length[0], array_length_asked),
            mode=ConvolutionMode(mode[0]),
            compute_type=DataType(compute_type[0]),
        )

    def convolution_backward_bias(
        self,
        handle: Handle,
        alpha: float,
        dy_desc: TensorDescriptor,
        dy: DevicePointer,
        beta: float,
        db_desc: TensorDescriptor,
        db: DevicePointer,
    ) -> None:
        """Compute gradients (Convolution, backward bias): ``cudnnConvolutionBackwardBias``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        alpha : float
            ``const void *alpha``, in, in host memory; double where `db_desc` is, else float.
        dy_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dyDesc``, in.
        dy : DevicePointer
            ``const void *dy``, in, device memory.
        beta : float
            ``const void *beta``, in, in host memory; double where `db_desc` is, else float.
        db_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dbDesc``, in.
        db : DevicePointer
            ``void *db``, inout, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnConvolutionBackwardBias(
                handle._ptr,
                self._scalar(alpha, db_desc),
                dy_desc._ptr,
                device_pointer(dy, "dy"),
                self._scalar(beta, db_desc),
                db_desc._ptr,
                device_pointer(db, "db"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnConvolutionBackwardBias",
                error,
                handle=handle,
                alpha=alpha,
                dy_desc=dy_desc,
                dy=dy,
                beta=beta,
                db_desc=db_desc,
                db=db,
            ) from None
        if status:
            raise self._status_error(
                "cudnnConvolutionBackwardBias",
                status,
                handle=handle,
                alpha=alpha,
                dy_desc=dy_desc,
                dy=dy,
                beta=beta,
                db_desc=db_desc,
                db=db,
            )
