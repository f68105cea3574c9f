# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_cnn_infer.h``."""

from __future__ import annotations

from operator import index

from ..._support.enums import enum_value
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer, optional_device_pointer
from ..descriptors import (
    ActivationDescriptor,
    ConvolutionDescriptor,
    FilterDescriptor,
    Handle,
    TensorDescriptor,
    TensorTransformDescriptor,
)
from ..enums import ConvolutionFwdAlgo, ReorderType, TensorFormat

__all__ = ["CnnInferFunctions"]


class CnnInferFunctions(LibraryBase):
    """Functions of ``cudnn_cnn_infer.h``, as methods of the loaded library."""

    def im2_col(
        self,
        handle: Handle,
        x_desc: TensorDescriptor,
        x: DevicePointer,
        w_desc: FilterDescriptor,
        conv_desc: ConvolutionDescriptor,
        col_buffer: DevicePointer,
    ) -> None:
        """Call ``cudnnIm2Col``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        x : DevicePointer
            ``const void *x``, in, device memory.
        w_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t wDesc``, in.
        conv_desc : ConvolutionDescriptor
            ``const cudnnConvolutionDescriptor_t convDesc``, in.
        col_buffer : DevicePointer
            ``void *colBuffer``, out, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnIm2Col(
                handle._ptr,
                x_desc._ptr,
                device_pointer(x, "x"),
                w_desc._ptr,
                conv_desc._ptr,
                device_pointer(col_buffer, "col_buffer"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnIm2Col",
                error,
                handle=handle,
                x_desc=x_desc,
                x=x,
                w_desc=w_desc,
                conv_desc=conv_desc,
                col_buffer=col_buffer,
            ) from None
        if status:
            raise self._status_error(
                "cudnnIm2Col",
                status,
                handle=handle,
                x_desc=x_desc,
                x=x,
                w_desc=w_desc,
                conv_desc=conv_desc,
                col_buffer=col_buffer,
            )

    def reorder_filter_and_bias(
        self,
        handle: Handle,
        filter_desc: FilterDescriptor,
        reorder_type: ReorderType | int,
        filter_data: DevicePointer,
        reordered_filter_data: DevicePointer,
        reorder_bias: int,
        bias_data: DevicePointer | None,
        reordered_bias_data: DevicePointer | None,
    ) -> None:
        """Call ``cudnnReorderFilterAndBias``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        filter_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t filterDesc``, in.
        reorder_type : ReorderType | int
            ``cudnnReorderType_t reorderType``, in.
        filter_data : DevicePointer
            ``const void *filterData``, in, device memory.
        reordered_filter_data : DevicePointer
            ``void *reorderedFilterData``, out, device memory.
        reorder_bias : int
            ``int reorderBias``, in.
        bias_data : DevicePointer | None
            ``const void *biasData``, in, device memory.
        reordered_bias_data : DevicePointer | None
            ``void *reorderedBiasData``, out, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnReorderFilterAndBias(
                handle._ptr,
                filter_desc._ptr,
                enum_value(reorder_type, ReorderType),
                device_pointer(filter_data, "filter_data"),
                device_pointer(reordered_filter_data, "reordered_filter_data"),
                index(reorder_bias),
                optional_device_pointer(bias_data, "bias_data"),
                optional_device_pointer(reordered_bias_data, "reordered_bias_data"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnReorderFilterAndBias",
                error,
                handle=handle,
                filter_desc=filter_desc,
                reorder_type=reorder_type,
                filter_data=filter_data,
                reordered_filter_data=reordered_filter_data,
                reorder_bias=reorder_bias,
                bias_data=bias_data,
                reordered_bias_data=reordered_bias_data,
            ) from None
        if status:
            raise self._status_error(
                "cudnnReorderFilterAndBias",
                status,
                handle=handle,
                filter_desc=filter_desc,
                reorder_type=reorder_type,
                filter_data=filter_data,
                reordered_filter_data=reordered_filter_data,
                reorder_bias=reorder_bias,
                bias_data=bias_data,
                reordered_bias_data=reordered_bias_data,
            )

    def convolution_bias_activation_forward(
        self,
        handle: Handle,
        alpha1: float,
        x_desc: TensorDescriptor,
        x: DevicePointer,
        w_desc: FilterDescriptor,
        w: DevicePointer,
        conv_desc: ConvolutionDescriptor,
        algo: ConvolutionFwdAlgo | int,
        work_space: DevicePointer | None,
        work_space_size_in_bytes: int,
        alpha2: float,
        z_desc: TensorDescriptor,
        z: DevicePointer,
        bias_desc: TensorDescriptor,
        bias: DevicePointer,
        activation_desc: ActivationDescriptor,
        y_desc: TensorDescriptor,
        y: DevicePointer,
    ) -> None:
        """Run a fused operation (ConvolutionBiasActivation, forward): ``cudnnConvolutionBiasActivationForward``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        alpha1 : float
            ``const void *alpha1``, in, in host memory; double where `y_desc` is, else float.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        x : DevicePointer
            ``const void *x``, in, device memory.
        w_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t wDesc``, in.
        w : DevicePointer
            ``const void *w``, in, device memory.
        conv_desc : ConvolutionDescriptor
            ``const cudnnConvolutionDescriptor_t convDesc``, in.
        algo : ConvolutionFwdAlgo | int
            ``cudnnConvolutionFwdAlgo_t algo``, in.
        work_space : DevicePointer | None
            ``void *workSpace``, inout, device memory.
        work_space_size_in_bytes : int
            ``size_t workSpaceSizeInBytes``, in, bytes.
        alpha2 : float
            ``const void *alpha2``, in, in host memory; double where `y_desc` is, else float.
        z_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t zDesc``, in.
        z : DevicePointer
            ``const void *z``, in, device memory.
        bias_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t biasDesc``, in.
        bias : DevicePointer
            ``const void *bias``, in, device memory.
        activation_desc : ActivationDescriptor
            ``const cudnnActivationDescriptor_t activationDesc``, in.
        y_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t yDesc``, in.
        y : DevicePointer
            ``void *y``, out, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnConvolutionBiasActivationForward(
                handle._ptr,
                self._scalar(alpha1, y_desc),
                x_desc._ptr,
                device_pointer(x, "x"),
                w_desc._ptr,
                device_pointer(w, "w"),
                conv_desc._ptr,
                enum_value(algo, ConvolutionFwdAlgo),
                optional_device_pointer(work_space, "work_space"),
                index(work_space_size_in_bytes),
                self._scalar(alpha2, y_desc),
                z_desc._ptr,
                device_pointer(z, "z"),
                bias_desc._ptr,
                device_pointer(bias, "bias"),
                activation_desc._ptr,
                y_desc._ptr,
                device_pointer(y, "y"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnConvolutionBiasActivationForward",
                error,
                handle=handle,
                alpha1=alpha1,
                x_desc=x_desc,
                x=x,
                w_desc=w_desc,
                w=w,
                conv_desc=conv_desc,
                algo=algo,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                alpha2=alpha2,
                z_desc=z_desc,
                z=z,
                bias_desc=bias_desc,
                bias=bias,
                activation_desc=activation_desc,
                y_desc=y_desc,
                y=y,
            ) from None
        if status:
            raise self._status_error(
                "cudnnConvolutionBiasActivationForward",
                status,
                handle=handle,
                alpha1=alpha1,
                x_desc=x_desc,
                x=x,
                w_desc=w_desc,
                w=w,
                conv_desc=conv_desc,
                algo=algo,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                alpha2=alpha2,
                z_desc=z_desc,
                z=z,
                bias_desc=bias_desc,
                bias=bias,
                activation_desc=activation_desc,
                y_desc=y_desc,
                y=y,
            )

    def get_folded_conv_backward_data_descriptors(
        self,
        handle: Handle,
        filter_desc: FilterDescriptor,
        diff_desc: TensorDescriptor,
        conv_desc: ConvolutionDescriptor,
        grad_desc: TensorDescriptor,
        transform_format: TensorFormat | int,
        folded_filter_desc: FilterDescriptor,
        padded_diff_desc: TensorDescriptor,
        folded_conv_desc: ConvolutionDescriptor,
        folded_grad_desc: TensorDescriptor,
        filter_fold_trans_desc: TensorTransformDescriptor,
        diff_pad_trans_desc: TensorTransformDescriptor,
        grad_fold_trans_desc: TensorTransformDescriptor,
        grad_unfold_trans_desc: TensorTransformDescriptor,
    ) -> None:
        """Call ``cudnnGetFoldedConvBackwardDataDescriptors``.

        Parameters
        ----------
        handle : Handle
            ``const cudnnHandle_t handle``, in.
        filter_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t filterDesc``, in.
        diff_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t diffDesc``, in.
        conv_desc : ConvolutionDescriptor
            ``const cudnnConvolutionDescriptor_t convDesc``, in.
        grad_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t gradDesc``, in.
        transform_format : TensorFormat | int
            ``const cudnnTensorFormat_t transformFormat``, in.
        folded_filter_desc : FilterDescriptor
            ``cudnnFilterDescriptor_t foldedFilterDesc``, out.
        padded_diff_desc : TensorDescriptor
            ``cudnnTensorDescriptor_t paddedDiffDesc``, out.
        folded_conv_desc : ConvolutionDescriptor
            ``cudnnConvolutionDescriptor_t foldedConvDesc``, out.
        folded_grad_desc : TensorDescriptor
            ``cudnnTensorDescriptor_t foldedGradDesc``, out.
        filter_fold_trans_desc : TensorTransformDescriptor
            ``cudnnTensorTransformDescriptor_t filterFoldTransDesc``, out.
        diff_pad_trans_desc : TensorTransformDescriptor
            ``cudnnTensorTransformDescriptor_t diffPadTransDesc``, out.
        grad_fold_trans_desc : TensorTransformDescriptor
            ``cudnnTensorTransformDescriptor_t gradFoldTransDesc``, out.
        grad_unfold_trans_desc : TensorTransformDescriptor
            ``cudnnTensorTransformDescriptor_t gradUnfoldTransDesc``, out.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnGetFoldedConvBackwardDataDescriptors(
                handle._ptr,
                filter_desc._ptr,
                diff_desc._ptr,
                conv_desc._ptr,
                grad_desc._ptr,
                enum_value(transform_format, TensorFormat),
                folded_filter_desc._ptr,
                padded_diff_desc._ptr,
                folded_conv_desc._ptr,
                folded_grad_desc._ptr,
                filter_fold_trans_desc._ptr,
                diff_pad_trans_desc._ptr,
                grad_fold_trans_desc._ptr,
                grad_unfold_trans_desc._ptr,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetFoldedConvBackwardDataDescriptors",
                error,
                handle=handle,
                filter_desc=filter_desc,
                diff_desc=diff_desc,
                conv_desc=conv_desc,
                grad_desc=grad_desc,
                transform_format=transform_format,
                folded_filter_desc=folded_filter_desc,
                padded_diff_desc=padded_diff_desc,
                folded_conv_desc=folded_conv_desc,
                folded_grad_desc=folded_grad_desc,
                filter_fold_trans_desc=filter_fold_trans_desc,
                diff_pad_trans_desc=diff_pad_trans_desc,
                grad_fold_trans_desc=grad_fold_trans_desc,
                grad_unfold_trans_desc=grad_unfold_trans_desc,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetFoldedConvBackwardDataDescriptors",
                status,
                handle=handle,
                filter_desc=filter_desc,
                diff_desc=diff_desc,
                conv_desc=conv_desc,
                grad_desc=grad_desc,
                transform_format=transform_format,
                folded_filter_desc=folded_filter_desc,
                padded_diff_desc=padded_diff_desc,
                folded_conv_desc=folded_conv_desc,
                folded_grad_desc=folded_grad_desc,
                filter_fold_trans_desc=filter_fold_trans_desc,
                diff_pad_trans_desc=diff_pad_trans_desc,
                grad_fold_trans_desc=grad_fold_trans_desc,
                grad_unfold_trans_desc=grad_unfold_trans_desc,
            )

    def cnn_infer_version_check(self) -> None:
        """Call ``cudnnCnnInferVersionCheck``.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnCnnInferVersionCheck()
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCnnInferVersionCheck", error) from None
        if status:
            raise self._status_error("cudnnCnnInferVersionCheck", status)
