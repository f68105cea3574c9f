// The filter gradient of a convolution of up to four channels: a matrix product of dy's transpose (GROUP filters, in
// tiles of 16) with the image under the taps (columns, in tiles of 8) over all pixels of dy, which are read once.
//
// A tile of columns is two neighbouring taps of four channels each. For it the image lies in shared memory in units:
// the four channels of a pixel, and those of the pixel one tap further. A unit is a row of the matrices that ldmatrix
// takes, whatever stride and dilation are. Columns of a tap or a channel that is none hold anything; they are dropped.
//
// A block takes every SPLITS-th tile of TILE_H by TILE_W pixels and adds up in registers; ACROSS of its warps share the
// columns, ALONG of them the pixels. While it multiplies, the next tile is on its way: dy straight into shared memory,
// the image, whose pixels have odd sizes, through registers. Each block leaves its sums in `parts`, which a second
// kernel adds up in a fixed order: every run gives the same bits. Constants come before this text.

#define THREADS (WARPS * 32)
#define ALONG (WARPS / ACROSS)
#define DEPTH (SIZE == 2 ? 16 : 8)              // pixels of one product
#define ROWS (GROUP / 16)                       // tiles of filters
#define PAIRS ((TAPS_W + 1) / 2)
#define COLUMNS (TAPS_H * PAIRS)                // tiles of columns
#define MINE ((COLUMNS + ACROSS - 1) / ACROSS)  // of a warp
#define LOADED (SIZE == 2 ? 2 : 1)              // tiles of columns that are loaded at once
#define LOADS ((MINE + LOADED - 1) / LOADED)
#define UNIT (8 * SIZE)
#define PITCH (STRIDE_W * SEGMENT)              // units of a row of the patch
#define CHUNKS (GROUP * SIZE / 16)              // of 16 bytes: a pixel of dy
#define SLOPE (GROUP * SIZE + 8 * SIZE)         // its bytes in shared memory: padded, so that rows lie in other banks
#define COPIED (THREADS / CHUNKS)               // pixels that the threads copy at once
#define COPIES ((TILE_H * TILE_W + COPIED - 1) / COPIED)
#define SLOPES (TILE_H * TILE_W * SLOPE)
#define PATCH (PATCH_H * PITCH * UNIT)
#define PIXELS (PATCH_H * PATCH_W)
#define HELD ((PIXELS + THREADS - 1) / THREADS)
#define ACROSS_TILES ((OUT_WIDTH + TILE_W - 1) / TILE_W)
#define DOWN_TILES ((OUT_HEIGHT + TILE_H - 1) / TILE_H)
#define TILES (IMAGES * DOWN_TILES * ACROSS_TILES)
#define WEIGHTS (TAPS_H * TAPS_W * CHANNELS)    // of a filter
#define FX 32                                   // weights and threads along the parts of a block that adds parts up
#define FY 16

static_assert(2 * (SLOPES + PATCH) <= SPACE && (ALONG == 1 || 512 * ACROSS * ROWS * MINE <= SPACE), "shared memory");

#if SIZE == 2
typedef unsigned short element;
#else
typedef unsigned int element;
#endif

struct alignas(CHANNELS == 3 ? SIZE : CHANNELS * SIZE) pixel {
    element of[CHANNELS];
};

struct alignas(4 * SIZE) quad {
    element of[4];
};

struct place {
    int image, row, column;  // of dy
};

__device__ inline place locate(unsigned tile) {
    place p;
    p.column = tile % ACROSS_TILES * TILE_W;
    tile /= ACROSS_TILES;
    p.row = tile % DOWN_TILES * TILE_H;
    p.image = tile / DOWN_TILES;
    return p;
}

// A tile of dy on its way into shared memory.
__device__ inline void start_slopes(const element* dy, unsigned char* to, place p) {
    unsigned chunk = threadIdx.x % CHUNKS, first = threadIdx.x / CHUNKS;
    unsigned filter = blockIdx.y * GROUP + chunk * 16 / SIZE;
    const element* from = dy + (((unsigned)p.image * OUT_HEIGHT + p.row) * OUT_WIDTH + p.column) * FILTERS + filter;
    unsigned high = OUT_HEIGHT - p.row, wide = filter < FILTERS ? OUT_WIDTH - p.column : 0;
    to += first * SLOPE + chunk * 16;
#pragma unroll
    for (unsigned i = 0; i < COPIES; ++i) {
        unsigned at = first + i * COPIED, row = at / TILE_W, column = at % TILE_W;
        if (THREADS % CHUNKS && first >= COPIED) continue;
        if (TILE_H * TILE_W % COPIED && at >= TILE_H * TILE_W) continue;
        bool inside = row < high && column < wide;
        copy_async(to + i * COPIED * SLOPE, inside ? from + (row * OUT_WIDTH + column) * FILTERS : dy, inside);
    }
}

// This thread's pixels of the image under a tile, zeros outside of it.
__device__ inline void fetch(const pixel* x, pixel* held, place p) {
    int top = p.row * STRIDE_H - PAD_H, left = p.column * STRIDE_W - PAD_W;
#pragma unroll
    for (int i = 0; i < HELD; ++i) {
        unsigned at = threadIdx.x + i * THREADS;
        int h = top + (int)(at / PATCH_W), w = left + (int)(at % PATCH_W);
        held[i] = pixel();
        if (at < PIXELS && (unsigned)h < HEIGHT && (unsigned)w < WIDTH)
            held[i] = x[((unsigned)p.image * HEIGHT + h) * WIDTH + w];
    }
}

// Where a pixel's unit begins: of a stride's pixels those that one tap meets lie side by side.
__device__ inline unsigned unit(unsigned row, unsigned column) {
    return (row * PITCH + column % STRIDE_W * SEGMENT + column / STRIDE_W) * UNIT;
}

__device__ inline void store(const pixel* held, unsigned char* patch) {
#pragma unroll
    for (int i = 0; i < HELD; ++i) {
        unsigned at = threadIdx.x + i * THREADS, row = at / PATCH_W, column = at % PATCH_W;
        quad made = quad();
#pragma unroll
        for (int c = 0; c < CHANNELS; ++c) made.of[c] = SIZE == 2 ? held[i].of[c] : to_tf32(held[i].of[c]);
        if (at >= PIXELS) continue;
        *(quad*)(patch + unit(row, column)) = made;
        if (column >= DILATION_W) *(quad*)(patch + unit(row, column - DILATION_W) + UNIT / 2) = made;
    }
}

// What of a word stays of pixels `first` and, in 16 bits, the next, where only `left` pixels belong to dy. Beyond them
// dy is zero, and zero times an infinite pixel would be NaN.
__device__ inline unsigned mask(int first, int left) {
    return SIZE == 4 ? (first < left ? ~0u : 0u) : (first < left ? 0xffffu : 0u) | (first + 1 < left ? ~0xffffu : 0u);
}

// This lane's part of LOADED tiles of columns, and of a tile of filters; `from` is where the product's pixels begin.
__device__ inline void load_columns(const unsigned char* from, unsigned* to) {
#if SIZE == 2
    load_matrices(from, to);
#else
    to[0] = *(const unsigned*)from;
    to[1] = *(const unsigned*)(from + 4 * UNIT);
#endif
}

__device__ inline void load_filters(const unsigned char* from, unsigned* to) {
#if SIZE == 2
    load_matrices(from, to);
#else
    to[0] = to_tf32(*(const unsigned*)from);
    to[1] = to_tf32(*(const unsigned*)(from + 8 * SIZE));
    to[2] = to_tf32(*(const unsigned*)(from + 4 * SLOPE));
    to[3] = to_tf32(*(const unsigned*)(from + 4 * SLOPE + 8 * SIZE));
#endif
}

// Where this lane reads, from where the product's pixels begin.
__device__ inline unsigned column_offset(unsigned tile) {
    if (SIZE == 2) tile += LANE / 16;
    tile = tile < COLUMNS ? tile : COLUMNS - 1;
    unsigned tap = unit(tile / PAIRS * DILATION_H, tile % PAIRS * 2 * DILATION_W);
    return tap + (SIZE == 2 ? LANE % 16 * UNIT : LANE % 4 * UNIT + LANE / 4 * SIZE);
}

__device__ inline unsigned filter_offset() {
    return SIZE == 2 ? (LANE / 16 * 8 + LANE % 8) * SLOPE + LANE / 8 % 2 * 16 : LANE % 4 * SLOPE + LANE / 4 * SIZE;
}

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT)
    gradient(const pixel* x, const element* dy, float* parts) {
    alignas(128) __shared__ unsigned char space[SPACE];
    unsigned across = threadIdx.x / 32 % ACROSS, along = threadIdx.x / 32 / ACROSS;
    float sums[ROWS * MINE][4] = {};
    unsigned columns[LOADS], filters = filter_offset();
    keep(filters);
#pragma unroll
    for (int j = 0; j < LOADS; ++j) {
        columns[j] = column_offset(across * MINE + j * LOADED);
        keep(columns[j]);
    }

    pixel held[HELD];
    unsigned turn = 0;
    start_slopes(dy, space, locate(blockIdx.x));
    close_copies();
    fetch(x, held, locate(blockIdx.x));
    store(held, space + 2 * SLOPES);
    for (unsigned tile = blockIdx.x; tile < TILES; tile += SPLITS, turn ^= 1) {
        bool more = tile + SPLITS < TILES;
        if (more) {
            place next = locate(tile + SPLITS);
            start_slopes(dy, space + (turn ^ 1) * SLOPES, next);
            fetch(x, held, next);
        }
        close_copies();
        await_copies();
        __syncthreads();
        place p = locate(tile);
        const unsigned char *slopes = space + turn * SLOPES + filters, *patch = space + 2 * SLOPES + turn * PATCH;
#pragma unroll 1
        for (unsigned step = along; step < TILE_H * TILE_W / DEPTH; step += ALONG) {
            unsigned row = step / (TILE_W / DEPTH), column = step % (TILE_W / DEPTH) * DEPTH;
            int left = OUT_WIDTH - p.column - (int)column;
            if (p.row + row >= OUT_HEIGHT || left <= 0) continue;
            const unsigned char* a = slopes + step * DEPTH * SLOPE;
            const unsigned char* b = patch + (row * STRIDE_H * PITCH + column) * UNIT;
            unsigned image[LOADS * LOADED][2];
#pragma unroll
            for (int j = 0; j < LOADS; ++j) load_columns(b + columns[j], image[j * LOADED]);
#if OUT_WIDTH % DEPTH
            if (left < DEPTH) {
                int first = LANE % 4 * (4 / SIZE);
#pragma unroll
                for (int j = 0; j < MINE; ++j) {
                    image[j][0] &= mask(first, left);
                    image[j][1] &= mask(first + DEPTH / 2, left);
                }
            }
#endif
#pragma unroll
            for (int i = 0; i < ROWS; ++i) {
                unsigned slope[4];
                load_filters(a + i * 16 * SIZE, slope);
#pragma unroll
                for (int j = 0; j < MINE; ++j) multiply(sums[i * MINE + j], slope, image[j]);
            }
        }
        if (more) store(held, space + 2 * SLOPES + (turn ^ 1) * PATCH);
        __syncthreads();
    }

    // Warps that shared the pixels, one after the other.
#pragma unroll 1
    for (unsigned other = 1; other < ALONG; ++other) {
        float* kept = (float*)space + across * ROWS * MINE * 4 * 32 + LANE;
#pragma unroll
        for (int e = 0; e < ROWS * MINE * 4; ++e)
            if (along == other) kept[e * 32] = sums[e / 4][e % 4];
        __syncthreads();
#pragma unroll
        for (int e = 0; e < ROWS * MINE * 4; ++e)
            if (along == 0) sums[e / 4][e % 4] += kept[e * 32];
        __syncthreads();
    }
    if (along) return;
#pragma unroll
    for (int i = 0; i < ROWS; ++i)
#pragma unroll
        for (int j = 0; j < MINE; ++j)
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                unsigned tile = across * MINE + j, column = LANE % 4 * 2 + e % 2, c = column % 4;
                unsigned h = tile / PAIRS, w = tile % PAIRS * 2 + column / 4;
                unsigned filter = blockIdx.y * GROUP + i * 16 + LANE / 4 + e / 2 * 8;
                if (h >= TAPS_H || w >= TAPS_W || c >= CHANNELS || filter >= FILTERS) continue;
                unsigned tap = MIRRORED ? TAPS_H * TAPS_W - 1 - (h * TAPS_W + w) : h * TAPS_W + w;
                parts[((size_t)blockIdx.x * FILTERS + filter) * WEIGHTS + tap * CHANNELS + c] = sums[i * MINE + j][e];
            }
}

extern "C" __global__ void __launch_bounds__(FX* FY) finish_gradient(const float* parts, element* dw) {
    __shared__ double sums[FY * FX];
    unsigned tx = threadIdx.x % FX, ty = threadIdx.x / FX, weight = blockIdx.x * FX + tx;
    double sum = 0;
    if (weight < FILTERS * WEIGHTS) {
#pragma unroll 8
        for (unsigned split = ty; split < SPLITS; split += FY) sum += parts[(size_t)split * FILTERS * WEIGHTS + weight];
    }
    sums[ty * FX + tx] = sum;
    __syncthreads();
    if (ty || weight >= FILTERS * WEIGHTS) return;
    for (int other = 1; other < FY; ++other) sum += sums[other * FX + tx];
    float found[2] = {(float)sum, 0};
    dw[weight] = (element)pack(found);
}
