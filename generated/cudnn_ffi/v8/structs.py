# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Structs of cuDNN 8 as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index
from typing import Any

from .._support.enums import enum_value
from .._support.library import LibraryBase
from .enums import (
    ConvolutionBwdDataAlgo,
    ConvolutionBwdFilterAlgo,
    ConvolutionFwdAlgo,
    CTCLossAlgo,
    Determinism,
    MathType,
    RNNAlgo,
    Status,
)

__all__ = [
    "Algorithm",
    "AlgorithmUnion",
    "ConvolutionBwdDataAlgoPerf",
    "ConvolutionBwdFilterAlgoPerf",
    "ConvolutionFwdAlgoPerf",
    "Debug",
    "Fraction",
]


@dataclass(frozen=True, slots=True)
class Algorithm:
    """``cudnnAlgorithm_t``.

    Attributes
    ----------
    algo
        ``union Algorithm algo``.
    """

    algo: AlgorithmUnion

    @classmethod
    def _from_c(cls, c: Any, library: LibraryBase) -> Algorithm:
        return cls(
            algo=AlgorithmUnion._from_c(c.algo, library),
        )

    def _to_c(self, library: LibraryBase) -> Any:
        c = library._new("cudnnAlgorithm_t *")
        self._fill(c, library)
        return c

    def _fill(self, c: Any, library: LibraryBase) -> None:
        self.algo._fill(c.algo, library)


@dataclass(frozen=True, slots=True)
class AlgorithmUnion:
    """``Algorithm``.

    Attributes
    ----------
    conv_fwd_algo
        ``cudnnConvolutionFwdAlgo_t convFwdAlgo``.
    conv_bwd_filter_algo
        ``cudnnConvolutionBwdFilterAlgo_t convBwdFilterAlgo``.
    conv_bwd_data_algo
        ``cudnnConvolutionBwdDataAlgo_t convBwdDataAlgo``.
    rnn_algo
        ``cudnnRNNAlgo_t RNNAlgo``.
    ctc_loss_algo
        ``cudnnCTCLossAlgo_t CTCLossAlgo``.
    """

    conv_fwd_algo: ConvolutionFwdAlgo | None = None
    conv_bwd_filter_algo: ConvolutionBwdFilterAlgo | None = None
    conv_bwd_data_algo: ConvolutionBwdDataAlgo | None = None
    rnn_algo: RNNAlgo | None = None
    ctc_loss_algo: CTCLossAlgo | None = None

    @classmethod
    def _from_c(cls, c: Any, library: LibraryBase) -> AlgorithmUnion:
        return cls(
            conv_fwd_algo=ConvolutionFwdAlgo(c.convFwdAlgo),
            conv_bwd_filter_algo=ConvolutionBwdFilterAlgo(c.convBwdFilterAlgo),
            conv_bwd_data_algo=ConvolutionBwdDataAlgo(c.convBwdDataAlgo),
            rnn_algo=RNNAlgo(c.RNNAlgo),
            ctc_loss_algo=CTCLossAlgo(c.CTCLossAlgo),
        )

    def _to_c(self, library: LibraryBase) -> Any:
        c = library._new("union Algorithm *")
        self._fill(c, library)
        return c

    def _fill(self, c: Any, library: LibraryBase) -> None:
        if self.conv_fwd_algo is not None:
            c.convFwdAlgo = enum_value(self.conv_fwd_algo, ConvolutionFwdAlgo)
        if self.conv_bwd_filter_algo is not None:
            c.convBwdFilterAlgo = enum_value(self.conv_bwd_filter_algo, ConvolutionBwdFilterAlgo)
        if self.conv_bwd_data_algo is not None:
            c.convBwdDataAlgo = enum_value(self.conv_bwd_data_algo, ConvolutionBwdDataAlgo)
        if self.rnn_algo is not None:
            c.RNNAlgo = enum_value(self.rnn_algo, RNNAlgo)
        if self.ctc_loss_algo is not None:
            c.CTCLossAlgo = enum_value(self.ctc_loss_algo, CTCLossAlgo)


@dataclass(frozen=True, slots=True)
class Debug:
    """``cudnnDebug_t``.

    Attributes
    ----------
    cudnn_version
        ``unsigned int cudnn_version``.
    cudnn_status
        ``cudnnStatus_t cudnnStatus``.
    time_sec
        ``unsigned int time_sec``.
    time_usec
        ``unsigned int time_usec``.
    time_delta
        ``unsigned int time_delta``.
    handle
        ``cudnnHandle_t handle``.
    stream
        ``cudaStream_t stream``.
    pid
        ``unsigned long long pid``.
    tid
        ``unsigned long long tid``.
    cuda_device_id
        ``int cudaDeviceId``.
    """

    cudnn_version: int
    cudnn_status: Status
    time_sec: int
    time_usec: int
    time_delta: int
    handle: int
    stream: int
    pid: int
    tid: int
    cuda_device_id: int

    @classmethod
    def _from_c(cls, c: Any, library: LibraryBase) -> Debug:
        return cls(
            cudnn_version=c.cudnn_version,
            cudnn_status=Status(c.cudnnStatus),
            time_sec=c.time_sec,
            time_usec=c.time_usec,
            time_delta=c.time_delta,
            handle=int(library._ffi.cast("uintptr_t", c.handle)),
            stream=int(library._ffi.cast("uintptr_t", c.stream)),
            pid=c.pid,
            tid=c.tid,
            cuda_device_id=c.cudaDeviceId,
        )

    def _to_c(self, library: LibraryBase) -> Any:
        c = library._new("cudnnDebug_t *")
        self._fill(c, library)
        return c

    def _fill(self, c: Any, library: LibraryBase) -> None:
        c.cudnn_version = index(self.cudnn_version)
        c.cudnnStatus = enum_value(self.cudnn_status, Status)
        c.time_sec = index(self.time_sec)
        c.time_usec = index(self.time_usec)
        c.time_delta = index(self.time_delta)
        c.handle = library._ffi.cast("cudnnHandle_t", self.handle)
        c.stream = library._ffi.cast("cudaStream_t", self.stream)
        c.pid = index(self.pid)
        c.tid = index(self.tid)
        c.cudaDeviceId = index(self.cuda_device_id)


@dataclass(frozen=True, slots=True)
class ConvolutionFwdAlgoPerf:
    """``cudnnConvolutionFwdAlgoPerf_t``.

    Attributes
    ----------
    algo
        ``cudnnConvolutionFwdAlgo_t algo``.
    status
        ``cudnnStatus_t status``.
    time
        ``float time``, in milliseconds.
    memory
        ``size_t memory``, in bytes.
    determinism
        ``cudnnDeterminism_t determinism``.
    math_type
        ``cudnnMathType_t mathType``.
    """

    algo: ConvolutionFwdAlgo
    status: Status
    time: float
    memory: int
    determinism: Determinism
    math_type: MathType

    @classmethod
    def _from_c(cls, c: Any, library: LibraryBase) -> ConvolutionFwdAlgoPerf:
        return cls(
            algo=ConvolutionFwdAlgo(c.algo),
            status=Status(c.status),
            time=c.time,
            memory=c.memory,
            determinism=Determinism(c.determinism),
            math_type=MathType(c.mathType),
        )

    def _to_c(self, library: LibraryBase) -> Any:
        c = library._new("cudnnConvolutionFwdAlgoPerf_t *")
        self._fill(c, library)
        return c

    def _fill(self, c: Any, library: LibraryBase) -> None:
        c.algo = enum_value(self.algo, ConvolutionFwdAlgo)
        c.status = enum_value(self.status, Status)
        c.time = self.time
        c.memory = index(self.memory)
        c.determinism = enum_value(self.determinism, Determinism)
        c.mathType = enum_value(self.math_type, MathType)


@dataclass(frozen=True, slots=True)
class ConvolutionBwdDataAlgoPerf:
    """``cudnnConvolutionBwdDataAlgoPerf_t``.

    Attributes
    ----------
    algo
        ``cudnnConvolutionBwdDataAlgo_t algo``.
    status
        ``cudnnStatus_t status``.
    time
        ``float time``, in milliseconds.
    memory
        ``size_t memory``, in bytes.
    determinism
        ``cudnnDeterminism_t determinism``.
    math_type
        ``cudnnMathType_t mathType``.
    """

    algo: ConvolutionBwdDataAlgo
    status: Status
    time: float
    memory: int
    determinism: Determinism
    math_type: MathType

    @classmethod
    def _from_c(cls, c: Any, library: LibraryBase) -> ConvolutionBwdDataAlgoPerf:
        return cls(
            algo=ConvolutionBwdDataAlgo(c.algo),
            status=Status(c.status),
            time=c.time,
            memory=c.memory,
            determinism=Determinism(c.determinism),
            math_type=MathType(c.mathType),
        )

    def _to_c(self, library: LibraryBase) -> Any:
        c = library._new("cudnnConvolutionBwdDataAlgoPerf_t *")
        self._fill(c, library)
        return c

    def _fill(self, c: Any, library: LibraryBase) -> None:
        c.algo = enum_value(self.algo, ConvolutionBwdDataAlgo)
        c.status = enum_value(self.status, Status)
        c.time = self.time
        c.memory = index(self.memory)
        c.determinism = enum_value(self.determinism, Determinism)
        c.mathType = enum_value(self.math_type, MathType)


@dataclass(frozen=True, slots=True)
class ConvolutionBwdFilterAlgoPerf:
    """``cudnnConvolutionBwdFilterAlgoPerf_t``.

    Attributes
    ----------
    algo
        ``cudnnConvolutionBwdFilterAlgo_t algo``.
    status
        ``cudnnStatus_t status``.
    time
        ``float time``, in milliseconds.
    memory
        ``size_t memory``, in bytes.
    determinism
        ``cudnnDeterminism_t determinism``.
    math_type
        ``cudnnMathType_t mathType``.
    """

    algo: ConvolutionBwdFilterAlgo
    status: Status
    time: float
    memory: int
    determinism: Determinism
    math_type: MathType

    @classmethod
    def _from_c(cls, c: Any, library: LibraryBase) -> ConvolutionBwdFilterAlgoPerf:
        return cls(
            algo=ConvolutionBwdFilterAlgo(c.algo),
            status=Status(c.status),
            time=c.time,
            memory=c.memory,
            determinism=Determinism(c.determinism),
            math_type=MathType(c.mathType),
        )

    def _to_c(self, library: LibraryBase) -> Any:
        c = library._new("cudnnConvolutionBwdFilterAlgoPerf_t *")
        self._fill(c, library)
        return c

    def _fill(self, c: Any, library: LibraryBase) -> None:
        c.algo = enum_value(self.algo, ConvolutionBwdFilterAlgo)
        c.status = enum_value(self.status, Status)
        c.time = self.time
        c.memory = index(self.memory)
        c.determinism = enum_value(self.determinism, Determinism)
        c.mathType = enum_value(self.math_type, MathType)


@dataclass(frozen=True, slots=True)
class Fraction:
    """``cudnnFraction_t``.

    Attributes
    ----------
    numerator
        ``int64_t numerator``.
    denominator
        ``int64_t denominator``.
    """

    numerator: int
    denominator: int

    @classmethod
    def _from_c(cls, c: Any, library: LibraryBase) -> Fraction:
        return cls(
            numerator=c.numerator,
            denominator=c.denominator,
        )

    def _to_c(self, library: LibraryBase) -> Any:
        c = library._new("cudnnFraction_t *")
        self._fill(c, library)
        return c

    def _fill(self, c: Any, library: LibraryBase) -> None:
        c.numerator = index(self.numerator)
        c.denominator = index(self.denominator)
