# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_ops_infer.h`` about tensor transform."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING

from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.values import exactly, in_array, same_length
from ..descriptors import TensorTransformDescriptor
from ..enums import FoldingDirection, TensorFormat

if TYPE_CHECKING:
    from ..results import ops_infer_tensor_transform as results
else:
    results = LazyModule("..results.ops_infer_tensor_transform", __package__)

__all__ = ["OpsInferTensorTransformFunctions"]


class OpsInferTensorTransformFunctions(LibraryBase):
    """Functions of ``cudnn_ops_infer.h`` about tensor transform, as methods of the loaded library."""

    def create_tensor_transform_descriptor(self) -> TensorTransformDescriptor:
        """Create a ``cudnnTensorTransformDescriptor_t``: ``cudnnCreateTensorTransformDescriptor``.

        Returns
        -------
        TensorTransformDescriptor
            `transform_desc`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            transform_desc = self._new("cudnnTensorTransformDescriptor_t *")
            status = self._lib.cudnnCreateTensorTransformDescriptor(transform_desc)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateTensorTransformDescriptor", error) from None
        if status:
            raise self._status_error("cudnnCreateTensorTransformDescriptor", status)
        return TensorTransformDescriptor(self, transform_desc[0])

    def set_tensor_transform_descriptor(
        self,
        transform_desc: TensorTransformDescriptor,
        dest_format: TensorFormat | int,
        pad_before_a: Sequence[int],
        pad_after_a: Sequence[int],
        fold_a: Sequence[int],
        direction: FoldingDirection | int,
    ) -> None:
        """Set up a ``cudnnTensorTransformDescriptor_t``: ``cudnnSetTensorTransformDescriptor``.

        Parameters
        ----------
        transform_desc : TensorTransformDescriptor
            ``cudnnTensorTransformDescriptor_t transformDesc``, inout.
        dest_format : TensorFormat | int
            ``const cudnnTensorFormat_t destFormat``, in.
        pad_before_a : Sequence[int]
            ``const int32_t padBeforeA[]``, in, passed with its length as ``nbDims``.
        pad_after_a : Sequence[int]
            ``const int32_t padAfterA[]``, in, passed with its length as ``nbDims``.
        fold_a : Sequence[int]
            ``const uint32_t foldA[]``, in.
        direction : FoldingDirection | int
            ``const cudnnFoldingDirection_t direction``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            nb_dims = same_length(pad_before_a=pad_before_a, pad_after_a=pad_after_a)
            exactly(fold_a, nb_dims - 2, "fold_a")
            status = self._lib.cudnnSetTensorTransformDescriptor(
                transform_desc._ptr,
                nb_dims,
                enum_value(dest_format, TensorFormat),
                in_array(self._ffi, "int32_t[]", pad_before_a, "pad_before_a"),
                in_array(self._ffi, "int32_t[]", pad_after_a, "pad_after_a"),
                in_array(self._ffi, "uint32_t[]", fold_a, "fold_a"),
                enum_value(direction, FoldingDirection),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetTensorTransformDescriptor",
                error,
                transform_desc=transform_desc,
                dest_format=dest_format,
                pad_before_a=pad_before_a,
                pad_after_a=pad_after_a,
                fold_a=fold_a,
                direction=direction,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetTensorTransformDescriptor",
                status,
                transform_desc=transform_desc,
                dest_format=dest_format,
                pad_before_a=pad_before_a,
                pad_after_a=pad_after_a,
                fold_a=fold_a,
                direction=direction,
            )

    def get_tensor_transform_descriptor(
        self, transform_desc: TensorTransformDescriptor, nb_dims_requested: int
    ) -> results.GetTensorTransformDescriptorResult:
        """Read a ``cudnnTensorTransformDescriptor_t``: ``cudnnGetTensorTransformDescriptor``.

        Parameters
        ----------
        transform_desc : TensorTransformDescriptor
            ``cudnnTensorTransformDescriptor_t transformDesc``, in.
        nb_dims_requested : int
            ``uint32_t nbDimsRequested``, in.

        Returns
        -------
        results.GetTensorTransformDescriptorResult
            dest_format : TensorFormat
            pad_before_a : list[int]
            pad_after_a : list[int]
            fold_a : list[int]
            direction : FoldingDirection

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            dest_format = self._new("cudnnTensorFormat_t *")
            pad_before_a = self._new("int32_t[]", nb_dims_requested)
            pad_after_a = self._new("int32_t[]", nb_dims_requested)
            fold_a = self._new("uint32_t[]", nb_dims_requested)
            direction = self._new("cudnnFoldingDirection_t *")
            status = self._lib.cudnnGetTensorTransformDescriptor(
                transform_desc._ptr, index(nb_dims_requested), dest_format, pad_before_a, pad_after_a, fold_a, direction
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetTensorTransformDescriptor",
                error,
                transform_desc=transform_desc,
                nb_dims_requested=nb_dims_requested,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetTensorTransformDescriptor",
                status,
                transform_desc=transform_desc,
                nb_dims_requested=nb_dims_requested,
            )
        return results.GetTensorTransformDescriptorResult(
            dest_format=TensorFormat(dest_format[0]),
            pad_before_a=self._ffi.unpack(pad_before_a, nb_dims_requested),
            pad_after_a=self._ffi.unpack(pad_after_a, nb_dims_requested),
            fold_a=self._ffi.unpack(fold_a, nb_dims_requested),
            direction=FoldingDirection(direction[0]),
        )

    def destroy_tensor_transform_descriptor(self, transform_desc: TensorTransformDescriptor) -> None:
        """Destroy a ``cudnnTensorTransformDescriptor_t``: ``cudnnDestroyTensorTransformDescriptor``.

        Parameters
        ----------
        transform_desc : TensorTransformDescriptor
            ``cudnnTensorTransformDescriptor_t transformDesc``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyTensorTransformDescriptor", transform_desc)
