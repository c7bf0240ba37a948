#pragma once

/// A layer as its kernels are planned.

#include "cpu_layers/layer.hpp"
#include "cpu_layers/refusal.hpp"
#include "plan/shared_contents.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace backplane {
namespace opencl {

using namespace cpu_layers;

/// What follows a layer in the same kernel: statements in OpenCL C that change `float value`, the
/// result for the output's element `long at` (counted from the output's first), before it is
/// stored. They read further tensors, which stand behind the inputs of the layer, by the names of
/// `operands`.
struct Epilogue {
  struct Operand {
    std::string name;         // of the argument; its first element is <name>_begin
    std::uint32_t input = 0;  // which input of the fused layer
    DataType data_type = DataType::kFloat32;
  };

  /// An int that differs from layer to layer, so that programs need not.
  struct Number {
    std::string name;
    std::int32_t value = 0;
  };

  bool IsEmpty() const { return statements.empty(); }

  std::string statements;
  std::vector<Operand> operands;
  std::vector<Number> numbers;
};

/// A layer to plan: constant content is there when kernels are made, and null when it is only asked
/// whether they could be.
struct PlannedLayer : Layer {
  bool IsConstant(std::uint32_t input) const {
    return is_constant != nullptr && is_constant[input] != 0;
  }
  const ConstTensor* GetConstant(std::uint32_t input) const {
    return constants != nullptr ? constants[input] : nullptr;
  }

  const std::uint8_t* is_constant = nullptr;      // for each input; null: none
  const ConstTensor* const* constants = nullptr;  // for each input, or null
  SharedContents* contents = nullptr;             // null: what is made of constants is not shared
  Epilogue epilogue;                              // only for kernels that take one
};

}  // namespace opencl
}  // namespace backplane
