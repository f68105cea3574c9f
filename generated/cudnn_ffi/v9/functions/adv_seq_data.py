# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""Wrappers of the functions of ``cudnn_adv.h`` about seq data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.values import in_array, out_list, same_length
from ..constants import DIM_MAX
from ..descriptors import SeqDataDescriptor
from ..enums import DataType, SeqDataAxis

if TYPE_CHECKING:
    from ..results import adv_seq_data as results
else:
    results = LazyModule("..results.adv_seq_data", __package__)

__all__ = ["AdvSeqDataFunctions"]


class AdvSeqDataFunctions(LibraryBase):
    """Functions of ``cudnn_adv.h`` about seq data, as methods of the loaded library."""

    def create_seq_data_descriptor(self) -> SeqDataDescriptor:
        """Create a ``cudnnSeqDataDescriptor_t``: ``cudnnCreateSeqDataDescriptor``.

        Deprecated.

        Returns
        -------
        SeqDataDescriptor
            `seq_data_desc`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            seq_data_desc = self._new("cudnnSeqDataDescriptor_t *")
            status = self._lib.cudnnCreateSeqDataDescriptor(seq_data_desc)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateSeqDataDescriptor", error) from None
        if status:
            raise self._status_error("cudnnCreateSeqDataDescriptor", status)
        return SeqDataDescriptor(self, seq_data_desc[0])

    def destroy_seq_data_descriptor(self, seq_data_desc: SeqDataDescriptor) -> None:
        """Destroy a ``cudnnSeqDataDescriptor_t``: ``cudnnDestroySeqDataDescriptor``.

        Deprecated.

        Parameters
        ----------
        seq_data_desc : SeqDataDescriptor
            ``cudnnSeqDataDescriptor_t seqDataDesc``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroySeqDataDescriptor", seq_data_desc)

    def set_seq_data_descriptor(
        self,
        seq_data_desc: SeqDataDescriptor,
        data_type: DataType | int,
        dim_a: Sequence[int],
        axes: Sequence[SeqDataAxis | int],
        seq_length_array: Sequence[int],
        padding_fill: float | None,
    ) -> None:
        """Set up a ``cudnnSeqDataDescriptor_t``: ``cudnnSetSeqDataDescriptor``.

        Deprecated.

        Parameters
        ----------
        seq_data_desc : SeqDataDescriptor
            ``cudnnSeqDataDescriptor_t seqDataDesc``, inout.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        dim_a : Sequence[int]
            ``const int dimA[]``, in, passed with its length as ``nbDims``.
        axes : Sequence[SeqDataAxis | int]
            ``const cudnnSeqDataAxis_t axes[]``, in, passed with its length as ``nbDims``.
        seq_length_array : Sequence[int]
            ``const int seqLengthArray[]``, in, passed with its length as ``seqLengthArraySize``.
        padding_fill : float | None
            ``void *paddingFill``, in, of the data type of `data_type`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            nb_dims = same_length(dim_a=dim_a, axes=axes)
            seq_length_array_size = same_length(seq_length_array=seq_length_array)
            status = self._lib.cudnnSetSeqDataDescriptor(
                seq_data_desc._ptr,
                enum_value(data_type, DataType),
                nb_dims,
                in_array(self._ffi, "int[]", dim_a, "dim_a"),
                in_array(self._ffi, "cudnnSeqDataAxis_t[]", [enum_value(one, SeqDataAxis) for one in axes], "axes"),
                seq_length_array_size,
                in_array(self._ffi, "int[]", seq_length_array, "seq_length_array"),
                self._null if padding_fill is None else self._number(padding_fill, data_type, "padding_fill"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetSeqDataDescriptor",
                error,
                seq_data_desc=seq_data_desc,
                data_type=data_type,
                dim_a=dim_a,
                axes=axes,
                seq_length_array=seq_length_array,
                padding_fill=padding_fill,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetSeqDataDescriptor",
                status,
                seq_data_desc=seq_data_desc,
                data_type=data_type,
                dim_a=dim_a,
                axes=axes,
                seq_length_array=seq_length_array,
                padding_fill=padding_fill,
            )
        seq_data_desc._data_type = data_type

    def get_seq_data_descriptor(
        self,
        seq_data_desc: SeqDataDescriptor,
        *,
        nb_dims_requested: int | None = None,
        seq_length_size_requested: int | None = None,
    ) -> results.GetSeqDataDescriptorResult:
        """Read a ``cudnnSeqDataDescriptor_t``: ``cudnnGetSeqDataDescriptor``.

        Deprecated.

        Parameters
        ----------
        seq_data_desc : SeqDataDescriptor
            ``const cudnnSeqDataDescriptor_t seqDataDesc``, in.
        nb_dims_requested : int | None, default None
            ``int nbDimsRequested``, in, all that there are when None.
        seq_length_size_requested : int | None, default None
            ``size_t seqLengthSizeRequested``, in, all that there are when None.

        Returns
        -------
        results.GetSeqDataDescriptorResult
            data_type : DataType
            dim_a : list[int]
            axes : list[SeqDataAxis]
            seq_length_array : list[int]
            padding_fill : float, of the data type of `data_type`

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            nb_dims_asked = DIM_MAX if nb_dims_requested is None else nb_dims_requested
            seq_length_size_asked = DIM_MAX if seq_length_size_requested is None else seq_length_size_requested
            data_type = self._new("cudnnDataType_t *")
            nb_dims = self._new("int *")
            dim_a = self._new("int[]", nb_dims_asked)
            axes = self._new("cudnnSeqDataAxis_t[]", nb_dims_asked)
            seq_length_array_size = self._new("size_t *")
            seq_length_array = self._new("int[]", seq_length_size_asked)
            padding_fill = self._new("char[16]")
            status = self._lib.cudnnGetSeqDataDescriptor(
                seq_data_desc._ptr,
                data_type,
                nb_dims,
                nb_dims_asked,
                dim_a,
                axes,
                seq_length_array_size,
                seq_length_size_asked,
                seq_length_array,
                padding_fill,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetSeqDataDescriptor",
                error,
                seq_data_desc=seq_data_desc,
                nb_dims_requested=nb_dims_requested,
                seq_length_size_requested=seq_length_size_requested,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetSeqDataDescriptor",
                status,
                seq_data_desc=seq_data_desc,
                nb_dims_requested=nb_dims_requested,
                seq_length_size_requested=seq_length_size_requested,
            )
        if nb_dims_requested is None and nb_dims[0] > nb_dims_asked:
            return self.get_seq_data_descriptor(
                seq_data_desc, nb_dims_requested=nb_dims[0], seq_length_size_requested=seq_length_size_requested
            )
        if seq_length_size_requested is None and seq_length_array_size[0] > seq_length_size_asked:
            return self.get_seq_data_descriptor(
                seq_data_desc, nb_dims_requested=nb_dims_requested, seq_length_size_requested=seq_length_array_size[0]
            )
        return results.GetSeqDataDescriptorResult(
            data_type=DataType(data_type[0]),
            dim_a=out_list(self._ffi, dim_a, nb_dims[0], nb_dims_asked),
            axes=[SeqDataAxis(one) for one in out_list(self._ffi, axes, nb_dims[0], nb_dims_asked)],
            seq_length_array=out_list(self._ffi, seq_length_array, seq_length_array_size[0], seq_length_size_asked),
            padding_fill=self._read_number(padding_fill, data_type[0], "padding_fill"),
        )
