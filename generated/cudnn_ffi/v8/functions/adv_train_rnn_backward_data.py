# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_adv_train.h`` about rnn backward data."""

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

__all__ = ["AdvTrainRnnBackwardDataFunctions"]


class AdvTrainRnnBackwardDataFunctions(LibraryBase):
    """Functions of ``cudnn_adv_train.h`` about rnn backward data, as methods of the loaded library."""

    def rnn_backward_data(
        self,
        handle: Handle,
        rnn_desc: RNNDescriptor,
        y_desc: Sequence[TensorDescriptor],
        y: DevicePointer,
        dy_desc: Sequence[TensorDescriptor],
        dy: DevicePointer,
        dhy_desc: TensorDescriptor | None,
        dhy: DevicePointer | None,
        dcy_desc: TensorDescriptor | None,
        dcy: DevicePointer | None,
        w_desc: FilterDescriptor,
        w: DevicePointer,
        hx_desc: TensorDescriptor | None,
        hx: DevicePointer | None,
        cx_desc: TensorDescriptor | None,
        cx: DevicePointer | None,
        dx_desc: Sequence[TensorDescriptor],
        dx: DevicePointer,
        dhx_desc: TensorDescriptor | None,
        dhx: DevicePointer | None,
        dcx_desc: TensorDescriptor | None,
        dcx: DevicePointer | None,
        work_space: DevicePointer | None,
        work_space_size_in_bytes: int,
        reserve_space: DevicePointer | None,
        reserve_space_size_in_bytes: int,
    ) -> None:
        """Compute gradients (RNN, backward data): ``cudnnRNNBackwardData``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``const cudnnRNNDescriptor_t rnnDesc``, in.
        y_desc : Sequence[TensorDescriptor]
            ``const cudnnTensorDescriptor_t *yDesc``, in, passed with its length as ``seqLength``.
        y : DevicePointer
            ``const void *y``, in, device memory.
        dy_desc : Sequence[TensorDescriptor]
            ``const cudnnTensorDescriptor_t *dyDesc``, in, passed with its length as ``seqLength``.
        dy : DevicePointer
            ``const void *dy``, in, device memory.
        dhy_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t dhyDesc``, in.
        dhy : DevicePointer | None
            ``const void *dhy``, in, device memory.
        dcy_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t dcyDesc``, in.
        dcy : DevicePointer | None
            ``const void *dcy``, in, device memory.
        w_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t wDesc``, in.
        w : DevicePointer
            ``const void *w``, in, device memory.
        hx_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t hxDesc``, in.
        hx : DevicePointer | None
            ``const void *hx``, in, device memory.
        cx_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t cxDesc``, in.
        cx : DevicePointer | None
            ``const void *cx``, in, device memory.
        dx_desc : Sequence[TensorDescriptor]
            ``const cudnnTensorDescriptor_t *dxDesc``, in, passed with its length as ``seqLength``.
        dx : DevicePointer
            ``void *dx``, out, device memory.
        dhx_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t dhxDesc``, in.
        dhx : DevicePointer | None
            ``void *dhx``, out, device memory.
        dcx_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t dcxDesc``, in.
        dcx : DevicePointer | None
            ``void *dcx``, out, device memory.
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
            seq_length = same_length(y_desc=y_desc, dy_desc=dy_desc, dx_desc=dx_desc)
            status = self._lib.cudnnRNNBackwardData(
                handle._ptr,
                rnn_desc._ptr,
                seq_length,
                in_array(self._ffi, "cudnnTensorDescriptor_t[]", [one._ptr for one in y_desc], "y_desc"),
                device_pointer(y, "y"),
                in_array(self._ffi, "cudnnTensorDescriptor_t[]", [one._ptr for one in dy_desc], "dy_desc"),
                device_pointer(dy, "dy"),
                handle_pointer(dhy_desc, self._null),
                optional_device_pointer(dhy, "dhy"),
                handle_pointer(dcy_desc, self._null),
                optional_device_pointer(dcy, "dcy"),
                w_desc._ptr,
                device_pointer(w, "w"),
                handle_pointer(hx_desc, self._null),
                optional_device_pointer(hx, "hx"),
                handle_pointer(cx_desc, self._null),
                optional_device_pointer(cx, "cx"),
                in_array(self._ffi, "cudnnTensorDescriptor_t[]", [one._ptr for one in dx_desc], "dx_desc"),
                device_pointer(dx, "dx"),
                handle_pointer(dhx_desc, self._null),
                optional_device_pointer(dhx, "dhx"),
                handle_pointer(dcx_desc, self._null),
                optional_device_pointer(dcx, "dcx"),
                optional_device_pointer(work_space, "work_space"),
                index(work_space_size_in_bytes),
                optional_device_pointer(reserve_space, "reserve_space"),
                index(reserve_space_size_in_bytes),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnRNNBackwardData",
                error,
                handle=handle,
                rnn_desc=rnn_desc,
                y_desc=y_desc,
                y=y,
                dy_desc=dy_desc,
                dy=dy,
                dhy_desc=dhy_desc,
                dhy=dhy,
                dcy_desc=dcy_desc,
                dcy=dcy,
                w_desc=w_desc,
                w=w,
                hx_desc=hx_desc,
                hx=hx,
                cx_desc=cx_desc,
                cx=cx,
                dx_desc=dx_desc,
                dx=dx,
                dhx_desc=dhx_desc,
                dhx=dhx,
                dcx_desc=dcx_desc,
                dcx=dcx,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            ) from None
        if status:
            raise self._status_error(
                "cudnnRNNBackwardData",
                status,
                handle=handle,
                rnn_desc=rnn_desc,
                y_desc=y_desc,
                y=y,
                dy_desc=dy_desc,
                dy=dy,
                dhy_desc=dhy_desc,
                dhy=dhy,
                dcy_desc=dcy_desc,
                dcy=dcy,
                w_desc=w_desc,
                w=w,
                hx_desc=hx_desc,
                hx=hx,
                cx_desc=cx_desc,
                cx=cx,
                dx_desc=dx_desc,
                dx=dx,
                dhx_desc=dhx_desc,
                dhx=dhx,
                dcx_desc=dcx_desc,
                dcx=dcx,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            )

    def rnn_backward_data_v8(
        self,
        handle: Handle,
        rnn_desc: RNNDescriptor,
        dev_seq_lengths: DevicePointer | None,
        y_desc: RNNDataDescriptor,
        y: DevicePointer,
        dy: DevicePointer,
        x_desc: RNNDataDescriptor,
        dx: DevicePointer,
        h_desc: TensorDescriptor | None,
        hx: DevicePointer | None,
        dhy: DevicePointer | None,
        dhx: DevicePointer | None,
        c_desc: TensorDescriptor | None,
        cx: DevicePointer | None,
        dcy: DevicePointer | None,
        dcx: DevicePointer | None,
        weight_space_size: int,
        weight_space: DevicePointer,
        work_space_size: int,
        work_space: DevicePointer | None,
        reserve_space_size: int,
        reserve_space: DevicePointer | None,
    ) -> None:
        """Compute gradients (RNN, backward data): ``cudnnRNNBackwardData_v8``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, in.
        dev_seq_lengths : DevicePointer | None
            ``const int32_t devSeqLengths[]``, in, device memory.
        y_desc : RNNDataDescriptor
            ``cudnnRNNDataDescriptor_t yDesc``, in.
        y : DevicePointer
            ``const void *y``, in, device memory.
        dy : DevicePointer
            ``const void *dy``, in, device memory.
        x_desc : RNNDataDescriptor
            ``cudnnRNNDataDescriptor_t xDesc``, in.
        dx : DevicePointer
            ``void *dx``, out, device memory.
        h_desc : TensorDescriptor | None
            ``cudnnTensorDescriptor_t hDesc``, in.
        hx : DevicePointer | None
            ``const void *hx``, in, device memory.
        dhy : DevicePointer | None
            ``const void *dhy``, in, device memory.
        dhx : DevicePointer | None
            ``void *dhx``, out, device memory.
        c_desc : TensorDescriptor | None
            ``cudnnTensorDescriptor_t cDesc``, in.
        cx : DevicePointer | None
            ``const void *cx``, in, device memory.
        dcy : DevicePointer | None
            ``const void *dcy``, in, device memory.
        dcx : DevicePointer | None
            ``void *dcx``, out, device memory.
        weight_space_size : int
            ``size_t weightSpaceSize``, in, bytes.
        weight_space : DevicePointer
            ``const void *weightSpace``, in, device memory.
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
            status = self._lib.cudnnRNNBackwardData_v8(
                handle._ptr,
                rnn_desc._ptr,
                optional_device_pointer(dev_seq_lengths, "dev_seq_lengths"),
                y_desc._ptr,
                device_pointer(y, "y"),
                device_pointer(dy, "dy"),
                x_desc._ptr,
                device_pointer(dx, "dx"),
                handle_pointer(h_desc, self._null),
                optional_device_pointer(hx, "hx"),
                optional_device_pointer(dhy, "dhy"),
                optional_device_pointer(dhx, "dhx"),
                handle_pointer(c_desc, self._null),
                optional_device_pointer(cx, "cx"),
                optional_device_pointer(dcy, "dcy"),
                optional_device_pointer(dcx, "dcx"),
                index(weight_space_size),
                device_pointer(weight_space, "weight_space"),
                index(work_space_size),
                optional_device_pointer(work_space, "work_space"),
                index(reserve_space_size),
                optional_device_pointer(reserve_space, "reserve_space"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnRNNBackwardData_v8",
                error,
                handle=handle,
                rnn_desc=rnn_desc,
                dev_seq_lengths=dev_seq_lengths,
                y_desc=y_desc,
                y=y,
                dy=dy,
                x_desc=x_desc,
                dx=dx,
                h_desc=h_desc,
                hx=hx,
                dhy=dhy,
                dhx=dhx,
                c_desc=c_desc,
                cx=cx,
                dcy=dcy,
                dcx=dcx,
                weight_space_size=weight_space_size,
                weight_space=weight_space,
                work_space_size=work_space_size,
                work_space=work_space,
                reserve_space_size=reserve_space_size,
                reserve_space=reserve_space,
            ) from None
        if status:
            raise self._status_error(
                "cudnnRNNBackwardData_v8",
                status,
                handle=handle,
                rnn_desc=rnn_desc,
                dev_seq_lengths=dev_seq_lengths,
                y_desc=y_desc,
                y=y,
                dy=dy,
                x_desc=x_desc,
                dx=dx,
                h_desc=h_desc,
                hx=hx,
                dhy=dhy,
                dhx=dhx,
                c_desc=c_desc,
                cx=cx,
                dcy=dcy,
                dcx=dcx,
                weight_space_size=weight_space_size,
                weight_space=weight_space,
                work_space_size=work_space_size,
                work_space=work_space,
                reserve_space_size=reserve_space_size,
                reserve_space=reserve_space,
            )

    def rnn_backward_data_ex(
        self,
        handle: Handle,
        rnn_desc: RNNDescriptor,
        y_desc: RNNDataDescriptor,
        y: DevicePointer,
        dy_desc: RNNDataDescriptor,
        dy: DevicePointer,
        dc_desc: RNNDataDescriptor | None,
        dc_attn: DevicePointer | None,
        dhy_desc: TensorDescriptor | None,
        dhy: DevicePointer | None,
        dcy_desc: TensorDescriptor | None,
        dcy: DevicePointer | None,
        w_desc: FilterDescriptor,
        w: DevicePointer,
        hx_desc: TensorDescriptor | None,
        hx: DevicePointer | None,
        cx_desc: TensorDescriptor | None,
        cx: DevicePointer | None,
        dx_desc: RNNDataDescriptor,
        dx: DevicePointer,
        dhx_desc: TensorDescriptor | None,
        dhx: DevicePointer | None,
        dcx_desc: TensorDescriptor | None,
        dcx: DevicePointer | None,
        dk_desc: RNNDataDescriptor | None,
        dkeys: DevicePointer | None,
        work_space: DevicePointer | None,
        work_space_size_in_bytes: int,
        reserve_space: DevicePointer | None,
        reserve_space_size_in_bytes: int,
    ) -> None:
        """Compute gradients (RNN, backward data): ``cudnnRNNBackwardDataEx``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``const cudnnRNNDescriptor_t rnnDesc``, in.
        y_desc : RNNDataDescriptor
            ``const cudnnRNNDataDescriptor_t yDesc``, in.
        y : DevicePointer
            ``const void *y``, in, device memory.
        dy_desc : RNNDataDescriptor
            ``const cudnnRNNDataDescriptor_t dyDesc``, in.
        dy : DevicePointer
            ``const void *dy``, in, device memory.
        dc_desc : RNNDataDescriptor | None
            ``const cudnnRNNDataDescriptor_t dcDesc``, in.
        dc_attn : DevicePointer | None
            ``const void *dcAttn``, in, device memory.
        dhy_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t dhyDesc``, in.
        dhy : DevicePointer | None
            ``const void *dhy``, in, device memory.
        dcy_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t dcyDesc``, in.
        dcy : DevicePointer | None
            ``const void *dcy``, in, device memory.
        w_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t wDesc``, in.
        w : DevicePointer
            ``const void *w``, in, device memory.
        hx_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t hxDesc``, in.
        hx : DevicePointer | None
            ``const void *hx``, in, device memory.
        cx_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t cxDesc``, in.
        cx : DevicePointer | None
            ``const void *cx``, in, device memory.
        dx_desc : RNNDataDescriptor
            ``const cudnnRNNDataDescriptor_t dxDesc``, in.
        dx : DevicePointer
            ``void *dx``, out, device memory.
        dhx_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t dhxDesc``, in.
        dhx : DevicePointer | None
            ``void *dhx``, out, device memory.
        dcx_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t dcxDesc``, in.
        dcx : DevicePointer | None
            ``void *dcx``, out, device memory.
        dk_desc : RNNDataDescriptor | None
            ``const cudnnRNNDataDescriptor_t dkDesc``, in.
        dkeys : DevicePointer | None
            ``void *dkeys``, out, device memory.
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
            status = self._lib.cudnnRNNBackwardDataEx(
                handle._ptr,
                rnn_desc._ptr,
                y_desc._ptr,
                device_pointer(y, "y"),
                dy_desc._ptr,
                device_pointer(dy, "dy"),
                handle_pointer(dc_desc, self._null),
                optional_device_pointer(dc_attn, "dc_attn"),
                handle_pointer(dhy_desc, self._null),
                optional_device_pointer(dhy, "dhy"),
                handle_pointer(dcy_desc, self._null),
                optional_device_pointer(dcy, "dcy"),
                w_desc._ptr,
                device_pointer(w, "w"),
                handle_pointer(hx_desc, self._null),
                optional_device_pointer(hx, "hx"),
                handle_pointer(cx_desc, self._null),
                optional_device_pointer(cx, "cx"),
                dx_desc._ptr,
                device_pointer(dx, "dx"),
                handle_pointer(dhx_desc, self._null),
                optional_device_pointer(dhx, "dhx"),
                handle_pointer(dcx_desc, self._null),
                optional_device_pointer(dcx, "dcx"),
                handle_pointer(dk_desc, self._null),
                optional_device_pointer(dkeys, "dkeys"),
                optional_device_pointer(work_space, "work_space"),
                index(work_space_size_in_bytes),
                optional_device_pointer(reserve_space, "reserve_space"),
                index(reserve_space_size_in_bytes),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnRNNBackwardDataEx",
                error,
                handle=handle,
                rnn_desc=rnn_desc,
                y_desc=y_desc,
                y=y,
                dy_desc=dy_desc,
                dy=dy,
                dc_desc=dc_desc,
                dc_attn=dc_attn,
                dhy_desc=dhy_desc,
                dhy=dhy,
                dcy_desc=dcy_desc,
                dcy=dcy,
                w_desc=w_desc,
                w=w,
                hx_desc=hx_desc,
                hx=hx,
                cx_desc=cx_desc,
                cx=cx,
                dx_desc=dx_desc,
                dx=dx,
                dhx_desc=dhx_desc,
                dhx=dhx,
                dcx_desc=dcx_desc,
                dcx=dcx,
                dk_desc=dk_desc,
                dkeys=dkeys,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            ) from None
        if status:
            raise self._status_error(
                "cudnnRNNBackwardDataEx",
                status,
                handle=handle,
                rnn_desc=rnn_desc,
                y_desc=y_desc,
                y=y,
                dy_desc=dy_desc,
                dy=dy,
                dc_desc=dc_desc,
                dc_attn=dc_attn,
                dhy_desc=dhy_desc,
                dhy=dhy,
                dcy_desc=dcy_desc,
                dcy=dcy,
                w_desc=w_desc,
                w=w,
                hx_desc=hx_desc,
                hx=hx,
                cx_desc=cx_desc,
                cx=cx,
                dx_desc=dx_desc,
                dx=dx,
                dhx_desc=dhx_desc,
                dhx=dhx,
                dcx_desc=dcx_desc,
                dcx=dcx,
                dk_desc=dk_desc,
                dkeys=dkeys,
                work_space=work_space,
                work_space_size_in_bytes=work_space_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            )

    def get_rnn_backward_data_algorithm_max_count(self, handle: Handle, rnn_desc: RNNDescriptor) -> int:
        """Count the algorithms (RNN, backward data) that there can be: ``cudnnGetRNNBackwardDataAlgorithmMaxCount``.

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
            status = self._lib.cudnnGetRNNBackwardDataAlgorithmMaxCount(handle._ptr, rnn_desc._ptr, count)
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetRNNBackwardDataAlgorithmMaxCount", error, handle=handle, rnn_desc=rnn_desc
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetRNNBackwardDataAlgorithmMaxCount", status, handle=handle, rnn_desc=rnn_desc
            )
        found: int = count[0]
        return found

    def find_rnn_backward_data_algorithm_ex(
        self,
        handle: Handle,
        rnn_desc: RNNDescriptor,
        y_desc: Sequence[TensorDescriptor],
        y: DevicePointer,
        dy_desc: Sequence[TensorDescriptor],
        dy: DevicePointer,
        dhy_desc: TensorDescriptor | None,
        dhy: DevicePointer | None,
        dcy_desc: TensorDescriptor | None,
        dcy: DevicePointer | None,
        w_desc: FilterDescriptor,
        w: DevicePointer,
        hx_desc: TensorDescriptor | None,
        hx: DevicePointer | None,
        cx_desc: TensorDescriptor | None,
        cx: DevicePointer | None,
        dx_desc: Sequence[TensorDescriptor],
        dx: DevicePointer,
        dhx_desc: TensorDescriptor | None,
        dhx: DevicePointer | None,
        dcx_desc: TensorDescriptor | None,
        dcx: DevicePointer | None,
        find_intensity: float,
        perf_results: Sequence[AlgorithmPerformance],
        workspace: DevicePointer | None,
        work_space_size_in_bytes: int,
        reserve_space: DevicePointer | None,
        reserve_space_size_in_bytes: int,
    ) -> list[AlgorithmPerformance]:
        """Measure the algorithms (RNN, backward data), in the caller's memory:
        ``cudnnFindRNNBackwardDataAlgorithmEx``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``const cudnnRNNDescriptor_t rnnDesc``, in.
        y_desc : Sequence[TensorDescriptor]
            ``const cudnnTensorDescriptor_t *yDesc``, in, passed with its length as ``seqLength``.
        y : DevicePointer
            ``const void *y``, in, device memory.
        dy_desc : Sequence[TensorDescriptor]
            ``const cudnnTensorDescriptor_t *dyDesc``, in, passed with its length as ``seqLength``.
        dy : DevicePointer
            ``const void *dy``, in, device memory.
        dhy_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t dhyDesc``, in.
        dhy : DevicePointer | None
            ``const void *dhy``, in, device memory.
        dcy_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t dcyDesc``, in.
        dcy : DevicePointer | None
            ``const void *dcy``, in, device memory.
        w_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t wDesc``, in.
        w : DevicePointer
            ``const void *w``, in, device memory.
        hx_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t hxDesc``, in.
        hx : DevicePointer | None
            ``const void *hx``, in, device memory.
        cx_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t cxDesc``, in.
        cx : DevicePointer | None
            ``const void *cx``, in, device memory.
        dx_desc : Sequence[TensorDescriptor]
            ``const cudnnTensorDescriptor_t *dxDesc``, in, passed with its length as ``seqLength``.
        dx : DevicePointer
            ``void *dx``, out, device memory.
        dhx_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t dhxDesc``, in.
        dhx : DevicePointer | None
            ``void *dhx``, out, device memory.
        dcx_desc : TensorDescriptor | None
            ``const cudnnTensorDescriptor_t dcxDesc``, in.
        dcx : DevicePointer | None
            ``void *dcx``, out, device memory.
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
            seq_length = same_length(y_desc=y_desc, dy_desc=dy_desc, dx_desc=dx_desc)
            requested_algo_count = same_length(perf_results=perf_results)
            returned_algo_count = self._new("int *")
            status = self._lib.cudnnFindRNNBackwardDataAlgorithmEx(
                handle._ptr,
                rnn_desc._ptr,
                seq_length,
                in_array(self._ffi, "cudnnTensorDescriptor_t[]", [one._ptr for one in y_desc], "y_desc"),
                device_pointer(y, "y"),
                in_array(self._ffi, "cudnnTensorDescriptor_t[]", [one._ptr for one in dy_desc], "dy_desc"),
                device_pointer(dy, "dy"),
                handle_pointer(dhy_desc, self._null),
                optional_device_pointer(dhy, "dhy"),
                handle_pointer(dcy_desc, self._null),
                optional_device_pointer(dcy, "dcy"),
                w_desc._ptr,
                device_pointer(w, "w"),
                handle_pointer(hx_desc, self._null),
                optional_device_pointer(hx, "hx"),
                handle_pointer(cx_desc, self._null),
                optional_device_pointer(cx, "cx"),
                in_array(self._ffi, "cudnnTensorDescriptor_t[]", [one._ptr for one in dx_desc], "dx_desc"),
                device_pointer(dx, "dx"),
                handle_pointer(dhx_desc, self._null),
                optional_device_pointer(dhx, "dhx"),
                handle_pointer(dcx_desc, self._null),
                optional_device_pointer(dcx, "dcx"),
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
                "cudnnFindRNNBackwardDataAlgorithmEx",
                error,
                handle=handle,
                rnn_desc=rnn_desc,
                y_desc=y_desc,
                y=y,
                dy_desc=dy_desc,
                dy=dy,
                dhy_desc=dhy_desc,
                dhy=dhy,
                dcy_desc=dcy_desc,
                dcy=dcy,
                w_desc=w_desc,
                w=w,
                hx_desc=hx_desc,
                hx=hx,
                cx_desc=cx_desc,
                cx=cx,
                dx_desc=dx_desc,
                dx=dx,
                dhx_desc=dhx_desc,
                dhx=dhx,
                dcx_desc=dcx_desc,
                dcx=dcx,
                find_intensity=find_intensity,
                perf_results=perf_results,
                workspace=workspace,
                work_space_size_in_bytes=work_space_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            ) from None
        if status:
            raise self._status_error(
                "cudnnFindRNNBackwardDataAlgorithmEx",
                status,
                handle=handle,
                rnn_desc=rnn_desc,
                y_desc=y_desc,
                y=y,
                dy_desc=dy_desc,
                dy=dy,
                dhy_desc=dhy_desc,
                dhy=dhy,
                dcy_desc=dcy_desc,
                dcy=dcy,
                w_desc=w_desc,
                w=w,
                hx_desc=hx_desc,
                hx=hx,
                cx_desc=cx_desc,
                cx=cx,
                dx_desc=dx_desc,
                dx=dx,
                dhx_desc=dhx_desc,
                dhx=dhx,
                dcx_desc=dcx_desc,
                dcx=dcx,
                find_intensity=find_intensity,
                perf_results=perf_results,
                workspace=workspace,
                work_space_size_in_bytes=work_space_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            )
        return list(perf_results)[: max(returned_algo_count[0], 0)]
