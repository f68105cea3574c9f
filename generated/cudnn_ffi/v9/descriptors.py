# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""Opaque objects of cuDNN 9: each owns what a ``create_`` method made, and frees it once."""

from __future__ import annotations

from .._support.backend import BackendDescriptorBase
from .._support.descriptors import Handle as HandleBase
from . import tables

__all__ = [
    "ActivationDescriptor",
    "AttnDescriptor",
    "BackendDescriptor",
    "ConvolutionDescriptor",
    "CTCLossDescriptor",
    "DropoutDescriptor",
    "FilterDescriptor",
    "FusedOpsConstParamPack",
    "FusedOpsPlan",
    "FusedOpsVariantParamPack",
    "Handle",
    "LRNDescriptor",
    "OpTensorDescriptor",
    "PoolingDescriptor",
    "ReduceTensorDescriptor",
    "RNNDataDescriptor",
    "RNNDescriptor",
    "RuntimeTag",
    "SeqDataDescriptor",
    "SpatialTransformerDescriptor",
    "TensorDescriptor",
    "TensorTransformDescriptor",
]


class Handle(HandleBase):
    """Owns one ``cudnnHandle_t``."""

    __slots__ = ()
    _c_type = "cudnnHandle_t"
    _destroy = "cudnnDestroy"


class RuntimeTag(HandleBase):
    """One ``cudnnRuntimeTag_t``. It does not free itself."""

    __slots__ = ()
    _c_type = "cudnnRuntimeTag_t"
    _destroy = ""


class BackendDescriptor(BackendDescriptorBase):
    """Owns one ``cudnnBackendDescriptor_t``."""

    __slots__ = ()
    _c_type = "cudnnBackendDescriptor_t"
    _destroy = "cudnnBackendDestroyDescriptor"
    _tables = tables.BACKEND


class TensorDescriptor(HandleBase):
    """Owns one ``cudnnTensorDescriptor_t``."""

    __slots__ = ()
    _c_type = "cudnnTensorDescriptor_t"
    _destroy = "cudnnDestroyTensorDescriptor"


class PoolingDescriptor(HandleBase):
    """Owns one ``cudnnPoolingDescriptor_t``."""

    __slots__ = ()
    _c_type = "cudnnPoolingDescriptor_t"
    _destroy = "cudnnDestroyPoolingDescriptor"


class FilterDescriptor(HandleBase):
    """Owns one ``cudnnFilterDescriptor_t``."""

    __slots__ = ()
    _c_type = "cudnnFilterDescriptor_t"
    _destroy = "cudnnDestroyFilterDescriptor"


class LRNDescriptor(HandleBase):
    """Owns one ``cudnnLRNDescriptor_t``."""

    __slots__ = ()
    _c_type = "cudnnLRNDescriptor_t"
    _destroy = "cudnnDestroyLRNDescriptor"


class ActivationDescriptor(HandleBase):
    """Owns one ``cudnnActivationDescriptor_t``."""

    __slots__ = ()
    _c_type = "cudnnActivationDescriptor_t"
    _destroy = "cudnnDestroyActivationDescriptor"


class SpatialTransformerDescriptor(HandleBase):
    """Owns one ``cudnnSpatialTransformerDescriptor_t``."""

    __slots__ = ()
    _c_type = "cudnnSpatialTransformerDescriptor_t"
    _destroy = "cudnnDestroySpatialTransformerDescriptor"


class OpTensorDescriptor(HandleBase):
    """Owns one ``cudnnOpTensorDescriptor_t``."""

    __slots__ = ()
    _c_type = "cudnnOpTensorDescriptor_t"
    _destroy = "cudnnDestroyOpTensorDescriptor"


class ReduceTensorDescriptor(HandleBase):
    """Owns one ``cudnnReduceTensorDescriptor_t``."""

    __slots__ = ()
    _c_type = "cudnnReduceTensorDescriptor_t"
    _destroy = "cudnnDestroyReduceTensorDescriptor"


class CTCLossDescriptor(HandleBase):
    """Owns one ``cudnnCTCLossDescriptor_t``."""

    __slots__ = ()
    _c_type = "cudnnCTCLossDescriptor_t"
    _destroy = "cudnnDestroyCTCLossDescriptor"


class TensorTransformDescriptor(HandleBase):
    """Owns one ``cudnnTensorTransformDescriptor_t``."""

    __slots__ = ()
    _c_type = "cudnnTensorTransformDescriptor_t"
    _destroy = "cudnnDestroyTensorTransformDescriptor"


class DropoutDescriptor(HandleBase):
    """Owns one ``cudnnDropoutDescriptor_t``."""

    __slots__ = ()
    _c_type = "cudnnDropoutDescriptor_t"
    _destroy = "cudnnDestroyDropoutDescriptor"


class RNNDescriptor(HandleBase):
    """Owns one ``cudnnRNNDescriptor_t``."""

    __slots__ = ()
    _c_type = "cudnnRNNDescriptor_t"
    _destroy = "cudnnDestroyRNNDescriptor"


class RNNDataDescriptor(HandleBase):
    """Owns one ``cudnnRNNDataDescriptor_t``."""

    __slots__ = ()
    _c_type = "cudnnRNNDataDescriptor_t"
    _destroy = "cudnnDestroyRNNDataDescriptor"


class SeqDataDescriptor(HandleBase):
    """Owns one ``cudnnSeqDataDescriptor_t``."""

    __slots__ = ()
    _c_type = "cudnnSeqDataDescriptor_t"
    _destroy = "cudnnDestroySeqDataDescriptor"


class AttnDescriptor(HandleBase):
    """Owns one ``cudnnAttnDescriptor_t``."""

    __slots__ = ()
    _c_type = "cudnnAttnDescriptor_t"
    _destroy = "cudnnDestroyAttnDescriptor"


class ConvolutionDescriptor(HandleBase):
    """Owns one ``cudnnConvolutionDescriptor_t``."""

    __slots__ = ()
    _c_type = "cudnnConvolutionDescriptor_t"
    _destroy = "cudnnDestroyConvolutionDescriptor"


class FusedOpsConstParamPack(HandleBase):
    """Owns one ``cudnnFusedOpsConstParamPack_t``."""

    __slots__ = ()
    _c_type = "cudnnFusedOpsConstParamPack_t"
    _destroy = "cudnnDestroyFusedOpsConstParamPack"


class FusedOpsVariantParamPack(HandleBase):
    """Owns one ``cudnnFusedOpsVariantParamPack_t``."""

    __slots__ = ()
    _c_type = "cudnnFusedOpsVariantParamPack_t"
    _destroy = "cudnnDestroyFusedOpsVariantParamPack"


class FusedOpsPlan(HandleBase):
    """Owns one ``cudnnFusedOpsPlan_t``."""

    __slots__ = ()
    _c_type = "cudnnFusedOpsPlan_t"
    _destroy = "cudnnDestroyFusedOpsPlan"
