# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Enums of cuDNN 8, with the values of 8.9.7; ``lib.enums`` has those of the loaded version.

Members are named as in C without the words that all members of an enum share. Values that a newer library answers
survive as members called ``UNKNOWN_...``.
"""

from __future__ import annotations

from .._support.enums import OpenIntEnum, OpenIntFlag

__all__ = [
    "ActivationMode",
    "AttnMode",
    "BackendAttributeName",
    "BackendAttributeType",
    "BackendBehaviorNote",
    "BackendDescriptorType",
    "BackendHeurMode",
    "BackendKnobType",
    "BackendLayoutType",
    "BackendNormFwdPhase",
    "BackendNormMode",
    "BackendNumericalNote",
    "BackendTensorReordering",
    "BatchNormMode",
    "BatchNormOps",
    "BnFinalizeStatsMode",
    "ConvolutionBwdDataAlgo",
    "ConvolutionBwdFilterAlgo",
    "ConvolutionFwdAlgo",
    "ConvolutionMode",
    "CTCLossAlgo",
    "DataType",
    "Determinism",
    "DirectionMode",
    "DivNormMode",
    "ErrQueryMode",
    "FoldingDirection",
    "ForwardMode",
    "FusedOps",
    "FusedOpsConstParamLabel",
    "FusedOpsPointerPlaceHolder",
    "FusedOpsVariantParamLabel",
    "GenStatsMode",
    "IndicesType",
    "LibraryPropertyType",
    "LossNormalizationMode",
    "LRNMode",
    "MathType",
    "MultiHeadAttnWeightKind",
    "NanPropagation",
    "NormAlgo",
    "NormMode",
    "NormOps",
    "OpTensorOp",
    "PaddingMode",
    "PointwiseMode",
    "PoolingMode",
    "ReduceTensorIndices",
    "ReduceTensorOp",
    "ReorderType",
    "ResampleMode",
    "RngDistribution",
    "RNNAlgo",
    "RNNBiasMode",
    "RNNClipMode",
    "RNNDataLayout",
    "RNNInputMode",
    "RNNMode",
    "RNNPaddedIO",
    "SamplerType",
    "SeqDataAxis",
    "Severity",
    "SeverityMask",
    "SignalMode",
    "SoftmaxAlgorithm",
    "SoftmaxMode",
    "Status",
    "TensorFormat",
    "WgradMode",
]


class LibraryPropertyType(OpenIntEnum, c_type="libraryPropertyType", c_prefix=""):
    """``libraryPropertyType``."""

    MAJOR_VERSION = 0
    MINOR_VERSION = 1
    PATCH_LEVEL = 2


class Status(OpenIntEnum, c_type="cudnnStatus_t", c_prefix="CUDNN_STATUS_"):
    """``cudnnStatus_t``."""

    SUCCESS = 0
    NOT_INITIALIZED = 1
    ALLOC_FAILED = 2
    BAD_PARAM = 3
    INTERNAL_ERROR = 4
    INVALID_VALUE = 5
    ARCH_MISMATCH = 6
    MAPPING_ERROR = 7
    EXECUTION_FAILED = 8
    NOT_SUPPORTED = 9
    LICENSE_ERROR = 10
    RUNTIME_PREREQUISITE_MISSING = 11
    RUNTIME_IN_PROGRESS = 12
    RUNTIME_FP_OVERFLOW = 13
    VERSION_MISMATCH = 14


class ErrQueryMode(OpenIntEnum, c_type="cudnnErrQueryMode_t", c_prefix="CUDNN_ERRQUERY_"):
    """``cudnnErrQueryMode_t``."""

    RAWCODE = 0
    NONBLOCKING = 1
    BLOCKING = 2


class DataType(OpenIntEnum, c_type="cudnnDataType_t", c_prefix="CUDNN_DATA_"):
    """``cudnnDataType_t``."""

    FLOAT = 0
    DOUBLE = 1
    HALF = 2
    INT8 = 3
    INT32 = 4
    INT8x4 = 5
    UINT8 = 6
    UINT8x4 = 7
    INT8x32 = 8
    BFLOAT16 = 9
    INT64 = 10
    BOOLEAN = 11
    FP8_E4M3 = 12  # since 8.6.0
    FP8_E5M2 = 13  # since 8.6.0
    FAST_FLOAT_FOR_FP8 = 14  # since 8.7.0


class MathType(OpenIntEnum, c_type="cudnnMathType_t", c_prefix="CUDNN_"):
    """``cudnnMathType_t``."""

    DEFAULT_MATH = 0
    TENSOR_OP_MATH = 1
    TENSOR_OP_MATH_ALLOW_CONVERSION = 2
    FMA_MATH = 3


class NanPropagation(OpenIntEnum, c_type="cudnnNanPropagation_t", c_prefix="CUDNN_"):
    """``cudnnNanPropagation_t``."""

    NOT_PROPAGATE_NAN = 0
    PROPAGATE_NAN = 1


class Determinism(OpenIntEnum, c_type="cudnnDeterminism_t", c_prefix="CUDNN_"):
    """``cudnnDeterminism_t``."""

    NON_DETERMINISTIC = 0
    DETERMINISTIC = 1


class TensorFormat(OpenIntEnum, c_type="cudnnTensorFormat_t", c_prefix="CUDNN_TENSOR_"):
    """``cudnnTensorFormat_t``."""

    NCHW = 0
    NHWC = 1
    NCHW_VECT_C = 2


class FoldingDirection(OpenIntEnum, c_type="cudnnFoldingDirection_t", c_prefix="CUDNN_TRANSFORM_"):
    """``cudnnFoldingDirection_t``."""

    FOLD = 0
    UNFOLD = 1


class OpTensorOp(OpenIntEnum, c_type="cudnnOpTensorOp_t", c_prefix="CUDNN_OP_TENSOR_"):
    """``cudnnOpTensorOp_t``."""

    ADD = 0
    MUL = 1
    MIN = 2
    MAX = 3
    SQRT = 4
    NOT = 5


class ReduceTensorOp(OpenIntEnum, c_type="cudnnReduceTensorOp_t", c_prefix="CUDNN_REDUCE_TENSOR_"):
    """``cudnnReduceTensorOp_t``."""

    ADD = 0
    MUL = 1
    MIN = 2
    MAX = 3
    AMAX = 4
    AVG = 5
    NORM1 = 6
    NORM2 = 7
    MUL_NO_ZEROS = 8


class ReduceTensorIndices(OpenIntEnum, c_type="cudnnReduceTensorIndices_t", c_prefix="CUDNN_REDUCE_TENSOR_"):
    """``cudnnReduceTensorIndices_t``."""

    NO_INDICES = 0
    FLATTENED_INDICES = 1


class IndicesType(
    OpenIntEnum,
    c_type="cudnnIndicesType_t",
    c_prefix="CUDNN_",
    c_names={
        "CUDNN_32BIT_INDICES": "CUDNN_32BIT_INDICES",
        "CUDNN_64BIT_INDICES": "CUDNN_64BIT_INDICES",
        "CUDNN_16BIT_INDICES": "CUDNN_16BIT_INDICES",
        "CUDNN_8BIT_INDICES": "CUDNN_8BIT_INDICES",
    },
):
    """``cudnnIndicesType_t``."""

    CUDNN_32BIT_INDICES = 0
    CUDNN_64BIT_INDICES = 1
    CUDNN_16BIT_INDICES = 2
    CUDNN_8BIT_INDICES = 3


class SoftmaxAlgorithm(OpenIntEnum, c_type="cudnnSoftmaxAlgorithm_t", c_prefix="CUDNN_SOFTMAX_"):
    """``cudnnSoftmaxAlgorithm_t``."""

    FAST = 0
    ACCURATE = 1
    LOG = 2


class SoftmaxMode(OpenIntEnum, c_type="cudnnSoftmaxMode_t", c_prefix="CUDNN_SOFTMAX_MODE_"):
    """``cudnnSoftmaxMode_t``."""

    INSTANCE = 0
    CHANNEL = 1


class PoolingMode(OpenIntEnum, c_type="cudnnPoolingMode_t", c_prefix="CUDNN_POOLING_"):
    """``cudnnPoolingMode_t``."""

    MAX = 0
    AVERAGE_COUNT_INCLUDE_PADDING = 1
    AVERAGE_COUNT_EXCLUDE_PADDING = 2
    MAX_DETERMINISTIC = 3


class ActivationMode(OpenIntEnum, c_type="cudnnActivationMode_t", c_prefix="CUDNN_ACTIVATION_"):
    """``cudnnActivationMode_t``."""

    SIGMOID = 0
    RELU = 1
    TANH = 2
    CLIPPED_RELU = 3
    ELU = 4
    IDENTITY = 5
    SWISH = 6


class LRNMode(OpenIntEnum, c_type="cudnnLRNMode_t", c_prefix="CUDNN_LRN_"):
    """``cudnnLRNMode_t``."""

    CROSS_CHANNEL_DIM1 = 0


class DivNormMode(OpenIntEnum, c_type="cudnnDivNormMode_t", c_prefix="CUDNN_DIVNORM_"):
    """``cudnnDivNormMode_t``."""

    PRECOMPUTED_MEANS = 0


class BatchNormMode(OpenIntEnum, c_type="cudnnBatchNormMode_t", c_prefix="CUDNN_BATCHNORM_"):
    """``cudnnBatchNormMode_t``."""

    PER_ACTIVATION = 0
    SPATIAL = 1
    SPATIAL_PERSISTENT = 2


class BatchNormOps(OpenIntEnum, c_type="cudnnBatchNormOps_t", c_prefix="CUDNN_BATCHNORM_OPS_"):
    """``cudnnBatchNormOps_t``."""

    BN = 0
    BN_ACTIVATION = 1
    BN_ADD_ACTIVATION = 2


class NormMode(OpenIntEnum, c_type="cudnnNormMode_t", c_prefix="CUDNN_NORM_PER_"):
    """``cudnnNormMode_t``."""

    ACTIVATION = 0
    CHANNEL = 1


class NormAlgo(OpenIntEnum, c_type="cudnnNormAlgo_t", c_prefix="CUDNN_NORM_ALGO_"):
    """``cudnnNormAlgo_t``."""

    STANDARD = 0
    PERSIST = 1


class NormOps(OpenIntEnum, c_type="cudnnNormOps_t", c_prefix="CUDNN_NORM_OPS_"):
    """``cudnnNormOps_t``."""

    NORM = 0
    NORM_ACTIVATION = 1
    NORM_ADD_ACTIVATION = 2


class SamplerType(OpenIntEnum, c_type="cudnnSamplerType_t", c_prefix="CUDNN_SAMPLER_"):
    """``cudnnSamplerType_t``."""

    BILINEAR = 0


class ConvolutionFwdAlgo(OpenIntEnum, c_type="cudnnConvolutionFwdAlgo_t", c_prefix="CUDNN_CONVOLUTION_FWD_ALGO_"):
    """``cudnnConvolutionFwdAlgo_t``."""

    IMPLICIT_GEMM = 0
    IMPLICIT_PRECOMP_GEMM = 1
    GEMM = 2
    DIRECT = 3
    FFT = 4
    FFT_TILING = 5
    WINOGRAD = 6
    WINOGRAD_NONFUSED = 7
    COUNT = 8


class ConvolutionBwdFilterAlgo(
    OpenIntEnum,
    c_type="cudnnConvolutionBwdFilterAlgo_t",
    c_prefix="CUDNN_CONVOLUTION_BWD_FILTER_ALGO_",
    c_names={
        "ALGO_0": "CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0",
        "ALGO_1": "CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1",
        "ALGO_3": "CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3",
    },
):
    """``cudnnConvolutionBwdFilterAlgo_t``."""

    ALGO_0 = 0
    ALGO_1 = 1
    FFT = 2
    ALGO_3 = 3
    WINOGRAD = 4
    WINOGRAD_NONFUSED = 5
    FFT_TILING = 6
    COUNT = 7


class ConvolutionBwdDataAlgo(
    OpenIntEnum,
    c_type="cudnnConvolutionBwdDataAlgo_t",
    c_prefix="CUDNN_CONVOLUTION_BWD_DATA_ALGO_",
    c_names={
        "ALGO_0": "CUDNN_CONVOLUTION_BWD_DATA_ALGO_0",
        "ALGO_1": "CUDNN_CONVOLUTION_BWD_DATA_ALGO_1",
    },
):
    """``cudnnConvolutionBwdDataAlgo_t``."""

    ALGO_0 = 0
    ALGO_1 = 1
    FFT = 2
    FFT_TILING = 3
    WINOGRAD = 4
    WINOGRAD_NONFUSED = 5
    COUNT = 6


class RNNAlgo(OpenIntEnum, c_type="cudnnRNNAlgo_t", c_prefix="CUDNN_RNN_ALGO_"):
    """``cudnnRNNAlgo_t``."""

    STANDARD = 0
    PERSIST_STATIC = 1
    PERSIST_DYNAMIC = 2
    PERSIST_STATIC_SMALL_H = 3
    COUNT = 4


class CTCLossAlgo(OpenIntEnum, c_type="cudnnCTCLossAlgo_t", c_prefix="CUDNN_CTC_LOSS_ALGO_"):
    """``cudnnCTCLossAlgo_t``."""

    DETERMINISTIC = 0
    NON_DETERMINISTIC = 1


class Severity(OpenIntEnum, c_type="cudnnSeverity_t", c_prefix="CUDNN_SEV_"):
    """``cudnnSeverity_t``."""

    FATAL = 0
    ERROR = 1
    WARNING = 2
    INFO = 3


class ForwardMode(OpenIntEnum, c_type="cudnnForwardMode_t", c_prefix="CUDNN_FWD_MODE_"):
    """``cudnnForwardMode_t``."""

    INFERENCE = 0
    TRAINING = 1


class RNNMode(OpenIntEnum, c_type="cudnnRNNMode_t", c_prefix="CUDNN_"):
    """``cudnnRNNMode_t``."""

    RNN_RELU = 0
    RNN_TANH = 1
    LSTM = 2
    GRU = 3


class RNNBiasMode(OpenIntEnum, c_type="cudnnRNNBiasMode_t", c_prefix="CUDNN_RNN_"):
    """``cudnnRNNBiasMode_t``."""

    NO_BIAS = 0
    SINGLE_INP_BIAS = 1
    DOUBLE_BIAS = 2
    SINGLE_REC_BIAS = 3


class DirectionMode(OpenIntEnum, c_type="cudnnDirectionMode_t", c_prefix="CUDNN_"):
    """``cudnnDirectionMode_t``."""

    UNIDIRECTIONAL = 0
    BIDIRECTIONAL = 1


class RNNInputMode(OpenIntEnum, c_type="cudnnRNNInputMode_t", c_prefix="CUDNN_"):
    """``cudnnRNNInputMode_t``."""

    LINEAR_INPUT = 0
    SKIP_INPUT = 1


class RNNClipMode(OpenIntEnum, c_type="cudnnRNNClipMode_t", c_prefix="CUDNN_RNN_CLIP_"):
    """``cudnnRNNClipMode_t``."""

    NONE = 0
    MINMAX = 1


class RNNDataLayout(OpenIntEnum, c_type="cudnnRNNDataLayout_t", c_prefix="CUDNN_RNN_DATA_LAYOUT_"):
    """``cudnnRNNDataLayout_t``."""

    SEQ_MAJOR_UNPACKED = 0
    SEQ_MAJOR_PACKED = 1
    BATCH_MAJOR_UNPACKED = 2


class SeqDataAxis(OpenIntEnum, c_type="cudnnSeqDataAxis_t", c_prefix="CUDNN_SEQDATA_"):
    """``cudnnSeqDataAxis_t``."""

    TIME_DIM = 0
    BATCH_DIM = 1
    BEAM_DIM = 2
    VECT_DIM = 3


class MultiHeadAttnWeightKind(OpenIntEnum, c_type="cudnnMultiHeadAttnWeightKind_t", c_prefix="CUDNN_MH_ATTN_"):
    """``cudnnMultiHeadAttnWeightKind_t``."""

    Q_WEIGHTS = 0
    K_WEIGHTS = 1
    V_WEIGHTS = 2
    O_WEIGHTS = 3
    Q_BIASES = 4
    K_BIASES = 5
    V_BIASES = 6
    O_BIASES = 7


class WgradMode(OpenIntEnum, c_type="cudnnWgradMode_t", c_prefix="CUDNN_WGRAD_MODE_"):
    """``cudnnWgradMode_t``."""

    ADD = 0
    SET = 1


class LossNormalizationMode(OpenIntEnum, c_type="cudnnLossNormalizationMode_t", c_prefix="CUDNN_LOSS_NORMALIZATION_"):
    """``cudnnLossNormalizationMode_t``."""

    NONE = 0
    SOFTMAX = 1


class ConvolutionMode(OpenIntEnum, c_type="cudnnConvolutionMode_t", c_prefix="CUDNN_"):
    """``cudnnConvolutionMode_t``."""

    CONVOLUTION = 0
    CROSS_CORRELATION = 1


class ReorderType(OpenIntEnum, c_type="cudnnReorderType_t", c_prefix="CUDNN_"):
    """``cudnnReorderType_t``."""

    DEFAULT_REORDER = 0
    NO_REORDER = 1


class FusedOps(OpenIntEnum, c_type="cudnnFusedOps_t", c_prefix="CUDNN_FUSED_"):
    """``cudnnFusedOps_t``."""

    SCALE_BIAS_ACTIVATION_CONV_BNSTATS = 0
    SCALE_BIAS_ACTIVATION_WGRAD = 1
    BN_FINALIZE_STATISTICS_TRAINING = 2
    BN_FINALIZE_STATISTICS_INFERENCE = 3
    CONV_SCALE_BIAS_ADD_ACTIVATION = 4
    SCALE_BIAS_ADD_ACTIVATION_GEN_BITMASK = 5
    DACTIVATION_FORK_DBATCHNORM = 6


class FusedOpsConstParamLabel(OpenIntEnum, c_type="cudnnFusedOpsConstParamLabel_t", c_prefix="CUDNN_PARAM_"):
    """``cudnnFusedOpsConstParamLabel_t``."""

    XDESC = 0
    XDATA_PLACEHOLDER = 1
    BN_MODE = 2
    BN_EQSCALEBIAS_DESC = 3
    BN_EQSCALE_PLACEHOLDER = 4
    BN_EQBIAS_PLACEHOLDER = 5
    ACTIVATION_DESC = 6
    CONV_DESC = 7
    WDESC = 8
    WDATA_PLACEHOLDER = 9
    DWDESC = 10
    DWDATA_PLACEHOLDER = 11
    YDESC = 12
    YDATA_PLACEHOLDER = 13
    DYDESC = 14
    DYDATA_PLACEHOLDER = 15
    YSTATS_DESC = 16
    YSUM_PLACEHOLDER = 17
    YSQSUM_PLACEHOLDER = 18
    BN_SCALEBIAS_MEANVAR_DESC = 19
    BN_SCALE_PLACEHOLDER = 20
    BN_BIAS_PLACEHOLDER = 21
    BN_SAVED_MEAN_PLACEHOLDER = 22
    BN_SAVED_INVSTD_PLACEHOLDER = 23
    BN_RUNNING_MEAN_PLACEHOLDER = 24
    BN_RUNNING_VAR_PLACEHOLDER = 25
    ZDESC = 26
    ZDATA_PLACEHOLDER = 27
    BN_Z_EQSCALEBIAS_DESC = 28
    BN_Z_EQSCALE_PLACEHOLDER = 29
    BN_Z_EQBIAS_PLACEHOLDER = 30
    ACTIVATION_BITMASK_DESC = 31
    ACTIVATION_BITMASK_PLACEHOLDER = 32
    DXDESC = 33
    DXDATA_PLACEHOLDER = 34
    DZDESC = 35
    DZDATA_PLACEHOLDER = 36
    BN_DSCALE_PLACEHOLDER = 37
    BN_DBIAS_PLACEHOLDER = 38


class FusedOpsPointerPlaceHolder(
    OpenIntEnum,
    c_type="cudnnFusedOpsPointerPlaceHolder_t",
    c_prefix="CUDNN_PTR_",
    c_names={
        "PTR_16B_ALIGNED": "CUDNN_PTR_16B_ALIGNED",
    },
):
    """``cudnnFusedOpsPointerPlaceHolder_t``."""

    NULL = 0
    ELEM_ALIGNED = 1
    PTR_16B_ALIGNED = 2


class FusedOpsVariantParamLabel(OpenIntEnum, c_type="cudnnFusedOpsVariantParamLabel_t", c_prefix="CUDNN_"):
    """``cudnnFusedOpsVariantParamLabel_t``."""

    PTR_XDATA = 0
    PTR_BN_EQSCALE = 1
    PTR_BN_EQBIAS = 2
    PTR_WDATA = 3
    PTR_DWDATA = 4
    PTR_YDATA = 5
    PTR_DYDATA = 6
    PTR_YSUM = 7
    PTR_YSQSUM = 8
    PTR_WORKSPACE = 9
    PTR_BN_SCALE = 10
    PTR_BN_BIAS = 11
    PTR_BN_SAVED_MEAN = 12
    PTR_BN_SAVED_INVSTD = 13
    PTR_BN_RUNNING_MEAN = 14
    PTR_BN_RUNNING_VAR = 15
    PTR_ZDATA = 16
    PTR_BN_Z_EQSCALE = 17
    PTR_BN_Z_EQBIAS = 18
    PTR_ACTIVATION_BITMASK = 19
    PTR_DXDATA = 20
    PTR_DZDATA = 21
    PTR_BN_DSCALE = 22
    PTR_BN_DBIAS = 23
    SCALAR_SIZE_T_WORKSPACE_SIZE_IN_BYTES = 100
    SCALAR_INT64_T_BN_ACCUMULATION_COUNT = 101
    SCALAR_DOUBLE_BN_EXP_AVG_FACTOR = 102
    SCALAR_DOUBLE_BN_EPSILON = 103


class PointwiseMode(OpenIntEnum, c_type="cudnnPointwiseMode_t", c_prefix="CUDNN_POINTWISE_"):
    """``cudnnPointwiseMode_t``."""

    ADD = 0
    ADD_SQUARE = 5
    DIV = 6
    MAX = 3
    MIN = 2
    MOD = 7
    MUL = 1
    POW = 8
    SUB = 9
    ABS = 10
    CEIL = 11
    COS = 12
    EXP = 13
    FLOOR = 14
    LOG = 15
    NEG = 16
    RSQRT = 17
    SIN = 18
    SQRT = 4
    TAN = 19
    ERF = 20
    IDENTITY = 21
    RECIPROCAL = 22  # since 8.9.0
    RELU_FWD = 100
    TANH_FWD = 101
    SIGMOID_FWD = 102
    ELU_FWD = 103
    GELU_FWD = 104
    SOFTPLUS_FWD = 105
    SWISH_FWD = 106
    GELU_APPROX_TANH_FWD = 107
    RELU_BWD = 200
    TANH_BWD = 201
    SIGMOID_BWD = 202
    ELU_BWD = 203
    GELU_BWD = 204
    SOFTPLUS_BWD = 205
    SWISH_BWD = 206
    GELU_APPROX_TANH_BWD = 207
    CMP_EQ = 300
    CMP_NEQ = 301
    CMP_GT = 302
    CMP_GE = 303
    CMP_LT = 304
    CMP_LE = 305
    LOGICAL_AND = 400
    LOGICAL_OR = 401
    LOGICAL_NOT = 402
    GEN_INDEX = 501
    BINARY_SELECT = 601


class ResampleMode(OpenIntEnum, c_type="cudnnResampleMode_t", c_prefix="CUDNN_RESAMPLE_"):
    """``cudnnResampleMode_t``."""

    NEAREST = 0
    BILINEAR = 1
    AVGPOOL = 2
    AVGPOOL_INCLUDE_PADDING = 2  # since 8.6.0
    AVGPOOL_EXCLUDE_PADDING = 4  # since 8.6.0
    MAXPOOL = 3


class SignalMode(OpenIntEnum, c_type="cudnnSignalMode_t", c_prefix="CUDNN_SIGNAL_"):
    """``cudnnSignalMode_t``."""

    SET = 0
    WAIT = 1


class GenStatsMode(OpenIntEnum, c_type="cudnnGenStatsMode_t", c_prefix="CUDNN_GENSTATS_"):
    """``cudnnGenStatsMode_t``."""

    SUM_SQSUM = 0


class BnFinalizeStatsMode(OpenIntEnum, c_type="cudnnBnFinalizeStatsMode_t", c_prefix="CUDNN_BN_FINALIZE_STATISTICS_"):
    """``cudnnBnFinalizeStatsMode_t``."""

    TRAINING = 0
    INFERENCE = 1


class RngDistribution(OpenIntEnum, c_type="cudnnRngDistribution_t", c_prefix="CUDNN_RNG_DISTRIBUTION_"):
    """``cudnnRngDistribution_t``; since 8.7.0."""

    BERNOULLI = 0  # since 8.7.0
    UNIFORM = 1  # since 8.7.0
    NORMAL = 2  # since 8.7.0


class BackendAttributeName(OpenIntEnum, c_type="cudnnBackendAttributeName_t", c_prefix="CUDNN_ATTR_"):
    """``cudnnBackendAttributeName_t``."""

    POINTWISE_MODE = 0
    POINTWISE_MATH_PREC = 1
    POINTWISE_NAN_PROPAGATION = 2
    POINTWISE_RELU_LOWER_CLIP = 3
    POINTWISE_RELU_UPPER_CLIP = 4
    POINTWISE_RELU_LOWER_CLIP_SLOPE = 5
    POINTWISE_ELU_ALPHA = 6
    POINTWISE_SOFTPLUS_BETA = 7
    POINTWISE_SWISH_BETA = 8
    POINTWISE_AXIS = 9
    CONVOLUTION_COMP_TYPE = 100
    CONVOLUTION_CONV_MODE = 101
    CONVOLUTION_DILATIONS = 102
    CONVOLUTION_FILTER_STRIDES = 103
    CONVOLUTION_POST_PADDINGS = 104
    CONVOLUTION_PRE_PADDINGS = 105
    CONVOLUTION_SPATIAL_DIMS = 106
    ENGINEHEUR_MODE = 200
    ENGINEHEUR_OPERATION_GRAPH = 201
    ENGINEHEUR_RESULTS = 202
    ENGINEHEUR_SM_COUNT_TARGET = 203  # since 8.9.5
    ENGINECFG_ENGINE = 300
    ENGINECFG_INTERMEDIATE_INFO = 301
    ENGINECFG_KNOB_CHOICES = 302
    EXECUTION_PLAN_HANDLE = 400
    EXECUTION_PLAN_ENGINE_CONFIG = 401
    EXECUTION_PLAN_WORKSPACE_SIZE = 402
    EXECUTION_PLAN_COMPUTED_INTERMEDIATE_UIDS = 403
    EXECUTION_PLAN_RUN_ONLY_INTERMEDIATE_UIDS = 404
    EXECUTION_PLAN_JSON_REPRESENTATION = 405
    INTERMEDIATE_INFO_UNIQUE_ID = 500
    INTERMEDIATE_INFO_SIZE = 501
    INTERMEDIATE_INFO_DEPENDENT_DATA_UIDS = 502
    INTERMEDIATE_INFO_DEPENDENT_ATTRIBUTES = 503
    KNOB_CHOICE_KNOB_TYPE = 600
    KNOB_CHOICE_KNOB_VALUE = 601
    OPERATION_CONVOLUTION_FORWARD_ALPHA = 700
    OPERATION_CONVOLUTION_FORWARD_BETA = 701
    OPERATION_CONVOLUTION_FORWARD_CONV_DESC = 702
    OPERATION_CONVOLUTION_FORWARD_W = 703
    OPERATION_CONVOLUTION_FORWARD_X = 704
    OPERATION_CONVOLUTION_FORWARD_Y = 705
    OPERATION_CONVOLUTION_BWD_DATA_ALPHA = 706
    OPERATION_CONVOLUTION_BWD_DATA_BETA = 707
    OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC = 708
    OPERATION_CONVOLUTION_BWD_DATA_W = 709
    OPERATION_CONVOLUTION_BWD_DATA_DX = 710
    OPERATION_CONVOLUTION_BWD_DATA_DY = 711
    OPERATION_CONVOLUTION_BWD_FILTER_ALPHA = 712
    OPERATION_CONVOLUTION_BWD_FILTER_BETA = 713
    OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC = 714
    OPERATION_CONVOLUTION_BWD_FILTER_DW = 715
    OPERATION_CONVOLUTION_BWD_FILTER_X = 716
    OPERATION_CONVOLUTION_BWD_FILTER_DY = 717
    OPERATION_POINTWISE_PW_DESCRIPTOR = 750
    OPERATION_POINTWISE_XDESC = 751
    OPERATION_POINTWISE_BDESC = 752
    OPERATION_POINTWISE_YDESC = 753
    OPERATION_POINTWISE_ALPHA1 = 754
    OPERATION_POINTWISE_ALPHA2 = 755
    OPERATION_POINTWISE_DXDESC = 756
    OPERATION_POINTWISE_DYDESC = 757
    OPERATION_POINTWISE_TDESC = 758
    OPERATION_GENSTATS_MODE = 770
    OPERATION_GENSTATS_MATH_PREC = 771
    OPERATION_GENSTATS_XDESC = 772
    OPERATION_GENSTATS_SUMDESC = 773
    OPERATION_GENSTATS_SQSUMDESC = 774
    OPERATION_BN_FINALIZE_STATS_MODE = 780
    OPERATION_BN_FINALIZE_MATH_PREC = 781
    OPERATION_BN_FINALIZE_Y_SUM_DESC = 782
    OPERATION_BN_FINALIZE_Y_SQ_SUM_DESC = 783
    OPERATION_BN_FINALIZE_SCALE_DESC = 784
    OPERATION_BN_FINALIZE_BIAS_DESC = 785
    OPERATION_BN_FINALIZE_PREV_RUNNING_MEAN_DESC = 786
    OPERATION_BN_FINALIZE_PREV_RUNNING_VAR_DESC = 787
    OPERATION_BN_FINALIZE_UPDATED_RUNNING_MEAN_DESC = 788
    OPERATION_BN_FINALIZE_UPDATED_RUNNING_VAR_DESC = 789
    OPERATION_BN_FINALIZE_SAVED_MEAN_DESC = 790
    OPERATION_BN_FINALIZE_SAVED_INV_STD_DESC = 791
    OPERATION_BN_FINALIZE_EQ_SCALE_DESC = 792
    OPERATION_BN_FINALIZE_EQ_BIAS_DESC = 793
    OPERATION_BN_FINALIZE_ACCUM_COUNT_DESC = 794
    OPERATION_BN_FINALIZE_EPSILON_DESC = 795
    OPERATION_BN_FINALIZE_EXP_AVERATE_FACTOR_DESC = 796
    OPERATIONGRAPH_HANDLE = 800
    OPERATIONGRAPH_OPS = 801
    OPERATIONGRAPH_ENGINE_GLOBAL_COUNT = 802
    TENSOR_BYTE_ALIGNMENT = 900
    TENSOR_DATA_TYPE = 901
    TENSOR_DIMENSIONS = 902
    TENSOR_STRIDES = 903
    TENSOR_VECTOR_COUNT = 904
    TENSOR_VECTORIZED_DIMENSION = 905
    TENSOR_UNIQUE_ID = 906
    TENSOR_IS_VIRTUAL = 907
    TENSOR_IS_BY_VALUE = 908
    TENSOR_REORDERING_MODE = 909
    TENSOR_RAGGED_OFFSET_DESC = 913  # since 8.9.0
    VARIANT_PACK_UNIQUE_IDS = 1000
    VARIANT_PACK_DATA_POINTERS = 1001
    VARIANT_PACK_INTERMEDIATES = 1002
    VARIANT_PACK_WORKSPACE = 1003
    LAYOUT_INFO_TENSOR_UID = 1100
    LAYOUT_INFO_TYPES = 1101
    KNOB_INFO_TYPE = 1200
    KNOB_INFO_MAXIMUM_VALUE = 1201
    KNOB_INFO_MINIMUM_VALUE = 1202
    KNOB_INFO_STRIDE = 1203
    ENGINE_OPERATION_GRAPH = 1300
    ENGINE_GLOBAL_INDEX = 1301
    ENGINE_KNOB_INFO = 1302
    ENGINE_NUMERICAL_NOTE = 1303
    ENGINE_LAYOUT_INFO = 1304
    ENGINE_BEHAVIOR_NOTE = 1305
    ENGINE_SM_COUNT_TARGET = 1306  # since 8.9.5
    MATMUL_COMP_TYPE = 1500
    MATMUL_PADDING_VALUE = 1503  # since 8.9.0
    OPERATION_MATMUL_ADESC = 1520
    OPERATION_MATMUL_BDESC = 1521
    OPERATION_MATMUL_CDESC = 1522
    OPERATION_MATMUL_DESC = 1523
    OPERATION_MATMUL_IRREGULARLY_STRIDED_BATCH_COUNT = 1524
    OPERATION_MATMUL_GEMM_M_OVERRIDE_DESC = 1525  # since 8.7.0
    OPERATION_MATMUL_GEMM_N_OVERRIDE_DESC = 1526  # since 8.7.0
    OPERATION_MATMUL_GEMM_K_OVERRIDE_DESC = 1527  # since 8.7.0
    REDUCTION_OPERATOR = 1600
    REDUCTION_COMP_TYPE = 1601
    OPERATION_REDUCTION_XDESC = 1610
    OPERATION_REDUCTION_YDESC = 1611
    OPERATION_REDUCTION_DESC = 1612
    OPERATION_BN_BWD_WEIGHTS_MATH_PREC = 1620
    OPERATION_BN_BWD_WEIGHTS_MEAN_DESC = 1621
    OPERATION_BN_BWD_WEIGHTS_INVSTD_DESC = 1622
    OPERATION_BN_BWD_WEIGHTS_BN_SCALE_DESC = 1623
    OPERATION_BN_BWD_WEIGHTS_X_DESC = 1624
    OPERATION_BN_BWD_WEIGHTS_DY_DESC = 1625
    OPERATION_BN_BWD_WEIGHTS_DBN_SCALE_DESC = 1626
    OPERATION_BN_BWD_WEIGHTS_DBN_BIAS_DESC = 1627
    OPERATION_BN_BWD_WEIGHTS_EQ_DY_SCALE_DESC = 1628
    OPERATION_BN_BWD_WEIGHTS_EQ_X_SCALE_DESC = 1629
    OPERATION_BN_BWD_WEIGHTS_EQ_BIAS = 1630
    RESAMPLE_MODE = 1700
    RESAMPLE_COMP_TYPE = 1701
    RESAMPLE_SPATIAL_DIMS = 1702
    RESAMPLE_POST_PADDINGS = 1703
    RESAMPLE_PRE_PADDINGS = 1704
    RESAMPLE_STRIDES = 1705
    RESAMPLE_WINDOW_DIMS = 1706
    RESAMPLE_NAN_PROPAGATION = 1707
    RESAMPLE_PADDING_MODE = 1708
    OPERATION_RESAMPLE_FWD_XDESC = 1710
    OPERATION_RESAMPLE_FWD_YDESC = 1711
    OPERATION_RESAMPLE_FWD_IDXDESC = 1712
    OPERATION_RESAMPLE_FWD_ALPHA = 1713
    OPERATION_RESAMPLE_FWD_BETA = 1714
    OPERATION_RESAMPLE_FWD_DESC = 1716
    OPERATION_RESAMPLE_BWD_DXDESC = 1720
    OPERATION_RESAMPLE_BWD_DYDESC = 1721
    OPERATION_RESAMPLE_BWD_IDXDESC = 1722
    OPERATION_RESAMPLE_BWD_ALPHA = 1723
    OPERATION_RESAMPLE_BWD_BETA = 1724
    OPERATION_RESAMPLE_BWD_DESC = 1725
    OPERATION_RESAMPLE_BWD_XDESC = 1726  # since 8.7.0
    OPERATION_RESAMPLE_BWD_YDESC = 1727  # since 8.7.0
    OPERATION_CONCAT_AXIS = 1800
    OPERATION_CONCAT_INPUT_DESCS = 1801
    OPERATION_CONCAT_INPLACE_INDEX = 1802
    OPERATION_CONCAT_OUTPUT_DESC = 1803
    OPERATION_SIGNAL_MODE = 1900
    OPERATION_SIGNAL_FLAGDESC = 1901
    OPERATION_SIGNAL_VALUE = 1902
    OPERATION_SIGNAL_XDESC = 1903
    OPERATION_SIGNAL_YDESC = 1904
    OPERATION_NORM_FWD_MODE = 2000
    OPERATION_NORM_FWD_PHASE = 2001
    OPERATION_NORM_FWD_XDESC = 2002
    OPERATION_NORM_FWD_MEAN_DESC = 2003
    OPERATION_NORM_FWD_INV_VARIANCE_DESC = 2004
    OPERATION_NORM_FWD_SCALE_DESC = 2005
    OPERATION_NORM_FWD_BIAS_DESC = 2006
    OPERATION_NORM_FWD_EPSILON_DESC = 2007
    OPERATION_NORM_FWD_EXP_AVG_FACTOR_DESC = 2008
    OPERATION_NORM_FWD_INPUT_RUNNING_MEAN_DESC = 2009
    OPERATION_NORM_FWD_INPUT_RUNNING_VAR_DESC = 2010
    OPERATION_NORM_FWD_OUTPUT_RUNNING_MEAN_DESC = 2011
    OPERATION_NORM_FWD_OUTPUT_RUNNING_VAR_DESC = 2012
    OPERATION_NORM_FWD_YDESC = 2013
    OPERATION_NORM_FWD_PEER_STAT_DESCS = 2014
    OPERATION_NORM_BWD_MODE = 2100
    OPERATION_NORM_BWD_XDESC = 2101
    OPERATION_NORM_BWD_MEAN_DESC = 2102
    OPERATION_NORM_BWD_INV_VARIANCE_DESC = 2103
    OPERATION_NORM_BWD_DYDESC = 2104
    OPERATION_NORM_BWD_SCALE_DESC = 2105
    OPERATION_NORM_BWD_EPSILON_DESC = 2106
    OPERATION_NORM_BWD_DSCALE_DESC = 2107
    OPERATION_NORM_BWD_DBIAS_DESC = 2108
    OPERATION_NORM_BWD_DXDESC = 2109
    OPERATION_NORM_BWD_PEER_STAT_DESCS = 2110
    OPERATION_RESHAPE_XDESC = 2200  # since 8.7.0
    OPERATION_RESHAPE_YDESC = 2201  # since 8.7.0
    RNG_DISTRIBUTION = 2300  # since 8.7.0
    RNG_NORMAL_DIST_MEAN = 2301  # since 8.7.0
    RNG_NORMAL_DIST_STANDARD_DEVIATION = 2302  # since 8.7.0
    RNG_UNIFORM_DIST_MAXIMUM = 2303  # since 8.7.0
    RNG_UNIFORM_DIST_MINIMUM = 2304  # since 8.7.0
    RNG_BERNOULLI_DIST_PROBABILITY = 2305  # since 8.7.0
    OPERATION_RNG_YDESC = 2310  # since 8.7.0
    OPERATION_RNG_SEED = 2311  # since 8.7.0
    OPERATION_RNG_DESC = 2312  # since 8.7.0
    OPERATION_RNG_OFFSET_DESC = 2313  # since 8.8.0


class BackendAttributeType(OpenIntEnum, c_type="cudnnBackendAttributeType_t", c_prefix="CUDNN_TYPE_"):
    """``cudnnBackendAttributeType_t``."""

    HANDLE = 0
    DATA_TYPE = 1
    BOOLEAN = 2
    INT64 = 3
    FLOAT = 4
    DOUBLE = 5
    VOID_PTR = 6
    CONVOLUTION_MODE = 7
    HEUR_MODE = 8
    KNOB_TYPE = 9
    NAN_PROPOGATION = 10
    NUMERICAL_NOTE = 11
    LAYOUT_TYPE = 12
    ATTRIB_NAME = 13
    POINTWISE_MODE = 14
    BACKEND_DESCRIPTOR = 15
    GENSTATS_MODE = 16
    BN_FINALIZE_STATS_MODE = 17
    REDUCTION_OPERATOR_TYPE = 18
    BEHAVIOR_NOTE = 19
    TENSOR_REORDERING_MODE = 20
    RESAMPLE_MODE = 21
    PADDING_MODE = 22
    INT32 = 23
    CHAR = 24
    SIGNAL_MODE = 25
    FRACTION = 26
    NORM_MODE = 27
    NORM_FWD_PHASE = 28
    RNG_DISTRIBUTION = 29  # since 8.7.0


class BackendDescriptorType(OpenIntEnum, c_type="cudnnBackendDescriptorType_t", c_prefix="CUDNN_BACKEND_"):
    """``cudnnBackendDescriptorType_t``."""

    POINTWISE_DESCRIPTOR = 0
    CONVOLUTION_DESCRIPTOR = 1
    ENGINE_DESCRIPTOR = 2
    ENGINECFG_DESCRIPTOR = 3
    ENGINEHEUR_DESCRIPTOR = 4
    EXECUTION_PLAN_DESCRIPTOR = 5
    INTERMEDIATE_INFO_DESCRIPTOR = 6
    KNOB_CHOICE_DESCRIPTOR = 7
    KNOB_INFO_DESCRIPTOR = 8
    LAYOUT_INFO_DESCRIPTOR = 9
    OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR = 10
    OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR = 11
    OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR = 12
    OPERATION_POINTWISE_DESCRIPTOR = 13
    OPERATION_GEN_STATS_DESCRIPTOR = 14
    OPERATIONGRAPH_DESCRIPTOR = 15
    VARIANT_PACK_DESCRIPTOR = 16
    TENSOR_DESCRIPTOR = 17
    MATMUL_DESCRIPTOR = 18
    OPERATION_MATMUL_DESCRIPTOR = 19
    OPERATION_BN_FINALIZE_STATISTICS_DESCRIPTOR = 20
    REDUCTION_DESCRIPTOR = 21
    OPERATION_REDUCTION_DESCRIPTOR = 22
    OPERATION_BN_BWD_WEIGHTS_DESCRIPTOR = 23
    RESAMPLE_DESCRIPTOR = 24
    OPERATION_RESAMPLE_FWD_DESCRIPTOR = 25
    OPERATION_RESAMPLE_BWD_DESCRIPTOR = 26
    OPERATION_CONCAT_DESCRIPTOR = 27
    OPERATION_SIGNAL_DESCRIPTOR = 28
    OPERATION_NORM_FORWARD_DESCRIPTOR = 29
    OPERATION_NORM_BACKWARD_DESCRIPTOR = 30
    OPERATION_RESHAPE_DESCRIPTOR = 31  # since 8.7.0
    RNG_DESCRIPTOR = 32  # since 8.7.0
    OPERATION_RNG_DESCRIPTOR = 33  # since 8.7.0


class BackendNumericalNote(OpenIntEnum, c_type="cudnnBackendNumericalNote_t", c_prefix="CUDNN_NUMERICAL_NOTE_"):
    """``cudnnBackendNumericalNote_t``."""

    TENSOR_CORE = 0
    DOWN_CONVERT_INPUTS = 1
    REDUCED_PRECISION_REDUCTION = 2
    FFT = 3
    NONDETERMINISTIC = 4
    WINOGRAD = 5
    WINOGRAD_TILE_4x4 = 6
    WINOGRAD_TILE_6x6 = 7
    WINOGRAD_TILE_13x13 = 8
    TYPE_COUNT = 9


class BackendBehaviorNote(OpenIntEnum, c_type="cudnnBackendBehaviorNote_t", c_prefix="CUDNN_BEHAVIOR_NOTE_"):
    """``cudnnBackendBehaviorNote_t``."""

    RUNTIME_COMPILATION = 0
    REQUIRES_FILTER_INT8x32_REORDER = 1
    REQUIRES_BIAS_INT8x32_REORDER = 2
    TYPE_COUNT = 3


class BackendKnobType(OpenIntEnum, c_type="cudnnBackendKnobType_t", c_prefix="CUDNN_KNOB_TYPE_"):
    """``cudnnBackendKnobType_t``."""

    SPLIT_K = 0
    SWIZZLE = 1
    TILE_SIZE = 2
    USE_TEX = 3
    EDGE = 4
    KBLOCK = 5
    LDGA = 6
    LDGB = 7
    CHUNK_K = 8
    SPLIT_H = 9
    WINO_TILE = 10
    MULTIPLY = 11
    SPLIT_K_BUF = 12
    TILEK = 13
    STAGES = 14
    REDUCTION_MODE = 15
    CTA_SPLIT_K_MODE = 16
    SPLIT_K_SLC = 17
    IDX_MODE = 18
    SLICED = 19
    SPLIT_RS = 20
    SINGLEBUFFER = 21
    LDGC = 22
    SPECFILT = 23
    KERNEL_CFG = 24
    WORKSPACE = 25
    TILE_CGA = 26  # since 8.6.0
    TILE_CGA_M = 27  # since 8.6.0
    TILE_CGA_N = 28  # since 8.6.0
    BLOCK_SIZE = 29  # since 8.8.0
    OCCUPANCY = 30  # since 8.9.0
    ARRAY_SIZE_PER_THREAD = 31  # since 8.9.0
    NUM_C_PER_BLOCK = 32  # since 8.9.0
    SPLIT_COLS = 33  # since 8.9.5
    TILE_ROWS = 34  # since 8.9.5
    TILE_COLS = 35  # since 8.9.5
    LOAD_SIZE = 36  # since 8.9.5
    COUNTS = 37  # moved: 26 (8.5.0), 29 (8.6.0), 30 (8.8.0), 33 (8.9.0), 37 (8.9.5)


class BackendLayoutType(
    OpenIntEnum,
    c_type="cudnnBackendLayoutType_t",
    c_prefix="CUDNN_LAYOUT_TYPE_PREFERRED_",
    c_names={
        "COUNT": "CUDNN_LAYOUT_TYPE_COUNT",
    },
):
    """``cudnnBackendLayoutType_t``."""

    NCHW = 0
    NHWC = 1
    PAD4CK = 2
    PAD8CK = 3
    COUNT = 4


class BackendHeurMode(
    OpenIntEnum,
    c_type="cudnnBackendHeurMode_t",
    c_prefix="CUDNN_HEUR_MODE_",
    c_names={
        "MODES_COUNT": "CUDNN_HEUR_MODES_COUNT",
    },
):
    """``cudnnBackendHeurMode_t``."""

    INSTANT = 0
    B = 1
    FALLBACK = 2
    A = 3
    MODES_COUNT = 4


class BackendTensorReordering(
    OpenIntEnum, c_type="cudnnBackendTensorReordering_t", c_prefix="CUDNN_TENSOR_REORDERING_"
):
    """``cudnnBackendTensorReordering_t``."""

    NONE = 0
    INT8x32 = 1
    F16x16 = 2  # since 8.8.0


class PaddingMode(OpenIntEnum, c_type="cudnnPaddingMode_t", c_prefix="CUDNN_"):
    """``cudnnPaddingMode_t``."""

    ZERO_PAD = 0
    NEG_INF_PAD = 1
    EDGE_VAL_PAD = 2


class BackendNormMode(OpenIntEnum, c_type="cudnnBackendNormMode_t", c_prefix="CUDNN_"):
    """``cudnnBackendNormMode_t``."""

    LAYER_NORM = 0
    INSTANCE_NORM = 1
    BATCH_NORM = 2
    GROUP_NORM = 3
    RMS_NORM = 4  # since 8.9.6


class BackendNormFwdPhase(OpenIntEnum, c_type="cudnnBackendNormFwdPhase_t", c_prefix="CUDNN_NORM_FWD_"):
    """``cudnnBackendNormFwdPhase_t``."""

    INFERENCE = 0
    TRAINING = 1


class AttnMode(OpenIntFlag, c_type="cudnnAttnQueryMap_t", c_prefix="CUDNN_ATTN_"):
    """``cudnnAttnQueryMap_t``."""

    QUERYMAP_ALL_TO_ONE = 0
    QUERYMAP_ONE_TO_ONE = 1
    DISABLE_PROJ_BIASES = 0
    ENABLE_PROJ_BIASES = 2


class RNNPaddedIO(OpenIntFlag, c_type="cudnnRNNPaddingMode_t", c_prefix="CUDNN_RNN_"):
    """``cudnnRNNPaddingMode_t``."""

    PADDED_IO_DISABLED = 0
    PADDED_IO_ENABLED = 1


class SeverityMask(
    OpenIntFlag,
    c_type="",
    c_prefix="",
    c_names={
        "ERROR": "CUDNN_SEV_ERROR_EN",
        "WARNING": "CUDNN_SEV_WARNING_EN",
        "INFO": "CUDNN_SEV_INFO_EN",
    },
):
    """Flags ``*``."""

    ERROR = 2
    WARNING = 4
    INFO = 8
