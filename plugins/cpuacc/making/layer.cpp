#include "making/layer.hpp"

#include "simd/conversion_functions.hpp"

namespace backplane {
namespace cpuacc {
bool IsQuantised(const Layer& layer) {
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    if (layer.Input(index).quantization.IsQuantized()) return true;
  }
  return layer.Output().quantization.IsQuantized();
}

void RequireNumberType(const TensorInfo& info, const char* tensor, Refusal& refusal) {
  auto type = NumberType::kFloat32;
  const bool is_quantised = info.quantization.IsQuantized();
  if (FindNumberType(info.data_type, &type) && !is_quantised) return;
  refusal.Add("data type ", is_quantised ? "quantised " : "", GetDataTypeName(info.data_type),
              " of ", tensor,
              " is not supported, only float32, int32, int64, uint8, int8 and bool");
}

void RequireFloat32(const Layer& layer, Refusal& refusal, const TensorRoles& roles) {
  RequireTypesOfRoles(layer, roles, refusal);
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    if (roles.OfInput(index) != TensorRole::kValue) continue;
    RequirePlainType(layer.Input(index), DataType::kFloat32, Text("input ", index), refusal);
  }
  for (std::uint32_t index = 0; index < layer.num_outputs; ++index) {
    if (roles.OfOutput(index) != TensorRole::kValue) continue;
    RequirePlainType(layer.Output(index), DataType::kFloat32, NameOutput(layer, index), refusal);
  }
}

}  // namespace cpuacc
}  // namespace backplane
