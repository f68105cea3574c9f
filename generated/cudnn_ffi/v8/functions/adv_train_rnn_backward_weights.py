# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_adv_train.h`` about rnn backward weights."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index

from ..._support.descriptors import handle_pointer
from ..._support.enums import enum_value
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer, optional_device_pointer
from ..._support.values import in_array, same_length
from ..descriptors import (
    AlgorithmPerformance,
    FilterDescriptor,
    Handle,
    RNNDataDescriptor,
    RNNDescriptor,
    TensorDescriptor,
)
from ..enums import WgradMode

__all__ = ["AdvTrainRnnBackwardWeightsFunctions"]


class AdvTrainRnnBackwardWeightsFunctions(LibraryBase):
    """Functions of ``cudnn_adv_train.h`` about rnn backward weights, as methods of the loaded library."""

    def rnn_backward_weights(
        self,
        handle: Handle,
        rnn_desc: RNNDescriptor,
        x_desc: Sequence[TensorDescriptor],
        x: DevicePointer,
        hx_desc: TensorDescriptor | None,
        hx: DevicePointer | None,
        y_desc: Sequence[TensorDescriptor],
        y: DevicePointer,
        work_space: DevicePointer | None,
        work_space_size_in_bytes: int,
        dw_desc: FilterDescriptor,
        dw: DevicePointer,
        reserve_space: DevicePointer | None,
        reserve_space_size_in_bytes: int,
    ) -> None:
        """Compute gradients (RNN, backward weights): ``cudnnRNNBackwardWeights``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``const cudnnRNNDescriptor_t rnnDesc``, in.
        x_desc : Sequence[TensorDescriptor]
            ``const cudnnTensorDescriptor_t *xDesc``, in, passed with its length as ``seqLength``.
        x : DevicePointer
            ``const void *x``, in, device memory.
        hx_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t hxDesc``, in.
        hx : DevicePointer | None
            ``const void *hx``, in, device memory.
        y_desc : Sequence[TensorDescriptor]
            ``const cudnnTensorDescriptor_t *yDesc``, in, passed with its length as ``seqLength``.
        y : DevicePointer
            ``const void *y``, in, device memory.
        work_space : DevicePointer | None
            ``const void *workSpace``, in, device memory.
        work_space_size_in_bytes : int
            ``size_t workSpaceSizeInBytes``, in, bytes.
        dw_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t dwDesc``, in.
        dw : DevicePointer
            ``void *dw``, inout, device memory.
        reserve_space : DevicePointer | None
            ``const void *reserveSpace``, in, device memory.
        reserve_space_size_in_bytes : int
            ``size_t reserveSpaceSizeInBytes``, in, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            seq_length = same_length(x_desc=x_desc, y_desc=y_desc)
            status = self._lib.cudnnRNNBackwardWeights(
                handle._ptr,
                rnn_desc._ptr,
                seq_length,
                in_array(self._ffi, "cudnnTensorDescriptor_t[]", [one._ptr for one in x_desc], "x_desc"),
                device_pointer(x, "x"),
                handle_pointer(hx_desc, self._null),
                optional_device_pointer(hx, "hx"),
                in_array(self._ffi, "cudnnTensorDescriptor_t[]", [one._ptr for one in y_desc], "y_desc"),
                device_pointer(y, "y"),
                optional_device_pointer(work_space, "work_space"),
                index(work_space_size_in_bytes),
                dw_desc._ptr,
                device_pointer(dw, "dw"),
                optional_device_pointer(reserve_space, "reserve_space"),
                index(reserve_space_size_in_bytes),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnRNNBackwardWeights",
                error,
                handle=handle,
                rnn_desc=rnn_desc,
                x_desc=x_desc,
                x=x,
                hx_desc=hx_desc,
                hx=hx,
                y_desc=y_desc,
                y=y,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                dw_desc=dw_desc,
                dw=dw,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            ) from None
        if status:
            raise self._status_error(
                "cudnnRNNBackwardWeights",
                status,
                handle=handle,
                rnn_desc=rnn_desc,
                x_desc=x_desc,
                x=x,
                hx_desc=hx_desc,
                hx=hx,
                y_desc=y_desc,
                y=y,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                dw_desc=dw_desc,
                dw=dw,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            )

    def rnn_backward_weights_v8(
        self,
        handle: Handle,
        rnn_desc: RNNDescriptor,
        add_grad: WgradMode | int,
        dev_seq_lengths: DevicePointer | None,
        x_desc: RNNDataDescriptor,
        x: DevicePointer,
        h_desc: TensorDescriptor | None,
        hx: DevicePointer | None,
        y_desc: RNNDataDescriptor,
        y: DevicePointer,
        weight_space_size: int,
        dweight_space: DevicePointer,
        work_space_size: int,
        work_space: DevicePointer | None,
        reserve_space_size: int,
        reserve_space: DevicePointer | None,
    ) -> None:
        """Compute gradients (RNN, backward weights): ``cudnnRNNBackwardWeights_v8``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, in.
        add_grad : WgradMode | int
            ``cudnnWgradMode_t addGrad``, in.
        dev_seq_lengths : DevicePointer | None
            ``const int32_t devSeqLengths[]``, in, device memory.
        x_desc : RNNDataDescriptor
            ``cudnnRNNDataDescriptor_t xDesc``, in.
        x : DevicePointer
            ``const void *x``, in, device memory.
        h_desc : TensorDescriptor | None
            ``cudnnTensorDescriptor_t hDesc``, in.
        hx : DevicePointer | None
            ``const void *hx``, in, device memory.
        y_desc : RNNDataDescriptor
            ``cudnnRNNDataDescriptor_t yDesc``, in.
        y : DevicePointer
            ``const void *y``, in, device memory.
        weight_space_size : int
            ``size_t weightSpaceSize``, in, bytes.
        dweight_space : DevicePointer
            ``void *dweightSpace``, inout, device memory.
        work_space_size : int
            ``size_t workSpaceSize``, in, bytes.
        work_space : DevicePointer | None
            ``void *workSpace``, inout, device memory.
        reserve_space_size : int
            ``size_t reserveSpaceSize``, in, bytes.
        reserve_space : DevicePointer | None
            ``void *reserveSpace``, inout, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnRNNBackwardWeights_v8(
                handle._ptr,
                rnn_desc._ptr,
                enum_value(add_grad, WgradMode),
                optional_device_pointer(dev_seq_lengths, "dev_seq_lengths"),
                x_desc._ptr,
                device_pointer(x, "x"),
                handle_pointer(h_desc, self._null),
                optional_device_pointer(hx, "hx"),
                y_desc._ptr,
                device_pointer(y, "y"),
                index(weight_space_size),
                device_pointer(dweight_space, "dweight_space"),
                index(work_space_size),
                optional_device_pointer(work_space, "work_space"),
                index(reserve_space_size),
                optional_device_pointer(reserve_space, "reserve_space"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnRNNBackwardWeights_v8",
                error,
                handle=handle,
                rnn_desc=rnn_desc,
                add_grad=add_grad,
                dev_seq_lengths=dev_seq_lengths,
                x_desc=x_desc,
                x=x,
                h_desc=h_desc,
                hx=hx,
                y_desc=y_desc,
                y=y,
                weight_space_size=weight_space_size,
                dweight_space=dweight_space,
                work_space_size=work_space_size,
                work_space=work_space,
                reserve_space_size=reserve_space_size,
                reserve_space=reserve_space,
            ) from None
        if status:
            raise self._status_error(
                "cudnnRNNBackwardWeights_v8",
                status,
                handle=handle,
                rnn_desc=rnn_desc,
                add_grad=add_grad,
                dev_seq_lengths=dev_seq_lengths,
                x_desc=x_desc,
                x=x,
                h_desc=h_desc,
                hx=hx,
                y_desc=y_desc,
                y=y,
                weight_space_size=weight_space_size,
                dweight_space=dweight_space,
                work_space_size=work_space_size,
                work_space=work_space,
                reserve_space_size=reserve_space_size,
                reserve_space=reserve_space,
            )

    def rnn_backward_weights_ex(
        self,
        handle: Handle,
        rnn_desc: RNNDescriptor,
        x_desc: RNNDataDescriptor,
        x: DevicePointer,
        hx_desc: TensorDescriptor | None,
        hx: DevicePointer | None,
        y_desc: RNNDataDescriptor,
        y: DevicePointer,
        work_space: DevicePointer | None,
        work_space_size_in_bytes: int,
        dw_desc: FilterDescriptor,
        dw: DevicePointer,
        reserve_space: DevicePointer | None,
        reserve_space_size_in_bytes: int,
    ) -> None:
        """Compute gradients (RNN, backward weights): ``cudnnRNNBackwardWeightsEx``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``const cudnnRNNDescriptor_t rnnDesc``, in.
        x_desc : RNNDataDescriptor
            ``const cudnnRNNDataDescriptor_t xDesc``, in.
        x : DevicePointer
            ``const void *x``, in, device memory.
        hx_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t hxDesc``, in.
        hx : DevicePointer | None
            ``const void *hx``, in, device memory.
        y_desc : RNNDataDescriptor
            ``const cudnnRNNDataDescriptor_t yDesc``, in.
        y : DevicePointer
            ``const void *y``, in, device memory.
        work_space : DevicePointer | None
            ``void *workSpace``, inout, device memory.
        work_space_size_in_bytes : int
            ``size_t workSpaceSizeInBytes``, in, bytes.
        dw_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t dwDesc``, in.
        dw : DevicePointer
            ``void *dw``, inout, device memory.
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
            status = self._lib.cudnnRNNBackwardWeightsEx(
                handle._ptr,
                rnn_desc._ptr,
                x_desc._ptr,
                device_pointer(x, "x"),
                handle_pointer(hx_desc, self._null),
                optional_device_pointer(hx, "hx"),
                y_desc._ptr,
                device_pointer(y, "y"),
                optional_device_pointer(work_space, "work_space"),
                index(work_space_size_in_bytes),
                dw_desc._ptr,
                device_pointer(dw, "dw"),
                optional_device_pointer(reserve_space, "reserve_space"),
                index(reserve_space_size_in_bytes),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnRNNBackwardWeightsEx",
                error,
                handle=handle,
                rnn_desc=rnn_desc,
                x_desc=x_desc,
                x=x,
                hx_desc=hx_desc,
                hx=hx,
                y_desc=y_desc,
                y=y,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                dw_desc=dw_desc,
                dw=dw,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            ) from None
        if status:
            raise self._status_error(
                "cudnnRNNBackwardWeightsEx",
                status,
                handle=handle,
                rnn_desc=rnn_desc,
                x_desc=x_desc,
                x=x,
                hx_desc=hx_desc,
                hx=hx,
                y_desc=y_desc,
                y=y,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                dw_desc=dw_desc,
                dw=dw,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            )

    def get_rnn_backward_weights_algorithm_max_count(self, handle: Handle, rnn_desc: RNNDescriptor) -> int:
        """Count the algorithms (RNN, backward weights) that there can be:
        ``cudnnGetRNNBackwardWeightsAlgorithmMaxCount``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``const cudnnRNNDescriptor_t rnnDesc``, in.

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
            status = self._lib.cudnnGetRNNBackwardWeightsAlgorithmMaxCount(handle._ptr, rnn_desc._ptr, count)
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetRNNBackwardWeightsAlgorithmMaxCount", error, handle=handle, rnn_desc=rnn_desc
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetRNNBackwardWeightsAlgorithmMaxCount", status, handle=handle, rnn_desc=rnn_desc
            )
        found: int = count[0]
        return found

    def find_rnn_backward_weights_algorithm_ex(
        self,
        handle: Handle,
        rnn_desc: RNNDescriptor,
        x_desc: Sequence[TensorDescriptor],
        x: DevicePointer,
        hx_desc: TensorDescriptor | None,
        hx: DevicePointer | None,
        y_desc: Sequence[TensorDescriptor],
        y: DevicePointer,
        find_intensity: float,
        perf_results: Sequence[AlgorithmPerformance],
        workspace: DevicePointer | None,
        work_space_size_in_bytes: int,
        dw_desc: FilterDescriptor,
        dw: DevicePointer,
        reserve_space: DevicePointer | None,
        reserve_space_size_in_bytes: int,
    ) -> list[AlgorithmPerformance]:
        """Measure the algorithms (RNN, backward weights), in the caller's memory:
        ``cudnnFindRNNBackwardWeightsAlgorithmEx``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``const cudnnRNNDescriptor_t rnnDesc``, in.
        x_desc : Sequence[TensorDescriptor]
            ``const cudnnTensorDescriptor_t *xDesc``, in, passed with its length as ``seqLength``.
        x : DevicePointer
            ``const void *x``, in, device memory.
        hx_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t hxDesc``, in.
        hx : DevicePointer | None
            ``const void *hx``, in, device memory.
        y_desc : Sequence[TensorDescriptor]
            ``const cudnnTensorDescriptor_t *yDesc``, in, passed with its length as ``seqLength``.
        y : DevicePointer
            ``const void *y``, in, device memory.
        find_intensity : float
            ``const float findIntensity``, in.
        perf_results : Sequence[AlgorithmPerformance]
            ``cudnnAlgorithmPerformance_t *perfResults``, inout, filled by the call.
        workspace : DevicePointer | None
            ``const void *workspace``, in, device memory.
        work_space_size_in_bytes : int
            ``size_t workSpaceSizeInBytes``, in, bytes.
        dw_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t dwDesc``, in.
        dw : DevicePointer
            ``void *dw``, inout, device memory.
        reserve_space : DevicePointer | None
            ``const void *reserveSpace``, in, device memory.
        reserve_space_size_in_bytes : int
            ``size_t reserveSpaceSizeInBytes``, in, bytes.

        Returns
        -------
        list[AlgorithmPerformance]
            `perf_results`, filled by the call.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            seq_length = same_length(x_desc=x_desc, y_desc=y_desc)
            requested_algo_count = same_length(perf_results=perf_results)
            returned_algo_count = self._new("int *")
            status = self._lib.cudnnFindRNNBackwardWeightsAlgorithmEx(
                handle._ptr,
                rnn_desc._ptr,
                seq_length,
                in_array(self._ffi, "cudnnTensorDescriptor_t[]", [one._ptr for one in x_desc], "x_desc"),
                device_pointer(x, "x"),
                handle_pointer(hx_desc, self._null),
                optional_device_pointer(hx, "hx"),
                in_array(self._ffi, "cudnnTensorDescriptor_t[]", [one._ptr for one in y_desc], "y_desc"),
                device_pointer(y, "y"),
                find_intensity,
                requested_algo_count,
                returned_algo_count,
                in_array(
                    self._ffi, "cudnnAlgorithmPerformance_t[]", [one._ptr for one in perf_results], "perf_results"
                ),
                optional_device_pointer(workspace, "workspace"),
                index(work_space_size_in_bytes),
                dw_desc._ptr,
                device_pointer(dw, "dw"),
                optional_device_pointer(reserve_space, "reserve_space"),
                index(reserve_space_size_in_bytes),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnFindRNNBackwardWeightsAlgorithmEx",
                error,
                handle=handle,
                rnn_desc=rnn_desc,
                x_desc=x_desc,
                x=x,
                hx_desc=hx_desc,
                hx=hx,
                y_desc=y_desc,
                y=y,
                find_intensity=find_intensity,
                perf_results=perf_results,
                workspace=workspace,
                work_space_size_in_bytes=work_space_size_in_bytes,
                dw_desc=dw_desc,
                dw=dw,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            ) from None
        if status:
            raise self._status_error(
                "cudnnFindRNNBackwardWeightsAlgorithmEx",
                status,
                handle=handle,
                rnn_desc=rnn_desc,
                x_desc=x_desc,
                x=x,
                hx_desc=hx_desc,
                hx=hx,
                y_desc=y_desc,
                y=y,
                find_intensity=find_intensity,
                perf_results=perf_results,
                workspace=workspace,
                work_space_size_in_bytes=work_space_size_in_bytes,
                dw_desc=dw_desc,
                dw=dw,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            )
        return list(perf_results)[: max(returned_algo_count[0], 0)]
