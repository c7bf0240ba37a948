#include "operators/broadcast.hpp"

#include <algorithm>

namespace backplane {

std::optional<TensorShape> BroadcastShapes(const TensorShape& a, const TensorShape& b) {
  TensorShape result;
  result.rank = std::max(a.rank, b.rank);
  for (std::uint32_t from_end = 1; from_end <= result.rank; ++from_end) {
    const std::int64_t extent_a = from_end <= a.rank ? a[a.rank - from_end] : 1;
    const std::int64_t extent_b = from_end <= b.rank ? b[b.rank - from_end] : 1;
    if (extent_a != extent_b && extent_a != 1 && extent_b != 1) return std::nullopt;
    result[result.rank - from_end] = extent_a == 1 ? extent_b : extent_a;
  }
  return result;
}

}  // namespace backplane
