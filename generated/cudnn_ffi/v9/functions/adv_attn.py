# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""Wrappers of the functions of ``cudnn_adv.h`` about attn."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

from ..._support.descriptors import handle_pointer
from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer
from ..descriptors import AttnDescriptor, DropoutDescriptor, Handle, TensorDescriptor
from ..enums import AttnMode, DataType, MathType, MultiHeadAttnWeightKind

if TYPE_CHECKING:
    from ..results import adv_attn as results
else:
    results = LazyModule("..results.adv_attn", __package__)

__all__ = ["AdvAttnFunctions"]


class AdvAttnFunctions(LibraryBase):
    """Functions of ``cudnn_adv.h`` about attn, as methods of the loaded library."""

    def create_attn_descriptor(self) -> AttnDescriptor:
        """Create a ``cudnnAttnDescriptor_t``: ``cudnnCreateAttnDescriptor``.

        Deprecated.

        Returns
        -------
        AttnDescriptor
            `attn_desc`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            attn_desc = self._new("cudnnAttnDescriptor_t *")
            status = self._lib.cudnnCreateAttnDescriptor(attn_desc)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateAttnDescriptor", error) from None
        if status:
            raise self._status_error("cudnnCreateAttnDescriptor", status)
        return AttnDescriptor(self, attn_desc[0])

    def destroy_attn_descriptor(self, attn_desc: AttnDescriptor) -> None:
        """Destroy a ``cudnnAttnDescriptor_t``: ``cudnnDestroyAttnDescriptor``.

        Deprecated.

        Parameters
        ----------
        attn_desc : AttnDescriptor
            ``cudnnAttnDescriptor_t attnDesc``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyAttnDescriptor", attn_desc)

    def set_attn_descriptor(
        self,
        attn_desc: AttnDescriptor,
        attn_mode: AttnMode | int,
        n_heads: int,
        sm_scaler: float,
        data_type: DataType | int,
        compute_prec: DataType | int,
        math_type: MathType | int,
        attn_dropout_desc: DropoutDescriptor | None,
        post_dropout_desc: DropoutDescriptor | None,
        q_size: int,
        k_size: int,
        v_size: int,
        q_proj_size: int,
        k_proj_size: int,
        v_proj_size: int,
        o_proj_size: int,
        qo_max_seq_length: int,
        kv_max_seq_length: int,
        max_batch_size: int,
        max_beam_size: int,
    ) -> None:
        """Set up a ``cudnnAttnDescriptor_t``: ``cudnnSetAttnDescriptor``.

        Deprecated.

        Parameters
        ----------
        attn_desc : AttnDescriptor
            ``cudnnAttnDescriptor_t attnDesc``, inout.
        attn_mode : AttnMode | int
            ``unsigned int attnMode``, in.
        n_heads : int
            ``int nHeads``, in.
        sm_scaler : float
            ``double smScaler``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        compute_prec : DataType | int
            ``cudnnDataType_t computePrec``, in.
        math_type : MathType | int
            ``cudnnMathType_t mathType``, in.
        attn_dropout_desc : DropoutDescriptor | None
            ``cudnnDropoutDescriptor_t attnDropoutDesc``, in.
        post_dropout_desc : DropoutDescriptor | None
            ``cudnnDropoutDescriptor_t postDropoutDesc``, in.
        q_size : int
            ``int qSize``, in.
        k_size : int
            ``int kSize``, in.
        v_size : int
            ``int vSize``, in.
        q_proj_size : int
            ``int qProjSize``, in.
        k_proj_size : int
            ``int kProjSize``, in.
        v_proj_size : int
            ``int vProjSize``, in.
        o_proj_size : int
            ``int oProjSize``, in.
        qo_max_seq_length : int
            ``int qoMaxSeqLength``, in.
        kv_max_seq_length : int
            ``int kvMaxSeqLength``, in.
        max_batch_size : int
            ``int maxBatchSize``, in.
        max_beam_size : int
            ``int maxBeamSize``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetAttnDescriptor(
                attn_desc._ptr,
                index(attn_mode),
                index(n_heads),
                sm_scaler,
                enum_value(data_type, DataType),
                enum_value(compute_prec, DataType),
                enum_value(math_type, MathType),
                handle_pointer(attn_dropout_desc, self._null),
                handle_pointer(post_dropout_desc, self._null),
                index(q_size),
                index(k_size),
                index(v_size),
                index(q_proj_size),
                index(k_proj_size),
                index(v_proj_size),
                index(o_proj_size),
                index(qo_max_seq_length),
                index(kv_max_seq_length),
                index(max_batch_size),
                index(max_beam_size),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetAttnDescriptor",
                error,
                attn_desc=attn_desc,
                attn_mode=attn_mode,
                n_heads=n_heads,
                sm_scaler=sm_scaler,
                data_type=data_type,
                compute_prec=compute_prec,
                math_type=math_type,
                attn_dropout_desc=attn_dropout_desc,
                post_dropout_desc=post_dropout_desc,
                q_size=q_size,
                k_size=k_size,
                v_size=v_size,
                q_proj_size=q_proj_size,
                k_proj_size=k_proj_size,
                v_proj_size=v_proj_size,
                o_proj_size=o_proj_size,
                qo_max_seq_length=qo_max_seq_length,
                kv_max_seq_length=kv_max_seq_length,
                max_batch_size=max_batch_size,
                max_beam_size=max_beam_size,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetAttnDescriptor",
                status,
                attn_desc=attn_desc,
                attn_mode=attn_mode,
                n_heads=n_heads,
                sm_scaler=sm_scaler,
                data_type=data_type,
                compute_prec=compute_prec,
                math_type=math_type,
                attn_dropout_desc=attn_dropout_desc,
                post_dropout_desc=post_dropout_desc,
                q_size=q_size,
                k_size=k_size,
                v_size=v_size,
                q_proj_size=q_proj_size,
                k_proj_size=k_proj_size,
                v_proj_size=v_proj_size,
                o_proj_size=o_proj_size,
                qo_max_seq_length=qo_max_seq_length,
                kv_max_seq_length=kv_max_seq_length,
                max_batch_size=max_batch_size,
                max_beam_size=max_beam_size,
            )
        attn_desc._data_type = data_type

    def get_attn_descriptor(self, attn_desc: AttnDescriptor) -> results.GetAttnDescriptorResult:
        """Read a ``cudnnAttnDescriptor_t``: ``cudnnGetAttnDescriptor``.

        Deprecated.

        Parameters
        ----------
        attn_desc : AttnDescriptor
            ``cudnnAttnDescriptor_t attnDesc``, in.

        Returns
        -------
        results.GetAttnDescriptorResult
            attn_mode : AttnMode
            n_heads : int
            sm_scaler : float
            data_type : DataType
            compute_prec : DataType
            math_type : MathType
            attn_dropout_desc : DropoutDescriptor | None, not owned: closing it does not destroy it
            post_dropout_desc : DropoutDescriptor | None, not owned: closing it does not destroy it
            q_size : int
            k_size : int
            v_size : int
            q_proj_size : int
            k_proj_size : int
            v_proj_size : int
            o_proj_size : int
            qo_max_seq_length : int
            kv_max_seq_length : int
            max_batch_size : int
            max_beam_size : int

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            attn_mode = self._new("unsigned int *")
            n_heads = self._new("int *")
            sm_scaler = self._new("double *")
            data_type = self._new("cudnnDataType_t *")
            compute_prec = self._new("cudnnDataType_t *")
            math_type = self._new("cudnnMathType_t *")
            attn_dropout_desc = self._new("cudnnDropoutDescriptor_t *")
            post_dropout_desc = self._new("cudnnDropoutDescriptor_t *")
            q_size = self._new("int *")
            k_size = self._new("int *")
            v_size = self._new("int *")
            q_proj_size = self._new("int *")
            k_proj_size = self._new("int *")
            v_proj_size = self._new("int *")
            o_proj_size = self._new("int *")
            qo_max_seq_length = self._new("int *")
            kv_max_seq_length = self._new("int *")
            max_batch_size = self._new("int *")
            max_beam_size = self._new("int *")
            status = self._lib.cudnnGetAttnDescriptor(
                attn_desc._ptr,
                attn_mode,
                n_heads,
                sm_scaler,
                data_type,
                compute_prec,
                math_type,
                attn_dropout_desc,
                post_dropout_desc,
                q_size,
                k_size,
                v_size,
                q_proj_size,
                k_proj_size,
                v_proj_size,
                o_proj_size,
                qo_max_seq_length,
                kv_max_seq_length,
                max_batch_size,
                max_beam_size,
            )
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetAttnDescriptor", error, attn_desc=attn_desc) from None
        if status:
            raise self._status_error("cudnnGetAttnDescriptor", status, attn_desc=attn_desc)
        return results.GetAttnDescriptorResult(
            attn_mode=AttnMode(attn_mode[0]),
            n_heads=n_heads[0],
            sm_scaler=sm_scaler[0],
            data_type=DataType(data_type[0]),
            compute_prec=DataType(compute_prec[0]),
            math_type=MathType(math_type[0]),
            attn_dropout_desc=DropoutDescriptor(self, attn_dropout_desc[0], owned=False)
            if attn_dropout_desc[0]
            else None,
            post_dropout_desc=DropoutDescriptor(self, post_dropout_desc[0], owned=False)
            if post_dropout_desc[0]
            else None,
            q_size=q_size[0],
            k_size=k_size[0],
            v_size=v_size[0],
            q_proj_size=q_proj_size[0],
            k_proj_size=k_proj_size[0],
            v_proj_size=v_proj_size[0],
            o_proj_size=o_proj_size[0],
            qo_max_seq_length=qo_max_seq_length[0],
            kv_max_seq_length=kv_max_seq_length[0],
            max_batch_size=max_batch_size[0],
            max_beam_size=max_beam_size[0],
        )

    def get_multi_head_attn_weights(
        self,
        handle: Handle,
        attn_desc: AttnDescriptor,
        w_kind: MultiHeadAttnWeightKind | int,
        weight_size_in_bytes: int,
        weights: DevicePointer,
        w_desc: TensorDescriptor,
    ) -> int:
        """Read a ``cudnnAttnDescriptor_t``: ``cudnnGetMultiHeadAttnWeights``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        attn_desc : AttnDescriptor
            ``const cudnnAttnDescriptor_t attnDesc``, in.
        w_kind : MultiHeadAttnWeightKind | int
            ``cudnnMultiHeadAttnWeightKind_t wKind``, in.
        weight_size_in_bytes : int
            ``size_t weightSizeInBytes``, in, bytes.
        weights : DevicePointer
            ``const void *weights``, in, device memory.
        w_desc : TensorDescriptor
            ``cudnnTensorDescriptor_t wDesc``, out.

        Returns
        -------
        int
            `w_addr`, an address, 0 for NULL.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            w_addr = self._new("void * *")
            status = self._lib.cudnnGetMultiHeadAttnWeights(
                handle._ptr,
                attn_desc._ptr,
                enum_value(w_kind, MultiHeadAttnWeightKind),
                index(weight_size_in_bytes),
                device_pointer(weights, "weights"),
                w_desc._ptr,
                w_addr,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetMultiHeadAttnWeights",
                error,
                handle=handle,
                attn_desc=attn_desc,
                w_kind=w_kind,
                weight_size_in_bytes=weight_size_in_bytes,
                weights=weights,
                w_desc=w_desc,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetMultiHeadAttnWeights",
                status,
                handle=handle,
                attn_desc=attn_desc,
                w_kind=w_kind,
                weight_size_in_bytes=weight_size_in_bytes,
                weights=weights,
                w_desc=w_desc,
            )
        return int(self._ffi.cast("uintptr_t", w_addr[0]))
