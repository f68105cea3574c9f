// An image whose channels lie side by side (NHWC) copied into one with more of them, zeros in what is added. FACTOR 1
// adds channels alone; FACTOR 2 puts 2x2 pixels side by side first, as (row, column, channel), and pads the image with
// zeros as well. One thread makes VECTOR bytes of the result; neighbours read neighbouring elements. Constants come
// before this text.

#if VECTOR == 16
typedef uint4 vector;
#else
typedef uint2 vector;
#endif

#define EACH (VECTOR / (int)sizeof(element))

extern "C" __global__ void __launch_bounds__(BLOCK) gather(const element* __restrict__ from, vector* __restrict__ to) {
    int index = blockIdx.x * BLOCK + threadIdx.x;
    if (index >= RESULTS) return;
    int first = index % VECTORS * EACH, pixel = index / VECTORS;
    int column = pixel % OUT_WIDTH, row = pixel / OUT_WIDTH % OUT_HEIGHT, image = pixel / OUT_WIDTH / OUT_HEIGHT;
    union {
        element elements[EACH];
        vector whole;
    } made;
#pragma unroll
    for (int i = 0; i < EACH; ++i) {
        int channel = (first + i) % CHANNELS, part = (first + i) / CHANNELS;
        int h = FACTOR * row + part / FACTOR - PAD_H, w = FACTOR * column + part % FACTOR - PAD_W;
        bool inside = part < FACTOR * FACTOR && h >= 0 && h < HEIGHT && w >= 0 && w < WIDTH;
        made.elements[i] = inside ? from[((image * HEIGHT + h) * WIDTH + w) * CHANNELS + channel] : (element)0;
    }
    to[index] = made.whole;
}
