#pragma once

#include "folding/folding.hpp"

#include <cstdint>
#include <cstring>

namespace backplane::onnx {

/// A position in a tensor, or the distance of neighbours in elements; one number for each axis.
struct PerAxis {
  std::int64_t at[kMaxRank] = {};
};

/// Of a dense tensor.
inline PerAxis MakeStrides(const TensorShape& shape) {
  PerAxis strides;
  std::int64_t stride = 1;
  for (std::uint32_t axis = shape.rank; axis-- > 0;) {
    strides.at[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

/// Of a tensor that broadcasts to `to`: 0 where it has one element for all.
/// Errors: NotFolded when it does not broadcast.
inline PerAxis MakeBroadcastStrides(const TensorShape& shape, const TensorShape& to) {
  if (shape.rank > to.rank) throw NotFolded{};
  const std::uint32_t missing = to.rank - shape.rank;
  const PerAxis dense = MakeStrides(shape);
  PerAxis strides;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    if (shape[axis] != to[axis + missing] && shape[axis] != 1) throw NotFolded{};
    strides.at[axis + missing] = shape[axis] == 1 ? 0 : dense.at[axis];
  }
  return strides;
}

/// The shape that two broadcast to together.
/// Errors: NotFolded when there is none.
inline TensorShape BroadcastShapes(const TensorShape& a, const TensorShape& b) {
  const TensorShape& longer = a.rank >= b.rank ? a : b;
  const TensorShape& shorter = a.rank >= b.rank ? b : a;
  std::vector<std::int64_t> dims(longer.dims, longer.dims + longer.rank);
  for (std::uint32_t axis = 0; axis < shorter.rank; ++axis) {
    std::int64_t& dim = dims[axis + longer.rank - shorter.rank];
    if (dim == shorter[axis] || shorter[axis] == 1) continue;
    if (dim != 1) throw NotFolded{};
    dim = shorter[axis];
  }
  return MakeFoldedShape(dims);
}

/// Before operator set 7 shapes broadcast by other rules; those are left to the conversion.
/// Errors: NotFolded where inputs 0 and 1 broadcast so.
inline void RequireBroadcasting(Folding& folding) {
  if (folding.GetOpset() < 7 && folding.GetShape(0) != folding.GetShape(1)) throw NotFolded{};
  folding.GetAttributes().Ignore("broadcast");
  folding.GetAttributes().Ignore("axis");
}

inline std::int64_t Locate(const PerAxis& index, const PerAxis& strides, std::uint32_t rank) {
  std::int64_t offset = 0;
  for (std::uint32_t axis = 0; axis < rank; ++axis) offset += index.at[axis] * strides.at[axis];
  return offset;
}

/// Calls `function(position, index)` for each element, in the order of memory.
template <typename Function>
void ForEachElement(const TensorShape& shape, Function&& function) {
  const std::int64_t count = shape.GetNumElements();
  PerAxis index;
  for (std::int64_t position = 0; position < count; ++position) {
    function(position, index);
    for (std::uint32_t axis = shape.rank; axis-- > 0;) {
      if (++index.at[axis] < shape[axis]) break;
      index.at[axis] = 0;
    }
  }
}

/// Copies elements of any type: `locate(index)` gives the position in the source of each element of
/// the result; a negative one leaves it zero.
template <typename Function>
void CopyElements(const FoldedTensor& result, const void* source, Function&& locate) {
  const std::size_t size_bytes = GetDataTypeSizeBytes(result.info.data_type);
  const auto* from = static_cast<const unsigned char*>(source);
  ForEachElement(result.info.shape, [&](std::int64_t position, const PerAxis& index) {
    const std::int64_t found = locate(index);
    if (found < 0) return;
    std::memcpy(result.bytes.get() + static_cast<std::size_t>(position) * size_bytes,
                from + static_cast<std::size_t>(found) * size_bytes, size_bytes);
  });
}

/// An index that may count from the end.
/// Errors: NotFolded when it is outside.
inline std::int64_t ResolveIndex(std::int64_t index, std::int64_t extent) {
  if (index < -extent || index >= extent) throw NotFolded{};
  return index < 0 ? index + extent : index;
}

/// The attribute axis, of one of `rank`.
/// Errors: NotFolded when it is outside.
inline std::uint32_t ReadAxis(Folding& folding, std::int64_t when_absent, std::uint32_t rank) {
  const std::int64_t stated = folding.GetAttributes().FindInt("axis").value_or(when_absent);
  return static_cast<std::uint32_t>(ResolveIndex(stated, rank));
}

}  // namespace backplane::onnx
