#include "folding/indices.hpp"
#include "tensors/shape.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

namespace backplane::onnx {
namespace {

/// The tensor as a matrix of `rows` rows, each of what lies behind the axes before `axis`.
std::int64_t CountRows(const TensorShape& shape, std::uint32_t axis) {
  return std::accumulate(shape.dims, shape.dims + axis, std::int64_t{1}, std::multiplies<>());
}

std::size_t CountRowBytes(const TensorInfo& info, std::uint32_t axis) {
  const std::int64_t rows = CountRows(info.shape, axis);
  return rows == 0 ? 0 : info.GetSizeBytes() / static_cast<std::size_t>(rows);
}

// An attribute until operator set 12, an input from 13 on; nothing: equal parts. Operator set 1 had
// an input too, which is left to the conversion. Since operator set 18 an attribute says how many
// parts there are, of which the last may then be smaller.
std::vector<std::int64_t> ReadExtents(Folding& folding, std::int64_t extent) {
  if (folding.GetOpset() < 2) throw NotFolded{};
  const auto stated = folding.FindInts("split", 1, 13);
  if (stated) return *stated;
  const auto count = static_cast<std::int64_t>(folding.GetNode().GetNumOutputs());
  const auto num_outputs = folding.GetAttributes().FindInt("num_outputs");
  if (count == 0 || (num_outputs && *num_outputs != count)) throw NotFolded{};
  if (!num_outputs && extent % count != 0) throw NotFolded{};
  return SplitNearlyEqually(extent, count);
}

}  // namespace

Folded FoldConcat(Folding& folding) {
  TensorInfo info = folding.GetInfo(0);
  const std::uint32_t axis = ReadAxis(folding, 1, info.shape.rank);
  std::vector<std::int64_t> dims(info.shape.dims, info.shape.dims + info.shape.rank);
  for (std::size_t input = 1; input < folding.GetNumInputs(); ++input) {
    TensorInfo part = folding.GetInfo(input);
    if (part.data_type != info.data_type || part.shape.rank != info.shape.rank) throw NotFolded{};
    if (__builtin_add_overflow(dims[axis], part.shape[axis], &dims[axis])) throw NotFolded{};
    part.shape[axis] = info.shape[axis];
    if (part.shape != info.shape) throw NotFolded{};
  }
  const FoldedTensor result = folding.Make({MakeFoldedShape(dims), info.data_type});
  const std::size_t row_bytes = CountRowBytes(result.info, axis);
  std::size_t begin = 0;
  for (std::size_t input = 0; input < folding.GetNumInputs(); ++input) {
    const std::size_t part_bytes = CountRowBytes(folding.GetInfo(input), axis);
    const auto* part = folding.Read<unsigned char>(input);
    for (std::int64_t row = 0; part_bytes > 0 && row < CountRows(info.shape, axis); ++row) {
      std::memcpy(result.bytes.get() + static_cast<std::size_t>(row) * row_bytes + begin,
                  part + static_cast<std::size_t>(row) * part_bytes, part_bytes);
    }
    begin += part_bytes;
  }
  return {result};
}

Folded FoldSplit(Folding& folding) {
  const TensorInfo& info = folding.GetInfo(0);
  const std::uint32_t axis = ReadAxis(folding, 0, info.shape.rank);
  const std::vector<std::int64_t> extents = ReadExtents(folding, info.shape[axis]);
  if (extents.size() != folding.GetNode().GetNumOutputs()) throw NotFolded{};
  std::int64_t rest = info.shape[axis];
  for (const std::int64_t extent : extents) {
    if (extent < 0 || extent > rest) throw NotFolded{};
    rest -= extent;
  }
  if (rest != 0) throw NotFolded{};
  const PerAxis strides = MakeStrides(info.shape);
  Folded parts;
  std::int64_t begin = 0;
  for (const std::int64_t extent : extents) {
    TensorInfo part = info;
    part.shape[axis] = extent;
    parts.push_back(folding.Make(part));
    CopyElements(parts.back(), folding.Get(0).data.get(), [&](const PerAxis& index) {
      return begin * strides.at[axis] + Locate(index, strides, info.shape.rank);
    });
    begin += extent;
  }
  return parts;
}

}  // namespace backplane::onnx
