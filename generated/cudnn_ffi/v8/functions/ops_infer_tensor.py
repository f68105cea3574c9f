# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_ops_infer.h`` about tensor."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING

from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.values import at_most, in_array, out_list, same_length
from ..constants import DIM_MAX
from ..descriptors import TensorDescriptor, TensorTransformDescriptor
from ..enums import BatchNormMode, DataType, NormMode, TensorFormat

if TYPE_CHECKING:
    from ..results import ops_infer_tensor as results
else:
    results = LazyModule("..results.ops_infer_tensor", __package__)

__all__ = ["OpsInferTensorFunctions"]


class OpsInferTensorFunctions(LibraryBase):
    """Functions of ``cudnn_ops_infer.h`` about tensor, as methods of the loaded library."""

    def create_tensor_descriptor(self) -> TensorDescriptor:
        """Create a ``cudnnTensorDescriptor_t``: ``cudnnCreateTensorDescriptor``.

        Returns
        -------
        TensorDescriptor
            `tensor_desc`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            tensor_desc = self._new("cudnnTensorDescriptor_t *")
            status = self._lib.cudnnCreateTensorDescriptor(tensor_desc)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateTensorDescriptor", error) from None
        if status:
            raise self._status_error("cudnnCreateTensorDescriptor", status)
        return TensorDescriptor(self, tensor_desc[0])

    def set_tensor4d_descriptor(
        self,
        tensor_desc: TensorDescriptor,
        format_: TensorFormat | int,
        data_type: DataType | int,
        n: int,
        c: int,
        h: int,
        w: int,
    ) -> None:
        """Set up a ``cudnnTensorDescriptor_t``: ``cudnnSetTensor4dDescriptor``.

        Parameters
        ----------
        tensor_desc : TensorDescriptor
            ``cudnnTensorDescriptor_t tensorDesc``, inout.
        format_ : TensorFormat | int
            ``cudnnTensorFormat_t format``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        n : int
            ``int n``, in.
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
            status = self._lib.cudnnSetTensor4dDescriptor(
                tensor_desc._ptr,
                enum_value(format_, TensorFormat),
                enum_value(data_type, DataType),
                index(n),
                index(c),
                index(h),
                index(w),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetTensor4dDescriptor",
                error,
                tensor_desc=tensor_desc,
                format_=format_,
                data_type=data_type,
                n=n,
                c=c,
                h=h,
                w=w,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetTensor4dDescriptor",
                status,
                tensor_desc=tensor_desc,
                format_=format_,
                data_type=data_type,
                n=n,
                c=c,
                h=h,
                w=w,
            )
        tensor_desc._data_type = data_type

    def set_tensor4d_descriptor_ex(
        self,
        tensor_desc: TensorDescriptor,
        data_type: DataType | int,
        n: int,
        c: int,
        h: int,
        w: int,
        n_stride: int,
        c_stride: int,
        h_stride: int,
        w_stride: int,
    ) -> None:
        """Set up a ``cudnnTensorDescriptor_t``: ``cudnnSetTensor4dDescriptorEx``.

        Parameters
        ----------
        tensor_desc : TensorDescriptor
            ``cudnnTensorDescriptor_t tensorDesc``, inout.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        n : int
            ``int n``, in.
        c : int
            ``int c``, in.
        h : int
            ``int h``, in.
        w : int
            ``int w``, in.
        n_stride : int
            ``int nStride``, in.
        c_stride : int
            ``int cStride``, in.
        h_stride : int
            ``int hStride``, in.
        w_stride : int
            ``int wStride``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetTensor4dDescriptorEx(
                tensor_desc._ptr,
                enum_value(data_type, DataType),
                index(n),
                index(c),
                index(h),
                index(w),
                index(n_stride),
                index(c_stride),
                index(h_stride),
                index(w_stride),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetTensor4dDescriptorEx",
                error,
                tensor_desc=tensor_desc,
                data_type=data_type,
                n=n,
                c=c,
                h=h,
                w=w,
                n_stride=n_stride,
                c_stride=c_stride,
                h_stride=h_stride,
                w_stride=w_stride,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetTensor4dDescriptorEx",
                status,
                tensor_desc=tensor_desc,
                data_type=data_type,
                n=n,
                c=c,
                h=h,
                w=w,
                n_stride=n_stride,
                c_stride=c_stride,
                h_stride=h_stride,
                w_stride=w_stride,
            )
        tensor_desc._data_type = data_type

    def get_tensor4d_descriptor(self, tensor_desc: TensorDescriptor) -> results.GetTensor4dDescriptorResult:
        """Read a ``cudnnTensorDescriptor_t``: ``cudnnGetTensor4dDescriptor``.

        Parameters
        ----------
        tensor_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t tensorDesc``, in.

        Returns
        -------
        results.GetTensor4dDescriptorResult
            data_type : DataType
            n : int
            c : int
            h : int
            w : int
            n_stride : int
            c_stride : int
            h_stride : int
            w_stride : int

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            data_type = self._new("cudnnDataType_t *")
            n = self._new("int *")
            c = self._new("int *")
            h = self._new("int *")
            w = self._new("int *")
            n_stride = self._new("int *")
            c_stride = self._new("int *")
            h_stride = self._new("int *")
            w_stride = self._new("int *")
            status = self._lib.cudnnGetTensor4dDescriptor(
                tensor_desc._ptr, data_type, n, c, h, w, n_stride, c_stride, h_stride, w_stride
            )
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetTensor4dDescriptor", error, tensor_desc=tensor_desc) from None
        if status:
            raise self._status_error("cudnnGetTensor4dDescriptor", status, tensor_desc=tensor_desc)
        return results.GetTensor4dDescriptorResult(
            data_type=DataType(data_type[0]),
            n=n[0],
            c=c[0],
            h=h[0],
            w=w[0],
            n_stride=n_stride[0],
            c_stride=c_stride[0],
            h_stride=h_stride[0],
            w_stride=w_stride[0],
        )

    def set_tensor_nd_descriptor(
        self, tensor_desc: TensorDescriptor, data_type: DataType | int, dim_a: Sequence[int], stride_a: Sequence[int]
    ) -> None:
        """Set up a ``cudnnTensorDescriptor_t``: ``cudnnSetTensorNdDescriptor``.

        Parameters
        ----------
        tensor_desc : TensorDescriptor
            ``cudnnTensorDescriptor_t tensorDesc``, inout.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        dim_a : Sequence[int]
            ``const int dimA[]``, in, passed with its length as ``nbDims``.
        stride_a : Sequence[int]
            ``const int strideA[]``, in, passed with its length as ``nbDims``.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            nb_dims = same_length(dim_a=dim_a, stride_a=stride_a)
            status = self._lib.cudnnSetTensorNdDescriptor(
                tensor_desc._ptr,
                enum_value(data_type, DataType),
                nb_dims,
                in_array(self._ffi, "int[]", dim_a, "dim_a"),
                in_array(self._ffi, "int[]", stride_a, "stride_a"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetTensorNdDescriptor",
                error,
                tensor_desc=tensor_desc,
                data_type=data_type,
                dim_a=dim_a,
                stride_a=stride_a,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetTensorNdDescriptor",
                status,
                tensor_desc=tensor_desc,
                data_type=data_type,
                dim_a=dim_a,
                stride_a=stride_a,
            )
        tensor_desc._data_type = data_type

    def set_tensor_nd_descriptor_ex(
        self,
        tensor_desc: TensorDescriptor,
        format_: TensorFormat | int,
        data_type: DataType | int,
        dim_a: Sequence[int],
    ) -> None:
        """Set up a ``cudnnTensorDescriptor_t``: ``cudnnSetTensorNdDescriptorEx``.

        Parameters
        ----------
        tensor_desc : TensorDescriptor
            ``cudnnTensorDescriptor_t tensorDesc``, inout.
        format_ : TensorFormat | int
            ``cudnnTensorFormat_t format``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        dim_a : Sequence[int]
            ``const int dimA[]``, in, passed with its length as ``nbDims``.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            nb_dims = same_length(dim_a=dim_a)
            at_most(nb_dims, DIM_MAX, "dim_a")
            status = self._lib.cudnnSetTensorNdDescriptorEx(
                tensor_desc._ptr,
                enum_value(format_, TensorFormat),
                enum_value(data_type, DataType),
                nb_dims,
                in_array(self._ffi, "int[]", dim_a, "dim_a"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetTensorNdDescriptorEx",
                error,
                tensor_desc=tensor_desc,
                format_=format_,
                data_type=data_type,
                dim_a=dim_a,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetTensorNdDescriptorEx",
                status,
                tensor_desc=tensor_desc,
                format_=format_,
                data_type=data_type,
                dim_a=dim_a,
            )
        tensor_desc._data_type = data_type

    def get_tensor_nd_descriptor(
        self, tensor_desc: TensorDescriptor, *, nb_dims_requested: int | None = None
    ) -> results.GetTensorNdDescriptorResult:
        """Read a ``cudnnTensorDescriptor_t``: ``cudnnGetTensorNdDescriptor``.

        Parameters
        ----------
        tensor_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t tensorDesc``, in.
        nb_dims_requested : int | None, default None
            ``int nbDimsRequested``, in, all that there are when None.

        Returns
        -------
        results.GetTensorNdDescriptorResult
            data_type : DataType
            dim_a : list[int]
            stride_a : list[int]

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            nb_dims_asked = DIM_MAX if nb_dims_requested is None else nb_dims_requested
            data_type = self._new("cudnnDataType_t *")
            nb_dims = self._new("int *")
            dim_a = self._new("int[]", nb_dims_asked)
            stride_a = self._new("int[]", nb_dims_asked)
            status = self._lib.cudnnGetTensorNdDescriptor(
                tensor_desc._ptr, nb_dims_asked, data_type, nb_dims, dim_a, stride_a
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetTensorNdDescriptor", error, tensor_desc=tensor_desc, nb_dims_requested=nb_dims_requested
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetTensorNdDescriptor", status, tensor_desc=tensor_desc, nb_dims_requested=nb_dims_requested
            )
        if nb_dims_requested is None and nb_dims[0] > nb_dims_asked:
            return self.get_tensor_nd_descriptor(tensor_desc, nb_dims_requested=nb_dims[0])
        return results.GetTensorNdDescriptorResult(
            data_type=DataType(data_type[0]),
            dim_a=out_list(self._ffi, dim_a, nb_dims[0], nb_dims_asked),
            stride_a=out_list(self._ffi, stride_a, nb_dims[0], nb_dims_asked),
        )

    def get_tensor_size_in_bytes(self, tensor_desc: TensorDescriptor) -> int:
        """Ask how many bytes are needed (Tensor): ``cudnnGetTensorSizeInBytes``.

        Parameters
        ----------
        tensor_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t tensorDesc``, in.

        Returns
        -------
        int
            `size`, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            size = self._new("size_t *")
            status = self._lib.cudnnGetTensorSizeInBytes(tensor_desc._ptr, size)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetTensorSizeInBytes", error, tensor_desc=tensor_desc) from None
        if status:
            raise self._status_error("cudnnGetTensorSizeInBytes", status, tensor_desc=tensor_desc)
        found: int = size[0]
        return found

    def destroy_tensor_descriptor(self, tensor_desc: TensorDescriptor) -> None:
        """Destroy a ``cudnnTensorDescriptor_t``: ``cudnnDestroyTensorDescriptor``.

        Parameters
        ----------
        tensor_desc : TensorDescriptor
            ``cudnnTensorDescriptor_t tensorDesc``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyTensorDescriptor", tensor_desc)

    def init_transform_dest(
        self, transform_desc: TensorTransformDescriptor, src_desc: TensorDescriptor, dest_desc: TensorDescriptor
    ) -> int:
        """Set up a ``cudnnTensorDescriptor_t``: ``cudnnInitTransformDest``.

        Parameters
        ----------
        transform_desc : TensorTransformDescriptor
            ``const cudnnTensorTransformDescriptor_t transformDesc``, in.
        src_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t srcDesc``, in.
        dest_desc : TensorDescriptor
            ``cudnnTensorDescriptor_t destDesc``, inout.

        Returns
        -------
        int
            `dest_size_in_bytes`, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            dest_size_in_bytes = self._new("size_t *")
            status = self._lib.cudnnInitTransformDest(
                transform_desc._ptr, src_desc._ptr, dest_desc._ptr, dest_size_in_bytes
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnInitTransformDest", error, transform_desc=transform_desc, src_desc=src_desc, dest_desc=dest_desc
            ) from None
        if status:
            raise self._status_error(
                "cudnnInitTransformDest", status, transform_desc=transform_desc, src_desc=src_desc, dest_desc=dest_desc
            )
        found: int = dest_size_in_bytes[0]
        return found

    def derive_bn_tensor_descriptor(
        self, derived_bn_desc: TensorDescriptor, x_desc: TensorDescriptor, mode: BatchNormMode | int
    ) -> None:
        """Set up a ``cudnnTensorDescriptor_t``: ``cudnnDeriveBNTensorDescriptor``.

        Parameters
        ----------
        derived_bn_desc : TensorDescriptor
            ``cudnnTensorDescriptor_t derivedBnDesc``, inout.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        mode : BatchNormMode | int
            ``cudnnBatchNormMode_t mode``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnDeriveBNTensorDescriptor(
                derived_bn_desc._ptr, x_desc._ptr, enum_value(mode, BatchNormMode)
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnDeriveBNTensorDescriptor", error, derived_bn_desc=derived_bn_desc, x_desc=x_desc, mode=mode
            ) from None
        if status:
            raise self._status_error(
                "cudnnDeriveBNTensorDescriptor", status, derived_bn_desc=derived_bn_desc, x_desc=x_desc, mode=mode
            )

    def derive_norm_tensor_descriptor(
        self,
        derived_norm_scale_bias_desc: TensorDescriptor,
        derived_norm_mean_var_desc: TensorDescriptor,
        x_desc: TensorDescriptor,
        mode: NormMode | int,
        group_cnt: int,
    ) -> None:
        """Set up a ``cudnnTensorDescriptor_t``: ``cudnnDeriveNormTensorDescriptor``.

        Parameters
        ----------
        derived_norm_scale_bias_desc : TensorDescriptor
            ``cudnnTensorDescriptor_t derivedNormScaleBiasDesc``, inout.
        derived_norm_mean_var_desc : TensorDescriptor
            ``cudnnTensorDescriptor_t derivedNormMeanVarDesc``, inout.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        mode : NormMode | int
            ``cudnnNormMode_t mode``, in.
        group_cnt : int
            ``int groupCnt``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnDeriveNormTensorDescriptor(
                derived_norm_scale_bias_desc._ptr,
                derived_norm_mean_var_desc._ptr,
                x_desc._ptr,
                enum_value(mode, NormMode),
                index(group_cnt),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnDeriveNormTensorDescriptor",
                error,
                derived_norm_scale_bias_desc=derived_norm_scale_bias_desc,
                derived_norm_mean_var_desc=derived_norm_mean_var_desc,
                x_desc=x_desc,
                mode=mode,
                group_cnt=group_cnt,
            ) from None
        if status:
            raise self._status_error(
                "cudnnDeriveNormTensorDescriptor",
                status,
                derived_norm_scale_bias_desc=derived_norm_scale_bias_desc,
                derived_norm_mean_var_desc=derived_norm_mean_var_desc,
                x_desc=x_desc,
                mode=mode,
                group_cnt=group_cnt,
            )
