# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_ops_infer.h`` about algorithm."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.values import host_buffer
from ..descriptors import AlgorithmDescriptor, Handle

if TYPE_CHECKING:
    from .. import structs
else:
    structs = LazyModule("..structs", __package__)

__all__ = ["OpsInferAlgorithmFunctions"]


class OpsInferAlgorithmFunctions(LibraryBase):
    """Functions of ``cudnn_ops_infer.h`` about algorithm, as methods of the loaded library."""

    def create_algorithm_descriptor(self) -> AlgorithmDescriptor:
        """Create a ``cudnnAlgorithmDescriptor_t``: ``cudnnCreateAlgorithmDescriptor``.

        Deprecated.

        Returns
        -------
        AlgorithmDescriptor
            `algo_desc`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            algo_desc = self._new("cudnnAlgorithmDescriptor_t *")
            status = self._lib.cudnnCreateAlgorithmDescriptor(algo_desc)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateAlgorithmDescriptor", error) from None
        if status:
            raise self._status_error("cudnnCreateAlgorithmDescriptor", status)
        return AlgorithmDescriptor(self, algo_desc[0])

    def set_algorithm_descriptor(self, algo_desc: AlgorithmDescriptor, algorithm: structs.Algorithm) -> None:
        """Set up a ``cudnnAlgorithmDescriptor_t``: ``cudnnSetAlgorithmDescriptor``.

        Deprecated.

        Parameters
        ----------
        algo_desc : AlgorithmDescriptor
            ``cudnnAlgorithmDescriptor_t algoDesc``, inout.
        algorithm : structs.Algorithm
            ``cudnnAlgorithm_t algorithm``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            algorithm_data = algorithm._to_c(self)
            status = self._lib.cudnnSetAlgorithmDescriptor(
                algo_desc._ptr, self._ffi.cast("cudnnAlgorithm_t__by_value *", algorithm_data)[0]
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetAlgorithmDescriptor", error, algo_desc=algo_desc, algorithm=algorithm
            ) from None
        if status:
            raise self._status_error("cudnnSetAlgorithmDescriptor", status, algo_desc=algo_desc, algorithm=algorithm)

    def get_algorithm_descriptor(self, algo_desc: AlgorithmDescriptor) -> structs.Algorithm:
        """Read a ``cudnnAlgorithmDescriptor_t``: ``cudnnGetAlgorithmDescriptor``.

        Deprecated.

        Parameters
        ----------
        algo_desc : AlgorithmDescriptor
            ``const cudnnAlgorithmDescriptor_t algoDesc``, in.

        Returns
        -------
        structs.Algorithm
            `algorithm`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            algorithm = self._new("cudnnAlgorithm_t *")
            status = self._lib.cudnnGetAlgorithmDescriptor(algo_desc._ptr, algorithm)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetAlgorithmDescriptor", error, algo_desc=algo_desc) from None
        if status:
            raise self._status_error("cudnnGetAlgorithmDescriptor", status, algo_desc=algo_desc)
        return structs.Algorithm._from_c(algorithm[0], self)

    def copy_algorithm_descriptor(self, src: AlgorithmDescriptor, dest: AlgorithmDescriptor) -> None:
        """Set up a ``cudnnAlgorithmDescriptor_t``: ``cudnnCopyAlgorithmDescriptor``.

        Deprecated.

        Parameters
        ----------
        src : AlgorithmDescriptor
            ``const cudnnAlgorithmDescriptor_t src``, in.
        dest : AlgorithmDescriptor
            ``cudnnAlgorithmDescriptor_t dest``, inout.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnCopyAlgorithmDescriptor(src._ptr, dest._ptr)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCopyAlgorithmDescriptor", error, src=src, dest=dest) from None
        if status:
            raise self._status_error("cudnnCopyAlgorithmDescriptor", status, src=src, dest=dest)

    def destroy_algorithm_descriptor(self, algo_desc: AlgorithmDescriptor) -> None:
        """Destroy a ``cudnnAlgorithmDescriptor_t``: ``cudnnDestroyAlgorithmDescriptor``.

        Deprecated.

        Parameters
        ----------
        algo_desc : AlgorithmDescriptor
            ``cudnnAlgorithmDescriptor_t algoDesc``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyAlgorithmDescriptor", algo_desc)

    def save_algorithm(
        self, handle: Handle, algo_desc: AlgorithmDescriptor, algo_space: Any, algo_space_size_in_bytes: int
    ) -> None:
        """Read a ``cudnnAlgorithmDescriptor_t``: ``cudnnSaveAlgorithm``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        algo_desc : AlgorithmDescriptor
            ``cudnnAlgorithmDescriptor_t algoDesc``, in.
        algo_space : Any
            ``void *algoSpace``, out, a buffer in host memory, cffi data or None; the call writes to it.
        algo_space_size_in_bytes : int
            ``size_t algoSpaceSizeInBytes``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSaveAlgorithm(
                handle._ptr,
                algo_desc._ptr,
                host_buffer(self._ffi, algo_space, "algo_space", writable=True),
                index(algo_space_size_in_bytes),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSaveAlgorithm",
                error,
                handle=handle,
                algo_desc=algo_desc,
                algo_space=algo_space,
                algo_space_size_in_bytes=algo_space_size_in_bytes,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSaveAlgorithm",
                status,
                handle=handle,
                algo_desc=algo_desc,
                algo_space=algo_space,
                algo_space_size_in_bytes=algo_space_size_in_bytes,
            )

    def restore_algorithm(
        self, handle: Handle, algo_space: Any, algo_space_size_in_bytes: int, algo_desc: AlgorithmDescriptor
    ) -> None:
        """Set up a ``cudnnAlgorithmDescriptor_t``: ``cudnnRestoreAlgorithm``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        algo_space : Any
            ``void *algoSpace``, in, a buffer in host memory, cffi data or None.
        algo_space_size_in_bytes : int
            ``size_t algoSpaceSizeInBytes``, in.
        algo_desc : AlgorithmDescriptor
            ``cudnnAlgorithmDescriptor_t algoDesc``, inout.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnRestoreAlgorithm(
                handle._ptr,
                host_buffer(self._ffi, algo_space, "algo_space"),
                index(algo_space_size_in_bytes),
                algo_desc._ptr,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnRestoreAlgorithm",
                error,
                handle=handle,
                algo_space=algo_space,
                algo_space_size_in_bytes=algo_space_size_in_bytes,
                algo_desc=algo_desc,
            ) from None
        if status:
            raise self._status_error(
                "cudnnRestoreAlgorithm",
                status,
                handle=handle,
                algo_space=algo_space,
                algo_space_size_in_bytes=algo_space_size_in_bytes,
                algo_desc=algo_desc,
            )
