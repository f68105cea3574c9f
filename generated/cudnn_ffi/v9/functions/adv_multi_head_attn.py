# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""Wrappers of the functions of ``cudnn_adv.h`` about multi head attn."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING

from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer, optional_device_pointer
from ..._support.values import in_array
from ..descriptors import AttnDescriptor, Handle, SeqDataDescriptor
from ..enums import WgradMode

if TYPE_CHECKING:
    from ..results import adv_multi_head_attn as results
else:
    results = LazyModule("..results.adv_multi_head_attn", __package__)

__all__ = ["AdvMultiHeadAttnFunctions"]


class AdvMultiHeadAttnFunctions(LibraryBase):
    """Functions of ``cudnn_adv.h`` about multi head attn, as methods of the loaded library."""

    def get_multi_head_attn_buffers(
        self, handle: Handle, attn_desc: AttnDescriptor
    ) -> results.GetMultiHeadAttnBuffersResult:
        """Ask how many bytes are needed (MultiHeadAttn): ``cudnnGetMultiHeadAttnBuffers``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        attn_desc : AttnDescriptor
            ``const cudnnAttnDescriptor_t attnDesc``, in.

        Returns
        -------
        results.GetMultiHeadAttnBuffersResult
            weight_size_in_bytes : int, bytes
            work_space_size_in_bytes : int, bytes
            reserve_space_size_in_bytes : int, bytes

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            weight_size_in_bytes = self._new("size_t *")
            work_space_size_in_bytes = self._new("size_t *")
            reserve_space_size_in_bytes = self._new("size_t *")
            status = self._lib.cudnnGetMultiHeadAttnBuffers(
                handle._ptr, attn_desc._ptr, weight_size_in_bytes, work_space_size_in_bytes, reserve_space_size_in_bytes
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetMultiHeadAttnBuffers", error, handle=handle, attn_desc=attn_desc
            ) from None
        if status:
            raise self._status_error("cudnnGetMultiHeadAttnBuffers", status, handle=handle, attn_desc=attn_desc)
        return results.GetMultiHeadAttnBuffersResult(
            weight_size_in_bytes=weight_size_in_bytes[0],
            work_space_size_in_bytes=work_space_size_in_bytes[0],
            reserve_space_size_in_bytes=reserve_space_size_in_bytes[0],
        )

    def multi_head_attn_forward(
        self,
        handle: Handle,
        attn_desc: AttnDescriptor,
        curr_idx: int,
        lo_win_idx: Sequence[int],
        hi_win_idx: Sequence[int],
        dev_seq_lengths_qo: DevicePointer,
        dev_seq_lengths_kv: DevicePointer,
        q_desc: SeqDataDescriptor,
        queries: DevicePointer,
        residuals: DevicePointer | None,
        k_desc: SeqDataDescriptor,
        keys: DevicePointer,
        v_desc: SeqDataDescriptor,
        values: DevicePointer,
        o_desc: SeqDataDescriptor,
        out: DevicePointer,
        weight_size_in_bytes: int,
        weights: DevicePointer,
        work_space_size_in_bytes: int,
        work_space: DevicePointer | None,
        reserve_space_size_in_bytes: int,
        reserve_space: DevicePointer | None,
    ) -> None:
        """Compute (MultiHeadAttn, forward): ``cudnnMultiHeadAttnForward``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        attn_desc : AttnDescriptor
            ``const cudnnAttnDescriptor_t attnDesc``, in.
        curr_idx : int
            ``int currIdx``, in.
        lo_win_idx : Sequence[int]
            ``const int loWinIdx[]``, in.
        hi_win_idx : Sequence[int]
            ``const int hiWinIdx[]``, in.
        dev_seq_lengths_qo : DevicePointer
            ``const int devSeqLengthsQO[]``, in, device memory.
        dev_seq_lengths_kv : DevicePointer
            ``const int devSeqLengthsKV[]``, in, device memory.
        q_desc : SeqDataDescriptor
            ``const cudnnSeqDataDescriptor_t qDesc``, in.
        queries : DevicePointer
            ``const void *queries``, in, device memory.
        residuals : DevicePointer | None
            ``const void *residuals``, in, device memory.
        k_desc : SeqDataDescriptor
            ``const cudnnSeqDataDescriptor_t kDesc``, in.
        keys : DevicePointer
            ``const void *keys``, in, device memory.
        v_desc : SeqDataDescriptor
            ``const cudnnSeqDataDescriptor_t vDesc``, in.
        values : DevicePointer
            ``const void *values``, in, device memory.
        o_desc : SeqDataDescriptor
            ``const cudnnSeqDataDescriptor_t oDesc``, in.
        out : DevicePointer
            ``void *out``, out, device memory.
        weight_size_in_bytes : int
            ``size_t weightSizeInBytes``, in, bytes.
        weights : DevicePointer
            ``const void *weights``, in, device memory.
        work_space_size_in_bytes : int
            ``size_t workSpaceSizeInBytes``, in, bytes.
        work_space : DevicePointer | None
            ``void *workSpace``, inout, device memory.
        reserve_space_size_in_bytes : int
            ``size_t reserveSpaceSizeInBytes``, in, bytes.
        reserve_space : DevicePointer | None
            ``void *reserveSpace``, inout, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnMultiHeadAttnForward(
                handle._ptr,
                attn_desc._ptr,
                index(curr_idx),
                in_array(self._ffi, "int[]", lo_win_idx, "lo_win_idx"),
                in_array(self._ffi, "int[]", hi_win_idx, "hi_win_idx"),
                device_pointer(dev_seq_lengths_qo, "dev_seq_lengths_qo"),
                device_pointer(dev_seq_lengths_kv, "dev_seq_lengths_kv"),
                q_desc._ptr,
                device_pointer(queries, "queries"),
                optional_device_pointer(residuals, "residuals"),
                k_desc._ptr,
                device_pointer(keys, "keys"),
                v_desc._ptr,
                device_pointer(values, "values"),
                o_desc._ptr,
                device_pointer(out, "out"),
                index(weight_size_in_bytes),
                device_pointer(weights, "weights"),
                index(work_space_size_in_bytes),
                optional_device_pointer(work_space, "work_space"),
                index(reserve_space_size_in_bytes),
                optional_device_pointer(reserve_space, "reserve_space"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnMultiHeadAttnForward",
                error,
                handle=handle,
                attn_desc=attn_desc,
                curr_idx=curr_idx,
                lo_win_idx=lo_win_idx,
                hi_win_idx=hi_win_idx,
                dev_seq_lengths_qo=dev_seq_lengths_qo,
                dev_seq_lengths_kv=dev_seq_lengths_kv,
                q_desc=q_desc,
                queries=queries,
                residuals=residuals,
                k_desc=k_desc,
                keys=keys,
                v_desc=v_desc,
                values=values,
                o_desc=o_desc,
                out=out,
                weight_size_in_bytes=weight_size_in_bytes,
                weights=weights,
                work_space_size_in_bytes=work_space_size_in_bytes,
                work_space=work_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
                reserve_space=reserve_space,
            ) from None
        if status:
            raise self._status_error(
                "cudnnMultiHeadAttnForward",
                status,
                handle=handle,
                attn_desc=attn_desc,
                curr_idx=curr_idx,
                lo_win_idx=lo_win_idx,
                hi_win_idx=hi_win_idx,
                dev_seq_lengths_qo=dev_seq_lengths_qo,
                dev_seq_lengths_kv=dev_seq_lengths_kv,
                q_desc=q_desc,
                queries=queries,
                residuals=residuals,
                k_desc=k_desc,
                keys=keys,
                v_desc=v_desc,
                values=values,
                o_desc=o_desc,
                out=out,
                weight_size_in_bytes=weight_size_in_bytes,
                weights=weights,
                work_space_size_in_bytes=work_space_size_in_bytes,
                work_space=work_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
                reserve_space=reserve_space,
            )

    def multi_head_attn_backward_data(
        self,
        handle: Handle,
        attn_desc: AttnDescriptor,
        lo_win_idx: Sequence[int],
        hi_win_idx: Sequence[int],
        dev_seq_lengths_dqdo: DevicePointer,
        dev_seq_lengths_dkdv: DevicePointer,
        do_desc: SeqDataDescriptor,
        dout: DevicePointer,
        dq_desc: SeqDataDescriptor,
        dqueries: DevicePointer,
        queries: DevicePointer,
        dk_desc: SeqDataDescriptor,
        dkeys: DevicePointer,
        keys: DevicePointer,
        dv_desc: SeqDataDescriptor,
        dvalues: DevicePointer,
        values: DevicePointer,
        weight_size_in_bytes: int,
        weights: DevicePointer,
        work_space_size_in_bytes: int,
        work_space: DevicePointer | None,
        reserve_space_size_in_bytes: int,
        reserve_space: DevicePointer | None,
    ) -> None:
        """Compute gradients (MultiHeadAttn, backward data): ``cudnnMultiHeadAttnBackwardData``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        attn_desc : AttnDescriptor
            ``const cudnnAttnDescriptor_t attnDesc``, in.
        lo_win_idx : Sequence[int]
            ``const int loWinIdx[]``, in.
        hi_win_idx : Sequence[int]
            ``const int hiWinIdx[]``, in.
        dev_seq_lengths_dqdo : DevicePointer
            ``const int devSeqLengthsDQDO[]``, in, device memory.
        dev_seq_lengths_dkdv : DevicePointer
            ``const int devSeqLengthsDKDV[]``, in, device memory.
        do_desc : SeqDataDescriptor
            ``const cudnnSeqDataDescriptor_t doDesc``, in.
        dout : DevicePointer
            ``const void *dout``, in, device memory.
        dq_desc : SeqDataDescriptor
            ``const cudnnSeqDataDescriptor_t dqDesc``, in.
        dqueries : DevicePointer
            ``void *dqueries``, out, device memory.
        queries : DevicePointer
            ``const void *queries``, in, device memory.
        dk_desc : SeqDataDescriptor
            ``const cudnnSeqDataDescriptor_t dkDesc``, in.
        dkeys : DevicePointer
            ``void *dkeys``, out, device memory.
        keys : DevicePointer
            ``const void *keys``, in, device memory.
        dv_desc : SeqDataDescriptor
            ``const cudnnSeqDataDescriptor_t dvDesc``, in.
        dvalues : DevicePointer
            ``void *dvalues``, out, device memory.
        values : DevicePointer
            ``const void *values``, in, device memory.
        weight_size_in_bytes : int
            ``size_t weightSizeInBytes``, in, bytes.
        weights : DevicePointer
            ``const void *weights``, in, device memory.
        work_space_size_in_bytes : int
            ``size_t workSpaceSizeInBytes``, in, bytes.
        work_space : DevicePointer | None
            ``void *workSpace``, inout, device memory.
        reserve_space_size_in_bytes : int
            ``size_t reserveSpaceSizeInBytes``, in, bytes.
        reserve_space : DevicePointer | None
            ``void *reserveSpace``, inout, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnMultiHeadAttnBackwardData(
                handle._ptr,
                attn_desc._ptr,
                in_array(self._ffi, "int[]", lo_win_idx, "lo_win_idx"),
                in_array(self._ffi, "int[]", hi_win_idx, "hi_win_idx"),
                device_pointer(dev_seq_lengths_dqdo, "dev_seq_lengths_dqdo"),
                device_pointer(dev_seq_lengths_dkdv, "dev_seq_lengths_dkdv"),
                do_desc._ptr,
                device_pointer(dout, "dout"),
                dq_desc._ptr,
                device_pointer(dqueries, "dqueries"),
                device_pointer(queries, "queries"),
                dk_desc._ptr,
                device_pointer(dkeys, "dkeys"),
                device_pointer(keys, "keys"),
                dv_desc._ptr,
                device_pointer(dvalues, "dvalues"),
                device_pointer(values, "values"),
                index(weight_size_in_bytes),
                device_pointer(weights, "weights"),
                index(work_space_size_in_bytes),
                optional_device_pointer(work_space, "work_space"),
                index(reserve_space_size_in_bytes),
                optional_device_pointer(reserve_space, "reserve_space"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnMultiHeadAttnBackwardData",
                error,
                handle=handle,
                attn_desc=attn_desc,
                lo_win_idx=lo_win_idx,
                hi_win_idx=hi_win_idx,
                dev_seq_lengths_dqdo=dev_seq_lengths_dqdo,
                dev_seq_lengths_dkdv=dev_seq_lengths_dkdv,
                do_desc=do_desc,
                dout=dout,
                dq_desc=dq_desc,
                dqueries=dqueries,
                queries=queries,
                dk_desc=dk_desc,
                dkeys=dkeys,
                keys=keys,
                dv_desc=dv_desc,
                dvalues=dvalues,
                values=values,
                weight_size_in_bytes=weight_size_in_bytes,
                weights=weights,
                work_space_size_in_bytes=work_space_size_in_bytes,
                work_space=work_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
                reserve_space=reserve_space,
            ) from None
        if status:
            raise self._status_error(
                "cudnnMultiHeadAttnBackwardData",
                status,
                handle=handle,
                attn_desc=attn_desc,
                lo_win_idx=lo_win_idx,
                hi_win_idx=hi_win_idx,
                dev_seq_lengths_dqdo=dev_seq_lengths_dqdo,
                dev_seq_lengths_dkdv=dev_seq_lengths_dkdv,
                do_desc=do_desc,
                dout=dout,
                dq_desc=dq_desc,
                dqueries=dqueries,
                queries=queries,
                dk_desc=dk_desc,
                dkeys=dkeys,
                keys=keys,
                dv_desc=dv_desc,
                dvalues=dvalues,
                values=values,
                weight_size_in_bytes=weight_size_in_bytes,
                weights=weights,
                work_space_size_in_bytes=work_space_size_in_bytes,
                work_space=work_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
                reserve_space=reserve_space,
            )

    def multi_head_attn_backward_weights(
        self,
        handle: Handle,
        attn_desc: AttnDescriptor,
        add_grad: WgradMode | int,
        q_desc: SeqDataDescriptor,
        queries: DevicePointer,
        k_desc: SeqDataDescriptor,
        keys: DevicePointer,
        v_desc: SeqDataDescriptor,
        values: DevicePointer,
        do_desc: SeqDataDescriptor,
        dout: DevicePointer,
        weight_size_in_bytes: int,
        weights: DevicePointer,
        dweights: DevicePointer,
        work_space_size_in_bytes: int,
        work_space: DevicePointer | None,
        reserve_space_size_in_bytes: int,
        reserve_space: DevicePointer | None,
    ) -> None:
        """Compute gradients (MultiHeadAttn, backward weights): ``cudnnMultiHeadAttnBackwardWeights``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        attn_desc : AttnDescriptor
            ``const cudnnAttnDescriptor_t attnDesc``, in.
        add_grad : WgradMode | int
            ``cudnnWgradMode_t addGrad``, in.
        q_desc : SeqDataDescriptor
            ``const cudnnSeqDataDescriptor_t qDesc``, in.
        queries : DevicePointer
            ``const void *queries``, in, device memory.
        k_desc : SeqDataDescriptor
            ``const cudnnSeqDataDescriptor_t kDesc``, in.
        keys : DevicePointer
            ``const void *keys``, in, device memory.
        v_desc : SeqDataDescriptor
            ``const cudnnSeqDataDescriptor_t vDesc``, in.
        values : DevicePointer
            ``const void *values``, in, device memory.
        do_desc : SeqDataDescriptor
            ``const cudnnSeqDataDescriptor_t doDesc``, in.
        dout : DevicePointer
            ``const void *dout``, in, device memory.
        weight_size_in_bytes : int
            ``size_t weightSizeInBytes``, in, bytes.
        weights : DevicePointer
            ``const void *weights``, in, device memory.
        dweights : DevicePointer
            ``void *dweights``, inout, device memory.
        work_space_size_in_bytes : int
            ``size_t workSpaceSizeInBytes``, in, bytes.
        work_space : DevicePointer | None
            ``void *workSpace``, inout, device memory.
        reserve_space_size_in_bytes : int
            ``size_t reserveSpaceSizeInBytes``, in, bytes.
        reserve_space : DevicePointer | None
            ``void *reserveSpace``, inout, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnMultiHeadAttnBackwardWeights(
                handle._ptr,
                attn_desc._ptr,
                enum_value(add_grad, WgradMode),
                q_desc._ptr,
                device_pointer(queries, "queries"),
                k_desc._ptr,
                device_pointer(keys, "keys"),
                v_desc._ptr,
                device_pointer(values, "values"),
                do_desc._ptr,
                device_pointer(dout, "dout"),
                index(weight_size_in_bytes),
                device_pointer(weights, "weights"),
                device_pointer(dweights, "dweights"),
                index(work_space_size_in_bytes),
                optional_device_pointer(work_space, "work_space"),
                index(reserve_space_size_in_bytes),
                optional_device_pointer(reserve_space, "reserve_space"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnMultiHeadAttnBackwardWeights",
                error,
                handle=handle,
                attn_desc=attn_desc,
                add_grad=add_grad,
                q_desc=q_desc,
                queries=queries,
                k_desc=k_desc,
                keys=keys,
                v_desc=v_desc,
                values=values,
                do_desc=do_desc,
                dout=dout,
                weight_size_in_bytes=weight_size_in_bytes,
                weights=weights,
                dweights=dweights,
                work_space_size_in_bytes=work_space_size_in_bytes,
                work_space=work_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
                reserve_space=reserve_space,
            ) from None
        if status:
            raise self._status_error(
                "cudnnMultiHeadAttnBackwardWeights",
                status,
                handle=handle,
                attn_desc=attn_desc,
                add_grad=add_grad,
                q_desc=q_desc,
                queries=queries,
                k_desc=k_desc,
                keys=keys,
                v_desc=v_desc,
                values=values,
                do_desc=do_desc,
                dout=dout,
                weight_size_in_bytes=weight_size_in_bytes,
                weights=weights,
                dweights=dweights,
                work_space_size_in_bytes=work_space_size_in_bytes,
                work_space=work_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
                reserve_space=reserve_space,
            )
