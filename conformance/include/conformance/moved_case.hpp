#pragma once

/// What the oracles of layers that only move elements have in common.

#include "conformance/layer_case.hpp"

namespace backplane {
namespace conformance {

/// The case keeps its scales, along axis 0, when indices along that axis mean what they meant.
inline LayerTraits MoveEverything(bool keeps_axes) {
  LayerTraits traits;
  traits.plain = PlainTypes::kStored;
  traits.quantised = QuantisedTypes::kMoved;
  traits.keeps_axes = keeps_axes;
  return traits;
}

/// Random indices as input 1, of either type, some of them outside of the extent.
inline OwnTensor MakeIndices(Random& random, std::int64_t extent) {
  OwnTensor indices;
  indices.index = 1;
  indices.data_type = random.Integer(0, 1) == 1 ? DataType::kInt64 : DataType::kInt32;
  indices.least = -extent - 2;
  indices.greatest = extent + 1;
  return indices;
}

/// The case with indices as input 1.
inline LayerCase WithIndices(const LayerCase& layer) {
  return With(layer, {MakeOwn(1, DataType::kInt64)});
}

/// An index as the layers that gather read it.
template <typename Number>
std::int64_t ReadNearest(Number stored, std::int64_t extent) {
  auto index = static_cast<std::int64_t>(stored);
  if (index < 0) index += extent;
  if (index < 0) return 0;
  return index < extent ? index : extent - 1;
}

/// The position of an element in a dense tensor.
inline std::size_t FindElement(const TensorShape& shape, const Indices& position) {
  std::int64_t element = 0;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    element = element * shape[axis] + position[axis];
  }
  return static_cast<std::size_t>(element);
}

}  // namespace conformance
}  // namespace backplane
