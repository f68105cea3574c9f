/* A stand-in for libcudnn that does what a test asks of it. Built by conftest.py with -D options:
 *   FAKE_NUMBER     what cudnnGetVersion answers (default 92801)
 *   FAKE_CONSTANT   the version constant that the file states, as cuDNN's sub-libraries do (default: none)
 *   FAKE_OLD        leaves out cudnnNewer and cudnnGetLastErrorString
 *   FAKE_SPLIT      names sub-libraries, as a library that passes calls on to them does
 *   FAKE_NOT_CUDNN  leaves out cudnnGetVersion
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef FAKE_NUMBER
#define FAKE_NUMBER 92801
#endif
#ifdef FAKE_CONSTANT
const unsigned cudnn_graph_version = FAKE_CONSTANT;
#endif

#ifdef FAKE_SPLIT
const char *fakeNames[] = {"libcudnn_ops.so", "libcudnn_cnn.so"};
#endif
#ifndef FAKE_NOT_CUDNN
size_t cudnnGetVersion(void) { return FAKE_NUMBER; }
#endif

static _Thread_local char last_error[256];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

const char *cudnnGetErrorString(int status) { return status == 2000 ? "CUDNN_STATUS_BAD_PARAM" : "CUDNN_STATUS_FROM_THE_FUTURE"; }

#ifndef FAKE_OLD
void cudnnGetLastErrorString(char *message, size_t size) {
    snprintf(message, size, "%s", last_error);
    last_error[0] = 0;
}
int cudnnNewer(void) { return 0; }
#endif

/* --- tensors: created, set, read, destroyed; counted --------------------------------------------------------------- */

struct tensor { int type, n; };
static int live, destroyed;
int fakeLive(void) { return __atomic_load_n(&live, __ATOMIC_SEQ_CST); }
int fakeDestroyed(void) { return __atomic_load_n(&destroyed, __ATOMIC_SEQ_CST); }

int cudnnCreateTensorDescriptor(struct tensor **out) {
    *out = calloc(1, sizeof(struct tensor));
    __atomic_add_fetch(&live, 1, __ATOMIC_SEQ_CST);
    return 0;
}
int cudnnDestroyTensorDescriptor(struct tensor *t) {
    if (t->n == -1) return 2000;
    pthread_mutex_lock(&lock); /* never from within a callback, then */
    pthread_mutex_unlock(&lock);
    free(t);
    __atomic_sub_fetch(&live, 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&destroyed, 1, __ATOMIC_SEQ_CST);
    return 0;
}
int cudnnSetTensor(struct tensor *t, int type, int n) {
    if (n < 0) {
        strcpy(last_error, "n must be positive");
        return 2000;
    }
    t->type = type;
    t->n = n;
    return 0;
}
int cudnnGetTensor(struct tensor *t, int *type, int *n) {
    *type = t->type;
    *n = t->n;
    return 0;
}

/* --- answers of a newer library ------------------------------------------------------------------------------------ */

/* Writes nonsense into *out, then fails: whoever converts before looking at the status falls over it. */
int cudnnFail(int status, int *out) {
    *out = 0x7eadbeef;
    strcpy(last_error, status ? "told to fail" : "");
    return status;
}
int cudnnGetKind(int *kind, int value) {
    *kind = value;
    return 0;
}
/* Fills every row, counts only some of them, as cuDNN leaves the rest of the caller's array as it was. */
int cudnnFindThings(int requested, int *returned, int *rows, int count) {
    for (int i = 0; i < requested; i++) rows[i] = i < count ? 10 + i : 0x7eadbeef;
    *returned = count;
    return 0;
}
double fakeReadScalar(const void *scalar, int is_double) {
    return is_double ? *(const double *)scalar : (double)*(const float *)scalar;
}

/* --- messages, sent while a lock of the library is held ------------------------------------------------------------ */

typedef struct {
    unsigned cudnn_version;
    int cudnnStatus;
    unsigned time_sec, time_usec, time_delta;
    void *handle, *stream;
    unsigned long long pid, tid;
    int cudaDeviceId;
    int reserved[15];
} debug_t;
typedef void (*callback_t)(int severity, void *data, const debug_t *debug, const char *text);

static callback_t callback;
static unsigned mask;

int cudnnSetCallback(unsigned new_mask, void *data, callback_t function) {
    (void)data;
    pthread_mutex_lock(&lock);
    mask = new_mask;
    callback = function;
    pthread_mutex_unlock(&lock);
    return 0;
}
unsigned fakeMask(void) { return mask; }
void fakeForceMask(unsigned forced) { mask = forced; }

/* A message is several lines, each ended by NUL and the last by two; '|' in `text` stands for the ends. */
int cudnnSay(int severity, const char *text, int times) {
    char message[512] = {0};
    strncpy(message, text, sizeof message - 2);
    for (char *c = message; *c; c++)
        if (*c == '|') *c = 0;
    debug_t debug = {FAKE_NUMBER, 2000, 1700000000, 500000, 0, (void *)0x10, (void *)0x20, 1, 77, 3, {0}};
    for (int i = 0; i < times; i++) {
        pthread_mutex_lock(&lock);
        if (callback && (mask >> severity & 1)) callback(severity, 0, &debug, message);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
/* Takes the same lock: a Python thread that waits here must not keep others from finishing their callbacks. */
int cudnnTakeLock(void) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}

/* --- the graph API: keeps what it is given ------------------------------------------------------------------------- */

enum { ATTRIBUTES = 16, BYTES = 512 };
struct backend { int kind, final; int64_t count[ATTRIBUTES]; int type[ATTRIBUTES]; char data[ATTRIBUTES][BYTES]; };
static const int size_of[] = {8, 4, 1, 8, 4, 8, 8, [15] = 8, [23] = 4, [24] = 1, [26] = 16};
static int set_calls;
int fakeSetCalls(void) { return set_calls; }

int cudnnBackendCreateDescriptor(int kind, struct backend **out) {
    *out = calloc(1, sizeof(struct backend));
    (*out)->kind = kind;
    __atomic_add_fetch(&live, 1, __ATOMIC_SEQ_CST);
    return 0;
}
int cudnnBackendDestroyDescriptor(struct backend *d) {
    free(d);
    __atomic_sub_fetch(&live, 1, __ATOMIC_SEQ_CST);
    return 0;
}
int cudnnBackendFinalize(struct backend *d) {
    d->final = 1;
    return 0;
}
int cudnnBackendSetAttribute(struct backend *d, int name, int type, int64_t count, const void *elements) {
    set_calls++;
    if (d->final) return 3000;
    d->count[name] = count;
    d->type[name] = type;
    memcpy(d->data[name], elements, count * size_of[type]);
    return 0;
}
/* Attribute 9 is a list of three descriptors that the library fills in: it gives each the kind 100 + its place. */
int cudnnBackendGetAttribute(struct backend *d, int name, int type, int64_t requested, int64_t *count, void *elements) {
    if (name == 9) {
        *count = 3;
        for (int64_t i = 0; elements && i < requested && i < 3; i++) ((struct backend **)elements)[i]->kind = 100 + i;
        if (elements && requested > 2) *count = 2;
        return 0;
    }
    if (d->type[name] != type) return 2000;
    *count = d->count[name];
    if (elements) memcpy(elements, d->data[name], (*count < requested ? *count : requested) * size_of[type]);
    return 0;
}
int fakeKind(struct backend *d) { return d->kind; }
