#pragma once

#include "refusal.hpp"

namespace backplane {
namespace cpuref {

/// Refuses an input that is not of a floating-point type, for inputs whose type is not that of the
/// values.
inline void RequireFloatInput(const Layer& layer, std::uint32_t index, const char* role,
                              Refusal& refusal) {
  const TensorInfo& info = layer.Input(index);
  const bool is_float =
      info.data_type == DataType::kFloat32 || info.data_type == DataType::kFloat16 ||
      info.data_type == DataType::kBFloat16 || info.data_type == DataType::kFloat64;
  if (is_float && !info.quantization.IsQuantized()) return;
  refusal.Add("data type ", info.quantization.IsQuantized() ? "quantised " : "",
              GetDataTypeName(info.data_type), " of input ", index, " (", role,
              ") is not supported, only float32, float16, bfloat16, float64");
}

}  // namespace cpuref
}  // namespace backplane
