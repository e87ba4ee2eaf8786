// The private step on a GPU, layer by layer: one kernel, one page. build.sh makes PTX of it.
//
// What one unit adds is computed from its own rows alone: every number is one chain of operations whose order depends
// on the network, never on the lot, the grid of blocks or the other units. Units of a chunk are added in their order by
// single-precision fused multiply-adds, each chunk is rounded once to whole numbers, and whole numbers are added by
// atomics, which commute. Nothing else is added by atomics.
//
// Every kernel reads from `part` how many examples, members (units that add something) and chunks there are: blocks
// beyond them return at once, so that one graph of launches serves every lot.

typedef unsigned long long u64;
typedef unsigned int u32;

enum { EXAMPLES, MEMBERS, CHUNKS, OPEN_IN, OPEN_OUT, BEGINS, NOISY, SCALE };  // ints of a part; OPEN_* −1 for none

// ---- products

// Four numbers one after another; `quads` says that they may be read at once, and then they are all there or none is.
__device__ __forceinline__ float4 four(const float* p, bool quads, int there) {
  if (quads) return there > 0 ? *(const float4*)p : make_float4(0, 0, 0, 0);
  return make_float4(there > 0 ? p[0] : 0, there > 1 ? p[1] : 0, there > 2 ? p[2] : 0, there > 3 ? p[3] : 0);
}

__device__ __forceinline__ bool isEven(const float* p, int width) { return ((size_t)p & 15) == 0 && width % 4 == 0; }

// C[M×N] = A[M×K]·B[K×N], each element one chain over k from 0 on, whatever the tile. A thread reads a row of A's tile,
// or half of one, and has TM×TN elements of C. The next tile is read while this one is multiplied.
template <int BM, int BN, int TM, int TN, class Rows, class Columns, class Store>
__device__ __forceinline__ void product(long M, int N, int K, Rows rows, Columns columns, Store store) {
  constexpr int D = 16, THREADS = BM / TM * (BN / TN), EACH = D * BM / THREADS, QUADS = BN * D / 4 / THREADS, ACROSS = BN / TN;
  __shared__ __align__(16) float as[D][BM + 4];
  __shared__ __align__(16) float bs[D][BN + 4];
  const long m0 = (long)blockIdx.x * BM;
  const int n0 = blockIdx.y * BN, t = threadIdx.x, own = t % BM, first = t / BM * EACH;
  if (m0 >= M) return;
  const bool there = m0 + own < M;
  typename Rows::Row row = rows.row(there ? m0 + own : 0);
  float a[EACH], acc[TM][TN] = {};
  float4 b[QUADS];
  const int tm = t / ACROSS * TM, tn = t % ACROSS * 4;
  auto read = [&](int k0) {
    rows.template read<EACH>(row, k0 + first, there ? K : 0, a);
#pragma unroll
    for (int i = 0; i < QUADS; i++) {
      int at = t + i * THREADS, k = k0 + at / (BN / 4), n = n0 + at % (BN / 4) * 4;
      b[i] = k < K && n < N ? columns.read(k, n, N - n) : make_float4(0, 0, 0, 0);
    }
  };
  read(0);
  for (int k0 = 0; k0 < K; k0 += D) {
#pragma unroll
    for (int i = 0; i < EACH; i++) as[first + i][own] = a[i];
#pragma unroll
    for (int i = 0; i < QUADS; i++) {
      int at = t + i * THREADS;
      *(float4*)&bs[at / (BN / 4)][at % (BN / 4) * 4] = b[i];
    }
    __syncthreads();
    if (k0 + D < K) read(k0 + D);
#pragma unroll
    for (int k = 0; k < D; k++) {
      float av[TM], bv[TN];
#pragma unroll
      for (int i = 0; i < TM; i += 4) *(float4*)&av[i] = *(const float4*)&as[k][tm + i];
#pragma unroll
      for (int j = 0; j < TN; j += 4) *(float4*)&bv[j] = *(const float4*)&bs[k][tn + j * ACROSS];
#pragma unroll
      for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++) acc[i][j] = __fmaf_rn(av[i], bv[j], acc[i][j]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < TM; i++)
#pragma unroll
    for (int j = 0; j < TN; j++) {
      int n = n0 + tn + j / 4 * 4 * ACROSS + j % 4;
      if (m0 + tm + i < M && n < N) store(m0 + tm + i, n, acc[i][j]);
    }
}

struct Matrix {  // rows of a matrix, one after another
  const float* a;
  int width;
  typedef const float* Row;
  __device__ Row row(long m) const { return a + m * width; }
  template <int E>
  __device__ void read(Row row, int k, int K, float* to) const {
    bool quads = isEven(a, width);
#pragma unroll
    for (int i = 0; i < E; i += 4) *(float4*)&to[i] = four(row + k + i, quads, K - k - i);
  }
};

struct Columns {  // a matrix with `all` columns, from column `first` on
  const float* w;
  int all, first;
  __device__ float4 read(int k, int n, int left) const {
    return four(w + (long)k * all + first + n, isEven(w + first, all) && left >= 4, left);
  }
};

struct Store {  // into columns `first` on of a matrix with `all` columns; the bias of a column may be added
  float* out;
  const float* bias;
  int all, first;
  __device__ void operator()(long m, int n, float v) const {
    out[m * all + first + n] = bias ? __fadd_rn(v, bias[first + n]) : v;
  }
};

// Wide and narrow tiles, and small ones for small products.
#define TILES(NAME) \
  extern "C" __global__ void __launch_bounds__(128) NAME##_wide ARGS_##NAME { BODY_##NAME(128, 64, 8, 8) } \
  extern "C" __global__ void __launch_bounds__(128) NAME##_narrow ARGS_##NAME { BODY_##NAME(128, 32, 8, 4) } \
  extern "C" __global__ void __launch_bounds__(64) NAME##_small ARGS_##NAME { BODY_##NAME(32, 32, 4, 4) }

// in·w + bias; on the way back with the weights turned, and no bias.
#define ARGS_dense (const int* part, const float* in, const float* w, const float* bias, float* out, int inputs, int outputs)
#define BODY_dense(...) \
  product<__VA_ARGS__>(part[EXAMPLES], outputs, inputs, Matrix{in, inputs}, Columns{w, outputs, 0}, Store{out, bias, outputs, 0});
TILES(dense)

// Weights with rows and columns exchanged.
extern "C" __global__ void turn(const float* w, float* to, int rows, int columns) {
  __shared__ float tile[32][33];
  int r = blockIdx.x * 32, c = blockIdx.y * 32;
  for (int i = threadIdx.y; i < 32; i += 8)
    if (r + i < rows && c + threadIdx.x < columns) tile[i][threadIdx.x] = w[(long)(r + i) * columns + c + threadIdx.x];
  __syncthreads();
  for (int i = threadIdx.y; i < 32; i += 8)
    if (c + i < columns && r + threadIdx.x < rows) to[(long)(c + i) * rows + r + threadIdx.x] = tile[threadIdx.x][i];
}

// Sizes of a convolution. The table has, for each weight of an output, y << 16 | x of its place in the window, then its
// channel; the table of positions has y << 16 | x of where each output's window begins on the padded input.
struct Conv {
  int h, w, c, oh, ow, o, kh, kw, sy, sx, py, px, cg, og;
};

struct Windows {  // row m: what output position m sees
  Conv v;
  const float* in;
  const int2* table;
  int group;
  struct Row {
    const float* at;
    int y, x;
  };
  __device__ Row row(long m) const {
    int positions = v.oh * v.ow, p = (int)(m % positions);
    return Row{in + m / positions * v.h * v.w * v.c + group * v.cg, p / v.ow * v.sy - v.py, p % v.ow * v.sx - v.px};
  }
  template <int E>
  __device__ void read(const Row& r, int k, int K, float* to) const {
    if (v.cg % 4 == 0) {
#pragma unroll
      for (int i = 0; i < E; i += 4) {
        float4 f = make_float4(0, 0, 0, 0);
        if (k + i < K) {
          int2 t = table[k + i];
          int y = r.y + (t.x >> 16), x = r.x + (t.x & 0xffff);
          if ((u32)y < (u32)v.h && (u32)x < (u32)v.w) f = *(const float4*)&r.at[(y * v.w + x) * v.c + t.y];
        }
        *(float4*)&to[i] = f;
      }
      return;
    }
#pragma unroll
    for (int i = 0; i < E; i++) {
      to[i] = 0;
      if (k + i < K) {
        int2 t = table[k + i];
        int y = r.y + (t.x >> 16), x = r.x + (t.x & 0xffff);
        if ((u32)y < (u32)v.h && (u32)x < (u32)v.w) to[i] = r.at[(y * v.w + x) * v.c + t.y];
      }
    }
  }
};

#define ARGS_conv (const int* part, Conv v, const float* in, const float* w, const float* bias, float* out, const int2* table)
#define BODY_conv(...) \
  int g = blockIdx.z; \
  product<__VA_ARGS__>((long)part[EXAMPLES] * v.oh * v.ow, v.og, v.kh * v.kw * v.cg, Windows{v, in, table, g}, \
                       Columns{w, v.o, g * v.og}, Store{out, bias, v.o, g * v.og});
TILES(conv)

struct GroupRows {  // the slopes of one group's outputs, position by position
  const float* a;
  int all, first;
  typedef const float* Row;
  __device__ Row row(long m) const { return a + m * all + first; }
  template <int E>
  __device__ void read(Row row, int k, int K, float* to) const {
    bool quads = isEven(a + first, all) && K % 4 == 0;
#pragma unroll
    for (int i = 0; i < E; i += 4) *(float4*)&to[i] = four(row + k + i, quads, K - k - i);
  }
};

// What each output position gives to each place of its window; `turned` has a row for each output.
#define ARGS_conv_shares (const int* part, Conv v, const float* dOut, const float* turned, float* shares)
#define BODY_conv_shares(...) \
  int g = blockIdx.z, groups = v.c / v.cg, depth = v.kh * v.kw * v.cg; \
  product<__VA_ARGS__>((long)part[EXAMPLES] * v.oh * v.ow, depth, v.og, GroupRows{dOut, v.o, g * v.og}, \
                       Columns{turned + (long)g * v.og * depth, depth, 0}, Store{shares, 0, groups * depth, g * depth});
TILES(conv_shares)

struct Seen {  // row m: weight m's input at every output position k
  Conv v;
  const float* in;
  const int2* table;
  const int* positions;
  struct Row {
    const float* at;
    int y, x;
  };
  __device__ Row row(long m) const {
    int2 t = table[m];
    return Row{in + t.y, (t.x >> 16) - v.py, (t.x & 0xffff) - v.px};
  }
  template <int E>
  __device__ void read(const Row& r, int k, int K, float* to) const {
#pragma unroll
    for (int i = 0; i < E; i++) {
      to[i] = 0;
      if (k + i < K) {
        int p = positions[k + i], y = (p >> 16) + r.y, x = (p & 0xffff) + r.x;
        if ((u32)y < (u32)v.h && (u32)x < (u32)v.w) to[i] = r.at[(y * v.w + x) * v.c];
      }
    }
  }
};

// One example's gradient by the weights: z is example·groups + group.
#define ARGS_conv_weights (const int* part, Conv v, const float* in, const float* dOut, float* gradients, int stride, const int2* table, const int* positions)
#define BODY_conv_weights(...) \
  int groups = v.c / v.cg, g = blockIdx.z % groups; \
  for (int e = blockIdx.z / groups; e < part[EXAMPLES]; e += gridDim.z / groups) \
    product<__VA_ARGS__>(v.kh * v.kw * v.cg, v.og, v.oh * v.ow, \
                         Seen{v, in + (long)e * v.h * v.w * v.c + g * v.cg, table, positions}, \
                         Columns{dOut + (long)e * v.oh * v.ow * v.o, v.o, g * v.og}, \
                         Store{gradients + (long)e * stride, 0, v.o, g * v.og});
TILES(conv_weights)

// One example's gradient by the biases: sums over positions.
extern "C" __global__ void column_sums(const int* part, const float* dOut, int positions, int width, float* gradients, int stride) {
  int e = blockIdx.x, c = blockIdx.y * 32 + threadIdx.x;
  if (e >= part[EXAMPLES]) return;
  __shared__ float sums[8][32];
  float sum = 0;
  for (int p = threadIdx.y; c < width && p < positions; p += 8) sum = __fadd_rn(sum, dOut[((long)e * positions + p) * width + c]);
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0 && c < width) {
    for (int i = 1; i < 8; i++) sum = __fadd_rn(sum, sums[i][threadIdx.x]);
    gradients[(long)e * stride + c] = sum;
  }
}

// ---- standardised weights

extern "C" __global__ void standardise(const float* w, float* to, double* length, int depth, int outputs, double epsilon) {
  int o = blockIdx.x * blockDim.x + threadIdx.x;
  if (o >= outputs) return;
  double mean = 0, square = epsilon;
  for (int k = 0; k < depth; k++) mean += w[(long)k * outputs + o];
  mean /= depth;
  for (int k = 0; k < depth; k++) {
    double d = w[(long)k * outputs + o] - mean;
    square += d * d;
  }
  length[o] = sqrt(square);
  for (int k = 0; k < depth; k++) to[(long)k * outputs + o] = (float)((w[(long)k * outputs + o] - mean) / length[o]);
}

extern "C" __global__ void standardise_back(const int* part, float* gradients, int stride, const float* weights, const double* length, int depth, int outputs) {
  int e = blockIdx.x, o = blockIdx.y * blockDim.x + threadIdx.x;
  if (e >= part[EXAMPLES] || o >= outputs) return;
  float* g = gradients + (long)e * stride + o;
  double mean = 0, along = 0;
  for (int k = 0; k < depth; k++) {
    mean += g[(long)k * outputs];
    along += (double)g[(long)k * outputs] * weights[(long)k * outputs + o];
  }
  mean /= depth;
  for (int k = 0; k < depth; k++) {
    long i = (long)k * outputs;
    g[i] = (float)((g[i] - mean - weights[i + o] * along) / length[o]);
  }
}

// ---- values one by one: x is the example, y 1,024 of its values

#define VALUES(SIZE) \
  int e = blockIdx.x, last = min((SIZE), (int)(blockIdx.y + 1) * 1024); \
  if (e >= part[EXAMPLES]) return; \
  for (int i = blockIdx.y * 1024 + threadIdx.x; i < last; i += blockDim.x)

extern "C" __global__ void gather(const int* part, const int* row, const float* rows, int width, float* to) {
  VALUES(width) {
    to[(long)e * width + i] = rows[(long)row[e] * width + i];
  }
}

extern "C" __global__ void add(const int* part, const float* a, const float* b, float* to, int size) {
  VALUES(size) {
    to[(long)e * size + i] = __fadd_rn(a[(long)e * size + i], b[(long)e * size + i]);
  }
}

enum { LEAKY, ELU, GELU, TANH, SIGMOID };

extern "C" __global__ void activate(const int* part, int kind, float a, float b, float c, const float* in, float* out, int size) {
  VALUES(size) {
    float x = in[(long)e * size + i], y;
    switch (kind) {
      case LEAKY: y = x > 0 ? x : a == 0 && x == x ? 0 : a * x; break;
      case ELU: y = x > 0 ? x : a * expm1f(x); break;
      case GELU: y = (float)(0.5 * x * erfc(-x * sqrt(0.5))); break;
      case TANH: y = tanhf(x); break;
      default: y = __fmaf_rn(a, 1 / (1 + expf(-(b * x))), -c);
    }
    out[(long)e * size + i] = y;
  }
}

extern "C" __global__ void activate_back(const int* part, int kind, float a, float b, float c, const float* in, const float* out, const float* dOut, float* dIn, int size) {
  VALUES(size) {
    long at = (long)e * size + i;
    float x = in[at], slope;
    switch (kind) {
      case LEAKY: slope = x > 0 ? 1 : a; break;
      case ELU: slope = x > 0 ? 1 : out[at] + a; break;
      case GELU: slope = (float)(0.5 * erfc(-x * sqrt(0.5)) + x * exp(-0.5 * (double)x * x) * 0.39894228040143267794); break;
      case TANH: slope = __fmaf_rn(-out[at], out[at], 1); break;
      default: {
        float s = 1 / (1 + expf(-(b * x)));
        slope = a * b * (s * (1 - s));
      }
    }
    dIn[at] = slope * dOut[at];
  }
}

__device__ u64 mix(u64 z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

// The same mask as DropoutMask, forwards and back.
extern "C" __global__ void dropout(const int* part, const u64* choice, const int* ordinal, int name, double rate, float scale, const float* from, float* to, int size) {
  VALUES(size) {
    const u64 step = 0x9e3779b97f4a7c15ull;
    u64 key = mix((choice[e] ^ (u64)(long long)ordinal[e]) + step);
    key = mix((key ^ (u64)(long long)name) + step);
    bool keeps = (mix(key + (u64)(i + 1) * step) >> 11) * 0x1p-53 >= rate;
    long at = (long)e * size + i;
    to[at] = keeps ? from[at] * scale : from[at] * 0;
  }
}

// ---- pools

struct Pool {
  int h, w, c, oh, ow, kh, kw, sy, sx, py, px;
};

extern "C" __global__ void max_pool(const int* part, Pool v, const float* in, float* out, int* winner) {
  VALUES(v.oh * v.ow * v.c) {
    int c = i % v.c, p = i / v.c, top = p / v.ow * v.sy - v.py, left = p % v.ow * v.sx - v.px, won = -1;
    const float* from = in + (long)e * v.h * v.w * v.c + c;
    float best = 0;
    for (int ky = 0; ky < v.kh; ky++)
      for (int kx = 0; kx < v.kw; kx++) {
        int y = top + ky, x = left + kx;
        if ((u32)y >= (u32)v.h || (u32)x >= (u32)v.w) continue;
        float value = from[(y * v.w + x) * v.c];
        if (won < 0 || value > best || (value != value && best == best)) {
          best = value;
          won = ky * v.kw + kx;
        }
      }
    long at = (long)e * v.oh * v.ow * v.c + i;
    out[at] = best;
    winner[at] = won;
  }
}

extern "C" __global__ void average_pool(const int* part, Pool v, float share, const float* in, float* out) {
  VALUES(v.oh * v.ow * v.c) {
    int c = i % v.c, p = i / v.c, top = p / v.ow * v.sy - v.py, left = p % v.ow * v.sx - v.px;
    const float* from = in + (long)e * v.h * v.w * v.c + c;
    float sum = 0;
    for (int y = max(0, top); y < min(v.h, top + v.kh); y++)
      for (int x = max(0, left); x < min(v.w, left + v.kw); x++) sum = __fadd_rn(sum, from[(y * v.w + x) * v.c]);
    out[(long)e * v.oh * v.ow * v.c + i] = sum * share;
  }
}

// Each input asks the windows that see it; `winner` is null for means.
extern "C" __global__ void pool_back(const int* part, Pool v, float share, const float* dOut, const int* winner, float* dIn) {
  VALUES(v.h * v.w * v.c) {
    int c = i % v.c, p = i / v.c, y = p / v.w + v.py, x = p % v.w + v.px;
    long from = (long)e * v.oh * v.ow * v.c + c;
    float sum = 0;
    int lastY = min(v.oh - 1, y / v.sy), lastX = min(v.ow - 1, x / v.sx);
    for (int oy = max(0, (y - v.kh + v.sy) / v.sy); oy <= lastY; oy++)
      for (int ox = max(0, (x - v.kw + v.sx) / v.sx); ox <= lastX; ox++) {
        int ky = y - oy * v.sy, kx = x - ox * v.sx;
        if (ky >= v.kh || kx >= v.kw) continue;
        long at = from + (long)(oy * v.ow + ox) * v.c;
        if (!winner) sum = __fmaf_rn(dOut[at], share, sum);
        else if (winner[at] == ky * v.kw + kx) sum = __fadd_rn(sum, dOut[at]);
      }
    dIn[(long)e * v.h * v.w * v.c + i] = sum;
  }
}

// The slope of a convolution's input: what the windows that see it give to it, in order of their positions.
extern "C" __global__ void fold(const int* part, Conv v, const float* shares, float* dIn) {
  VALUES(v.h * v.w * v.c) {
    int c = i % v.c, p = i / v.c, y = p / v.w + v.py, x = p % v.w + v.px, groups = v.c / v.cg, depth = v.kh * v.kw * v.cg;
    const float* from = shares + (long)e * v.oh * v.ow * groups * depth + c / v.cg * depth + c % v.cg;
    float sum = 0;
    int lastY = min(v.oh - 1, y / v.sy), lastX = min(v.ow - 1, x / v.sx);
    for (int oy = max(0, (y - v.kh + v.sy) / v.sy); oy <= lastY; oy++)
      for (int ox = max(0, (x - v.kw + v.sx) / v.sx); ox <= lastX; ox++) {
        int ky = y - oy * v.sy, kx = x - ox * v.sx;
        if (ky < v.kh && kx < v.kw) sum = __fadd_rn(sum, from[(long)(oy * v.ow + ox) * groups * depth + (ky * v.kw + kx) * v.cg]);
      }
    dIn[(long)e * v.h * v.w * v.c + i] = sum;
  }
}

// ---- group and layer norm: x is the example, y a block of values that are normalised together

__device__ double summed(double v, double* scratch) {
  int t = threadIdx.x;
  scratch[t] = v;
  __syncthreads();
  for (int half = blockDim.x / 2; half; half /= 2) {
    if (t < half) scratch[t] += scratch[t + half];
    __syncthreads();
  }
  double sum = scratch[0];
  __syncthreads();
  return sum;
}

struct Norm {
  int positions, channels, width, height, perPosition;
};

#define NORM \
  __shared__ double scratch[128]; \
  int e = blockIdx.x, b = blockIdx.y; \
  if (e >= part[EXAMPLES]) return; \
  int count = v.width * v.height, size = v.positions * v.channels; \
  int first = v.perPosition ? b * v.channels : b * v.width; \
  long base = (long)e * size;
#define NORM_EACH(I) \
  for (int j = threadIdx.x; j < count; j += blockDim.x) { \
    int I = first + j / v.width * v.channels + j % v.width;

extern "C" __global__ void norm_forward(const int* part, Norm v, const float* in, const float* scale, const float* shift, float* normal, float* inverse, float* out, double epsilon) {
  NORM
  double sum = 0;
  NORM_EACH(i) sum += in[base + i]; }
  double mean = summed(sum, scratch) / count, square = 0;
  NORM_EACH(i) double d = in[base + i] - mean; square += d * d; }
  double factor = 1 / sqrt(summed(square, scratch) / count + epsilon);
  if (threadIdx.x == 0) inverse[(long)e * gridDim.y + b] = (float)factor;
  NORM_EACH(i)
    float z = (float)((in[base + i] - mean) * factor);
    normal[base + i] = z;
    out[base + i] = __fmaf_rn(z, scale[i % v.channels], shift[i % v.channels]);
  }
}

extern "C" __global__ void norm_back(const int* part, Norm v, const float* dOut, const float* normal, const float* inverse, const float* scale, float* dIn) {
  NORM
  double sum = 0, along = 0;
  NORM_EACH(i) double d = (double)dOut[base + i] * scale[i % v.channels]; sum += d; along += d * normal[base + i]; }
  sum = summed(sum, scratch) / count;
  along = summed(along, scratch) / count;
  double factor = inverse[(long)e * gridDim.y + b];
  NORM_EACH(i) dIn[base + i] = (float)(factor * ((double)dOut[base + i] * scale[i % v.channels] - sum - normal[base + i] * along)); }
}

extern "C" __global__ void norm_parameters(const int* part, const float* dOut, const float* normal, int positions, int channels, float* scales, float* shifts, int stride) {
  VALUES(channels) {
    double byScale = 0, byShift = 0;
    for (int p = 0; p < positions; p++) {
      long at = ((long)e * positions + p) * channels + i;
      byScale += (double)dOut[at] * normal[at];
      byShift += dOut[at];
    }
    scales[(long)e * stride + i] = (float)byScale;
    shifts[(long)e * stride + i] = (float)byShift;
  }
}

// ---- embedding

extern "C" __global__ void embed(const int* part, const float* in, const float* table, float* out, int length, int width) {
  VALUES(length * width) {
    out[(long)e * length * width + i] = table[(long)in[(long)e * length + i / width] * width + i % width];
  }
}

// The summed gradient of each token stands where the token is first; the other places are zero.
extern "C" __global__ void embed_rows(const int* part, const float* in, const float* dOut, float* rows, int length, int width) {
  VALUES(length * width) {
    const float* tokens = in + (long)e * length;
    int p = i / width;
    float token = tokens[p], sum = 0;
    bool first = true;
    for (int q = 0; q < p; q++) first &= tokens[q] != token;
    for (int q = p; first && q < length; q++)
      if (tokens[q] == token) sum = __fadd_rn(sum, dOut[(long)e * length * width + q * width + i % width]);
    rows[(long)e * length * width + i] = sum;
  }
}

// ---- losses: a block of one warp for each example

enum { SOFTMAX, LOGISTIC, SQUARED, HUBER };

__device__ double overWarp(double v, bool largest) {
  for (int k = 16; k; k >>= 1) {
    double other = __shfl_xor_sync(~0u, v, k);
    v = largest ? (other > v || other != other ? other : v) : v + other;
  }
  return v;
}

extern "C" __global__ void slopes(const int* part, const int* row, const float* targets, int width, int kind, double huber, const double* weights, const float* out, float* dOut, int outputs) {
  int e = blockIdx.x, lane = threadIdx.x;
  if (e >= part[EXAMPLES]) return;
  const float* z = out + (long)e * outputs;
  const float* target = targets + (long)row[e] * width;
  float* to = dOut + (long)e * outputs;
  int label = width == outputs && kind != SOFTMAX ? -1 : (int)target[0];
  double top = 0, sum = 0, weight = 1;
  if (kind == SOFTMAX) {
    top = z[0];
    for (int i = lane; i < outputs; i += 32) top = z[i] > top || z[i] != z[i] ? z[i] : top;
    top = overWarp(top, true);
    for (int i = lane; i < outputs; i += 32) sum += exp(z[i] - top);
    sum = overWarp(sum, false);
  }
  if (weights)
    weight = kind == LOGISTIC && outputs == 1 ? (1 - (double)target[0]) * weights[0] + target[0] * weights[1] : weights[label];
  for (int i = lane; i < outputs; i += 32) {
    double x = z[i], t = label < 0 ? target[i] : label == i ? 1 : 0, slope;
    if (kind == SOFTMAX) slope = exp(x - top) / sum - t;
    else if (kind == LOGISTIC) {
      double small = exp(-fabs(x));
      slope = (x >= 0 ? 1 : small) / (1 + small) - t;
    } else {
      slope = x - t;
      if (kind == HUBER && fabs(slope) > huber) slope = copysign(huber, slope);
    }
    to[i] = (float)(slope * weight);
  }
}

// ---- units whose gradient is written out: several examples, weight decay or noise before clipping

// y is the member: the gradients of its examples, added in order.
#define WRITTEN(SIZE) \
  int m = blockIdx.y, i = blockIdx.x * blockDim.x + threadIdx.x; \
  if (m >= part[MEMBERS] || slot[m] < 0 || i >= (SIZE)) return; \
  float* w = whole + (long)slot[m] * parameters + offset + i; \
  float sum = part[BEGINS] ? 0 : *w; \
  int from = first[m], to = from + count[m];

extern "C" __global__ void write_flat(const int* part, const int* first, const int* count, const int* slot, float* whole, int parameters, int offset, int size, const float* gradients, int stride) {
  WRITTEN(size)
  for (int e = from; e < to; e++) sum = __fadd_rn(sum, gradients[(long)e * stride + i]);
  *w = sum;
}

extern "C" __global__ void write_dense(const int* part, const int* first, const int* count, const int* slot, float* whole, int parameters, int offset, const float* in, const float* dOut, int inputs, int outputs) {
  WRITTEN(inputs * outputs)
  int k = i / outputs, o = i % outputs;
  for (int e = from; e < to; e++) sum = __fmaf_rn(in[(long)e * inputs + k], dOut[(long)e * outputs + o], sum);
  *w = sum;
}

extern "C" __global__ void write_zero(const int* part, const int* slot, float* whole, int parameters, int offset, int size) {
  int m = blockIdx.y, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (part[BEGINS] && m < part[MEMBERS] && slot[m] >= 0 && i < size) whole[(long)slot[m] * parameters + offset + i] = 0;
}

// A thread has one column of the table, so no two write to the same place.
extern "C" __global__ void write_table(const int* part, const int* first, const int* count, const int* slot, float* whole, int parameters, int offset, const float* in, const float* rows, int length, int width) {
  int m = blockIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= part[MEMBERS] || slot[m] < 0 || c >= width) return;
  float* w = whole + (long)slot[m] * parameters + offset + c;
  for (long at = (long)first[m] * length; at < (long)(first[m] + count[m]) * length; at++) {
    float* to = w + (long)in[at] * width;
    *to = __fadd_rn(*to, rows[at * width + c]);
  }
}

// The mean where it is one, then decay, then noise.
extern "C" __global__ void write_end(const int* part, const int* slot, const float* divide, float* whole, const float* noise, const float* decay, const float* theta, int parameters) {
  int m = blockIdx.y, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= part[MEMBERS] || slot[m] < 0 || i >= parameters) return;
  long at = (long)slot[m] * parameters + i;
  float v = divide[m] == 1 ? whole[at] : __fmul_rn(divide[m], whole[at]);
  if (decay[i] > 0) v = __fmaf_rn(decay[i], theta[i], v);
  if (part[NOISY]) v = __fadd_rn(v, noise[at]);
  whole[at] = v;
}

// ---- norms and factors

// One slice of parameters. FLAT: an example's gradient at `a`. PRODUCT: the outer product of a row of `a` and one of `b`.
struct Slice {
  const float* a;
  const float* b;
  int strideA, sizeA, strideB, sizeB, offset, size, group, padding;
};
static_assert(sizeof(Slice) == 48, "as Structures.java writes it");

__device__ double squareOf(const float* a, int size, double* scratch) {
  double sum[4] = {};
  int i = threadIdx.x;
  for (; i + 3 * (int)blockDim.x < size; i += 4 * blockDim.x)
#pragma unroll
    for (int j = 0; j < 4; j++) {
      double v = a[i + j * (int)blockDim.x];
      sum[j] = fma(v, v, sum[j]);
    }
  for (; i < size; i += blockDim.x) sum[0] = fma((double)a[i], (double)a[i], sum[0]);
  double all = summed(sum[0] + sum[1] + (sum[2] + sum[3]), scratch);
  // Beyond this, numbers leave the range in which single precision keeps 24 bits of a product with a factor.
  return all < 0x1p128 ? all : all * INFINITY;
}

// x is the slice, y the member: the squared norm of the very values that are added, and the slopes' alone of a product.
extern "C" __global__ void squares(const int* part, const int* first, const int* slot, const Slice* slices, const float* whole, int parameters, double* square, double* slopes, int members) {
  __shared__ double scratch[128];
  int m = blockIdx.y;
  Slice s = slices[blockIdx.x];
  if (m >= part[MEMBERS]) return;
  bool written = slot[m] >= 0;
  const float* a = written ? whole + (long)slot[m] * parameters + s.offset : s.a + (long)first[m] * s.strideA;
  double sum = squareOf(a, written ? s.size : s.sizeA, scratch), other = 0;
  if (!written && s.b) {
    other = squareOf(s.b + (long)first[m] * s.strideB, s.sizeB, scratch);
    sum *= other;
  }
  if (threadIdx.x == 0) {
    square[(long)blockIdx.x * members + m] = sum;
    slopes[(long)blockIdx.x * members + m] = other;
  }
}

enum { FLAT, AUTOMATIC, NORMALISED, GLOBAL };

// Keeps factors in the range that single precision holds to 24 bits, as ClippingRule does.
__device__ double within(double factor) { return factor < 0x1p-100 ? 0 : fmin(factor, 0x1p100); }

// sum[parameters + g] counts units; the last one refused units.
extern "C" __global__ void clip(const int* part, const double* thresholds, const int* partly, const Slice* slices, int count, int groups, int kind, double number, int counted, const double* square, const double* slopes, int members, float* factor, u64* counters) {
  int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= part[MEMBERS]) return;
  bool finite = true;
  for (int s = 0; s < count; s++) finite &= isfinite(square[(long)s * members + m]);
  for (int g = 0; g < groups; g++) {
    double total = 0, steepest = 0;
    for (int s = 0; s < count; s++)
      if (slices[s].group == g) {
        total += square[(long)s * members + m];
        steepest = fmax(steepest, slopes[(long)s * members + m]);
      }
    double norm = sqrt(total), threshold = thresholds[g] * (1 - 0x1p-16), c = 0;
    switch (kind) {
      case FLAT: c = norm <= threshold ? 1 : within(threshold / norm); break;
      case AUTOMATIC: c = within(threshold / (norm + number)); break;
      case NORMALISED: c = norm > 0 ? within(threshold / norm) : 0; break;
      default: c = norm <= number ? within(threshold / number) : 0;
    }
    // Slopes are multiplied by the factor before the inputs: the product stays a number.
    c = fmin(c, 0x1p126 / sqrt(steepest));
    factor[(long)g * members + m] = finite ? __double2float_rd(c) : 0;
    if (finite && counted) atomicAdd(&counters[g], norm <= threshold ? 1ull : ~0ull);
  }
  if (!finite && !partly[m]) atomicAdd(&counters[groups], 1ull);
}

// ---- sums of chunks

// The scale is a power of two, so that the product is rounded only where the whole number is.
__device__ __forceinline__ void addRounded(u64* to, float sum, int scale) {
  if (sum != 0) atomicAdd(to, (u64)__float2ll_rn(__fmul_rn(sum, __int_as_float(scale))));
}

// A chunk that another part of the lot began or will go on with has its running sum in one of two buffers.
__device__ int opened(const int* part, int chunk) { return chunk == 0 ? part[OPEN_IN] : -1; }
__device__ int leftOpen(const int* part, int chunk) { return chunk == part[CHUNKS] - 1 ? part[OPEN_OUT] : -1; }

// All slices that are written out, or are rows of slopes: block x has 256 numbers of one of them, from `block[x]` on.
extern "C" __global__ void sum_flat(const int* part, const int* first, const int* slot, const int* chunkEnd, const Slice* slices, const int2* block, const float* whole, int parameters, const float* factors, int members, float* open, u64* sum) {
  constexpr int AHEAD = 8;
  Slice s = slices[block[blockIdx.x].x];
  int i = block[blockIdx.x].y + threadIdx.x;
  if (i >= s.size) return;
  const float* factor = factors + (long)s.group * members;
  for (int chunk = blockIdx.y; chunk < part[CHUNKS]; chunk += gridDim.y) {
    int in = opened(part, chunk), out = leftOpen(part, chunk), end = chunkEnd[chunk];
    float v = in < 0 ? 0 : open[(long)in * parameters + s.offset + i];
    for (int m0 = chunk ? chunkEnd[chunk - 1] : 0; m0 < end; m0 += AHEAD) {
      float f[AHEAD], g[AHEAD];
#pragma unroll
      for (int j = 0; j < AHEAD; j++) {
        int m = min(m0 + j, end - 1);
        f[j] = m0 + j < end ? factor[m] : 0;
        g[j] = slot[m] < 0 ? s.a[(long)first[m] * s.strideA + i] : whole[(long)slot[m] * parameters + s.offset + i];
      }
#pragma unroll
      for (int j = 0; j < AHEAD; j++)
        if (f[j] != 0) v = __fmaf_rn(f[j], g[j], v);
    }
    if (out < 0) addRounded(&sum[s.offset + i], v, part[SCALE]);
    else open[(long)out * parameters + s.offset + i] = v;
  }
}

// The weights of a dense layer: a tile of 128 inputs and 64 outputs; z shares the chunks.
extern "C" __global__ void __launch_bounds__(128) sum_dense(const int* part, const int* first, const int* slot, const int* chunkEnd, Slice s, const float* whole, int parameters, const float* factor, float* open, u64* sum) {
  constexpr int D = 16;
  __shared__ __align__(16) float as[D][132], bs[D][68];
  __shared__ long written[D];
  __shared__ float fs[D];
  const int t = threadIdx.x, i0 = blockIdx.x * 128, j0 = blockIdx.y * 64, ti = t / 8 * 8, tj = t % 8 * 4;
  const int inputs = s.sizeA, outputs = s.sizeB;
  const bool evenA = isEven(s.a, s.strideA) && inputs % 4 == 0, evenB = isEven(s.b, s.strideB) && outputs % 4 == 0;
  for (int chunk = blockIdx.z; chunk < part[CHUNKS]; chunk += gridDim.z) {
    int in = opened(part, chunk), out = leftOpen(part, chunk), end = chunkEnd[chunk];
    float acc[8][8];
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
      for (int j = 0; j < 8; j++) {
        int r = i0 + ti + i, c = j0 + tj + j / 4 * 32 + j % 4;
        acc[i][j] = in >= 0 && r < inputs && c < outputs ? open[(long)in * parameters + s.offset + (long)r * outputs + c] : 0;
      }
    for (int m0 = chunk ? chunkEnd[chunk - 1] : 0; m0 < end; m0 += D) {
      if (t < D) {
        int m = m0 + t;
        fs[t] = m < end ? factor[m] : 0;
        written[t] = m < end && slot[m] >= 0 && fs[t] != 0 ? (long)slot[m] * parameters + s.offset : -1;
      }
      __syncthreads();
#pragma unroll
      for (int l = 0; l < 4; l++) {
        int k = l * 4 + t / 32, i = t % 32 * 4;
        bool there = fs[k] != 0 && written[k] < 0;
        *(float4*)&as[k][i] = four(s.a + (there ? (long)first[m0 + k] * s.strideA : 0) + i0 + i, evenA, there ? inputs - i0 - i : 0);
      }
#pragma unroll
      for (int l = 0; l < 2; l++) {
        int k = l * 8 + t / 16, j = t % 16 * 4;
        bool there = fs[k] != 0 && written[k] < 0;
        float4 b = four(s.b + (there ? (long)first[m0 + k] * s.strideB : 0) + j0 + j, evenB, there ? outputs - j0 - j : 0);
        float f = fs[k];
        *(float4*)&bs[k][j] = make_float4(__fmul_rn(f, b.x), __fmul_rn(f, b.y), __fmul_rn(f, b.z), __fmul_rn(f, b.w));
      }
      bool some = __syncthreads_or(t < D && written[t] >= 0);
#pragma unroll 2
      for (int k = 0; k < D; k++) {
        if (some && written[k] >= 0) {
#pragma unroll
          for (int i = 0; i < 8; i++)
#pragma unroll
            for (int j = 0; j < 8; j++) {
              int r = i0 + ti + i, c = j0 + tj + j / 4 * 32 + j % 4;
              if (r < inputs && c < outputs) acc[i][j] = __fmaf_rn(fs[k], whole[written[k] + (long)r * outputs + c], acc[i][j]);
            }
          continue;
        }
        float av[8], bv[8];
#pragma unroll
        for (int i = 0; i < 8; i += 4) *(float4*)&av[i] = *(const float4*)&as[k][ti + i];
#pragma unroll
        for (int j = 0; j < 8; j += 4) *(float4*)&bv[j] = *(const float4*)&bs[k][tj + j * 8];
#pragma unroll
        for (int i = 0; i < 8; i++)
#pragma unroll
          for (int j = 0; j < 8; j++) acc[i][j] = __fmaf_rn(av[i], bv[j], acc[i][j]);
      }
      __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
      for (int j = 0; j < 8; j++) {
        int r = i0 + ti + i, c = j0 + tj + j / 4 * 32 + j % 4;
        if (r < inputs && c < outputs) {
          long at = s.offset + (long)r * outputs + c;
          if (out < 0) addRounded(&sum[at], acc[i][j], part[SCALE]);
          else open[(long)out * parameters + at] = acc[i][j];
        }
      }
  }
}

// Where a chunk of a table is summed: the last two of the scratch are for chunks that are cut.
__device__ long scratchOf(const int* part, int chunk, int closed) {
  int in = opened(part, chunk), out = leftOpen(part, chunk);
  return in >= 0 ? closed + in : out >= 0 ? closed + out : chunk % closed;
}

// A thread has one column of a chunk's table. Chunks from `from` on, one for each y.
extern "C" __global__ void sum_table(const int* part, const int* first, const int* slot, const int* chunkEnd, Slice s, const float* whole, int parameters, const float* factor, const float* tokens, int length, int width, float* scratch, int closed, int from) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, chunk = from + blockIdx.y;
  if (c >= width || chunk >= part[CHUNKS]) return;
  float* to = scratch + scratchOf(part, chunk, closed) * s.size + c;
  for (int m = chunk ? chunkEnd[chunk - 1] : 0; m < chunkEnd[chunk]; m++) {
    float f = factor[m];
    if (f == 0) continue;
    if (slot[m] >= 0)
      for (int v = 0; v < s.size; v += width) to[v] = __fmaf_rn(f, whole[(long)slot[m] * parameters + s.offset + v + c], to[v]);
    else
      for (long at = (long)first[m] * length; at < (long)(first[m] + 1) * length; at++) {
        float g = s.a[at * width + c];
        if (g != 0) {
          float* one = to + (long)tokens[at] * width;
          *one = __fmaf_rn(f, g, *one);
        }
      }
  }
}

extern "C" __global__ void round_table(const int* part, Slice s, float* scratch, int closed, int from, u64* sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, chunk = from + blockIdx.y;
  if (i >= s.size || chunk >= part[CHUNKS] || leftOpen(part, chunk) >= 0) return;
  float* v = scratch + scratchOf(part, chunk, closed) * s.size + i;
  addRounded(&sum[s.offset + i], *v, part[SCALE]);
  *v = 0;
}
