#include "windows/covered_window.hpp"

#include "cpu_layers/divide_up.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {

using cpu_layers::DivideUp;
using cpu_layers::WindowAxis;

Covered FindCovered(const WindowAxis& axis, std::int64_t output, PaddingInAverage padding) {
  const auto count_below = [&](std::int64_t limit) {
    // Elements of the kernel that lie before this index.
    return std::min(axis.kernel, DivideUp(limit - axis.GetInputIndex(output, 0), axis.dilation));
  };
  const std::int64_t skipped = count_below(0);
  const std::int64_t count = count_below(axis.input) - skipped;
  const bool counts_padding = padding == PaddingInAverage::kInclude;
  const std::int64_t counted =
      counts_padding ? count_below(axis.input + axis.pad_end) - count_below(-axis.pad_begin)
                     : count;
  return {axis.GetInputIndex(output, skipped), count, counted};
}

}  // namespace cpuacc
}  // namespace backplane
