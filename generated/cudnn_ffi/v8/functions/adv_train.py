# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_adv_train.h``."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index

from ..._support.enums import enum_value
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer, optional_device_pointer
from ..._support.values import in_array
from ..descriptors import AttnDescriptor, Handle, SeqDataDescriptor
from ..enums import WgradMode

__all__ = ["AdvTrainFunctions"]


class AdvTrainFunctions(LibraryBase):
    """Functions of ``cudnn_adv_train.h``, as methods of the loaded library."""

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

    def adv_train_version_check(self) -> None:
        """Call ``cudnnAdvTrainVersionCheck``.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnAdvTrainVersionCheck()
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnAdvTrainVersionCheck", error) from None
        if status:
            raise self._status_error("cudnnAdvTrainVersionCheck", status)
