# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""Wrappers of the functions of ``cudnn_ops.h`` about dropout."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, device_pointer, optional_device_pointer
from ..descriptors import DropoutDescriptor, Handle, TensorDescriptor

if TYPE_CHECKING:
    from ..results import ops_dropout as results
else:
    results = LazyModule("..results.ops_dropout", __package__)

__all__ = ["OpsDropoutFunctions"]


class OpsDropoutFunctions(LibraryBase):
    """Functions of ``cudnn_ops.h`` about dropout, as methods of the loaded library."""

    def create_dropout_descriptor(self) -> DropoutDescriptor:
        """Create a ``cudnnDropoutDescriptor_t``: ``cudnnCreateDropoutDescriptor``.

        Returns
        -------
        DropoutDescriptor
            `dropout_desc`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            dropout_desc = self._new("cudnnDropoutDescriptor_t *")
            status = self._lib.cudnnCreateDropoutDescriptor(dropout_desc)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateDropoutDescriptor", error) from None
        if status:
            raise self._status_error("cudnnCreateDropoutDescriptor", status)
        return DropoutDescriptor(self, dropout_desc[0])

    def destroy_dropout_descriptor(self, dropout_desc: DropoutDescriptor) -> None:
        """Destroy a ``cudnnDropoutDescriptor_t``: ``cudnnDestroyDropoutDescriptor``.

        Parameters
        ----------
        dropout_desc : DropoutDescriptor
            ``cudnnDropoutDescriptor_t dropoutDesc``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyDropoutDescriptor", dropout_desc)

    def dropout_get_states_size(self, handle: Handle) -> int:
        """Ask how many bytes are needed (Dropout): ``cudnnDropoutGetStatesSize``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.

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
            status = self._lib.cudnnDropoutGetStatesSize(handle._ptr, size_in_bytes)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnDropoutGetStatesSize", error, handle=handle) from None
        if status:
            raise self._status_error("cudnnDropoutGetStatesSize", status, handle=handle)
        found: int = size_in_bytes[0]
        return found

    def dropout_get_reserve_space_size(self, xdesc: TensorDescriptor) -> int:
        """Ask how many bytes are needed (Dropout): ``cudnnDropoutGetReserveSpaceSize``.

        Parameters
        ----------
        xdesc : TensorDescriptor
            ``cudnnTensorDescriptor_t xdesc``, in.

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
            status = self._lib.cudnnDropoutGetReserveSpaceSize(xdesc._ptr, size_in_bytes)
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnDropoutGetReserveSpaceSize", error, xdesc=xdesc) from None
        if status:
            raise self._status_error("cudnnDropoutGetReserveSpaceSize", status, xdesc=xdesc)
        found: int = size_in_bytes[0]
        return found

    def set_dropout_descriptor(
        self,
        dropout_desc: DropoutDescriptor,
        handle: Handle,
        dropout: float,
        states: DevicePointer | None,
        state_size_in_bytes: int,
        seed: int,
    ) -> None:
        """Set up a ``cudnnDropoutDescriptor_t``: ``cudnnSetDropoutDescriptor``.

        Parameters
        ----------
        dropout_desc : DropoutDescriptor
            ``cudnnDropoutDescriptor_t dropoutDesc``, inout.
        handle : Handle
            ``cudnnHandle_t handle``, in.
        dropout : float
            ``float dropout``, in.
        states : DevicePointer | None
            ``void *states``, inout, device memory.
        state_size_in_bytes : int
            ``size_t stateSizeInBytes``, in, bytes.
        seed : int
            ``unsigned long long seed``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetDropoutDescriptor(
                dropout_desc._ptr,
                handle._ptr,
                dropout,
                optional_device_pointer(states, "states"),
                index(state_size_in_bytes),
                index(seed),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetDropoutDescriptor",
                error,
                dropout_desc=dropout_desc,
                handle=handle,
                dropout=dropout,
                states=states,
                state_size_in_bytes=state_size_in_bytes,
                seed=seed,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetDropoutDescriptor",
                status,
                dropout_desc=dropout_desc,
                handle=handle,
                dropout=dropout,
                states=states,
                state_size_in_bytes=state_size_in_bytes,
                seed=seed,
            )

    def restore_dropout_descriptor(
        self,
        dropout_desc: DropoutDescriptor,
        handle: Handle,
        dropout: float,
        states: DevicePointer | None,
        state_size_in_bytes: int,
        seed: int,
    ) -> None:
        """Set up a ``cudnnDropoutDescriptor_t``: ``cudnnRestoreDropoutDescriptor``.

        Parameters
        ----------
        dropout_desc : DropoutDescriptor
            ``cudnnDropoutDescriptor_t dropoutDesc``, inout.
        handle : Handle
            ``cudnnHandle_t handle``, in.
        dropout : float
            ``float dropout``, in.
        states : DevicePointer | None
            ``void *states``, in, device memory.
        state_size_in_bytes : int
            ``size_t stateSizeInBytes``, in, bytes.
        seed : int
            ``unsigned long long seed``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnRestoreDropoutDescriptor(
                dropout_desc._ptr,
                handle._ptr,
                dropout,
                optional_device_pointer(states, "states"),
                index(state_size_in_bytes),
                index(seed),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnRestoreDropoutDescriptor",
                error,
                dropout_desc=dropout_desc,
                handle=handle,
                dropout=dropout,
                states=states,
                state_size_in_bytes=state_size_in_bytes,
                seed=seed,
            ) from None
        if status:
            raise self._status_error(
                "cudnnRestoreDropoutDescriptor",
                status,
                dropout_desc=dropout_desc,
                handle=handle,
                dropout=dropout,
                states=states,
                state_size_in_bytes=state_size_in_bytes,
                seed=seed,
            )

    def get_dropout_descriptor(
        self, dropout_desc: DropoutDescriptor, handle: Handle
    ) -> results.GetDropoutDescriptorResult:
        """Read a ``cudnnDropoutDescriptor_t``: ``cudnnGetDropoutDescriptor``.

        Parameters
        ----------
        dropout_desc : DropoutDescriptor
            ``cudnnDropoutDescriptor_t dropoutDesc``, in.
        handle : Handle
            ``cudnnHandle_t handle``, in.

        Returns
        -------
        results.GetDropoutDescriptorResult
            dropout : float
            states : int, an address, 0 for NULL
            seed : int

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            dropout = self._new("float *")
            states = self._new("void * *")
            seed = self._new("unsigned long long *")
            status = self._lib.cudnnGetDropoutDescriptor(dropout_desc._ptr, handle._ptr, dropout, states, seed)
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetDropoutDescriptor", error, dropout_desc=dropout_desc, handle=handle
            ) from None
        if status:
            raise self._status_error("cudnnGetDropoutDescriptor", status, dropout_desc=dropout_desc, handle=handle)
        return results.GetDropoutDescriptorResult(
            dropout=dropout[0],
            states=int(self._ffi.cast("uintptr_t", states[0])),
            seed=seed[0],
        )

    def dropout_forward(
        self,
        handle: Handle,
        dropout_desc: DropoutDescriptor,
        xdesc: TensorDescriptor,
        x: DevicePointer,
        ydesc: TensorDescriptor,
        y: DevicePointer,
        reserve_space: DevicePointer | None,
        reserve_space_size_in_bytes: int,
    ) -> None:
        """Compute (Dropout, forward): ``cudnnDropoutForward``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        dropout_desc : DropoutDescriptor
            ``const cudnnDropoutDescriptor_t dropoutDesc``, in.
        xdesc : TensorDescriptor
            ``const cudnnTensorDescriptor_t xdesc``, in.
        x : DevicePointer
            ``const void *x``, in, device memory.
        ydesc : TensorDescriptor
            ``const cudnnTensorDescriptor_t ydesc``, in.
        y : DevicePointer
            ``void *y``, out, device memory.
        reserve_space : DevicePointer | None
            ``void *reserveSpace``, out, device memory.
        reserve_space_size_in_bytes : int
            ``size_t reserveSpaceSizeInBytes``, in, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnDropoutForward(
                handle._ptr,
                dropout_desc._ptr,
                xdesc._ptr,
                device_pointer(x, "x"),
                ydesc._ptr,
                device_pointer(y, "y"),
                optional_device_pointer(reserve_space, "reserve_space"),
                index(reserve_space_size_in_bytes),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnDropoutForward",
                error,
                handle=handle,
                dropout_desc=dropout_desc,
                xdesc=xdesc,
                x=x,
                ydesc=ydesc,
                y=y,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            ) from None
        if status:
            raise self._status_error(
                "cudnnDropoutForward",
                status,
                handle=handle,
                dropout_desc=dropout_desc,
                xdesc=xdesc,
                x=x,
                ydesc=ydesc,
                y=y,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            )

    def dropout_backward(
        self,
        handle: Handle,
        dropout_desc: DropoutDescriptor,
        dydesc: TensorDescriptor,
        dy: DevicePointer,
        dxdesc: TensorDescriptor,
        dx: DevicePointer,
        reserve_space: DevicePointer | None,
        reserve_space_size_in_bytes: int,
    ) -> None:
        """Compute gradients (Dropout, backward): ``cudnnDropoutBackward``.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        dropout_desc : DropoutDescriptor
            ``const cudnnDropoutDescriptor_t dropoutDesc``, in.
        dydesc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dydesc``, in.
        dy : DevicePointer
            ``const void *dy``, in, device memory.
        dxdesc : TensorDescriptor
            ``const cudnnTensorDescriptor_t dxdesc``, in.
        dx : DevicePointer
            ``void *dx``, out, device memory.
        reserve_space : DevicePointer | None
            ``void *reserveSpace``, in, device memory.
        reserve_space_size_in_bytes : int
            ``size_t reserveSpaceSizeInBytes``, in, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnDropoutBackward(
                handle._ptr,
                dropout_desc._ptr,
                dydesc._ptr,
                device_pointer(dy, "dy"),
                dxdesc._ptr,
                device_pointer(dx, "dx"),
                optional_device_pointer(reserve_space, "reserve_space"),
                index(reserve_space_size_in_bytes),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnDropoutBackward",
                error,
                handle=handle,
                dropout_desc=dropout_desc,
                dydesc=dydesc,
                dy=dy,
                dxdesc=dxdesc,
                dx=dx,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            ) from None
        if status:
            raise self._status_error(
                "cudnnDropoutBackward",
                status,
                handle=handle,
                dropout_desc=dropout_desc,
                dydesc=dydesc,
                dy=dy,
                dxdesc=dxdesc,
                dx=dx,
                reserve_space=reserve_space,
                reserve_space_size_in_bytes=reserve_space_size_in_bytes,
            )
