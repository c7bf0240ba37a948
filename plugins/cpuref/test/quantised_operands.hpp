#pragma once

/// Random quantised tensors of 8 bits, and their integers.

#include "test/run_stored.hpp"

namespace backplane {
namespace cpuref_test {

inline DataType ChooseByte(Random& random) {
  return random.Integer(0, 1) == 1 ? DataType::kInt8 : DataType::kUInt8;
}

inline float MakeRandomScale(Random& random) {
  return static_cast<float>(random.Integer(1, 1000)) / 7919.0F;
}

inline std::int32_t MakeRandomZeroPoint(DataType type, Random& random) {
  const std::int64_t least = type == DataType::kInt8 ? -128 : 0;
  return static_cast<std::int32_t>(random.Integer(least, least + 255));
}

/// With scales along the axis as many as its extent, or one scale for 1.
inline TensorInfo MakeQuantisedInfo(const TensorShape& shape, DataType type,
                                    std::int64_t num_scales, std::uint32_t axis, Random& random) {
  TensorInfo info(shape, type);
  info.quantization.axis = static_cast<std::int32_t>(axis);
  for (std::int64_t i = 0; i < num_scales; ++i) {
    info.quantization.scales.push_back(MakeRandomScale(random));
    info.quantization.zero_points.push_back(MakeRandomZeroPoint(type, random));
  }
  return info;
}

inline TensorInfo MakeQuantisedInfo(const TensorShape& shape, DataType type, Random& random) {
  return MakeQuantisedInfo(shape, type, 1, 0, random);
}

/// A bias for each index of `axis` of the weights, with the product of the scales.
inline StoredTensor MakeRandomBias(const TensorInfo& input, const TensorInfo& weights,
                                   std::int64_t length, Random& random) {
  TensorInfo info({length}, DataType::kInt32);
  for (const float scale : weights.quantization.scales) {
    info.quantization.scales.push_back(input.quantization.scales[0] * scale);
  }
  std::vector<std::int32_t> elements;
  for (std::int64_t i = 0; i < length; ++i) {
    elements.push_back(static_cast<std::int32_t>(random.Integer(-100000, 100000)));
  }
  return MakeStored(info, elements);
}

/// The stored integers less their zero points.
inline NumberTensor<Wide> GetDifferences(const StoredTensor& tensor) {
  NumberTensor<Wide> numbers;
  numbers.shape = tensor.info.shape;
  for (std::int64_t i = 0; i < tensor.info.shape.GetNumElements(); ++i) {
    const auto element = static_cast<std::size_t>(i);
    const std::size_t channel = GetChannel(tensor.info, element);
    const auto& zero_points = tensor.info.quantization.zero_points;
    const std::int32_t zero_point = zero_points.empty() ? 0 : zero_points[channel];
    numbers.data.push_back(GetInteger(tensor, element) - zero_point);
  }
  return numbers;
}

/// What a sum of products of integers becomes: one multiplication in float32, rounded half to even,
/// the zero point, saturated.
inline std::int64_t Requantise(Wide sum, const TensorInfo& input, float weight_scale,
                               const TensorInfo& output) {
  const float multiplier =
      input.quantization.scales[0] * weight_scale / output.quantization.scales[0];
  const float scaled = static_cast<float>(static_cast<std::int32_t>(sum)) * multiplier;
  const auto stored =
      static_cast<double>(std::nearbyint(scaled)) + output.quantization.zero_points[0];
  const double least = output.data_type == DataType::kInt8 ? -128 : 0;
  return static_cast<std::int64_t>(std::fmin(std::fmax(stored, least), least + 255));
}

}  // namespace cpuref_test
}  // namespace backplane
