#pragma once

/// What ways to compute attention have in common.

#include "simd/attention_functions.hpp"
#include "simd/functions/exponentials.hpp"
#include "simd/functions/vectors.hpp"

#include <cstdint>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

/// Fewer elements than a vector has, and 0 behind them.
CPUACC_INLINE Vector LoadFew(const float* x, std::int64_t count) {
#if defined(__AVX512F__)
  return reinterpret_cast<Vector>(
      _mm512_maskz_loadu_ps(static_cast<__mmask16>((1U << count) - 1U), x));
#elif defined(__AVX2__)
  typedef std::int32_t Indices __attribute__((vector_size(sizeof(Vector))));
  const Indices is_there = Indices{0, 1, 2, 3, 4, 5, 6, 7} < static_cast<std::int32_t>(count);
  return reinterpret_cast<Vector>(_mm256_maskload_ps(x, reinterpret_cast<__m256i>(is_there)));
#else
  Lanes lanes = {};
  CopyFirst<kLanes>(x, count, lanes.at);
  return ToVector(lanes);
#endif
}

/// The first `count` elements, and 0 behind them. Not aligned.
CPUACC_INLINE Vector LoadFirst(const float* x, std::int64_t count) {
  if (count < kLanes) return LoadFew(x, count);
  Vector vector;
  __builtin_memcpy(&vector, x, sizeof(vector));
  return vector;
}

CPUACC_INLINE Vector LoadFirst(const std::uint8_t* x, std::int64_t count) {
  std::uint8_t bytes[kLanes] = {};
  if (count >= kLanes) {
    __builtin_memcpy(bytes, x, sizeof(bytes));
  } else {
    CopyFirst<kLanes>(x, count, bytes);
  }
  Lanes lanes;
#pragma omp simd
  for (int i = 0; i < kLanes; ++i) lanes.at[i] = static_cast<float>(bytes[i]);
  return ToVector(lanes);
}

/// As LoadFirst, of elements that lie `step` apart.
template <typename Element>
CPUACC_INLINE Vector LoadStrided(const Element* x, std::int64_t step, std::int64_t count) {
  if (step == 1) return LoadFirst(x, count);
  Lanes lanes = {};
  for (std::int64_t i = 0; i < kLanes && i < count; ++i) {
    lanes.at[i] = static_cast<float>(x[i * step]);
  }
  return ToVector(lanes);
}

/// As StoreFirst, to where elements lie `step` apart.
CPUACC_INLINE void StoreStrided(Vector vector, std::int64_t count, std::int64_t step, float* x) {
  if (step == 1) return StoreFirst(vector, count, x);
  const Lanes lanes = ToLanes(vector);
  for (std::int64_t i = 0; i < kLanes && i < count; ++i) x[i * step] = lanes.at[i];
}

/// What a mask does to scores.
struct AddMask {
  using Element = float;
  CPUACC_INLINE Vector operator()(Vector scores, Vector mask) const { return scores + mask; }
};

struct KeepByMask {
  using Element = std::uint8_t;
  CPUACC_INLINE Vector operator()(Vector scores, Vector mask) const {
    return mask != 0.0F ? scores : Vector{} + fill;
  }
  float fill;
};

struct FillByMask {
  using Element = std::uint8_t;
  CPUACC_INLINE Vector operator()(Vector scores, Vector mask) const {
    return mask != 0.0F ? Vector{} + fill : scores;
  }
  float fill;
};

/// Calls `apply(change)` with what the mask does, where there is one.
template <typename Apply>
CPUACC_INLINE void ApplyMask(const ScoreMask& mask, const Apply& apply) {
  switch (mask.kind) {
    case MaskKind::kNone:
      return;
    case MaskKind::kAdded:
      return apply(AddMask());
    case MaskKind::kKept:
      return apply(KeepByMask{mask.fill});
    case MaskKind::kFilled:
      return apply(FillByMask{mask.fill});
  }
}

/// Exponentials of numbers that are not above 0.
CPUACC_INLINE Vector ExpOfLanes(Vector x) {
  return MapLanes(x, [](float element) { return ExpOrZero(element); });
}

/// What is taken from scores before their exponentials: where all were negative infinity, these are
/// 0 then.
CPUACC_INLINE Vector FindShift(Vector greatest) {
  return greatest == -kInfinity ? Vector{} : greatest;
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
