# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_ops_train.h`` about batch normalization."""

from __future__ import annotations

from operator import index

from ..._support.descriptors import handle_pointer
from ..._support.enums import enum_value
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer, optional_device_pointer
from ..descriptors import ActivationDescriptor, Handle, TensorDescriptor
from ..enums import BatchNormMode, BatchNormOps

__all__ = ["OpsTrainBatchNormalizationFunctions"]


class OpsTrainBatchNormalizationFunctions(LibraryBase):
    """Functions of ``cudnn_ops_train.h`` about batch normalization, as methods of the loaded library."""

    def get_batch_normalization_forward_training_ex_workspace_size(
        self,
        handle: Handle,
        mode: BatchNormMode | int,
        bn_ops: BatchNormOps | int,
        x_desc: TensorDescriptor,
        z_desc: TensorDescriptor | None,
        y_desc: TensorDescriptor,
        bn_scale_bias_mean_var_desc: TensorDescriptor,
        activation_desc: ActivationDescriptor | None,
    ) -> int:
        """Ask how many bytes are needed (BatchNormalization, forward):
        ``cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        mode : BatchNormMode | int
            ``cudnnBatchNormMode_t mode``, in.
        bn_ops : BatchNormOps | int
            ``cudnnBatchNormOps_t bnOps``, in.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        z_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t zDesc``, in.
        y_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t yDesc``, in.
        bn_scale_bias_mean_var_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t bnScaleBiasMeanVarDesc``, in.
        activation_desc : ActivationDescriptor | None
            ``const cudnnActivationDescriptor_t activationDesc``, in.

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
            status = self._lib.cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(
                handle._ptr,
                enum_value(mode, BatchNormMode),
                enum_value(bn_ops, BatchNormOps),
                x_desc._ptr,
                handle_pointer(z_desc, self._null),
                y_desc._ptr,
                bn_scale_bias_mean_var_desc._ptr,
                handle_pointer(activation_desc, self._null),
                size_in_bytes,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize",
                error,
                handle=handle,
                mode=mode,
                bn_ops=bn_ops,
                x_desc=x_desc,
                z_desc=z_desc,
                y_desc=y_desc,
                bn_scale_bias_mean_var_desc=bn_scale_bias_mean_var_desc,
                activation_desc=activation_desc,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize",
                status,
                handle=handle,
                mode=mode,
                bn_ops=bn_ops,
                x_desc=x_desc,
                z_desc=z_desc,
                y_desc=y_desc,
                bn_scale_bias_mean_var_desc=bn_scale_bias_mean_var_desc,
                activation_desc=activation_desc,
            )
        found: int = size_in_bytes[0]
        return found

    def get_batch_normalization_backward_ex_workspace_size(
        self,
        handle: Handle,
        mode: BatchNormMode | int,
        bn_ops: BatchNormOps | int,
        x_desc: TensorDescriptor,
        y_desc: TensorDescriptor | None,
        dy_desc: TensorDescriptor,
        dz_desc: TensorDescriptor | None,
        dx_desc: TensorDescriptor,
        d_bn_scale_bias_desc: TensorDescriptor,
        activation_desc: ActivationDescriptor | None,
    ) -> int:
        """Ask how many bytes are needed (BatchNormalization, backward):
        ``cudnnGetBatchNormalizationBackwardExWorkspaceSize``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        mode : BatchNormMode | int
            ``cudnnBatchNormMode_t mode``, in.
        bn_ops : BatchNormOps | int
            ``cudnnBatchNormOps_t bnOps``, in.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        y_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t yDesc``, in.
        dy_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dyDesc``, in.
        dz_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t dzDesc``, in.
        dx_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dxDesc``, in.
        d_bn_scale_bias_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dBnScaleBiasDesc``, in.
        activation_desc : ActivationDescriptor | None
            ``const cudnnActivationDescriptor_t activationDesc``, in.

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
            status = self._lib.cudnnGetBatchNormalizationBackwardExWorkspaceSize(
                handle._ptr,
                enum_value(mode, BatchNormMode),
                enum_value(bn_ops, BatchNormOps),
                x_desc._ptr,
                handle_pointer(y_desc, self._null),
                dy_desc._ptr,
                handle_pointer(dz_desc, self._null),
                dx_desc._ptr,
                d_bn_scale_bias_desc._ptr,
                handle_pointer(activation_desc, self._null),
                size_in_bytes,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetBatchNormalizationBackwardExWorkspaceSize",
                error,
                handle=handle,
                mode=mode,
                bn_ops=bn_ops,
                x_desc=x_desc,
                y_desc=y_desc,
                dy_desc=dy_desc,
                dz_desc=dz_desc,
                dx_desc=dx_desc,
                d_bn_scale_bias_desc=d_bn_scale_bias_desc,
                activation_desc=activation_desc,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetBatchNormalizationBackwardExWorkspaceSize",
                status,
                handle=handle,
                mode=mode,
                bn_ops=bn_ops,
                x_desc=x_desc,
                y_desc=y_desc,
                dy_desc=dy_desc,
                dz_desc=dz_desc,
                dx_desc=dx_desc,
                d_bn_scale_bias_desc=d_bn_scale_bias_desc,
                activation_desc=activation_desc,
            )
        found: int = size_in_bytes[0]
        return found

    def get_batch_normalization_training_ex_reserve_space_size(
        self,
        handle: Handle,
        mode: BatchNormMode | int,
        bn_ops: BatchNormOps | int,
        activation_desc: ActivationDescriptor | None,
        x_desc: TensorDescriptor,
    ) -> int:
        """Ask how many bytes are needed (BatchNormalization):
        ``cudnnGetBatchNormalizationTrainingExReserveSpaceSize``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        mode : BatchNormMode | int
            ``cudnnBatchNormMode_t mode``, in.
        bn_ops : BatchNormOps | int
            ``cudnnBatchNormOps_t bnOps``, in.
        activation_desc : ActivationDescriptor | None
            ``const cudnnActivationDescriptor_t activationDesc``, in.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.

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
            status = self._lib.cudnnGetBatchNormalizationTrainingExReserveSpaceSize(
                handle._ptr,
                enum_value(mode, BatchNormMode),
                enum_value(bn_ops, BatchNormOps),
                handle_pointer(activation_desc, self._null),
                x_desc._ptr,
                size_in_bytes,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetBatchNormalizationTrainingExReserveSpaceSize",
                error,
                handle=handle,
                mode=mode,
                bn_ops=bn_ops,
                activation_desc=activation_desc,
                x_desc=x_desc,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetBatchNormalizationTrainingExReserveSpaceSize",
                status,
                handle=handle,
                mode=mode,
                bn_ops=bn_ops,
                activation_desc=activation_desc,
                x_desc=x_desc,
            )
        found: int = size_in_bytes[0]
        return found

    def batch_normalization_forward_training(
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
        exponential_average_factor: float,
        result_running_mean: DevicePointer | None,
        result_running_variance: DevicePointer | None,
        epsilon: float,
        result_save_mean: DevicePointer | None,
        result_save_inv_variance: DevicePointer | None,
    ) -> None:
        """Compute (BatchNormalization, forward): ``cudnnBatchNormalizationForwardTraining``.

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
        exponential_average_factor : float
            ``double exponentialAverageFactor``, in.
        result_running_mean : DevicePointer | None
            ``void *resultRunningMean``, inout, device memory.
        result_running_variance : DevicePointer | None
            ``void *resultRunningVariance``, inout, device memory.
        epsilon : float
            ``double epsilon``, in.
        result_save_mean : DevicePointer | None
            ``void *resultSaveMean``, out, device memory.
        result_save_inv_variance : DevicePointer | None
            ``void *resultSaveInvVariance``, out, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnBatchNormalizationForwardTraining(
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
                exponential_average_factor,
                optional_device_pointer(result_running_mean, "result_running_mean"),
                optional_device_pointer(result_running_variance, "result_running_variance"),
                epsilon,
                optional_device_pointer(result_save_mean, "result_save_mean"),
                optional_device_pointer(result_save_inv_variance, "result_save_inv_variance"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnBatchNormalizationForwardTraining",
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
                exponential_average_factor=exponential_average_factor,
                result_running_mean=result_running_mean,
                result_running_variance=result_running_variance,
                epsilon=epsilon,
                result_save_mean=result_save_mean,
                result_save_inv_variance=result_save_inv_variance,
            ) from None
        if status:
            raise self._status_error(
                "cudnnBatchNormalizationForwardTraining",
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
                exponential_average_factor=exponential_average_factor,
                result_running_mean=result_running_mean,
                result_running_variance=result_running_variance,
                epsilon=epsilon,
                result_save_mean=result_save_mean,
                result_save_inv_variance=result_save_inv_variance,
            )

    def batch_normalization_forward_training_ex(
        self,
        handle: Handle,
        mode: BatchNormMode | int,
        bn_ops: BatchNormOps | int,
        alpha: float,
        beta: float,
        x_desc: TensorDescriptor,
        x_data: DevicePointer,
        z_desc: TensorDescriptor | None,
        z_data: DevicePointer | None,
        y_desc: TensorDescriptor,
        y_data: DevicePointer,
        bn_scale_bias_mean_var_desc: TensorDescriptor,
        bn_scale: DevicePointer,
        bn_bias: DevicePointer,
        exponential_average_factor: float,
        result_running_mean: DevicePointer | None,
        result_running_variance: DevicePointer | None,
        epsilon: float,
        result_save_mean: DevicePointer | None,
        result_save_inv_variance: DevicePointer | None,
        activation_desc: ActivationDescriptor | None,
        workspace: DevicePointer | None,
        work_space_size_in_bytes: int,
        reserve_space: DevicePointer | None,
        reserve_space_size_in_bytes: int,
    ) -> None:
        """Run a fused operation (BatchNormalization, forward): ``cudnnBatchNormalizationForwardTrainingEx``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        mode : BatchNormMode | int
            ``cudnnBatchNormMode_t mode``, in.
        bn_ops : BatchNormOps | int
            ``cudnnBatchNormOps_t bnOps``, in.
        alpha : float
            ``const void *alpha``, in, in host memory; double where `y_desc` is, else float.
        beta : float
            ``const void *beta``, in, in host memory; double where `y_desc` is, else float.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        x_data : DevicePointer
            ``const void *xData``, in, device memory.
        z_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t zDesc``, in.
        z_data : DevicePointer | None
            ``const void *zData``, in, device memory.
        y_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t yDesc``, in.
        y_data : DevicePointer
            ``void *yData``, inout, device memory.
        bn_scale_bias_mean_var_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t bnScaleBiasMeanVarDesc``, in.
        bn_scale : DevicePointer
            ``const void *bnScale``, in, device memory.
        bn_bias : DevicePointer
            ``const void *bnBias``, in, device memory.
        exponential_average_factor : float
            ``double exponentialAverageFactor``, in.
        result_running_mean : DevicePointer | None
            ``void *resultRunningMean``, inout, device memory.
        result_running_variance : DevicePointer | None
            ``void *resultRunningVariance``, inout, device memory.
        epsilon : float
            ``double epsilon``, in.
        result_save_mean : DevicePointer | None
            ``void *resultSaveMean``, out, device memory.
        result_save_inv_variance : DevicePointer | None
            ``void *resultSaveInvVariance``, out, device memory.
        activation_desc : ActivationDescriptor | None
            ``cudnnActivationDescriptor_t activationDesc``, in.
        workspace : DevicePointer | None
            ``void *workspace``, inout, device memory.
        work_space_size_in_bytes : int
            ``size_t workSpaceSizeInBytes``, in, bytes.
        reserve_space : DevicePointer | None
            ``void *reserveSpace``, inout, device memory.
        reserve_space_size_in_bytes : int
            ``size_t reserveSpaceSizeInBytes``, in, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnBatchNormalizationForwardTrainingEx(
                handle._ptr,
                enum_value(mode, BatchNormMode),
                enum_value(bn_ops, BatchNormOps),
                self._scalar(alpha, y_desc),
                self._scalar(beta, y_desc),
                x_desc._ptr,
                device_pointer(x_data, "x_data"),
                handle_pointer(z_desc, self._null),
                optional_device_pointer(z_data, "z_data"),
                y_desc._ptr,
                device_pointer(y_data, "y_data"),
                bn_scale_bias_mean_var_desc._ptr,
                device_pointer(bn_scale, "bn_scale"),
                device_pointer(bn_bias, "bn_bias"),
                exponential_average_factor,
                optional_device_pointer(result_running_mean, "result_running_mean"),
                optional_device_pointer(result_running_variance, "result_running_variance"),
                epsilon,
                optional_device_pointer(result_save_mean, "result_save_mean"),
                optional_device_pointer(result_save_inv_variance, "result_save_inv_variance"),
                handle_pointer(activation_desc, self._null),
                optional_device_pointer(workspace, "workspace"),
                index(work_space_size_in_bytes),
                optional_device_pointer(reserve_space, "reserve_space"),
                index(reserve_space_size_in_bytes),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnBatchNormalizationForwardTrainingEx",
                error,
                handle=handle,
                mode=mode,
                bn_ops=bn_ops,
                alpha=alpha,
                beta=beta,
                x_desc=x_desc,
                x_data=x_data,
                z_desc=z_desc,
                z_data=z_data,
                y_desc=y_desc,
                y_data=y_data,
                bn_scale_bias_mean_var_desc=bn_scale_bias_mean_var_desc,
                bn_scale=bn_scale,
                bn_bias=bn_bias,
                exponential_average_factor=exponential_average_factor,
                result_running_mean=result_running_mean,
                result_running_variance=result_running_variance,
                epsilon=epsilon,
                result_save_mean=result_save_mean,
                result_save_inv_variance=result_save_inv_variance,
                activation_desc=activation_desc,
                workspace=workspace,
                work_space_size_in_bytes=work_space_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            ) from None
        if status:
            raise self._status_error(
                "cudnnBatchNormalizationForwardTrainingEx",
                status,
                handle=handle,
                mode=mode,
                bn_ops=bn_ops,
                alpha=alpha,
                beta=beta,
                x_desc=x_desc,
                x_data=x_data,
                z_desc=z_desc,
                z_data=z_data,
                y_desc=y_desc,
                y_data=y_data,
                bn_scale_bias_mean_var_desc=bn_scale_bias_mean_var_desc,
                bn_scale=bn_scale,
                bn_bias=bn_bias,
                exponential_average_factor=exponential_average_factor,
                result_running_mean=result_running_mean,
                result_running_variance=result_running_variance,
                epsilon=epsilon,
                result_save_mean=result_save_mean,
                result_save_inv_variance=result_save_inv_variance,
                activation_desc=activation_desc,
                workspace=workspace,
                work_space_size_in_bytes=work_space_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            )

    def batch_normalization_backward(
        self,
        handle: Handle,
        mode: BatchNormMode | int,
        alpha_data_diff: float,
        beta_data_diff: float,
        alpha_param_diff: float,
        beta_param_diff: float,
        x_desc: TensorDescriptor,
        x: DevicePointer,
        dy_desc: TensorDescriptor,
        dy: DevicePointer,
        dx_desc: TensorDescriptor,
        dx: DevicePointer,
        d_bn_scale_bias_desc: TensorDescriptor,
        bn_scale: DevicePointer,
        d_bn_scale_result: DevicePointer,
        d_bn_bias_result: DevicePointer,
        epsilon: float,
        saved_mean: DevicePointer | None,
        saved_inv_variance: DevicePointer | None,
    ) -> None:
        """Compute gradients (BatchNormalization, backward): ``cudnnBatchNormalizationBackward``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        mode : BatchNormMode | int
            ``cudnnBatchNormMode_t mode``, in.
        alpha_data_diff : float
            ``const void *alphaDataDiff``, in, in host memory; double where `dx_desc` is, else float.
        beta_data_diff : float
            ``const void *betaDataDiff``, in, in host memory; double where `dx_desc` is, else float.
        alpha_param_diff : float
            ``const void *alphaParamDiff``, in, in host memory; double where `dx_desc` is, else float.
        beta_param_diff : float
            ``const void *betaParamDiff``, in, in host memory; double where `dx_desc` is, else float.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        x : DevicePointer
            ``const void *x``, in, device memory.
        dy_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dyDesc``, in.
        dy : DevicePointer
            ``const void *dy``, in, device memory.
        dx_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dxDesc``, in.
        dx : DevicePointer
            ``void *dx``, inout, device memory.
        d_bn_scale_bias_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dBnScaleBiasDesc``, in.
        bn_scale : DevicePointer
            ``const void *bnScale``, in, device memory.
        d_bn_scale_result : DevicePointer
            ``void *dBnScaleResult``, inout, device memory.
        d_bn_bias_result : DevicePointer
            ``void *dBnBiasResult``, inout, device memory.
        epsilon : float
            ``double epsilon``, in.
        saved_mean : DevicePointer | None
            ``const void *savedMean``, in, device memory.
        saved_inv_variance : DevicePointer | None
            ``const void *savedInvVariance``, in, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnBatchNormalizationBackward(
                handle._ptr,
                enum_value(mode, BatchNormMode),
                self._scalar(alpha_data_diff, dx_desc),
                self._scalar(beta_data_diff, dx_desc),
                self._scalar(alpha_param_diff, dx_desc),
                self._scalar(beta_param_diff, dx_desc),
                x_desc._ptr,
                device_pointer(x, "x"),
                dy_desc._ptr,
                device_pointer(dy, "dy"),
                dx_desc._ptr,
                device_pointer(dx, "dx"),
                d_bn_scale_bias_desc._ptr,
                device_pointer(bn_scale, "bn_scale"),
                device_pointer(d_bn_scale_result, "d_bn_scale_result"),
                device_pointer(d_bn_bias_result, "d_bn_bias_result"),
                epsilon,
                optional_device_pointer(saved_mean, "saved_mean"),
                optional_device_pointer(saved_inv_variance, "saved_inv_variance"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnBatchNormalizationBackward",
                error,
                handle=handle,
                mode=mode,
                alpha_data_diff=alpha_data_diff,
                beta_data_diff=beta_data_diff,
                alpha_param_diff=alpha_param_diff,
                beta_param_diff=beta_param_diff,
                x_desc=x_desc,
                x=x,
                dy_desc=dy_desc,
                dy=dy,
                dx_desc=dx_desc,
                dx=dx,
                d_bn_scale_bias_desc=d_bn_scale_bias_desc,
                bn_scale=bn_scale,
                d_bn_scale_result=d_bn_scale_result,
                d_bn_bias_result=d_bn_bias_result,
                epsilon=epsilon,
                saved_mean=saved_mean,
                saved_inv_variance=saved_inv_variance,
            ) from None
        if status:
            raise self._status_error(
                "cudnnBatchNormalizationBackward",
                status,
                handle=handle,
                mode=mode,
                alpha_data_diff=alpha_data_diff,
                beta_data_diff=beta_data_diff,
                alpha_param_diff=alpha_param_diff,
                beta_param_diff=beta_param_diff,
                x_desc=x_desc,
                x=x,
                dy_desc=dy_desc,
                dy=dy,
                dx_desc=dx_desc,
                dx=dx,
                d_bn_scale_bias_desc=d_bn_scale_bias_desc,
                bn_scale=bn_scale,
                d_bn_scale_result=d_bn_scale_result,
                d_bn_bias_result=d_bn_bias_result,
                epsilon=epsilon,
                saved_mean=saved_mean,
                saved_inv_variance=saved_inv_variance,
            )

    def batch_normalization_backward_ex(
        self,
        handle: Handle,
        mode: BatchNormMode | int,
        bn_ops: BatchNormOps | int,
        alpha_data_diff: float,
        beta_data_diff: float,
        alpha_param_diff: float,
        beta_param_diff: float,
        x_desc: TensorDescriptor,
        x_data: DevicePointer,
        y_desc: TensorDescriptor | None,
        y_data: DevicePointer | None,
        dy_desc: TensorDescriptor,
        dy_data: DevicePointer,
        dz_desc: TensorDescriptor | None,
        dz_data: DevicePointer | None,
        dx_desc: TensorDescriptor,
        dx_data: DevicePointer,
        d_bn_scale_bias_desc: TensorDescriptor,
        bn_scale_data: DevicePointer,
        bn_bias_data: DevicePointer | None,
        d_bn_scale_data: DevicePointer,
        d_bn_bias_data: DevicePointer,
        epsilon: float,
        saved_mean: DevicePointer | None,
        saved_inv_variance: DevicePointer | None,
        activation_desc: ActivationDescriptor | None,
        work_space: DevicePointer | None,
        work_space_size_in_bytes: int,
        reserve_space: DevicePointer | None,
        reserve_space_size_in_bytes: int,
    ) -> None:
        """Run a fused operation (BatchNormalization, backward): ``cudnnBatchNormalizationBackwardEx``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        mode : BatchNormMode | int
            ``cudnnBatchNormMode_t mode``, in.
        bn_ops : BatchNormOps | int
            ``cudnnBatchNormOps_t bnOps``, in.
        alpha_data_diff : float
            ``const void *alphaDataDiff``, in, in host memory; double where `dx_desc` is, else float.
        beta_data_diff : float
            ``const void *betaDataDiff``, in, in host memory; double where `dx_desc` is, else float.
        alpha_param_diff : float
            ``const void *alphaParamDiff``, in, in host memory; double where `dx_desc` is, else float.
        beta_param_diff : float
            ``const void *betaParamDiff``, in, in host memory; double where `dx_desc` is, else float.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        x_data : DevicePointer
            ``const void *xData``, in, device memory.
        y_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t yDesc``, in.
        y_data : DevicePointer | None
            ``const void *yData``, in, device memory.
        dy_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dyDesc``, in.
        dy_data : DevicePointer
            ``const void *dyData``, in, device memory.
        dz_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t dzDesc``, in.
        dz_data : DevicePointer | None
            ``void *dzData``, inout, device memory.
        dx_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dxDesc``, in.
        dx_data : DevicePointer
            ``void *dxData``, inout, device memory.
        d_bn_scale_bias_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dBnScaleBiasDesc``, in.
        bn_scale_data : DevicePointer
            ``const void *bnScaleData``, in, device memory.
        bn_bias_data : DevicePointer | None
            ``const void *bnBiasData``, in, device memory.
        d_bn_scale_data : DevicePointer
            ``void *dBnScaleData``, inout, device memory.
        d_bn_bias_data : DevicePointer
            ``void *dBnBiasData``, inout, device memory.
        epsilon : float
            ``double epsilon``, in.
        saved_mean : DevicePointer | None
            ``const void *savedMean``, in, device memory.
        saved_inv_variance : DevicePointer | None
            ``const void *savedInvVariance``, in, device memory.
        activation_desc : ActivationDescriptor | None
            ``cudnnActivationDescriptor_t activationDesc``, in.
        work_space : DevicePointer | None
            ``void *workSpace``, inout, device memory.
        work_space_size_in_bytes : int
            ``size_t workSpaceSizeInBytes``, in, bytes.
        reserve_space : DevicePointer | None
            ``void *reserveSpace``, inout, device memory.
        reserve_space_size_in_bytes : int
            ``size_t reserveSpaceSizeInBytes``, in, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnBatchNormalizationBackwardEx(
                handle._ptr,
                enum_value(mode, BatchNormMode),
                enum_value(bn_ops, BatchNormOps),
                self._scalar(alpha_data_diff, dx_desc),
                self._scalar(beta_data_diff, dx_desc),
                self._scalar(alpha_param_diff, dx_desc),
                self._scalar(beta_param_diff, dx_desc),
                x_desc._ptr,
                device_pointer(x_data, "x_data"),
                handle_pointer(y_desc, self._null),
                optional_device_pointer(y_data, "y_data"),
                dy_desc._ptr,
                device_pointer(dy_data, "dy_data"),
                handle_pointer(dz_desc, self._null),
                optional_device_pointer(dz_data, "dz_data"),
                dx_desc._ptr,
                device_pointer(dx_data, "dx_data"),
                d_bn_scale_bias_desc._ptr,
                device_pointer(bn_scale_data, "bn_scale_data"),
                optional_device_pointer(bn_bias_data, "bn_bias_data"),
                device_pointer(d_bn_scale_data, "d_bn_scale_data"),
                device_pointer(d_bn_bias_data, "d_bn_bias_data"),
                epsilon,
                optional_device_pointer(saved_mean, "saved_mean"),
                optional_device_pointer(saved_inv_variance, "saved_inv_variance"),
                handle_pointer(activation_desc, self._null),
                optional_device_pointer(work_space, "work_space"),
                index(work_space_size_in_bytes),
                optional_device_pointer(reserve_space, "reserve_space"),
                index(reserve_space_size_in_bytes),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnBatchNormalizationBackwardEx",
                error,
                handle=handle,
                mode=mode,
                bn_ops=bn_ops,
                alpha_data_diff=alpha_data_diff,
                beta_data_diff=beta_data_diff,
                alpha_param_diff=alpha_param_diff,
                beta_param_diff=beta_param_diff,
                x_desc=x_desc,
                x_data=x_data,
                y_desc=y_desc,
                y_data=y_data,
                dy_desc=dy_desc,
                dy_data=dy_data,
                dz_desc=dz_desc,
                dz_data=dz_data,
                dx_desc=dx_desc,
                dx_data=dx_data,
                d_bn_scale_bias_desc=d_bn_scale_bias_desc,
                bn_scale_data=bn_scale_data,
                bn_bias_data=bn_bias_data,
                d_bn_scale_data=d_bn_scale_data,
                d_bn_bias_data=d_bn_bias_data,
                epsilon=epsilon,
                saved_mean=saved_mean,
                saved_inv_variance=saved_inv_variance,
                activation_desc=activation_desc,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            ) from None
        if status:
            raise self._status_error(
                "cudnnBatchNormalizationBackwardEx",
                status,
                handle=handle,
                mode=mode,
                bn_ops=bn_ops,
                alpha_data_diff=alpha_data_diff,
                beta_data_diff=beta_data_diff,
                alpha_param_diff=alpha_param_diff,
                beta_param_diff=beta_param_diff,
                x_desc=x_desc,
                x_data=x_data,
                y_desc=y_desc,
                y_data=y_data,
                dy_desc=dy_desc,
                dy_data=dy_data,
                dz_desc=dz_desc,
                dz_data=dz_data,
                dx_desc=dx_desc,
                dx_data=dx_data,
                d_bn_scale_bias_desc=d_bn_scale_bias_desc,
                bn_scale_data=bn_scale_data,
                bn_bias_data=bn_bias_data,
                d_bn_scale_data=d_bn_scale_data,
                d_bn_bias_data=d_bn_bias_data,
                epsilon=epsilon,
                saved_mean=saved_mean,
                saved_inv_variance=saved_inv_variance,
                activation_desc=activation_desc,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            )
