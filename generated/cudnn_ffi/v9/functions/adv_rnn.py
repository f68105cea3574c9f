# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""Wrappers of the functions of ``cudnn_adv.h`` about rnn."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

from ..._support.descriptors import handle_pointer
from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer, optional_device_pointer
from ..descriptors import DropoutDescriptor, Handle, RNNDataDescriptor, RNNDescriptor, TensorDescriptor
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
    WgradMode,
)

if TYPE_CHECKING:
    from ..results import adv_rnn as results
else:
    results = LazyModule("..results.adv_rnn", __package__)

__all__ = ["AdvRnnFunctions"]


class AdvRnnFunctions(LibraryBase):
    """Functions of ``cudnn_adv.h`` about rnn, as methods of the loaded library."""

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

    def rnn_set_clip_v8(
        self,
        rnn_desc: RNNDescriptor,
        clip_mode: RNNClipMode | int,
        clip_nan_opt: NanPropagation | int,
        lclip: float,
        rclip: float,
    ) -> None:
        """Set up a ``cudnnRNNDescriptor_t``: ``cudnnRNNSetClip_v8``.

        Deprecated: use ``cudnnRNNSetClip_v9`` instead.

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

    def rnn_set_clip_v9(
        self, rnn_desc: RNNDescriptor, clip_mode: RNNClipMode | int, lclip: float, rclip: float
    ) -> None:
        """Set up a ``cudnnRNNDescriptor_t``: ``cudnnRNNSetClip_v9``.

        Parameters
        ----------
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, inout.
        clip_mode : RNNClipMode | int
            ``cudnnRNNClipMode_t clipMode``, in.
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
            status = self._lib.cudnnRNNSetClip_v9(rnn_desc._ptr, enum_value(clip_mode, RNNClipMode), lclip, rclip)
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnRNNSetClip_v9", error, rnn_desc=rnn_desc, clip_mode=clip_mode, lclip=lclip, rclip=rclip
            ) from None
        if status:
            raise self._status_error(
                "cudnnRNNSetClip_v9", status, rnn_desc=rnn_desc, clip_mode=clip_mode, lclip=lclip, rclip=rclip
            )

    def rnn_get_clip_v8(self, rnn_desc: RNNDescriptor) -> results.RNNGetClipV8Result:
        """Read a ``cudnnRNNDescriptor_t``: ``cudnnRNNGetClip_v8``.

        Deprecated: use ``cudnnRNNGetClip_v9`` instead.

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

    def rnn_get_clip_v9(self, rnn_desc: RNNDescriptor) -> results.RNNGetClipV9Result:
        """Read a ``cudnnRNNDescriptor_t``: ``cudnnRNNGetClip_v9``.

        Parameters
        ----------
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, in.

        Returns
        -------
        results.RNNGetClipV9Result
            clip_mode : RNNClipMode
            lclip : float
            rclip : float

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            clip_mode = self._new("cudnnRNNClipMode_t *")
            lclip = self._new("double *")
            rclip = self._new("double *")
            status = self._lib.cudnnRNNGetClip_v9(rnn_desc._ptr, clip_mode, lclip, rclip)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnRNNGetClip_v9", error, rnn_desc=rnn_desc) from None
        if status:
            raise self._status_error("cudnnRNNGetClip_v9", status, rnn_desc=rnn_desc)
        return results.RNNGetClipV9Result(
            clip_mode=RNNClipMode(clip_mode[0]),
            lclip=lclip[0],
            rclip=rclip[0],
        )

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

    def rnn_forward(
        self,
        handle: Handle,
        rnn_desc: RNNDescriptor,
        fwd_mode: ForwardMode | int,
        dev_seq_lengths: DevicePointer | None,
        x_desc: RNNDataDescriptor,
        x: DevicePointer,
        y_desc: RNNDataDescriptor,
        y: DevicePointer,
        h_desc: TensorDescriptor | None,
        hx: DevicePointer | None,
        hy: DevicePointer | None,
        c_desc: TensorDescriptor | None,
        cx: DevicePointer | None,
        cy: DevicePointer | None,
        weight_space_size: int,
        weight_space: DevicePointer,
        work_space_size: int,
        work_space: DevicePointer | None,
        reserve_space_size: int,
        reserve_space: DevicePointer | None,
    ) -> None:
        """Compute (RNN, forward): ``cudnnRNNForward``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        rnn_desc : RNNDescriptor
            ``cudnnRNNDescriptor_t rnnDesc``, in.
        fwd_mode : ForwardMode | int
            ``cudnnForwardMode_t fwdMode``, in.
        dev_seq_lengths : DevicePointer | None
            ``const int32_t devSeqLengths[]``, in, device memory.
        x_desc : RNNDataDescriptor
            ``cudnnRNNDataDescriptor_t xDesc``, in.
        x : DevicePointer
            ``const void *x``, in, device memory.
        y_desc : RNNDataDescriptor
            ``cudnnRNNDataDescriptor_t yDesc``, in.
        y : DevicePointer
            ``void *y``, out, device memory.
        h_desc : TensorDescriptor | None
            ``cudnnTensorDescriptor_t hDesc``, in.
        hx : DevicePointer | None
            ``const void *hx``, in, device memory.
        hy : DevicePointer | None
            ``void *hy``, out, device memory.
        c_desc : TensorDescriptor | None
            ``cudnnTensorDescriptor_t cDesc``, in.
        cx : DevicePointer | None
            ``const void *cx``, in, device memory.
        cy : DevicePointer | None
            ``void *cy``, out, device memory.
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
            status = self._lib.cudnnRNNForward(
                handle._ptr,
                rnn_desc._ptr,
                enum_value(fwd_mode, ForwardMode),
                optional_device_pointer(dev_seq_lengths, "dev_seq_lengths"),
                x_desc._ptr,
                device_pointer(x, "x"),
                y_desc._ptr,
                device_pointer(y, "y"),
                handle_pointer(h_desc, self._null),
                optional_device_pointer(hx, "hx"),
                optional_device_pointer(hy, "hy"),
                handle_pointer(c_desc, self._null),
                optional_device_pointer(cx, "cx"),
                optional_device_pointer(cy, "cy"),
                index(weight_space_size),
                device_pointer(weight_space, "weight_space"),
                index(work_space_size),
                optional_device_pointer(work_space, "work_space"),
                index(reserve_space_size),
                optional_device_pointer(reserve_space, "reserve_space"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnRNNForward",
                error,
                handle=handle,
                rnn_desc=rnn_desc,
                fwd_mode=fwd_mode,
                dev_seq_lengths=dev_seq_lengths,
                x_desc=x_desc,
                x=x,
                y_desc=y_desc,
                y=y,
                h_desc=h_desc,
                hx=hx,
                hy=hy,
                c_desc=c_desc,
                cx=cx,
                cy=cy,
                weight_space_size=weight_space_size,
                weight_space=weight_space,
                work_space_size=work_space_size,
                work_space=work_space,
                reserve_space_size=reserve_space_size,
                reserve_space=reserve_space,
            ) from None
        if status:
            raise self._status_error(
                "cudnnRNNForward",
                status,
                handle=handle,
                rnn_desc=rnn_desc,
                fwd_mode=fwd_mode,
                dev_seq_lengths=dev_seq_lengths,
                x_desc=x_desc,
                x=x,
                y_desc=y_desc,
                y=y,
                h_desc=h_desc,
                hx=hx,
                hy=hy,
                c_desc=c_desc,
                cx=cx,
                cy=cy,
                weight_space_size=weight_space_size,
                weight_space=weight_space,
                work_space_size=work_space_size,
                work_space=work_space,
                reserve_space_size=reserve_space_size,
                reserve_space=reserve_space,
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
