"""Each rule of `roles`, `pairing` and `nullability`, on the smallest declarations that it decides."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from cudnn_bindgen.facts import ParameterFacts
from cudnn_bindgen.inference import function_facts
from cudnn_bindgen.model import Api

PRELUDE = """
#include <stddef.h>
#include <stdint.h>
#include <cuda_runtime_api.h>
typedef struct cudnnContext *cudnnHandle_t;
typedef struct cudnnTensorStruct *cudnnTensorDescriptor_t;
typedef struct cudnnOpStruct *cudnnOpDescriptor_t;
typedef struct cudnnRuntimeTag_t cudnnRuntimeTag_t;
typedef enum { CUDNN_STATUS_SUCCESS = 0 } cudnnStatus_t;
typedef enum { CUDNN_DATA_FLOAT = 0 } cudnnDataType_t;
typedef enum { CUDNN_TYPE_INT64 = 0 } cudnnBackendAttributeType_t;
typedef struct { int algo; float time; } cudnnAlgoPerf_t;
typedef void (*cudnnCallback_t)(int level, void *udata, const char *msg);
cudnnStatus_t cudnnCreate(cudnnHandle_t *handle);
"""

Facts = Callable[[str], dict[str, ParameterFacts]]


@pytest.fixture
def facts(parsed: Callable[..., Api]) -> Facts:
    """The parameters of one declared function, by name, as the rules alone see them."""

    def of(declaration: str) -> dict[str, ParameterFacts]:
        api = parsed(PRELUDE + declaration)
        return {one.name: one for one in function_facts(api, ())[api.functions[-1].name].parameters}

    return of


ONE_PARAMETER = [
    # declaration, parameter, direction, role, rule, memory
    ("int cudnnDestroy(cudnnHandle_t handle);", "handle", "in", "library_handle", "library_handle_type", None),
    ("int cudnnCreateOp(cudnnOpDescriptor_t *d);", "d", "out", "created", "created_handle", "host"),
    ("int cudnnSetOp(cudnnOpDescriptor_t d, int n);", "d", "inout", "handle", "changed_descriptor", None),
    ("int cudnnRNNSetClip(cudnnOpDescriptor_t d, int n);", "d", "inout", "handle", "changed_descriptor", None),
    ("int cudnnSetOp(cudnnOpDescriptor_t d, cudnnTensorDescriptor_t e);", "e", "in", "handle", "handle_by_value", None),
    ("int cudnnMakeOp(cudnnHandle_t h, cudnnOpDescriptor_t d);", "d", "inout", "handle", "changed_descriptor", None),
    ("int cudnnCopyOp(const cudnnOpDescriptor_t a, cudnnOpDescriptor_t b);", "b", "inout", "handle",
     "derived_descriptor", None),
    ("int cudnnGetOp(cudnnOpDescriptor_t d, int *n);", "d", "in", "handle", "handle_by_value", None),
    ("int cudnnGetOp(const cudnnOpDescriptor_t d, int *n);", "d", "in", "handle", "const_handle", None),
    ("int cudnnGetOp(cudnnOpDescriptor_t d, cudnnTensorDescriptor_t e, void **p);", "e", "out", "handle",
     "filled_descriptor", None),
    ("int cudnnGetOp(cudnnOpDescriptor_t d, cudnnTensorDescriptor_t e, void **p);", "p", "out", "device_pointer",
     "address_out", "host"),
    ("int cudnnGetOps(const cudnnOpDescriptor_t d, cudnnTensorDescriptor_t e);", "e", "out", "handle",
     "filled_descriptor", None),
    ("int cudnnGetOp(cudnnOpDescriptor_t d, cudnnTensorDescriptor_t *e);", "e", "out", "handle", "handle_out", "host"),
    ("int cudnnQuery(cudnnRuntimeTag_t *tag);", "tag", "inout", "handle", "incomplete_type", "host"),
    ("int cudnnSetCallback(unsigned mask, void *udata, cudnnCallback_t fptr);", "fptr", "in", "callback",
     "callback_type", None),
    ("int cudnnSetCallback(unsigned mask, void *udata, cudnnCallback_t fptr);", "udata", "in", "user_data",
     "beside_callback", None),
    ("int cudnnGetCallback(unsigned *mask, void **udata, cudnnCallback_t *fptr);", "fptr", "out", "callback",
     "callback_out", "host"),
    ("int cudnnGetCallback(unsigned *mask, void **udata, cudnnCallback_t *fptr);", "udata", "out", "user_data",
     "beside_callback", "host"),
    ("int cudnnSetStream(cudnnHandle_t h, cudaStream_t s);", "s", "in", "stream", "stream_type", None),
    ("int cudnnGetStream(cudnnHandle_t h, cudaStream_t *s);", "s", "out", "stream", "stream_out", "host"),
    ("int cudnnPopulate(cudnnHandle_t h, cudaGraph_t g);", "g", "inout", "graph", "graph_filled", None),
    ("int cudnnGetOp(cudnnOpDescriptor_t d, int *n);", "n", "out", "scalar", "number_out", "host"),
    ("int cudnnGetOp(cudnnOpDescriptor_t d, cudnnDataType_t *t);", "t", "out", "enum", "enum_out", "host"),
    ("int cudnnGetOp(cudnnOpDescriptor_t d, size_t *bytes);", "bytes", "out", "size", "size_out", "host"),
    ("int cudnnGetOp(cudnnOpDescriptor_t d, int dims[]);", "dims", "out", "array", "array_out", "host"),
    ("int cudnnSetOp(cudnnOpDescriptor_t d, const int dims[]);", "dims", "in", "array", "const_array", "host"),
    ("int cudnnSetOp(cudnnOpDescriptor_t d, size_t bytes);", "bytes", "in", "size", "size_by_value", None),
    ("int cudnnSetOp(cudnnOpDescriptor_t d, double x);", "x", "in", "scalar", "number_by_value", None),
    ("int cudnnSetOp(cudnnOpDescriptor_t d, cudnnDataType_t t);", "t", "in", "enum", "enum_by_value", None),
    ("int cudnnSetOp(cudnnOpDescriptor_t d, cudnnAlgoPerf_t p);", "p", "in", "record", "record_by_value", None),
    ("int cudnnSetOp(cudnnOpDescriptor_t d, const cudnnAlgoPerf_t *p);", "p", "in", "record", "const_record", "host"),
    ("int cudnnGetOp(cudnnOpDescriptor_t d, cudnnAlgoPerf_t *p);", "p", "out", "record", "record_out", "host"),
    ("int cudnnSay(const char *text);", "text", "in", "string", "text", "host"),
    ("void cudnnGetLastErrorString(char *message, size_t max_size);", "message", "out", "string",
     "text_buffer", "host"),
    ("int cudnnOpForward(cudnnHandle_t h, const int devLengths[]);", "devLengths", "in", "device_pointer",
     "device_numbers", "device"),
    ("int cudnnOpForward(cudaStream_t s, const float *mask);", "mask", "in", "device_pointer",
     "device_numbers", "device"),
    ("int cudnnOpForward(cudnnHandle_t h, const void *x);", "x", "in", "device_pointer", "device_input", "device"),
    ("int cudnnOpForward(cudnnHandle_t h, const void *x, void *y);", "y", "out", "device_pointer", "device_output",
     "device"),
    ("int cudnnOpForward(cudnnHandle_t h, void *workSpace);", "workSpace", "inout", "device_pointer", "workspace",
     "device"),
    ("int cudnnOpBackward(cudnnHandle_t h, const void *workspace);", "workspace", "in", "device_pointer", "workspace",
     "device"),
    ("int cudnnOpForward(cudnnHandle_t h, const void *weightSpace);", "weightSpace", "in", "device_pointer",
     "device_input", "device"),
    ("int cudnnOpForward(cudnnHandle_t h, void *reserveSpace);", "reserveSpace", "inout", "device_pointer",
     "reserve_space", "device"),
    ("int cudnnOpForward(cudnnHandle_t h, void *const x[]);", "x", "in", "device_pointer_array",
     "address_array", "host"),
    ("int cudnnSetOp(cudnnOpDescriptor_t d, void *states);", "states", "inout", "device_pointer", "device_state",
     "device"),
    ("int cudnnRestoreOp(cudnnOpDescriptor_t d, void *states);", "states", "in", "device_pointer", "restored_state",
     "device"),
    ("int cudnnSaveOp(cudnnOpDescriptor_t d, void *algoSpace, size_t n);", "algoSpace", "out", "host_buffer",
     "serialised_form", "host"),
    ("int cudnnRestoreOp(void *algoSpace, size_t n, cudnnOpDescriptor_t d);", "algoSpace", "in", "host_buffer",
     "serialised_form", "host"),
    ("int cudnnOpForward(cudnnHandle_t h, const void *x, void *resultRunningMean);", "resultRunningMean", "inout",
     "device_pointer", "running_average", "device"),
    ("int cudnnRNNBackwardWeights(cudnnHandle_t h, const void *x, void *dw);", "dw", "inout", "device_pointer",
     "accumulated_gradient", "device"),
    ("int cudnnScaleTensor(cudnnHandle_t h, const cudnnTensorDescriptor_t d, void *y, const void *alpha);", "y",
     "inout", "device_pointer", "scaled_in_place", "device"),
    ("int cudnnSetTensor(cudnnHandle_t h, const cudnnTensorDescriptor_t d, void *y, const void *valuePtr);", "y", "out",
     "device_pointer", "device_output", "device"),
]  # fmt: skip


@pytest.mark.parametrize(("declaration", "name", "direction", "role", "rule", "memory"), ONE_PARAMETER)
def test_rule(
    facts: Facts, declaration: str, name: str, direction: str, role: str, rule: str, memory: str | None
) -> None:
    found = facts(declaration)[name]
    assert (found.direction, found.role, found.rule, found.memory) == (direction, role, rule, memory)


def test_outputs_that_beta_blends(facts: Facts) -> None:
    found = facts(
        "int cudnnOpBackward(cudnnHandle_t h, void *temp, const void *beta, const cudnnTensorDescriptor_t dxDesc,"
        " void *dx, void *dMeans, double epsilon, void *resultSaveMean, const void *betaDgrid, void *dgrid);"
    )
    blended = {name for name, one in found.items() if one.rule == "blended_by_beta"}
    assert blended == {"dx", "dMeans", "dgrid"}
    assert found["temp"].direction == found["resultSaveMean"].direction == "out"


def test_scaling_factors_follow_the_output_and_fill_values_are_exact(facts: Facts) -> None:
    found = facts(
        "int cudnnOpForward(cudnnHandle_t h, const void *alpha, const cudnnTensorDescriptor_t xDesc, const void *x,"
        " const void *beta, const cudnnTensorDescriptor_t yDesc, void *y);"
    )
    for name in ("alpha", "beta"):
        one = found[name]
        assert (one.role, one.memory, one.typed_by, one.exact) == ("host_scalar", "host", "yDesc", False)
    filled = facts(
        "int cudnnSetTensor(cudnnHandle_t h, const cudnnTensorDescriptor_t d, void *y, const void *valuePtr);"
    )
    assert (filled["valuePtr"].role, filled["valuePtr"].typed_by, filled["valuePtr"].exact) == (
        "host_scalar",
        "d",
        True,
    )
    padding = facts("int cudnnGetOp(cudnnOpDescriptor_t d, cudnnDataType_t *type, void *paddingFill);")["paddingFill"]
    assert (padding.direction, padding.role, padding.typed_by) == ("out", "host_scalar", "type")


def test_factors_of_an_optional_output_follow_the_main_one(facts: Facts) -> None:
    found = facts(
        "int cudnnOpBackward(cudnnHandle_t h, const void *alphaDataDiff, const void *betaDataDiff,"
        " const cudnnTensorDescriptor_t dzDesc, void *dzData, const cudnnTensorDescriptor_t dxDesc, void *dxData);"
    )
    assert found["betaDataDiff"].typed_by == "dxDesc"


def test_counts_of_given_and_answered_arrays(facts: Facts) -> None:
    given = facts("int cudnnSetOp(cudnnOpDescriptor_t d, int nbDims, const int dimA[], const int strideA[]);")
    assert given["dimA"].count == given["strideA"].count == "nbDims"
    assert given["nbDims"].role == "count"
    answered = facts("int cudnnGetOp(const cudnnOpDescriptor_t d, int nbDimsRequested, int *nbDims, int dimA[]);")
    assert (answered["dimA"].count, answered["dimA"].returned_count) == ("nbDimsRequested", "nbDims")
    assert answered["nbDimsRequested"].role == answered["nbDims"].role == "count"
    fixed = facts("int cudnnSetOp(cudnnOpDescriptor_t d, const int dims[5]);")
    assert fixed["dims"].count == "5"
    alone = facts("int cudnnOpLoss(cudnnHandle_t h, const int labels[]);")
    assert alone["labels"].count is None


def test_two_counted_arrays_in_one_call(facts: Facts) -> None:
    found = facts(
        "int cudnnGetSeq(const cudnnOpDescriptor_t d, int *nbDims, int nbDimsRequested, int dimA[],"
        " size_t *seqLengthArraySize, size_t seqLengthSizeRequested, int seqLengthArray[]);"
    )
    assert (found["dimA"].count, found["dimA"].returned_count) == ("nbDimsRequested", "nbDims")
    lengths = found["seqLengthArray"]
    assert (lengths.count, lengths.returned_count) == ("seqLengthSizeRequested", "seqLengthArraySize")


def test_a_batch_size_counts_lengths_and_stays_a_value_when_answered(facts: Facts) -> None:
    given = facts("int cudnnSetOp(cudnnOpDescriptor_t d, int batchSize, const int seqLengthArray[]);")
    assert (given["seqLengthArray"].count, given["batchSize"].role) == ("batchSize", "count")
    found = facts(
        "int cudnnGetOp(cudnnOpDescriptor_t d, int *batchSize, int arrayLengthRequested, int seqLengthArray[]);"
    )
    assert (found["seqLengthArray"].returned_count, found["batchSize"].role) == ("batchSize", "scalar")


def test_results_of_a_search(facts: Facts) -> None:
    found = facts(
        "int cudnnFindOpAlgorithm(cudnnHandle_t h, const int requestedAlgoCount, int *returnedAlgoCount,"
        " cudnnAlgoPerf_t *perfResults);"
    )
    results = found["perfResults"]
    assert (results.direction, results.role, results.count) == ("out", "array", "requestedAlgoCount")
    assert results.returned_count == "returnedAlgoCount"


def test_results_of_an_old_search_are_the_callers_objects(facts: Facts) -> None:
    found = facts(
        "int cudnnFindOpAlgorithmEx(cudnnHandle_t h, const int seqLength, const cudnnTensorDescriptor_t *xDesc,"
        " const int requestedAlgoCount, int *returnedAlgoCount, cudnnOpDescriptor_t *perfResults);"
    )
    assert (found["xDesc"].role, found["xDesc"].count) == ("array", "seqLength")
    results = found["perfResults"]
    assert (results.direction, results.rule, results.count) == ("inout", "performance_objects", "requestedAlgoCount")


def test_attributes_of_the_backend(facts: Facts) -> None:
    found = facts(
        "int cudnnBackendGetAttribute(cudnnOpDescriptor_t const d, cudnnBackendAttributeType_t attributeType,"
        " int64_t requestedElementCount, int64_t *elementCount, void *arrayOfElements);"
    )
    elements = found["arrayOfElements"]
    assert (elements.direction, elements.role, elements.typed_by) == ("out", "host_buffer", "attributeType")
    assert (elements.count, elements.returned_count) == ("requestedElementCount", "elementCount")
    assert elements.nullable
    assert found["elementCount"].nullable
    given = facts(
        "int cudnnBackendSetAttribute(cudnnOpDescriptor_t d, cudnnBackendAttributeType_t attributeType,"
        " int64_t elementCount, const void *arrayOfElements);"
    )["arrayOfElements"]
    assert (given.direction, given.count, given.nullable) == ("in", "elementCount", False)


@pytest.mark.parametrize(
    ("declaration", "nullable"),
    [
        ("int cudnnOpForward(cudnnHandle_t h, const void *x, void *workSpace, void *reserveSpace);",
         {"workSpace", "reserveSpace"}),
        ("int cudnnSetCallback(unsigned mask, void *udata, cudnnCallback_t fptr);", {"udata", "fptr"}),
        ("int cudnnGetCallback(unsigned *mask, void **udata, cudnnCallback_t *fptr);", set()),
        ("int cudnnSetStream(cudnnHandle_t h, cudaStream_t s);", {"s"}),
        ("int cudnnQuery(cudnnRuntimeTag_t *tag);", {"tag"}),
        ("int cudnnBatchNormalizationForward(void *resultRunningMean, void *resultSaveMean, const void *z);",
         {"resultRunningMean", "resultSaveMean", "z"}),
        ("int cudnnRNNForward(cudnnHandle_t h, const void *x, const void *hx, void *cy, void *y);", {"hx", "cy"}),
        ("int cudnnConvolutionBiasActivationForward(cudnnHandle_t h, const void *z, const void *bias);", set()),
        ("int cudnnSetOp(cudnnOpDescriptor_t d, cudnnDataType_t t, void *paddingFill);", {"paddingFill"}),
    ],
)  # fmt: skip
def test_what_may_be_null(facts: Facts, declaration: str, nullable: set[str]) -> None:
    assert {name for name, one in facts(declaration).items() if one.nullable} == nullable


def test_typedefs_are_followed(facts: Facts) -> None:
    found = facts(
        "typedef cudnnTensorDescriptor_t tensor_t; typedef cudnnDataType_t *data_type_pointer;"
        "int cudnnGetOp(const tensor_t d, data_type_pointer type);"
    )
    assert found["d"].role == "handle"
    assert (found["type"].role, found["type"].direction) == ("enum", "out")
