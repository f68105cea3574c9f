# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""The loaded library of cuDNN 8 as one object."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, ClassVar

from . import enums as enums_module
from . import errors, tables
from .functions.adv_infer import AdvInferFunctions
from .functions.adv_infer_attn import AdvInferAttnFunctions
from .functions.adv_infer_rnn import AdvInferRnnFunctions
from .functions.adv_infer_rnn_data import AdvInferRnnDataFunctions
from .functions.adv_infer_rnn_forward import AdvInferRnnForwardFunctions
from .functions.adv_infer_seq_data import AdvInferSeqDataFunctions
from .functions.adv_train import AdvTrainFunctions
from .functions.adv_train_ctc_loss import AdvTrainCtcLossFunctions
from .functions.adv_train_rnn_backward_data import AdvTrainRnnBackwardDataFunctions
from .functions.adv_train_rnn_backward_weights import AdvTrainRnnBackwardWeightsFunctions
from .functions.adv_train_rnn_forward import AdvTrainRnnForwardFunctions
from .functions.backend import BackendFunctions
from .functions.cnn_infer import CnnInferFunctions
from .functions.cnn_infer_convolution import CnnInferConvolutionFunctions
from .functions.cnn_infer_convolution_backward_data import CnnInferConvolutionBackwardDataFunctions
from .functions.cnn_infer_convolution_forward import CnnInferConvolutionForwardFunctions
from .functions.cnn_train import CnnTrainFunctions
from .functions.ops_infer import OpsInferFunctions
from .functions.ops_infer_activation import OpsInferActivationFunctions
from .functions.ops_infer_algorithm import OpsInferAlgorithmFunctions
from .functions.ops_infer_algorithm_performance import OpsInferAlgorithmPerformanceFunctions
from .functions.ops_infer_dropout import OpsInferDropoutFunctions
from .functions.ops_infer_filter import OpsInferFilterFunctions
from .functions.ops_infer_handle import OpsInferHandleFunctions
from .functions.ops_infer_lrn import OpsInferLrnFunctions
from .functions.ops_infer_op_tensor import OpsInferOpTensorFunctions
from .functions.ops_infer_pooling import OpsInferPoolingFunctions
from .functions.ops_infer_reduce_tensor import OpsInferReduceTensorFunctions
from .functions.ops_infer_tensor import OpsInferTensorFunctions
from .functions.ops_infer_tensor_transform import OpsInferTensorTransformFunctions
from .functions.ops_train import OpsTrainFunctions
from .functions.ops_train_batch_normalization import OpsTrainBatchNormalizationFunctions
from .functions.ops_train_normalization import OpsTrainNormalizationFunctions

__all__ = ["Library"]


class Library(
    OpsInferFunctions,
    OpsInferHandleFunctions,
    OpsInferTensorFunctions,
    OpsInferTensorTransformFunctions,
    OpsInferOpTensorFunctions,
    OpsInferReduceTensorFunctions,
    OpsInferFilterFunctions,
    OpsInferPoolingFunctions,
    OpsInferActivationFunctions,
    OpsInferLrnFunctions,
    OpsInferDropoutFunctions,
    OpsInferAlgorithmFunctions,
    OpsInferAlgorithmPerformanceFunctions,
    OpsTrainFunctions,
    OpsTrainBatchNormalizationFunctions,
    OpsTrainNormalizationFunctions,
    AdvInferRnnFunctions,
    AdvInferRnnForwardFunctions,
    AdvInferFunctions,
    AdvInferRnnDataFunctions,
    AdvInferSeqDataFunctions,
    AdvInferAttnFunctions,
    AdvTrainRnnForwardFunctions,
    AdvTrainRnnBackwardDataFunctions,
    AdvTrainRnnBackwardWeightsFunctions,
    AdvTrainFunctions,
    AdvTrainCtcLossFunctions,
    CnnInferConvolutionFunctions,
    CnnInferConvolutionForwardFunctions,
    CnnInferConvolutionBackwardDataFunctions,
    CnnInferFunctions,
    CnnTrainFunctions,
    BackendFunctions,
):
    """A loaded cuDNN 8: 264 functions as methods, and the names that go with them.

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
