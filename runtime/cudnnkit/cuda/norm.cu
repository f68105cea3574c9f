// Batch normalisation of images whose channels lie side by side (NHWC): a matrix of ROWS pixels by CHANNELS. A block has
// TX vectors of 16 bytes along the channels and TY rows; SPLITS blocks share the rows, PER each. What they find is kept
// in `parts`, which one block for each few channels then puts together in a fixed order: every run gives the same bits.
// The second pass over an image goes backwards, so that it begins with what the first has left in the cache.
// Constants come before this text.

#define FX 16  // channels and threads along the splits of a block that puts parts together
#define FY 32

__device__ inline void widen(const vector& from, float* to) {
    slots made;
    made.whole = from;
#pragma unroll
    for (int i = 0; i < SLOTS; ++i) unpack(made.words[i], to + i * PER_WORD);
}

__device__ inline vector narrow(const float* from) {
    slots made;
#pragma unroll
    for (int i = 0; i < SLOTS; ++i) made.words[i] = pack(from + i * PER_WORD);
    return made.whole;
}

// Rows first + ty, first + ty + TY, ... below `end`, UNROLL of them (READS of one image) at a time: their loads overlap.
struct area {
    int tx, ty, column, first, end;
    bool inside;
};

__device__ inline area mine() {
    area a;
    a.tx = threadIdx.x % TX;
    a.ty = threadIdx.x / TX;
    a.column = blockIdx.x * TX + a.tx;
    a.first = blockIdx.y * PER;
    a.end = min(a.first + PER, ROWS);
    a.inside = a.ty < TY && a.column < VECTORS;
    return a;
}

__device__ inline void read(const float* from, int column, float* to) {
#pragma unroll
    for (int e = 0; e < COUNT; ++e) to[e] = from[column * COUNT + e];
}

__device__ inline void factors(const float* scale, const float* inverse, int column, float* factor) {
    float weight[COUNT];
    read(scale, column, weight);
    read(inverse, column, factor);
#pragma unroll
    for (int e = 0; e < COUNT; ++e) factor[e] *= weight[e];
}

// Rows of a block that threads with this ty see.
__device__ inline int seen(int rows, int ty) { return rows > ty ? (rows - ty + TY - 1) / TY : 0; }

__device__ inline int rows_of(int split) { return min(PER, ROWS - split * PER); }

#if !BACKWARD

// Means and sums of squares about them. Each thread sums differences from the first value it sees, and what threads and
// blocks have found is merged as by Chan, Golub and LeVeque: nothing is lost where a mean is far from zero.
extern "C" __global__ void __launch_bounds__(BLOCK, RESIDENT) statistics(const vector* x, float* parts) {
    __shared__ float means[TY * TX * COUNT], squares[TY * TX * COUNT];
    area a = mine();
    if (a.inside) {
        float start[COUNT], sum[COUNT], square[COUNT];
#pragma unroll
        for (int e = 0; e < COUNT; ++e) start[e] = sum[e] = square[e] = 0;
        int row = a.first + a.ty, count = seen(a.end - a.first, a.ty);
        if (row < a.end) widen(x[row * VECTORS + a.column], start);
        for (; row + (READS - 1) * TY < a.end; row += READS * TY) {
            vector found[READS];
#pragma unroll
            for (int u = 0; u < READS; ++u) found[u] = x[(row + u * TY) * VECTORS + a.column];
#pragma unroll
            for (int u = 0; u < READS; ++u) {
                float values[COUNT];
                widen(found[u], values);
#pragma unroll
                for (int e = 0; e < COUNT; ++e) {
                    float d = values[e] - start[e];
                    sum[e] += d;
                    square[e] += d * d;
                }
            }
        }
        for (; row < a.end; row += TY) {
            float values[COUNT];
            widen(x[row * VECTORS + a.column], values);
#pragma unroll
            for (int e = 0; e < COUNT; ++e) {
                float d = values[e] - start[e];
                sum[e] += d;
                square[e] += d * d;
            }
        }
        float share = count ? 1.0f / count : 0.0f;
        int at = (a.ty * TX + a.tx) * COUNT;
#pragma unroll
        for (int e = 0; e < COUNT; ++e) {
            means[at + e] = start[e] + sum[e] * share;
            squares[at + e] = square[e] - sum[e] * sum[e] * share;
        }
    }
    __syncthreads();
    int channel = blockIdx.x * TX * COUNT + threadIdx.x, rows = a.end - a.first;
    if (threadIdx.x >= TX * COUNT || channel >= CHANNELS) return;
    float base = means[threadIdx.x], sum = 0, square = 0;
    for (int ty = 0; ty < TY && ty < rows; ++ty) {
        float d = means[ty * TX * COUNT + threadIdx.x] - base;
        int n = seen(rows, ty);
        sum += n * d;
        square += squares[ty * TX * COUNT + threadIdx.x] + n * d * d;
    }
    parts[blockIdx.y * CHANNELS + channel] = base + sum / rows;
    parts[(SPLITS + blockIdx.y) * CHANNELS + channel] = square - sum * sum / rows;
}

extern "C" __global__ void __launch_bounds__(FX* FY)
    finish_statistics(const float* parts, float* mean, float* inverse, float* running_mean, float* running_variance,
                      float momentum) {
    __shared__ double sums[FY * FX], squares[FY * FX];
    int tx = threadIdx.x % FX, ty = threadIdx.x / FX, channel = blockIdx.x * FX + tx;
    double base = 0, sum = 0, square = 0;
    if (channel < CHANNELS) {
        base = parts[channel];
#pragma unroll 8
        for (int split = ty; split < SPLITS; split += FY) {
            int n = rows_of(split);
            double d = parts[split * CHANNELS + channel] - base;
            sum += n * d;
            square += parts[(SPLITS + split) * CHANNELS + channel] + n * d * d;
        }
    }
    sums[ty * FX + tx] = sum;
    squares[ty * FX + tx] = square;
    __syncthreads();
    if (ty || channel >= CHANNELS) return;
    for (int other = 1; other < FY; ++other) {
        sum += sums[other * FX + tx];
        square += squares[other * FX + tx];
    }
    double shift = sum / ROWS, average = base + shift, variance = square / ROWS - shift * shift;
    if (variance < 0) variance = 0;
    mean[channel] = (float)average;
    inverse[channel] = (float)(1.0 / sqrt(variance + EPSILON));
#if RUNNING
    double unbiased = variance * ROWS / (ROWS - 1.0);
    running_mean[channel] = (float)((1.0 - momentum) * running_mean[channel] + momentum * average);
    running_variance[channel] = (float)((1.0 - momentum) * running_variance[channel] + momentum * unbiased);
#endif
}

__device__ inline vector normal(vector from, vector added, const float* mean, const float* factor, const float* bias) {
    float value[COUNT];
    widen(from, value);
#pragma unroll
    for (int e = 0; e < COUNT; ++e) value[e] = (value[e] - mean[e]) * factor[e] + bias[e];
#if RESIDUAL
    float more[COUNT];
    widen(added, more);
#pragma unroll
    for (int e = 0; e < COUNT; ++e) value[e] += more[e];
#endif
#if RELU
#pragma unroll
    for (int e = 0; e < COUNT; ++e) value[e] = value[e] <= 0 ? 0 : value[e];
#endif
    return narrow(value);
}

extern "C" __global__ void __launch_bounds__(BLOCK, RESIDENT)
    normalize(const vector* x, const vector* z, const float* scale, const float* bias, const float* mean,
              const float* inverse, vector* y) {
    area a = mine();
    if (!a.inside) return;
    float average[COUNT], factor[COUNT], offset[COUNT];
    read(mean, a.column, average);
    factors(scale, inverse, a.column, factor);
    read(bias, a.column, offset);
    int row = a.end - 1 - a.ty;
    for (; row - (UNROLL - 1) * TY >= a.first; row -= UNROLL * TY) {
        vector found[UNROLL], more[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
            int at = (row - u * TY) * VECTORS + a.column;
            found[u] = x[at];
            more[u] = RESIDUAL ? z[at] : found[u];
        }
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            y[(row - u * TY) * VECTORS + a.column] = normal(found[u], more[u], average, factor, offset);
    }
    for (; row >= a.first; row -= TY) {
        int at = row * VECTORS + a.column;
        y[at] = normal(x[at], RESIDUAL ? z[at] : x[at], average, factor, offset);
    }
}

#else

// Dy behind the activation: KIND 0 as it is, 1 where y is positive, 2 where what x was made into is.
template <int KIND>
__device__ inline void masked(float* slope, vector result, const float* centred, const float* factor,
                              const float* bias) {
    float value[COUNT];
    if (KIND == 0) return;
    if (KIND == 1) widen(result, value);
#pragma unroll
    for (int e = 0; e < COUNT; ++e) {
        if (KIND == 2) value[e] = centred[e] * factor[e] + bias[e];
        if (value[e] <= 0) slope[e] = 0;
    }
}

// Sums of dy behind the activation, and of it times x without its mean; the masked dy is kept where RESIDUAL.
extern "C" __global__ void __launch_bounds__(BLOCK, RESIDENT)
    sums(const vector* dy, const vector* x, const vector* y, const float* scale, const float* bias, const float* mean,
         const float* inverse, vector* dz, float* parts) {
    __shared__ float totals[TY * TX * COUNT], products[TY * TX * COUNT];
    area a = mine();
    if (a.inside) {
        float average[COUNT], factor[COUNT], offset[COUNT], total[COUNT], product[COUNT];
        read(mean, a.column, average);
        if (MASK == 2) {
            factors(scale, inverse, a.column, factor);
            read(bias, a.column, offset);
        }
#pragma unroll
        for (int e = 0; e < COUNT; ++e) total[e] = product[e] = 0;
        auto add = [&](int at, vector from, vector image, vector result) {
            float slope[COUNT], value[COUNT];
            widen(from, slope);
            widen(image, value);
#pragma unroll
            for (int e = 0; e < COUNT; ++e) value[e] -= average[e];
            masked<MASK>(slope, result, value, factor, offset);
#if RESIDUAL
            dz[at] = narrow(slope);
#endif
#pragma unroll
            for (int e = 0; e < COUNT; ++e) {
                total[e] += slope[e];
                product[e] += slope[e] * value[e];
            }
        };
        int row = a.first + a.ty;
        for (; row + (UNROLL - 1) * TY < a.end; row += UNROLL * TY) {
            vector slopes[UNROLL], images[UNROLL], results[UNROLL];
#pragma unroll
            for (int u = 0; u < UNROLL; ++u) {
                int at = (row + u * TY) * VECTORS + a.column;
                slopes[u] = dy[at];
                images[u] = x[at];
                results[u] = MASK == 1 ? y[at] : images[u];
            }
#pragma unroll
            for (int u = 0; u < UNROLL; ++u)
                add((row + u * TY) * VECTORS + a.column, slopes[u], images[u], results[u]);
        }
        for (; row < a.end; row += TY) {
            int at = row * VECTORS + a.column;
            add(at, dy[at], x[at], MASK == 1 ? y[at] : x[at]);
        }
        int at = (a.ty * TX + a.tx) * COUNT;
#pragma unroll
        for (int e = 0; e < COUNT; ++e) {
            totals[at + e] = total[e];
            products[at + e] = product[e];
        }
    }
    __syncthreads();
    int channel = blockIdx.x * TX * COUNT + threadIdx.x;
    if (threadIdx.x >= TX * COUNT || channel >= CHANNELS) return;
    float total = 0, product = 0;
    for (int ty = 0; ty < TY; ++ty) {
        total += totals[ty * TX * COUNT + threadIdx.x];
        product += products[ty * TX * COUNT + threadIdx.x];
    }
    parts[blockIdx.y * CHANNELS + channel] = total;
    parts[(SPLITS + blockIdx.y) * CHANNELS + channel] = product;
}

extern "C" __global__ void __launch_bounds__(FX* FY)
    finish_sums(const float* parts, const float* inverse, float* dscale, float* dbias) {
    __shared__ double totals[FY * FX], products[FY * FX];
    int tx = threadIdx.x % FX, ty = threadIdx.x / FX, channel = blockIdx.x * FX + tx;
    double total = 0, product = 0;
    if (channel < CHANNELS) {
#pragma unroll 8
        for (int split = ty; split < SPLITS; split += FY) {
            total += parts[split * CHANNELS + channel];
            product += parts[(SPLITS + split) * CHANNELS + channel];
        }
    }
    totals[ty * FX + tx] = total;
    products[ty * FX + tx] = product;
    __syncthreads();
    if (ty || channel >= CHANNELS) return;
    for (int other = 1; other < FY; ++other) {
        total += totals[other * FX + tx];
        product += products[other * FX + tx];
    }
    dbias[channel] = (float)total;
    dscale[channel] = (float)(product * inverse[channel]);
}

// dx = scale * inverse * (dy - dbias / ROWS - (x - mean) * inverse * dscale / ROWS); of a residual dy comes masked.
extern "C" __global__ void __launch_bounds__(BLOCK, RESIDENT)
    gradient(const vector* dy, const vector* x, const vector* y, const float* scale, const float* bias,
             const float* mean, const float* inverse, const float* dscale, const float* dbias, vector* dx) {
    area a = mine();
    if (!a.inside) return;
    float average[COUNT], factor[COUNT], offset[COUNT], constant[COUNT], along[COUNT], other[COUNT];
    read(mean, a.column, average);
    factors(scale, inverse, a.column, factor);
    if (SECOND_MASK == 2) read(bias, a.column, offset);
    read(dbias, a.column, constant);
    read(dscale, a.column, along);
    read(inverse, a.column, other);
#pragma unroll
    for (int e = 0; e < COUNT; ++e) {
        constant[e] *= 1.0f / ROWS;
        along[e] *= other[e] * (1.0f / ROWS);
    }
    auto made = [&](vector from, vector image, vector result) {
        float slope[COUNT], value[COUNT];
        widen(from, slope);
        widen(image, value);
#pragma unroll
        for (int e = 0; e < COUNT; ++e) value[e] -= average[e];
        masked<SECOND_MASK>(slope, result, value, factor, offset);
#pragma unroll
        for (int e = 0; e < COUNT; ++e) slope[e] = factor[e] * (slope[e] - constant[e] - value[e] * along[e]);
        return narrow(slope);
    };
    int row = a.end - 1 - a.ty;
    for (; row - (UNROLL - 1) * TY >= a.first; row -= UNROLL * TY) {
        vector slopes[UNROLL], images[UNROLL], results[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
            int at = (row - u * TY) * VECTORS + a.column;
            slopes[u] = dy[at];
            images[u] = x[at];
            results[u] = SECOND_MASK == 1 ? y[at] : images[u];
        }
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            dx[(row - u * TY) * VECTORS + a.column] = made(slopes[u], images[u], results[u]);
    }
    for (; row >= a.first; row -= TY) {
        int at = row * VECTORS + a.column;
        dx[at] = made(dy[at], x[at], SECOND_MASK == 1 ? y[at] : x[at]);
    }
}

#endif
