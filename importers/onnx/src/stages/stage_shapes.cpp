#include "stages/stage_shapes.hpp"

namespace backplane::onnx {

TensorShape WithoutAxis(const TensorShape& shape, std::uint32_t axis) {
  TensorShape result;
  for (std::uint32_t i = 0; i < shape.rank; ++i) {
    if (i != axis) result.Append(shape[i]);
  }
  return result;
}

TensorShape WithAxis(const TensorShape& shape, std::uint32_t axis) {
  TensorShape result;
  for (std::uint32_t i = 0; i <= shape.rank; ++i) {
    if (i == axis) result.Append(1);
    if (i < shape.rank) result.Append(shape[i]);
  }
  return result;
}

bool CanBeJoined(const TensorInfo& a, const TensorInfo& b, std::uint32_t axis) {
  if (a.data_type != b.data_type || a.shape.rank != b.shape.rank) return false;
  for (std::uint32_t i = 0; i < a.shape.rank; ++i) {
    if (i != axis && a.shape[i] != b.shape[i]) return false;
  }
  return true;
}

}  // namespace backplane::onnx
