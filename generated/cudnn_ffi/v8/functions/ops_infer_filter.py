# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_ops_infer.h`` about filter."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING

from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.values import in_array, out_list, same_length
from ..constants import DIM_MAX
from ..descriptors import FilterDescriptor
from ..enums import DataType, TensorFormat

if TYPE_CHECKING:
    from ..results import ops_infer_filter as results
else:
    results = LazyModule("..results.ops_infer_filter", __package__)

__all__ = ["OpsInferFilterFunctions"]


class OpsInferFilterFunctions(LibraryBase):
    """Functions of ``cudnn_ops_infer.h`` about filter, as methods of the loaded library."""

    def create_filter_descriptor(self) -> FilterDescriptor:
        """Create a ``cudnnFilterDescriptor_t``: ``cudnnCreateFilterDescriptor``.

        Returns
        -------
        FilterDescriptor
            `filter_desc`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            filter_desc = self._new("cudnnFilterDescriptor_t *")
            status = self._lib.cudnnCreateFilterDescriptor(filter_desc)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateFilterDescriptor", error) from None
        if status:
            raise self._status_error("cudnnCreateFilterDescriptor", status)
        return FilterDescriptor(self, filter_desc[0])

    def set_filter4d_descriptor(
        self,
        filter_desc: FilterDescriptor,
        data_type: DataType | int,
        format_: TensorFormat | int,
        k: int,
        c: int,
        h: int,
        w: int,
    ) -> None:
        """Set up a ``cudnnFilterDescriptor_t``: ``cudnnSetFilter4dDescriptor``.

        Parameters
        ----------
        filter_desc : FilterDescriptor
            ``cudnnFilterDescriptor_t filterDesc``, inout.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        format_ : TensorFormat | int
            ``cudnnTensorFormat_t format``, in.
        k : int
            ``int k``, in.
        c : int
            ``int c``, in.
        h : int
            ``int h``, in.
        w : int
            ``int w``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetFilter4dDescriptor(
                filter_desc._ptr,
                enum_value(data_type, DataType),
                enum_value(format_, TensorFormat),
                index(k),
                index(c),
                index(h),
                index(w),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetFilter4dDescriptor",
                error,
                filter_desc=filter_desc,
                data_type=data_type,
                format_=format_,
                k=k,
                c=c,
                h=h,
                w=w,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetFilter4dDescriptor",
                status,
                filter_desc=filter_desc,
                data_type=data_type,
                format_=format_,
                k=k,
                c=c,
                h=h,
                w=w,
            )
        filter_desc._data_type = data_type

    def get_filter4d_descriptor(self, filter_desc: FilterDescriptor) -> results.GetFilter4dDescriptorResult:
        """Read a ``cudnnFilterDescriptor_t``: ``cudnnGetFilter4dDescriptor``.

        Parameters
        ----------
        filter_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t filterDesc``, in.

        Returns
        -------
        results.GetFilter4dDescriptorResult
            data_type : DataType
            format : TensorFormat
            k : int
            c : int
            h : int
            w : int

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            data_type = self._new("cudnnDataType_t *")
            format_ = self._new("cudnnTensorFormat_t *")
            k = self._new("int *")
            c = self._new("int *")
            h = self._new("int *")
            w = self._new("int *")
            status = self._lib.cudnnGetFilter4dDescriptor(filter_desc._ptr, data_type, format_, k, c, h, w)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetFilter4dDescriptor", error, filter_desc=filter_desc) from None
        if status:
            raise self._status_error("cudnnGetFilter4dDescriptor", status, filter_desc=filter_desc)
        return results.GetFilter4dDescriptorResult(
            data_type=DataType(data_type[0]),
            format=TensorFormat(format_[0]),
            k=k[0],
            c=c[0],
            h=h[0],
            w=w[0],
        )

    def set_filter_nd_descriptor(
        self,
        filter_desc: FilterDescriptor,
        data_type: DataType | int,
        format_: TensorFormat | int,
        filter_dim_a: Sequence[int],
    ) -> None:
        """Set up a ``cudnnFilterDescriptor_t``: ``cudnnSetFilterNdDescriptor``.

        Parameters
        ----------
        filter_desc : FilterDescriptor
            ``cudnnFilterDescriptor_t filterDesc``, inout.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        format_ : TensorFormat | int
            ``cudnnTensorFormat_t format``, in.
        filter_dim_a : Sequence[int]
            ``const int filterDimA[]``, in, passed with its length as ``nbDims``.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            nb_dims = same_length(filter_dim_a=filter_dim_a)
            status = self._lib.cudnnSetFilterNdDescriptor(
                filter_desc._ptr,
                enum_value(data_type, DataType),
                enum_value(format_, TensorFormat),
                nb_dims,
                in_array(self._ffi, "int[]", filter_dim_a, "filter_dim_a"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetFilterNdDescriptor",
                error,
                filter_desc=filter_desc,
                data_type=data_type,
                format_=format_,
                filter_dim_a=filter_dim_a,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetFilterNdDescriptor",
                status,
                filter_desc=filter_desc,
                data_type=data_type,
                format_=format_,
                filter_dim_a=filter_dim_a,
            )
        filter_desc._data_type = data_type

    def get_filter_nd_descriptor(
        self, filter_desc: FilterDescriptor, *, nb_dims_requested: int | None = None
    ) -> results.GetFilterNdDescriptorResult:
        """Read a ``cudnnFilterDescriptor_t``: ``cudnnGetFilterNdDescriptor``.

        Parameters
        ----------
        filter_desc : FilterDescriptor
            ``const cudnnFilterDescriptor_t filterDesc``, in.
        nb_dims_requested : int | None, default None
            ``int nbDimsRequested``, in, all that there are when None.

        Returns
        -------
        results.GetFilterNdDescriptorResult
            data_type : DataType
            format : TensorFormat
            filter_dim_a : list[int]

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            nb_dims_asked = DIM_MAX if nb_dims_requested is None else nb_dims_requested
            data_type = self._new("cudnnDataType_t *")
            format_ = self._new("cudnnTensorFormat_t *")
            nb_dims = self._new("int *")
            filter_dim_a = self._new("int[]", nb_dims_asked)
            status = self._lib.cudnnGetFilterNdDescriptor(
                filter_desc._ptr, nb_dims_asked, data_type, format_, nb_dims, filter_dim_a
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetFilterNdDescriptor", error, filter_desc=filter_desc, nb_dims_requested=nb_dims_requested
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetFilterNdDescriptor", status, filter_desc=filter_desc, nb_dims_requested=nb_dims_requested
            )
        if nb_dims_requested is None and nb_dims[0] > nb_dims_asked:
            return self.get_filter_nd_descriptor(filter_desc, nb_dims_requested=nb_dims[0])
        return results.GetFilterNdDescriptorResult(
            data_type=DataType(data_type[0]),
            format=TensorFormat(format_[0]),
            filter_dim_a=out_list(self._ffi, filter_dim_a, nb_dims[0], nb_dims_asked),
        )

    def destroy_filter_descriptor(self, filter_desc: FilterDescriptor) -> None:
        """Destroy a ``cudnnFilterDescriptor_t``: ``cudnnDestroyFilterDescriptor``.

        Parameters
        ----------
        filter_desc : FilterDescriptor
            ``cudnnFilterDescriptor_t filterDesc``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyFilterDescriptor", filter_desc)
