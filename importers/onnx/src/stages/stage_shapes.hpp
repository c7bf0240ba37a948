#pragma once

#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane::onnx {

TensorShape WithoutAxis(const TensorShape& shape, std::uint32_t axis);
/// With a new axis of extent 1. The rank is below kMaxRank.
TensorShape WithAxis(const TensorShape& shape, std::uint32_t axis);

/// Whether tensors are alike but for the extent of an axis.
bool CanBeJoined(const TensorInfo& a, const TensorInfo& b, std::uint32_t axis);

}  // namespace backplane::onnx
