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
  refusal.Add(
      "data type ", is_quantised ? "quantised " : "", GetDataTypeName(info.data_type), " of ",
      tensor,
      " is not supported, only float32, float16, bfloat16, int32, int64, uint8, int8 and bool");
}

namespace {

void RequireFloat32(const TensorInfo& info, const std::string& tensor, Refusal& refusal) {
  const bool is_quantised = info.quantization.IsQuantized();
  if (info.data_type == DataType::kFloat32 && !is_quantised) return;
  refusal.Add("data type ", is_quantised ? "quantised " : "", GetDataTypeName(info.data_type),
              " of ", tensor, " is not supported, only float32, float16 or bfloat16 for all");
}

}  // namespace

void RequireFloat32(const Layer& layer, Refusal& refusal, const TensorRoles& roles) {
  RequireTypesOfRoles(layer, roles, refusal);
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    if (roles.OfInput(index) != TensorRole::kValue) continue;
    RequireFloat32(layer.Input(index), Text("input ", index), refusal);
  }
  for (std::uint32_t index = 0; index < layer.num_outputs; ++index) {
    if (roles.OfOutput(index) != TensorRole::kValue) continue;
    RequireFloat32(layer.Output(index), NameOutput(layer, index), refusal);
  }
}

}  // namespace cpuacc
}  // namespace backplane
