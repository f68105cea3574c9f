# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""The loaded library of cuDNN 9 as one object."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, ClassVar

from . import enums as enums_module
from . import errors, tables
from .functions.adv import AdvFunctions
from .functions.adv_attn import AdvAttnFunctions
from .functions.adv_ctc_loss import AdvCtcLossFunctions
from .functions.adv_multi_head_attn import AdvMultiHeadAttnFunctions
from .functions.adv_rnn import AdvRnnFunctions
from .functions.adv_rnn_data import AdvRnnDataFunctions
from .functions.adv_seq_data import AdvSeqDataFunctions
from .functions.cnn import CnnFunctions
from .functions.cnn_convolution import CnnConvolutionFunctions
from .functions.cnn_convolution_backward_data import CnnConvolutionBackwardDataFunctions
from .functions.cnn_convolution_backward_filter import CnnConvolutionBackwardFilterFunctions
from .functions.cnn_convolution_forward import CnnConvolutionForwardFunctions
from .functions.cnn_fused_ops import CnnFusedOpsFunctions
from .functions.gnn_ops import GnnOpsFunctions
from .functions.graph import GraphFunctions
from .functions.ops import OpsFunctions
from .functions.ops_activation import OpsActivationFunctions
from .functions.ops_batch_normalization import OpsBatchNormalizationFunctions
from .functions.ops_dropout import OpsDropoutFunctions
from .functions.ops_filter import OpsFilterFunctions
from .functions.ops_lrn import OpsLrnFunctions
from .functions.ops_normalization import OpsNormalizationFunctions
from .functions.ops_op_tensor import OpsOpTensorFunctions
from .functions.ops_pooling import OpsPoolingFunctions
from .functions.ops_reduce_tensor import OpsReduceTensorFunctions
from .functions.ops_tensor import OpsTensorFunctions
from .functions.ops_tensor_transform import OpsTensorTransformFunctions
from .functions.subquadratic_ops import SubquadraticOpsFunctions

__all__ = ["Library"]


class Library(
    GraphFunctions,
    OpsTensorFunctions,
    OpsTensorTransformFunctions,
    OpsFunctions,
    OpsOpTensorFunctions,
    OpsReduceTensorFunctions,
    OpsFilterFunctions,
    OpsPoolingFunctions,
    OpsActivationFunctions,
    OpsLrnFunctions,
    OpsBatchNormalizationFunctions,
    OpsNormalizationFunctions,
    OpsDropoutFunctions,
    AdvRnnFunctions,
    AdvFunctions,
    AdvRnnDataFunctions,
    AdvSeqDataFunctions,
    AdvAttnFunctions,
    AdvMultiHeadAttnFunctions,
    AdvCtcLossFunctions,
    CnnConvolutionFunctions,
    CnnConvolutionForwardFunctions,
    CnnConvolutionBackwardDataFunctions,
    CnnConvolutionBackwardFilterFunctions,
    CnnFunctions,
    CnnFusedOpsFunctions,
    SubquadraticOpsFunctions,
    GnnOpsFunctions,
):
    """A loaded cuDNN 9: 239 functions as methods, and the names that go with them.

    Attributes
    ----------
    descriptors, enums, structs
        The classes of opaque objects, the enums as this version numbers them, and the dataclasses of structs.
    """

    _tables = tables.TABLES
    _status_errors = errors.STATUS_ERRORS
    _status_names = errors.STATUS_NAMES
    _double: ClassVar[int] = 1

    if TYPE_CHECKING:
        # So that an editor knows what is in them: `enums` has the numbers of the loaded version when it runs.
        from . import descriptors as descriptors
        from . import enums as enums
        from . import structs as structs
    else:

        @property
        def descriptors(self) -> ModuleType:
            """The classes of opaque objects."""
            from . import descriptors

            return descriptors

        @property
        def structs(self) -> ModuleType:
            """The dataclasses of structs."""
            from . import structs

            return structs

    _enums_module: ClassVar[ModuleType] = enums_module
