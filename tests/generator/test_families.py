"""Families of all functions of all versions against lists written by hand."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import pytest
from cudnn_bindgen.facts import FunctionFacts
from cudnn_bindgen.families import operation, pass_of, words
from cudnn_bindgen.history import History
from cudnn_bindgen.inference import function_facts, lifecycles

# Up to here the lists below were written by hand; what a newer version brings is none of their business.
NEWEST = "9.28.1.4"


@cache
def every_function() -> dict[str, FunctionFacts]:
    """The facts of every function that any version up to ``NEWEST`` has."""
    history = History.load(None)
    versions = history.versions[: history.versions.index(NEWEST) + 1]
    return {name: one for version in versions for name, one in function_facts(history.api(version)).items()}


@cache
def by_family() -> dict[str, set[str]]:
    families: dict[str, set[str]] = defaultdict(set)
    for one in every_function().values():
        families[one.family].add(one.name.removeprefix("cudnn"))
    return families


CONVOLUTIONS = ("ConvolutionForward", "ConvolutionBackwardData", "ConvolutionBackwardFilter")
RNNS = ("RNNForwardInference", "RNNForwardTraining", "RNNBackwardData", "RNNBackwardWeights")
FUSED_OPS = {
    f"{verb}FusedOps{thing}"
    for verb, thing in (
        *((verb, pack) for verb in ("Create", "Destroy") for pack in ("ConstParamPack", "VariantParamPack", "Plan")),
        *((verb, f"{pack}Attribute") for verb in ("Set", "Get") for pack in ("ConstParamPack", "VariantParamPack")),
        ("Make", "Plan"),
        ("", "Execute"),
    )
}
FAMILIES = {
    "find": {f"Find{one}Algorithm" for one in CONVOLUTIONS},
    "find_ex": {f"Find{one}AlgorithmEx" for one in (*CONVOLUTIONS, *RNNS)},
    "get_v7": {f"Get{one}Algorithm_v7" for one in CONVOLUTIONS},
    "max_count": {f"Get{one}AlgorithmMaxCount" for one in (*CONVOLUTIONS, *RNNS)},
    "fused": {
        *FUSED_OPS,
        "ConvolutionBiasActivationForward",
        "BatchNormalizationForwardTrainingEx",
        "BatchNormalizationBackwardEx",
        "NormalizationForwardInference",
        "NormalizationForwardTraining",
        "NormalizationBackward",
    },
    "backend": {
        *(f"Backend{verb}Descriptor" for verb in ("Create", "Destroy")),
        *(f"Backend{verb}Attribute" for verb in ("Set", "Get")),
        *(f"Backend{verb}CudaGraph" for verb in ("Populate", "Update")),
        "BackendInitialize",
        "BackendFinalize",
        "BackendExecute",
    },
    "workspace_size": {
        *(f"Get{one}WorkspaceSize" for one in CONVOLUTIONS),
        "GetTensorSizeInBytes",
        "GetFilterSizeInBytes",
        "GetReductionIndicesSize",
        "GetReductionWorkspaceSize",
        "DropoutGetStatesSize",
        "DropoutGetReserveSpaceSize",
        "GetBatchNormalizationForwardTrainingExWorkspaceSize",
        "GetBatchNormalizationBackwardExWorkspaceSize",
        "GetBatchNormalizationTrainingExReserveSpaceSize",
        "GetNormalizationForwardTrainingWorkspaceSize",
        "GetNormalizationBackwardWorkspaceSize",
        "GetNormalizationTrainingReserveSpaceSize",
        "GetAlgorithmSpaceSize",
        "GetRNNWorkspaceSize",
        "GetRNNTrainingReserveSize",
        "GetRNNTempSpaceSizes",
        "GetRNNParamsSize",
        "GetRNNWeightSpaceSize",
        "GetMultiHeadAttnBuffers",
        "GetCTCLossWorkspaceSize",
        "GetCTCLossWorkspaceSize_v8",
        "GetExecutionPlanWorkspaceSize",
        "LongFFTCausalConv1dGetBufferSizes",
    },
    "utility": {
        "TransformTensor",
        "TransformTensorEx",
        "TransformFilter",
        "AddTensor",
        "OpTensor",
        "ReduceTensor",
        "SetTensor",
        "ScaleTensor",
        "Im2Col",
        "ReorderFilterAndBias",
        "BuildRNNDynamic",
    },
    "query": {
        "GetVersion",
        "GetMaxDeviceVersion",
        "GetCudartVersion",
        "GetErrorString",
        "GetLastErrorString",
        "QueryRuntimeError",
        "GetProperty",
        "GetFoldedConvBackwardDataDescriptors",
        *(f"Get{one}ForwardOutputDim" for one in ("Pooling2d", "PoolingNd", "Convolution2d", "ConvolutionNd")),
        *(f"{one}{two}VersionCheck" for one in ("Ops", "Adv", "Cnn") for two in ("Infer", "Train", "")),
        "GraphVersionCheck",
        "SubquadraticOpsVersionCheck",
    },
}
OBJECTS = (
    "cudnnHandle_t",
    *(
        f"cudnn{one}Descriptor_t"
        for one in (
            *("Tensor", "TensorTransform", "OpTensor", "ReduceTensor", "Filter", "Pooling", "Activation", "LRN"),
            *("SpatialTransformer", "Dropout", "Algorithm", "RNN", "RNNData", "SeqData", "Attn", "CTCLoss"),
            *("Convolution", "Backend"),
        )
    ),
    "cudnnAlgorithmPerformance_t",
    "cudnnPersistentRNNPlan_t",
    "cudnnFusedOpsConstParamPack_t",
    "cudnnFusedOpsVariantParamPack_t",
    "cudnnFusedOpsPlan_t",
)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_whole_list_of_a_family(family: str) -> None:
    assert by_family()[family] == FAMILIES[family]


def test_families_of_descriptors_and_computations() -> None:
    families = by_family()
    created = {name for name in every_function() if name.startswith("cudnnCreate") and "FusedOps" not in name}
    assert {f"cudnn{name}" for name in families["create"]} == created
    assert {f"cudnn{name}" for name in families["destroy"]} == {name.replace("Create", "Destroy") for name in created}
    assert all("Forward" in name or name.startswith("CTCLoss") for name in families["forward"])
    assert all("Backward" in name for name in families["backward"])
    assert {"RNNSetClip", "InitTransformDest", "DeriveBNTensorDescriptor", "SetStream"} <= families["set"]
    assert {"RNNGetClip_v9", "GetStream", "SaveAlgorithm", "GetRNNWeightParams"} <= families["get"]
    assert families.keys() == {*FAMILIES, "create", "destroy", "set", "get", "forward", "backward"}


def test_every_create_has_its_destroy() -> None:
    pairs = lifecycles(every_function())
    assert set(pairs) == set(OBJECTS)
    for handle, pair in pairs.items():
        assert pair.create.replace("Create", "Destroy") == pair.destroy
        created = [one for one in every_function()[pair.create].parameters if one.role == "created"]
        assert len(created) == 1
        assert every_function()[pair.destroy].handle == handle


@pytest.mark.parametrize("version", ["8.5.0.96", "8.9.7.29", "9.0.0.312", "9.28.1.4"])
def test_every_object_of_a_version_can_be_made_and_freed(version: str) -> None:
    api = History.load(None).api(version)
    declared = {one.name for one in api.handles if not one.external and one.pointer}
    assert set(lifecycles(function_facts(api))) == declared & set(OBJECTS) == declared


@pytest.mark.parametrize(
    ("name", "family", "operation_", "passes"),
    [
        ("cudnnFindConvolutionForwardAlgorithmEx", "find_ex", "Convolution", "forward"),
        ("cudnnGetConvolutionBackwardDataAlgorithm_v7", "get_v7", "Convolution", "backward_data"),
        ("cudnnGetConvolutionBackwardFilterWorkspaceSize", "workspace_size", "Convolution", "backward_filter"),
        ("cudnnConvolutionBackwardBias", "backward", "Convolution", "backward_bias"),
        ("cudnnGetRNNBackwardWeightsAlgorithmMaxCount", "max_count", "RNN", "backward_weights"),
        ("cudnnRNNBackwardWeights_v8", "backward", "RNN", "backward_weights"),
        ("cudnnGetRNNTempSpaceSizes", "workspace_size", "RNN", None),
        ("cudnnBatchNormalizationForwardInference", "forward", "BatchNormalization", "forward"),
        ("cudnnBatchNormalizationBackwardEx", "fused", "BatchNormalization", "backward"),
        ("cudnnGetReductionWorkspaceSize", "workspace_size", "ReduceTensor", None),
        ("cudnnTransformTensorEx", "utility", "TransformTensor", None),
        ("cudnnDropoutGetStatesSize", "workspace_size", "Dropout", None),
        ("cudnnGetPooling2dForwardOutputDim", "query", "Pooling", "forward"),
        ("cudnnMakeFusedOpsPlan", "fused", "FusedOps", None),
        ("cudnnLongFFTCausalConv1dGetBufferSizes", "workspace_size", "LongFFTCausalConv1d", None),
        ("cudnnGetExecutionPlanWorkspaceSize", "workspace_size", "ExecutionPlan", None),
        ("cudnnSetTensor4dDescriptor", "set", None, None),
        ("cudnnBackendExecute", "backend", None, None),
    ],
)
def test_operation_and_pass(name: str, family: str, operation_: str | None, passes: str | None) -> None:
    facts = every_function()[name]
    assert (facts.family, facts.operation, facts.passes) == (family, operation_, passes)


def test_one_operation_is_spelled_one_way() -> None:
    spelled = {one.operation for one in every_function().values() if one.operation and "Conv" in one.operation}
    assert spelled == {
        "Convolution",
        "ConvolutionBiasActivation",
        "FoldedConv",
        "CausalConv1d",
        "CausalConv1dNwh",
        "B2BCausalConv1d",
        "FFTCausalConv1d",
        "LongFFTCausalConv1d",
    }


def test_words() -> None:
    assert words("cudnnRNNSetClip_v8") == ("RNN", "Set", "Clip")
    assert words("cudnnB2BCausalConv1dForward") == ("B2", "B", "Causal", "Conv1d", "Forward")
    assert words("cudnnCreate") == ("Create",)
    assert pass_of("cudnnGnnMhaGatV2Backward") == "backward"
    assert operation("cudnnCTCLoss_v8", "forward") == "CTCLoss"
