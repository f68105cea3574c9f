// Pooling of dense images, forward and backward. One thread makes VECTOR bytes of the result: channels that lie side by
// side (NHWC), or one element (NCHW, whose planes count as images of one channel). Elements that windows share come from
// the caches, so that memory is read once. Constants come before this text.

__device__ inline slots load(const vector* from, int place) {
    slots found;
    found.words[0] = 0;
    found.whole = from[place];
    return found;
}

__device__ inline void widen(const slots& from, float* to) {
#pragma unroll
    for (int i = 0; i < SLOTS; ++i) unpack(from.words[i], to + i * PER_WORD);
}

__device__ inline vector narrow(const float* from) {
    slots made;
#pragma unroll
    for (int i = 0; i < SLOTS; ++i) made.words[i] = pack(from + i * PER_WORD);
    return made.whole;
}

__device__ inline bool is_nan(float x) { return x != x; }

struct place {
    int vector, w, h, d, image;
};

__device__ inline place locate(int index, int depth, int height, int width) {
    place p;
    p.vector = index % VECTORS; index /= VECTORS;
    p.w = index % width; index /= width;
    p.h = index % height; index /= height;
    p.d = index % depth;
    p.image = index / depth;
    return p;
}

__device__ inline int offset(const place& p, int depth, int height, int width, int d, int h, int w) {
    return (((p.image * depth + d) * height + h) * width + w) * VECTORS + p.vector;
}

__device__ inline int inside(int first, int window, int size) {
    return min(first + window, size) - max(first, 0);
}

// One part of a window's mean for each of its elements.
__device__ inline float share(int d, int h, int w) {
#if EXCLUDE
    return 1.0f / (inside(d * STRIDE_D - PAD_D, WINDOW_D, DEPTH) * inside(h * STRIDE_H - PAD_H, WINDOW_H, HEIGHT) *
                   inside(w * STRIDE_W - PAD_W, WINDOW_W, WIDTH));
#else
    return 1.0f / (WINDOW_D * WINDOW_H * WINDOW_W);
#endif
}

#if !BACKWARD

extern "C" __global__ void __launch_bounds__(BLOCK) pool(const vector* x, vector* y) {
    int index = blockIdx.x * BLOCK + threadIdx.x;
    if (index >= RESULTS) return;
    place p = locate(index, OUT_DEPTH, OUT_HEIGHT, OUT_WIDTH);
#if MAXIMUM
    slots best;
    for (int i = 0; i < SLOTS; ++i) best.words[i] = LOWEST;
#else
    float total[COUNT] = {};
#endif
#pragma unroll (UNROLLED ? WINDOW_D : 1)
    for (int i = 0; i < WINDOW_D; ++i) {
#pragma unroll (UNROLLED ? WINDOW_H : 1)
        for (int j = 0; j < WINDOW_H; ++j) {
#pragma unroll (UNROLLED ? WINDOW_W : 4)
            for (int k = 0; k < WINDOW_W; ++k) {
                int d = p.d * STRIDE_D - PAD_D + i, h = p.h * STRIDE_H - PAD_H + j, w = p.w * STRIDE_W - PAD_W + k;
                if ((unsigned)d >= DEPTH || (unsigned)h >= HEIGHT || (unsigned)w >= WIDTH) continue;
                slots found = load(x, offset(p, DEPTH, HEIGHT, WIDTH, d, h, w));
#if MAXIMUM
                for (int s = 0; s < SLOTS; ++s) best.words[s] = larger(best.words[s], found.words[s]);
#else
                float values[COUNT];
                widen(found, values);
                for (int e = 0; e < COUNT; ++e) total[e] += values[e];
#endif
            }
        }
    }
#if MAXIMUM
    y[index] = best.whole;
#else
    float part = share(p.d, p.h, p.w);
    for (int e = 0; e < COUNT; ++e) total[e] *= part;
    y[index] = narrow(total);
#endif
}

#else

// Windows that hold an element: first and one past the last along an axis.
__device__ inline int first_window(int at, int window, int stride) {
    return at < window ? 0 : (at - window) / stride + 1;
}

__device__ inline int past_window(int at, int stride, int count) { return min(at / stride + 1, count); }

extern "C" __global__ void __launch_bounds__(BLOCK)
    pool_backward(const vector* dy, const vector* y, const vector* x, vector* dx) {
    int index = blockIdx.x * BLOCK + threadIdx.x;
    if (index >= ELEMENTS) return;
    place p = locate(index, DEPTH, HEIGHT, WIDTH);
    float total[COUNT] = {};
#if MAXIMUM
    float mine[COUNT];
    widen(load(x, index), mine);
#endif
    int d0 = first_window(p.d + PAD_D, WINDOW_D, STRIDE_D), d1 = past_window(p.d + PAD_D, STRIDE_D, OUT_DEPTH);
    int h0 = first_window(p.h + PAD_H, WINDOW_H, STRIDE_H), h1 = past_window(p.h + PAD_H, STRIDE_H, OUT_HEIGHT);
    int w0 = first_window(p.w + PAD_W, WINDOW_W, STRIDE_W), w1 = past_window(p.w + PAD_W, STRIDE_W, OUT_WIDTH);
    for (int i = d0; i < d1; ++i)
        for (int j = h0; j < h1; ++j)
            for (int k = w0; k < w1; ++k) {
                int at = offset(p, OUT_DEPTH, OUT_HEIGHT, OUT_WIDTH, i, j, k);
                float slope[COUNT];
#if MAXIMUM
                // The first element that is the maximum, or NaN, takes the gradient: is it this one?
                float top[COUNT];
                widen(load(y, at), top);
                unsigned open = 0;
                for (int e = 0; e < COUNT; ++e)
                    if (mine[e] == top[e] || is_nan(mine[e])) open |= 1u << e;
                for (int d = max(i * STRIDE_D - PAD_D, 0); open && d <= p.d; ++d)
                    for (int h = max(j * STRIDE_H - PAD_H, 0); open && h < min(j * STRIDE_H - PAD_H + WINDOW_H, HEIGHT);
                         ++h)
                        for (int w = max(k * STRIDE_W - PAD_W, 0);
                             open && w < min(k * STRIDE_W - PAD_W + WINDOW_W, WIDTH); ++w) {
                            if (d == p.d && (h > p.h || (h == p.h && w >= p.w))) break;
                            float earlier[COUNT];
                            widen(load(x, offset(p, DEPTH, HEIGHT, WIDTH, d, h, w)), earlier);
                            for (int e = 0; e < COUNT; ++e)
                                if (earlier[e] == top[e] || is_nan(earlier[e])) open &= ~(1u << e);
                        }
                if (!open) continue;
                widen(load(dy, at), slope);
                for (int e = 0; e < COUNT; ++e)
                    if (open >> e & 1) total[e] += slope[e];
#else
                float part = share(i, j, k);
                widen(load(dy, at), slope);
                for (int e = 0; e < COUNT; ++e) total[e] += part * slope[e];
#endif
            }
    dx[index] = narrow(total);
}

#endif
