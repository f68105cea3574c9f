# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""Wrappers of the functions of ``cudnn_subquadratic_ops.h``."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, Stream, device_pointer, optional_device_pointer, stream_pointer
from ..enums import CausalConv1dActivation, DataType

if TYPE_CHECKING:
    from ..results import subquadratic_ops as results
else:
    results = LazyModule("..results.subquadratic_ops", __package__)

__all__ = ["SubquadraticOpsFunctions"]


class SubquadraticOpsFunctions(LibraryBase):
    """Functions of ``cudnn_subquadratic_ops.h``, as methods of the loaded library."""

    def subquadratic_ops_version_check(self) -> None:
        """Call ``cudnnSubquadraticOpsVersionCheck``.

        Since 9.22.0.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSubquadraticOpsVersionCheck()
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnSubquadraticOpsVersionCheck", error) from None
        if status:
            raise self._status_error("cudnnSubquadraticOpsVersionCheck", status)

    def causal_conv1d_forward(
        self,
        stream: Stream,
        x: DevicePointer,
        weight: DevicePointer,
        bias: DevicePointer,
        y: DevicePointer,
        batch: int,
        dim: int,
        seq_len: int,
        kernel_size: int,
        data_type: DataType | int,
        activation: CausalConv1dActivation | int,
    ) -> None:
        """Compute (CausalConv1d, forward): ``cudnnCausalConv1dForward``.

        Since 9.22.0.

        Parameters
        ----------
        stream : Stream
            ``cudaStream_t stream``, in, 0: the default stream.
        x : DevicePointer
            ``const void *x``, in, device memory.
        weight : DevicePointer
            ``const void *weight``, in, device memory.
        bias : DevicePointer
            ``const void *bias``, in, device memory.
        y : DevicePointer
            ``void *y``, out, device memory.
        batch : int
            ``int batch``, in.
        dim : int
            ``int dim``, in.
        seq_len : int
            ``int seqLen``, in.
        kernel_size : int
            ``int kernelSize``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        activation : CausalConv1dActivation | int
            ``cudnnCausalConv1dActivation_t activation``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnCausalConv1dForward(
                stream_pointer(stream, "stream"),
                device_pointer(x, "x"),
                device_pointer(weight, "weight"),
                device_pointer(bias, "bias"),
                device_pointer(y, "y"),
                index(batch),
                index(dim),
                index(seq_len),
                index(kernel_size),
                enum_value(data_type, DataType),
                enum_value(activation, CausalConv1dActivation),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnCausalConv1dForward",
                error,
                stream=stream,
                x=x,
                weight=weight,
                bias=bias,
                y=y,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size=kernel_size,
                data_type=data_type,
                activation=activation,
            ) from None
        if status:
            raise self._status_error(
                "cudnnCausalConv1dForward",
                status,
                stream=stream,
                x=x,
                weight=weight,
                bias=bias,
                y=y,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size=kernel_size,
                data_type=data_type,
                activation=activation,
            )

    def causal_conv1d_backward(
        self,
        stream: Stream,
        x: DevicePointer,
        weight: DevicePointer,
        bias: DevicePointer,
        dy: DevicePointer,
        dx: DevicePointer,
        dweight: DevicePointer,
        dbias: DevicePointer,
        batch: int,
        dim: int,
        seq_len: int,
        kernel_size: int,
        data_type: DataType | int,
        dw_data_type: DataType | int,
        activation: CausalConv1dActivation | int,
    ) -> None:
        """Compute gradients (CausalConv1d, backward): ``cudnnCausalConv1dBackward``.

        Since 9.22.0.

        Parameters
        ----------
        stream : Stream
            ``cudaStream_t stream``, in, 0: the default stream.
        x : DevicePointer
            ``const void *x``, in, device memory.
        weight : DevicePointer
            ``const void *weight``, in, device memory.
        bias : DevicePointer
            ``const void *bias``, in, device memory.
        dy : DevicePointer
            ``const void *dy``, in, device memory.
        dx : DevicePointer
            ``void *dx``, out, device memory.
        dweight : DevicePointer
            ``void *dweight``, inout, device memory.
        dbias : DevicePointer
            ``void *dbias``, inout, device memory.
        batch : int
            ``int batch``, in.
        dim : int
            ``int dim``, in.
        seq_len : int
            ``int seqLen``, in.
        kernel_size : int
            ``int kernelSize``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        dw_data_type : DataType | int
            ``cudnnDataType_t dwDataType``, in.
        activation : CausalConv1dActivation | int
            ``cudnnCausalConv1dActivation_t activation``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnCausalConv1dBackward(
                stream_pointer(stream, "stream"),
                device_pointer(x, "x"),
                device_pointer(weight, "weight"),
                device_pointer(bias, "bias"),
                device_pointer(dy, "dy"),
                device_pointer(dx, "dx"),
                device_pointer(dweight, "dweight"),
                device_pointer(dbias, "dbias"),
                index(batch),
                index(dim),
                index(seq_len),
                index(kernel_size),
                enum_value(data_type, DataType),
                enum_value(dw_data_type, DataType),
                enum_value(activation, CausalConv1dActivation),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnCausalConv1dBackward",
                error,
                stream=stream,
                x=x,
                weight=weight,
                bias=bias,
                dy=dy,
                dx=dx,
                dweight=dweight,
                dbias=dbias,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size=kernel_size,
                data_type=data_type,
                dw_data_type=dw_data_type,
                activation=activation,
            ) from None
        if status:
            raise self._status_error(
                "cudnnCausalConv1dBackward",
                status,
                stream=stream,
                x=x,
                weight=weight,
                bias=bias,
                dy=dy,
                dx=dx,
                dweight=dweight,
                dbias=dbias,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size=kernel_size,
                data_type=data_type,
                dw_data_type=dw_data_type,
                activation=activation,
            )

    def causal_conv1d_nwh_forward(
        self,
        stream: Stream,
        x: DevicePointer,
        weight: DevicePointer,
        bias: DevicePointer,
        y: DevicePointer,
        batch: int,
        dim: int,
        seq_len: int,
        kernel_size: int,
        data_type: DataType | int,
        activation: CausalConv1dActivation | int,
    ) -> None:
        """Compute (CausalConv1dNwh, forward): ``cudnnCausalConv1dNwhForward``.

        Since 9.24.0.

        Parameters
        ----------
        stream : Stream
            ``cudaStream_t stream``, in, 0: the default stream.
        x : DevicePointer
            ``const void *x``, in, device memory.
        weight : DevicePointer
            ``const void *weight``, in, device memory.
        bias : DevicePointer
            ``const void *bias``, in, device memory.
        y : DevicePointer
            ``void *y``, out, device memory.
        batch : int
            ``int batch``, in.
        dim : int
            ``int dim``, in.
        seq_len : int
            ``int seqLen``, in.
        kernel_size : int
            ``int kernelSize``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        activation : CausalConv1dActivation | int
            ``cudnnCausalConv1dActivation_t activation``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnCausalConv1dNwhForward(
                stream_pointer(stream, "stream"),
                device_pointer(x, "x"),
                device_pointer(weight, "weight"),
                device_pointer(bias, "bias"),
                device_pointer(y, "y"),
                index(batch),
                index(dim),
                index(seq_len),
                index(kernel_size),
                enum_value(data_type, DataType),
                enum_value(activation, CausalConv1dActivation),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnCausalConv1dNwhForward",
                error,
                stream=stream,
                x=x,
                weight=weight,
                bias=bias,
                y=y,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size=kernel_size,
                data_type=data_type,
                activation=activation,
            ) from None
        if status:
            raise self._status_error(
                "cudnnCausalConv1dNwhForward",
                status,
                stream=stream,
                x=x,
                weight=weight,
                bias=bias,
                y=y,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size=kernel_size,
                data_type=data_type,
                activation=activation,
            )

    def causal_conv1d_nwh_backward(
        self,
        stream: Stream,
        x: DevicePointer,
        weight: DevicePointer,
        bias: DevicePointer,
        dy: DevicePointer,
        dx: DevicePointer,
        dweight: DevicePointer,
        dbias: DevicePointer,
        batch: int,
        dim: int,
        seq_len: int,
        kernel_size: int,
        data_type: DataType | int,
        dw_data_type: DataType | int,
        activation: CausalConv1dActivation | int,
    ) -> None:
        """Compute gradients (CausalConv1dNwh, backward): ``cudnnCausalConv1dNwhBackward``.

        Since 9.24.0.

        Parameters
        ----------
        stream : Stream
            ``cudaStream_t stream``, in, 0: the default stream.
        x : DevicePointer
            ``const void *x``, in, device memory.
        weight : DevicePointer
            ``const void *weight``, in, device memory.
        bias : DevicePointer
            ``const void *bias``, in, device memory.
        dy : DevicePointer
            ``const void *dy``, in, device memory.
        dx : DevicePointer
            ``void *dx``, out, device memory.
        dweight : DevicePointer
            ``void *dweight``, inout, device memory.
        dbias : DevicePointer
            ``void *dbias``, inout, device memory.
        batch : int
            ``int batch``, in.
        dim : int
            ``int dim``, in.
        seq_len : int
            ``int seqLen``, in.
        kernel_size : int
            ``int kernelSize``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        dw_data_type : DataType | int
            ``cudnnDataType_t dwDataType``, in.
        activation : CausalConv1dActivation | int
            ``cudnnCausalConv1dActivation_t activation``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnCausalConv1dNwhBackward(
                stream_pointer(stream, "stream"),
                device_pointer(x, "x"),
                device_pointer(weight, "weight"),
                device_pointer(bias, "bias"),
                device_pointer(dy, "dy"),
                device_pointer(dx, "dx"),
                device_pointer(dweight, "dweight"),
                device_pointer(dbias, "dbias"),
                index(batch),
                index(dim),
                index(seq_len),
                index(kernel_size),
                enum_value(data_type, DataType),
                enum_value(dw_data_type, DataType),
                enum_value(activation, CausalConv1dActivation),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnCausalConv1dNwhBackward",
                error,
                stream=stream,
                x=x,
                weight=weight,
                bias=bias,
                dy=dy,
                dx=dx,
                dweight=dweight,
                dbias=dbias,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size=kernel_size,
                data_type=data_type,
                dw_data_type=dw_data_type,
                activation=activation,
            ) from None
        if status:
            raise self._status_error(
                "cudnnCausalConv1dNwhBackward",
                status,
                stream=stream,
                x=x,
                weight=weight,
                bias=bias,
                dy=dy,
                dx=dx,
                dweight=dweight,
                dbias=dbias,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size=kernel_size,
                data_type=data_type,
                dw_data_type=dw_data_type,
                activation=activation,
            )

    def b2b_causal_conv1d_forward(
        self,
        stream: Stream,
        x: DevicePointer,
        weights_proj: DevicePointer,
        weights_mixer: DevicePointer,
        skip_bias: DevicePointer,
        y: DevicePointer,
        y_gated: DevicePointer,
        batch: int,
        dim: int,
        seq_len: int,
        kernel_size_proj: int,
        kernel_size_mixer: int,
        data_type: DataType | int,
    ) -> None:
        """Compute (B2BCausalConv1d, forward): ``cudnnB2BCausalConv1dForward``.

        Since 9.24.0.

        Parameters
        ----------
        stream : Stream
            ``cudaStream_t stream``, in, 0: the default stream.
        x : DevicePointer
            ``const void *x``, in, device memory.
        weights_proj : DevicePointer
            ``const void *weightsProj``, in, device memory.
        weights_mixer : DevicePointer
            ``const void *weightsMixer``, in, device memory.
        skip_bias : DevicePointer
            ``const void *skipBias``, in, device memory.
        y : DevicePointer
            ``void *y``, out, device memory.
        y_gated : DevicePointer
            ``void *yGated``, out, device memory.
        batch : int
            ``int batch``, in.
        dim : int
            ``int dim``, in.
        seq_len : int
            ``int seqLen``, in.
        kernel_size_proj : int
            ``int kernelSizeProj``, in.
        kernel_size_mixer : int
            ``int kernelSizeMixer``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnB2BCausalConv1dForward(
                stream_pointer(stream, "stream"),
                device_pointer(x, "x"),
                device_pointer(weights_proj, "weights_proj"),
                device_pointer(weights_mixer, "weights_mixer"),
                device_pointer(skip_bias, "skip_bias"),
                device_pointer(y, "y"),
                device_pointer(y_gated, "y_gated"),
                index(batch),
                index(dim),
                index(seq_len),
                index(kernel_size_proj),
                index(kernel_size_mixer),
                enum_value(data_type, DataType),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnB2BCausalConv1dForward",
                error,
                stream=stream,
                x=x,
                weights_proj=weights_proj,
                weights_mixer=weights_mixer,
                skip_bias=skip_bias,
                y=y,
                y_gated=y_gated,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size_proj=kernel_size_proj,
                kernel_size_mixer=kernel_size_mixer,
                data_type=data_type,
            ) from None
        if status:
            raise self._status_error(
                "cudnnB2BCausalConv1dForward",
                status,
                stream=stream,
                x=x,
                weights_proj=weights_proj,
                weights_mixer=weights_mixer,
                skip_bias=skip_bias,
                y=y,
                y_gated=y_gated,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size_proj=kernel_size_proj,
                kernel_size_mixer=kernel_size_mixer,
                data_type=data_type,
            )

    def b2b_causal_conv1d_backward(
        self,
        stream: Stream,
        x: DevicePointer,
        weights_proj: DevicePointer,
        weights_mixer: DevicePointer,
        skip_bias: DevicePointer,
        y: DevicePointer,
        dy: DevicePointer,
        dx: DevicePointer,
        dweights_proj: DevicePointer,
        dweights_mixer: DevicePointer,
        dskip_bias: DevicePointer,
        batch: int,
        dim: int,
        seq_len: int,
        kernel_size_proj: int,
        kernel_size_mixer: int,
        data_type: DataType | int,
        dw_data_type: DataType | int,
    ) -> None:
        """Compute gradients (B2BCausalConv1d, backward): ``cudnnB2BCausalConv1dBackward``.

        Since 9.24.0.

        Parameters
        ----------
        stream : Stream
            ``cudaStream_t stream``, in, 0: the default stream.
        x : DevicePointer
            ``const void *x``, in, device memory.
        weights_proj : DevicePointer
            ``const void *weightsProj``, in, device memory.
        weights_mixer : DevicePointer
            ``const void *weightsMixer``, in, device memory.
        skip_bias : DevicePointer
            ``const void *skipBias``, in, device memory.
        y : DevicePointer
            ``const void *y``, in, device memory.
        dy : DevicePointer
            ``const void *dy``, in, device memory.
        dx : DevicePointer
            ``void *dx``, out, device memory.
        dweights_proj : DevicePointer
            ``void *dweightsProj``, inout, device memory.
        dweights_mixer : DevicePointer
            ``void *dweightsMixer``, inout, device memory.
        dskip_bias : DevicePointer
            ``void *dskipBias``, inout, device memory.
        batch : int
            ``int batch``, in.
        dim : int
            ``int dim``, in.
        seq_len : int
            ``int seqLen``, in.
        kernel_size_proj : int
            ``int kernelSizeProj``, in.
        kernel_size_mixer : int
            ``int kernelSizeMixer``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        dw_data_type : DataType | int
            ``cudnnDataType_t dwDataType``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnB2BCausalConv1dBackward(
                stream_pointer(stream, "stream"),
                device_pointer(x, "x"),
                device_pointer(weights_proj, "weights_proj"),
                device_pointer(weights_mixer, "weights_mixer"),
                device_pointer(skip_bias, "skip_bias"),
                device_pointer(y, "y"),
                device_pointer(dy, "dy"),
                device_pointer(dx, "dx"),
                device_pointer(dweights_proj, "dweights_proj"),
                device_pointer(dweights_mixer, "dweights_mixer"),
                device_pointer(dskip_bias, "dskip_bias"),
                index(batch),
                index(dim),
                index(seq_len),
                index(kernel_size_proj),
                index(kernel_size_mixer),
                enum_value(data_type, DataType),
                enum_value(dw_data_type, DataType),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnB2BCausalConv1dBackward",
                error,
                stream=stream,
                x=x,
                weights_proj=weights_proj,
                weights_mixer=weights_mixer,
                skip_bias=skip_bias,
                y=y,
                dy=dy,
                dx=dx,
                dweights_proj=dweights_proj,
                dweights_mixer=dweights_mixer,
                dskip_bias=dskip_bias,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size_proj=kernel_size_proj,
                kernel_size_mixer=kernel_size_mixer,
                data_type=data_type,
                dw_data_type=dw_data_type,
            ) from None
        if status:
            raise self._status_error(
                "cudnnB2BCausalConv1dBackward",
                status,
                stream=stream,
                x=x,
                weights_proj=weights_proj,
                weights_mixer=weights_mixer,
                skip_bias=skip_bias,
                y=y,
                dy=dy,
                dx=dx,
                dweights_proj=dweights_proj,
                dweights_mixer=dweights_mixer,
                dskip_bias=dskip_bias,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size_proj=kernel_size_proj,
                kernel_size_mixer=kernel_size_mixer,
                data_type=data_type,
                dw_data_type=dw_data_type,
            )

    def fft_causal_conv1d_forward(
        self,
        stream: Stream,
        x: DevicePointer,
        weight: DevicePointer,
        y: DevicePointer,
        batch: int,
        dim: int,
        seq_len: int,
        kernel_size: int,
        data_type: DataType | int,
    ) -> None:
        """Compute (FFTCausalConv1d, forward): ``cudnnFFTCausalConv1dForward``.

        Since 9.26.0.

        Parameters
        ----------
        stream : Stream
            ``cudaStream_t stream``, in, 0: the default stream.
        x : DevicePointer
            ``const void *x``, in, device memory.
        weight : DevicePointer
            ``const void *weight``, in, device memory.
        y : DevicePointer
            ``void *y``, out, device memory.
        batch : int
            ``int batch``, in.
        dim : int
            ``int dim``, in.
        seq_len : int
            ``int seqLen``, in.
        kernel_size : int
            ``int kernelSize``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnFFTCausalConv1dForward(
                stream_pointer(stream, "stream"),
                device_pointer(x, "x"),
                device_pointer(weight, "weight"),
                device_pointer(y, "y"),
                index(batch),
                index(dim),
                index(seq_len),
                index(kernel_size),
                enum_value(data_type, DataType),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnFFTCausalConv1dForward",
                error,
                stream=stream,
                x=x,
                weight=weight,
                y=y,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size=kernel_size,
                data_type=data_type,
            ) from None
        if status:
            raise self._status_error(
                "cudnnFFTCausalConv1dForward",
                status,
                stream=stream,
                x=x,
                weight=weight,
                y=y,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size=kernel_size,
                data_type=data_type,
            )

    def fft_causal_conv1d_backward(
        self,
        stream: Stream,
        x: DevicePointer,
        weight: DevicePointer,
        dy: DevicePointer,
        dx: DevicePointer,
        dweight: DevicePointer,
        batch: int,
        dim: int,
        seq_len: int,
        kernel_size: int,
        data_type: DataType | int,
    ) -> None:
        """Compute gradients (FFTCausalConv1d, backward): ``cudnnFFTCausalConv1dBackward``.

        Since 9.26.0.

        Parameters
        ----------
        stream : Stream
            ``cudaStream_t stream``, in, 0: the default stream.
        x : DevicePointer
            ``const void *x``, in, device memory.
        weight : DevicePointer
            ``const void *weight``, in, device memory.
        dy : DevicePointer
            ``const void *dy``, in, device memory.
        dx : DevicePointer
            ``void *dx``, out, device memory.
        dweight : DevicePointer
            ``void *dweight``, out, device memory.
        batch : int
            ``int batch``, in.
        dim : int
            ``int dim``, in.
        seq_len : int
            ``int seqLen``, in.
        kernel_size : int
            ``int kernelSize``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnFFTCausalConv1dBackward(
                stream_pointer(stream, "stream"),
                device_pointer(x, "x"),
                device_pointer(weight, "weight"),
                device_pointer(dy, "dy"),
                device_pointer(dx, "dx"),
                device_pointer(dweight, "dweight"),
                index(batch),
                index(dim),
                index(seq_len),
                index(kernel_size),
                enum_value(data_type, DataType),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnFFTCausalConv1dBackward",
                error,
                stream=stream,
                x=x,
                weight=weight,
                dy=dy,
                dx=dx,
                dweight=dweight,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size=kernel_size,
                data_type=data_type,
            ) from None
        if status:
            raise self._status_error(
                "cudnnFFTCausalConv1dBackward",
                status,
                stream=stream,
                x=x,
                weight=weight,
                dy=dy,
                dx=dx,
                dweight=dweight,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size=kernel_size,
                data_type=data_type,
            )

    def long_fft_causal_conv1d_get_buffer_sizes(
        self, batch: int, dim: int, seq_len: int, kernel_size: int, data_type: DataType | int
    ) -> results.LongFFTCausalConv1dGetBufferSizesResult:
        """Ask how many bytes are needed (LongFFTCausalConv1d): ``cudnnLongFFTCausalConv1dGetBufferSizes``.

        Since 9.26.0.

        Parameters
        ----------
        batch : int
            ``int batch``, in.
        dim : int
            ``int dim``, in.
        seq_len : int
            ``int seqLen``, in.
        kernel_size : int
            ``int kernelSize``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.

        Returns
        -------
        results.LongFFTCausalConv1dGetBufferSizesResult
            workspace_size_in_bytes : int, bytes
            reserve_space_size_in_bytes : int, bytes

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            workspace_size_in_bytes = self._new("size_t *")
            reserve_space_size_in_bytes = self._new("size_t *")
            status = self._lib.cudnnLongFFTCausalConv1dGetBufferSizes(
                index(batch),
                index(dim),
                index(seq_len),
                index(kernel_size),
                enum_value(data_type, DataType),
                workspace_size_in_bytes,
                reserve_space_size_in_bytes,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnLongFFTCausalConv1dGetBufferSizes",
                error,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size=kernel_size,
                data_type=data_type,
            ) from None
        if status:
            raise self._status_error(
                "cudnnLongFFTCausalConv1dGetBufferSizes",
                status,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size=kernel_size,
                data_type=data_type,
            )
        return results.LongFFTCausalConv1dGetBufferSizesResult(
            workspace_size_in_bytes=workspace_size_in_bytes[0],
            reserve_space_size_in_bytes=reserve_space_size_in_bytes[0],
        )

    def long_fft_causal_conv1d_forward(
        self,
        stream: Stream,
        x: DevicePointer,
        weight: DevicePointer,
        y: DevicePointer,
        batch: int,
        dim: int,
        seq_len: int,
        kernel_size: int,
        data_type: DataType | int,
        workspace: DevicePointer | None,
        workspace_size_in_bytes: int,
        reserve_space: DevicePointer | None,
        reserve_space_size_in_bytes: int,
    ) -> None:
        """Compute (LongFFTCausalConv1d, forward): ``cudnnLongFFTCausalConv1dForward``.

        Since 9.26.0.

        Parameters
        ----------
        stream : Stream
            ``cudaStream_t stream``, in, 0: the default stream.
        x : DevicePointer
            ``const void *x``, in, device memory.
        weight : DevicePointer
            ``const void *weight``, in, device memory.
        y : DevicePointer
            ``void *y``, out, device memory.
        batch : int
            ``int batch``, in.
        dim : int
            ``int dim``, in.
        seq_len : int
            ``int seqLen``, in.
        kernel_size : int
            ``int kernelSize``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        workspace : DevicePointer | None
            ``void *workspace``, inout, device memory.
        workspace_size_in_bytes : int
            ``size_t workspaceSizeInBytes``, in, bytes.
        reserve_space : DevicePointer | None
            ``void *reserveSpace``, out, device memory.
        reserve_space_size_in_bytes : int
            ``size_t reserveSpaceSizeInBytes``, in, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnLongFFTCausalConv1dForward(
                stream_pointer(stream, "stream"),
                device_pointer(x, "x"),
                device_pointer(weight, "weight"),
                device_pointer(y, "y"),
                index(batch),
                index(dim),
                index(seq_len),
                index(kernel_size),
                enum_value(data_type, DataType),
                optional_device_pointer(workspace, "workspace"),
                index(workspace_size_in_bytes),
                optional_device_pointer(reserve_space, "reserve_space"),
                index(reserve_space_size_in_bytes),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnLongFFTCausalConv1dForward",
                error,
                stream=stream,
                x=x,
                weight=weight,
                y=y,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size=kernel_size,
                data_type=data_type,
                workspace=workspace,
                workspace_size_in_bytes=workspace_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            ) from None
        if status:
            raise self._status_error(
                "cudnnLongFFTCausalConv1dForward",
                status,
                stream=stream,
                x=x,
                weight=weight,
                y=y,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size=kernel_size,
                data_type=data_type,
                workspace=workspace,
                workspace_size_in_bytes=workspace_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            )

    def long_fft_causal_conv1d_backward(
        self,
        stream: Stream,
        dy: DevicePointer,
        dx: DevicePointer,
        dweight: DevicePointer,
        batch: int,
        dim: int,
        seq_len: int,
        kernel_size: int,
        data_type: DataType | int,
        workspace: DevicePointer | None,
        workspace_size_in_bytes: int,
        reserve_space: DevicePointer | None,
        reserve_space_size_in_bytes: int,
    ) -> None:
        """Compute gradients (LongFFTCausalConv1d, backward): ``cudnnLongFFTCausalConv1dBackward``.

        Since 9.26.0.

        Parameters
        ----------
        stream : Stream
            ``cudaStream_t stream``, in, 0: the default stream.
        dy : DevicePointer
            ``const void *dy``, in, device memory.
        dx : DevicePointer
            ``void *dx``, out, device memory.
        dweight : DevicePointer
            ``void *dweight``, out, device memory.
        batch : int
            ``int batch``, in.
        dim : int
            ``int dim``, in.
        seq_len : int
            ``int seqLen``, in.
        kernel_size : int
            ``int kernelSize``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        workspace : DevicePointer | None
            ``void *workspace``, inout, device memory.
        workspace_size_in_bytes : int
            ``size_t workspaceSizeInBytes``, in, bytes.
        reserve_space : DevicePointer | None
            ``void *reserveSpace``, in, device memory.
        reserve_space_size_in_bytes : int
            ``size_t reserveSpaceSizeInBytes``, in, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnLongFFTCausalConv1dBackward(
                stream_pointer(stream, "stream"),
                device_pointer(dy, "dy"),
                device_pointer(dx, "dx"),
                device_pointer(dweight, "dweight"),
                index(batch),
                index(dim),
                index(seq_len),
                index(kernel_size),
                enum_value(data_type, DataType),
                optional_device_pointer(workspace, "workspace"),
                index(workspace_size_in_bytes),
                optional_device_pointer(reserve_space, "reserve_space"),
                index(reserve_space_size_in_bytes),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnLongFFTCausalConv1dBackward",
                error,
                stream=stream,
                dy=dy,
                dx=dx,
                dweight=dweight,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size=kernel_size,
                data_type=data_type,
                workspace=workspace,
                workspace_size_in_bytes=workspace_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            ) from None
        if status:
            raise self._status_error(
                "cudnnLongFFTCausalConv1dBackward",
                status,
                stream=stream,
                dy=dy,
                dx=dx,
                dweight=dweight,
                batch=batch,
                dim=dim,
                seq_len=seq_len,
                kernel_size=kernel_size,
                data_type=data_type,
                workspace=workspace,
                workspace_size_in_bytes=workspace_size_in_bytes,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            )
