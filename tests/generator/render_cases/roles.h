/* One function for every way in which a parameter is wrapped. */
#include <stddef.h>
#include <stdint.h>
typedef struct CUstream_st *cudaStream_t;

#define CUDNN_DIM_MAX 8
#define CUDNN_LABEL "roles"

typedef enum { CUDNN_STATUS_SUCCESS = 0, CUDNN_STATUS_BAD_PARAM = 3, CUDNN_STATUS_BAD_PARAM_NULL_POINTER = 31 } cudnnStatus_t;
typedef enum { CUDNN_DATA_FLOAT = 0, CUDNN_DATA_DOUBLE = 1, CUDNN_DATA_HALF = 2, CUDNN_DATA_FP16 = 2 } cudnnDataType_t;
typedef enum { CUDNN_32BIT_INDICES = 0, CUDNN_64BIT_INDICES = -1 } cudnnIndicesType_t;
typedef struct cudnnContext *cudnnHandle_t;
typedef struct cudnnTensorStruct *cudnnTensorDescriptor_t;
typedef struct {
    cudnnDataType_t algo;
    cudnnStatus_t status;
    float time;
    size_t memory;
    int reserved[3];
} cudnnThingAlgoPerf_t;

size_t cudnnGetVersion(void);
const char *cudnnGetErrorString(cudnnStatus_t status);
void cudnnGetLastErrorString(char *message, size_t max_size);
cudnnStatus_t cudnnCreate(cudnnHandle_t *handle);
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle);
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t streamId);
cudnnStatus_t cudnnGetStream(cudnnHandle_t handle, cudaStream_t *streamId);
cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t *tensorDesc);
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t tensorDesc);
cudnnStatus_t cudnnSetTensorNdDescriptor(
    cudnnTensorDescriptor_t tensorDesc, cudnnDataType_t dataType, int nbDims, const int dimA[], const int strideA[]);
cudnnStatus_t cudnnGetTensorNdDescriptor(
    const cudnnTensorDescriptor_t tensorDesc, int nbDimsRequested, cudnnDataType_t *dataType, int *nbDims, int dimA[], int strideA[]);
__attribute__((deprecated)) cudnnStatus_t cudnnAddTensor(
    cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t aDesc, const void *A, const void *beta,
    const cudnnTensorDescriptor_t cDesc, void *C);
cudnnStatus_t cudnnGetThingAlgorithmMaxCount(cudnnHandle_t handle, int *count);
cudnnStatus_t cudnnFindThingAlgorithm(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const int requestedAlgoCount, int *returnedAlgoCount,
    cudnnThingAlgoPerf_t *perfResults);
cudnnStatus_t cudnnGetThingWorkspaceSize(cudnnHandle_t handle, cudnnTensorDescriptor_t xDesc, size_t *sizeInBytes);
cudnnStatus_t cudnnUse(int from, int lambda, int type, double *mode);
