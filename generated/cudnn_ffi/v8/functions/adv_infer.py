# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_adv_infer.h``."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING

from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer, optional_device_pointer
from ..._support.values import in_array
from ..descriptors import AttnDescriptor, Handle, PersistentRNNPlan, RNNDescriptor, SeqDataDescriptor
from ..enums import DataType

if TYPE_CHECKING:
    from ..results import adv_infer as results
else:
    results = LazyModule("..results.adv_infer", __package__)

__all__ = ["AdvInferFunctions"]


class AdvInferFunctions(LibraryBase):
    """Functions of ``cudnn_adv_infer.h``, as methods of the loaded library."""

    def create_persistent_rnn_plan(
        self, rnn_desc: RNNDescriptor, minibatch: int, data_type: DataType | int
    ) -> PersistentRNNPlan:
        """Create a ``cudnnPersistentRNNPlan_t``: ``cudnnCreatePersistentRNNPlan``.

        Deprecated.

        Parameters
        ----------
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, in.
        minibatch : int
            ``const int minibatch``, in.
        data_type : DataType | int
            ``const cudnnDataType_t dataType``, in.

        Returns
        -------
        PersistentRNNPlan
            `plan`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            plan = self._new("cudnnPersistentRNNPlan_t *")
            status = self._lib.cudnnCreatePersistentRNNPlan(
                rnn_desc._ptr, index(minibatch), enum_value(data_type, DataType), plan
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnCreatePersistentRNNPlan", error, rnn_desc=rnn_desc, minibatch=minibatch, data_type=data_type
            ) from None
        if status:
            raise self._status_error(
                "cudnnCreatePersistentRNNPlan", status, rnn_desc=rnn_desc, minibatch=minibatch, data_type=data_type
            )
        return PersistentRNNPlan(self, plan[0])

    def destroy_persistent_rnn_plan(self, plan: PersistentRNNPlan) -> None:
        """Destroy a ``cudnnPersistentRNNPlan_t``: ``cudnnDestroyPersistentRNNPlan``.

        Deprecated.

        Parameters
        ----------
        plan : PersistentRNNPlan
            ``cudnnPersistentRNNPlan_t plan``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyPersistentRNNPlan", plan)

    def build_rnn_dynamic(self, handle: Handle, rnn_desc: RNNDescriptor, mini_batch: int) -> None:
        """Call ``cudnnBuildRNNDynamic``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, in.
        mini_batch : int
            ``int miniBatch``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnBuildRNNDynamic(handle._ptr, rnn_desc._ptr, index(mini_batch))
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnBuildRNNDynamic", error, handle=handle, rnn_desc=rnn_desc, mini_batch=mini_batch
            ) from None
        if status:
            raise self._status_error(
                "cudnnBuildRNNDynamic", status, handle=handle, rnn_desc=rnn_desc, mini_batch=mini_batch
            )

    def get_multi_head_attn_buffers(
        self, handle: Handle, attn_desc: AttnDescriptor
    ) -> results.GetMultiHeadAttnBuffersResult:
        """Ask how many bytes are needed (MultiHeadAttn): ``cudnnGetMultiHeadAttnBuffers``.

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

    def adv_infer_version_check(self) -> None:
        """Call ``cudnnAdvInferVersionCheck``.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnAdvInferVersionCheck()
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnAdvInferVersionCheck", error) from None
        if status:
            raise self._status_error("cudnnAdvInferVersionCheck", status)
