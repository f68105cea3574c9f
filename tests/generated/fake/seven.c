/* Handles are numbers; every function answers something that shows what it was given. */
#include <stddef.h>
typedef struct { int algo, status; float time; size_t memory; int determinism, mathType, reserved[3]; } perf;
size_t cudnnGetVersion(void) { return 7605; }
const char *cudnnGetErrorString(int status) { return status == 9 ? "CUDNN_STATUS_NOT_SUPPORTED" : "CUDNN_STATUS_OTHER"; }
#define PAIR(NAME, NUMBER) \
    int cudnnCreate##NAME(void **out) { *out = (void *)NUMBER; return 0; } \
    int cudnnDestroy##NAME(void *one) { return one == (void *)NUMBER ? 0 : 3; }
PAIR(, 16)
PAIR(TensorDescriptor, 32)
PAIR(FilterDescriptor, 48)
PAIR(ConvolutionDescriptor, 64)
PAIR(RNNDescriptor, 80)
PAIR(DropoutDescriptor, 96)
int cudnnGetConvolutionForwardAlgorithmMaxCount(void *handle, int *count) { *count = 3; return 0; }
int cudnnFindConvolutionForwardAlgorithm(void *h, void *x, void *w, void *c, void *y, int requested, int *returned, perf *out) {
    for (int i = 0; i < 2 && i < requested; i++) {
        out[i] = (perf){i ? 0 : 4, i ? 9 : 0, 0.5f + i, (size_t)1 << (32 + i), 1, 1, {0}};
    }
    *returned = requested < 2 ? requested : 2;
    return 0;
}
int cudnnGetConvolutionForwardAlgorithm(void *h, void *x, void *w, void *c, void *y, int preference, size_t limit, int *algo) {
    *algo = preference == 2 && limit == 123456 ? 4 : 0;
    return preference == 1 ? 9 : 0;
}
int cudnnSetRNNDescriptor_v6(void *h, void *r, int hidden, int layers, void *d, int input, int direction, int mode, int algo,
                             int math) {
    return h == (void *)16 && r == (void *)80 && hidden == 32 && layers == 2 && d == (void *)96 && mode == 2 ? 0 : 3;
}
static int objects[8];
int cudnnCreateAlgorithmPerformance(void **out, int n) { for (int i = 0; i < n; i++) out[i] = &objects[i]; return 0; }
int cudnnDestroyAlgorithmPerformance(void **out, int n) { for (int i = 0; i < n; i++) *(int *)out[i] = -1; return 0; }
int cudnnGetRNNForwardInferenceAlgorithmMaxCount(void *h, void *r, int *count) { *count = 5; return 0; }
int cudnnFindRNNForwardInferenceAlgorithmEx(void *h, void *r, int length, void **xs, void *x, void *hxd, void *hx, void *wd,
                                            void *w, void **ys, void *y, float intensity, int requested, int *returned,
                                            void **out, void *space, size_t size) {
    *returned = requested - 1;
    return length == 2 && xs[1] == (void *)32 && ys[1] == (void *)32 && x == (void *)4096 && requested == 3 ? 0 : 3;
}
int cudnnRNNForwardInference(void *h, void *r, int length, void **xs, void *x, void **ys, void *y, void *space, size_t size) {
    return length == 3 && xs[2] == (void *)32 ? 0 : 3;
}
