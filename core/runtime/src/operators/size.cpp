#include "operators/operators.hpp"

namespace backplane {

OperatorTypes GetTypesOfSize(const NoDescriptor& /*descriptor*/) {
  return {kStoredTypes, QuantizedTensors::kMoved, {}, {{0, OutputRule::kFixed, DataType::kInt64}}};
}

std::vector<TensorInfo> InferSize(const OperatorInputs& /*inputs*/,
                                  const NoDescriptor& /*descriptor*/) {
  return {TensorInfo({}, DataType::kInt64)};
}

}  // namespace backplane
