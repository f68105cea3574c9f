# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_adv_train.h`` about rnn forward."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index

from ..._support.descriptors import handle_pointer
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

__all__ = ["AdvTrainRnnForwardFunctions"]


class AdvTrainRnnForwardFunctions(LibraryBase):
    """Functions of ``cudnn_adv_train.h`` about rnn forward, as methods of the loaded library."""

    def rnn_forward_training(
        self,
        handle: Handle,
        rnn_desc: RNNDescriptor,
        x_desc: Sequence[TensorDescriptor],
        x: DevicePointer,
        hx_desc: TensorDescriptor | None,
        hx: DevicePointer | None,
        cx_desc: TensorDescriptor | None,
        cx: DevicePointer | None,
        w_desc: FilterDescriptor,
        w: DevicePointer,
        y_desc: Sequence[TensorDescriptor],
        y: DevicePointer,
        hy_desc: TensorDescriptor | None,
        hy: DevicePointer | None,
        cy_desc: TensorDescriptor | None,
        cy: DevicePointer | None,
        work_space: DevicePointer | None,
        work_space_size_in_bytes: int,
        reserve_space: DevicePointer | None,
        reserve_space_size_in_bytes: int,
    ) -> None:
        """Compute (RNN, forward): ``cudnnRNNForwardTraining``.

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
        cx_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t cxDesc``, in.
        cx : DevicePointer | None
            ``const void *cx``, in, device memory.
        w_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t wDesc``, in.
        w : DevicePointer
            ``const void *w``, in, device memory.
        y_desc : Sequence[TensorDescriptor]
            ``const cudnnTensorDescriptor_t *yDesc``, in, passed with its length as ``seqLength``.
        y : DevicePointer
            ``void *y``, out, device memory.
        hy_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t hyDesc``, in.
        hy : DevicePointer | None
            ``void *hy``, out, device memory.
        cy_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t cyDesc``, in.
        cy : DevicePointer | None
            ``void *cy``, out, device memory.
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
            seq_length = same_length(x_desc=x_desc, y_desc=y_desc)
            status = self._lib.cudnnRNNForwardTraining(
                handle._ptr,
                rnn_desc._ptr,
                seq_length,
                in_array(self._ffi, "cudnnTensorDescriptor_t[]", [one._ptr for one in x_desc], "x_desc"),
                device_pointer(x, "x"),
                handle_pointer(hx_desc, self._null),
                optional_device_pointer(hx, "hx"),
                handle_pointer(cx_desc, self._null),
                optional_device_pointer(cx, "cx"),
                w_desc._ptr,
                device_pointer(w, "w"),
                in_array(self._ffi, "cudnnTensorDescriptor_t[]", [one._ptr for one in y_desc], "y_desc"),
                device_pointer(y, "y"),
                handle_pointer(hy_desc, self._null),
                optional_device_pointer(hy, "hy"),
                handle_pointer(cy_desc, self._null),
                optional_device_pointer(cy, "cy"),
                optional_device_pointer(work_space, "work_space"),
                index(work_space_size_in_bytes),
                optional_device_pointer(reserve_space, "reserve_space"),
                index(reserve_space_size_in_bytes),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnRNNForwardTraining",
                error,
                handle=handle,
                rnn_desc=rnn_desc,
                x_desc=x_desc,
                x=x,
                hx_desc=hx_desc,
                hx=hx,
                cx_desc=cx_desc,
                cx=cx,
                w_desc=w_desc,
                w=w,
                y_desc=y_desc,
                y=y,
                hy_desc=hy_desc,
                hy=hy,
                cy_desc=cy_desc,
                cy=cy,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            ) from None
        if status:
            raise self._status_error(
                "cudnnRNNForwardTraining",
                status,
                handle=handle,
                rnn_desc=rnn_desc,
                x_desc=x_desc,
                x=x,
                hx_desc=hx_desc,
                hx=hx,
                cx_desc=cx_desc,
                cx=cx,
                w_desc=w_desc,
                w=w,
                y_desc=y_desc,
                y=y,
                hy_desc=hy_desc,
                hy=hy,
                cy_desc=cy_desc,
                cy=cy,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            )

    def rnn_forward_training_ex(
        self,
        handle: Handle,
        rnn_desc: RNNDescriptor,
        x_desc: RNNDataDescriptor,
        x: DevicePointer,
        hx_desc: TensorDescriptor | None,
        hx: DevicePointer | None,
        cx_desc: TensorDescriptor | None,
        cx: DevicePointer | None,
        w_desc: FilterDescriptor,
        w: DevicePointer,
        y_desc: RNNDataDescriptor,
        y: DevicePointer,
        hy_desc: TensorDescriptor | None,
        hy: DevicePointer | None,
        cy_desc: TensorDescriptor | None,
        cy: DevicePointer | None,
        k_desc: RNNDataDescriptor | None,
        keys: DevicePointer | None,
        c_desc: RNNDataDescriptor | None,
        c_attn: DevicePointer | None,
        i_desc: RNNDataDescriptor | None,
        i_attn: DevicePointer | None,
        q_desc: RNNDataDescriptor | None,
        queries: DevicePointer | None,
        work_space: DevicePointer | None,
        work_space_size_in_bytes: int,
        reserve_space: DevicePointer | None,
        reserve_space_size_in_bytes: int,
    ) -> None:
        """Compute (RNN, forward): ``cudnnRNNForwardTrainingEx``.

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
        cx_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t cxDesc``, in.
        cx : DevicePointer | None
            ``const void *cx``, in, device memory.
        w_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t wDesc``, in.
        w : DevicePointer
            ``const void *w``, in, device memory.
        y_desc : RNNDataDescriptor
            ``const cudnnRNNDataDescriptor_t yDesc``, in.
        y : DevicePointer
            ``void *y``, out, device memory.
        hy_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t hyDesc``, in.
        hy : DevicePointer | None
            ``void *hy``, out, device memory.
        cy_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t cyDesc``, in.
        cy : DevicePointer | None
            ``void *cy``, out, device memory.
        k_desc : RNNDataDescriptor | None
            ``const cudnnRNNDataDescriptor_t kDesc``, in.
        keys : DevicePointer | None
            ``const void *keys``, in, device memory.
        c_desc : RNNDataDescriptor | None
            ``const cudnnRNNDataDescriptor_t cDesc``, in.
        c_attn : DevicePointer | None
            ``void *cAttn``, out, device memory.
        i_desc : RNNDataDescriptor | None
            ``const cudnnRNNDataDescriptor_t iDesc``, in.
        i_attn : DevicePointer | None
            ``void *iAttn``, out, device memory.
        q_desc : RNNDataDescriptor | None
            ``const cudnnRNNDataDescriptor_t qDesc``, in.
        queries : DevicePointer | None
            ``void *queries``, out, device memory.
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
            status = self._lib.cudnnRNNForwardTrainingEx(
                handle._ptr,
                rnn_desc._ptr,
                x_desc._ptr,
                device_pointer(x, "x"),
                handle_pointer(hx_desc, self._null),
                optional_device_pointer(hx, "hx"),
                handle_pointer(cx_desc, self._null),
                optional_device_pointer(cx, "cx"),
                w_desc._ptr,
                device_pointer(w, "w"),
                y_desc._ptr,
                device_pointer(y, "y"),
                handle_pointer(hy_desc, self._null),
                optional_device_pointer(hy, "hy"),
                handle_pointer(cy_desc, self._null),
                optional_device_pointer(cy, "cy"),
                handle_pointer(k_desc, self._null),
                optional_device_pointer(keys, "keys"),
                handle_pointer(c_desc, self._null),
                optional_device_pointer(c_attn, "c_attn"),
                handle_pointer(i_desc, self._null),
                optional_device_pointer(i_attn, "i_attn"),
                handle_pointer(q_desc, self._null),
                optional_device_pointer(queries, "queries"),
                optional_device_pointer(work_space, "work_space"),
                index(work_space_size_in_bytes),
                optional_device_pointer(reserve_space, "reserve_space"),
                index(reserve_space_size_in_bytes),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnRNNForwardTrainingEx",
                error,
                handle=handle,
                rnn_desc=rnn_desc,
                x_desc=x_desc,
                x=x,
                hx_desc=hx_desc,
                hx=hx,
                cx_desc=cx_desc,
                cx=cx,
                w_desc=w_desc,
                w=w,
                y_desc=y_desc,
                y=y,
                hy_desc=hy_desc,
                hy=hy,
                cy_desc=cy_desc,
                cy=cy,
                k_desc=k_desc,
                keys=keys,
                c_desc=c_desc,
                c_attn=c_attn,
                i_desc=i_desc,
                i_attn=i_attn,
                q_desc=q_desc,
                queries=queries,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            ) from None
        if status:
            raise self._status_error(
                "cudnnRNNForwardTrainingEx",
                status,
                handle=handle,
                rnn_desc=rnn_desc,
                x_desc=x_desc,
                x=x,
                hx_desc=hx_desc,
                hx=hx,
                cx_desc=cx_desc,
                cx=cx,
                w_desc=w_desc,
                w=w,
                y_desc=y_desc,
                y=y,
                hy_desc=hy_desc,
                hy=hy,
                cy_desc=cy_desc,
                cy=cy,
                k_desc=k_desc,
                keys=keys,
                c_desc=c_desc,
                c_attn=c_attn,
                i_desc=i_desc,
                i_attn=i_attn,
                q_desc=q_desc,
                queries=queries,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            )

    def get_rnn_forward_training_algorithm_max_count(self, handle: Handle, rnn_desc: RNNDescriptor) -> int:
        """Count the algorithms (RNN, forward) that there can be: ``cudnnGetRNNForwardTrainingAlgorithmMaxCount``.

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
            status = self._lib.cudnnGetRNNForwardTrainingAlgorithmMaxCount(handle._ptr, rnn_desc._ptr, count)
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetRNNForwardTrainingAlgorithmMaxCount", error, handle=handle, rnn_desc=rnn_desc
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetRNNForwardTrainingAlgorithmMaxCount", status, handle=handle, rnn_desc=rnn_desc
            )
        found: int = count[0]
        return found

    def find_rnn_forward_training_algorithm_ex(
        self,
        handle: Handle,
        rnn_desc: RNNDescriptor,
        x_desc: Sequence[TensorDescriptor],
        x: DevicePointer,
        hx_desc: TensorDescriptor | None,
        hx: DevicePointer | None,
        cx_desc: TensorDescriptor | None,
        cx: DevicePointer | None,
        w_desc: FilterDescriptor,
        w: DevicePointer,
        y_desc: Sequence[TensorDescriptor],
        y: DevicePointer,
        hy_desc: TensorDescriptor | None,
        hy: DevicePointer | None,
        cy_desc: TensorDescriptor | None,
        cy: DevicePointer | None,
        find_intensity: float,
        perf_results: Sequence[AlgorithmPerformance],
        workspace: DevicePointer | None,
        work_space_size_in_bytes: int,
        reserve_space: DevicePointer | None,
        reserve_space_size_in_bytes: int,
    ) -> list[AlgorithmPerformance]:
        """Measure the algorithms (RNN, forward), in the caller's memory: ``cudnnFindRNNForwardTrainingAlgorithmEx``.

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
        cx_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t cxDesc``, in.
        cx : DevicePointer | None
            ``const void *cx``, in, device memory.
        w_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t wDesc``, in.
        w : DevicePointer
            ``const void *w``, in, device memory.
        y_desc : Sequence[TensorDescriptor]
            ``const cudnnTensorDescriptor_t *yDesc``, in, passed with its length as ``seqLength``.
        y : DevicePointer
            ``void *y``, out, device memory.
        hy_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t hyDesc``, in.
        hy : DevicePointer | None
            ``void *hy``, out, device memory.
        cy_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t cyDesc``, in.
        cy : DevicePointer | None
            ``void *cy``, out, device memory.
        find_intensity : float
            ``const float findIntensity``, in.
        perf_results : Sequence[AlgorithmPerformance]
            ``cudnnAlgorithmPerformance_t *perfResults``, inout, filled by the call.
        workspace : DevicePointer | None
            ``void *workspace``, inout, device memory.
        work_space_size_in_bytes : int
            ``size_t workSpaceSizeInBytes``, in, bytes.
        reserve_space : DevicePointer | None
            ``void *reserveSpace``, inout, device memory.
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
            status = self._lib.cudnnFindRNNForwardTrainingAlgorithmEx(
                handle._ptr,
                rnn_desc._ptr,
                seq_length,
                in_array(self._ffi, "cudnnTensorDescriptor_t[]", [one._ptr for one in x_desc], "x_desc"),
                device_pointer(x, "x"),
                handle_pointer(hx_desc, self._null),
                optional_device_pointer(hx, "hx"),
                handle_pointer(cx_desc, self._null),
                optional_device_pointer(cx, "cx"),
                w_desc._ptr,
                device_pointer(w, "w"),
                in_array(self._ffi, "cudnnTensorDescriptor_t[]", [one._ptr for one in y_desc], "y_desc"),
                device_pointer(y, "y"),
                handle_pointer(hy_desc, self._null),
                optional_device_pointer(hy, "hy"),
                handle_pointer(cy_desc, self._null),
                optional_device_pointer(cy, "cy"),
                find_intensity,
                requested_algo_count,
                returned_algo_count,
                in_array(
                    self._ffi, "cudnnAlgorithmPerformance_t[]", [one._ptr for one in perf_results], "perf_results"
                ),
                optional_device_pointer(workspace, "workspace"),
                index(work_space_size_in_bytes),
                optional_device_pointer(reserve_space, "reserve_space"),
                index(reserve_space_size_in_bytes),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnFindRNNForwardTrainingAlgorithmEx",
                error,
                handle=handle,
                rnn_desc=rnn_desc,
                x_desc=x_desc,
                x=x,
                hx_desc=hx_desc,
                hx=hx,
                cx_desc=cx_desc,
                cx=cx,
                w_desc=w_desc,
                w=w,
                y_desc=y_desc,
                y=y,
                hy_desc=hy_desc,
                hy=hy,
                cy_desc=cy_desc,
                cy=cy,
                find_intensity=find_intensity,
                perf_results=perf_results,
                workspace=workspace,
                work_space_size_in_bytes=work_space_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            ) from None
        if status:
            raise self._status_error(
                "cudnnFindRNNForwardTrainingAlgorithmEx",
                status,
                handle=handle,
                rnn_desc=rnn_desc,
                x_desc=x_desc,
                x=x,
                hx_desc=hx_desc,
                hx=hx,
                cx_desc=cx_desc,
                cx=cx,
                w_desc=w_desc,
                w=w,
                y_desc=y_desc,
                y=y,
                hy_desc=hy_desc,
                hy=hy,
                cy_desc=cy_desc,
                cy=cy,
                find_intensity=find_intensity,
                perf_results=perf_results,
                workspace=workspace,
                work_space_size_in_bytes=work_space_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            )
        return list(perf_results)[: max(returned_algo_count[0], 0)]
