// What follows a convolution, in one pass over dense memory: y = activated(x + bias + residual), or the residual behind
// the activation. y may be x or the residual: a thread reads what it writes, and before it does. All is added up in
// float32 and rounded once. Constants come before this text.
//
// Blocks go from the end to the beginning: what the convolution wrote last is in the cache still, and what the next layer
// reads first will be.
//
// A thread makes EACH vectors of VECTOR bytes, BLOCK vectors apart. The bias belongs to channels: side by side in memory
// (INNER is 1), or planes of INNER elements, a whole number of vectors each.

#if SIZE == 2
typedef unsigned short element;
#else
typedef unsigned int element;
#endif

__device__ inline void widen(vector from, float* to) {
    slots found;
    found.words[0] = 0;
    found.whole = from;
#pragma unroll
    for (int i = 0; i < SLOTS; ++i) unpack(found.words[i], to + i * PER_WORD);
}

#if BIAS
__device__ inline void load_bias(const element* bias, unsigned int place, float* to) {
#if INNER == 1
    widen(((const vector*)bias)[place % (CHANNELS / (VECTOR / SIZE))], to);
#else
    float both[2];
    unpack(bias[place / (INNER / (VECTOR / SIZE)) % CHANNELS], both);
#pragma unroll
    for (int i = 0; i < COUNT; ++i) to[i] = both[0];
#endif
}
#endif

extern "C" __global__ void __launch_bounds__(BLOCK)
epilogue(const vector* x, const element* bias, const vector* residual, vector* y) {
    unsigned int first = ((VECTORS - 1) / (BLOCK * EACH) - blockIdx.x) * (BLOCK * EACH) + threadIdx.x;
    float values[EACH][COUNT];
#if RESIDUAL
    float added[EACH][COUNT];
#endif
#pragma unroll
    for (int n = 0; n < EACH; ++n) {
        unsigned int place = first + n * BLOCK;
        if (place >= VECTORS) break;
        widen(x[place], values[n]);
#if RESIDUAL
        widen(residual[place], added[n]);
#endif
    }
#pragma unroll
    for (int n = 0; n < EACH; ++n) {
        unsigned int place = first + n * BLOCK;
        if (place >= VECTORS) break;
#if BIAS
        float offsets[COUNT];
        load_bias(bias, place, offsets);
#endif
        slots made;
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            float v = values[n][i];
#if BIAS
            v += offsets[i];
#endif
#if RESIDUAL && !AFTER
            v += added[n][i];
#endif
            v = activated(v);
#if RESIDUAL && AFTER
            v += added[n][i];
#endif
            values[n][i] = v;
        }
#pragma unroll
        for (int i = 0; i < SLOTS; ++i) made.words[i] = pack(values[n] + i * PER_WORD);
        y[place] = made.whole;
    }
}
