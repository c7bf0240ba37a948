#include "graph/scale_axis.hpp"

#include "tensors/tensor_text.hpp"

#include <string>

namespace backplane {

std::optional<std::uint32_t> FindScaleAxis(const OperatorInputs& inputs, std::size_t input) {
  const QuantizationInfo& quantization = inputs[input].quantization;
  if (!quantization.IsPerAxis()) return std::nullopt;
  return static_cast<std::uint32_t>(quantization.axis);
}

void RefuseScalesAlong(const OperatorInputs& inputs, std::uint32_t axis, const char* what,
                       const char* fix) {
  if (FindScaleAxis(inputs, 0) != axis) return;
  inputs.Fail(DiagnosticCode::kWrongDataType, what,
              "found " + DescribeTensor(inputs[0]) + " quantized along axis " +
                  std::to_string(axis) + "; expected one scale, or scales along another axis",
              fix);
}

void FailScaleAxis(const OperatorInputs& inputs, std::size_t input, std::uint32_t axis) {
  inputs.Fail(DiagnosticCode::kWrongDataType,
              "its input is quantized along an axis that does not stay as it is",
              "found " + DescribeTensor(inputs[input]) + " quantized along axis " +
                  std::to_string(axis) + "; expected one scale, or scales along another axis",
              "requantize the input with one scale");
}

}  // namespace backplane
