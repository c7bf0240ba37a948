#include "kernels/runtime_zero_points.hpp"

#include "cpu_layers/scales.hpp"

#include <algorithm>

namespace backplane {
namespace cpuref {

RuntimeZeroPoints::RuntimeZeroPoints(const Layer& layer, std::uint32_t input)
    : input_(input),
      count_(input < layer.num_inputs ? layer.Input(input).shape.GetNumElements() : 1),
      is_missing_(input >= layer.num_inputs),
      is_signed_(!is_missing_ && layer.Input(input).data_type == DataType::kInt8) {}

// What lies behind stays aligned for vectors.
std::uint64_t RuntimeZeroPoints::GetScratchBytes() const {
  return (static_cast<std::uint64_t>(count_) * sizeof(std::int32_t) + 63) / 64 * 64;
}

ZeroPoints RuntimeZeroPoints::Read(const RunTensors& tensors, unsigned char* scratch) const {
  auto* values = reinterpret_cast<std::int32_t*>(scratch);
  if (is_missing_) {
    values[0] = 0;
  } else {
    const Bytes bytes{tensors.Input<void>(input_), is_signed_};
    bytes.VisitElements([&](const auto* elements) { std::copy_n(elements, count_, values); });
  }
  return {values, IsOne() ? 0 : 1};
}

void RequireByteProduct(const Layer& layer, Refusal& refusal) {
  for (std::uint32_t input = 0; input < layer.num_inputs; ++input) {
    const TensorInfo& info = layer.Input(input);
    const bool is_quantised = info.quantization.IsQuantized();
    if (!IsByte(info.data_type) || is_quantised) {
      refusal.Add("data type ", is_quantised ? "quantised " : "", GetDataTypeName(info.data_type),
                  " of input ", input, " is not supported, only int8 and uint8");
    } else if (input >= 2 && info.data_type != layer.Input(input - 2).data_type) {
      refusal.Add("data type ", GetDataTypeName(info.data_type), " of input ", input,
                  " (zero point) differs from ", GetDataTypeName(layer.Input(input - 2).data_type),
                  " of input ", input - 2);
    }
  }
  const TensorInfo& output = layer.Output();
  if (output.data_type == DataType::kInt32 && !output.quantization.IsQuantized()) return;
  refusal.Add("data type ", output.quantization.IsQuantized() ? "quantised " : "",
              GetDataTypeName(output.data_type), " of the output is not supported, only int32");
}

}  // namespace cpuref
}  // namespace backplane
