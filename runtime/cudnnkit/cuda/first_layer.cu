// A convolution of up to four channels, NHWC: the first layer of a network on images. It is a matrix product of pixels
// of the result (rows, in tiles of 16 along the width) with filters (columns, in tiles of 8) over taps, four at a time,
// of four channels each; channels that the image lacks are zeros. Such a layer has few products for each element of the
// result, so that writing it is what should take the time.
//
// A block makes tiles of TILE_H by TILE_W pixels and PART filters, one after the other. The image under a tile lies in
// shared memory as quads, the four channels of a pixel. One quad is what a thread gives to a product for a row and a
// tap, or for a filter and a tap: the sum is over taps and channels in any order, if both factors have the same. Which
// filter is which column is free as well: a thread's columns are HELD filters side by side, a store of 16 bytes.
// Constants come before this text.

#define WARPS (BLOCK / 32)
#define TAPS (TAPS_H * TAPS_W)
#define GROUPS ((TAPS + 3) / 4)
#define HELD (16 / SIZE)
#define CHUNK (4 * HELD)      // filters of a store by the four threads that share a row
#define COLUMNS (PART / 8)    // tiles of filters
#define EACH (HELD / 2)       // of a chunk
#define ACROSS (TILE_W / 16)  // tiles of pixels along the width
#define MINE (TILE_H * ACROSS / WARPS)
#define PATCH_H ((TILE_H - 1) * STRIDE_H + (TAPS_H - 1) * DILATION_H + 1)
#define PATCH_W ((TILE_W - 1) * STRIDE_W + (TAPS_W - 1) * DILATION_W + 1)
#define PIXELS (PATCH_H * PATCH_W)
#define NOTHING (PATCH_H * PITCH)  // where a quad of zeros lies
#define LOADS ((PIXELS + BLOCK - 1) / BLOCK)
#define MOST (BLOCK * RESIDENT > 512 ? 3 : 8)
#define ROUND (AHEAD || LOADS < MOST ? LOADS : MOST)  // pixels that a thread has on their way
#define ACROSS_TILES ((OUT_WIDTH + TILE_W - 1) / TILE_W)
#define DOWN_TILES ((OUT_HEIGHT + TILE_H - 1) / TILE_H)
#define TILES (IMAGES * DOWN_TILES * ACROSS_TILES)

static_assert(MINE % TOGETHER == 0 && TILE_H * ACROSS % WARPS == 0, "tiles of pixels are shared evenly");

#if SIZE == 2
typedef unsigned short element;
typedef uint2 quad;
#else
typedef unsigned int element;
typedef uint4 quad;
#endif
typedef uint4 vector;

struct alignas(PIXEL_ALIGNMENT) pixel {
    element of[CHANNELS];
};

__device__ inline quad quad_of(const pixel& from) {
    element e[4] = {};
    quad made;
#pragma unroll
    for (int c = 0; c < CHANNELS; ++c) e[c] = from.of[c];
#if SIZE == 2
    made.x = e[0] | (unsigned)e[1] << 16;
    made.y = e[2] | (unsigned)e[3] << 16;
#else
    made.x = to_tf32(e[0]);
    made.y = to_tf32(e[1]);
    made.z = to_tf32(e[2]);
    made.w = to_tf32(e[3]);
#endif
    return made;
}

// Products of four taps: rows LANE / 4 and 8 below, taps LANE % 4; filter LANE / 4 of eight.
__device__ inline void add(float* sums, const quad& upper, const quad& lower, const quad& filter) {
    unsigned a[4] = {upper.x, lower.x, upper.y, lower.y}, b[2] = {filter.x, filter.y};
    multiply(sums, a, b);
#if SIZE == 4
    unsigned c[4] = {upper.z, lower.z, upper.w, lower.w}, d[2] = {filter.z, filter.w};
    multiply(sums, c, d);
#endif
}

__device__ inline float wide(element from) {
    float found[2];
    unpack(from, found);
    return found[0];
}

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

// This thread's pixels of the patch under a tile, from the one after `done` on; zeros outside of the image.
__device__ inline void fetch(const pixel* x, place p, int done, pixel* found) {
    int top = p.top * STRIDE_H - PAD_H, left = p.left * STRIDE_W - PAD_W;
#pragma unroll
    for (int i = 0; i < ROUND; ++i) {
        int index = threadIdx.x + (done + i) * BLOCK, h = top + index / PATCH_W, w = left + index % PATCH_W;
        found[i] = pixel();
        if (index < PIXELS && (unsigned)h < HEIGHT && (unsigned)w < WIDTH)
            found[i] = x[(p.image * HEIGHT + h) * WIDTH + w];
    }
}

__device__ inline void put(const pixel* found, int done, quad* patch) {
#pragma unroll
    for (int i = 0; i < ROUND; ++i) {
        int index = threadIdx.x + (done + i) * BLOCK;
        if (index < PIXELS) patch[index / PATCH_W * PITCH + index % PATCH_W] = quad_of(found[i]);
    }
}

// The quad of a tap of a filter, zeros where there is none.
__device__ inline quad filter_of(const element* w, int filter, int tap) {
    pixel found = {};
    int at = MIRRORED ? TAPS - 1 - tap : tap;
    if (filter < FILTERS && tap < TAPS) {
#pragma unroll
        for (int c = 0; c < CHANNELS; ++c)
            found.of[c] = w[filter * W_K + c * W_C + at / TAPS_W * W_H + at % TAPS_W * W_W];
    }
    return quad_of(found);
}

// Which filter, of the block's, is column `place` of a tile of columns.
__device__ inline int filter_at(int column, int place) {
    return column / EACH * CHUNK + place / 2 * HELD + column % EACH * 2 + place % 2;
}

// Where a tap lies in the patch, from the pixel of the first tap; -1 for none.
__device__ inline int offset_of(int tap) {
    return tap < TAPS ? tap / TAPS_W * DILATION_H * PITCH + tap % TAPS_W * DILATION_W : -1;
}

// A row of the result: 8 pixels below `sums` are others.
__device__ inline void store(vector* to, float (*sums)[4], int half, const float* bias, int first) {
#pragma unroll
    for (int chunk = 0; chunk < PART / CHUNK; ++chunk) {
        union {
            word words[4];
            vector whole;
        } made;
        float value[HELD];
#pragma unroll
        for (int e = 0; e < HELD; ++e)
            value[e] = activated(sums[chunk * EACH + e / 2][half * 2 + e % 2] + bias[chunk * CHUNK + e]);
#pragma unroll
        for (int i = 0; i < 4; ++i) made.words[i] = pack(value + i * (HELD / 4));
        if (FILTERS % PART && first + chunk * CHUNK >= FILTERS) continue;
        to[chunk * 4] = made.whole;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK, RESIDENT)
    first_layer(const pixel* __restrict__ x, const element* __restrict__ w, const element* __restrict__ b,
                vector* __restrict__ y) {
    __shared__ quad patch[NOTHING + 1];
    const int warp = threadIdx.x / 32, t = LANE % 4, g = LANE / 4, part = blockIdx.x % PARTS * PART;
    const int first = part + t * HELD;  // of this thread's filters
    alignas(16) __shared__ float bias[PART];
    for (int i = threadIdx.x; i < PART; i += BLOCK) bias[i] = BIAS && part + i < FILTERS ? wide(b[part + i]) : 0;
#if IN_REGISTERS
    quad filters[GROUPS][COLUMNS];
    int offsets[GROUPS];
#pragma unroll
    for (int group = 0; group < GROUPS; ++group) {
        offsets[group] = offset_of(group * 4 + t);
#pragma unroll
        for (int n = 0; n < COLUMNS; ++n) filters[group][n] = filter_of(w, part + filter_at(n, g), group * 4 + t);
    }
#define FILTER(group, n) filters[group][n]
#define OFFSET(group) offsets[group]
#else
    __shared__ quad filters[GROUPS * COLUMNS * 32];
    __shared__ int offsets[GROUPS * 4];
    for (int i = threadIdx.x; i < GROUPS * COLUMNS * 32; i += BLOCK) {
        int lane = i % 32, n = i / 32 % COLUMNS, group = i / 32 / COLUMNS;
        filters[i] = filter_of(w, part + filter_at(n, lane / 4), group * 4 + lane % 4);
    }
    for (int tap = threadIdx.x; tap < GROUPS * 4; tap += BLOCK) offsets[tap] = offset_of(tap);
#define FILTER(group, n) filters[((group) * COLUMNS + (n)) * 32 + LANE]
#define OFFSET(group) offsets[(group) * 4 + t]
#endif
    if (threadIdx.x == 0) patch[NOTHING] = quad();

#if AHEAD
    pixel found[ROUND];
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
#pragma unroll
        for (int done = 0; done < LOADS; done += ROUND) {
            pixel found[ROUND];
            fetch(x, p, done, found);
            if (done == 0) __syncthreads();
            put(found, done, patch);
        }
        __syncthreads();
#endif
#pragma unroll 1
        for (int number = warp * MINE; number < (warp + 1) * MINE; number += TOGETHER) {
            if (p.top + number / ACROSS >= OUT_HEIGHT) break;
            float sums[TOGETHER][COLUMNS][4] = {};
            int base[TOGETHER];
#pragma unroll
            for (int i = 0; i < TOGETHER; ++i) {
                int row = (number + i) / ACROSS, column = (number + i) % ACROSS * 16 + g;
                base[i] = row * STRIDE_H * PITCH + column * STRIDE_W;
            }
#pragma unroll (IN_REGISTERS ? GROUPS : 4)
            for (int group = 0; group < GROUPS; ++group) {
                const int offset = OFFSET(group);
                const bool none = TAPS % 4 && group == GROUPS - 1 && offset < 0;
                quad upper[TOGETHER], lower[TOGETHER];
#pragma unroll
                for (int i = 0; i < TOGETHER; ++i) {
                    upper[i] = patch[none ? NOTHING : base[i] + offset];
                    lower[i] = patch[none ? NOTHING : base[i] + offset + 8 * STRIDE_W];
                }
#pragma unroll
                for (int n = 0; n < COLUMNS; ++n) {
                    const quad filter = FILTER(group, n);
#pragma unroll
                    for (int i = 0; i < TOGETHER; ++i) add(sums[i][n], upper[i], lower[i], filter);
                }
            }
#pragma unroll
            for (int i = 0; i < TOGETHER; ++i) {
                const int row = p.top + (number + i) / ACROSS, column = p.left + (number + i) % ACROSS * 16 + g;
                if (row >= OUT_HEIGHT) continue;
                vector* to = y + (((size_t)p.image * OUT_HEIGHT + row) * OUT_WIDTH + column) * (FILTERS / HELD) + first / HELD;
#pragma unroll
                for (int half = 0; half < 2; ++half)
                    if (column + half * 8 < OUT_WIDTH)
                        store(to + half * 8 * (FILTERS / HELD), sums[i], half, bias + t * HELD, first);
            }
        }
    }
}
