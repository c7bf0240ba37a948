#pragma once

/// What the layers compute, bit-equal to the reference backend.

#include "elements.hpp"

#include <backplane/api/layer_type.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace memory_mock {

enum class Function { kRelu, kAdd, kMul, kMove, kConcat, kSplit };

struct Computation {
  Function function = Function::kMove;
  std::uint32_t axis = 0;  // of kConcat and kSplit
};

inline Computation GetComputation(backplane::LayerType type,
                                  const backplane::BaseDescriptor& descriptor) {
  using backplane::CopyDescriptor;
  switch (type) {
    case backplane::LayerType::kActivation:
      return {Function::kRelu, 0};
    case backplane::LayerType::kElementwiseBinary: {
      const auto binary = CopyDescriptor<backplane::ElementwiseBinaryDescriptor>(descriptor);
      const bool is_add = binary.operation == backplane::BinaryOperation::kAdd;
      return {is_add ? Function::kAdd : Function::kMul, 0};
    }
    case backplane::LayerType::kReshape:
    case backplane::LayerType::kCopy:
      return {Function::kMove, 0};
    case backplane::LayerType::kConcat:
      return {Function::kConcat, CopyDescriptor<backplane::ConcatDescriptor>(descriptor).axis};
    case backplane::LayerType::kSplit:
      return {Function::kSplit, CopyDescriptor<backplane::SplitDescriptor>(descriptor).axis};
    default:
      throw std::invalid_argument(std::string("there is no workload for ") +
                                  backplane::GetLayerTypeName(type));
  }
}

inline float ComputeOne(Function function, float first, float second) {
  if (function == Function::kAdd) return first + second;
  if (function == Function::kMul) return first * second;
  if (function == Function::kRelu) return first < 0 ? 0.0F : first;  // NaN stays NaN
  return first;
}

/// The parts of a tensor along one axis. Each gives one run of elements to every row of the whole,
/// where a row is all that follows one combination of the indices in front of the axis.
inline void MoveParts(const std::vector<Elements>& parts, std::int64_t num_rows,
                      const Elements& whole, bool is_split) {
  std::int64_t begin = 0;
  const std::int64_t row_length = num_rows != 0 ? whole.Count() / num_rows : 0;
  for (const Elements& part : parts) {
    const std::int64_t run_length = num_rows != 0 ? part.Count() / num_rows : 0;
    for (std::int64_t i = 0; i < part.Count(); ++i) {
      const std::int64_t in_whole = i / run_length * row_length + begin + i % run_length;
      if (is_split) {
        part.Set(i, whole.Get(in_whole));
      } else {
        whole.Set(in_whole, part.Get(i));
      }
    }
    begin += run_length;
  }
}

inline void Compute(const Computation& computation, const std::vector<Elements>& inputs,
                    const std::vector<Elements>& outputs, std::int64_t num_rows) {
  if (computation.function == Function::kConcat) {
    return MoveParts(inputs, num_rows, outputs[0], false);
  }
  if (computation.function == Function::kSplit) {
    return MoveParts(outputs, num_rows, inputs[0], true);
  }
  for (std::int64_t i = 0; i < outputs[0].Count(); ++i) {
    outputs[0].Set(i,
                   ComputeOne(computation.function, inputs.front().Get(i), inputs.back().Get(i)));
  }
}

}  // namespace memory_mock
