#include "subgraphs/repeated_operand.hpp"

#include "plan/index_axes.hpp"

#include <vector>

namespace backplane {
namespace opencl {

std::optional<Repetition> FindRepetition(const TensorShape& operand, const TensorShape& output) {
  if (output.GetNumElements() == 0) return std::nullopt;
  const std::vector<IndexAxis> axes = MakeBroadcastAxes({operand}, output);
  Repetition repetition;
  bool has_operand = false;
  for (std::size_t i = axes.size(); i-- > 0;) {
    if (axes[i].steps[0] != 0) {
      if (has_operand) return std::nullopt;
      has_operand = true;
      repetition.modulus = axes[i].extent;
    } else if (has_operand) {
      repetition.is_repeated = axes[i].extent > 1;
    } else {
      repetition.divisor *= axes[i].extent;
    }
  }
  return repetition;
}

}  // namespace opencl
}  // namespace backplane
