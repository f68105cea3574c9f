# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_adv_infer.h`` about rnn data."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING

from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.values import in_array, out_list, same_length
from ..constants import DIM_MAX
from ..descriptors import RNNDataDescriptor
from ..enums import DataType, RNNDataLayout

if TYPE_CHECKING:
    from ..results import adv_infer_rnn_data as results
else:
    results = LazyModule("..results.adv_infer_rnn_data", __package__)

__all__ = ["AdvInferRnnDataFunctions"]


class AdvInferRnnDataFunctions(LibraryBase):
    """Functions of ``cudnn_adv_infer.h`` about rnn data, as methods of the loaded library."""

    def create_rnn_data_descriptor(self) -> RNNDataDescriptor:
        """Create a ``cudnnRNNDataDescriptor_t``: ``cudnnCreateRNNDataDescriptor``.

        Returns
        -------
        RNNDataDescriptor
            `rnn_data_desc`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            rnn_data_desc = self._new("cudnnRNNDataDescriptor_t *")
            status = self._lib.cudnnCreateRNNDataDescriptor(rnn_data_desc)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateRNNDataDescriptor", error) from None
        if status:
            raise self._status_error("cudnnCreateRNNDataDescriptor", status)
        return RNNDataDescriptor(self, rnn_data_desc[0])

    def destroy_rnn_data_descriptor(self, rnn_data_desc: RNNDataDescriptor) -> None:
        """Destroy a ``cudnnRNNDataDescriptor_t``: ``cudnnDestroyRNNDataDescriptor``.

        Parameters
        ----------
        rnn_data_desc : RNNDataDescriptor
            ``cudnnRNNDataDescriptor_t rnnDataDesc``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyRNNDataDescriptor", rnn_data_desc)

    def set_rnn_data_descriptor(
        self,
        rnn_data_desc: RNNDataDescriptor,
        data_type: DataType | int,
        layout: RNNDataLayout | int,
        max_seq_length: int,
        vector_size: int,
        seq_length_array: Sequence[int],
        padding_fill: float | None,
    ) -> None:
        """Set up a ``cudnnRNNDataDescriptor_t``: ``cudnnSetRNNDataDescriptor``.

        Parameters
        ----------
        rnn_data_desc : RNNDataDescriptor
            ``cudnnRNNDataDescriptor_t rnnDataDesc``, inout.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        layout : RNNDataLayout | int
            ``cudnnRNNDataLayout_t layout``, in.
        max_seq_length : int
            ``int maxSeqLength``, in.
        vector_size : int
            ``int vectorSize``, in.
        seq_length_array : Sequence[int]
            ``const int seqLengthArray[]``, in, passed with its length as ``batchSize``.
        padding_fill : float | None
            ``void *paddingFill``, in, of the data type of `data_type`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            batch_size = same_length(seq_length_array=seq_length_array)
            status = self._lib.cudnnSetRNNDataDescriptor(
                rnn_data_desc._ptr,
                enum_value(data_type, DataType),
                enum_value(layout, RNNDataLayout),
                index(max_seq_length),
                batch_size,
                index(vector_size),
                in_array(self._ffi, "int[]", seq_length_array, "seq_length_array"),
                self._null if padding_fill is None else self._number(padding_fill, data_type, "padding_fill"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetRNNDataDescriptor",
                error,
                rnn_data_desc=rnn_data_desc,
                data_type=data_type,
                layout=layout,
                max_seq_length=max_seq_length,
                vector_size=vector_size,
                seq_length_array=seq_length_array,
                padding_fill=padding_fill,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetRNNDataDescriptor",
                status,
                rnn_data_desc=rnn_data_desc,
                data_type=data_type,
                layout=layout,
                max_seq_length=max_seq_length,
                vector_size=vector_size,
                seq_length_array=seq_length_array,
                padding_fill=padding_fill,
            )
        rnn_data_desc._data_type = data_type

    def get_rnn_data_descriptor(
        self, rnn_data_desc: RNNDataDescriptor, *, array_length_requested: int | None = None
    ) -> results.GetRNNDataDescriptorResult:
        """Read a ``cudnnRNNDataDescriptor_t``: ``cudnnGetRNNDataDescriptor``.

        Parameters
        ----------
        rnn_data_desc : RNNDataDescriptor
            ``cudnnRNNDataDescriptor_t rnnDataDesc``, in.
        array_length_requested : int | None, default None
            ``int arrayLengthRequested``, in, all that there are when None.

        Returns
        -------
        results.GetRNNDataDescriptorResult
            data_type : DataType
            layout : RNNDataLayout
            max_seq_length : int
            batch_size : int
            vector_size : int
            seq_length_array : list[int]
            padding_fill : float, of the data type of `data_type`

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            array_length_asked = DIM_MAX - 2 if array_length_requested is None else array_length_requested
            data_type = self._new("cudnnDataType_t *")
            layout = self._new("cudnnRNNDataLayout_t *")
            max_seq_length = self._new("int *")
            batch_size = self._new("int *")
            vector_size = self._new("int *")
            seq_length_array = self._new("int[]", array_length_asked)
            padding_fill = self._new("char[16]")
            status = self._lib.cudnnGetRNNDataDescriptor(
                rnn_data_desc._ptr,
                data_type,
                layout,
                max_seq_length,
                batch_size,
                vector_size,
                array_length_asked,
                seq_length_array,
                padding_fill,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetRNNDataDescriptor",
                error,
                rnn_data_desc=rnn_data_desc,
                array_length_requested=array_length_requested,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetRNNDataDescriptor",
                status,
                rnn_data_desc=rnn_data_desc,
                array_length_requested=array_length_requested,
            )
        if array_length_requested is None and batch_size[0] > array_length_asked:
            return self.get_rnn_data_descriptor(rnn_data_desc, array_length_requested=batch_size[0])
        return results.GetRNNDataDescriptorResult(
            data_type=DataType(data_type[0]),
            layout=RNNDataLayout(layout[0]),
            max_seq_length=max_seq_length[0],
            batch_size=batch_size[0],
            vector_size=vector_size[0],
            seq_length_array=out_list(self._ffi, seq_length_array, batch_size[0], array_length_asked),
            padding_fill=self._read_number(padding_fill, data_type[0], "padding_fill"),
        )
