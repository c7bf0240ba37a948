#include "simd/functions/functions.hpp"
#include "simd/functions/number_bits.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {
namespace {

/// Points that differ in their sign share the sums of even and of odd elements.
void TransformInput(const float* const* rows, std::int64_t channels, float* points,
                    std::int64_t point_step) {
  const float* const x0 = rows[0];
  const float* const x1 = rows[1];
  const float* const x2 = rows[2];
  const float* const x3 = rows[3];
  const float* const x4 = rows[4];
  const float* const x5 = rows[5];
  const float* const x6 = rows[6];
  const float* const x7 = rows[7];
#pragma omp simd
  for (std::int64_t i = 0; i < channels; ++i) {
    float* const to = points + i;
    to[0] = (x0[i] - x6[i]) + 5.25F * (x4[i] - x2[i]);
    to[7 * point_step] = (x7[i] - x1[i]) + 5.25F * (x3[i] - x5[i]);
    const float even_1 = x2[i] + x6[i] - 4.25F * x4[i];
    const float odd_1 = x1[i] + x5[i] - 4.25F * x3[i];
    to[point_step] = even_1 + odd_1;
    to[2 * point_step] = even_1 - odd_1;
    const float even_2 = x6[i] + 0.25F * x2[i] - 1.25F * x4[i];
    const float odd_2 = 0.5F * x1[i] - 2.5F * x3[i] + 2.0F * x5[i];
    to[3 * point_step] = even_2 + odd_2;
    to[4 * point_step] = even_2 - odd_2;
    const float even_half = x6[i] + 4.0F * x2[i] - 5.0F * x4[i];
    const float odd_half = 2.0F * x1[i] - 2.5F * x3[i] + 0.5F * x5[i];
    to[5 * point_step] = even_half + odd_half;
    to[6 * point_step] = even_half - odd_half;
  }
}

/// Result number `kIndex` before the bias, without the points 0 and infinity.
template <int kIndex>
CPUACC_INLINE float Combine(float one, float two, float half) {
  constexpr auto kPower = static_cast<float>(1 << kIndex);
  return one + kPower * two + half / kPower;
}

template <int kResults>
void TransformTile(const float* points, std::int64_t point_step, std::int64_t channels,
                   const float* bias, float* results, std::int64_t result_step) {
#pragma omp simd
  for (std::int64_t i = 0; i < channels; ++i) {
    const float* const from = points + i;
    float* const to = results + i;
    const float sum_1 = from[point_step] + from[2 * point_step];
    const float sum_2 = from[3 * point_step] + from[4 * point_step];
    const float sum_half = from[5 * point_step] + from[6 * point_step];
    const float difference_1 = from[point_step] - from[2 * point_step];
    const float difference_2 = from[3 * point_step] - from[4 * point_step];
    const float difference_half = from[5 * point_step] - from[6 * point_step];
    const float addend = bias == nullptr ? 0.0F : bias[i];
    const auto finish = [&](int index, float result) {
      if (index == kResults - 1) result += from[7 * point_step];
      to[index * result_step] = result + addend;
    };
    finish(0, from[0] + Combine<0>(sum_1, sum_2, sum_half));
    finish(1, Combine<1>(difference_1, difference_2, difference_half));
    finish(2, Combine<2>(sum_1, sum_2, sum_half));
    if constexpr (kResults > 3) finish(3, Combine<3>(difference_1, difference_2, difference_half));
    if constexpr (kResults > 4) finish(4, Combine<4>(sum_1, sum_2, sum_half));
    if constexpr (kResults > 5) finish(5, Combine<5>(difference_1, difference_2, difference_half));
  }
}

}  // namespace

void FillTiles(WinogradFunctions& functions) {
  functions.transform_input = &TransformInput;
  functions.transform_output[0] = &TransformTile<3>;
  functions.transform_output[1] = &TransformTile<4>;
  functions.transform_output[2] = &TransformTile<5>;
  functions.transform_output[3] = &TransformTile<6>;
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
