#include "kernel_builders/layer.hpp"

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

void RequireFloat32(const TensorInfo& info, const std::string& tensor, const char* others,
                    Refusal& refusal) {
  const bool is_quantised = info.quantization.IsQuantized();
  if (info.data_type == DataType::kFloat32 && !is_quantised) return;
  refusal.Add("data type ", is_quantised ? "quantised " : "", GetDataTypeName(info.data_type),
              " of ", tensor, " is not supported, only float32, float16 or bfloat16 for all",
              others);
}

}  // namespace

void RequireFloat32(const Layer& layer, Refusal& refusal, const TensorRoles& roles,
                    const char* others) {
  RequireTypesOfRoles(layer, roles, refusal);
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    if (roles.OfInput(index) != TensorRole::kValue) continue;
    RequireFloat32(layer.Input(index), Text("input ", index), others, refusal);
  }
  for (std::uint32_t index = 0; index < layer.num_outputs; ++index) {
    if (roles.OfOutput(index) != TensorRole::kValue) continue;
    RequireFloat32(layer.Output(index), NameOutput(layer, index), others, refusal);
  }
}

bool IsPlainInteger(const TensorInfo& info) {
  switch (info.data_type) {
    case DataType::kInt8:
    case DataType::kUInt8:
    case DataType::kInt32:
    case DataType::kInt64:
      return !info.quantization.IsQuantized();
    default:
      return false;
  }
}

void RequireFloat32OrIntegers(const Layer& layer, Refusal& refusal, const TensorRoles& roles) {
  if (IsPlainInteger(layer.Input(0))) {
    RequireOneRepresentation(layer, refusal, roles);
  } else {
    RequireFloat32(layer, refusal, roles, ", or int8, uint8, int32 or int64");
  }
}

}  // namespace cpuacc
}  // namespace backplane
