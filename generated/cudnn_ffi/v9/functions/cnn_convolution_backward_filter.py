# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""Wrappers of the functions of ``cudnn_cnn.h`` about convolution backward filter."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer, optional_device_pointer
from ..._support.values import out_list, requested
from ..descriptors import ConvolutionDescriptor, FilterDescriptor, Handle, TensorDescriptor
from ..enums import ConvolutionBwdFilterAlgo

if TYPE_CHECKING:
    from .. import structs
else:
    structs = LazyModule("..structs", __package__)

__all__ = ["CnnConvolutionBackwardFilterFunctions"]


class CnnConvolutionBackwardFilterFunctions(LibraryBase):
    """Functions of ``cudnn_cnn.h`` about convolution backward filter, as methods of the loaded library."""

    def get_convolution_backward_filter_algorithm_max_count(self, handle: Handle) -> int:
        """Count the algorithms (Convolution, backward filter) that there can be:
        ``cudnnGetConvolutionBackwardFilterAlgorithmMaxCount``.

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

        Deprecated.

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

        Deprecated.

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

        Deprecated.

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

        Deprecated.

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

        Deprecated.

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
