// Compiled without contraction: where products are rounded before they are added, results are
// defined so.

#include "simd/functions/functions.hpp"
#include "simd/functions/number_bits.hpp"

#if defined(__AVX512BW__)
#include <immintrin.h>
#endif

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

CPUACC_INLINE std::int32_t GetInteger(std::uint8_t byte, std::int32_t sign_bit) {
  return (byte ^ sign_bit) - sign_bit;
}

CPUACC_INLINE float MultiplyAddInDouble(float a, float b, float c) {
  return static_cast<float>(static_cast<double>(a) * static_cast<double>(b) +
                            static_cast<double>(c));
}

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
CPUACC_INLINE float MultiplyAdd(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
#else
CPUACC_INLINE float MultiplyAdd(float a, float b, float c) {
  return MultiplyAddInDouble(a, b, c);
}
#endif

/// NaN becomes the least.
CPUACC_INLINE std::uint8_t ToByte(float number, float least, float greatest) {
  const float raised = number > least ? number : least;
  const float bounded = raised < greatest ? raised : greatest;
  return static_cast<std::uint8_t>(static_cast<std::int32_t>((bounded + kRounder) - kRounder));
}

/// `get_term(element of b)` is made once where b repeats, and `combine(element of a, term)` is what
/// is stored.
template <typename GetTerm, typename Combine>
CPUACC_INLINE void CombineElements(const BytePair& pair, const std::uint8_t* a,
                                   const std::uint8_t* b, std::int64_t step_b, std::uint8_t* y,
                                   std::int64_t count, GetTerm get_term, Combine combine) {
  const std::int32_t sign_a = pair.sign_bits[0];
  const std::int32_t sign_b = pair.sign_bits[1];
  const float least = pair.least;
  const float greatest = pair.greatest;
  if (step_b == 0) {
    const auto term = get_term(GetInteger(*b, sign_b));
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) {
      y[i] = ToByte(combine(GetInteger(a[i], sign_a), term), least, greatest);
    }
  } else {
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) {
      const auto term = get_term(GetInteger(b[i], sign_b));
      y[i] = ToByte(combine(GetInteger(a[i], sign_a), term), least, greatest);
    }
  }
}

void Add(const BytePair& pair, const std::uint8_t* a, const std::uint8_t* b, std::int64_t step_b,
         std::uint8_t* y, std::int64_t count) {
  const float ratio_a = pair.ratios[0];
  const float ratio_b = pair.ratios[1];
  const float fixed = pair.fixed;
  CombineElements(
      pair, a, b, step_b, y, count,
      [=](std::int32_t x) { return MultiplyAdd(static_cast<float>(x), ratio_b, fixed); },
      [=](std::int32_t x, float term) {
        return MultiplyAdd(static_cast<float>(x), ratio_a, term);
      });
}

void AddInDouble(const BytePair& pair, const std::uint8_t* a, const std::uint8_t* b,
                 std::int64_t step_b, std::uint8_t* y, std::int64_t count) {
  const float ratio_a = pair.ratios[0];
  const float ratio_b = pair.ratios[1];
  const float fixed = pair.fixed;
  CombineElements(
      pair, a, b, step_b, y, count,
      [=](std::int32_t x) { return MultiplyAddInDouble(static_cast<float>(x), ratio_b, fixed); },
      [=](std::int32_t x, float term) {
        return MultiplyAddInDouble(static_cast<float>(x), ratio_a, term);
      });
}

void Multiply(const BytePair& pair, const std::uint8_t* a, const std::uint8_t* b,
              std::int64_t step_b, std::uint8_t* y, std::int64_t count) {
  const std::int32_t zero_point_a = pair.zero_points[0];
  const std::int32_t zero_point_b = pair.zero_points[1];
  const float ratio = pair.ratio;
  const float fixed = pair.fixed;
  CombineElements(
      pair, a, b, step_b, y, count, [=](std::int32_t x) { return x - zero_point_b; },
      [=](std::int32_t x, std::int32_t term) {
        return static_cast<float>((x - zero_point_a) * term) * ratio + fixed;
      });
}

void SumUp(const std::uint8_t* x, const ByteRows& rows, std::int32_t* sums, std::int64_t count) {
  const std::int32_t sign_bit = rows.sign_bit;
  for (std::int64_t row = 0; row < rows.count; ++row, x += rows.step) {
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) sums[i] += x[i] ^ sign_bit;
  }
}

constexpr double kDoubleRounder = 6755399441055744.0;  // 1.5 * 2^52

/// NaN becomes 0: the average of nothing.
CPUACC_INLINE double BoundAverage(double x, double least, double greatest) {
  const double number = x == x ? x : 0.0;
  const double raised = number > least ? number : least;
  return raised < greatest ? raised : greatest;
}

template <typename Sum>
void Average(const ByteAverage& average, const Sum* sums, std::uint8_t* y, std::int64_t count) {
  const double scale = average.scale;
  const double num_elements = average.count;
  const double result_scale = average.result_scale;
  const std::int32_t zero_point = average.zero_point;
  const double least = average.least - zero_point;
  const double greatest = average.least + 255 - zero_point;
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) {
    const double quotient = scale * static_cast<double>(sums[i]) / num_elements / result_scale;
    const double bounded = BoundAverage(quotient, least, greatest);
    const double rounded = (bounded + kDoubleRounder) - kDoubleRounder;
    y[i] = static_cast<std::uint8_t>(static_cast<std::int32_t>(rounded) + zero_point);
  }
}

/// As Average, by one product in place of its divisions. False where that is so close to the middle
/// of two integers that it may be rounded otherwise; then nothing is known of y.
bool AverageByProduct(const ByteAverage& average, const double* sums, std::uint8_t* y,
                      std::int64_t count) {
  constexpr double kFromMiddle = 0.5 - 1e-9;
  const double ratio = average.scale / average.count / average.result_scale;
  const std::int32_t zero_point = average.zero_point;
  const double least = average.least - zero_point;
  const double greatest = average.least + 255 - zero_point;
  int num_doubtful = 0;
#pragma omp simd reduction(+ : num_doubtful)
  for (std::int64_t i = 0; i < count; ++i) {
    const double bounded = BoundAverage(sums[i] * ratio, least, greatest);
    const double rounded = (bounded + kDoubleRounder) - kDoubleRounder;
    num_doubtful += __builtin_fabs(bounded - rounded) > kFromMiddle ? 1 : 0;
    y[i] = static_cast<std::uint8_t>(static_cast<std::int32_t>(rounded) + zero_point);
  }
  return num_doubtful == 0;
}

void AverageReals(const ByteAverage& average, const double* sums, std::uint8_t* y,
                  std::int64_t count) {
  constexpr std::int64_t kBlock = 64;
  for (std::int64_t begin = 0; begin < count; begin += kBlock) {
    const std::int64_t size = count - begin < kBlock ? count - begin : kBlock;
    if (!AverageByProduct(average, sums + begin, y + begin, size)) {
      Average(average, sums + begin, y + begin, size);
    }
  }
}

void LookUp(const std::uint8_t* table, const std::uint8_t* x, std::uint8_t* y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = table[x[i]];
}

#if defined(__AVX512BW__)

/// Two tables of 128 bytes in registers, of which the highest bit of each byte says the one.
__attribute__((target("avx512vbmi"))) void LookUpInRegisters(const std::uint8_t* table,
                                                             const std::uint8_t* x, std::uint8_t* y,
                                                             std::int64_t count) {
  constexpr std::int64_t kBytes = 64;
  __m512i quarters[4];
  for (int i = 0; i < 4; ++i) quarters[i] = _mm512_loadu_si512(table + kBytes * i);
  std::int64_t i = 0;
  for (; i + kBytes <= count; i += kBytes) {
    const __m512i bytes = _mm512_loadu_si512(x + i);
    const __m512i low = _mm512_permutex2var_epi8(quarters[0], bytes, quarters[1]);
    const __m512i high = _mm512_permutex2var_epi8(quarters[2], bytes, quarters[3]);
    _mm512_storeu_si512(y + i, _mm512_mask_blend_epi8(_mm512_movepi8_mask(bytes), low, high));
  }
  LookUp(table, x + i, y + i, count - i);
}

LookUpBytes FindLookUp() {
  return HasAvx512Vbmi() ? &LookUpInRegisters : &LookUp;
}

#else

LookUpBytes FindLookUp() {
  return &LookUp;
}

#endif

void FillBytes(ByteFunctions& functions) {
  functions.look_up = FindLookUp();
  functions.add = &Add;
  functions.add_in_double = &AddInDouble;
  functions.multiply = &Multiply;
  functions.sum_up = &SumUp;
  functions.average = &Average<std::int32_t>;
  functions.average_reals = &AverageReals;
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
