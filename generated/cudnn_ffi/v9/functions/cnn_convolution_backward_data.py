# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""Wrappers of the functions of ``cudnn_cnn.h`` about convolution backward data."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer, optional_device_pointer
from ..._support.values import out_list, requested
from ..descriptors import ConvolutionDescriptor, FilterDescriptor, Handle, TensorDescriptor
from ..enums import ConvolutionBwdDataAlgo

if TYPE_CHECKING:
    from .. import structs
else:
    structs = LazyModule("..structs", __package__)

__all__ = ["CnnConvolutionBackwardDataFunctions"]


class CnnConvolutionBackwardDataFunctions(LibraryBase):
    """Functions of ``cudnn_cnn.h`` about convolution backward data, as methods of the loaded library."""

    def get_convolution_backward_data_algorithm_max_count(self, handle: Handle) -> int:
        """Count the algorithms (Convolution, backward data) that there can be:
        ``cudnnGetConvolutionBackwardDataAlgorithmMaxCount``.

        Deprecated.

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
            status = self._lib.cudnnGetConvolutionBackwardDataAlgorithmMaxCount(handle._ptr, count)
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetConvolutionBackwardDataAlgorithmMaxCount", error, handle=handle
            ) from None
        if status:
            raise self._status_error("cudnnGetConvolutionBackwardDataAlgorithmMaxCount", status, handle=handle)
        found: int = count[0]
        return found

    def find_convolution_backward_data_algorithm(
        self,
        handle: Handle,
        w_desc: FilterDescriptor,
        dy_desc: TensorDescriptor,
        conv_desc: ConvolutionDescriptor,
        dx_desc: TensorDescriptor,
        *,
        requested_algo_count: int | None = None,
    ) -> list[structs.ConvolutionBwdDataAlgoPerf]:
        """Measure the algorithms (Convolution, backward data), in memory that the library allocates:
        ``cudnnFindConvolutionBackwardDataAlgorithm``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        w_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t wDesc``, in.
        dy_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dyDesc``, in.
        conv_desc : ConvolutionDescriptor
            ``const cudnnConvolutionDescriptor_t convDesc``, in.
        dx_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dxDesc``, in.
        requested_algo_count : int | None, default None
            ``const int requestedAlgoCount``, in, all that there can be when None
            (``cudnnGetConvolutionBackwardDataAlgorithmMaxCount``).

        Returns
        -------
        list[structs.ConvolutionBwdDataAlgoPerf]
            `perf_results`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            requested_algo_count = requested(
                requested_algo_count, lambda: self.get_convolution_backward_data_algorithm_max_count(handle)
            )
            returned_algo_count = self._new("int *")
            perf_results = self._new("cudnnConvolutionBwdDataAlgoPerf_t[]", requested_algo_count)
            status = self._lib.cudnnFindConvolutionBackwardDataAlgorithm(
                handle._ptr,
                w_desc._ptr,
                dy_desc._ptr,
                conv_desc._ptr,
                dx_desc._ptr,
                requested_algo_count,
                returned_algo_count,
                perf_results,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnFindConvolutionBackwardDataAlgorithm",
                error,
                handle=handle,
                w_desc=w_desc,
                dy_desc=dy_desc,
                conv_desc=conv_desc,
                dx_desc=dx_desc,
                requested_algo_count=requested_algo_count,
            ) from None
        if status:
            raise self._status_error(
                "cudnnFindConvolutionBackwardDataAlgorithm",
                status,
                handle=handle,
                w_desc=w_desc,
                dy_desc=dy_desc,
                conv_desc=conv_desc,
                dx_desc=dx_desc,
                requested_algo_count=requested_algo_count,
            )
        return [
            structs.ConvolutionBwdDataAlgoPerf._from_c(one, self)
            for one in out_list(self._ffi, perf_results, returned_algo_count[0], requested_algo_count)
        ]

    def find_convolution_backward_data_algorithm_ex(
        self,
        handle: Handle,
        w_desc: FilterDescriptor,
        w: DevicePointer,
        dy_desc: TensorDescriptor,
        dy: DevicePointer,
        conv_desc: ConvolutionDescriptor,
        dx_desc: TensorDescriptor,
        dx: DevicePointer,
        work_space: DevicePointer | None,
        work_space_size_in_bytes: int,
        *,
        requested_algo_count: int | None = None,
    ) -> list[structs.ConvolutionBwdDataAlgoPerf]:
        """Measure the algorithms (Convolution, backward data), in the caller's memory:
        ``cudnnFindConvolutionBackwardDataAlgorithmEx``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        w_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t wDesc``, in.
        w : DevicePointer
            ``const void *w``, in, device memory.
        dy_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dyDesc``, in.
        dy : DevicePointer
            ``const void *dy``, in, device memory.
        conv_desc : ConvolutionDescriptor
            ``const cudnnConvolutionDescriptor_t convDesc``, in.
        dx_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dxDesc``, in.
        dx : DevicePointer
            ``void *dx``, out, device memory.
        work_space : DevicePointer | None
            ``void *workSpace``, inout, device memory.
        work_space_size_in_bytes : int
            ``size_t workSpaceSizeInBytes``, in, bytes.
        requested_algo_count : int | None, default None
            ``const int requestedAlgoCount``, in, all that there can be when None
            (``cudnnGetConvolutionBackwardDataAlgorithmMaxCount``).

        Returns
        -------
        list[structs.ConvolutionBwdDataAlgoPerf]
            `perf_results`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            requested_algo_count = requested(
                requested_algo_count, lambda: self.get_convolution_backward_data_algorithm_max_count(handle)
            )
            returned_algo_count = self._new("int *")
            perf_results = self._new("cudnnConvolutionBwdDataAlgoPerf_t[]", requested_algo_count)
            status = self._lib.cudnnFindConvolutionBackwardDataAlgorithmEx(
                handle._ptr,
                w_desc._ptr,
                device_pointer(w, "w"),
                dy_desc._ptr,
                device_pointer(dy, "dy"),
                conv_desc._ptr,
                dx_desc._ptr,
                device_pointer(dx, "dx"),
                requested_algo_count,
                returned_algo_count,
                perf_results,
                optional_device_pointer(work_space, "work_space"),
                index(work_space_size_in_bytes),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnFindConvolutionBackwardDataAlgorithmEx",
                error,
                handle=handle,
                w_desc=w_desc,
                w=w,
                dy_desc=dy_desc,
                dy=dy,
                conv_desc=conv_desc,
                dx_desc=dx_desc,
                dx=dx,
                requested_algo_count=requested_algo_count,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
            ) from None
        if status:
            raise self._status_error(
                "cudnnFindConvolutionBackwardDataAlgorithmEx",
                status,
                handle=handle,
                w_desc=w_desc,
                w=w,
                dy_desc=dy_desc,
                dy=dy,
                conv_desc=conv_desc,
                dx_desc=dx_desc,
                dx=dx,
                requested_algo_count=requested_algo_count,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
            )
        return [
            structs.ConvolutionBwdDataAlgoPerf._from_c(one, self)
            for one in out_list(self._ffi, perf_results, returned_algo_count[0], requested_algo_count)
        ]

    def get_convolution_backward_data_algorithm_v7(
        self,
        handle: Handle,
        filter_desc: FilterDescriptor,
        diff_desc: TensorDescriptor,
        conv_desc: ConvolutionDescriptor,
        grad_desc: TensorDescriptor,
        *,
        requested_algo_count: int | None = None,
    ) -> list[structs.ConvolutionBwdDataAlgoPerf]:
        """List the algorithms (Convolution, backward data) in the order that the heuristic prefers:
        ``cudnnGetConvolutionBackwardDataAlgorithm_v7``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        filter_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t filterDesc``, in.
        diff_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t diffDesc``, in.
        conv_desc : ConvolutionDescriptor
            ``const cudnnConvolutionDescriptor_t convDesc``, in.
        grad_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t gradDesc``, in.
        requested_algo_count : int | None, default None
            ``const int requestedAlgoCount``, in, all that there can be when None
            (``cudnnGetConvolutionBackwardDataAlgorithmMaxCount``).

        Returns
        -------
        list[structs.ConvolutionBwdDataAlgoPerf]
            `perf_results`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            requested_algo_count = requested(
                requested_algo_count, lambda: self.get_convolution_backward_data_algorithm_max_count(handle)
            )
            returned_algo_count = self._new("int *")
            perf_results = self._new("cudnnConvolutionBwdDataAlgoPerf_t[]", requested_algo_count)
            status = self._lib.cudnnGetConvolutionBackwardDataAlgorithm_v7(
                handle._ptr,
                filter_desc._ptr,
                diff_desc._ptr,
                conv_desc._ptr,
                grad_desc._ptr,
                requested_algo_count,
                returned_algo_count,
                perf_results,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetConvolutionBackwardDataAlgorithm_v7",
                error,
                handle=handle,
                filter_desc=filter_desc,
                diff_desc=diff_desc,
                conv_desc=conv_desc,
                grad_desc=grad_desc,
                requested_algo_count=requested_algo_count,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetConvolutionBackwardDataAlgorithm_v7",
                status,
                handle=handle,
                filter_desc=filter_desc,
                diff_desc=diff_desc,
                conv_desc=conv_desc,
                grad_desc=grad_desc,
                requested_algo_count=requested_algo_count,
            )
        return [
            structs.ConvolutionBwdDataAlgoPerf._from_c(one, self)
            for one in out_list(self._ffi, perf_results, returned_algo_count[0], requested_algo_count)
        ]

    def get_convolution_backward_data_workspace_size(
        self,
        handle: Handle,
        w_desc: FilterDescriptor,
        dy_desc: TensorDescriptor,
        conv_desc: ConvolutionDescriptor,
        dx_desc: TensorDescriptor,
        algo: ConvolutionBwdDataAlgo | int,
    ) -> int:
        """Ask how many bytes are needed (Convolution, backward data):
        ``cudnnGetConvolutionBackwardDataWorkspaceSize``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        w_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t wDesc``, in.
        dy_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dyDesc``, in.
        conv_desc : ConvolutionDescriptor
            ``const cudnnConvolutionDescriptor_t convDesc``, in.
        dx_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dxDesc``, in.
        algo : ConvolutionBwdDataAlgo | int
            ``cudnnConvolutionBwdDataAlgo_t algo``, in.

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
            status = self._lib.cudnnGetConvolutionBackwardDataWorkspaceSize(
                handle._ptr,
                w_desc._ptr,
                dy_desc._ptr,
                conv_desc._ptr,
                dx_desc._ptr,
                enum_value(algo, ConvolutionBwdDataAlgo),
                size_in_bytes,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetConvolutionBackwardDataWorkspaceSize",
                error,
                handle=handle,
                w_desc=w_desc,
                dy_desc=dy_desc,
                conv_desc=conv_desc,
                dx_desc=dx_desc,
                algo=algo,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetConvolutionBackwardDataWorkspaceSize",
                status,
                handle=handle,
                w_desc=w_desc,
                dy_desc=dy_desc,
                conv_desc=conv_desc,
                dx_desc=dx_desc,
                algo=algo,
            )
        found: int = size_in_bytes[0]
        return found

    def convolution_backward_data(
        self,
        handle: Handle,
        alpha: float,
        w_desc: FilterDescriptor,
        w: DevicePointer,
        dy_desc: TensorDescriptor,
        dy: DevicePointer,
        conv_desc: ConvolutionDescriptor,
        algo: ConvolutionBwdDataAlgo | int,
        work_space: DevicePointer | None,
        work_space_size_in_bytes: int,
        beta: float,
        dx_desc: TensorDescriptor,
        dx: DevicePointer,
    ) -> None:
        """Compute gradients (Convolution, backward data): ``cudnnConvolutionBackwardData``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        alpha : float
            ``const void *alpha``, in, in host memory; double where `dx_desc` is, else float.
        w_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t wDesc``, in.
        w : DevicePointer
            ``const void *w``, in, device memory.
        dy_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dyDesc``, in.
        dy : DevicePointer
            ``const void *dy``, in, device memory.
        conv_desc : ConvolutionDescriptor
            ``const cudnnConvolutionDescriptor_t convDesc``, in.
        algo : ConvolutionBwdDataAlgo | int
            ``cudnnConvolutionBwdDataAlgo_t algo``, in.
        work_space : DevicePointer | None
            ``void *workSpace``, inout, device memory.
        work_space_size_in_bytes : int
            ``size_t workSpaceSizeInBytes``, in, bytes.
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
            status = self._lib.cudnnConvolutionBackwardData(
                handle._ptr,
                self._scalar(alpha, dx_desc),
                w_desc._ptr,
                device_pointer(w, "w"),
                dy_desc._ptr,
                device_pointer(dy, "dy"),
                conv_desc._ptr,
                enum_value(algo, ConvolutionBwdDataAlgo),
                optional_device_pointer(work_space, "work_space"),
                index(work_space_size_in_bytes),
                self._scalar(beta, dx_desc),
                dx_desc._ptr,
                device_pointer(dx, "dx"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnConvolutionBackwardData",
                error,
                handle=handle,
                alpha=alpha,
                w_desc=w_desc,
                w=w,
                dy_desc=dy_desc,
                dy=dy,
                conv_desc=conv_desc,
                algo=algo,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                beta=beta,
                dx_desc=dx_desc,
                dx=dx,
            ) from None
        if status:
            raise self._status_error(
                "cudnnConvolutionBackwardData",
                status,
                handle=handle,
                alpha=alpha,
                w_desc=w_desc,
                w=w,
                dy_desc=dy_desc,
                dy=dy,
                conv_desc=conv_desc,
                algo=algo,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                beta=beta,
                dx_desc=dx_desc,
                dx=dx,
            )
