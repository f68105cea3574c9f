# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_ops_infer.h`` about pooling."""

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
from ..descriptors import Handle, PoolingDescriptor, TensorDescriptor
from ..enums import NanPropagation, PoolingMode

if TYPE_CHECKING:
    from ..results import ops_infer_pooling as results
else:
    results = LazyModule("..results.ops_infer_pooling", __package__)

__all__ = ["OpsInferPoolingFunctions"]


class OpsInferPoolingFunctions(LibraryBase):
    """Functions of ``cudnn_ops_infer.h`` about pooling, as methods of the loaded library."""

    def create_pooling_descriptor(self) -> PoolingDescriptor:
        """Create a ``cudnnPoolingDescriptor_t``: ``cudnnCreatePoolingDescriptor``.

        Returns
        -------
        PoolingDescriptor
            `pooling_desc`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            pooling_desc = self._new("cudnnPoolingDescriptor_t *")
            status = self._lib.cudnnCreatePoolingDescriptor(pooling_desc)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreatePoolingDescriptor", error) from None
        if status:
            raise self._status_error("cudnnCreatePoolingDescriptor", status)
        return PoolingDescriptor(self, pooling_desc[0])

    def set_pooling2d_descriptor(
        self,
        pooling_desc: PoolingDescriptor,
        mode: PoolingMode | int,
        maxpooling_nan_opt: NanPropagation | int,
        window_height: int,
        window_width: int,
        vertical_padding: int,
        horizontal_padding: int,
        vertical_stride: int,
        horizontal_stride: int,
    ) -> None:
        """Set up a ``cudnnPoolingDescriptor_t``: ``cudnnSetPooling2dDescriptor``.

        Parameters
        ----------
        pooling_desc : PoolingDescriptor
            ``cudnnPoolingDescriptor_t poolingDesc``, inout.
        mode : PoolingMode | int
            ``cudnnPoolingMode_t mode``, in.
        maxpooling_nan_opt : NanPropagation | int
            ``cudnnNanPropagation_t maxpoolingNanOpt``, in.
        window_height : int
            ``int windowHeight``, in.
        window_width : int
            ``int windowWidth``, in.
        vertical_padding : int
            ``int verticalPadding``, in.
        horizontal_padding : int
            ``int horizontalPadding``, in.
        vertical_stride : int
            ``int verticalStride``, in.
        horizontal_stride : int
            ``int horizontalStride``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetPooling2dDescriptor(
                pooling_desc._ptr,
                enum_value(mode, PoolingMode),
                enum_value(maxpooling_nan_opt, NanPropagation),
                index(window_height),
                index(window_width),
                index(vertical_padding),
                index(horizontal_padding),
                index(vertical_stride),
                index(horizontal_stride),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetPooling2dDescriptor",
                error,
                pooling_desc=pooling_desc,
                mode=mode,
                maxpooling_nan_opt=maxpooling_nan_opt,
                window_height=window_height,
                window_width=window_width,
                vertical_padding=vertical_padding,
                horizontal_padding=horizontal_padding,
                vertical_stride=vertical_stride,
                horizontal_stride=horizontal_stride,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetPooling2dDescriptor",
                status,
                pooling_desc=pooling_desc,
                mode=mode,
                maxpooling_nan_opt=maxpooling_nan_opt,
                window_height=window_height,
                window_width=window_width,
                vertical_padding=vertical_padding,
                horizontal_padding=horizontal_padding,
                vertical_stride=vertical_stride,
                horizontal_stride=horizontal_stride,
            )

    def get_pooling2d_descriptor(self, pooling_desc: PoolingDescriptor) -> results.GetPooling2dDescriptorResult:
        """Read a ``cudnnPoolingDescriptor_t``: ``cudnnGetPooling2dDescriptor``.

        Parameters
        ----------
        pooling_desc : PoolingDescriptor
            ``const cudnnPoolingDescriptor_t poolingDesc``, in.

        Returns
        -------
        results.GetPooling2dDescriptorResult
            mode : PoolingMode
            maxpooling_nan_opt : NanPropagation
            window_height : int
            window_width : int
            vertical_padding : int
            horizontal_padding : int
            vertical_stride : int
            horizontal_stride : int

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            mode = self._new("cudnnPoolingMode_t *")
            maxpooling_nan_opt = self._new("cudnnNanPropagation_t *")
            window_height = self._new("int *")
            window_width = self._new("int *")
            vertical_padding = self._new("int *")
            horizontal_padding = self._new("int *")
            vertical_stride = self._new("int *")
            horizontal_stride = self._new("int *")
            status = self._lib.cudnnGetPooling2dDescriptor(
                pooling_desc._ptr,
                mode,
                maxpooling_nan_opt,
                window_height,
                window_width,
                vertical_padding,
                horizontal_padding,
                vertical_stride,
                horizontal_stride,
            )
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetPooling2dDescriptor", error, pooling_desc=pooling_desc) from None
        if status:
            raise self._status_error("cudnnGetPooling2dDescriptor", status, pooling_desc=pooling_desc)
        return results.GetPooling2dDescriptorResult(
            mode=PoolingMode(mode[0]),
            maxpooling_nan_opt=NanPropagation(maxpooling_nan_opt[0]),
            window_height=window_height[0],
            window_width=window_width[0],
            vertical_padding=vertical_padding[0],
            horizontal_padding=horizontal_padding[0],
            vertical_stride=vertical_stride[0],
            horizontal_stride=horizontal_stride[0],
        )

    def set_pooling_nd_descriptor(
        self,
        pooling_desc: PoolingDescriptor,
        mode: PoolingMode | int,
        maxpooling_nan_opt: NanPropagation | int,
        window_dim_a: Sequence[int],
        padding_a: Sequence[int],
        stride_a: Sequence[int],
    ) -> None:
        """Set up a ``cudnnPoolingDescriptor_t``: ``cudnnSetPoolingNdDescriptor``.

        Parameters
        ----------
        pooling_desc : PoolingDescriptor
            ``cudnnPoolingDescriptor_t poolingDesc``, inout.
        mode : PoolingMode | int
            ``const cudnnPoolingMode_t mode``, in.
        maxpooling_nan_opt : NanPropagation | int
            ``const cudnnNanPropagation_t maxpoolingNanOpt``, in.
        window_dim_a : Sequence[int]
            ``const int windowDimA[]``, in, passed with its length as ``nbDims``.
        padding_a : Sequence[int]
            ``const int paddingA[]``, in, passed with its length as ``nbDims``.
        stride_a : Sequence[int]
            ``const int strideA[]``, in, passed with its length as ``nbDims``.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            nb_dims = same_length(window_dim_a=window_dim_a, padding_a=padding_a, stride_a=stride_a)
            status = self._lib.cudnnSetPoolingNdDescriptor(
                pooling_desc._ptr,
                enum_value(mode, PoolingMode),
                enum_value(maxpooling_nan_opt, NanPropagation),
                nb_dims,
                in_array(self._ffi, "int[]", window_dim_a, "window_dim_a"),
                in_array(self._ffi, "int[]", padding_a, "padding_a"),
                in_array(self._ffi, "int[]", stride_a, "stride_a"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetPoolingNdDescriptor",
                error,
                pooling_desc=pooling_desc,
                mode=mode,
                maxpooling_nan_opt=maxpooling_nan_opt,
                window_dim_a=window_dim_a,
                padding_a=padding_a,
                stride_a=stride_a,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetPoolingNdDescriptor",
                status,
                pooling_desc=pooling_desc,
                mode=mode,
                maxpooling_nan_opt=maxpooling_nan_opt,
                window_dim_a=window_dim_a,
                padding_a=padding_a,
                stride_a=stride_a,
            )

    def get_pooling_nd_descriptor(
        self, pooling_desc: PoolingDescriptor, *, nb_dims_requested: int | None = None
    ) -> results.GetPoolingNdDescriptorResult:
        """Read a ``cudnnPoolingDescriptor_t``: ``cudnnGetPoolingNdDescriptor``.

        Parameters
        ----------
        pooling_desc : PoolingDescriptor
            ``const cudnnPoolingDescriptor_t poolingDesc``, in.
        nb_dims_requested : int | None, default None
            ``int nbDimsRequested``, in, all that there are when None.

        Returns
        -------
        results.GetPoolingNdDescriptorResult
            mode : PoolingMode
            maxpooling_nan_opt : NanPropagation
            window_dim_a : list[int]
            padding_a : list[int]
            stride_a : list[int]

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            nb_dims_asked = DIM_MAX - 2 if nb_dims_requested is None else nb_dims_requested
            mode = self._new("cudnnPoolingMode_t *")
            maxpooling_nan_opt = self._new("cudnnNanPropagation_t *")
            nb_dims = self._new("int *")
            window_dim_a = self._new("int[]", nb_dims_asked)
            padding_a = self._new("int[]", nb_dims_asked)
            stride_a = self._new("int[]", nb_dims_asked)
            status = self._lib.cudnnGetPoolingNdDescriptor(
                pooling_desc._ptr, nb_dims_asked, mode, maxpooling_nan_opt, nb_dims, window_dim_a, padding_a, stride_a
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetPoolingNdDescriptor", error, pooling_desc=pooling_desc, nb_dims_requested=nb_dims_requested
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetPoolingNdDescriptor", status, pooling_desc=pooling_desc, nb_dims_requested=nb_dims_requested
            )
        if nb_dims_requested is None and nb_dims[0] > nb_dims_asked:
            return self.get_pooling_nd_descriptor(pooling_desc, nb_dims_requested=nb_dims[0])
        return results.GetPoolingNdDescriptorResult(
            mode=PoolingMode(mode[0]),
            maxpooling_nan_opt=NanPropagation(maxpooling_nan_opt[0]),
            window_dim_a=out_list(self._ffi, window_dim_a, nb_dims[0], nb_dims_asked),
            padding_a=out_list(self._ffi, padding_a, nb_dims[0], nb_dims_asked),
            stride_a=out_list(self._ffi, stride_a, nb_dims[0], nb_dims_asked),
        )

    def get_pooling_nd_forward_output_dim(
        self, pooling_desc: PoolingDescriptor, input_tensor_desc: TensorDescriptor, nb_dims: int
    ) -> list[int]:
        """Call ``cudnnGetPoolingNdForwardOutputDim``.

        Parameters
        ----------
        pooling_desc : PoolingDescriptor
            ``const cudnnPoolingDescriptor_t poolingDesc``, in.
        input_tensor_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t inputTensorDesc``, in.
        nb_dims : int
            ``int nbDims``, in.

        Returns
        -------
        list[int]
            `output_tensor_dim_a`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            output_tensor_dim_a = self._new("int[]", nb_dims)
            status = self._lib.cudnnGetPoolingNdForwardOutputDim(
                pooling_desc._ptr, input_tensor_desc._ptr, index(nb_dims), output_tensor_dim_a
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetPoolingNdForwardOutputDim",
                error,
                pooling_desc=pooling_desc,
                input_tensor_desc=input_tensor_desc,
                nb_dims=nb_dims,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetPoolingNdForwardOutputDim",
                status,
                pooling_desc=pooling_desc,
                input_tensor_desc=input_tensor_desc,
                nb_dims=nb_dims,
            )
        found: list[int] = self._ffi.unpack(output_tensor_dim_a, nb_dims)
        return found

    def get_pooling2d_forward_output_dim(
        self, pooling_desc: PoolingDescriptor, input_tensor_desc: TensorDescriptor
    ) -> results.GetPooling2dForwardOutputDimResult:
        """Call ``cudnnGetPooling2dForwardOutputDim``.

        Parameters
        ----------
        pooling_desc : PoolingDescriptor
            ``const cudnnPoolingDescriptor_t poolingDesc``, in.
        input_tensor_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t inputTensorDesc``, in.

        Returns
        -------
        results.GetPooling2dForwardOutputDimResult
            n : int
            c : int
            h : int
            w : int

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            n = self._new("int *")
            c = self._new("int *")
            h = self._new("int *")
            w = self._new("int *")
            status = self._lib.cudnnGetPooling2dForwardOutputDim(pooling_desc._ptr, input_tensor_desc._ptr, n, c, h, w)
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetPooling2dForwardOutputDim",
                error,
                pooling_desc=pooling_desc,
                input_tensor_desc=input_tensor_desc,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetPooling2dForwardOutputDim",
                status,
                pooling_desc=pooling_desc,
                input_tensor_desc=input_tensor_desc,
            )
        return results.GetPooling2dForwardOutputDimResult(
            n=n[0],
            c=c[0],
            h=h[0],
            w=w[0],
        )

    def destroy_pooling_descriptor(self, pooling_desc: PoolingDescriptor) -> None:
        """Destroy a ``cudnnPoolingDescriptor_t``: ``cudnnDestroyPoolingDescriptor``.

        Parameters
        ----------
        pooling_desc : PoolingDescriptor
            ``cudnnPoolingDescriptor_t poolingDesc``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyPoolingDescriptor", pooling_desc)

    def pooling_forward(
        self,
        handle: Handle,
        pooling_desc: PoolingDescriptor,
        alpha: float,
        x_desc: TensorDescriptor,
        x: DevicePointer,
        beta: float,
        y_desc: TensorDescriptor,
        y: DevicePointer,
    ) -> None:
        """Compute (Pooling, forward): ``cudnnPoolingForward``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        pooling_desc : PoolingDescriptor
            ``const cudnnPoolingDescriptor_t poolingDesc``, in.
        alpha : float
            ``const void *alpha``, in, in host memory; double where `y_desc` is, else float.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        x : DevicePointer
            ``const void *x``, in, device memory.
        beta : float
            ``const void *beta``, in, in host memory; double where `y_desc` is, else float.
        y_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t yDesc``, in.
        y : DevicePointer
            ``void *y``, inout, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnPoolingForward(
                handle._ptr,
                pooling_desc._ptr,
                self._scalar(alpha, y_desc),
                x_desc._ptr,
                device_pointer(x, "x"),
                self._scalar(beta, y_desc),
                y_desc._ptr,
                device_pointer(y, "y"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnPoolingForward",
                error,
                handle=handle,
                pooling_desc=pooling_desc,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                beta=beta,
                y_desc=y_desc,
                y=y,
            ) from None
        if status:
            raise self._status_error(
                "cudnnPoolingForward",
                status,
                handle=handle,
                pooling_desc=pooling_desc,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                beta=beta,
                y_desc=y_desc,
                y=y,
            )
