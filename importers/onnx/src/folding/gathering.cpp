#include "folding/indices.hpp"

namespace backplane::onnx {
Folded FoldGather(Folding& folding) {
  const TensorShape& shape = folding.GetShape(0);
  const TensorShape& chosen = folding.GetShape(1);
  const std::uint32_t axis = ReadAxis(folding, 0, shape.rank);
  std::vector<std::int64_t> dims(shape.dims, shape.dims + axis);
  dims.insert(dims.end(), chosen.dims, chosen.dims + chosen.rank);
  dims.insert(dims.end(), shape.dims + axis + 1, shape.dims + shape.rank);
  const FoldedTensor result = folding.Make({MakeFoldedShape(dims), folding.GetInfo(0).data_type});
  const std::vector<std::int64_t> indices = folding.ReadInts(1);
  const PerAxis strides = MakeStrides(shape);
  const PerAxis index_strides = MakeStrides(chosen);
  CopyElements(result, folding.Get(0).data.get(), [&](const PerAxis& index) {
    std::int64_t offset = 0;
    std::int64_t position = 0;
    for (std::uint32_t i = 0; i < axis; ++i) offset += index.at[i] * strides.at[i];
    for (std::uint32_t i = 0; i < chosen.rank; ++i) {
      position += index.at[axis + i] * index_strides.at[i];
    }
    for (std::uint32_t i = axis + 1; i < shape.rank; ++i) {
      offset += index.at[i + chosen.rank - 1] * strides.at[i];
    }
    const std::int64_t stated = indices[static_cast<std::size_t>(position)];
    return offset + ResolveIndex(stated, shape[axis]) * strides.at[axis];
  });
  return {result};
}

Folded FoldGatherElements(Folding& folding) {
  const TensorShape& shape = folding.GetShape(0);
  const TensorShape& chosen = folding.GetShape(1);
  const std::uint32_t axis = ReadAxis(folding, 0, shape.rank);
  if (chosen.rank != shape.rank) throw NotFolded{};
  for (std::uint32_t i = 0; i < shape.rank; ++i) {
    if (i != axis && chosen[i] > shape[i]) throw NotFolded{};
  }
  const FoldedTensor result = folding.Make({chosen, folding.GetInfo(0).data_type});
  const std::vector<std::int64_t> indices = folding.ReadInts(1);
  const PerAxis strides = MakeStrides(shape);
  const PerAxis index_strides = MakeStrides(chosen);
  CopyElements(result, folding.Get(0).data.get(), [&](PerAxis index) {
    const auto position = static_cast<std::size_t>(Locate(index, index_strides, shape.rank));
    index.at[axis] = ResolveIndex(indices[position], shape[axis]);
    return Locate(index, strides, shape.rank);
  });
  return {result};
}

Folded FoldGatherND(Folding& folding) {
  const TensorShape& shape = folding.GetShape(0);
  const TensorShape& chosen = folding.GetShape(1);
  const std::int64_t batch = folding.GetAttributes().FindInt("batch_dims").value_or(0);
  if (chosen.rank == 0 || batch < 0 || batch >= chosen.rank) throw NotFolded{};
  const std::int64_t depth = chosen[chosen.rank - 1];  // of each tuple of indices
  if (depth < 1 || depth > static_cast<std::int64_t>(shape.rank) - batch) throw NotFolded{};
  const auto first = static_cast<std::uint32_t>(batch);
  const auto behind = static_cast<std::uint32_t>(batch + depth);
  for (std::uint32_t i = 0; i < first; ++i) {
    if (shape[i] != chosen[i]) throw NotFolded{};
  }
  std::vector<std::int64_t> dims(chosen.dims, chosen.dims + chosen.rank - 1);
  dims.insert(dims.end(), shape.dims + behind, shape.dims + shape.rank);
  const FoldedTensor result = folding.Make({MakeFoldedShape(dims), folding.GetInfo(0).data_type});
  const std::vector<std::int64_t> indices = folding.ReadInts(1);
  const PerAxis strides = MakeStrides(shape);
  const PerAxis index_strides = MakeStrides(chosen);
  CopyElements(result, folding.Get(0).data.get(), [&](const PerAxis& index) {
    const auto tuple = static_cast<std::size_t>(Locate(index, index_strides, chosen.rank - 1));
    std::int64_t offset = Locate(index, strides, first);
    for (std::uint32_t i = first; i < behind; ++i) {
      offset += ResolveIndex(indices[tuple + i - first], shape[i]) * strides.at[i];
    }
    for (std::uint32_t i = behind; i < shape.rank; ++i) {
      offset += index.at[chosen.rank - 1 + i - behind] * strides.at[i];
    }
    return offset;
  });
  return {result};
}

}  // namespace backplane::onnx
