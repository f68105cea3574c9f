# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""Wrappers of the functions of ``cudnn_cnn.h`` about convolution forward."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer, optional_device_pointer
from ..._support.values import out_list, requested
from ..descriptors import ConvolutionDescriptor, FilterDescriptor, Handle, TensorDescriptor
from ..enums import ConvolutionFwdAlgo

if TYPE_CHECKING:
    from .. import structs
    from ..results import cnn_convolution_forward as results
else:
    results = LazyModule("..results.cnn_convolution_forward", __package__)
    structs = LazyModule("..structs", __package__)

__all__ = ["CnnConvolutionForwardFunctions"]


class CnnConvolutionForwardFunctions(LibraryBase):
    """Functions of ``cudnn_cnn.h`` about convolution forward, as methods of the loaded library."""

    def get_convolution2d_forward_output_dim(
        self, conv_desc: ConvolutionDescriptor, input_tensor_desc: TensorDescriptor, filter_desc: FilterDescriptor
    ) -> results.GetConvolution2dForwardOutputDimResult:
        """Call ``cudnnGetConvolution2dForwardOutputDim``.

        Deprecated.

        Parameters
        ----------
        conv_desc : ConvolutionDescriptor
            ``const cudnnConvolutionDescriptor_t convDesc``, in.
        input_tensor_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t inputTensorDesc``, in.
        filter_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t filterDesc``, in.

        Returns
        -------
        results.GetConvolution2dForwardOutputDimResult
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
            status = self._lib.cudnnGetConvolution2dForwardOutputDim(
                conv_desc._ptr, input_tensor_desc._ptr, filter_desc._ptr, n, c, h, w
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetConvolution2dForwardOutputDim",
                error,
                conv_desc=conv_desc,
                input_tensor_desc=input_tensor_desc,
                filter_desc=filter_desc,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetConvolution2dForwardOutputDim",
                status,
                conv_desc=conv_desc,
                input_tensor_desc=input_tensor_desc,
                filter_desc=filter_desc,
            )
        return results.GetConvolution2dForwardOutputDimResult(
            n=n[0],
            c=c[0],
            h=h[0],
            w=w[0],
        )

    def get_convolution_nd_forward_output_dim(
        self,
        conv_desc: ConvolutionDescriptor,
        input_tensor_desc: TensorDescriptor,
        filter_desc: FilterDescriptor,
        nb_dims: int,
    ) -> list[int]:
        """Call ``cudnnGetConvolutionNdForwardOutputDim``.

        Deprecated.

        Parameters
        ----------
        conv_desc : ConvolutionDescriptor
            ``const cudnnConvolutionDescriptor_t convDesc``, in.
        input_tensor_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t inputTensorDesc``, in.
        filter_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t filterDesc``, in.
        nb_dims : int
            ``int nbDims``, in.

        Returns
        -------
        list[int]
            `tensor_ouput_dim_a`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            tensor_ouput_dim_a = self._new("int[]", nb_dims)
            status = self._lib.cudnnGetConvolutionNdForwardOutputDim(
                conv_desc._ptr, input_tensor_desc._ptr, filter_desc._ptr, index(nb_dims), tensor_ouput_dim_a
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetConvolutionNdForwardOutputDim",
                error,
                conv_desc=conv_desc,
                input_tensor_desc=input_tensor_desc,
                filter_desc=filter_desc,
                nb_dims=nb_dims,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetConvolutionNdForwardOutputDim",
                status,
                conv_desc=conv_desc,
                input_tensor_desc=input_tensor_desc,
                filter_desc=filter_desc,
                nb_dims=nb_dims,
            )
        found: list[int] = self._ffi.unpack(tensor_ouput_dim_a, nb_dims)
        return found

    def get_convolution_forward_algorithm_max_count(self, handle: Handle) -> int:
        """Count the algorithms (Convolution, forward) that there can be:
        ``cudnnGetConvolutionForwardAlgorithmMaxCount``.

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
            status = self._lib.cudnnGetConvolutionForwardAlgorithmMaxCount(handle._ptr, count)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetConvolutionForwardAlgorithmMaxCount", error, handle=handle) from None
        if status:
            raise self._status_error("cudnnGetConvolutionForwardAlgorithmMaxCount", status, handle=handle)
        found: int = count[0]
        return found

    def get_convolution_forward_algorithm_v7(
        self,
        handle: Handle,
        src_desc: TensorDescriptor,
        filter_desc: FilterDescriptor,
        conv_desc: ConvolutionDescriptor,
        dest_desc: TensorDescriptor,
        *,
        requested_algo_count: int | None = None,
    ) -> list[structs.ConvolutionFwdAlgoPerf]:
        """List the algorithms (Convolution, forward) in the order that the heuristic prefers:
        ``cudnnGetConvolutionForwardAlgorithm_v7``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        src_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t srcDesc``, in.
        filter_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t filterDesc``, in.
        conv_desc : ConvolutionDescriptor
            ``const cudnnConvolutionDescriptor_t convDesc``, in.
        dest_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t destDesc``, in.
        requested_algo_count : int | None, default None
            ``const int requestedAlgoCount``, in, all that there can be when None
            (``cudnnGetConvolutionForwardAlgorithmMaxCount``).

        Returns
        -------
        list[structs.ConvolutionFwdAlgoPerf]
            `perf_results`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            requested_algo_count = requested(
                requested_algo_count, lambda: self.get_convolution_forward_algorithm_max_count(handle)
            )
            returned_algo_count = self._new("int *")
            perf_results = self._new("cudnnConvolutionFwdAlgoPerf_t[]", requested_algo_count)
            status = self._lib.cudnnGetConvolutionForwardAlgorithm_v7(
                handle._ptr,
                src_desc._ptr,
                filter_desc._ptr,
                conv_desc._ptr,
                dest_desc._ptr,
                requested_algo_count,
                returned_algo_count,
                perf_results,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetConvolutionForwardAlgorithm_v7",
                error,
                handle=handle,
                src_desc=src_desc,
                filter_desc=filter_desc,
                conv_desc=conv_desc,
                dest_desc=dest_desc,
                requested_algo_count=requested_algo_count,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetConvolutionForwardAlgorithm_v7",
                status,
                handle=handle,
                src_desc=src_desc,
                filter_desc=filter_desc,
                conv_desc=conv_desc,
                dest_desc=dest_desc,
                requested_algo_count=requested_algo_count,
            )
        return [
            structs.ConvolutionFwdAlgoPerf._from_c(one, self)
            for one in out_list(self._ffi, perf_results, returned_algo_count[0], requested_algo_count)
        ]

    def find_convolution_forward_algorithm(
        self,
        handle: Handle,
        x_desc: TensorDescriptor,
        w_desc: FilterDescriptor,
        conv_desc: ConvolutionDescriptor,
        y_desc: TensorDescriptor,
        *,
        requested_algo_count: int | None = None,
    ) -> list[structs.ConvolutionFwdAlgoPerf]:
        """Measure the algorithms (Convolution, forward), in memory that the library allocates:
        ``cudnnFindConvolutionForwardAlgorithm``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        w_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t wDesc``, in.
        conv_desc : ConvolutionDescriptor
            ``const cudnnConvolutionDescriptor_t convDesc``, in.
        y_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t yDesc``, in.
        requested_algo_count : int | None, default None
            ``const int requestedAlgoCount``, in, all that there can be when None
            (``cudnnGetConvolutionForwardAlgorithmMaxCount``).

        Returns
        -------
        list[structs.ConvolutionFwdAlgoPerf]
            `perf_results`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            requested_algo_count = requested(
                requested_algo_count, lambda: self.get_convolution_forward_algorithm_max_count(handle)
            )
            returned_algo_count = self._new("int *")
            perf_results = self._new("cudnnConvolutionFwdAlgoPerf_t[]", requested_algo_count)
            status = self._lib.cudnnFindConvolutionForwardAlgorithm(
                handle._ptr,
                x_desc._ptr,
                w_desc._ptr,
                conv_desc._ptr,
                y_desc._ptr,
                requested_algo_count,
                returned_algo_count,
                perf_results,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnFindConvolutionForwardAlgorithm",
                error,
                handle=handle,
                x_desc=x_desc,
                w_desc=w_desc,
                conv_desc=conv_desc,
                y_desc=y_desc,
                requested_algo_count=requested_algo_count,
            ) from None
        if status:
            raise self._status_error(
                "cudnnFindConvolutionForwardAlgorithm",
                status,
                handle=handle,
                x_desc=x_desc,
                w_desc=w_desc,
                conv_desc=conv_desc,
                y_desc=y_desc,
                requested_algo_count=requested_algo_count,
            )
        return [
            structs.ConvolutionFwdAlgoPerf._from_c(one, self)
            for one in out_list(self._ffi, perf_results, returned_algo_count[0], requested_algo_count)
        ]

    def find_convolution_forward_algorithm_ex(
        self,
        handle: Handle,
        x_desc: TensorDescriptor,
        x: DevicePointer,
        w_desc: FilterDescriptor,
        w: DevicePointer,
        conv_desc: ConvolutionDescriptor,
        y_desc: TensorDescriptor,
        y: DevicePointer,
        work_space: DevicePointer | None,
        work_space_size_in_bytes: int,
        *,
        requested_algo_count: int | None = None,
    ) -> list[structs.ConvolutionFwdAlgoPerf]:
        """Measure the algorithms (Convolution, forward), in the caller's memory:
        ``cudnnFindConvolutionForwardAlgorithmEx``.

        Deprecated.

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
        w : DevicePointer
            ``const void *w``, in, device memory.
        conv_desc : ConvolutionDescriptor
            ``const cudnnConvolutionDescriptor_t convDesc``, in.
        y_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t yDesc``, in.
        y : DevicePointer
            ``void *y``, out, device memory.
        work_space : DevicePointer | None
            ``void *workSpace``, inout, device memory.
        work_space_size_in_bytes : int
            ``size_t workSpaceSizeInBytes``, in, bytes.
        requested_algo_count : int | None, default None
            ``const int requestedAlgoCount``, in, all that there can be when None
            (``cudnnGetConvolutionForwardAlgorithmMaxCount``).

        Returns
        -------
        list[structs.ConvolutionFwdAlgoPerf]
            `perf_results`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            requested_algo_count = requested(
                requested_algo_count, lambda: self.get_convolution_forward_algorithm_max_count(handle)
            )
            returned_algo_count = self._new("int *")
            perf_results = self._new("cudnnConvolutionFwdAlgoPerf_t[]", requested_algo_count)
            status = self._lib.cudnnFindConvolutionForwardAlgorithmEx(
                handle._ptr,
                x_desc._ptr,
                device_pointer(x, "x"),
                w_desc._ptr,
                device_pointer(w, "w"),
                conv_desc._ptr,
                y_desc._ptr,
                device_pointer(y, "y"),
                requested_algo_count,
                returned_algo_count,
                perf_results,
                optional_device_pointer(work_space, "work_space"),
                index(work_space_size_in_bytes),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnFindConvolutionForwardAlgorithmEx",
                error,
                handle=handle,
                x_desc=x_desc,
                x=x,
                w_desc=w_desc,
                w=w,
                conv_desc=conv_desc,
                y_desc=y_desc,
                y=y,
                requested_algo_count=requested_algo_count,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
            ) from None
        if status:
            raise self._status_error(
                "cudnnFindConvolutionForwardAlgorithmEx",
                status,
                handle=handle,
                x_desc=x_desc,
                x=x,
                w_desc=w_desc,
                w=w,
                conv_desc=conv_desc,
                y_desc=y_desc,
                y=y,
                requested_algo_count=requested_algo_count,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
            )
        return [
            structs.ConvolutionFwdAlgoPerf._from_c(one, self)
            for one in out_list(self._ffi, perf_results, returned_algo_count[0], requested_algo_count)
        ]

    def get_convolution_forward_workspace_size(
        self,
        handle: Handle,
        x_desc: TensorDescriptor,
        w_desc: FilterDescriptor,
        conv_desc: ConvolutionDescriptor,
        y_desc: TensorDescriptor,
        algo: ConvolutionFwdAlgo | int,
    ) -> int:
        """Ask how many bytes are needed (Convolution, forward): ``cudnnGetConvolutionForwardWorkspaceSize``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        w_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t wDesc``, in.
        conv_desc : ConvolutionDescriptor
            ``const cudnnConvolutionDescriptor_t convDesc``, in.
        y_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t yDesc``, in.
        algo : ConvolutionFwdAlgo | int
            ``cudnnConvolutionFwdAlgo_t algo``, in.

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
            status = self._lib.cudnnGetConvolutionForwardWorkspaceSize(
                handle._ptr,
                x_desc._ptr,
                w_desc._ptr,
                conv_desc._ptr,
                y_desc._ptr,
                enum_value(algo, ConvolutionFwdAlgo),
                size_in_bytes,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetConvolutionForwardWorkspaceSize",
                error,
                handle=handle,
                x_desc=x_desc,
                w_desc=w_desc,
                conv_desc=conv_desc,
                y_desc=y_desc,
                algo=algo,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetConvolutionForwardWorkspaceSize",
                status,
                handle=handle,
                x_desc=x_desc,
                w_desc=w_desc,
                conv_desc=conv_desc,
                y_desc=y_desc,
                algo=algo,
            )
        found: int = size_in_bytes[0]
        return found

    def convolution_forward(
        self,
        handle: Handle,
        alpha: float,
        x_desc: TensorDescriptor,
        x: DevicePointer,
        w_desc: FilterDescriptor,
        w: DevicePointer,
        conv_desc: ConvolutionDescriptor,
        algo: ConvolutionFwdAlgo | int,
        work_space: DevicePointer | None,
        work_space_size_in_bytes: int,
        beta: float,
        y_desc: TensorDescriptor,
        y: DevicePointer,
    ) -> None:
        """Compute (Convolution, forward): ``cudnnConvolutionForward``.

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
            status = self._lib.cudnnConvolutionForward(
                handle._ptr,
                self._scalar(alpha, y_desc),
                x_desc._ptr,
                device_pointer(x, "x"),
                w_desc._ptr,
                device_pointer(w, "w"),
                conv_desc._ptr,
                enum_value(algo, ConvolutionFwdAlgo),
                optional_device_pointer(work_space, "work_space"),
                index(work_space_size_in_bytes),
                self._scalar(beta, y_desc),
                y_desc._ptr,
                device_pointer(y, "y"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnConvolutionForward",
                error,
                handle=handle,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                w_desc=w_desc,
                w=w,
                conv_desc=conv_desc,
                algo=algo,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                beta=beta,
                y_desc=y_desc,
                y=y,
            ) from None
        if status:
            raise self._status_error(
                "cudnnConvolutionForward",
                status,
                handle=handle,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                w_desc=w_desc,
                w=w,
                conv_desc=conv_desc,
                algo=algo,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                beta=beta,
                y_desc=y_desc,
                y=y,
            )
