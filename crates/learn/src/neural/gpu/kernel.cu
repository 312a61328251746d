// What a network does beside its matrix products, which cuBLAS computes. Matrices lie row by row. Unless said otherwise,
// threads of a block are (columns, rows): each row of a matrix is walked by the threads of one y, columns side by side.

typedef unsigned int u32;
typedef unsigned long long u64;

// How 2x2 cells move over a board.
struct Window {
    u32 side, after, padding, channels;
};

#define LINEAR 0u
#define RELU 1u
#define SELU 2u
#define SCALE 1.050701f
#define ALPHA 1.6732632f

#define ROW (blockIdx.x * blockDim.y + threadIdx.y)

__device__ __forceinline__ float activated(u32 activation, float sum) {
    if (activation == RELU) return fmaxf(sum, 0.0f);
    if (activation == SELU) return sum > 0.0f ? SCALE * sum : SCALE * ALPHA * expm1f(sum);
    return sum;
}

// The slope of an activation, told by its output.
__device__ __forceinline__ float slope_at(u32 activation, float output) {
    if (activation == RELU) return output > 0.0f ? 1.0f : 0.0f;
    if (activation == SELU) return output > 0.0f ? SCALE : output + SCALE * ALPHA;
    return 1.0f;
}

// One row of 256 numbers for each board: 1 where a cell holds an exponent. `order` says which boards; null for those from
// the first on.
extern "C" __global__ void encode(const u64* boards, const u32* order, u32 rows, float* to) {
    u32 row = ROW;
    if (row >= rows) return;
    u64 board = boards[order ? order[row] : row];
    for (u32 column = threadIdx.x; column < 256; column += blockDim.x) {
        u32 content = (u32)(board >> (4 * (column / 16))) & 15u;
        to[row * 256ull + column] = content == column % 16 ? 1.0f : 0.0f;
    }
}

// What the kernel of a convolution covers at every place of every board, a row each; zero outside the board.
extern "C" __global__ void gather(const float* from, Window window, u32 rows, float* columns) {
    u32 row = ROW;
    if (row >= rows) return;
    u32 places = window.after * window.after;
    u32 board = row / places, place = row % places;
    for (u32 part = 0; part < 4; part++) {
        u32 y = place / window.after + part / 2 - window.padding;
        u32 x = place % window.after + part % 2 - window.padding;
        bool inside = y < window.side && x < window.side;
        u64 cell = inside ? ((u64)board * window.side + y) * window.side + x : 0;
        float* to = columns + (row * 4ull + part) * window.channels;
        for (u32 channel = threadIdx.x; channel < window.channels; channel += blockDim.x) {
            to[channel] = inside ? from[cell * window.channels + channel] : 0.0f;
        }
    }
}

// The way back: every cell of every board, a row each, sums the slopes of where it was covered.
extern "C" __global__ void collect(const float* columns, Window window, u32 rows, float* to) {
    u32 row = ROW;
    if (row >= rows) return;
    u32 cells = window.side * window.side;
    u32 board = row / cells, cell = row % cells;
    for (u32 channel = threadIdx.x; channel < window.channels; channel += blockDim.x) {
        float sum = 0.0f;
        for (u32 part = 0; part < 4; part++) {
            u32 y = cell / window.side + window.padding - part / 2;
            u32 x = cell % window.side + window.padding - part % 2;
            if (y < window.after && x < window.after) {
                u64 place = ((u64)board * window.after + y) * window.after + x;
                sum += columns[(place * 4 + part) * window.channels + channel];
            }
        }
        to[(u64)row * window.channels + channel] = sum;
    }
}

// A convolution whose cells were multiplied by all four parts of its kernel, a row of four products for each cell: every place
// of every board, a row each, sums the products that belong there. Then biases and activation.
extern "C" __global__ void spread(
    const float* products, Window window, const float* biases, u32 activation, u32 rows, u32 width, float* to
) {
    u32 row = ROW;
    if (row >= rows) return;
    u32 places = window.after * window.after;
    u32 board = row / places, place = row % places;
    for (u32 column = threadIdx.x; column < width; column += blockDim.x) {
        float sum = biases[column];
        for (u32 part = 0; part < 4; part++) {
            u32 y = place / window.after + part / 2 - window.padding;
            u32 x = place % window.after + part % 2 - window.padding;
            if (y < window.side && x < window.side) {
                u64 cell = ((u64)board * window.side + y) * window.side + x;
                sum += products[(cell * 4 + part) * width + column];
            }
        }
        to[(u64)row * width + column] = activated(activation, sum);
    }
}

// Biases and activation.
extern "C" __global__ void finish(float* sums, const float* biases, u32 activation, u32 rows, u32 width) {
    u32 row = ROW;
    if (row >= rows) return;
    for (u32 column = threadIdx.x; column < width; column += blockDim.x) {
        u64 at = (u64)row * width + column;
        sums[at] = activated(activation, sums[at] + biases[column]);
    }
}

// One block: errors of outputs with their targets become slopes of the root of the mean squared error; the sum of the
// squares is kept.
extern "C" __global__ void errors(
    const float* outputs, const float* targets, const u32* order, u32 rows, float* slopes, double* squares
) {
    __shared__ double sums[256];
    double sum = 0.0;
    for (u32 row = threadIdx.x; row < rows; row += 256) {
        double error = (double)(outputs[row] - targets[order[row]]);
        sum += error * error;
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (u32 half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    double loss = fmax(sqrt(sums[0] / rows), 1e-12);
    float factor = (float)(1.0 / (rows * loss));
    for (u32 row = threadIdx.x; row < rows; row += 256) {
        slopes[row] = (outputs[row] - targets[order[row]]) * factor;
    }
    if (threadIdx.x == 0) *squares = sums[0];
}

// Sums the numbers of eight threads that share a column.
__device__ __forceinline__ float column_sum(float sum) {
    __shared__ float sums[8][33];
    sums[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    float total = 0.0f;
    for (u32 y = 0; y < 8; y++) total += sums[y][threadIdx.x];
    return total;
}

// Slopes by outputs become slopes by sums; their sums over a strip of rows are kept. Blocks are (32 columns, strip).
extern "C" __global__ void slopes(
    float* slopes, const float* outputs, u32 activation, u32 rows, u32 width, u32 strip, float* strips
) {
    u32 column = blockIdx.x * 32 + threadIdx.x;
    u32 end = min(rows, (blockIdx.y + 1) * strip);
    float sum = 0.0f;
    for (u32 row = blockIdx.y * strip + threadIdx.y; row < end && column < width; row += 8) {
        u64 at = (u64)row * width + column;
        float slope = slopes[at] * slope_at(activation, outputs[at]);
        slopes[at] = slope;
        sum += slope;
    }
    sum = column_sum(sum);
    if (threadIdx.y == 0 && column < width) strips[blockIdx.y * width + column] = sum;
}

// The sums over all strips. Blocks are 32 columns.
extern "C" __global__ void sum_strips(const float* strips, u32 count, u32 width, float* sums) {
    u32 column = blockIdx.x * 32 + threadIdx.x;
    float sum = 0.0f;
    for (u32 strip = threadIdx.y; strip < count && column < width; strip += 8) sum += strips[strip * width + column];
    sum = column_sum(sum);
    if (threadIdx.y == 0 && column < width) sums[column] = sum;
}

// One step of Adam; the corrections of the first steps are in `rate` and `correction`.
extern "C" __global__ void adam(
    float* weights, const float* gradient, float* mean, float* square, u32 count, float beta1, float beta2, float epsilon,
    float rate, float correction
) {
    u32 index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count) return;
    float slope = gradient[index];
    float m = mean[index] + (1.0f - beta1) * (slope - mean[index]);
    float s = square[index] + (1.0f - beta2) * (slope * slope - square[index]);
    mean[index] = m;
    square[index] = s;
    weights[index] -= rate * m / (sqrtf(s) * correction + epsilon);
}
