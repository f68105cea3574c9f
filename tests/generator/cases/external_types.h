#include <cuda_runtime.h>
#include <stdint.h>
typedef cudaStream_t my_stream_t;
int f(size_t a, uint8_t *b, libraryPropertyType c, my_stream_t d);
