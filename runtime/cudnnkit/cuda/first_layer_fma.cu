// A convolution of up to four channels in float32, NCHW or NHWC, with fused multiply-adds alone: the first layer of a
// network on images where nothing may be rounded to TF32.
//
// A thread makes ROWS by COLUMNS pixels of the result and HELD filters, so that what it loads from shared memory serves
// many products. GROUPS threads, side by side in a warp, have the same pixels and other filters; a block makes tiles of
// TILE_H by TILE_W pixels and PART filters, one after the other. The image under a tile lies in shared memory as
// [channel][row][column], the filters as [channel][tap][filter]. What a row of taps meets is loaded once for all of
// them. Each sum is over channels, then taps, in that order. Constants come before this text.

#define COLUMNS 4
#define HELD 16
#define GROUPS (PART / HELD)
#define ACROSS (TILE_W / COLUMNS)  // threads along the width
#define TAPS (TAPS_H * TAPS_W)
#define PATCH_H ((TILE_H - 1) * STRIDE_H + (TAPS_H - 1) * DILATION_H + 1)
#define PATCH_W ((TILE_W - 1) * STRIDE_W + (TAPS_W - 1) * DILATION_W + 1)
#define ELEMENTS (CHANNELS * PATCH_H * PATCH_W)
#define LOADS ((ELEMENTS + BLOCK - 1) / BLOCK)
#define AHEAD (LOADS <= 6)  // the image under the next tile is on its way while a tile is made
#define ROUND (LOADS < 8 ? LOADS : 8)
#define WINDOW ((COLUMNS - 1) * STRIDE_W + (TAPS_W - 1) * DILATION_W + 1)
#define SLIDING (WINDOW <= 24)  // what a row of taps meets fits into registers
#define VECTORS ((WINDOW + 3) / 4)
#define ACROSS_TILES ((OUT_WIDTH + TILE_W - 1) / TILE_W)
#define DOWN_TILES ((OUT_HEIGHT + TILE_H - 1) / TILE_H)
#define TILES (IMAGES * DOWN_TILES * ACROSS_TILES)

static_assert(BLOCK * ROWS * COLUMNS * HELD == TILE_H * TILE_W * PART, "every element of a tile has its thread");
static_assert(PITCH % 4 == 0 && PITCH >= PATCH_W, "vectors of a row are aligned and end within it");

struct place {
    int image, top, left;  // of the result
};

__device__ inline place locate(int tile) {
    place p;
    p.left = tile % ACROSS_TILES * TILE_W;
    p.top = tile / ACROSS_TILES % DOWN_TILES * TILE_H;
    p.image = tile / ACROSS_TILES / DOWN_TILES;
    return p;
}

struct element {
    int channel, row, column;  // of the patch
};

// In the order in which they lie in memory.
__device__ inline element element_at(int index) {
    element e;
#if LAST
    e.channel = index % CHANNELS;
    e.column = index / CHANNELS % PATCH_W;
    e.row = index / CHANNELS / PATCH_W;
#else
    e.column = index % PATCH_W;
    e.row = index / PATCH_W % PATCH_H;
    e.channel = index / PATCH_W / PATCH_H;
#endif
    return e;
}

// This thread's elements of the patch under a tile, from the one after `done` on; zeros outside of the image.
__device__ inline void fetch(const float* x, place p, int done, float* found) {
    const int top = p.top * STRIDE_H - PAD_H, left = p.left * STRIDE_W - PAD_W;
#pragma unroll
    for (int i = 0; i < ROUND; ++i) {
        const int index = threadIdx.x + (done + i) * BLOCK;
        const element e = element_at(index);
        const int h = top + e.row, w = left + e.column;
        found[i] = 0;
        if (index < ELEMENTS && (unsigned)h < HEIGHT && (unsigned)w < WIDTH)
            found[i] = LAST ? x[((p.image * HEIGHT + h) * WIDTH + w) * CHANNELS + e.channel]
                            : x[((p.image * CHANNELS + e.channel) * HEIGHT + h) * WIDTH + w];
    }
}

__device__ inline void put(const float* found, int done, float* patch) {
#pragma unroll
    for (int i = 0; i < ROUND; ++i) {
        const int index = threadIdx.x + (done + i) * BLOCK;
        const element e = element_at(index);
        if (index < ELEMENTS) patch[(e.channel * PATCH_H + e.row) * PITCH + e.column] = found[i];
    }
}

__device__ inline void load(const float* from, float* to) {
    const float4 v = *(const float4*)from;
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = v.w;
}

__device__ inline void store(float* to, const float* from) {
    float4 v;
    v.x = from[0];
    v.y = from[1];
    v.z = from[2];
    v.w = from[3];
    *(float4*)to = v;
}

// Four pixels of a row of the result, of the thread's filters: vectors of filter `first`, and every GROUPS further on.
__device__ inline void finish(float* y, int image, int h, int w, float (*sums)[HELD], const float* bias, int first) {
    if (h >= OUT_HEIGHT || w >= OUT_WIDTH) return;
#pragma unroll
    for (int j = 0; j < HELD / 4; ++j) {
        const int filter = first + j * 4 * GROUPS;
        float added[4];
        load(bias + j * 4 * GROUPS, added);
#if LAST
#pragma unroll
        for (int p = 0; p < COLUMNS; ++p) {
            float made[4];
#pragma unroll
            for (int e = 0; e < 4; ++e) made[e] = activated(sums[p][j * 4 + e] + added[e]);
            if (w + p >= OUT_WIDTH || filter >= FILTERS) continue;
            float* to = y + ((image * OUT_HEIGHT + h) * OUT_WIDTH + w + p) * FILTERS + filter;
            if (WHOLE) {
                store(to, made);
                continue;
            }
#pragma unroll
            for (int e = 0; e < 4; ++e)
                if (filter + e < FILTERS) to[e] = made[e];
        }
#else
#pragma unroll
        for (int e = 0; e < 4; ++e) {
            if (filter + e >= FILTERS) continue;
            float made[COLUMNS];
#pragma unroll
            for (int p = 0; p < COLUMNS; ++p) made[p] = activated(sums[p][j * 4 + e] + added[e]);
            float* to = y + ((image * FILTERS + filter + e) * OUT_HEIGHT + h) * OUT_WIDTH + w;
            if (WHOLE) {
                store(to, made);
                continue;
            }
#pragma unroll
            for (int p = 0; p < COLUMNS; ++p)
                if (w + p < OUT_WIDTH) to[p] = made[p];
        }
#endif
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK, RESIDENT)
    first_layer_fma(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b,
                    float* __restrict__ y) {
    alignas(16) __shared__ float patch[CHANNELS * PATCH_H * PITCH];
    alignas(16) __shared__ float filters[CHANNELS * TAPS * PART];
    alignas(16) __shared__ float bias[PART];
    // Neighbours in pairs have the same filters, every other pair the same pixels: vectors that are loaded from shared
    // memory serve at least two threads of the eight that are served at once.
    const int group = threadIdx.x / 2 % GROUPS, pixel = threadIdx.x % 2 + threadIdx.x / (2 * GROUPS) * 2;
    const int column = pixel % ACROSS * COLUMNS, row = pixel / ACROSS * ROWS;
    const int part = blockIdx.x % PARTS * PART;
    for (int i = threadIdx.x; i < PART; i += BLOCK) bias[i] = BIAS && part + i < FILTERS ? b[part + i] : 0;
    for (int i = threadIdx.x; i < CHANNELS * TAPS * PART; i += BLOCK) {
        const int filter = part + i % PART, tap = i / PART % TAPS, c = i / PART / TAPS;
        const int at = MIRRORED ? TAPS - 1 - tap : tap;
        filters[i] = filter < FILTERS ? w[filter * W_K + c * W_C + at / TAPS_W * W_H + at % TAPS_W * W_W] : 0;
    }
#if AHEAD
    float found[ROUND];
    fetch(x, locate(blockIdx.x / PARTS), 0, found);
#endif
    for (int tile = blockIdx.x / PARTS; tile < TILES; tile += STEP) {
        const place p = locate(tile);
#if AHEAD
        __syncthreads();  // the tile before is done with
        put(found, 0, patch);
        __syncthreads();
        if (tile + STEP < TILES) fetch(x, locate(tile + STEP), 0, found);
#else
#pragma unroll 1
        for (int done = 0; done < LOADS; done += ROUND) {
            float found[ROUND];
            fetch(x, p, done, found);
            if (done == 0) __syncthreads();
            put(found, done, patch);
        }
        __syncthreads();
#endif
        float sums[ROWS][COLUMNS][HELD] = {};
#pragma unroll 1
        for (int c = 0; c < CHANNELS; ++c) {
#pragma unroll (TAPS <= 9 ? TAPS_H : 1)
            for (int r = 0; r < TAPS_H; ++r) {
                const float* from = patch + (c * PATCH_H + row * STRIDE_H + r * DILATION_H) * PITCH + column * STRIDE_W;
                const float* filter = filters + (c * TAPS + r * TAPS_W) * PART + group * 4;
#if SLIDING
                float image[ROWS][VECTORS * 4];
#pragma unroll
                for (int i = 0; i < ROWS; ++i)
#pragma unroll
                    for (int v = 0; v < VECTORS; ++v) load(from + i * STRIDE_H * PITCH + v * 4, image[i] + v * 4);
#define IMAGE(i, s, p) image[i][(s) * DILATION_W + (p) * STRIDE_W]
#else
#define IMAGE(i, s, p) from[(i) * STRIDE_H * PITCH + (s) * DILATION_W + (p) * STRIDE_W]
#endif
#pragma unroll (SLIDING ? TAPS_W : 1)
                for (int s = 0; s < TAPS_W; ++s) {
                    float weights[HELD];
#pragma unroll
                    for (int j = 0; j < HELD / 4; ++j) load(filter + s * PART + j * 4 * GROUPS, weights + j * 4);
#pragma unroll
                    for (int i = 0; i < ROWS; ++i)
#pragma unroll
                        for (int p = 0; p < COLUMNS; ++p) {
                            const float value = IMAGE(i, s, p);
#pragma unroll
                            for (int f = 0; f < HELD; ++f) sums[i][p][f] = fmaf(value, weights[f], sums[i][p][f]);
                        }
                }
            }
        }
#pragma unroll
        for (int i = 0; i < ROWS; ++i)
            finish(y, p.image, p.top + row + i, p.left + column, sums[i], bias + group * 4, part + group * 4);
    }
}
