# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_ops_infer.h`` about handle."""

from __future__ import annotations

from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import Stream, stream_pointer
from ..descriptors import Handle

__all__ = ["OpsInferHandleFunctions"]


class OpsInferHandleFunctions(LibraryBase):
    """Functions of ``cudnn_ops_infer.h`` about handle, as methods of the loaded library."""

    def create(self) -> Handle:
        """Create a ``cudnnHandle_t``: ``cudnnCreate``.

        Returns
        -------
        Handle
            `handle`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            handle = self._new("cudnnHandle_t *")
            status = self._lib.cudnnCreate(handle)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreate", error) from None
        if status:
            raise self._status_error("cudnnCreate", status)
        return Handle(self, handle[0])

    def destroy(self, handle: Handle) -> None:
        """Destroy a ``cudnnHandle_t``: ``cudnnDestroy``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroy", handle)

    def set_stream(self, handle: Handle, stream_id: Stream) -> None:
        """Set up a ``cudnnHandle_t``: ``cudnnSetStream``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        stream_id : Stream
            ``cudaStream_t streamId``, in, 0: the default stream.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetStream(handle._ptr, stream_pointer(stream_id, "stream_id"))
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnSetStream", error, handle=handle, stream_id=stream_id) from None
        if status:
            raise self._status_error("cudnnSetStream", status, handle=handle, stream_id=stream_id)

    def get_stream(self, handle: Handle) -> int:
        """Read a ``cudnnHandle_t``: ``cudnnGetStream``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.

        Returns
        -------
        int
            `stream_id`, an address, 0 for NULL.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            stream_id = self._new("cudaStream_t *")
            status = self._lib.cudnnGetStream(handle._ptr, stream_id)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetStream", error, handle=handle) from None
        if status:
            raise self._status_error("cudnnGetStream", status, handle=handle)
        return int(self._ffi.cast("uintptr_t", stream_id[0]))
