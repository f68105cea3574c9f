# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""Wrappers of the functions of ``cudnn_ops.h`` about activation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer
from ..descriptors import ActivationDescriptor, Handle, TensorDescriptor
from ..enums import ActivationMode, NanPropagation

if TYPE_CHECKING:
    from ..results import ops_activation as results
else:
    results = LazyModule("..results.ops_activation", __package__)

__all__ = ["OpsActivationFunctions"]


class OpsActivationFunctions(LibraryBase):
    """Functions of ``cudnn_ops.h`` about activation, as methods of the loaded library."""

    def create_activation_descriptor(self) -> ActivationDescriptor:
        """Create a ``cudnnActivationDescriptor_t``: ``cudnnCreateActivationDescriptor``.

        Deprecated.

        Returns
        -------
        ActivationDescriptor
            `activation_desc`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            activation_desc = self._new("cudnnActivationDescriptor_t *")
            status = self._lib.cudnnCreateActivationDescriptor(activation_desc)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateActivationDescriptor", error) from None
        if status:
            raise self._status_error("cudnnCreateActivationDescriptor", status)
        return ActivationDescriptor(self, activation_desc[0])

    def set_activation_descriptor(
        self,
        activation_desc: ActivationDescriptor,
        mode: ActivationMode | int,
        relu_nan_opt: NanPropagation | int,
        coef: float,
    ) -> None:
        """Set up a ``cudnnActivationDescriptor_t``: ``cudnnSetActivationDescriptor``.

        Deprecated.

        Parameters
        ----------
        activation_desc : ActivationDescriptor
            ``cudnnActivationDescriptor_t activationDesc``, inout.
        mode : ActivationMode | int
            ``cudnnActivationMode_t mode``, in.
        relu_nan_opt : NanPropagation | int
            ``cudnnNanPropagation_t reluNanOpt``, in.
        coef : float
            ``double coef``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetActivationDescriptor(
                activation_desc._ptr, enum_value(mode, ActivationMode), enum_value(relu_nan_opt, NanPropagation), coef
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetActivationDescriptor",
                error,
                activation_desc=activation_desc,
                mode=mode,
                relu_nan_opt=relu_nan_opt,
                coef=coef,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetActivationDescriptor",
                status,
                activation_desc=activation_desc,
                mode=mode,
                relu_nan_opt=relu_nan_opt,
                coef=coef,
            )

    def get_activation_descriptor(self, activation_desc: ActivationDescriptor) -> results.GetActivationDescriptorResult:
        """Read a ``cudnnActivationDescriptor_t``: ``cudnnGetActivationDescriptor``.

        Deprecated.

        Parameters
        ----------
        activation_desc : ActivationDescriptor
            ``const cudnnActivationDescriptor_t activationDesc``, in.

        Returns
        -------
        results.GetActivationDescriptorResult
            mode : ActivationMode
            relu_nan_opt : NanPropagation
            coef : float

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            mode = self._new("cudnnActivationMode_t *")
            relu_nan_opt = self._new("cudnnNanPropagation_t *")
            coef = self._new("double *")
            status = self._lib.cudnnGetActivationDescriptor(activation_desc._ptr, mode, relu_nan_opt, coef)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnGetActivationDescriptor", error, activation_desc=activation_desc) from None
        if status:
            raise self._status_error("cudnnGetActivationDescriptor", status, activation_desc=activation_desc)
        return results.GetActivationDescriptorResult(
            mode=ActivationMode(mode[0]),
            relu_nan_opt=NanPropagation(relu_nan_opt[0]),
            coef=coef[0],
        )

    def set_activation_descriptor_swish_beta(self, activation_desc: ActivationDescriptor, swish_beta: float) -> None:
        """Set up a ``cudnnActivationDescriptor_t``: ``cudnnSetActivationDescriptorSwishBeta``.

        Deprecated.

        Parameters
        ----------
        activation_desc : ActivationDescriptor
            ``cudnnActivationDescriptor_t activationDesc``, inout.
        swish_beta : float
            ``double swish_beta``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetActivationDescriptorSwishBeta(activation_desc._ptr, swish_beta)
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetActivationDescriptorSwishBeta", error, activation_desc=activation_desc, swish_beta=swish_beta
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetActivationDescriptorSwishBeta", status, activation_desc=activation_desc, swish_beta=swish_beta
            )

    def get_activation_descriptor_swish_beta(self, activation_desc: ActivationDescriptor) -> float:
        """Read a ``cudnnActivationDescriptor_t``: ``cudnnGetActivationDescriptorSwishBeta``.

        Deprecated.

        Parameters
        ----------
        activation_desc : ActivationDescriptor
            ``cudnnActivationDescriptor_t activationDesc``, in.

        Returns
        -------
        float
            `swish_beta`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            swish_beta = self._new("double *")
            status = self._lib.cudnnGetActivationDescriptorSwishBeta(activation_desc._ptr, swish_beta)
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetActivationDescriptorSwishBeta", error, activation_desc=activation_desc
            ) from None
        if status:
            raise self._status_error("cudnnGetActivationDescriptorSwishBeta", status, activation_desc=activation_desc)
        found: float = swish_beta[0]
        return found

    def destroy_activation_descriptor(self, activation_desc: ActivationDescriptor) -> None:
        """Destroy a ``cudnnActivationDescriptor_t``: ``cudnnDestroyActivationDescriptor``.

        Deprecated.

        Parameters
        ----------
        activation_desc : ActivationDescriptor
            ``cudnnActivationDescriptor_t activationDesc``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyActivationDescriptor", activation_desc)

    def activation_forward(
        self,
        handle: Handle,
        activation_desc: ActivationDescriptor,
        alpha: float,
        x_desc: TensorDescriptor,
        x: DevicePointer,
        beta: float,
        y_desc: TensorDescriptor,
        y: DevicePointer,
    ) -> None:
        """Compute (Activation, forward): ``cudnnActivationForward``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        activation_desc : ActivationDescriptor
            ``cudnnActivationDescriptor_t activationDesc``, in.
        alpha : float
            ``const void *alpha``, in, in host memory; double where `y_desc` is, else float.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        x : DevicePointer
            ``const void *x``, in, device memory.
        beta : float
            ``const void *beta``, in, in host memory; double where `y_desc` is, else float.
        y_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t yDesc``, in.
        y : DevicePointer
            ``void *y``, inout, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnActivationForward(
                handle._ptr,
                activation_desc._ptr,
                self._scalar(alpha, y_desc),
                x_desc._ptr,
                device_pointer(x, "x"),
                self._scalar(beta, y_desc),
                y_desc._ptr,
                device_pointer(y, "y"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnActivationForward",
                error,
                handle=handle,
                activation_desc=activation_desc,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                beta=beta,
                y_desc=y_desc,
                y=y,
            ) from None
        if status:
            raise self._status_error(
                "cudnnActivationForward",
                status,
                handle=handle,
                activation_desc=activation_desc,
                alpha=alpha,
                x_desc=x_desc,
                x=x,
                beta=beta,
                y_desc=y_desc,
                y=y,
            )

    def activation_backward(
        self,
        handle: Handle,
        activation_desc: ActivationDescriptor,
        alpha: float,
        y_desc: TensorDescriptor,
        y: DevicePointer,
        dy_desc: TensorDescriptor,
        dy: DevicePointer,
        x_desc: TensorDescriptor,
        x: DevicePointer,
        beta: float,
        dx_desc: TensorDescriptor,
        dx: DevicePointer,
    ) -> None:
        """Compute gradients (Activation, backward): ``cudnnActivationBackward``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        activation_desc : ActivationDescriptor
            ``cudnnActivationDescriptor_t activationDesc``, in.
        alpha : float
            ``const void *alpha``, in, in host memory; double where `dx_desc` is, else float.
        y_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t yDesc``, in.
        y : DevicePointer
            ``const void *y``, in, device memory.
        dy_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dyDesc``, in.
        dy : DevicePointer
            ``const void *dy``, in, device memory.
        x_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xDesc``, in.
        x : DevicePointer
            ``const void *x``, in, device memory.
        beta : float
            ``const void *beta``, in, in host memory; double where `dx_desc` is, else float.
        dx_desc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dxDesc``, in.
        dx : DevicePointer
            ``void *dx``, inout, device memory.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnActivationBackward(
                handle._ptr,
                activation_desc._ptr,
                self._scalar(alpha, dx_desc),
                y_desc._ptr,
                device_pointer(y, "y"),
                dy_desc._ptr,
                device_pointer(dy, "dy"),
                x_desc._ptr,
                device_pointer(x, "x"),
                self._scalar(beta, dx_desc),
                dx_desc._ptr,
                device_pointer(dx, "dx"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnActivationBackward",
                error,
                handle=handle,
                activation_desc=activation_desc,
                alpha=alpha,
                y_desc=y_desc,
                y=y,
                dy_desc=dy_desc,
                dy=dy,
                x_desc=x_desc,
                x=x,
                beta=beta,
                dx_desc=dx_desc,
                dx=dx,
            ) from None
        if status:
            raise self._status_error(
                "cudnnActivationBackward",
                status,
                handle=handle,
                activation_desc=activation_desc,
                alpha=alpha,
                y_desc=y_desc,
                y=y,
                dy_desc=dy_desc,
                dy=dy,
                x_desc=x_desc,
                x=x,
                beta=beta,
                dx_desc=dx_desc,
                dx=dx,
            )
