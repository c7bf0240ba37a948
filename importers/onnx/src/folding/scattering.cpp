#include "folding/indices.hpp"

#include <cstring>

namespace backplane::onnx {
namespace {

// Reductions are left to the conversion.
FoldedTensor CopyData(Folding& folding) {
  const auto reduction = folding.GetAttributes().FindString("reduction");
  if (reduction.value_or("none") != "none") throw NotFolded{};
  if (folding.GetInfo(0).data_type != folding.GetInfo(2).data_type) throw NotFolded{};
  const FoldedTensor result = folding.Make(folding.GetInfo(0));
  const std::uint64_t size_bytes = result.info.GetSizeBytes();
  if (size_bytes > 0) std::memcpy(result.bytes.get(), folding.Get(0).data.get(), size_bytes);
  return result;
}

}  // namespace

Folded FoldScatterElements(Folding& folding) {
  const TensorShape& shape = folding.GetShape(0);
  const TensorShape& chosen = folding.GetShape(1);
  const std::uint32_t axis = ReadAxis(folding, 0, shape.rank);
  if (chosen != folding.GetShape(2) || chosen.rank != shape.rank) throw NotFolded{};
  for (std::uint32_t i = 0; i < shape.rank; ++i) {
    if (i != axis && chosen[i] > shape[i]) throw NotFolded{};
  }
  const FoldedTensor result = CopyData(folding);
  const std::vector<std::int64_t> indices = folding.ReadInts(1);
  const PerAxis strides = MakeStrides(shape);
  const std::size_t size_bytes = GetDataTypeSizeBytes(result.info.data_type);
  const auto* updates = folding.Read<unsigned char>(2);
  ForEachElement(chosen, [&](std::int64_t position, PerAxis index) {
    const auto from = static_cast<std::size_t>(position);
    index.at[axis] = ResolveIndex(indices[from], shape[axis]);
    const auto to = static_cast<std::size_t>(Locate(index, strides, shape.rank));
    std::memcpy(result.bytes.get() + to * size_bytes, updates + from * size_bytes, size_bytes);
  });
  return {result};
}

Folded FoldScatterND(Folding& folding) {
  const TensorShape& shape = folding.GetShape(0);
  const TensorShape& chosen = folding.GetShape(1);
  if (chosen.rank == 0) throw NotFolded{};
  const std::int64_t depth = chosen[chosen.rank - 1];  // of each tuple of indices
  if (depth < 1 || depth > shape.rank) throw NotFolded{};
  std::vector<std::int64_t> dims(chosen.dims, chosen.dims + chosen.rank - 1);
  dims.insert(dims.end(), shape.dims + depth, shape.dims + shape.rank);
  if (MakeFoldedShape(dims) != folding.GetShape(2)) throw NotFolded{};
  const FoldedTensor result = CopyData(folding);
  const std::vector<std::int64_t> indices = folding.ReadInts(1);
  const PerAxis strides = MakeStrides(shape);
  std::int64_t block = 1;  // elements behind each tuple
  for (auto i = static_cast<std::uint32_t>(depth); i < shape.rank; ++i) block *= shape[i];
  const auto block_bytes =
      static_cast<std::size_t>(block) * GetDataTypeSizeBytes(result.info.data_type);
  const std::size_t element_bytes = GetDataTypeSizeBytes(result.info.data_type);
  if (block_bytes == 0) return {result};
  const auto* updates = folding.Read<unsigned char>(2);
  for (std::size_t tuple = 0; tuple * static_cast<std::size_t>(depth) < indices.size(); ++tuple) {
    std::int64_t offset = 0;
    for (std::uint32_t i = 0; i < depth; ++i) {
      const std::int64_t stated = indices[tuple * static_cast<std::size_t>(depth) + i];
      offset += ResolveIndex(stated, shape[i]) * strides.at[i];
    }
    std::memcpy(result.bytes.get() + static_cast<std::size_t>(offset) * element_bytes,
                updates + tuple * block_bytes, block_bytes);
  }
  return {result};
}

}  // namespace backplane::onnx
