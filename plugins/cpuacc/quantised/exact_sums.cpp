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

/// The most that the sum of each filter can be, of either sign, for any input.
std::vector<std::int64_t> FindReaches(const Filters& filters, const Requantisation& requantisation,
                                      DataType input_type) {
  const std::int64_t least =
      (input_type == DataType::kInt8 ? -128 : 0) - requantisation.input_zero_point;
  const std::int64_t most = least + 255;
  const auto& strides = filters.desc.data.format_desc.blocking.strides;
  const dnnl::memory::dims dims = filters.desc.dims();
  std::int64_t of_filter = 1;
  for (std::size_t axis = filters.num_outer; axis < dims.size(); ++axis) of_filter *= dims[axis];
  const std::int64_t count = filters.weights.info.shape.GetNumElements();
  const auto* values = static_cast<const std::int8_t*>(filters.weights.content.get());
  std::vector<std::int64_t> reaches;
  for (std::int64_t filter = 0; filter < count / of_filter; ++filter) {
    std::int64_t lowest = 0;
    std::int64_t highest = 0;
    const std::int32_t zero_point = requantisation.zero_points[static_cast<std::size_t>(filter)];
    for (std::int64_t i = filter * of_filter; i < (filter + 1) * of_filter; ++i) {
      std::int64_t rest = i;
      std::int64_t offset = 0;
      for (std::size_t axis = dims.size(); axis-- > 0; rest /= dims[axis]) {
        offset += rest % dims[axis] * strides[axis];
      }
      const std::int64_t weight = values[offset] - zero_point;
      highest += std::max(weight * least, weight * most);
      lowest += std::min(weight * least, weight * most);
    }
    reaches.push_back(std::max(highest, -lowest));
  }
  return reaches;
}

/// oneDNN turns sums and bias into float32 before it adds them: both must fit without loss, or all
/// results be 0.
bool IsExact(std::int64_t reach, std::int64_t bias, float multiplier) {
  constexpr std::int64_t kMostExact = std::int64_t{1} << 24;
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
