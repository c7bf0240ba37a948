#pragma once

/// Vectors of int32 sums, and what they are made of. Written with intrinsics where the compiler
/// makes many instructions of what is one.

#include "simd/byte_product_functions.hpp"
#include "simd/functions/number_bits.hpp"
#include "simd/functions/vectors.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstdint>

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

constexpr int kSumBytes = kLanes * 4;
constexpr int kSumVectors = static_cast<int>(kByteFilters) / kLanes;  // of a panel

typedef std::int32_t Sums __attribute__((vector_size(kSumBytes), aligned(4), may_alias));
typedef float Scaled __attribute__((vector_size(kSumBytes), aligned(4), may_alias));
typedef std::int16_t Pairs __attribute__((vector_size(kSumBytes), aligned(2), may_alias));

/// Wraps around.
CPUACC_INLINE Sums AddSums(Sums a, Sums b) {
  typedef std::uint32_t Wrapping __attribute__((vector_size(kSumBytes), aligned(4), may_alias));
  return reinterpret_cast<Sums>(reinterpret_cast<Wrapping>(a) + reinterpret_cast<Wrapping>(b));
}

CPUACC_INLINE Sums LoadSums(const std::int32_t* from) {
  return *reinterpret_cast<const Sums*>(from);
}

CPUACC_INLINE Scaled LoadScaled(const float* from) {
  return *reinterpret_cast<const Scaled*>(from);
}

CPUACC_INLINE Pairs LoadPairs(const std::int16_t* from) {
  return *reinterpret_cast<const Pairs*>(from);
}

/// The same pair everywhere.
CPUACC_INLINE Pairs RepeatPair(const std::int16_t* pair) {
  std::int32_t both = 0;
  __builtin_memcpy(&both, pair, sizeof(both));
  return reinterpret_cast<Pairs>(Sums{} + both);
}

CPUACC_INLINE Scaled Clamp(Scaled x, float least, float most) {
  const Scaled lowest = Scaled{} + least;
  const Scaled highest = Scaled{} + most;
#if defined(__AVX2__) && !defined(__AVX512BW__)
  return reinterpret_cast<Scaled>(
      _mm256_min_ps(_mm256_max_ps(reinterpret_cast<__m256>(x), reinterpret_cast<__m256>(lowest)),
                    reinterpret_cast<__m256>(highest)));
#else
  const Scaled raised = x < lowest ? lowest : x;
  return raised > highest ? highest : raised;
#endif
}

#if defined(__AVX512BW__)

// Without a mask, the compiler warns of what is not written.
constexpr __mmask16 kAllLanes = 0xFFFF;

CPUACC_INLINE Sums LoadWidened(const std::int16_t* from) {
  return reinterpret_cast<Sums>(_mm512_maskz_cvtepi16_epi32(
      kAllLanes, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
}

/// The sum of the two products of each pair.
CPUACC_INLINE Sums MultiplyPairs(Pairs a, Pairs b) {
  return reinterpret_cast<Sums>(
      _mm512_madd_epi16(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
}

/// Of a panel. Sums fit in int16.
CPUACC_INLINE void StoreLowBytes(const Sums* sums, unsigned char* bytes) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes),
                   _mm512_maskz_cvtepi32_epi8(kAllLanes, reinterpret_cast<__m512i>(sums[0])));
}

#elif defined(__AVX2__)

CPUACC_INLINE Sums LoadWidened(const std::int16_t* from) {
  return reinterpret_cast<Sums>(
      _mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
}

CPUACC_INLINE Sums MultiplyPairs(Pairs a, Pairs b) {
  return reinterpret_cast<Sums>(
      _mm256_madd_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
}

CPUACC_INLINE void StoreLowBytes(const Sums* sums, unsigned char* bytes) {
  const __m256i narrow = _mm256_permute4x64_epi64(
      _mm256_packs_epi32(reinterpret_cast<__m256i>(sums[0]), reinterpret_cast<__m256i>(sums[1])),
      0xD8);
  const __m256i low = _mm256_and_si256(narrow, _mm256_set1_epi16(0xFF));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes),
                   _mm_packus_epi16(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1)));
}

#else

CPUACC_INLINE Sums LoadWidened(const std::int16_t* from) {
  Sums sums = {};
  for (int i = 0; i < kLanes; ++i) sums[i] = from[i];
  return sums;
}

#if defined(__x86_64__)

CPUACC_INLINE Sums MultiplyPairs(Pairs a, Pairs b) {
  return reinterpret_cast<Sums>(
      _mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
}

#else

CPUACC_INLINE Sums MultiplyPairs(Pairs a, Pairs b) {
  Sums sums = {};
  for (int i = 0; i < kLanes; ++i) sums[i] = a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1];
  return sums;
}

#endif

CPUACC_INLINE void StoreLowBytes(const Sums* sums, unsigned char* bytes) {
  for (int v = 0; v < kSumVectors; ++v) {
    for (int i = 0; i < kLanes; ++i) *bytes++ = static_cast<unsigned char>(sums[v][i]);
  }
}

#endif

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
