#include "tensor_roles.hpp"

namespace backplane {
namespace cpuref {

const TensorInfo* FindFirstValue(const Layer& layer, const TensorRoles& roles) {
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    if (roles.OfInput(index) == TensorRole::kValue) return &layer.Input(index);
  }
  for (std::uint32_t index = 0; index < layer.num_outputs; ++index) {
    if (roles.OfOutput(index) == TensorRole::kValue) return &layer.Output(index);
  }
  return nullptr;
}

}  // namespace cpuref
}  // namespace backplane
