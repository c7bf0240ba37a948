#pragma once

/// Seeded numbers.

#include <backplane/api/tensor_info.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace backplane {
namespace conformance {

/// A dense float32 tensor.
struct FloatTensor {
  FloatTensor(const TensorShape& tensor_shape, std::vector<float> elements)
      : shape(tensor_shape), data(std::move(elements)) {}
  /// Zeros.
  explicit FloatTensor(const TensorShape& tensor_shape)
      : shape(tensor_shape), data(static_cast<std::size_t>(tensor_shape.GetNumElements())) {}

  TensorInfo GetInfo() const { return TensorInfo(shape, DataType::kFloat32); }

  TensorShape shape;
  std::vector<float> data;
};

/// Seeded numbers and tensors.
class Random {
 public:
  explicit Random(std::uint32_t seed) : generator_(seed) {}

  std::int64_t Integer(std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(generator_);
  }
  std::uint32_t Word(std::uint32_t least, std::uint32_t most) {
    return static_cast<std::uint32_t>(Integer(least, most));
  }
  FloatTensor Tensor(const TensorShape& shape) {
    FloatTensor tensor(shape);
    std::uniform_real_distribution<float> distribution(-2.0F, 2.0F);
    for (float& element : tensor.data) element = distribution(generator_);
    return tensor;
  }
  TensorShape Shape(std::uint32_t rank, std::int64_t least, std::int64_t most) {
    TensorShape shape;
    for (std::uint32_t axis = 0; axis < rank; ++axis) shape.Append(Integer(least, most));
    return shape;
  }

 private:
  std::mt19937 generator_;
};

}  // namespace conformance
}  // namespace backplane
