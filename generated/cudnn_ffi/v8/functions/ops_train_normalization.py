# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_ops_train.h`` about normalization."""

from __future__ import annotations

from operator import index

from ..._support.descriptors import handle_pointer
from ..._support.enums import enum_value
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer, optional_device_pointer
from ..descriptors import ActivationDescriptor, Handle, TensorDescriptor
from ..enums import NormAlgo, NormMode, NormOps

__all__ = ["OpsTrainNormalizationFunctions"]


class OpsTrainNormalizationFunctions(LibraryBase):
    """Functions of ``cudnn_ops_train.h`` about normalization, as methods of the loaded library."""

    def get_normalization_forward_training_workspace_size(
        self,
        handle: Handle,
        mode: NormMode | int,
        norm_ops: NormOps | int,
        algo: NormAlgo | int,
        x_desc: TensorDescriptor,
        z_desc: TensorDescriptor | None,
        y_desc: TensorDescriptor,
        norm_scale_bias_desc: TensorDescriptor,
        activation_desc: ActivationDescriptor | None,
        norm_mean_var_desc: TensorDescriptor,
        group_cnt: int,
    ) -> int:
        """Ask how many bytes are needed (Normalization, forward):
        ``cudnnGetNormalizationForwardTrainingWorkspaceSize``.

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
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        z_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t zDesc``, in.
        y_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t yDesc``, in.
        norm_scale_bias_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t normScaleBiasDesc``, in.
        activation_desc : ActivationDescriptor | None
            ``const cudnnActivationDescriptor_t activationDesc``, in.
        norm_mean_var_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t normMeanVarDesc``, in.
        group_cnt : int
            ``int groupCnt``, in.

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
            status = self._lib.cudnnGetNormalizationForwardTrainingWorkspaceSize(
                handle._ptr,
                enum_value(mode, NormMode),
                enum_value(norm_ops, NormOps),
                enum_value(algo, NormAlgo),
                x_desc._ptr,
                handle_pointer(z_desc, self._null),
                y_desc._ptr,
                norm_scale_bias_desc._ptr,
                handle_pointer(activation_desc, self._null),
                norm_mean_var_desc._ptr,
                size_in_bytes,
                index(group_cnt),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetNormalizationForwardTrainingWorkspaceSize",
                error,
                handle=handle,
                mode=mode,
                norm_ops=norm_ops,
                algo=algo,
                x_desc=x_desc,
                z_desc=z_desc,
                y_desc=y_desc,
                norm_scale_bias_desc=norm_scale_bias_desc,
                activation_desc=activation_desc,
                norm_mean_var_desc=norm_mean_var_desc,
                group_cnt=group_cnt,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetNormalizationForwardTrainingWorkspaceSize",
                status,
                handle=handle,
                mode=mode,
                norm_ops=norm_ops,
                algo=algo,
                x_desc=x_desc,
                z_desc=z_desc,
                y_desc=y_desc,
                norm_scale_bias_desc=norm_scale_bias_desc,
                activation_desc=activation_desc,
                norm_mean_var_desc=norm_mean_var_desc,
                group_cnt=group_cnt,
            )
        found: int = size_in_bytes[0]
        return found

    def get_normalization_backward_workspace_size(
        self,
        handle: Handle,
        mode: NormMode | int,
        norm_ops: NormOps | int,
        algo: NormAlgo | int,
        x_desc: TensorDescriptor,
        y_desc: TensorDescriptor | None,
        dy_desc: TensorDescriptor,
        dz_desc: TensorDescriptor | None,
        dx_desc: TensorDescriptor,
        d_norm_scale_bias_desc: TensorDescriptor,
        activation_desc: ActivationDescriptor | None,
        norm_mean_var_desc: TensorDescriptor,
        group_cnt: int,
    ) -> int:
        """Ask how many bytes are needed (Normalization, backward): ``cudnnGetNormalizationBackwardWorkspaceSize``.

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
        d_norm_scale_bias_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dNormScaleBiasDesc``, in.
        activation_desc : ActivationDescriptor | None
            ``const cudnnActivationDescriptor_t activationDesc``, in.
        norm_mean_var_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t normMeanVarDesc``, in.
        group_cnt : int
            ``int groupCnt``, in.

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
            status = self._lib.cudnnGetNormalizationBackwardWorkspaceSize(
                handle._ptr,
                enum_value(mode, NormMode),
                enum_value(norm_ops, NormOps),
                enum_value(algo, NormAlgo),
                x_desc._ptr,
                handle_pointer(y_desc, self._null),
                dy_desc._ptr,
                handle_pointer(dz_desc, self._null),
                dx_desc._ptr,
                d_norm_scale_bias_desc._ptr,
                handle_pointer(activation_desc, self._null),
                norm_mean_var_desc._ptr,
                size_in_bytes,
                index(group_cnt),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetNormalizationBackwardWorkspaceSize",
                error,
                handle=handle,
                mode=mode,
                norm_ops=norm_ops,
                algo=algo,
                x_desc=x_desc,
                y_desc=y_desc,
                dy_desc=dy_desc,
                dz_desc=dz_desc,
                dx_desc=dx_desc,
                d_norm_scale_bias_desc=d_norm_scale_bias_desc,
                activation_desc=activation_desc,
                norm_mean_var_desc=norm_mean_var_desc,
                group_cnt=group_cnt,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetNormalizationBackwardWorkspaceSize",
                status,
                handle=handle,
                mode=mode,
                norm_ops=norm_ops,
                algo=algo,
                x_desc=x_desc,
                y_desc=y_desc,
                dy_desc=dy_desc,
                dz_desc=dz_desc,
                dx_desc=dx_desc,
                d_norm_scale_bias_desc=d_norm_scale_bias_desc,
                activation_desc=activation_desc,
                norm_mean_var_desc=norm_mean_var_desc,
                group_cnt=group_cnt,
            )
        found: int = size_in_bytes[0]
        return found

    def get_normalization_training_reserve_space_size(
        self,
        handle: Handle,
        mode: NormMode | int,
        norm_ops: NormOps | int,
        algo: NormAlgo | int,
        activation_desc: ActivationDescriptor | None,
        x_desc: TensorDescriptor,
        group_cnt: int,
    ) -> int:
        """Ask how many bytes are needed (Normalization): ``cudnnGetNormalizationTrainingReserveSpaceSize``.

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
        activation_desc : ActivationDescriptor | None
            ``const cudnnActivationDescriptor_t activationDesc``, in.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        group_cnt : int
            ``int groupCnt``, in.

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
            status = self._lib.cudnnGetNormalizationTrainingReserveSpaceSize(
                handle._ptr,
                enum_value(mode, NormMode),
                enum_value(norm_ops, NormOps),
                enum_value(algo, NormAlgo),
                handle_pointer(activation_desc, self._null),
                x_desc._ptr,
                size_in_bytes,
                index(group_cnt),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetNormalizationTrainingReserveSpaceSize",
                error,
                handle=handle,
                mode=mode,
                norm_ops=norm_ops,
                algo=algo,
                activation_desc=activation_desc,
                x_desc=x_desc,
                group_cnt=group_cnt,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetNormalizationTrainingReserveSpaceSize",
                status,
                handle=handle,
                mode=mode,
                norm_ops=norm_ops,
                algo=algo,
                activation_desc=activation_desc,
                x_desc=x_desc,
                group_cnt=group_cnt,
            )
        found: int = size_in_bytes[0]
        return found

    def normalization_forward_training(
        self,
        handle: Handle,
        mode: NormMode | int,
        norm_ops: NormOps | int,
        algo: NormAlgo | int,
        alpha: float,
        beta: float,
        x_desc: TensorDescriptor,
        x_data: DevicePointer,
        norm_scale_bias_desc: TensorDescriptor,
        norm_scale: DevicePointer,
        norm_bias: DevicePointer,
        exponential_average_factor: float,
        norm_mean_var_desc: TensorDescriptor,
        result_running_mean: DevicePointer | None,
        result_running_variance: DevicePointer | None,
        epsilon: float,
        result_save_mean: DevicePointer | None,
        result_save_inv_variance: DevicePointer | None,
        activation_desc: ActivationDescriptor | None,
        z_desc: TensorDescriptor | None,
        z_data: DevicePointer | None,
        y_desc: TensorDescriptor,
        y_data: DevicePointer,
        workspace: DevicePointer | None,
        work_space_size_in_bytes: int,
        reserve_space: DevicePointer | None,
        reserve_space_size_in_bytes: int,
        group_cnt: int,
    ) -> None:
        """Run a fused operation (Normalization, forward): ``cudnnNormalizationForwardTraining``.

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
        x_data : DevicePointer
            ``const void *xData``, in, device memory.
        norm_scale_bias_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t normScaleBiasDesc``, in.
        norm_scale : DevicePointer
            ``const void *normScale``, in, device memory.
        norm_bias : DevicePointer
            ``const void *normBias``, in, device memory.
        exponential_average_factor : float
            ``double exponentialAverageFactor``, in.
        norm_mean_var_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t normMeanVarDesc``, in.
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
        z_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t zDesc``, in.
        z_data : DevicePointer | None
            ``const void *zData``, in, device memory.
        y_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t yDesc``, in.
        y_data : DevicePointer
            ``void *yData``, inout, device memory.
        workspace : DevicePointer | None
            ``void *workspace``, inout, device memory.
        work_space_size_in_bytes : int
            ``size_t workSpaceSizeInBytes``, in, bytes.
        reserve_space : DevicePointer | None
            ``void *reserveSpace``, inout, device memory.
        reserve_space_size_in_bytes : int
            ``size_t reserveSpaceSizeInBytes``, in, bytes.
        group_cnt : int
            ``int groupCnt``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnNormalizationForwardTraining(
                handle._ptr,
                enum_value(mode, NormMode),
                enum_value(norm_ops, NormOps),
                enum_value(algo, NormAlgo),
                self._scalar(alpha, y_desc),
                self._scalar(beta, y_desc),
                x_desc._ptr,
                device_pointer(x_data, "x_data"),
                norm_scale_bias_desc._ptr,
                device_pointer(norm_scale, "norm_scale"),
                device_pointer(norm_bias, "norm_bias"),
                exponential_average_factor,
                norm_mean_var_desc._ptr,
                optional_device_pointer(result_running_mean, "result_running_mean"),
                optional_device_pointer(result_running_variance, "result_running_variance"),
                epsilon,
                optional_device_pointer(result_save_mean, "result_save_mean"),
                optional_device_pointer(result_save_inv_variance, "result_save_inv_variance"),
                handle_pointer(activation_desc, self._null),
                handle_pointer(z_desc, self._null),
                optional_device_pointer(z_data, "z_data"),
                y_desc._ptr,
                device_pointer(y_data, "y_data"),
                optional_device_pointer(workspace, "workspace"),
                index(work_space_size_in_bytes),
                optional_device_pointer(reserve_space, "reserve_space"),
                index(reserve_space_size_in_bytes),
                index(group_cnt),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnNormalizationForwardTraining",
                error,
                handle=handle,
                mode=mode,
                norm_ops=norm_ops,
                algo=algo,
                alpha=alpha,
                beta=beta,
                x_desc=x_desc,
                x_data=x_data,
                norm_scale_bias_desc=norm_scale_bias_desc,
                norm_scale=norm_scale,
                norm_bias=norm_bias,
                exponential_average_factor=exponential_average_factor,
                norm_mean_var_desc=norm_mean_var_desc,
                result_running_mean=result_running_mean,
                result_running_variance=result_running_variance,
                epsilon=epsilon,
                result_save_mean=result_save_mean,
                result_save_inv_variance=result_save_inv_variance,
                activation_desc=activation_desc,
                z_desc=z_desc,
                z_data=z_data,
                y_desc=y_desc,
                y_data=y_data,
                workspace=workspace,
                work_space_size_in_bytes=work_space_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
                group_cnt=group_cnt,
            ) from None
        if status:
            raise self._status_error(
                "cudnnNormalizationForwardTraining",
                status,
                handle=handle,
                mode=mode,
                norm_ops=norm_ops,
                algo=algo,
                alpha=alpha,
                beta=beta,
                x_desc=x_desc,
                x_data=x_data,
                norm_scale_bias_desc=norm_scale_bias_desc,
                norm_scale=norm_scale,
                norm_bias=norm_bias,
                exponential_average_factor=exponential_average_factor,
                norm_mean_var_desc=norm_mean_var_desc,
                result_running_mean=result_running_mean,
                result_running_variance=result_running_variance,
                epsilon=epsilon,
                result_save_mean=result_save_mean,
                result_save_inv_variance=result_save_inv_variance,
                activation_desc=activation_desc,
                z_desc=z_desc,
                z_data=z_data,
                y_desc=y_desc,
                y_data=y_data,
                workspace=workspace,
                work_space_size_in_bytes=work_space_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
                group_cnt=group_cnt,
            )

    def normalization_backward(
        self,
        handle: Handle,
        mode: NormMode | int,
        norm_ops: NormOps | int,
        algo: NormAlgo | int,
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
        d_norm_scale_bias_desc: TensorDescriptor,
        norm_scale_data: DevicePointer,
        norm_bias_data: DevicePointer | None,
        d_norm_scale_data: DevicePointer,
        d_norm_bias_data: DevicePointer,
        epsilon: float,
        norm_mean_var_desc: TensorDescriptor,
        saved_mean: DevicePointer | None,
        saved_inv_variance: DevicePointer | None,
        activation_desc: ActivationDescriptor | None,
        work_space: DevicePointer | None,
        work_space_size_in_bytes: int,
        reserve_space: DevicePointer | None,
        reserve_space_size_in_bytes: int,
        group_cnt: int,
    ) -> None:
        """Run a fused operation (Normalization, backward): ``cudnnNormalizationBackward``.

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
        d_norm_scale_bias_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dNormScaleBiasDesc``, in.
        norm_scale_data : DevicePointer
            ``const void *normScaleData``, in, device memory.
        norm_bias_data : DevicePointer | None
            ``const void *normBiasData``, in, device memory.
        d_norm_scale_data : DevicePointer
            ``void *dNormScaleData``, inout, device memory.
        d_norm_bias_data : DevicePointer
            ``void *dNormBiasData``, inout, device memory.
        epsilon : float
            ``double epsilon``, in.
        norm_mean_var_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t normMeanVarDesc``, in.
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
        group_cnt : int
            ``int groupCnt``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnNormalizationBackward(
                handle._ptr,
                enum_value(mode, NormMode),
                enum_value(norm_ops, NormOps),
                enum_value(algo, NormAlgo),
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
                d_norm_scale_bias_desc._ptr,
                device_pointer(norm_scale_data, "norm_scale_data"),
                optional_device_pointer(norm_bias_data, "norm_bias_data"),
                device_pointer(d_norm_scale_data, "d_norm_scale_data"),
                device_pointer(d_norm_bias_data, "d_norm_bias_data"),
                epsilon,
                norm_mean_var_desc._ptr,
                optional_device_pointer(saved_mean, "saved_mean"),
                optional_device_pointer(saved_inv_variance, "saved_inv_variance"),
                handle_pointer(activation_desc, self._null),
                optional_device_pointer(work_space, "work_space"),
                index(work_space_size_in_bytes),
                optional_device_pointer(reserve_space, "reserve_space"),
                index(reserve_space_size_in_bytes),
                index(group_cnt),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnNormalizationBackward",
                error,
                handle=handle,
                mode=mode,
                norm_ops=norm_ops,
                algo=algo,
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
                d_norm_scale_bias_desc=d_norm_scale_bias_desc,
                norm_scale_data=norm_scale_data,
                norm_bias_data=norm_bias_data,
                d_norm_scale_data=d_norm_scale_data,
                d_norm_bias_data=d_norm_bias_data,
                epsilon=epsilon,
                norm_mean_var_desc=norm_mean_var_desc,
                saved_mean=saved_mean,
                saved_inv_variance=saved_inv_variance,
                activation_desc=activation_desc,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
                group_cnt=group_cnt,
            ) from None
        if status:
            raise self._status_error(
                "cudnnNormalizationBackward",
                status,
                handle=handle,
                mode=mode,
                norm_ops=norm_ops,
                algo=algo,
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
                d_norm_scale_bias_desc=d_norm_scale_bias_desc,
                norm_scale_data=norm_scale_data,
                norm_bias_data=norm_bias_data,
                d_norm_scale_data=d_norm_scale_data,
                d_norm_bias_data=d_norm_bias_data,
                epsilon=epsilon,
                norm_mean_var_desc=norm_mean_var_desc,
                saved_mean=saved_mean,
                saved_inv_variance=saved_inv_variance,
                activation_desc=activation_desc,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
                group_cnt=group_cnt,
            )
