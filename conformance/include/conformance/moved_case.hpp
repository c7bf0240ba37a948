#pragma once

/// What the oracles of layers that only move elements have in common.

#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"

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

/// Random numbers as input 1, of either type of indices.
inline OwnTensor MakeIntegers(Random& random, std::int64_t least, std::int64_t greatest) {
  OwnTensor integers;
  integers.index = 1;
  integers.data_type = random.Integer(0, 1) == 1 ? DataType::kInt64 : DataType::kInt32;
  integers.least = least;
  integers.greatest = greatest;
  return integers;
}

/// Random indices of an axis as input 1.
inline OwnTensor MakeIndices(Random& random, std::int64_t extent) {
  return MakeIntegers(random, -extent, extent - 1);
}

/// Random positions along the axes of `values` from `begin` on as input 1, of this shape.
inline OwnTensor MakePositions(Random& random, const TensorShape& shape, const TensorShape& values,
                               std::uint32_t begin) {
  OwnTensor positions = MakeIndices(random, 1);
  const auto length = static_cast<std::uint32_t>(shape[shape.rank - 1]);
  for (std::int64_t i = 0; i < shape.GetNumElements(); ++i) {
    const std::int64_t extent = values[begin + static_cast<std::uint32_t>(i) % length];
    positions.elements.push_back(random.Integer(-extent, extent - 1));
  }
  return positions;
}

/// The case with indices as input 1.
inline LayerCase WithIndices(const LayerCase& layer) {
  return With(layer, {MakeOwn(1, DataType::kInt64)});
}

/// An index as it is stored, counted from the start.
template <typename Number>
std::int64_t ReadIndex(Number stored, std::int64_t extent) {
  const auto index = static_cast<std::int64_t>(stored);
  return index < 0 ? index + extent : index;
}

/// Edges of a layer for indices that lie outside; `make(index)` is its inputs with that one.
template <typename Make>
void AddOutside(const LayerCase& layer, std::int64_t extent, const Make& make,
                std::vector<EdgeCase>& edges) {
  for (const std::int64_t index : {extent, -extent - 1, kMost, kLeast}) {
    EdgeCase edge = {layer, make(static_cast<long double>(index))};
    edge.fails_run = true;
    edges.push_back(std::move(edge));
  }
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
