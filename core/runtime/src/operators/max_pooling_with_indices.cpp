#include "operators/known_number.hpp"
#include "operators/operators.hpp"
#include "operators/pooled_shape.hpp"

namespace backplane {

OperatorTypes GetTypesOfMaxPoolingWithIndices(
    const MaxPoolingWithIndicesDescriptor& /*descriptor*/) {
  OperatorTypes types = {kNumberTypes, QuantizedTensors::kInRange};
  types.own_outputs = {{1, OutputRule::kFixed, DataType::kInt64}};
  return types;
}

std::vector<TensorInfo> InferMaxPoolingWithIndices(
    const OperatorInputs& inputs, const MaxPoolingWithIndicesDescriptor& descriptor) {
  RequireRounding(inputs, descriptor.rounding);
  RequireKnown(inputs, "index_order", descriptor.index_order,
               {IndexOrder::kRowMajor, IndexOrder::kColumnMajor}, "RowMajor or ColumnMajor");
  const TensorInfo maxima = InferPooled(inputs, descriptor);
  return {maxima, TensorInfo(maxima.shape, DataType::kInt64)};
}

}  // namespace backplane
