# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_ops_infer.h``."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING, Any

from ..._support.descriptors import handle_pointer
from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer, optional_device_pointer
from ..._support.values import in_array, same_length, text
from ..descriptors import (
    ActivationDescriptor,
    AlgorithmDescriptor,
    FilterDescriptor,
    Handle,
    LRNDescriptor,
    SpatialTransformerDescriptor,
    TensorDescriptor,
    TensorTransformDescriptor,
)
from ..enums import (
    BatchNormMode,
    DataType,
    DivNormMode,
    ErrQueryMode,
    LibraryPropertyType,
    LRNMode,
    NormAlgo,
    NormMode,
    NormOps,
    SamplerType,
    SeverityMask,
    SoftmaxAlgorithm,
    SoftmaxMode,
    Status,
)

if TYPE_CHECKING:
    from ..results import ops_infer as results
else:
    results = LazyModule("..results.ops_infer", __package__)

__all__ = ["OpsInferFunctions"]


class OpsInferFunctions(LibraryBase):
    """Functions of ``cudnn_ops_infer.h``, as methods of the loaded library."""

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

        Since 8.6.0.

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

    def query_runtime_error(self, handle: Handle, mode: ErrQueryMode | int, tag: Any) -> Status:
        """Call ``cudnnQueryRuntimeError``.

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

    def batch_normalization_forward_inference(
        self,
        handle: Handle,
        mode: BatchNormMode | int,
        alpha: float,
        beta: float,
        x_desc: TensorDescriptor,
        x: DevicePointer,
        y_desc: TensorDescriptor,
        y: DevicePointer,
        bn_scale_bias_mean_var_desc: TensorDescriptor,
        bn_scale: DevicePointer,
        bn_bias: DevicePointer,
        estimated_mean: DevicePointer,
        estimated_variance: DevicePointer,
        epsilon: float,
    ) -> None:
        """Compute (BatchNormalization, forward): ``cudnnBatchNormalizationForwardInference``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        mode : BatchNormMode | int
            ``cudnnBatchNormMode_t mode``, in.
        alpha : float
            ``const void *alpha``, in, in host memory; double where `y_desc` is, else float.
        beta : float
            ``const void *beta``, in, in host memory; double where `y_desc` is, else float.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        x : DevicePointer
            ``const void *x``, in, device memory.
        y_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t yDesc``, in.
        y : DevicePointer
            ``void *y``, inout, device memory.
        bn_scale_bias_mean_var_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t bnScaleBiasMeanVarDesc``, in.
        bn_scale : DevicePointer
            ``const void *bnScale``, in, device memory.
        bn_bias : DevicePointer
            ``const void *bnBias``, in, device memory.
        estimated_mean : DevicePointer
            ``const void *estimatedMean``, in, device memory.
        estimated_variance : DevicePointer
            ``const void *estimatedVariance``, in, device memory.
        epsilon : float
            ``double epsilon``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnBatchNormalizationForwardInference(
                handle._ptr,
                enum_value(mode, BatchNormMode),
                self._scalar(alpha, y_desc),
                self._scalar(beta, y_desc),
                x_desc._ptr,
                device_pointer(x, "x"),
                y_desc._ptr,
                device_pointer(y, "y"),
                bn_scale_bias_mean_var_desc._ptr,
                device_pointer(bn_scale, "bn_scale"),
                device_pointer(bn_bias, "bn_bias"),
                device_pointer(estimated_mean, "estimated_mean"),
                device_pointer(estimated_variance, "estimated_variance"),
                epsilon,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnBatchNormalizationForwardInference",
                error,
                handle=handle,
                mode=mode,
                alpha=alpha,
                beta=beta,
                x_desc=x_desc,
                x=x,
                y_desc=y_desc,
                y=y,
                bn_scale_bias_mean_var_desc=bn_scale_bias_mean_var_desc,
                bn_scale=bn_scale,
                bn_bias=bn_bias,
                estimated_mean=estimated_mean,
                estimated_variance=estimated_variance,
                epsilon=epsilon,
            ) from None
        if status:
            raise self._status_error(
                "cudnnBatchNormalizationForwardInference",
                status,
                handle=handle,
                mode=mode,
                alpha=alpha,
                beta=beta,
                x_desc=x_desc,
                x=x,
                y_desc=y_desc,
                y=y,
                bn_scale_bias_mean_var_desc=bn_scale_bias_mean_var_desc,
                bn_scale=bn_scale,
                bn_bias=bn_bias,
                estimated_mean=estimated_mean,
                estimated_variance=estimated_variance,
                epsilon=epsilon,
            )

    def normalization_forward_inference(
        self,
        handle: Handle,
        mode: NormMode | int,
        norm_ops: NormOps | int,
        algo: NormAlgo | int,
        alpha: float,
        beta: float,
        x_desc: TensorDescriptor,
        x: DevicePointer,
        norm_scale_bias_desc: TensorDescriptor,
        norm_scale: DevicePointer,
        norm_bias: DevicePointer,
        norm_mean_var_desc: TensorDescriptor,
        estimated_mean: DevicePointer,
        estimated_variance: DevicePointer,
        z_desc: TensorDescriptor | None,
        z: DevicePointer | None,
        activation_desc: ActivationDescriptor | None,
        y_desc: TensorDescriptor,
        y: DevicePointer,
        epsilon: float,
        group_cnt: int,
    ) -> None:
        """Run a fused operation (Normalization, forward): ``cudnnNormalizationForwardInference``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        mode : NormMode | int
            ``cudnnNormMode_t mode``, in.
        norm_ops : NormOps | int
            ``cudnnNormOps_t normOps``, in.
        algo : NormAlgo | int
            ``cudnnNormAlgo_t algo``, in.
        alpha : float
            ``const void *alpha``, in, in host memory; double where `y_desc` is, else float.
        beta : float
            ``const void *beta``, in, in host memory; double where `y_desc` is, else float.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        x : DevicePointer
            ``const void *x``, in, device memory.
        norm_scale_bias_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t normScaleBiasDesc``, in.
        norm_scale : DevicePointer
            ``const void *normScale``, in, device memory.
        norm_bias : DevicePointer
            ``const void *normBias``, in, device memory.
        norm_mean_var_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t normMeanVarDesc``, in.
        estimated_mean : DevicePointer
            ``const void *estimatedMean``, in, device memory.
        estimated_variance : DevicePointer
            ``const void *estimatedVariance``, in, device memory.
        z_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t zDesc``, in.
        z : DevicePointer | None
            ``const void *z``, in, device memory.
        activation_desc : ActivationDescriptor | None
            ``cudnnActivationDescriptor_t activationDesc``, in.
        y_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t yDesc``, in.
        y : DevicePointer
            ``void *y``, inout, device memory.
        epsilon : float
            ``double epsilon``, in.
        group_cnt : int
            ``int groupCnt``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnNormalizationForwardInference(
                handle._ptr,
                enum_value(mode, NormMode),
                enum_value(norm_ops, NormOps),
                enum_value(algo, NormAlgo),
                self._scalar(alpha, y_desc),
                self._scalar(beta, y_desc),
                x_desc._ptr,
                device_pointer(x, "x"),
                norm_scale_bias_desc._ptr,
                device_pointer(norm_scale, "norm_scale"),
                device_pointer(norm_bias, "norm_bias"),
                norm_mean_var_desc._ptr,
                device_pointer(estimated_mean, "estimated_mean"),
                device_pointer(estimated_variance, "estimated_variance"),
                handle_pointer(z_desc, self._null),
                optional_device_pointer(z, "z"),
                handle_pointer(activation_desc, self._null),
                y_desc._ptr,
                device_pointer(y, "y"),
                epsilon,
                index(group_cnt),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnNormalizationForwardInference",
                error,
                handle=handle,
                mode=mode,
                norm_ops=norm_ops,
                algo=algo,
                alpha=alpha,
                beta=beta,
                x_desc=x_desc,
                x=x,
                norm_scale_bias_desc=norm_scale_bias_desc,
                norm_scale=norm_scale,
                norm_bias=norm_bias,
                norm_mean_var_desc=norm_mean_var_desc,
                estimated_mean=estimated_mean,
                estimated_variance=estimated_variance,
                z_desc=z_desc,
                z=z,
                activation_desc=activation_desc,
                y_desc=y_desc,
                y=y,
                epsilon=epsilon,
                group_cnt=group_cnt,
            ) from None
        if status:
            raise self._status_error(
                "cudnnNormalizationForwardInference",
                status,
                handle=handle,
                mode=mode,
                norm_ops=norm_ops,
                algo=algo,
                alpha=alpha,
                beta=beta,
                x_desc=x_desc,
                x=x,
                norm_scale_bias_desc=norm_scale_bias_desc,
                norm_scale=norm_scale,
                norm_bias=norm_bias,
                norm_mean_var_desc=norm_mean_var_desc,
                estimated_mean=estimated_mean,
                estimated_variance=estimated_variance,
                z_desc=z_desc,
                z=z,
                activation_desc=activation_desc,
                y_desc=y_desc,
                y=y,
                epsilon=epsilon,
                group_cnt=group_cnt,
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

    def get_algorithm_space_size(self, handle: Handle, algo_desc: AlgorithmDescriptor) -> int:
        """Ask how many bytes are needed: ``cudnnGetAlgorithmSpaceSize``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        algo_desc : AlgorithmDescriptor
            ``cudnnAlgorithmDescriptor_t algoDesc``, in.

        Returns
        -------
        int
            `algo_space_size_in_bytes`, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            algo_space_size_in_bytes = self._new("size_t *")
            status = self._lib.cudnnGetAlgorithmSpaceSize(handle._ptr, algo_desc._ptr, algo_space_size_in_bytes)
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetAlgorithmSpaceSize", error, handle=handle, algo_desc=algo_desc
            ) from None
        if status:
            raise self._status_error("cudnnGetAlgorithmSpaceSize", status, handle=handle, algo_desc=algo_desc)
        found: int = algo_space_size_in_bytes[0]
        return found

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

    def ops_infer_version_check(self) -> None:
        """Call ``cudnnOpsInferVersionCheck``.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnOpsInferVersionCheck()
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnOpsInferVersionCheck", error) from None
        if status:
            raise self._status_error("cudnnOpsInferVersionCheck", status)
