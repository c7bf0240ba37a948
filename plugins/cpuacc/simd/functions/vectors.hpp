#pragma once

/// As many float32 as the instruction set takes at once.

#include "simd/functions/number_bits.hpp"

#include <cstdint>

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

#if defined(__AVX512F__)
constexpr int kLanes = 16;
#elif defined(__AVX__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif

/// Its arithmetic is that of the elements.
typedef float Vector __attribute__((vector_size(kLanes * sizeof(float)), may_alias));

/// The elements of a vector, for functions that are written for one.
struct Lanes {
  alignas(sizeof(Vector)) float at[kLanes];
};

/// `x` is aligned to a vector.
CPUACC_INLINE Vector Load(const float* x) {
  return *reinterpret_cast<const Vector*>(x);
}

CPUACC_INLINE void Store(Vector vector, float* x) {
  *reinterpret_cast<Vector*>(x) = vector;
}

CPUACC_INLINE Lanes ToLanes(Vector vector) {
  Lanes lanes;
  Store(vector, lanes.at);
  return lanes;
}

CPUACC_INLINE Vector ToVector(const Lanes& lanes) {
  return Load(lanes.at);
}

/// Copies the first `count` of `from`, which are fewer than kMost, a power of 2.
template <int kMost, typename T>
CPUACC_INLINE void CopyFirst(const T* from, std::int64_t count, T* to) {
  for (std::int64_t size = kMost / 2; size > 0; size /= 2) {
    if ((count & size) == 0) continue;
    __builtin_memcpy(to, from, static_cast<unsigned long>(size) * sizeof(T));
    from += size;
    to += size;
  }
}

/// Copies all elements, or the first `count` where these are fewer. Not aligned.
CPUACC_INLINE void StoreFirst(Vector vector, std::int64_t count, float* x) {
  if (count >= kLanes) {
    __builtin_memcpy(x, &vector, sizeof(vector));
    return;
  }
  const Lanes lanes = ToLanes(vector);
  CopyFirst<kLanes>(lanes.at, count, x);
}

/// f of each element.
template <typename Function>
CPUACC_INLINE Vector MapLanes(Vector x, Function function) {
  const Lanes from = ToLanes(x);
  Lanes to;
#pragma omp simd
  for (int i = 0; i < kLanes; ++i) to.at[i] = function(from.at[i]);
  return ToVector(to);
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
