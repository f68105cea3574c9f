# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_adv_infer.h`` about rnn."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING

from ..._support.descriptors import handle_pointer
from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer
from ..._support.values import in_array, same_length
from ..descriptors import (
    AlgorithmDescriptor,
    DropoutDescriptor,
    FilterDescriptor,
    Handle,
    PersistentRNNPlan,
    RNNDataDescriptor,
    RNNDescriptor,
    TensorDescriptor,
)
from ..enums import (
    DataType,
    DirectionMode,
    ForwardMode,
    MathType,
    NanPropagation,
    RNNAlgo,
    RNNBiasMode,
    RNNClipMode,
    RNNInputMode,
    RNNMode,
    RNNPaddedIO,
)

if TYPE_CHECKING:
    from ..results import adv_infer_rnn as results
else:
    results = LazyModule("..results.adv_infer_rnn", __package__)

__all__ = ["AdvInferRnnFunctions"]


class AdvInferRnnFunctions(LibraryBase):
    """Functions of ``cudnn_adv_infer.h`` about rnn, as methods of the loaded library."""

    def create_rnn_descriptor(self) -> RNNDescriptor:
        """Create a ``cudnnRNNDescriptor_t``: ``cudnnCreateRNNDescriptor``.

        Returns
        -------
        RNNDescriptor
            `rnn_desc`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            rnn_desc = self._new("cudnnRNNDescriptor_t *")
            status = self._lib.cudnnCreateRNNDescriptor(rnn_desc)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateRNNDescriptor", error) from None
        if status:
            raise self._status_error("cudnnCreateRNNDescriptor", status)
        return RNNDescriptor(self, rnn_desc[0])

    def destroy_rnn_descriptor(self, rnn_desc: RNNDescriptor) -> None:
        """Destroy a ``cudnnRNNDescriptor_t``: ``cudnnDestroyRNNDescriptor``.

        Parameters
        ----------
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyRNNDescriptor", rnn_desc)

    def set_rnn_descriptor_v8(
        self,
        rnn_desc: RNNDescriptor,
        algo: RNNAlgo | int,
        cell_mode: RNNMode | int,
        bias_mode: RNNBiasMode | int,
        dir_mode: DirectionMode | int,
        input_mode: RNNInputMode | int,
        data_type: DataType | int,
        math_prec: DataType | int,
        math_type: MathType | int,
        input_size: int,
        hidden_size: int,
        proj_size: int,
        num_layers: int,
        dropout_desc: DropoutDescriptor | None,
        aux_flags: RNNPaddedIO | int,
    ) -> None:
        """Set up a ``cudnnRNNDescriptor_t``: ``cudnnSetRNNDescriptor_v8``.

        Parameters
        ----------
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, inout.
        algo : RNNAlgo | int
            ``cudnnRNNAlgo_t algo``, in.
        cell_mode : RNNMode | int
            ``cudnnRNNMode_t cellMode``, in.
        bias_mode : RNNBiasMode | int
            ``cudnnRNNBiasMode_t biasMode``, in.
        dir_mode : DirectionMode | int
            ``cudnnDirectionMode_t dirMode``, in.
        input_mode : RNNInputMode | int
            ``cudnnRNNInputMode_t inputMode``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        math_prec : DataType | int
            ``cudnnDataType_t mathPrec``, in.
        math_type : MathType | int
            ``cudnnMathType_t mathType``, in.
        input_size : int
            ``int32_t inputSize``, in.
        hidden_size : int
            ``int32_t hiddenSize``, in.
        proj_size : int
            ``int32_t projSize``, in.
        num_layers : int
            ``int32_t numLayers``, in.
        dropout_desc : DropoutDescriptor | None
            ``cudnnDropoutDescriptor_t dropoutDesc``, in.
        aux_flags : RNNPaddedIO | int
            ``uint32_t auxFlags``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetRNNDescriptor_v8(
                rnn_desc._ptr,
                enum_value(algo, RNNAlgo),
                enum_value(cell_mode, RNNMode),
                enum_value(bias_mode, RNNBiasMode),
                enum_value(dir_mode, DirectionMode),
                enum_value(input_mode, RNNInputMode),
                enum_value(data_type, DataType),
                enum_value(math_prec, DataType),
                enum_value(math_type, MathType),
                index(input_size),
                index(hidden_size),
                index(proj_size),
                index(num_layers),
                handle_pointer(dropout_desc, self._null),
                index(aux_flags),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetRNNDescriptor_v8",
                error,
                rnn_desc=rnn_desc,
                algo=algo,
                cell_mode=cell_mode,
                bias_mode=bias_mode,
                dir_mode=dir_mode,
                input_mode=input_mode,
                data_type=data_type,
                math_prec=math_prec,
                math_type=math_type,
                input_size=input_size,
                hidden_size=hidden_size,
                proj_size=proj_size,
                num_layers=num_layers,
                dropout_desc=dropout_desc,
                aux_flags=aux_flags,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetRNNDescriptor_v8",
                status,
                rnn_desc=rnn_desc,
                algo=algo,
                cell_mode=cell_mode,
                bias_mode=bias_mode,
                dir_mode=dir_mode,
                input_mode=input_mode,
                data_type=data_type,
                math_prec=math_prec,
                math_type=math_type,
                input_size=input_size,
                hidden_size=hidden_size,
                proj_size=proj_size,
                num_layers=num_layers,
                dropout_desc=dropout_desc,
                aux_flags=aux_flags,
            )
        rnn_desc._data_type = data_type

    def get_rnn_descriptor_v8(self, rnn_desc: RNNDescriptor) -> results.GetRNNDescriptorV8Result:
        """Read a ``cudnnRNNDescriptor_t``: ``cudnnGetRNNDescriptor_v8``.

        Parameters
        ----------
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, in.

        Returns
        -------
        results.GetRNNDescriptorV8Result
            algo : RNNAlgo
            cell_mode : RNNMode
            bias_mode : RNNBiasMode
            dir_mode : DirectionMode
            input_mode : RNNInputMode
            data_type : DataType
            math_prec : DataType
            math_type : MathType
            input_size : int
            hidden_size : int
            proj_size : int
            num_layers : int
            dropout_desc : DropoutDescriptor | None, not owned: closing it does not destroy it
            aux_flags : RNNPaddedIO

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            algo = self._new("cudnnRNNAlgo_t *")
            cell_mode = self._new("cudnnRNNMode_t *")
            bias_mode = self._new("cudnnRNNBiasMode_t *")
            dir_mode = self._new("cudnnDirectionMode_t *")
            input_mode = self._new("cudnnRNNInputMode_t *")
            data_type = self._new("cudnnDataType_t *")
            math_prec = self._new("cudnnDataType_t *")
            math_type = self._new("cudnnMathType_t *")
            input_size = self._new("int32_t *")
            hidden_size = self._new("int32_t *")
            proj_size = self._new("int32_t *")
            num_layers = self._new("int32_t *")
            dropout_desc = self._new("cudnnDropoutDescriptor_t *")
            aux_flags = self._new("uint32_t *")
            status = self._lib.cudnnGetRNNDescriptor_v8(
                rnn_desc._ptr,
                algo,
                cell_mode,
                bias_mode,
                dir_mode,
                input_mode,
                data_type,
                math_prec,
                math_type,
                input_size,
                hidden_size,
                proj_size,
                num_layers,
                dropout_desc,
                aux_flags,
            )
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetRNNDescriptor_v8", error, rnn_desc=rnn_desc) from None
        if status:
            raise self._status_error("cudnnGetRNNDescriptor_v8", status, rnn_desc=rnn_desc)
        return results.GetRNNDescriptorV8Result(
            algo=RNNAlgo(algo[0]),
            cell_mode=RNNMode(cell_mode[0]),
            bias_mode=RNNBiasMode(bias_mode[0]),
            dir_mode=DirectionMode(dir_mode[0]),
            input_mode=RNNInputMode(input_mode[0]),
            data_type=DataType(data_type[0]),
            math_prec=DataType(math_prec[0]),
            math_type=MathType(math_type[0]),
            input_size=input_size[0],
            hidden_size=hidden_size[0],
            proj_size=proj_size[0],
            num_layers=num_layers[0],
            dropout_desc=DropoutDescriptor(self, dropout_desc[0], owned=False) if dropout_desc[0] else None,
            aux_flags=RNNPaddedIO(aux_flags[0]),
        )

    def set_rnn_descriptor_v6(
        self,
        handle: Handle,
        rnn_desc: RNNDescriptor,
        hidden_size: int,
        num_layers: int,
        dropout_desc: DropoutDescriptor | None,
        input_mode: RNNInputMode | int,
        direction: DirectionMode | int,
        cell_mode: RNNMode | int,
        algo: RNNAlgo | int,
        math_prec: DataType | int,
    ) -> None:
        """Set up a ``cudnnRNNDescriptor_t``: ``cudnnSetRNNDescriptor_v6``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, inout.
        hidden_size : int
            ``const int hiddenSize``, in.
        num_layers : int
            ``const int numLayers``, in.
        dropout_desc : DropoutDescriptor | None
            ``cudnnDropoutDescriptor_t dropoutDesc``, in.
        input_mode : RNNInputMode | int
            ``cudnnRNNInputMode_t inputMode``, in.
        direction : DirectionMode | int
            ``cudnnDirectionMode_t direction``, in.
        cell_mode : RNNMode | int
            ``cudnnRNNMode_t cellMode``, in.
        algo : RNNAlgo | int
            ``cudnnRNNAlgo_t algo``, in.
        math_prec : DataType | int
            ``cudnnDataType_t mathPrec``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetRNNDescriptor_v6(
                handle._ptr,
                rnn_desc._ptr,
                index(hidden_size),
                index(num_layers),
                handle_pointer(dropout_desc, self._null),
                enum_value(input_mode, RNNInputMode),
                enum_value(direction, DirectionMode),
                enum_value(cell_mode, RNNMode),
                enum_value(algo, RNNAlgo),
                enum_value(math_prec, DataType),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetRNNDescriptor_v6",
                error,
                handle=handle,
                rnn_desc=rnn_desc,
                hidden_size=hidden_size,
                num_layers=num_layers,
                dropout_desc=dropout_desc,
                input_mode=input_mode,
                direction=direction,
                cell_mode=cell_mode,
                algo=algo,
                math_prec=math_prec,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetRNNDescriptor_v6",
                status,
                handle=handle,
                rnn_desc=rnn_desc,
                hidden_size=hidden_size,
                num_layers=num_layers,
                dropout_desc=dropout_desc,
                input_mode=input_mode,
                direction=direction,
                cell_mode=cell_mode,
                algo=algo,
                math_prec=math_prec,
            )
        rnn_desc._data_type = math_prec

    def get_rnn_descriptor_v6(self, handle: Handle, rnn_desc: RNNDescriptor) -> results.GetRNNDescriptorV6Result:
        """Read a ``cudnnRNNDescriptor_t``: ``cudnnGetRNNDescriptor_v6``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, in.

        Returns
        -------
        results.GetRNNDescriptorV6Result
            hidden_size : int
            num_layers : int
            dropout_desc : DropoutDescriptor | None, not owned: closing it does not destroy it
            input_mode : RNNInputMode
            direction : DirectionMode
            cell_mode : RNNMode
            algo : RNNAlgo
            math_prec : DataType

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            hidden_size = self._new("int *")
            num_layers = self._new("int *")
            dropout_desc = self._new("cudnnDropoutDescriptor_t *")
            input_mode = self._new("cudnnRNNInputMode_t *")
            direction = self._new("cudnnDirectionMode_t *")
            cell_mode = self._new("cudnnRNNMode_t *")
            algo = self._new("cudnnRNNAlgo_t *")
            math_prec = self._new("cudnnDataType_t *")
            status = self._lib.cudnnGetRNNDescriptor_v6(
                handle._ptr,
                rnn_desc._ptr,
                hidden_size,
                num_layers,
                dropout_desc,
                input_mode,
                direction,
                cell_mode,
                algo,
                math_prec,
            )
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetRNNDescriptor_v6", error, handle=handle, rnn_desc=rnn_desc) from None
        if status:
            raise self._status_error("cudnnGetRNNDescriptor_v6", status, handle=handle, rnn_desc=rnn_desc)
        return results.GetRNNDescriptorV6Result(
            hidden_size=hidden_size[0],
            num_layers=num_layers[0],
            dropout_desc=DropoutDescriptor(self, dropout_desc[0], owned=False) if dropout_desc[0] else None,
            input_mode=RNNInputMode(input_mode[0]),
            direction=DirectionMode(direction[0]),
            cell_mode=RNNMode(cell_mode[0]),
            algo=RNNAlgo(algo[0]),
            math_prec=DataType(math_prec[0]),
        )

    def set_rnn_matrix_math_type(self, rnn_desc: RNNDescriptor, m_type: MathType | int) -> None:
        """Set up a ``cudnnRNNDescriptor_t``: ``cudnnSetRNNMatrixMathType``.

        Deprecated.

        Parameters
        ----------
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, inout.
        m_type : MathType | int
            ``cudnnMathType_t mType``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetRNNMatrixMathType(rnn_desc._ptr, enum_value(m_type, MathType))
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnSetRNNMatrixMathType", error, rnn_desc=rnn_desc, m_type=m_type) from None
        if status:
            raise self._status_error("cudnnSetRNNMatrixMathType", status, rnn_desc=rnn_desc, m_type=m_type)

    def get_rnn_matrix_math_type(self, rnn_desc: RNNDescriptor) -> MathType:
        """Read a ``cudnnRNNDescriptor_t``: ``cudnnGetRNNMatrixMathType``.

        Deprecated.

        Parameters
        ----------
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, in.

        Returns
        -------
        MathType
            `m_type`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            m_type = self._new("cudnnMathType_t *")
            status = self._lib.cudnnGetRNNMatrixMathType(rnn_desc._ptr, m_type)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetRNNMatrixMathType", error, rnn_desc=rnn_desc) from None
        if status:
            raise self._status_error("cudnnGetRNNMatrixMathType", status, rnn_desc=rnn_desc)
        return MathType(m_type[0])

    def set_rnn_bias_mode(self, rnn_desc: RNNDescriptor, bias_mode: RNNBiasMode | int) -> None:
        """Set up a ``cudnnRNNDescriptor_t``: ``cudnnSetRNNBiasMode``.

        Deprecated.

        Parameters
        ----------
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, inout.
        bias_mode : RNNBiasMode | int
            ``cudnnRNNBiasMode_t biasMode``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetRNNBiasMode(rnn_desc._ptr, enum_value(bias_mode, RNNBiasMode))
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnSetRNNBiasMode", error, rnn_desc=rnn_desc, bias_mode=bias_mode) from None
        if status:
            raise self._status_error("cudnnSetRNNBiasMode", status, rnn_desc=rnn_desc, bias_mode=bias_mode)

    def get_rnn_bias_mode(self, rnn_desc: RNNDescriptor) -> RNNBiasMode:
        """Read a ``cudnnRNNDescriptor_t``: ``cudnnGetRNNBiasMode``.

        Deprecated.

        Parameters
        ----------
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, in.

        Returns
        -------
        RNNBiasMode
            `bias_mode`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            bias_mode = self._new("cudnnRNNBiasMode_t *")
            status = self._lib.cudnnGetRNNBiasMode(rnn_desc._ptr, bias_mode)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetRNNBiasMode", error, rnn_desc=rnn_desc) from None
        if status:
            raise self._status_error("cudnnGetRNNBiasMode", status, rnn_desc=rnn_desc)
        return RNNBiasMode(bias_mode[0])

    def rnn_set_clip_v8(
        self,
        rnn_desc: RNNDescriptor,
        clip_mode: RNNClipMode | int,
        clip_nan_opt: NanPropagation | int,
        lclip: float,
        rclip: float,
    ) -> None:
        """Set up a ``cudnnRNNDescriptor_t``: ``cudnnRNNSetClip_v8``.

        Parameters
        ----------
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, inout.
        clip_mode : RNNClipMode | int
            ``cudnnRNNClipMode_t clipMode``, in.
        clip_nan_opt : NanPropagation | int
            ``cudnnNanPropagation_t clipNanOpt``, in.
        lclip : float
            ``double lclip``, in.
        rclip : float
            ``double rclip``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnRNNSetClip_v8(
                rnn_desc._ptr,
                enum_value(clip_mode, RNNClipMode),
                enum_value(clip_nan_opt, NanPropagation),
                lclip,
                rclip,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnRNNSetClip_v8",
                error,
                rnn_desc=rnn_desc,
                clip_mode=clip_mode,
                clip_nan_opt=clip_nan_opt,
                lclip=lclip,
                rclip=rclip,
            ) from None
        if status:
            raise self._status_error(
                "cudnnRNNSetClip_v8",
                status,
                rnn_desc=rnn_desc,
                clip_mode=clip_mode,
                clip_nan_opt=clip_nan_opt,
                lclip=lclip,
                rclip=rclip,
            )

    def rnn_get_clip_v8(self, rnn_desc: RNNDescriptor) -> results.RNNGetClipV8Result:
        """Read a ``cudnnRNNDescriptor_t``: ``cudnnRNNGetClip_v8``.

        Parameters
        ----------
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, in.

        Returns
        -------
        results.RNNGetClipV8Result
            clip_mode : RNNClipMode
            clip_nan_opt : NanPropagation
            lclip : float
            rclip : float

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            clip_mode = self._new("cudnnRNNClipMode_t *")
            clip_nan_opt = self._new("cudnnNanPropagation_t *")
            lclip = self._new("double *")
            rclip = self._new("double *")
            status = self._lib.cudnnRNNGetClip_v8(rnn_desc._ptr, clip_mode, clip_nan_opt, lclip, rclip)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnRNNGetClip_v8", error, rnn_desc=rnn_desc) from None
        if status:
            raise self._status_error("cudnnRNNGetClip_v8", status, rnn_desc=rnn_desc)
        return results.RNNGetClipV8Result(
            clip_mode=RNNClipMode(clip_mode[0]),
            clip_nan_opt=NanPropagation(clip_nan_opt[0]),
            lclip=lclip[0],
            rclip=rclip[0],
        )

    def rnn_set_clip(
        self,
        handle: Handle,
        rnn_desc: RNNDescriptor,
        clip_mode: RNNClipMode | int,
        clip_nan_opt: NanPropagation | int,
        lclip: float,
        rclip: float,
    ) -> None:
        """Set up a ``cudnnRNNDescriptor_t``: ``cudnnRNNSetClip``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, inout.
        clip_mode : RNNClipMode | int
            ``cudnnRNNClipMode_t clipMode``, in.
        clip_nan_opt : NanPropagation | int
            ``cudnnNanPropagation_t clipNanOpt``, in.
        lclip : float
            ``double lclip``, in.
        rclip : float
            ``double rclip``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnRNNSetClip(
                handle._ptr,
                rnn_desc._ptr,
                enum_value(clip_mode, RNNClipMode),
                enum_value(clip_nan_opt, NanPropagation),
                lclip,
                rclip,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnRNNSetClip",
                error,
                handle=handle,
                rnn_desc=rnn_desc,
                clip_mode=clip_mode,
                clip_nan_opt=clip_nan_opt,
                lclip=lclip,
                rclip=rclip,
            ) from None
        if status:
            raise self._status_error(
                "cudnnRNNSetClip",
                status,
                handle=handle,
                rnn_desc=rnn_desc,
                clip_mode=clip_mode,
                clip_nan_opt=clip_nan_opt,
                lclip=lclip,
                rclip=rclip,
            )

    def rnn_get_clip(self, handle: Handle, rnn_desc: RNNDescriptor) -> results.RNNGetClipResult:
        """Read a ``cudnnRNNDescriptor_t``: ``cudnnRNNGetClip``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, in.

        Returns
        -------
        results.RNNGetClipResult
            clip_mode : RNNClipMode
            clip_nan_opt : NanPropagation
            lclip : float
            rclip : float

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            clip_mode = self._new("cudnnRNNClipMode_t *")
            clip_nan_opt = self._new("cudnnNanPropagation_t *")
            lclip = self._new("double *")
            rclip = self._new("double *")
            status = self._lib.cudnnRNNGetClip(handle._ptr, rnn_desc._ptr, clip_mode, clip_nan_opt, lclip, rclip)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnRNNGetClip", error, handle=handle, rnn_desc=rnn_desc) from None
        if status:
            raise self._status_error("cudnnRNNGetClip", status, handle=handle, rnn_desc=rnn_desc)
        return results.RNNGetClipResult(
            clip_mode=RNNClipMode(clip_mode[0]),
            clip_nan_opt=NanPropagation(clip_nan_opt[0]),
            lclip=lclip[0],
            rclip=rclip[0],
        )

    def set_rnn_projection_layers(
        self, handle: Handle, rnn_desc: RNNDescriptor, rec_proj_size: int, out_proj_size: int
    ) -> None:
        """Set up a ``cudnnRNNDescriptor_t``: ``cudnnSetRNNProjectionLayers``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, inout.
        rec_proj_size : int
            ``const int recProjSize``, in.
        out_proj_size : int
            ``const int outProjSize``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetRNNProjectionLayers(
                handle._ptr, rnn_desc._ptr, index(rec_proj_size), index(out_proj_size)
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetRNNProjectionLayers",
                error,
                handle=handle,
                rnn_desc=rnn_desc,
                rec_proj_size=rec_proj_size,
                out_proj_size=out_proj_size,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetRNNProjectionLayers",
                status,
                handle=handle,
                rnn_desc=rnn_desc,
                rec_proj_size=rec_proj_size,
                out_proj_size=out_proj_size,
            )

    def get_rnn_projection_layers(
        self, handle: Handle, rnn_desc: RNNDescriptor
    ) -> results.GetRNNProjectionLayersResult:
        """Read a ``cudnnRNNDescriptor_t``: ``cudnnGetRNNProjectionLayers``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``const cudnnRNNDescriptor_t rnnDesc``, in.

        Returns
        -------
        results.GetRNNProjectionLayersResult
            rec_proj_size : int
            out_proj_size : int

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            rec_proj_size = self._new("int *")
            out_proj_size = self._new("int *")
            status = self._lib.cudnnGetRNNProjectionLayers(handle._ptr, rnn_desc._ptr, rec_proj_size, out_proj_size)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetRNNProjectionLayers", error, handle=handle, rnn_desc=rnn_desc) from None
        if status:
            raise self._status_error("cudnnGetRNNProjectionLayers", status, handle=handle, rnn_desc=rnn_desc)
        return results.GetRNNProjectionLayersResult(
            rec_proj_size=rec_proj_size[0],
            out_proj_size=out_proj_size[0],
        )

    def set_persistent_rnn_plan(self, rnn_desc: RNNDescriptor, plan: PersistentRNNPlan) -> None:
        """Set up a ``cudnnRNNDescriptor_t``: ``cudnnSetPersistentRNNPlan``.

        Deprecated.

        Parameters
        ----------
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, inout.
        plan : PersistentRNNPlan
            ``cudnnPersistentRNNPlan_t plan``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetPersistentRNNPlan(rnn_desc._ptr, plan._ptr)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnSetPersistentRNNPlan", error, rnn_desc=rnn_desc, plan=plan) from None
        if status:
            raise self._status_error("cudnnSetPersistentRNNPlan", status, rnn_desc=rnn_desc, plan=plan)

    def get_rnn_workspace_size(
        self, handle: Handle, rnn_desc: RNNDescriptor, x_desc: Sequence[TensorDescriptor]
    ) -> int:
        """Ask how many bytes are needed (RNN): ``cudnnGetRNNWorkspaceSize``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``const cudnnRNNDescriptor_t rnnDesc``, in.
        x_desc : Sequence[TensorDescriptor]
            ``const cudnnTensorDescriptor_t *xDesc``, in, passed with its length as ``seqLength``.

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
            seq_length = same_length(x_desc=x_desc)
            size_in_bytes = self._new("size_t *")
            status = self._lib.cudnnGetRNNWorkspaceSize(
                handle._ptr,
                rnn_desc._ptr,
                seq_length,
                in_array(self._ffi, "cudnnTensorDescriptor_t[]", [one._ptr for one in x_desc], "x_desc"),
                size_in_bytes,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetRNNWorkspaceSize", error, handle=handle, rnn_desc=rnn_desc, x_desc=x_desc
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetRNNWorkspaceSize", status, handle=handle, rnn_desc=rnn_desc, x_desc=x_desc
            )
        found: int = size_in_bytes[0]
        return found

    def get_rnn_training_reserve_size(
        self, handle: Handle, rnn_desc: RNNDescriptor, x_desc: Sequence[TensorDescriptor]
    ) -> int:
        """Ask how many bytes are needed (RNN): ``cudnnGetRNNTrainingReserveSize``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``const cudnnRNNDescriptor_t rnnDesc``, in.
        x_desc : Sequence[TensorDescriptor]
            ``const cudnnTensorDescriptor_t *xDesc``, in, passed with its length as ``seqLength``.

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
            seq_length = same_length(x_desc=x_desc)
            size_in_bytes = self._new("size_t *")
            status = self._lib.cudnnGetRNNTrainingReserveSize(
                handle._ptr,
                rnn_desc._ptr,
                seq_length,
                in_array(self._ffi, "cudnnTensorDescriptor_t[]", [one._ptr for one in x_desc], "x_desc"),
                size_in_bytes,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetRNNTrainingReserveSize", error, handle=handle, rnn_desc=rnn_desc, x_desc=x_desc
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetRNNTrainingReserveSize", status, handle=handle, rnn_desc=rnn_desc, x_desc=x_desc
            )
        found: int = size_in_bytes[0]
        return found

    def get_rnn_temp_space_sizes(
        self, handle: Handle, rnn_desc: RNNDescriptor, fwd_mode: ForwardMode | int, x_desc: RNNDataDescriptor
    ) -> results.GetRNNTempSpaceSizesResult:
        """Ask how many bytes are needed (RNN): ``cudnnGetRNNTempSpaceSizes``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, in.
        fwd_mode : ForwardMode | int
            ``cudnnForwardMode_t fwdMode``, in.
        x_desc : RNNDataDescriptor
            ``cudnnRNNDataDescriptor_t xDesc``, in.

        Returns
        -------
        results.GetRNNTempSpaceSizesResult
            work_space_size : int, bytes
            reserve_space_size : int, bytes

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            work_space_size = self._new("size_t *")
            reserve_space_size = self._new("size_t *")
            status = self._lib.cudnnGetRNNTempSpaceSizes(
                handle._ptr,
                rnn_desc._ptr,
                enum_value(fwd_mode, ForwardMode),
                x_desc._ptr,
                work_space_size,
                reserve_space_size,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetRNNTempSpaceSizes", error, handle=handle, rnn_desc=rnn_desc, fwd_mode=fwd_mode, x_desc=x_desc
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetRNNTempSpaceSizes", status, handle=handle, rnn_desc=rnn_desc, fwd_mode=fwd_mode, x_desc=x_desc
            )
        return results.GetRNNTempSpaceSizesResult(
            work_space_size=work_space_size[0],
            reserve_space_size=reserve_space_size[0],
        )

    def get_rnn_params_size(
        self, handle: Handle, rnn_desc: RNNDescriptor, x_desc: TensorDescriptor, data_type: DataType | int
    ) -> int:
        """Ask how many bytes are needed (RNN): ``cudnnGetRNNParamsSize``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``const cudnnRNNDescriptor_t rnnDesc``, in.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.

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
            status = self._lib.cudnnGetRNNParamsSize(
                handle._ptr, rnn_desc._ptr, x_desc._ptr, size_in_bytes, enum_value(data_type, DataType)
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetRNNParamsSize", error, handle=handle, rnn_desc=rnn_desc, x_desc=x_desc, data_type=data_type
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetRNNParamsSize", status, handle=handle, rnn_desc=rnn_desc, x_desc=x_desc, data_type=data_type
            )
        found: int = size_in_bytes[0]
        return found

    def get_rnn_weight_space_size(self, handle: Handle, rnn_desc: RNNDescriptor) -> int:
        """Ask how many bytes are needed (RNN): ``cudnnGetRNNWeightSpaceSize``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, in.

        Returns
        -------
        int
            `weight_space_size`, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            weight_space_size = self._new("size_t *")
            status = self._lib.cudnnGetRNNWeightSpaceSize(handle._ptr, rnn_desc._ptr, weight_space_size)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetRNNWeightSpaceSize", error, handle=handle, rnn_desc=rnn_desc) from None
        if status:
            raise self._status_error("cudnnGetRNNWeightSpaceSize", status, handle=handle, rnn_desc=rnn_desc)
        found: int = weight_space_size[0]
        return found

    def get_rnn_lin_layer_matrix_params(
        self,
        handle: Handle,
        rnn_desc: RNNDescriptor,
        pseudo_layer: int,
        x_desc: TensorDescriptor,
        w_desc: FilterDescriptor,
        w: DevicePointer,
        lin_layer_id: int,
        lin_layer_mat_desc: FilterDescriptor,
    ) -> int:
        """Read a ``cudnnRNNDescriptor_t``: ``cudnnGetRNNLinLayerMatrixParams``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``const cudnnRNNDescriptor_t rnnDesc``, in.
        pseudo_layer : int
            ``const int pseudoLayer``, in.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        w_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t wDesc``, in.
        w : DevicePointer
            ``const void *w``, in, device memory.
        lin_layer_id : int
            ``const int linLayerID``, in.
        lin_layer_mat_desc : FilterDescriptor
            ``cudnnFilterDescriptor_t linLayerMatDesc``, out.

        Returns
        -------
        int
            `lin_layer_mat`, an address, 0 for NULL.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            lin_layer_mat = self._new("void * *")
            status = self._lib.cudnnGetRNNLinLayerMatrixParams(
                handle._ptr,
                rnn_desc._ptr,
                index(pseudo_layer),
                x_desc._ptr,
                w_desc._ptr,
                device_pointer(w, "w"),
                index(lin_layer_id),
                lin_layer_mat_desc._ptr,
                lin_layer_mat,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetRNNLinLayerMatrixParams",
                error,
                handle=handle,
                rnn_desc=rnn_desc,
                pseudo_layer=pseudo_layer,
                x_desc=x_desc,
                w_desc=w_desc,
                w=w,
                lin_layer_id=lin_layer_id,
                lin_layer_mat_desc=lin_layer_mat_desc,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetRNNLinLayerMatrixParams",
                status,
                handle=handle,
                rnn_desc=rnn_desc,
                pseudo_layer=pseudo_layer,
                x_desc=x_desc,
                w_desc=w_desc,
                w=w,
                lin_layer_id=lin_layer_id,
                lin_layer_mat_desc=lin_layer_mat_desc,
            )
        return int(self._ffi.cast("uintptr_t", lin_layer_mat[0]))

    def get_rnn_lin_layer_bias_params(
        self,
        handle: Handle,
        rnn_desc: RNNDescriptor,
        pseudo_layer: int,
        x_desc: TensorDescriptor,
        w_desc: FilterDescriptor,
        w: DevicePointer,
        lin_layer_id: int,
        lin_layer_bias_desc: FilterDescriptor,
    ) -> int:
        """Read a ``cudnnRNNDescriptor_t``: ``cudnnGetRNNLinLayerBiasParams``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``const cudnnRNNDescriptor_t rnnDesc``, in.
        pseudo_layer : int
            ``const int pseudoLayer``, in.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        w_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t wDesc``, in.
        w : DevicePointer
            ``const void *w``, in, device memory.
        lin_layer_id : int
            ``const int linLayerID``, in.
        lin_layer_bias_desc : FilterDescriptor
            ``cudnnFilterDescriptor_t linLayerBiasDesc``, out.

        Returns
        -------
        int
            `lin_layer_bias`, an address, 0 for NULL.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            lin_layer_bias = self._new("void * *")
            status = self._lib.cudnnGetRNNLinLayerBiasParams(
                handle._ptr,
                rnn_desc._ptr,
                index(pseudo_layer),
                x_desc._ptr,
                w_desc._ptr,
                device_pointer(w, "w"),
                index(lin_layer_id),
                lin_layer_bias_desc._ptr,
                lin_layer_bias,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetRNNLinLayerBiasParams",
                error,
                handle=handle,
                rnn_desc=rnn_desc,
                pseudo_layer=pseudo_layer,
                x_desc=x_desc,
                w_desc=w_desc,
                w=w,
                lin_layer_id=lin_layer_id,
                lin_layer_bias_desc=lin_layer_bias_desc,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetRNNLinLayerBiasParams",
                status,
                handle=handle,
                rnn_desc=rnn_desc,
                pseudo_layer=pseudo_layer,
                x_desc=x_desc,
                w_desc=w_desc,
                w=w,
                lin_layer_id=lin_layer_id,
                lin_layer_bias_desc=lin_layer_bias_desc,
            )
        return int(self._ffi.cast("uintptr_t", lin_layer_bias[0]))

    def get_rnn_weight_params(
        self,
        handle: Handle,
        rnn_desc: RNNDescriptor,
        pseudo_layer: int,
        weight_space_size: int,
        weight_space: DevicePointer,
        lin_layer_id: int,
        m_desc: TensorDescriptor,
        b_desc: TensorDescriptor,
    ) -> results.GetRNNWeightParamsResult:
        """Read a ``cudnnRNNDescriptor_t``: ``cudnnGetRNNWeightParams``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, in.
        pseudo_layer : int
            ``int32_t pseudoLayer``, in.
        weight_space_size : int
            ``size_t weightSpaceSize``, in, bytes.
        weight_space : DevicePointer
            ``const void *weightSpace``, in, device memory.
        lin_layer_id : int
            ``int32_t linLayerID``, in.
        m_desc : TensorDescriptor
            ``cudnnTensorDescriptor_t mDesc``, out.
        b_desc : TensorDescriptor
            ``cudnnTensorDescriptor_t bDesc``, out.

        Returns
        -------
        results.GetRNNWeightParamsResult
            m_addr : int, an address, 0 for NULL
            b_addr : int, an address, 0 for NULL

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            m_addr = self._new("void * *")
            b_addr = self._new("void * *")
            status = self._lib.cudnnGetRNNWeightParams(
                handle._ptr,
                rnn_desc._ptr,
                index(pseudo_layer),
                index(weight_space_size),
                device_pointer(weight_space, "weight_space"),
                index(lin_layer_id),
                m_desc._ptr,
                m_addr,
                b_desc._ptr,
                b_addr,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetRNNWeightParams",
                error,
                handle=handle,
                rnn_desc=rnn_desc,
                pseudo_layer=pseudo_layer,
                weight_space_size=weight_space_size,
                weight_space=weight_space,
                lin_layer_id=lin_layer_id,
                m_desc=m_desc,
                b_desc=b_desc,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetRNNWeightParams",
                status,
                handle=handle,
                rnn_desc=rnn_desc,
                pseudo_layer=pseudo_layer,
                weight_space_size=weight_space_size,
                weight_space=weight_space,
                lin_layer_id=lin_layer_id,
                m_desc=m_desc,
                b_desc=b_desc,
            )
        return results.GetRNNWeightParamsResult(
            m_addr=int(self._ffi.cast("uintptr_t", m_addr[0])),
            b_addr=int(self._ffi.cast("uintptr_t", b_addr[0])),
        )

    def set_rnn_padding_mode(self, rnn_desc: RNNDescriptor, padding_mode: RNNPaddedIO | int) -> None:
        """Set up a ``cudnnRNNDescriptor_t``: ``cudnnSetRNNPaddingMode``.

        Deprecated.

        Parameters
        ----------
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, inout.
        padding_mode : RNNPaddedIO | int
            ``unsigned int paddingMode``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetRNNPaddingMode(rnn_desc._ptr, index(padding_mode))
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetRNNPaddingMode", error, rnn_desc=rnn_desc, padding_mode=padding_mode
            ) from None
        if status:
            raise self._status_error("cudnnSetRNNPaddingMode", status, rnn_desc=rnn_desc, padding_mode=padding_mode)

    def get_rnn_padding_mode(self, rnn_desc: RNNDescriptor) -> RNNPaddedIO:
        """Read a ``cudnnRNNDescriptor_t``: ``cudnnGetRNNPaddingMode``.

        Deprecated.

        Parameters
        ----------
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, in.

        Returns
        -------
        RNNPaddedIO
            `padding_mode`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            padding_mode = self._new("unsigned int *")
            status = self._lib.cudnnGetRNNPaddingMode(rnn_desc._ptr, padding_mode)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetRNNPaddingMode", error, rnn_desc=rnn_desc) from None
        if status:
            raise self._status_error("cudnnGetRNNPaddingMode", status, rnn_desc=rnn_desc)
        return RNNPaddedIO(padding_mode[0])

    def set_rnn_algorithm_descriptor(
        self, handle: Handle, rnn_desc: RNNDescriptor, algo_desc: AlgorithmDescriptor
    ) -> None:
        """Set up a ``cudnnRNNDescriptor_t``: ``cudnnSetRNNAlgorithmDescriptor``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, inout.
        algo_desc : AlgorithmDescriptor
            ``cudnnAlgorithmDescriptor_t algoDesc``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetRNNAlgorithmDescriptor(handle._ptr, rnn_desc._ptr, algo_desc._ptr)
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetRNNAlgorithmDescriptor", error, handle=handle, rnn_desc=rnn_desc, algo_desc=algo_desc
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetRNNAlgorithmDescriptor", status, handle=handle, rnn_desc=rnn_desc, algo_desc=algo_desc
            )
