# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_cnn_train.h``."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

from ..._support.enums import enum_value
from ..._support.labels import label_room, label_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer, optional_device_pointer
from ..._support.values import out_list, requested
from ..descriptors import (
    ConvolutionDescriptor,
    FilterDescriptor,
    FusedOpsConstParamPack,
    FusedOpsPlan,
    FusedOpsVariantParamPack,
    Handle,
    TensorDescriptor,
)
from ..enums import ConvolutionBwdFilterAlgo, FusedOps, FusedOpsConstParamLabel, FusedOpsVariantParamLabel
from ..tables import LABELS

if TYPE_CHECKING:
    from .. import structs
else:
    structs = LazyModule("..structs", __package__)

__all__ = ["CnnTrainFunctions"]


class CnnTrainFunctions(LibraryBase):
    """Functions of ``cudnn_cnn_train.h``, as methods of the loaded library."""

    def get_convolution_backward_filter_algorithm_max_count(self, handle: Handle) -> int:
        """Count the algorithms (Convolution, backward filter) that there can be:
        ``cudnnGetConvolutionBackwardFilterAlgorithmMaxCount``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.

        Returns
        -------
        int
            `count`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            count = self._new("int *")
            status = self._lib.cudnnGetConvolutionBackwardFilterAlgorithmMaxCount(handle._ptr, count)
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetConvolutionBackwardFilterAlgorithmMaxCount", error, handle=handle
            ) from None
        if status:
            raise self._status_error("cudnnGetConvolutionBackwardFilterAlgorithmMaxCount", status, handle=handle)
        found: int = count[0]
        return found

    def find_convolution_backward_filter_algorithm(
        self,
        handle: Handle,
        x_desc: TensorDescriptor,
        dy_desc: TensorDescriptor,
        conv_desc: ConvolutionDescriptor,
        dw_desc: FilterDescriptor,
        *,
        requested_algo_count: int | None = None,
    ) -> list[structs.ConvolutionBwdFilterAlgoPerf]:
        """Measure the algorithms (Convolution, backward filter), in memory that the library allocates:
        ``cudnnFindConvolutionBackwardFilterAlgorithm``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        dy_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dyDesc``, in.
        conv_desc : ConvolutionDescriptor
            ``const cudnnConvolutionDescriptor_t convDesc``, in.
        dw_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t dwDesc``, in.
        requested_algo_count : int | None, default None
            ``const int requestedAlgoCount``, in, all that there can be when None
            (``cudnnGetConvolutionBackwardFilterAlgorithmMaxCount``).

        Returns
        -------
        list[structs.ConvolutionBwdFilterAlgoPerf]
            `perf_results`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            requested_algo_count = requested(
                requested_algo_count, lambda: self.get_convolution_backward_filter_algorithm_max_count(handle)
            )
            returned_algo_count = self._new("int *")
            perf_results = self._new("cudnnConvolutionBwdFilterAlgoPerf_t[]", requested_algo_count)
            status = self._lib.cudnnFindConvolutionBackwardFilterAlgorithm(
                handle._ptr,
                x_desc._ptr,
                dy_desc._ptr,
                conv_desc._ptr,
                dw_desc._ptr,
                requested_algo_count,
                returned_algo_count,
                perf_results,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnFindConvolutionBackwardFilterAlgorithm",
                error,
                handle=handle,
                x_desc=x_desc,
                dy_desc=dy_desc,
                conv_desc=conv_desc,
                dw_desc=dw_desc,
                requested_algo_count=requested_algo_count,
            ) from None
        if status:
            raise self._status_error(
                "cudnnFindConvolutionBackwardFilterAlgorithm",
                status,
                handle=handle,
                x_desc=x_desc,
                dy_desc=dy_desc,
                conv_desc=conv_desc,
                dw_desc=dw_desc,
                requested_algo_count=requested_algo_count,
            )
        return [
            structs.ConvolutionBwdFilterAlgoPerf._from_c(one, self)
            for one in out_list(self._ffi, perf_results, returned_algo_count[0], requested_algo_count)
        ]

    def find_convolution_backward_filter_algorithm_ex(
        self,
        handle: Handle,
        x_desc: TensorDescriptor,
        x: DevicePointer,
        dy_desc: TensorDescriptor,
        y: DevicePointer,
        conv_desc: ConvolutionDescriptor,
        dw_desc: FilterDescriptor,
        dw: DevicePointer,
        work_space: DevicePointer | None,
        work_space_size_in_bytes: int,
        *,
        requested_algo_count: int | None = None,
    ) -> list[structs.ConvolutionBwdFilterAlgoPerf]:
        """Measure the algorithms (Convolution, backward filter), in the caller's memory:
        ``cudnnFindConvolutionBackwardFilterAlgorithmEx``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        x : DevicePointer
            ``const void *x``, in, device memory.
        dy_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dyDesc``, in.
        y : DevicePointer
            ``const void *y``, in, device memory.
        conv_desc : ConvolutionDescriptor
            ``const cudnnConvolutionDescriptor_t convDesc``, in.
        dw_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t dwDesc``, in.
        dw : DevicePointer
            ``void *dw``, out, device memory.
        work_space : DevicePointer | None
            ``void *workSpace``, inout, device memory.
        work_space_size_in_bytes : int
            ``size_t workSpaceSizeInBytes``, in, bytes.
        requested_algo_count : int | None, default None
            ``const int requestedAlgoCount``, in, all that there can be when None
            (``cudnnGetConvolutionBackwardFilterAlgorithmMaxCount``).

        Returns
        -------
        list[structs.ConvolutionBwdFilterAlgoPerf]
            `perf_results`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            requested_algo_count = requested(
                requested_algo_count, lambda: self.get_convolution_backward_filter_algorithm_max_count(handle)
            )
            returned_algo_count = self._new("int *")
            perf_results = self._new("cudnnConvolutionBwdFilterAlgoPerf_t[]", requested_algo_count)
            status = self._lib.cudnnFindConvolutionBackwardFilterAlgorithmEx(
                handle._ptr,
                x_desc._ptr,
                device_pointer(x, "x"),
                dy_desc._ptr,
                device_pointer(y, "y"),
                conv_desc._ptr,
                dw_desc._ptr,
                device_pointer(dw, "dw"),
                requested_algo_count,
                returned_algo_count,
                perf_results,
                optional_device_pointer(work_space, "work_space"),
                index(work_space_size_in_bytes),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnFindConvolutionBackwardFilterAlgorithmEx",
                error,
                handle=handle,
                x_desc=x_desc,
                x=x,
                dy_desc=dy_desc,
                y=y,
                conv_desc=conv_desc,
                dw_desc=dw_desc,
                dw=dw,
                requested_algo_count=requested_algo_count,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
            ) from None
        if status:
            raise self._status_error(
                "cudnnFindConvolutionBackwardFilterAlgorithmEx",
                status,
                handle=handle,
                x_desc=x_desc,
                x=x,
                dy_desc=dy_desc,
                y=y,
                conv_desc=conv_desc,
                dw_desc=dw_desc,
                dw=dw,
                requested_algo_count=requested_algo_count,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
            )
        return [
            structs.ConvolutionBwdFilterAlgoPerf._from_c(one, self)
            for one in out_list(self._ffi, perf_results, returned_algo_count[0], requested_algo_count)
        ]

    def get_convolution_backward_filter_algorithm_v7(
        self,
        handle: Handle,
        src_desc: TensorDescriptor,
        diff_desc: TensorDescriptor,
        conv_desc: ConvolutionDescriptor,
        grad_desc: FilterDescriptor,
        *,
        requested_algo_count: int | None = None,
    ) -> list[structs.ConvolutionBwdFilterAlgoPerf]:
        """List the algorithms (Convolution, backward filter) in the order that the heuristic prefers:
        ``cudnnGetConvolutionBackwardFilterAlgorithm_v7``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        src_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t srcDesc``, in.
        diff_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t diffDesc``, in.
        conv_desc : ConvolutionDescriptor
            ``const cudnnConvolutionDescriptor_t convDesc``, in.
        grad_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t gradDesc``, in.
        requested_algo_count : int | None, default None
            ``const int requestedAlgoCount``, in, all that there can be when None
            (``cudnnGetConvolutionBackwardFilterAlgorithmMaxCount``).

        Returns
        -------
        list[structs.ConvolutionBwdFilterAlgoPerf]
            `perf_results`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            requested_algo_count = requested(
                requested_algo_count, lambda: self.get_convolution_backward_filter_algorithm_max_count(handle)
            )
            returned_algo_count = self._new("int *")
            perf_results = self._new("cudnnConvolutionBwdFilterAlgoPerf_t[]", requested_algo_count)
            status = self._lib.cudnnGetConvolutionBackwardFilterAlgorithm_v7(
                handle._ptr,
                src_desc._ptr,
                diff_desc._ptr,
                conv_desc._ptr,
                grad_desc._ptr,
                requested_algo_count,
                returned_algo_count,
                perf_results,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetConvolutionBackwardFilterAlgorithm_v7",
                error,
                handle=handle,
                src_desc=src_desc,
                diff_desc=diff_desc,
                conv_desc=conv_desc,
                grad_desc=grad_desc,
                requested_algo_count=requested_algo_count,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetConvolutionBackwardFilterAlgorithm_v7",
                status,
                handle=handle,
                src_desc=src_desc,
                diff_desc=diff_desc,
                conv_desc=conv_desc,
                grad_desc=grad_desc,
                requested_algo_count=requested_algo_count,
            )
        return [
            structs.ConvolutionBwdFilterAlgoPerf._from_c(one, self)
            for one in out_list(self._ffi, perf_results, returned_algo_count[0], requested_algo_count)
        ]

    def get_convolution_backward_filter_workspace_size(
        self,
        handle: Handle,
        x_desc: TensorDescriptor,
        dy_desc: TensorDescriptor,
        conv_desc: ConvolutionDescriptor,
        grad_desc: FilterDescriptor,
        algo: ConvolutionBwdFilterAlgo | int,
    ) -> int:
        """Ask how many bytes are needed (Convolution, backward filter):
        ``cudnnGetConvolutionBackwardFilterWorkspaceSize``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        dy_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dyDesc``, in.
        conv_desc : ConvolutionDescriptor
            ``const cudnnConvolutionDescriptor_t convDesc``, in.
        grad_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t gradDesc``, in.
        algo : ConvolutionBwdFilterAlgo | int
            ``cudnnConvolutionBwdFilterAlgo_t algo``, in.

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
            status = self._lib.cudnnGetConvolutionBackwardFilterWorkspaceSize(
                handle._ptr,
                x_desc._ptr,
                dy_desc._ptr,
                conv_desc._ptr,
                grad_desc._ptr,
                enum_value(algo, ConvolutionBwdFilterAlgo),
                size_in_bytes,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetConvolutionBackwardFilterWorkspaceSize",
                error,
                handle=handle,
                x_desc=x_desc,
                dy_desc=dy_desc,
                conv_desc=conv_desc,
                grad_desc=grad_desc,
                algo=algo,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetConvolutionBackwardFilterWorkspaceSize",
                status,
                handle=handle,
                x_desc=x_desc,
                dy_desc=dy_desc,
                conv_desc=conv_desc,
                grad_desc=grad_desc,
                algo=algo,
            )
        found: int = size_in_bytes[0]
        return found

    def convolution_backward_filter(
        self,
        handle: Handle,
        alpha: float,
        x_desc: TensorDescriptor,
        x: DevicePointer,
        dy_desc: TensorDescriptor,
        dy: DevicePointer,
        conv_desc: ConvolutionDescriptor,
        algo: ConvolutionBwdFilterAlgo | int,
        work_space: DevicePointer | None,
        work_space_size_in_bytes: int,
        beta: float,
        dw_desc: FilterDescriptor,
        dw: DevicePointer,
    ) -> None:
        """Compute gradients (Convolution, backward filter): ``cudnnConvolutionBackwardFilter``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        alpha : float
            ``const void *alpha``, in, in host memory; double where `dw_desc` is, else float.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        x : DevicePointer
            ``const void *x``, in, device memory.
        dy_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dyDesc``, in.
        dy : DevicePointer
            ``const void *dy``, in, device memory.
        conv_desc : ConvolutionDescriptor
            ``const cudnnConvolutionDescriptor_t convDesc``, in.
        algo : ConvolutionBwdFilterAlgo | int
            ``cudnnConvolutionBwdFilterAlgo_t algo``, in.
        work_space : DevicePointer | None
            ``void *workSpace``, inout, device memory.
        work_space_size_in_bytes : int
            ``size_t workSpaceSizeInBytes``, in, bytes.
        beta : float
            ``const void *beta``, in, in host memory; double where `dw_desc` is, else float.
        dw_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t dwDesc``, in.
        dw : DevicePointer
            ``void *dw``, inout, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnConvolutionBackwardFilter(
                handle._ptr,
                self._scalar(alpha, dw_desc),
                x_desc._ptr,
                device_pointer(x, "x"),
                dy_desc._ptr,
                device_pointer(dy, "dy"),
                conv_desc._ptr,
                enum_value(algo, ConvolutionBwdFilterAlgo),
                optional_device_pointer(work_space, "work_space"),
                index(work_space_size_in_bytes),
                self._scalar(beta, dw_desc),
                dw_desc._ptr,
                device_pointer(dw, "dw"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnConvolutionBackwardFilter",
                error,
                handle=handle,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                dy_desc=dy_desc,
                dy=dy,
                conv_desc=conv_desc,
                algo=algo,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                beta=beta,
                dw_desc=dw_desc,
                dw=dw,
            ) from None
        if status:
            raise self._status_error(
                "cudnnConvolutionBackwardFilter",
                status,
                handle=handle,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                dy_desc=dy_desc,
                dy=dy,
                conv_desc=conv_desc,
                algo=algo,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                beta=beta,
                dw_desc=dw_desc,
                dw=dw,
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

    def create_fused_ops_const_param_pack(self, ops: FusedOps | int) -> FusedOpsConstParamPack:
        """Run a fused operation (FusedOps): ``cudnnCreateFusedOpsConstParamPack``.

        Parameters
        ----------
        ops : FusedOps | int
            ``cudnnFusedOps_t ops``, in.

        Returns
        -------
        FusedOpsConstParamPack
            `const_pack`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            const_pack = self._new("cudnnFusedOpsConstParamPack_t *")
            status = self._lib.cudnnCreateFusedOpsConstParamPack(const_pack, enum_value(ops, FusedOps))
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateFusedOpsConstParamPack", error, ops=ops) from None
        if status:
            raise self._status_error("cudnnCreateFusedOpsConstParamPack", status, ops=ops)
        return FusedOpsConstParamPack(self, const_pack[0])

    def destroy_fused_ops_const_param_pack(self, const_pack: FusedOpsConstParamPack) -> None:
        """Run a fused operation (FusedOps): ``cudnnDestroyFusedOpsConstParamPack``.

        Parameters
        ----------
        const_pack : FusedOpsConstParamPack
            ``cudnnFusedOpsConstParamPack_t constPack``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyFusedOpsConstParamPack", const_pack)

    def set_fused_ops_const_param_pack_attribute(
        self, const_pack: FusedOpsConstParamPack, param_label: FusedOpsConstParamLabel | int, param: Any
    ) -> None:
        """Run a fused operation (FusedOps): ``cudnnSetFusedOpsConstParamPackAttribute``.

        Parameters
        ----------
        const_pack : FusedOpsConstParamPack
            ``cudnnFusedOpsConstParamPack_t constPack``, inout.
        param_label : FusedOpsConstParamLabel | int
            ``cudnnFusedOpsConstParamLabel_t paramLabel``, in.
        param : Any
            ``const void *param``, in, of the type that `param_label` wants, or a buffer, cffi data or None.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetFusedOpsConstParamPackAttribute(
                const_pack._ptr,
                enum_value(param_label, FusedOpsConstParamLabel),
                label_value(self._ffi, LABELS, FusedOpsConstParamLabel(param_label), param, "param"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetFusedOpsConstParamPackAttribute",
                error,
                const_pack=const_pack,
                param_label=param_label,
                param=param,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetFusedOpsConstParamPackAttribute",
                status,
                const_pack=const_pack,
                param_label=param_label,
                param=param,
            )

    def get_fused_ops_const_param_pack_attribute(
        self, const_pack: FusedOpsConstParamPack, param_label: FusedOpsConstParamLabel | int, param: Any
    ) -> int:
        """Run a fused operation (FusedOps): ``cudnnGetFusedOpsConstParamPackAttribute``.

        Parameters
        ----------
        const_pack : FusedOpsConstParamPack
            ``const cudnnFusedOpsConstParamPack_t constPack``, in.
        param_label : FusedOpsConstParamLabel | int
            ``cudnnFusedOpsConstParamLabel_t paramLabel``, in.
        param : Any
            ``void *param``, out, a descriptor, or a buffer in host memory; the call writes to it.

        Returns
        -------
        int
            `is_null`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            is_null = self._new("int *")
            status = self._lib.cudnnGetFusedOpsConstParamPackAttribute(
                const_pack._ptr,
                enum_value(param_label, FusedOpsConstParamLabel),
                label_room(self._ffi, LABELS, FusedOpsConstParamLabel(param_label), param, "param"),
                is_null,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetFusedOpsConstParamPackAttribute",
                error,
                const_pack=const_pack,
                param_label=param_label,
                param=param,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetFusedOpsConstParamPackAttribute",
                status,
                const_pack=const_pack,
                param_label=param_label,
                param=param,
            )
        found: int = is_null[0]
        return found

    def create_fused_ops_variant_param_pack(self, ops: FusedOps | int) -> FusedOpsVariantParamPack:
        """Run a fused operation (FusedOps): ``cudnnCreateFusedOpsVariantParamPack``.

        Parameters
        ----------
        ops : FusedOps | int
            ``cudnnFusedOps_t ops``, in.

        Returns
        -------
        FusedOpsVariantParamPack
            `var_pack`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            var_pack = self._new("cudnnFusedOpsVariantParamPack_t *")
            status = self._lib.cudnnCreateFusedOpsVariantParamPack(var_pack, enum_value(ops, FusedOps))
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateFusedOpsVariantParamPack", error, ops=ops) from None
        if status:
            raise self._status_error("cudnnCreateFusedOpsVariantParamPack", status, ops=ops)
        return FusedOpsVariantParamPack(self, var_pack[0])

    def destroy_fused_ops_variant_param_pack(self, var_pack: FusedOpsVariantParamPack) -> None:
        """Run a fused operation (FusedOps): ``cudnnDestroyFusedOpsVariantParamPack``.

        Parameters
        ----------
        var_pack : FusedOpsVariantParamPack
            ``cudnnFusedOpsVariantParamPack_t varPack``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyFusedOpsVariantParamPack", var_pack)

    def set_fused_ops_variant_param_pack_attribute(
        self, var_pack: FusedOpsVariantParamPack, param_label: FusedOpsVariantParamLabel | int, ptr: Any
    ) -> None:
        """Run a fused operation (FusedOps): ``cudnnSetFusedOpsVariantParamPackAttribute``.

        Parameters
        ----------
        var_pack : FusedOpsVariantParamPack
            ``cudnnFusedOpsVariantParamPack_t varPack``, inout.
        param_label : FusedOpsVariantParamLabel | int
            ``cudnnFusedOpsVariantParamLabel_t paramLabel``, in.
        ptr : Any
            ``void *ptr``, in, of the type that `param_label` wants, or a buffer, cffi data or None.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetFusedOpsVariantParamPackAttribute(
                var_pack._ptr,
                enum_value(param_label, FusedOpsVariantParamLabel),
                label_value(self._ffi, LABELS, FusedOpsVariantParamLabel(param_label), ptr, "ptr"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetFusedOpsVariantParamPackAttribute", error, var_pack=var_pack, param_label=param_label, ptr=ptr
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetFusedOpsVariantParamPackAttribute", status, var_pack=var_pack, param_label=param_label, ptr=ptr
            )

    def get_fused_ops_variant_param_pack_attribute(
        self, var_pack: FusedOpsVariantParamPack, param_label: FusedOpsVariantParamLabel | int, ptr: Any
    ) -> None:
        """Run a fused operation (FusedOps): ``cudnnGetFusedOpsVariantParamPackAttribute``.

        Parameters
        ----------
        var_pack : FusedOpsVariantParamPack
            ``const cudnnFusedOpsVariantParamPack_t varPack``, in.
        param_label : FusedOpsVariantParamLabel | int
            ``cudnnFusedOpsVariantParamLabel_t paramLabel``, in.
        ptr : Any
            ``void *ptr``, out, a descriptor, or a buffer in host memory; the call writes to it.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnGetFusedOpsVariantParamPackAttribute(
                var_pack._ptr,
                enum_value(param_label, FusedOpsVariantParamLabel),
                label_room(self._ffi, LABELS, FusedOpsVariantParamLabel(param_label), ptr, "ptr"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetFusedOpsVariantParamPackAttribute", error, var_pack=var_pack, param_label=param_label, ptr=ptr
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetFusedOpsVariantParamPackAttribute", status, var_pack=var_pack, param_label=param_label, ptr=ptr
            )

    def create_fused_ops_plan(self, ops: FusedOps | int) -> FusedOpsPlan:
        """Run a fused operation (FusedOps): ``cudnnCreateFusedOpsPlan``.

        Parameters
        ----------
        ops : FusedOps | int
            ``cudnnFusedOps_t ops``, in.

        Returns
        -------
        FusedOpsPlan
            `plan`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            plan = self._new("cudnnFusedOpsPlan_t *")
            status = self._lib.cudnnCreateFusedOpsPlan(plan, enum_value(ops, FusedOps))
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateFusedOpsPlan", error, ops=ops) from None
        if status:
            raise self._status_error("cudnnCreateFusedOpsPlan", status, ops=ops)
        return FusedOpsPlan(self, plan[0])

    def destroy_fused_ops_plan(self, plan: FusedOpsPlan) -> None:
        """Run a fused operation (FusedOps): ``cudnnDestroyFusedOpsPlan``.

        Parameters
        ----------
        plan : FusedOpsPlan
            ``cudnnFusedOpsPlan_t plan``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyFusedOpsPlan", plan)

    def make_fused_ops_plan(self, handle: Handle, plan: FusedOpsPlan, const_pack: FusedOpsConstParamPack) -> int:
        """Run a fused operation (FusedOps): ``cudnnMakeFusedOpsPlan``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        plan : FusedOpsPlan
            ``cudnnFusedOpsPlan_t plan``, inout.
        const_pack : FusedOpsConstParamPack
            ``const cudnnFusedOpsConstParamPack_t constPack``, in.

        Returns
        -------
        int
            `workspace_size_in_bytes`, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            workspace_size_in_bytes = self._new("size_t *")
            status = self._lib.cudnnMakeFusedOpsPlan(handle._ptr, plan._ptr, const_pack._ptr, workspace_size_in_bytes)
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnMakeFusedOpsPlan", error, handle=handle, plan=plan, const_pack=const_pack
            ) from None
        if status:
            raise self._status_error("cudnnMakeFusedOpsPlan", status, handle=handle, plan=plan, const_pack=const_pack)
        found: int = workspace_size_in_bytes[0]
        return found

    def fused_ops_execute(self, handle: Handle, plan: FusedOpsPlan, var_pack: FusedOpsVariantParamPack) -> None:
        """Run a fused operation (FusedOps): ``cudnnFusedOpsExecute``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        plan : FusedOpsPlan
            ``const cudnnFusedOpsPlan_t plan``, in.
        var_pack : FusedOpsVariantParamPack
            ``cudnnFusedOpsVariantParamPack_t varPack``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnFusedOpsExecute(handle._ptr, plan._ptr, var_pack._ptr)
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnFusedOpsExecute", error, handle=handle, plan=plan, var_pack=var_pack
            ) from None
        if status:
            raise self._status_error("cudnnFusedOpsExecute", status, handle=handle, plan=plan, var_pack=var_pack)

    def cnn_train_version_check(self) -> None:
        """Call ``cudnnCnnTrainVersionCheck``.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnCnnTrainVersionCheck()
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCnnTrainVersionCheck", error) from None
        if status:
            raise self._status_error("cudnnCnnTrainVersionCheck", status)
