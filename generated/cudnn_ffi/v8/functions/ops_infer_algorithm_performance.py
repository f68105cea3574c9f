# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_ops_infer.h`` about algorithm performance."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING

from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.values import in_array, same_length
from ..descriptors import AlgorithmDescriptor, AlgorithmPerformance
from ..enums import Status

if TYPE_CHECKING:
    from ..results import ops_infer_algorithm_performance as results
else:
    results = LazyModule("..results.ops_infer_algorithm_performance", __package__)

__all__ = ["OpsInferAlgorithmPerformanceFunctions"]


class OpsInferAlgorithmPerformanceFunctions(LibraryBase):
    """Functions of ``cudnn_ops_infer.h`` about algorithm performance, as methods of the loaded library."""

    def create_algorithm_performance(self, number_to_create: int) -> list[AlgorithmPerformance]:
        """Create a ``cudnnAlgorithmPerformance_t``: ``cudnnCreateAlgorithmPerformance``.

        Deprecated.

        Parameters
        ----------
        number_to_create : int
            ``int numberToCreate``, in.

        Returns
        -------
        list[AlgorithmPerformance]
            `algo_perf`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            algo_perf = self._new("cudnnAlgorithmPerformance_t[]", number_to_create)
            status = self._lib.cudnnCreateAlgorithmPerformance(algo_perf, index(number_to_create))
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnCreateAlgorithmPerformance", error, number_to_create=number_to_create
            ) from None
        if status:
            raise self._status_error("cudnnCreateAlgorithmPerformance", status, number_to_create=number_to_create)
        return [AlgorithmPerformance(self, one) for one in self._ffi.unpack(algo_perf, number_to_create)]

    def set_algorithm_performance(
        self,
        algo_perf: AlgorithmPerformance,
        algo_desc: AlgorithmDescriptor,
        status_: Status | int,
        time: float,
        memory: int,
    ) -> None:
        """Set up a ``cudnnAlgorithmPerformance_t``: ``cudnnSetAlgorithmPerformance``.

        Deprecated.

        Parameters
        ----------
        algo_perf : AlgorithmPerformance
            ``cudnnAlgorithmPerformance_t algoPerf``, inout.
        algo_desc : AlgorithmDescriptor
            ``cudnnAlgorithmDescriptor_t algoDesc``, in, freed by the object that it is set in from then on.
        status_ : Status | int
            ``cudnnStatus_t status``, in.
        time : float
            ``float time``, in.
        memory : int
            ``size_t memory``, in, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetAlgorithmPerformance(
                algo_perf._ptr, algo_desc._ptr, enum_value(status_, Status), time, index(memory)
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetAlgorithmPerformance",
                error,
                algo_perf=algo_perf,
                algo_desc=algo_desc,
                status_=status_,
                time=time,
                memory=memory,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetAlgorithmPerformance",
                status,
                algo_perf=algo_perf,
                algo_desc=algo_desc,
                status_=status_,
                time=time,
                memory=memory,
            )
        algo_desc._owned.clear()

    def get_algorithm_performance(self, algo_perf: AlgorithmPerformance) -> results.GetAlgorithmPerformanceResult:
        """Read a ``cudnnAlgorithmPerformance_t``: ``cudnnGetAlgorithmPerformance``.

        Deprecated.

        Parameters
        ----------
        algo_perf : AlgorithmPerformance
            ``const cudnnAlgorithmPerformance_t algoPerf``, in.

        Returns
        -------
        results.GetAlgorithmPerformanceResult
            algo_desc : AlgorithmDescriptor | None, not owned: closing it does not destroy it
            status : Status
            time : float
            memory : int, bytes

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            algo_desc = self._new("cudnnAlgorithmDescriptor_t *")
            status_ = self._new("cudnnStatus_t *")
            time = self._new("float *")
            memory = self._new("size_t *")
            status = self._lib.cudnnGetAlgorithmPerformance(algo_perf._ptr, algo_desc, status_, time, memory)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetAlgorithmPerformance", error, algo_perf=algo_perf) from None
        if status:
            raise self._status_error("cudnnGetAlgorithmPerformance", status, algo_perf=algo_perf)
        return results.GetAlgorithmPerformanceResult(
            algo_desc=AlgorithmDescriptor(self, algo_desc[0], owned=False) if algo_desc[0] else None,
            status=Status(status_[0]),
            time=time[0],
            memory=memory[0],
        )

    def destroy_algorithm_performance(self, algo_perf: Sequence[AlgorithmPerformance]) -> None:
        """Destroy a ``cudnnAlgorithmPerformance_t``: ``cudnnDestroyAlgorithmPerformance``.

        Deprecated.

        Parameters
        ----------
        algo_perf : Sequence[AlgorithmPerformance]
            ``cudnnAlgorithmPerformance_t *algoPerf``, in, closed by the call.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            number_to_destroy = same_length(algo_perf=algo_perf)
            status = self._lib.cudnnDestroyAlgorithmPerformance(
                in_array(self._ffi, "cudnnAlgorithmPerformance_t[]", [one._ptr for one in algo_perf], "algo_perf"),
                number_to_destroy,
            )
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnDestroyAlgorithmPerformance", error, algo_perf=algo_perf) from None
        if status:
            raise self._status_error("cudnnDestroyAlgorithmPerformance", status, algo_perf=algo_perf)
        for one in algo_perf:
            one._take()
