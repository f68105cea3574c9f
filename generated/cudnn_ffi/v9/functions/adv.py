# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""Wrappers of the functions of ``cudnn_adv.h``."""

from __future__ import annotations

from operator import index

from ..._support.library import CALL_ERRORS, LibraryBase
from ..descriptors import Handle, RNNDescriptor

__all__ = ["AdvFunctions"]


class AdvFunctions(LibraryBase):
    """Functions of ``cudnn_adv.h``, as methods of the loaded library."""

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

    def adv_version_check(self) -> None:
        """Call ``cudnnAdvVersionCheck``.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnAdvVersionCheck()
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnAdvVersionCheck", error) from None
        if status:
            raise self._status_error("cudnnAdvVersionCheck", status)
