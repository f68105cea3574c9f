# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Wrappers of the functions of ``cudnn_adv_train.h`` about ctc loss."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING

from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer, optional_device_pointer
from ..._support.values import in_array
from ..descriptors import CTCLossDescriptor, Handle, TensorDescriptor
from ..enums import CTCLossAlgo, DataType, LossNormalizationMode, NanPropagation

if TYPE_CHECKING:
    from ..results import adv_train_ctc_loss as results
else:
    results = LazyModule("..results.adv_train_ctc_loss", __package__)

__all__ = ["AdvTrainCtcLossFunctions"]


class AdvTrainCtcLossFunctions(LibraryBase):
    """Functions of ``cudnn_adv_train.h`` about ctc loss, as methods of the loaded library."""

    def create_ctc_loss_descriptor(self) -> CTCLossDescriptor:
        """Create a ``cudnnCTCLossDescriptor_t``: ``cudnnCreateCTCLossDescriptor``.

        Returns
        -------
        CTCLossDescriptor
            `ctc_loss_desc`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            ctc_loss_desc = self._new("cudnnCTCLossDescriptor_t *")
            status = self._lib.cudnnCreateCTCLossDescriptor(ctc_loss_desc)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateCTCLossDescriptor", error) from None
        if status:
            raise self._status_error("cudnnCreateCTCLossDescriptor", status)
        return CTCLossDescriptor(self, ctc_loss_desc[0])

    def set_ctc_loss_descriptor(self, ctc_loss_desc: CTCLossDescriptor, comp_type: DataType | int) -> None:
        """Set up a ``cudnnCTCLossDescriptor_t``: ``cudnnSetCTCLossDescriptor``.

        Parameters
        ----------
        ctc_loss_desc : CTCLossDescriptor
            ``cudnnCTCLossDescriptor_t ctcLossDesc``, inout.
        comp_type : DataType | int
            ``cudnnDataType_t compType``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetCTCLossDescriptor(ctc_loss_desc._ptr, enum_value(comp_type, DataType))
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetCTCLossDescriptor", error, ctc_loss_desc=ctc_loss_desc, comp_type=comp_type
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetCTCLossDescriptor", status, ctc_loss_desc=ctc_loss_desc, comp_type=comp_type
            )
        ctc_loss_desc._data_type = comp_type

    def set_ctc_loss_descriptor_ex(
        self,
        ctc_loss_desc: CTCLossDescriptor,
        comp_type: DataType | int,
        norm_mode: LossNormalizationMode | int,
        grad_mode: NanPropagation | int,
    ) -> None:
        """Set up a ``cudnnCTCLossDescriptor_t``: ``cudnnSetCTCLossDescriptorEx``.

        Parameters
        ----------
        ctc_loss_desc : CTCLossDescriptor
            ``cudnnCTCLossDescriptor_t ctcLossDesc``, inout.
        comp_type : DataType | int
            ``cudnnDataType_t compType``, in.
        norm_mode : LossNormalizationMode | int
            ``cudnnLossNormalizationMode_t normMode``, in.
        grad_mode : NanPropagation | int
            ``cudnnNanPropagation_t gradMode``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetCTCLossDescriptorEx(
                ctc_loss_desc._ptr,
                enum_value(comp_type, DataType),
                enum_value(norm_mode, LossNormalizationMode),
                enum_value(grad_mode, NanPropagation),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetCTCLossDescriptorEx",
                error,
                ctc_loss_desc=ctc_loss_desc,
                comp_type=comp_type,
                norm_mode=norm_mode,
                grad_mode=grad_mode,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetCTCLossDescriptorEx",
                status,
                ctc_loss_desc=ctc_loss_desc,
                comp_type=comp_type,
                norm_mode=norm_mode,
                grad_mode=grad_mode,
            )
        ctc_loss_desc._data_type = comp_type

    def set_ctc_loss_descriptor_v8(
        self,
        ctc_loss_desc: CTCLossDescriptor,
        comp_type: DataType | int,
        norm_mode: LossNormalizationMode | int,
        grad_mode: NanPropagation | int,
        max_label_length: int,
    ) -> None:
        """Set up a ``cudnnCTCLossDescriptor_t``: ``cudnnSetCTCLossDescriptor_v8``.

        Parameters
        ----------
        ctc_loss_desc : CTCLossDescriptor
            ``cudnnCTCLossDescriptor_t ctcLossDesc``, inout.
        comp_type : DataType | int
            ``cudnnDataType_t compType``, in.
        norm_mode : LossNormalizationMode | int
            ``cudnnLossNormalizationMode_t normMode``, in.
        grad_mode : NanPropagation | int
            ``cudnnNanPropagation_t gradMode``, in.
        max_label_length : int
            ``int maxLabelLength``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetCTCLossDescriptor_v8(
                ctc_loss_desc._ptr,
                enum_value(comp_type, DataType),
                enum_value(norm_mode, LossNormalizationMode),
                enum_value(grad_mode, NanPropagation),
                index(max_label_length),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetCTCLossDescriptor_v8",
                error,
                ctc_loss_desc=ctc_loss_desc,
                comp_type=comp_type,
                norm_mode=norm_mode,
                grad_mode=grad_mode,
                max_label_length=max_label_length,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetCTCLossDescriptor_v8",
                status,
                ctc_loss_desc=ctc_loss_desc,
                comp_type=comp_type,
                norm_mode=norm_mode,
                grad_mode=grad_mode,
                max_label_length=max_label_length,
            )
        ctc_loss_desc._data_type = comp_type

    def get_ctc_loss_descriptor(self, ctc_loss_desc: CTCLossDescriptor) -> DataType:
        """Read a ``cudnnCTCLossDescriptor_t``: ``cudnnGetCTCLossDescriptor``.

        Parameters
        ----------
        ctc_loss_desc : CTCLossDescriptor
            ``cudnnCTCLossDescriptor_t ctcLossDesc``, in.

        Returns
        -------
        DataType
            `comp_type`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            comp_type = self._new("cudnnDataType_t *")
            status = self._lib.cudnnGetCTCLossDescriptor(ctc_loss_desc._ptr, comp_type)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetCTCLossDescriptor", error, ctc_loss_desc=ctc_loss_desc) from None
        if status:
            raise self._status_error("cudnnGetCTCLossDescriptor", status, ctc_loss_desc=ctc_loss_desc)
        return DataType(comp_type[0])

    def get_ctc_loss_descriptor_ex(self, ctc_loss_desc: CTCLossDescriptor) -> results.GetCTCLossDescriptorExResult:
        """Read a ``cudnnCTCLossDescriptor_t``: ``cudnnGetCTCLossDescriptorEx``.

        Parameters
        ----------
        ctc_loss_desc : CTCLossDescriptor
            ``cudnnCTCLossDescriptor_t ctcLossDesc``, in.

        Returns
        -------
        results.GetCTCLossDescriptorExResult
            comp_type : DataType
            norm_mode : LossNormalizationMode
            grad_mode : NanPropagation

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            comp_type = self._new("cudnnDataType_t *")
            norm_mode = self._new("cudnnLossNormalizationMode_t *")
            grad_mode = self._new("cudnnNanPropagation_t *")
            status = self._lib.cudnnGetCTCLossDescriptorEx(ctc_loss_desc._ptr, comp_type, norm_mode, grad_mode)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetCTCLossDescriptorEx", error, ctc_loss_desc=ctc_loss_desc) from None
        if status:
            raise self._status_error("cudnnGetCTCLossDescriptorEx", status, ctc_loss_desc=ctc_loss_desc)
        return results.GetCTCLossDescriptorExResult(
            comp_type=DataType(comp_type[0]),
            norm_mode=LossNormalizationMode(norm_mode[0]),
            grad_mode=NanPropagation(grad_mode[0]),
        )

    def get_ctc_loss_descriptor_v8(self, ctc_loss_desc: CTCLossDescriptor) -> results.GetCTCLossDescriptorV8Result:
        """Read a ``cudnnCTCLossDescriptor_t``: ``cudnnGetCTCLossDescriptor_v8``.

        Parameters
        ----------
        ctc_loss_desc : CTCLossDescriptor
            ``cudnnCTCLossDescriptor_t ctcLossDesc``, in.

        Returns
        -------
        results.GetCTCLossDescriptorV8Result
            comp_type : DataType
            norm_mode : LossNormalizationMode
            grad_mode : NanPropagation
            max_label_length : int

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            comp_type = self._new("cudnnDataType_t *")
            norm_mode = self._new("cudnnLossNormalizationMode_t *")
            grad_mode = self._new("cudnnNanPropagation_t *")
            max_label_length = self._new("int *")
            status = self._lib.cudnnGetCTCLossDescriptor_v8(
                ctc_loss_desc._ptr, comp_type, norm_mode, grad_mode, max_label_length
            )
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetCTCLossDescriptor_v8", error, ctc_loss_desc=ctc_loss_desc) from None
        if status:
            raise self._status_error("cudnnGetCTCLossDescriptor_v8", status, ctc_loss_desc=ctc_loss_desc)
        return results.GetCTCLossDescriptorV8Result(
            comp_type=DataType(comp_type[0]),
            norm_mode=LossNormalizationMode(norm_mode[0]),
            grad_mode=NanPropagation(grad_mode[0]),
            max_label_length=max_label_length[0],
        )

    def destroy_ctc_loss_descriptor(self, ctc_loss_desc: CTCLossDescriptor) -> None:
        """Destroy a ``cudnnCTCLossDescriptor_t``: ``cudnnDestroyCTCLossDescriptor``.

        Parameters
        ----------
        ctc_loss_desc : CTCLossDescriptor
            ``cudnnCTCLossDescriptor_t ctcLossDesc``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyCTCLossDescriptor", ctc_loss_desc)

    def ctc_loss(
        self,
        handle: Handle,
        probs_desc: TensorDescriptor,
        probs: DevicePointer,
        host_labels: Sequence[int],
        host_label_lengths: Sequence[int],
        host_input_lengths: Sequence[int],
        costs: DevicePointer,
        gradients_desc: TensorDescriptor,
        gradients: DevicePointer | None,
        algo: CTCLossAlgo | int,
        ctc_loss_desc: CTCLossDescriptor,
        workspace: DevicePointer | None,
        work_space_size_in_bytes: int,
    ) -> None:
        """Compute (CTCLoss): ``cudnnCTCLoss``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        probs_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t probsDesc``, in.
        probs : DevicePointer
            ``const void *probs``, in, device memory.
        host_labels : Sequence[int]
            ``const int hostLabels[]``, in.
        host_label_lengths : Sequence[int]
            ``const int hostLabelLengths[]``, in.
        host_input_lengths : Sequence[int]
            ``const int hostInputLengths[]``, in.
        costs : DevicePointer
            ``void *costs``, out, device memory.
        gradients_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t gradientsDesc``, in.
        gradients : DevicePointer | None
            ``void *gradients``, out, device memory.
        algo : CTCLossAlgo | int
            ``cudnnCTCLossAlgo_t algo``, in.
        ctc_loss_desc : CTCLossDescriptor
            ``cudnnCTCLossDescriptor_t ctcLossDesc``, in.
        workspace : DevicePointer | None
            ``void *workspace``, inout, device memory.
        work_space_size_in_bytes : int
            ``size_t workSpaceSizeInBytes``, in, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnCTCLoss(
                handle._ptr,
                probs_desc._ptr,
                device_pointer(probs, "probs"),
                in_array(self._ffi, "int[]", host_labels, "host_labels"),
                in_array(self._ffi, "int[]", host_label_lengths, "host_label_lengths"),
                in_array(self._ffi, "int[]", host_input_lengths, "host_input_lengths"),
                device_pointer(costs, "costs"),
                gradients_desc._ptr,
                optional_device_pointer(gradients, "gradients"),
                enum_value(algo, CTCLossAlgo),
                ctc_loss_desc._ptr,
                optional_device_pointer(workspace, "workspace"),
                index(work_space_size_in_bytes),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnCTCLoss",
                error,
                handle=handle,
                probs_desc=probs_desc,
                probs=probs,
                host_labels=host_labels,
                host_label_lengths=host_label_lengths,
                host_input_lengths=host_input_lengths,
                costs=costs,
                gradients_desc=gradients_desc,
                gradients=gradients,
                algo=algo,
                ctc_loss_desc=ctc_loss_desc,
                workspace=workspace,
                work_space_size_in_bytes=work_space_size_in_bytes,
            ) from None
        if status:
            raise self._status_error(
                "cudnnCTCLoss",
                status,
                handle=handle,
                probs_desc=probs_desc,
                probs=probs,
                host_labels=host_labels,
                host_label_lengths=host_label_lengths,
                host_input_lengths=host_input_lengths,
                costs=costs,
                gradients_desc=gradients_desc,
                gradients=gradients,
                algo=algo,
                ctc_loss_desc=ctc_loss_desc,
                workspace=workspace,
                work_space_size_in_bytes=work_space_size_in_bytes,
            )

    def ctc_loss_v8(
        self,
        handle: Handle,
        algo: CTCLossAlgo | int,
        ctc_loss_desc: CTCLossDescriptor,
        probs_desc: TensorDescriptor,
        probs: DevicePointer,
        labels: DevicePointer,
        label_lengths: DevicePointer,
        input_lengths: DevicePointer,
        costs: DevicePointer,
        gradients_desc: TensorDescriptor,
        gradients: DevicePointer | None,
        work_space_size_in_bytes: int,
        workspace: DevicePointer | None,
    ) -> None:
        """Compute (CTCLoss): ``cudnnCTCLoss_v8``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        algo : CTCLossAlgo | int
            ``cudnnCTCLossAlgo_t algo``, in.
        ctc_loss_desc : CTCLossDescriptor
            ``cudnnCTCLossDescriptor_t ctcLossDesc``, in.
        probs_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t probsDesc``, in.
        probs : DevicePointer
            ``const void *probs``, in, device memory.
        labels : DevicePointer
            ``const int labels[]``, in, device memory.
        label_lengths : DevicePointer
            ``const int labelLengths[]``, in, device memory.
        input_lengths : DevicePointer
            ``const int inputLengths[]``, in, device memory.
        costs : DevicePointer
            ``void *costs``, out, device memory.
        gradients_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t gradientsDesc``, in.
        gradients : DevicePointer | None
            ``void *gradients``, out, device memory.
        work_space_size_in_bytes : int
            ``size_t workSpaceSizeInBytes``, in, bytes.
        workspace : DevicePointer | None
            ``void *workspace``, inout, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnCTCLoss_v8(
                handle._ptr,
                enum_value(algo, CTCLossAlgo),
                ctc_loss_desc._ptr,
                probs_desc._ptr,
                device_pointer(probs, "probs"),
                device_pointer(labels, "labels"),
                device_pointer(label_lengths, "label_lengths"),
                device_pointer(input_lengths, "input_lengths"),
                device_pointer(costs, "costs"),
                gradients_desc._ptr,
                optional_device_pointer(gradients, "gradients"),
                index(work_space_size_in_bytes),
                optional_device_pointer(workspace, "workspace"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnCTCLoss_v8",
                error,
                handle=handle,
                algo=algo,
                ctc_loss_desc=ctc_loss_desc,
                probs_desc=probs_desc,
                probs=probs,
                labels=labels,
                label_lengths=label_lengths,
                input_lengths=input_lengths,
                costs=costs,
                gradients_desc=gradients_desc,
                gradients=gradients,
                work_space_size_in_bytes=work_space_size_in_bytes,
                workspace=workspace,
            ) from None
        if status:
            raise self._status_error(
                "cudnnCTCLoss_v8",
                status,
                handle=handle,
                algo=algo,
                ctc_loss_desc=ctc_loss_desc,
                probs_desc=probs_desc,
                probs=probs,
                labels=labels,
                label_lengths=label_lengths,
                input_lengths=input_lengths,
                costs=costs,
                gradients_desc=gradients_desc,
                gradients=gradients,
                work_space_size_in_bytes=work_space_size_in_bytes,
                workspace=workspace,
            )

    def get_ctc_loss_workspace_size(
        self,
        handle: Handle,
        probs_desc: TensorDescriptor,
        gradients_desc: TensorDescriptor,
        labels: Sequence[int],
        label_lengths: Sequence[int],
        input_lengths: Sequence[int],
        algo: CTCLossAlgo | int,
        ctc_loss_desc: CTCLossDescriptor,
    ) -> int:
        """Ask how many bytes are needed (CTCLoss): ``cudnnGetCTCLossWorkspaceSize``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        probs_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t probsDesc``, in.
        gradients_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t gradientsDesc``, in.
        labels : Sequence[int]
            ``const int *labels``, in.
        label_lengths : Sequence[int]
            ``const int *labelLengths``, in.
        input_lengths : Sequence[int]
            ``const int *inputLengths``, in.
        algo : CTCLossAlgo | int
            ``cudnnCTCLossAlgo_t algo``, in.
        ctc_loss_desc : CTCLossDescriptor
            ``cudnnCTCLossDescriptor_t ctcLossDesc``, in.

        Returns
        -------
        int
            `size_in_bytes`, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            size_in_bytes = self._new("size_t *")
            status = self._lib.cudnnGetCTCLossWorkspaceSize(
                handle._ptr,
                probs_desc._ptr,
                gradients_desc._ptr,
                in_array(self._ffi, "int[]", labels, "labels"),
                in_array(self._ffi, "int[]", label_lengths, "label_lengths"),
                in_array(self._ffi, "int[]", input_lengths, "input_lengths"),
                enum_value(algo, CTCLossAlgo),
                ctc_loss_desc._ptr,
                size_in_bytes,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetCTCLossWorkspaceSize",
                error,
                handle=handle,
                probs_desc=probs_desc,
                gradients_desc=gradients_desc,
                labels=labels,
                label_lengths=label_lengths,
                input_lengths=input_lengths,
                algo=algo,
                ctc_loss_desc=ctc_loss_desc,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetCTCLossWorkspaceSize",
                status,
                handle=handle,
                probs_desc=probs_desc,
                gradients_desc=gradients_desc,
                labels=labels,
                label_lengths=label_lengths,
                input_lengths=input_lengths,
                algo=algo,
                ctc_loss_desc=ctc_loss_desc,
            )
        found: int = size_in_bytes[0]
        return found

    def get_ctc_loss_workspace_size_v8(
        self,
        handle: Handle,
        algo: CTCLossAlgo | int,
        ctc_loss_desc: CTCLossDescriptor,
        probs_desc: TensorDescriptor,
        gradients_desc: TensorDescriptor,
    ) -> int:
        """Ask how many bytes are needed (CTCLoss): ``cudnnGetCTCLossWorkspaceSize_v8``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        algo : CTCLossAlgo | int
            ``cudnnCTCLossAlgo_t algo``, in.
        ctc_loss_desc : CTCLossDescriptor
            ``cudnnCTCLossDescriptor_t ctcLossDesc``, in.
        probs_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t probsDesc``, in.
        gradients_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t gradientsDesc``, in.

        Returns
        -------
        int
            `size_in_bytes`, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            size_in_bytes = self._new("size_t *")
            status = self._lib.cudnnGetCTCLossWorkspaceSize_v8(
                handle._ptr,
                enum_value(algo, CTCLossAlgo),
                ctc_loss_desc._ptr,
                probs_desc._ptr,
                gradients_desc._ptr,
                size_in_bytes,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetCTCLossWorkspaceSize_v8",
                error,
                handle=handle,
                algo=algo,
                ctc_loss_desc=ctc_loss_desc,
                probs_desc=probs_desc,
                gradients_desc=gradients_desc,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetCTCLossWorkspaceSize_v8",
                status,
                handle=handle,
                algo=algo,
                ctc_loss_desc=ctc_loss_desc,
                probs_desc=probs_desc,
                gradients_desc=gradients_desc,
            )
        found: int = size_in_bytes[0]
        return found
