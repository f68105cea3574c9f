# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_ops_train.h``."""

from __future__ import annotations

from operator import index

from ..._support.enums import enum_value
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer, optional_device_pointer
from ..descriptors import (
    ActivationDescriptor,
    DropoutDescriptor,
    Handle,
    LRNDescriptor,
    PoolingDescriptor,
    SpatialTransformerDescriptor,
    TensorDescriptor,
)
from ..enums import DivNormMode, LRNMode, SoftmaxAlgorithm, SoftmaxMode

__all__ = ["OpsTrainFunctions"]


class OpsTrainFunctions(LibraryBase):
    """Functions of ``cudnn_ops_train.h``, as methods of the loaded library."""

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

    def pooling_backward(
        self,
        handle: Handle,
        pooling_desc: PoolingDescriptor,
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
        """Compute gradients (Pooling, backward): ``cudnnPoolingBackward``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        pooling_desc : PoolingDescriptor
            ``const cudnnPoolingDescriptor_t poolingDesc``, in.
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
            status = self._lib.cudnnPoolingBackward(
                handle._ptr,
                pooling_desc._ptr,
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
                "cudnnPoolingBackward",
                error,
                handle=handle,
                pooling_desc=pooling_desc,
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
                "cudnnPoolingBackward",
                status,
                handle=handle,
                pooling_desc=pooling_desc,
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

    def activation_backward(
        self,
        handle: Handle,
        activation_desc: ActivationDescriptor,
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
        """Compute gradients (Activation, backward): ``cudnnActivationBackward``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        activation_desc : ActivationDescriptor
            ``cudnnActivationDescriptor_t activationDesc``, in.
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
            status = self._lib.cudnnActivationBackward(
                handle._ptr,
                activation_desc._ptr,
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
                "cudnnActivationBackward",
                error,
                handle=handle,
                activation_desc=activation_desc,
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
                "cudnnActivationBackward",
                status,
                handle=handle,
                activation_desc=activation_desc,
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

    def dropout_backward(
        self,
        handle: Handle,
        dropout_desc: DropoutDescriptor,
        dydesc: TensorDescriptor,
        dy: DevicePointer,
        dxdesc: TensorDescriptor,
        dx: DevicePointer,
        reserve_space: DevicePointer | None,
        reserve_space_size_in_bytes: int,
    ) -> None:
        """Compute gradients (Dropout, backward): ``cudnnDropoutBackward``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        dropout_desc : DropoutDescriptor
            ``const cudnnDropoutDescriptor_t dropoutDesc``, in.
        dydesc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dydesc``, in.
        dy : DevicePointer
            ``const void *dy``, in, device memory.
        dxdesc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dxdesc``, in.
        dx : DevicePointer
            ``void *dx``, out, device memory.
        reserve_space : DevicePointer | None
            ``void *reserveSpace``, in, device memory.
        reserve_space_size_in_bytes : int
            ``size_t reserveSpaceSizeInBytes``, in, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnDropoutBackward(
                handle._ptr,
                dropout_desc._ptr,
                dydesc._ptr,
                device_pointer(dy, "dy"),
                dxdesc._ptr,
                device_pointer(dx, "dx"),
                optional_device_pointer(reserve_space, "reserve_space"),
                index(reserve_space_size_in_bytes),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnDropoutBackward",
                error,
                handle=handle,
                dropout_desc=dropout_desc,
                dydesc=dydesc,
                dy=dy,
                dxdesc=dxdesc,
                dx=dx,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            ) from None
        if status:
            raise self._status_error(
                "cudnnDropoutBackward",
                status,
                handle=handle,
                dropout_desc=dropout_desc,
                dydesc=dydesc,
                dy=dy,
                dxdesc=dxdesc,
                dx=dx,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            )

    def ops_train_version_check(self) -> None:
        """Call ``cudnnOpsTrainVersionCheck``.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnOpsTrainVersionCheck()
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnOpsTrainVersionCheck", error) from None
        if status:
            raise self._status_error("cudnnOpsTrainVersionCheck", status)
