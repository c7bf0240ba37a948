#pragma once

/// What the tensors of a layer are to its kernel.

#include <cstdint>
#include <vector>

namespace backplane {
namespace cpu_layers {

enum class TensorRole : std::uint32_t {
  kValue,  // has the data type that the kernel is for; all values are of one type
  kIndex,  // int32 or int64, not quantised
  kInt64,  // int64, not quantised
  kBool,   // bool
  kOwn,    // what else the kernel looks at itself
};

/// Tensors that are not listed are values.
struct TensorRoles {
  TensorRole OfInput(std::uint32_t index) const {
    return index < inputs.size() ? inputs[index] : TensorRole::kValue;
  }
  TensorRole OfOutput(std::uint32_t index) const {
    return index < outputs.size() ? outputs[index] : TensorRole::kValue;
  }

  std::vector<TensorRole> inputs = {};
  std::vector<TensorRole> outputs = {};
};

}  // namespace cpu_layers
}  // namespace backplane
