#include "quantised/exact_sums.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::Requantisation;

constexpr std::int64_t kMostExact = std::int64_t{1} << 24;  // integer in float32, as all below

/// How far an index in axes from `begin` to `end` is from the first element.
std::int64_t FindOffset(const dnnl::memory::desc& desc, std::size_t begin, std::size_t end,
                        std::int64_t index) {
  std::int64_t offset = 0;
  for (std::size_t axis = end; axis-- > begin; index /= desc.data.dims[axis]) {
    offset += index % desc.data.dims[axis] * desc.data.format_desc.blocking.strides[axis];
  }
  return offset;
}

/// The sums of the weights above and below the zero point of their filter.
struct SignedSums {
  std::vector<std::int64_t> positive;
  std::vector<std::int64_t> negative;
};

/// Adds up so many weights that lie one after the other. In sums of 16 bits, of which vectors hold
/// most.
void AddUpFilter(const std::int8_t* weights, std::int64_t num_terms, std::int32_t zero_point,
                 std::int64_t* positive, std::int64_t* negative) {
  constexpr std::int64_t kTermsThatFit = 128;  // each at most 255 from 0
  while (num_terms > 0) {
    const std::int64_t count = std::min(num_terms, kTermsThatFit);
    std::int16_t above = 0;
    std::int16_t below = 0;
    for (std::int64_t term = 0; term < count; ++term) {
      const auto weight = static_cast<std::int16_t>(weights[term] - zero_point);
      above = static_cast<std::int16_t>(above + std::max<std::int16_t>(weight, 0));
      below = static_cast<std::int16_t>(below + std::min<std::int16_t>(weight, 0));
    }
    *positive += above;
    *negative += below;
    weights += count;
    num_terms -= count;
  }
}

/// Where the weights of a filter do not lie one after the other, as of products, filters are looked
/// at together, because they lie next to each other.
SignedSums AddUpWeights(const Filters& filters, const std::vector<std::int32_t>& zero_points) {
  const std::size_t count = zero_points.size();
  std::vector<std::int64_t> begins(count);
  for (std::size_t i = 0; i < count; ++i) {
    begins[i] = FindOffset(filters.desc, 0, filters.num_outer, static_cast<std::int64_t>(i));
  }
  SignedSums sums{std::vector<std::int64_t>(count), std::vector<std::int64_t>(count)};
  const auto rank = static_cast<std::size_t>(filters.desc.data.ndims);
  const std::int64_t num_terms = filters.weights.info.shape.GetNumElements() /
                                 std::max<std::int64_t>(1, static_cast<std::int64_t>(count));
  const auto* values = static_cast<const std::int8_t*>(filters.weights.content.get());
  if (FindOffset(filters.desc, filters.num_outer, rank, num_terms - 1) == num_terms - 1) {
    for (std::size_t i = 0; i < count; ++i) {
      AddUpFilter(values + begins[i], num_terms, zero_points[i], &sums.positive[i],
                  &sums.negative[i]);
    }
    return sums;
  }
  for (std::int64_t term = 0; term < num_terms; ++term) {
    const std::int8_t* of_term = values + FindOffset(filters.desc, filters.num_outer, rank, term);
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t weight = of_term[begins[i]] - zero_points[i];
      sums.positive[i] += std::max<std::int64_t>(weight, 0);
      sums.negative[i] += std::min<std::int64_t>(weight, 0);
    }
  }
  return sums;
}

/// The most that the sum of each filter can be, of either sign, for any input.
std::vector<std::int64_t> FindReaches(const Filters& filters, const Requantisation& requantisation,
                                      DataType input_type) {
  const std::int64_t least =
      (input_type == DataType::kInt8 ? -128 : 0) - requantisation.input_zero_point;
  const std::int64_t most = least + 255;  // 0 lies between, because the zero point is a byte
  const SignedSums sums = AddUpWeights(filters, requantisation.zero_points);
  std::vector<std::int64_t> reaches;
  for (std::size_t i = 0; i < sums.positive.size(); ++i) {
    reaches.push_back(std::max(sums.positive[i] * most + sums.negative[i] * least,
                               -sums.positive[i] * least - sums.negative[i] * most));
  }
  return reaches;
}

/// oneDNN turns sums and bias into float32 before it adds them: both must fit without loss, or all
/// results be 0.
bool IsExact(std::int64_t reach, std::int64_t bias, float multiplier) {
  constexpr double kRoundsToZero = 0.49;
  const std::int64_t size = std::abs(bias);
  return (reach <= kMostExact && size <= kMostExact) ||
         static_cast<double>(reach + size) * static_cast<double>(multiplier) < kRoundsToZero;
}

/// The power of two that the lowest bit of a number other than 0 is worth.
double GetLowestBit(double number) {
  double unit = std::ldexp(1.0, std::ilogb(number));
  while (std::fmod(number, unit) != 0.0) unit /= 2;
  return unit;
}

}  // namespace

bool HasExactByteProducts() {
  switch (dnnl::get_effective_cpu_isa()) {
    case dnnl::cpu_isa::avx512_core_vnni:
    case dnnl::cpu_isa::avx512_core_bf16:
    case dnnl::cpu_isa::avx512_core_amx:
    case dnnl::cpu_isa::avx2_vnni:
      return true;
    default:
      return false;
  }
}

bool AreZeroPointsExact(std::int64_t num_products) {
  constexpr std::int64_t kMostProduct = 255 * 128;
  return dnnl::get_effective_cpu_isa() != dnnl::cpu_isa::avx512_core_amx ||
         num_products * kMostProduct <= kMostExact;
}

bool AreSumsExact(const Filters& filters, const std::int32_t* bias,
                  const Requantisation& requantisation, DataType input_type) {
  const std::vector<std::int64_t> reaches = FindReaches(filters, requantisation, input_type);
  for (std::size_t filter = 0; filter < reaches.size(); ++filter) {
    if (!IsExact(reaches[filter], bias != nullptr ? bias[filter] : 0,
                 requantisation.multipliers[filter])) {
      return false;
    }
  }
  return true;
}

bool IsSumExact(const cpu_layers::ByteSum& sum) {
  double most = 0.0;
  double unit = std::numeric_limits<double>::infinity();
  for (const float part : {sum.ratio_a, sum.ratio_b, sum.fixed}) {
    if (!std::isfinite(part)) return false;
    if (part == 0.0F) continue;
    most += 256.0 * std::fabs(static_cast<double>(part));
    unit = std::min(unit, GetLowestBit(static_cast<double>(part)));
  }
  return most < std::ldexp(unit, std::numeric_limits<double>::digits - 1);
}

}  // namespace cpuacc
}  // namespace backplane
