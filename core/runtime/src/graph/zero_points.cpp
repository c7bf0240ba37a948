#include "graph/zero_points.hpp"

#include "tensors/tensor_text.hpp"

#include <string>

namespace backplane {

void RequireTypesOfZeroPoints(const OperatorInputs& inputs) {
  for (std::size_t zero_point = 2; zero_point < inputs.Size(); ++zero_point) {
    const TensorInfo& operand = inputs[zero_point - 2];
    if (inputs[zero_point].data_type == operand.data_type) continue;
    inputs.Fail(DiagnosticCode::kWrongDataType,
                "input " + std::to_string(zero_point) + " has not the type of its operand",
                "found " + DescribeTensor(inputs[zero_point]) + " as zero point of " +
                    DescribeTensor(operand) + "; expected " + GetDataTypeName(operand.data_type),
                "convert the zero point");
  }
}

}  // namespace backplane
