/* Names that mean something to Python, to the wrappers, or to two declarations at once. */
typedef enum { CUDNN_STATUS_SUCCESS = 0, CUDNN_STATUS_INTERNAL_ERROR = 4 } cudnnStatus_t;
typedef enum { first, name, value, known, mro } cudnnLower_t;
typedef enum { CUDNN_STREAM_ONE = 1, CUDNN_STREAM_None = 2 } cudnnStream_t;
typedef enum { CUDNN_THING_A = 1, CUDNN_THING_B = 2 } cudnnThing;
typedef struct cudnnThingStruct *cudnnThing_t;
typedef struct { int self, cls, c, library, class_, type; union Inner { int from; float lambda; } inner; } cudnnFields_t;
cudnnStatus_t cudnnReport(int text, int requested, int results, int structs, int cls, int answer, int found, int one);
cudnnStatus_t cudnnHas(cudnnThing_t thing, cudnnThing kind, cudnnStream_t stream, const int lambda[3]);
cudnnStatus_t cudnnFill(cudnnFields_t *in, int *status, int *error, int *format, int *import);
cudnnStatus_t cudnnTake(const cudnnFields_t *out);
int cudnn_version(void);
int cudnnBoth(int number, double *half);
