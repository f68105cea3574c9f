# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""Wrappers of the functions of ``cudnn_ops.h`` about lrn."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..descriptors import LRNDescriptor

if TYPE_CHECKING:
    from ..results import ops_lrn as results
else:
    results = LazyModule("..results.ops_lrn", __package__)

__all__ = ["OpsLrnFunctions"]


class OpsLrnFunctions(LibraryBase):
    """Functions of ``cudnn_ops.h`` about lrn, as methods of the loaded library."""

    def create_lrn_descriptor(self) -> LRNDescriptor:
        """Create a ``cudnnLRNDescriptor_t``: ``cudnnCreateLRNDescriptor``.

        Returns
        -------
        LRNDescriptor
            `norm_desc`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            norm_desc = self._new("cudnnLRNDescriptor_t *")
            status = self._lib.cudnnCreateLRNDescriptor(norm_desc)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateLRNDescriptor", error) from None
        if status:
            raise self._status_error("cudnnCreateLRNDescriptor", status)
        return LRNDescriptor(self, norm_desc[0])

    def set_lrn_descriptor(
        self, norm_desc: LRNDescriptor, lrn_n: int, lrn_alpha: float, lrn_beta: float, lrn_k: float
    ) -> None:
        """Set up a ``cudnnLRNDescriptor_t``: ``cudnnSetLRNDescriptor``.

        Parameters
        ----------
        norm_desc : LRNDescriptor
            ``cudnnLRNDescriptor_t normDesc``, inout.
        lrn_n : int
            ``unsigned int lrnN``, in.
        lrn_alpha : float
            ``double lrnAlpha``, in.
        lrn_beta : float
            ``double lrnBeta``, in.
        lrn_k : float
            ``double lrnK``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetLRNDescriptor(norm_desc._ptr, index(lrn_n), lrn_alpha, lrn_beta, lrn_k)
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetLRNDescriptor",
                error,
                norm_desc=norm_desc,
                lrn_n=lrn_n,
                lrn_alpha=lrn_alpha,
                lrn_beta=lrn_beta,
                lrn_k=lrn_k,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetLRNDescriptor",
                status,
                norm_desc=norm_desc,
                lrn_n=lrn_n,
                lrn_alpha=lrn_alpha,
                lrn_beta=lrn_beta,
                lrn_k=lrn_k,
            )

    def get_lrn_descriptor(self, norm_desc: LRNDescriptor) -> results.GetLRNDescriptorResult:
        """Read a ``cudnnLRNDescriptor_t``: ``cudnnGetLRNDescriptor``.

        Parameters
        ----------
        norm_desc : LRNDescriptor
            ``cudnnLRNDescriptor_t normDesc``, in.

        Returns
        -------
        results.GetLRNDescriptorResult
            lrn_n : int
            lrn_alpha : float
            lrn_beta : float
            lrn_k : float

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            lrn_n = self._new("unsigned int *")
            lrn_alpha = self._new("double *")
            lrn_beta = self._new("double *")
            lrn_k = self._new("double *")
            status = self._lib.cudnnGetLRNDescriptor(norm_desc._ptr, lrn_n, lrn_alpha, lrn_beta, lrn_k)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetLRNDescriptor", error, norm_desc=norm_desc) from None
        if status:
            raise self._status_error("cudnnGetLRNDescriptor", status, norm_desc=norm_desc)
        return results.GetLRNDescriptorResult(
            lrn_n=lrn_n[0],
            lrn_alpha=lrn_alpha[0],
            lrn_beta=lrn_beta[0],
            lrn_k=lrn_k[0],
        )

    def destroy_lrn_descriptor(self, lrn_desc: LRNDescriptor) -> None:
        """Destroy a ``cudnnLRNDescriptor_t``: ``cudnnDestroyLRNDescriptor``.

        Parameters
        ----------
        lrn_desc : LRNDescriptor
            ``cudnnLRNDescriptor_t lrnDesc``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyLRNDescriptor", lrn_desc)
