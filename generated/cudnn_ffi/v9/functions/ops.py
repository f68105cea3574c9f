# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""Wrappers of the functions of ``cudnn_ops.h``."""

from __future__ import annotations

from collections.abc import Sequence

from ..._support.enums import enum_value
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer, optional_device_pointer
from ..._support.values import in_array, same_length
from ..descriptors import (
    FilterDescriptor,
    Handle,
    LRNDescriptor,
    SpatialTransformerDescriptor,
    TensorDescriptor,
    TensorTransformDescriptor,
)
from ..enums import DataType, DivNormMode, LRNMode, SamplerType, SoftmaxAlgorithm, SoftmaxMode

__all__ = ["OpsFunctions"]


class OpsFunctions(LibraryBase):
    """Functions of ``cudnn_ops.h``, as methods of the loaded library."""

    def transform_tensor(
        self,
        handle: Handle,
        alpha: float,
        x_desc: TensorDescriptor,
        x: DevicePointer,
        beta: float,
        y_desc: TensorDescriptor,
        y: DevicePointer,
    ) -> None:
        """Call ``cudnnTransformTensor``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
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
            status = self._lib.cudnnTransformTensor(
                handle._ptr,
                self._scalar(alpha, y_desc),
                x_desc._ptr,
                device_pointer(x, "x"),
                self._scalar(beta, y_desc),
                y_desc._ptr,
                device_pointer(y, "y"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnTransformTensor",
                error,
                handle=handle,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                beta=beta,
                y_desc=y_desc,
                y=y,
            ) from None
        if status:
            raise self._status_error(
                "cudnnTransformTensor",
                status,
                handle=handle,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                beta=beta,
                y_desc=y_desc,
                y=y,
            )

    def transform_tensor_ex(
        self,
        handle: Handle,
        trans_desc: TensorTransformDescriptor,
        alpha: float,
        src_desc: TensorDescriptor,
        src_data: DevicePointer,
        beta: float,
        dest_desc: TensorDescriptor,
        dest_data: DevicePointer,
    ) -> None:
        """Call ``cudnnTransformTensorEx``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        trans_desc : TensorTransformDescriptor
            ``const cudnnTensorTransformDescriptor_t transDesc``, in.
        alpha : float
            ``const void *alpha``, in, in host memory; double where `dest_desc` is, else float.
        src_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t srcDesc``, in.
        src_data : DevicePointer
            ``const void *srcData``, in, device memory.
        beta : float
            ``const void *beta``, in, in host memory; double where `dest_desc` is, else float.
        dest_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t destDesc``, in.
        dest_data : DevicePointer
            ``void *destData``, inout, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnTransformTensorEx(
                handle._ptr,
                trans_desc._ptr,
                self._scalar(alpha, dest_desc),
                src_desc._ptr,
                device_pointer(src_data, "src_data"),
                self._scalar(beta, dest_desc),
                dest_desc._ptr,
                device_pointer(dest_data, "dest_data"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnTransformTensorEx",
                error,
                handle=handle,
                trans_desc=trans_desc,
                alpha=alpha,
                src_desc=src_desc,
                src_data=src_data,
                beta=beta,
                dest_desc=dest_desc,
                dest_data=dest_data,
            ) from None
        if status:
            raise self._status_error(
                "cudnnTransformTensorEx",
                status,
                handle=handle,
                trans_desc=trans_desc,
                alpha=alpha,
                src_desc=src_desc,
                src_data=src_data,
                beta=beta,
                dest_desc=dest_desc,
                dest_data=dest_data,
            )

    def add_tensor(
        self,
        handle: Handle,
        alpha: float,
        a_desc: TensorDescriptor,
        a: DevicePointer,
        beta: float,
        c_desc: TensorDescriptor,
        c: DevicePointer,
    ) -> None:
        """Call ``cudnnAddTensor``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
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
            status = self._lib.cudnnAddTensor(
                handle._ptr,
                self._scalar(alpha, c_desc),
                a_desc._ptr,
                device_pointer(a, "a"),
                self._scalar(beta, c_desc),
                c_desc._ptr,
                device_pointer(c, "c"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnAddTensor", error, handle=handle, alpha=alpha, a_desc=a_desc, a=a, beta=beta, c_desc=c_desc, c=c
            ) from None
        if status:
            raise self._status_error(
                "cudnnAddTensor", status, handle=handle, alpha=alpha, a_desc=a_desc, a=a, beta=beta, c_desc=c_desc, c=c
            )

    def set_tensor(self, handle: Handle, y_desc: TensorDescriptor, y: DevicePointer, value_ptr: float) -> None:
        """Call ``cudnnSetTensor``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        y_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t yDesc``, in.
        y : DevicePointer
            ``void *y``, out, device memory.
        value_ptr : float
            ``const void *valuePtr``, in, of the data type of `y_desc`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetTensor(
                handle._ptr,
                y_desc._ptr,
                device_pointer(y, "y"),
                self._number(value_ptr, y_desc._data_type, "value_ptr"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetTensor", error, handle=handle, y_desc=y_desc, y=y, value_ptr=value_ptr
            ) from None
        if status:
            raise self._status_error("cudnnSetTensor", status, handle=handle, y_desc=y_desc, y=y, value_ptr=value_ptr)

    def scale_tensor(self, handle: Handle, y_desc: TensorDescriptor, y: DevicePointer, alpha: float) -> None:
        """Call ``cudnnScaleTensor``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        y_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t yDesc``, in.
        y : DevicePointer
            ``void *y``, inout, device memory.
        alpha : float
            ``const void *alpha``, in, in host memory; double where `y_desc` is, else float.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnScaleTensor(
                handle._ptr, y_desc._ptr, device_pointer(y, "y"), self._scalar(alpha, y_desc)
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnScaleTensor", error, handle=handle, y_desc=y_desc, y=y, alpha=alpha
            ) from None
        if status:
            raise self._status_error("cudnnScaleTensor", status, handle=handle, y_desc=y_desc, y=y, alpha=alpha)

    def get_filter_size_in_bytes(self, filter_desc: FilterDescriptor) -> int:
        """Ask how many bytes are needed (Filter): ``cudnnGetFilterSizeInBytes``.

        Deprecated.

        Parameters
        ----------
        filter_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t filterDesc``, in.

        Returns
        -------
        int
            `size`, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            size = self._new("size_t *")
            status = self._lib.cudnnGetFilterSizeInBytes(filter_desc._ptr, size)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetFilterSizeInBytes", error, filter_desc=filter_desc) from None
        if status:
            raise self._status_error("cudnnGetFilterSizeInBytes", status, filter_desc=filter_desc)
        found: int = size[0]
        return found

    def transform_filter(
        self,
        handle: Handle,
        trans_desc: TensorTransformDescriptor,
        alpha: float,
        src_desc: FilterDescriptor,
        src_data: DevicePointer,
        beta: float,
        dest_desc: FilterDescriptor,
        dest_data: DevicePointer,
    ) -> None:
        """Call ``cudnnTransformFilter``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        trans_desc : TensorTransformDescriptor
            ``const cudnnTensorTransformDescriptor_t transDesc``, in.
        alpha : float
            ``const void *alpha``, in, in host memory; double where `dest_desc` is, else float.
        src_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t srcDesc``, in.
        src_data : DevicePointer
            ``const void *srcData``, in, device memory.
        beta : float
            ``const void *beta``, in, in host memory; double where `dest_desc` is, else float.
        dest_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t destDesc``, in.
        dest_data : DevicePointer
            ``void *destData``, inout, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnTransformFilter(
                handle._ptr,
                trans_desc._ptr,
                self._scalar(alpha, dest_desc),
                src_desc._ptr,
                device_pointer(src_data, "src_data"),
                self._scalar(beta, dest_desc),
                dest_desc._ptr,
                device_pointer(dest_data, "dest_data"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnTransformFilter",
                error,
                handle=handle,
                trans_desc=trans_desc,
                alpha=alpha,
                src_desc=src_desc,
                src_data=src_data,
                beta=beta,
                dest_desc=dest_desc,
                dest_data=dest_data,
            ) from None
        if status:
            raise self._status_error(
                "cudnnTransformFilter",
                status,
                handle=handle,
                trans_desc=trans_desc,
                alpha=alpha,
                src_desc=src_desc,
                src_data=src_data,
                beta=beta,
                dest_desc=dest_desc,
                dest_data=dest_data,
            )

    def softmax_forward(
        self,
        handle: Handle,
        algo: SoftmaxAlgorithm | int,
        mode: SoftmaxMode | int,
        alpha: float,
        x_desc: TensorDescriptor,
        x: DevicePointer,
        beta: float,
        y_desc: TensorDescriptor,
        y: DevicePointer,
    ) -> None:
        """Compute (Softmax, forward): ``cudnnSoftmaxForward``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        algo : SoftmaxAlgorithm | int
            ``cudnnSoftmaxAlgorithm_t algo``, in.
        mode : SoftmaxMode | int
            ``cudnnSoftmaxMode_t mode``, in.
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
            status = self._lib.cudnnSoftmaxForward(
                handle._ptr,
                enum_value(algo, SoftmaxAlgorithm),
                enum_value(mode, SoftmaxMode),
                self._scalar(alpha, y_desc),
                x_desc._ptr,
                device_pointer(x, "x"),
                self._scalar(beta, y_desc),
                y_desc._ptr,
                device_pointer(y, "y"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSoftmaxForward",
                error,
                handle=handle,
                algo=algo,
                mode=mode,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                beta=beta,
                y_desc=y_desc,
                y=y,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSoftmaxForward",
                status,
                handle=handle,
                algo=algo,
                mode=mode,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                beta=beta,
                y_desc=y_desc,
                y=y,
            )

    def lrn_cross_channel_forward(
        self,
        handle: Handle,
        norm_desc: LRNDescriptor,
        lrn_mode: LRNMode | int,
        alpha: float,
        x_desc: TensorDescriptor,
        x: DevicePointer,
        beta: float,
        y_desc: TensorDescriptor,
        y: DevicePointer,
    ) -> None:
        """Compute (LRNCrossChannel, forward): ``cudnnLRNCrossChannelForward``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        norm_desc : LRNDescriptor
            ``cudnnLRNDescriptor_t normDesc``, in.
        lrn_mode : LRNMode | int
            ``cudnnLRNMode_t lrnMode``, in.
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
            status = self._lib.cudnnLRNCrossChannelForward(
                handle._ptr,
                norm_desc._ptr,
                enum_value(lrn_mode, LRNMode),
                self._scalar(alpha, y_desc),
                x_desc._ptr,
                device_pointer(x, "x"),
                self._scalar(beta, y_desc),
                y_desc._ptr,
                device_pointer(y, "y"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnLRNCrossChannelForward",
                error,
                handle=handle,
                norm_desc=norm_desc,
                lrn_mode=lrn_mode,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                beta=beta,
                y_desc=y_desc,
                y=y,
            ) from None
        if status:
            raise self._status_error(
                "cudnnLRNCrossChannelForward",
                status,
                handle=handle,
                norm_desc=norm_desc,
                lrn_mode=lrn_mode,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                beta=beta,
                y_desc=y_desc,
                y=y,
            )

    def divisive_normalization_forward(
        self,
        handle: Handle,
        norm_desc: LRNDescriptor,
        mode: DivNormMode | int,
        alpha: float,
        x_desc: TensorDescriptor,
        x: DevicePointer,
        means: DevicePointer | None,
        temp: DevicePointer,
        temp2: DevicePointer,
        beta: float,
        y_desc: TensorDescriptor,
        y: DevicePointer,
    ) -> None:
        """Compute (DivisiveNormalization, forward): ``cudnnDivisiveNormalizationForward``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        norm_desc : LRNDescriptor
            ``cudnnLRNDescriptor_t normDesc``, in.
        mode : DivNormMode | int
            ``cudnnDivNormMode_t mode``, in.
        alpha : float
            ``const void *alpha``, in, in host memory; double where `y_desc` is, else float.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        x : DevicePointer
            ``const void *x``, in, device memory.
        means : DevicePointer | None
            ``const void *means``, in, device memory.
        temp : DevicePointer
            ``void *temp``, out, device memory.
        temp2 : DevicePointer
            ``void *temp2``, out, device memory.
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
            status = self._lib.cudnnDivisiveNormalizationForward(
                handle._ptr,
                norm_desc._ptr,
                enum_value(mode, DivNormMode),
                self._scalar(alpha, y_desc),
                x_desc._ptr,
                device_pointer(x, "x"),
                optional_device_pointer(means, "means"),
                device_pointer(temp, "temp"),
                device_pointer(temp2, "temp2"),
                self._scalar(beta, y_desc),
                y_desc._ptr,
                device_pointer(y, "y"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnDivisiveNormalizationForward",
                error,
                handle=handle,
                norm_desc=norm_desc,
                mode=mode,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                means=means,
                temp=temp,
                temp2=temp2,
                beta=beta,
                y_desc=y_desc,
                y=y,
            ) from None
        if status:
            raise self._status_error(
                "cudnnDivisiveNormalizationForward",
                status,
                handle=handle,
                norm_desc=norm_desc,
                mode=mode,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                means=means,
                temp=temp,
                temp2=temp2,
                beta=beta,
                y_desc=y_desc,
                y=y,
            )

    def create_spatial_transformer_descriptor(self) -> SpatialTransformerDescriptor:
        """Create a ``cudnnSpatialTransformerDescriptor_t``: ``cudnnCreateSpatialTransformerDescriptor``.

        Returns
        -------
        SpatialTransformerDescriptor
            `st_desc`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            st_desc = self._new("cudnnSpatialTransformerDescriptor_t *")
            status = self._lib.cudnnCreateSpatialTransformerDescriptor(st_desc)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateSpatialTransformerDescriptor", error) from None
        if status:
            raise self._status_error("cudnnCreateSpatialTransformerDescriptor", status)
        return SpatialTransformerDescriptor(self, st_desc[0])

    def set_spatial_transformer_nd_descriptor(
        self,
        st_desc: SpatialTransformerDescriptor,
        sampler_type: SamplerType | int,
        data_type: DataType | int,
        dim_a: Sequence[int],
    ) -> None:
        """Set up a ``cudnnSpatialTransformerDescriptor_t``: ``cudnnSetSpatialTransformerNdDescriptor``.

        Parameters
        ----------
        st_desc : SpatialTransformerDescriptor
            ``cudnnSpatialTransformerDescriptor_t stDesc``, inout.
        sampler_type : SamplerType | int
            ``cudnnSamplerType_t samplerType``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        dim_a : Sequence[int]
            ``const int dimA[]``, in, passed with its length as ``nbDims``.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            nb_dims = same_length(dim_a=dim_a)
            status = self._lib.cudnnSetSpatialTransformerNdDescriptor(
                st_desc._ptr,
                enum_value(sampler_type, SamplerType),
                enum_value(data_type, DataType),
                nb_dims,
                in_array(self._ffi, "int[]", dim_a, "dim_a"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetSpatialTransformerNdDescriptor",
                error,
                st_desc=st_desc,
                sampler_type=sampler_type,
                data_type=data_type,
                dim_a=dim_a,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetSpatialTransformerNdDescriptor",
                status,
                st_desc=st_desc,
                sampler_type=sampler_type,
                data_type=data_type,
                dim_a=dim_a,
            )
        st_desc._data_type = data_type

    def destroy_spatial_transformer_descriptor(self, st_desc: SpatialTransformerDescriptor) -> None:
        """Destroy a ``cudnnSpatialTransformerDescriptor_t``: ``cudnnDestroySpatialTransformerDescriptor``.

        Parameters
        ----------
        st_desc : SpatialTransformerDescriptor
            ``cudnnSpatialTransformerDescriptor_t stDesc``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroySpatialTransformerDescriptor", st_desc)

    def spatial_tf_grid_generator_forward(
        self, handle: Handle, st_desc: SpatialTransformerDescriptor, theta: DevicePointer, grid: DevicePointer
    ) -> None:
        """Compute (SpatialTfGridGenerator, forward): ``cudnnSpatialTfGridGeneratorForward``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        st_desc : SpatialTransformerDescriptor
            ``const cudnnSpatialTransformerDescriptor_t stDesc``, in.
        theta : DevicePointer
            ``const void *theta``, in, device memory.
        grid : DevicePointer
            ``void *grid``, out, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSpatialTfGridGeneratorForward(
                handle._ptr, st_desc._ptr, device_pointer(theta, "theta"), device_pointer(grid, "grid")
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSpatialTfGridGeneratorForward", error, handle=handle, st_desc=st_desc, theta=theta, grid=grid
            ) from None
        if status:
            raise self._status_error(
                "cudnnSpatialTfGridGeneratorForward", status, handle=handle, st_desc=st_desc, theta=theta, grid=grid
            )

    def spatial_tf_sampler_forward(
        self,
        handle: Handle,
        st_desc: SpatialTransformerDescriptor,
        alpha: float,
        x_desc: TensorDescriptor,
        x: DevicePointer,
        grid: DevicePointer,
        beta: float,
        y_desc: TensorDescriptor,
        y: DevicePointer,
    ) -> None:
        """Compute (SpatialTfSampler, forward): ``cudnnSpatialTfSamplerForward``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        st_desc : SpatialTransformerDescriptor
            ``cudnnSpatialTransformerDescriptor_t stDesc``, in.
        alpha : float
            ``const void *alpha``, in, in host memory; double where `y_desc` is, else float.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        x : DevicePointer
            ``const void *x``, in, device memory.
        grid : DevicePointer
            ``const void *grid``, in, device memory.
        beta : float
            ``const void *beta``, in, in host memory; double where `y_desc` is, else float.
        y_desc : TensorDescriptor
            ``cudnnTensorDescriptor_t yDesc``, in.
        y : DevicePointer
            ``void *y``, inout, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSpatialTfSamplerForward(
                handle._ptr,
                st_desc._ptr,
                self._scalar(alpha, y_desc),
                x_desc._ptr,
                device_pointer(x, "x"),
                device_pointer(grid, "grid"),
                self._scalar(beta, y_desc),
                y_desc._ptr,
                device_pointer(y, "y"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSpatialTfSamplerForward",
                error,
                handle=handle,
                st_desc=st_desc,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                grid=grid,
                beta=beta,
                y_desc=y_desc,
                y=y,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSpatialTfSamplerForward",
                status,
                handle=handle,
                st_desc=st_desc,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                grid=grid,
                beta=beta,
                y_desc=y_desc,
                y=y,
            )

    def ops_version_check(self) -> None:
        """Call ``cudnnOpsVersionCheck``.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnOpsVersionCheck()
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnOpsVersionCheck", error) from None
        if status:
            raise self._status_error("cudnnOpsVersionCheck", status)

    def softmax_backward(
        self,
        handle: Handle,
        algo: SoftmaxAlgorithm | int,
        mode: SoftmaxMode | int,
        alpha: float,
        y_desc: TensorDescriptor,
        y: DevicePointer,
        dy_desc: TensorDescriptor,
        dy: DevicePointer,
        beta: float,
        dx_desc: TensorDescriptor,
        dx: DevicePointer,
    ) -> None:
        """Compute gradients (Softmax, backward): ``cudnnSoftmaxBackward``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        algo : SoftmaxAlgorithm | int
            ``cudnnSoftmaxAlgorithm_t algo``, in.
        mode : SoftmaxMode | int
            ``cudnnSoftmaxMode_t mode``, in.
        alpha : float
            ``const void *alpha``, in, in host memory; double where `dx_desc` is, else float.
        y_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t yDesc``, in.
        y : DevicePointer
            ``const void *y``, in, device memory.
        dy_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dyDesc``, in.
        dy : DevicePointer
            ``const void *dy``, in, device memory.
        beta : float
            ``const void *beta``, in, in host memory; double where `dx_desc` is, else float.
        dx_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dxDesc``, in.
        dx : DevicePointer
            ``void *dx``, inout, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSoftmaxBackward(
                handle._ptr,
                enum_value(algo, SoftmaxAlgorithm),
                enum_value(mode, SoftmaxMode),
                self._scalar(alpha, dx_desc),
                y_desc._ptr,
                device_pointer(y, "y"),
                dy_desc._ptr,
                device_pointer(dy, "dy"),
                self._scalar(beta, dx_desc),
                dx_desc._ptr,
                device_pointer(dx, "dx"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSoftmaxBackward",
                error,
                handle=handle,
                algo=algo,
                mode=mode,
                alpha=alpha,
                y_desc=y_desc,
                y=y,
                dy_desc=dy_desc,
                dy=dy,
                beta=beta,
                dx_desc=dx_desc,
                dx=dx,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSoftmaxBackward",
                status,
                handle=handle,
                algo=algo,
                mode=mode,
                alpha=alpha,
                y_desc=y_desc,
                y=y,
                dy_desc=dy_desc,
                dy=dy,
                beta=beta,
                dx_desc=dx_desc,
                dx=dx,
            )

    def lrn_cross_channel_backward(
        self,
        handle: Handle,
        norm_desc: LRNDescriptor,
        lrn_mode: LRNMode | int,
        alpha: float,
        y_desc: TensorDescriptor,
        y: DevicePointer,
        dy_desc: TensorDescriptor,
        dy: DevicePointer,
        x_desc: TensorDescriptor,
        x: DevicePointer,
        beta: float,
        dx_desc: TensorDescriptor,
        dx: DevicePointer,
    ) -> None:
        """Compute gradients (LRNCrossChannel, backward): ``cudnnLRNCrossChannelBackward``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        norm_desc : LRNDescriptor
            ``cudnnLRNDescriptor_t normDesc``, in.
        lrn_mode : LRNMode | int
            ``cudnnLRNMode_t lrnMode``, in.
        alpha : float
            ``const void *alpha``, in, in host memory; double where `dx_desc` is, else float.
        y_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t yDesc``, in.
        y : DevicePointer
            ``const void *y``, in, device memory.
        dy_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dyDesc``, in.
        dy : DevicePointer
            ``const void *dy``, in, device memory.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        x : DevicePointer
            ``const void *x``, in, device memory.
        beta : float
            ``const void *beta``, in, in host memory; double where `dx_desc` is, else float.
        dx_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dxDesc``, in.
        dx : DevicePointer
            ``void *dx``, inout, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnLRNCrossChannelBackward(
                handle._ptr,
                norm_desc._ptr,
                enum_value(lrn_mode, LRNMode),
                self._scalar(alpha, dx_desc),
                y_desc._ptr,
                device_pointer(y, "y"),
                dy_desc._ptr,
                device_pointer(dy, "dy"),
                x_desc._ptr,
                device_pointer(x, "x"),
                self._scalar(beta, dx_desc),
                dx_desc._ptr,
                device_pointer(dx, "dx"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnLRNCrossChannelBackward",
                error,
                handle=handle,
                norm_desc=norm_desc,
                lrn_mode=lrn_mode,
                alpha=alpha,
                y_desc=y_desc,
                y=y,
                dy_desc=dy_desc,
                dy=dy,
                x_desc=x_desc,
                x=x,
                beta=beta,
                dx_desc=dx_desc,
                dx=dx,
            ) from None
        if status:
            raise self._status_error(
                "cudnnLRNCrossChannelBackward",
                status,
                handle=handle,
                norm_desc=norm_desc,
                lrn_mode=lrn_mode,
                alpha=alpha,
                y_desc=y_desc,
                y=y,
                dy_desc=dy_desc,
                dy=dy,
                x_desc=x_desc,
                x=x,
                beta=beta,
                dx_desc=dx_desc,
                dx=dx,
            )

    def divisive_normalization_backward(
        self,
        handle: Handle,
        norm_desc: LRNDescriptor,
        mode: DivNormMode | int,
        alpha: float,
        x_desc: TensorDescriptor,
        x: DevicePointer,
        means: DevicePointer | None,
        dy: DevicePointer,
        temp: DevicePointer,
        temp2: DevicePointer,
        beta: float,
        d_xd_means_desc: TensorDescriptor,
        dx: DevicePointer,
        d_means: DevicePointer | None,
    ) -> None:
        """Compute gradients (DivisiveNormalization, backward): ``cudnnDivisiveNormalizationBackward``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        norm_desc : LRNDescriptor
            ``cudnnLRNDescriptor_t normDesc``, in.
        mode : DivNormMode | int
            ``cudnnDivNormMode_t mode``, in.
        alpha : float
            ``const void *alpha``, in, in host memory; double where `d_xd_means_desc` is, else float.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        x : DevicePointer
            ``const void *x``, in, device memory.
        means : DevicePointer | None
            ``const void *means``, in, device memory.
        dy : DevicePointer
            ``const void *dy``, in, device memory.
        temp : DevicePointer
            ``void *temp``, out, device memory.
        temp2 : DevicePointer
            ``void *temp2``, out, device memory.
        beta : float
            ``const void *beta``, in, in host memory; double where `d_xd_means_desc` is, else float.
        d_xd_means_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dXdMeansDesc``, in.
        dx : DevicePointer
            ``void *dx``, inout, device memory.
        d_means : DevicePointer | None
            ``void *dMeans``, inout, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnDivisiveNormalizationBackward(
                handle._ptr,
                norm_desc._ptr,
                enum_value(mode, DivNormMode),
                self._scalar(alpha, d_xd_means_desc),
                x_desc._ptr,
                device_pointer(x, "x"),
                optional_device_pointer(means, "means"),
                device_pointer(dy, "dy"),
                device_pointer(temp, "temp"),
                device_pointer(temp2, "temp2"),
                self._scalar(beta, d_xd_means_desc),
                d_xd_means_desc._ptr,
                device_pointer(dx, "dx"),
                optional_device_pointer(d_means, "d_means"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnDivisiveNormalizationBackward",
                error,
                handle=handle,
                norm_desc=norm_desc,
                mode=mode,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                means=means,
                dy=dy,
                temp=temp,
                temp2=temp2,
                beta=beta,
                d_xd_means_desc=d_xd_means_desc,
                dx=dx,
                d_means=d_means,
            ) from None
        if status:
            raise self._status_error(
                "cudnnDivisiveNormalizationBackward",
                status,
                handle=handle,
                norm_desc=norm_desc,
                mode=mode,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                means=means,
                dy=dy,
                temp=temp,
                temp2=temp2,
                beta=beta,
                d_xd_means_desc=d_xd_means_desc,
                dx=dx,
                d_means=d_means,
            )

    def spatial_tf_grid_generator_backward(
        self, handle: Handle, st_desc: SpatialTransformerDescriptor, dgrid: DevicePointer, dtheta: DevicePointer
    ) -> None:
        """Compute gradients (SpatialTfGridGenerator, backward): ``cudnnSpatialTfGridGeneratorBackward``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        st_desc : SpatialTransformerDescriptor
            ``const cudnnSpatialTransformerDescriptor_t stDesc``, in.
        dgrid : DevicePointer
            ``const void *dgrid``, in, device memory.
        dtheta : DevicePointer
            ``void *dtheta``, out, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSpatialTfGridGeneratorBackward(
                handle._ptr, st_desc._ptr, device_pointer(dgrid, "dgrid"), device_pointer(dtheta, "dtheta")
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSpatialTfGridGeneratorBackward", error, handle=handle, st_desc=st_desc, dgrid=dgrid, dtheta=dtheta
            ) from None
        if status:
            raise self._status_error(
                "cudnnSpatialTfGridGeneratorBackward",
                status,
                handle=handle,
                st_desc=st_desc,
                dgrid=dgrid,
                dtheta=dtheta,
            )

    def spatial_tf_sampler_backward(
        self,
        handle: Handle,
        st_desc: SpatialTransformerDescriptor,
        alpha: float,
        x_desc: TensorDescriptor,
        x: DevicePointer,
        beta: float,
        dx_desc: TensorDescriptor,
        dx: DevicePointer,
        alpha_dgrid: float,
        dy_desc: TensorDescriptor,
        dy: DevicePointer,
        grid: DevicePointer,
        beta_dgrid: float,
        dgrid: DevicePointer,
    ) -> None:
        """Compute gradients (SpatialTfSampler, backward): ``cudnnSpatialTfSamplerBackward``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        st_desc : SpatialTransformerDescriptor
            ``cudnnSpatialTransformerDescriptor_t stDesc``, in.
        alpha : float
            ``const void *alpha``, in, in host memory; double where `dx_desc` is, else float.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        x : DevicePointer
            ``const void *x``, in, device memory.
        beta : float
            ``const void *beta``, in, in host memory; double where `dx_desc` is, else float.
        dx_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dxDesc``, in.
        dx : DevicePointer
            ``void *dx``, inout, device memory.
        alpha_dgrid : float
            ``const void *alphaDgrid``, in, in host memory; double where `dx_desc` is, else float.
        dy_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dyDesc``, in.
        dy : DevicePointer
            ``const void *dy``, in, device memory.
        grid : DevicePointer
            ``const void *grid``, in, device memory.
        beta_dgrid : float
            ``const void *betaDgrid``, in, in host memory; double where `dx_desc` is, else float.
        dgrid : DevicePointer
            ``void *dgrid``, inout, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSpatialTfSamplerBackward(
                handle._ptr,
                st_desc._ptr,
                self._scalar(alpha, dx_desc),
                x_desc._ptr,
                device_pointer(x, "x"),
                self._scalar(beta, dx_desc),
                dx_desc._ptr,
                device_pointer(dx, "dx"),
                self._scalar(alpha_dgrid, dx_desc),
                dy_desc._ptr,
                device_pointer(dy, "dy"),
                device_pointer(grid, "grid"),
                self._scalar(beta_dgrid, dx_desc),
                device_pointer(dgrid, "dgrid"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSpatialTfSamplerBackward",
                error,
                handle=handle,
                st_desc=st_desc,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                beta=beta,
                dx_desc=dx_desc,
                dx=dx,
                alpha_dgrid=alpha_dgrid,
                dy_desc=dy_desc,
                dy=dy,
                grid=grid,
                beta_dgrid=beta_dgrid,
                dgrid=dgrid,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSpatialTfSamplerBackward",
                status,
                handle=handle,
                st_desc=st_desc,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                beta=beta,
                dx_desc=dx_desc,
                dx=dx,
                alpha_dgrid=alpha_dgrid,
                dy_desc=dy_desc,
                dy=dy,
                grid=grid,
                beta_dgrid=beta_dgrid,
                dgrid=dgrid,
            )
