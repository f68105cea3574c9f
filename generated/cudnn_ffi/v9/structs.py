# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""Structs of cuDNN 9 as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index
from typing import Any

from .._support.enums import enum_value
from .._support.errors import ArgumentError
from .._support.library import LibraryBase
from .._support.pointers import DevicePointer, optional_device_pointer
from .enums import (
    ConvolutionBwdDataAlgo,
    ConvolutionBwdFilterAlgo,
    ConvolutionFwdAlgo,
    DataType,
    Determinism,
    GnnActivationOp,
    MathType,
    Status,
)

__all__ = [
    "ConvolutionBwdDataAlgoPerf",
    "ConvolutionBwdFilterAlgoPerf",
    "ConvolutionFwdAlgoPerf",
    "Debug",
    "Fraction",
    "GnnCscGraph",
    "GnnMhaParams",
]


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
class GnnCscGraph:
    """``cudnnGnnCscGraph_t``; since 9.26.0.

    Attributes
    ----------
    csc_offsets
        ``const void *cscOffsets``.
    csc_indices
        ``const void *cscIndices``.
    map_csc_to_coo
        ``const void *mapCscToCoo``.
    map_rev_to_coo
        ``const void *mapRevToCoo``.
    n_src_nodes
        ``int64_t nSrcNodes``.
    n_dst_nodes
        ``int64_t nDstNodes``.
    n_indices
        ``int64_t nIndices``.
    idx_type
        ``cudnnDataType_t idxType``.
    csc_rev_offsets
        ``const void *cscRevOffsets``; since 9.28.0.
    """

    csc_offsets: DevicePointer | None
    csc_indices: DevicePointer | None
    map_csc_to_coo: DevicePointer | None
    map_rev_to_coo: DevicePointer | None
    n_src_nodes: int
    n_dst_nodes: int
    n_indices: int
    idx_type: DataType
    csc_rev_offsets: DevicePointer | None = None

    @classmethod
    def _from_c(cls, c: Any, library: LibraryBase) -> GnnCscGraph:
        return cls(
            csc_offsets=int(library._ffi.cast("uintptr_t", c.cscOffsets)) or None,
            csc_indices=int(library._ffi.cast("uintptr_t", c.cscIndices)) or None,
            map_csc_to_coo=int(library._ffi.cast("uintptr_t", c.mapCscToCoo)) or None,
            map_rev_to_coo=int(library._ffi.cast("uintptr_t", c.mapRevToCoo)) or None,
            n_src_nodes=c.nSrcNodes,
            n_dst_nodes=c.nDstNodes,
            n_indices=c.nIndices,
            idx_type=DataType(c.idxType),
            csc_rev_offsets=int(library._ffi.cast("uintptr_t", c.cscRevOffsets)) or None
            if library.version >= (9, 28, 0)
            else None,
        )

    def _to_c(self, library: LibraryBase) -> Any:
        c = library._new(library._record("cudnnGnnCscGraph_t") + " *")
        self._fill(c, library)
        return c

    def _fill(self, c: Any, library: LibraryBase) -> None:
        c.cscOffsets = optional_device_pointer(self.csc_offsets, "csc_offsets")
        c.cscIndices = optional_device_pointer(self.csc_indices, "csc_indices")
        c.mapCscToCoo = optional_device_pointer(self.map_csc_to_coo, "map_csc_to_coo")
        c.mapRevToCoo = optional_device_pointer(self.map_rev_to_coo, "map_rev_to_coo")
        c.nSrcNodes = index(self.n_src_nodes)
        c.nDstNodes = index(self.n_dst_nodes)
        c.nIndices = index(self.n_indices)
        c.idxType = enum_value(self.idx_type, DataType)
        if self.csc_rev_offsets is not None:
            if library.version < (9, 28, 0):
                raise ArgumentError("csc_rev_offsets", f"needs cuDNN 9.28.0 or newer; {library.version_text} is loaded")
            c.cscRevOffsets = optional_device_pointer(self.csc_rev_offsets, "csc_rev_offsets")


@dataclass(frozen=True, slots=True)
class GnnMhaParams:
    """``cudnnGnnMhaParams_t``; since 9.28.0.

    Attributes
    ----------
    activation
        ``cudnnGnnActivationOp_t activation``.
    activation_alpha
        ``float activationAlpha``.
    num_heads
        ``int numHeads``.
    concat_heads
        ``int concatHeads``.
    """

    activation: GnnActivationOp
    activation_alpha: float
    num_heads: int
    concat_heads: int

    @classmethod
    def _from_c(cls, c: Any, library: LibraryBase) -> GnnMhaParams:
        return cls(
            activation=GnnActivationOp(c.activation),
            activation_alpha=c.activationAlpha,
            num_heads=c.numHeads,
            concat_heads=c.concatHeads,
        )

    def _to_c(self, library: LibraryBase) -> Any:
        c = library._new("cudnnGnnMhaParams_t *")
        self._fill(c, library)
        return c

    def _fill(self, c: Any, library: LibraryBase) -> None:
        c.activation = enum_value(self.activation, GnnActivationOp)
        c.activationAlpha = self.activation_alpha
        c.numHeads = index(self.num_heads)
        c.concatHeads = index(self.concat_heads)
