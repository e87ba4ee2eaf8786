// What step.cu takes from CUDA, on one thread of a processor: threads of a block take turns at every barrier.
#pragma once
#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static
#define __align__(n) __attribute__((aligned(n)))

struct Sides {
  int x, y, z;
};
struct int2 {
  int x, y;
};
struct float4 {
  float x, y, z, w;
};

extern Sides threadIdx, blockIdx, blockDim, gridDim;
void __syncthreads();

using std::isfinite;
using std::max;
using std::min;

inline float4 make_float4(float a, float b, float c, float d) { return float4{a, b, c, d}; }
inline float __fmaf_rn(float a, float b, float c) { return std::fmaf(a, b, c); }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline long long __float2ll_rn(float f) { return llrintf(f); }

inline float __double2float_rd(double d) {
  float f = (float)d;
  return f > d ? std::nextafterf(f, -INFINITY) : f;
}

inline float __int_as_float(int bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

inline double __shfl_xor_sync(unsigned, double v, int k) {
  static double all[1024];
  int t = threadIdx.x;
  all[t] = v;
  __syncthreads();
  double other = all[t ^ k];
  __syncthreads();
  return other;
}

inline bool __syncthreads_or(bool v) {
  static bool any;
  __syncthreads();
  if (v) any = true;
  __syncthreads();
  bool found = any;
  __syncthreads();
  any = false;
  __syncthreads();
  return found;
}

template <class T, class V>
T atomicAdd(T* to, V v) {
  T before = *to;
  *to += v;
  return before;
}
