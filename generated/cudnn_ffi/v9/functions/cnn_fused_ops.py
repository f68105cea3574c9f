# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""Wrappers of the functions of ``cudnn_cnn.h`` about fused ops."""

from __future__ import annotations

from typing import Any

from ..._support.enums import enum_value
from ..._support.labels import label_room, label_value
from ..._support.library import CALL_ERRORS, LibraryBase
from ..descriptors import FusedOpsConstParamPack, FusedOpsPlan, FusedOpsVariantParamPack, Handle
from ..enums import FusedOps, FusedOpsConstParamLabel, FusedOpsVariantParamLabel
from ..tables import LABELS

__all__ = ["CnnFusedOpsFunctions"]


class CnnFusedOpsFunctions(LibraryBase):
    """Functions of ``cudnn_cnn.h`` about fused ops, as methods of the loaded library."""

    def create_fused_ops_const_param_pack(self, ops: FusedOps | int) -> FusedOpsConstParamPack:
        """Run a fused operation (FusedOps): ``cudnnCreateFusedOpsConstParamPack``.

        Deprecated.

        Parameters
        ----------
        ops : FusedOps | int
            ``cudnnFusedOps_t ops``, in.

        Returns
        -------
        FusedOpsConstParamPack
            `const_pack`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            const_pack = self._new("cudnnFusedOpsConstParamPack_t *")
            status = self._lib.cudnnCreateFusedOpsConstParamPack(const_pack, enum_value(ops, FusedOps))
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateFusedOpsConstParamPack", error, ops=ops) from None
        if status:
            raise self._status_error("cudnnCreateFusedOpsConstParamPack", status, ops=ops)
        return FusedOpsConstParamPack(self, const_pack[0])

    def destroy_fused_ops_const_param_pack(self, const_pack: FusedOpsConstParamPack) -> None:
        """Run a fused operation (FusedOps): ``cudnnDestroyFusedOpsConstParamPack``.

        Deprecated.

        Parameters
        ----------
        const_pack : FusedOpsConstParamPack
            ``cudnnFusedOpsConstParamPack_t constPack``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyFusedOpsConstParamPack", const_pack)

    def set_fused_ops_const_param_pack_attribute(
        self, const_pack: FusedOpsConstParamPack, param_label: FusedOpsConstParamLabel | int, param: Any
    ) -> None:
        """Run a fused operation (FusedOps): ``cudnnSetFusedOpsConstParamPackAttribute``.

        Deprecated.

        Parameters
        ----------
        const_pack : FusedOpsConstParamPack
            ``cudnnFusedOpsConstParamPack_t constPack``, inout.
        param_label : FusedOpsConstParamLabel | int
            ``cudnnFusedOpsConstParamLabel_t paramLabel``, in.
        param : Any
            ``const void *param``, in, of the type that `param_label` wants, or a buffer, cffi data or None.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetFusedOpsConstParamPackAttribute(
                const_pack._ptr,
                enum_value(param_label, FusedOpsConstParamLabel),
                label_value(self._ffi, LABELS, FusedOpsConstParamLabel(param_label), param, "param"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetFusedOpsConstParamPackAttribute",
                error,
                const_pack=const_pack,
                param_label=param_label,
                param=param,
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetFusedOpsConstParamPackAttribute",
                status,
                const_pack=const_pack,
                param_label=param_label,
                param=param,
            )

    def get_fused_ops_const_param_pack_attribute(
        self, const_pack: FusedOpsConstParamPack, param_label: FusedOpsConstParamLabel | int, param: Any
    ) -> int:
        """Run a fused operation (FusedOps): ``cudnnGetFusedOpsConstParamPackAttribute``.

        Deprecated.

        Parameters
        ----------
        const_pack : FusedOpsConstParamPack
            ``const cudnnFusedOpsConstParamPack_t constPack``, in.
        param_label : FusedOpsConstParamLabel | int
            ``cudnnFusedOpsConstParamLabel_t paramLabel``, in.
        param : Any
            ``void *param``, out, a descriptor, or a buffer in host memory; the call writes to it.

        Returns
        -------
        int
            `is_null`.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            is_null = self._new("int *")
            status = self._lib.cudnnGetFusedOpsConstParamPackAttribute(
                const_pack._ptr,
                enum_value(param_label, FusedOpsConstParamLabel),
                label_room(self._ffi, LABELS, FusedOpsConstParamLabel(param_label), param, "param"),
                is_null,
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetFusedOpsConstParamPackAttribute",
                error,
                const_pack=const_pack,
                param_label=param_label,
                param=param,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetFusedOpsConstParamPackAttribute",
                status,
                const_pack=const_pack,
                param_label=param_label,
                param=param,
            )
        found: int = is_null[0]
        return found

    def create_fused_ops_variant_param_pack(self, ops: FusedOps | int) -> FusedOpsVariantParamPack:
        """Run a fused operation (FusedOps): ``cudnnCreateFusedOpsVariantParamPack``.

        Deprecated.

        Parameters
        ----------
        ops : FusedOps | int
            ``cudnnFusedOps_t ops``, in.

        Returns
        -------
        FusedOpsVariantParamPack
            `var_pack`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            var_pack = self._new("cudnnFusedOpsVariantParamPack_t *")
            status = self._lib.cudnnCreateFusedOpsVariantParamPack(var_pack, enum_value(ops, FusedOps))
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateFusedOpsVariantParamPack", error, ops=ops) from None
        if status:
            raise self._status_error("cudnnCreateFusedOpsVariantParamPack", status, ops=ops)
        return FusedOpsVariantParamPack(self, var_pack[0])

    def destroy_fused_ops_variant_param_pack(self, var_pack: FusedOpsVariantParamPack) -> None:
        """Run a fused operation (FusedOps): ``cudnnDestroyFusedOpsVariantParamPack``.

        Deprecated.

        Parameters
        ----------
        var_pack : FusedOpsVariantParamPack
            ``cudnnFusedOpsVariantParamPack_t varPack``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyFusedOpsVariantParamPack", var_pack)

    def set_fused_ops_variant_param_pack_attribute(
        self, var_pack: FusedOpsVariantParamPack, param_label: FusedOpsVariantParamLabel | int, ptr: Any
    ) -> None:
        """Run a fused operation (FusedOps): ``cudnnSetFusedOpsVariantParamPackAttribute``.

        Deprecated.

        Parameters
        ----------
        var_pack : FusedOpsVariantParamPack
            ``cudnnFusedOpsVariantParamPack_t varPack``, inout.
        param_label : FusedOpsVariantParamLabel | int
            ``cudnnFusedOpsVariantParamLabel_t paramLabel``, in.
        ptr : Any
            ``void *ptr``, in, of the type that `param_label` wants, or a buffer, cffi data or None.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnSetFusedOpsVariantParamPackAttribute(
                var_pack._ptr,
                enum_value(param_label, FusedOpsVariantParamLabel),
                label_value(self._ffi, LABELS, FusedOpsVariantParamLabel(param_label), ptr, "ptr"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnSetFusedOpsVariantParamPackAttribute", error, var_pack=var_pack, param_label=param_label, ptr=ptr
            ) from None
        if status:
            raise self._status_error(
                "cudnnSetFusedOpsVariantParamPackAttribute", status, var_pack=var_pack, param_label=param_label, ptr=ptr
            )

    def get_fused_ops_variant_param_pack_attribute(
        self, var_pack: FusedOpsVariantParamPack, param_label: FusedOpsVariantParamLabel | int, ptr: Any
    ) -> None:
        """Run a fused operation (FusedOps): ``cudnnGetFusedOpsVariantParamPackAttribute``.

        Deprecated.

        Parameters
        ----------
        var_pack : FusedOpsVariantParamPack
            ``const cudnnFusedOpsVariantParamPack_t varPack``, in.
        param_label : FusedOpsVariantParamLabel | int
            ``cudnnFusedOpsVariantParamLabel_t paramLabel``, in.
        ptr : Any
            ``void *ptr``, out, a descriptor, or a buffer in host memory; the call writes to it.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnGetFusedOpsVariantParamPackAttribute(
                var_pack._ptr,
                enum_value(param_label, FusedOpsVariantParamLabel),
                label_room(self._ffi, LABELS, FusedOpsVariantParamLabel(param_label), ptr, "ptr"),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGetFusedOpsVariantParamPackAttribute", error, var_pack=var_pack, param_label=param_label, ptr=ptr
            ) from None
        if status:
            raise self._status_error(
                "cudnnGetFusedOpsVariantParamPackAttribute", status, var_pack=var_pack, param_label=param_label, ptr=ptr
            )

    def create_fused_ops_plan(self, ops: FusedOps | int) -> FusedOpsPlan:
        """Run a fused operation (FusedOps): ``cudnnCreateFusedOpsPlan``.

        Deprecated.

        Parameters
        ----------
        ops : FusedOps | int
            ``cudnnFusedOps_t ops``, in.

        Returns
        -------
        FusedOpsPlan
            `plan`, owned: close it, or use it in a with statement.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            plan = self._new("cudnnFusedOpsPlan_t *")
            status = self._lib.cudnnCreateFusedOpsPlan(plan, enum_value(ops, FusedOps))
        except CALL_ERRORS as error:
            raise self._argument_error("cudnnCreateFusedOpsPlan", error, ops=ops) from None
        if status:
            raise self._status_error("cudnnCreateFusedOpsPlan", status, ops=ops)
        return FusedOpsPlan(self, plan[0])

    def destroy_fused_ops_plan(self, plan: FusedOpsPlan) -> None:
        """Run a fused operation (FusedOps): ``cudnnDestroyFusedOpsPlan``.

        Deprecated.

        Parameters
        ----------
        plan : FusedOpsPlan
            ``cudnnFusedOpsPlan_t plan``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        self._destroy_handle("cudnnDestroyFusedOpsPlan", plan)

    def make_fused_ops_plan(self, handle: Handle, plan: FusedOpsPlan, const_pack: FusedOpsConstParamPack) -> int:
        """Run a fused operation (FusedOps): ``cudnnMakeFusedOpsPlan``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        plan : FusedOpsPlan
            ``cudnnFusedOpsPlan_t plan``, inout.
        const_pack : FusedOpsConstParamPack
            ``const cudnnFusedOpsConstParamPack_t constPack``, in.

        Returns
        -------
        int
            `workspace_size_in_bytes`, bytes.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            workspace_size_in_bytes = self._new("size_t *")
            status = self._lib.cudnnMakeFusedOpsPlan(handle._ptr, plan._ptr, const_pack._ptr, workspace_size_in_bytes)
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnMakeFusedOpsPlan", error, handle=handle, plan=plan, const_pack=const_pack
            ) from None
        if status:
            raise self._status_error("cudnnMakeFusedOpsPlan", status, handle=handle, plan=plan, const_pack=const_pack)
        found: int = workspace_size_in_bytes[0]
        return found

    def fused_ops_execute(self, handle: Handle, plan: FusedOpsPlan, var_pack: FusedOpsVariantParamPack) -> None:
        """Run a fused operation (FusedOps): ``cudnnFusedOpsExecute``.

        Deprecated.

        Parameters
        ----------
        handle : Handle
            ``cudnnHandle_t handle``, in.
        plan : FusedOpsPlan
            ``const cudnnFusedOpsPlan_t plan``, in.
        var_pack : FusedOpsVariantParamPack
            ``cudnnFusedOpsVariantParamPack_t varPack``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            status = self._lib.cudnnFusedOpsExecute(handle._ptr, plan._ptr, var_pack._ptr)
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnFusedOpsExecute", error, handle=handle, plan=plan, var_pack=var_pack
            ) from None
        if status:
            raise self._status_error("cudnnFusedOpsExecute", status, handle=handle, plan=plan, var_pack=var_pack)
