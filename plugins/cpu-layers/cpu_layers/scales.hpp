#pragma once

#include "cpu_layers/refusal.hpp"

#include <backplane/api/tensor_info.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace backplane {
namespace cpu_layers {

/// Refuses a quantised tensor with another number of zero points than of scales, or with another
/// number of scales than of elements along their axis.
void RequireScalesThatFit(const TensorInfo& info, const std::string& tensor, Refusal& refusal);

/// Refuses a DynamicQuantize layer whose tensors have not the types and shapes of one.
void RequireDynamicQuantize(const Layer& layer, Refusal& refusal);

inline bool IsByte(DataType type) {
  return type == DataType::kInt8 || type == DataType::kUInt8;
}

/// Whether a tensor is quantised in 8 bits, with zero points that are values of its type.
bool IsQuantisedByte(const TensorInfo& info);

/// As IsQuantisedByte, with one scale for all elements.
bool IsByteWithOneScale(const TensorInfo& info);

/// Of a quantised tensor; one scale or zero point is that of all channels.
float GetScale(const TensorInfo& info, std::size_t channel = 0);
std::int32_t GetZeroPoint(const TensorInfo& info, std::size_t channel = 0);

}  // namespace cpu_layers
}  // namespace backplane
