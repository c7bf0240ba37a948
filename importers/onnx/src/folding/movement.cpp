#include "folding/indices.hpp"

#include <algorithm>
#include <limits>

namespace backplane::onnx {
namespace {

/// How one axis is sliced.
struct AxisSlice {
  std::int64_t start = 0;
  std::int64_t step = 1;
  std::int64_t extent = 0;
};

// Ends of the axis and beyond stand for all there is; counted from the end when negative.
AxisSlice MakeSlice(std::int64_t extent, std::int64_t start, std::int64_t end, std::int64_t step) {
  if (step == 0 || step == std::numeric_limits<std::int64_t>::min()) throw NotFolded{};
  const std::int64_t first = step > 0 ? 0 : -1;  // where an end before the start of the axis is
  const std::int64_t last = step > 0 ? extent : extent - 1;
  const auto clamp = [&](std::int64_t index, std::int64_t least) {
    const std::int64_t counted = index < 0 ? std::max(index, -extent - 1) + extent : index;
    return std::clamp(counted, least, last);
  };
  AxisSlice slice;
  slice.start = clamp(start, 0);
  slice.step = step;
  const std::int64_t stop = clamp(end, first);
  const std::int64_t distance = step > 0 ? stop - slice.start : slice.start - stop;
  const std::int64_t stride = step > 0 ? step : -step;
  slice.extent = distance > 0 ? (distance - 1) / stride + 1 : 0;
  return slice;
}

std::vector<AxisSlice> ReadSlices(Folding& folding) {
  const TensorShape& shape = folding.GetShape(0);
  const auto starts = folding.FindInts("starts", 1, 10);
  const auto ends = folding.FindInts("ends", 2, 10);
  const auto axes = folding.FindInts("axes", 3, 10);
  const bool has_steps = folding.GetOpset() >= 10 && folding.Has(4);
  if (!starts || !ends || starts->size() != ends->size()) throw NotFolded{};
  const auto steps = has_steps ? folding.ReadInts(4) : std::vector<std::int64_t>(starts->size(), 1);
  if ((axes && axes->size() != starts->size()) || steps.size() != starts->size() ||
      starts->size() > shape.rank) {
    throw NotFolded{};
  }
  std::vector<AxisSlice> slices;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) slices.push_back({0, 1, shape[axis]});
  for (std::size_t i = 0; i < starts->size(); ++i) {
    const auto axis = static_cast<std::uint32_t>(
        ResolveIndex(axes ? (*axes)[i] : static_cast<std::int64_t>(i), shape.rank));
    slices[axis] = MakeSlice(shape[axis], (*starts)[i], (*ends)[i], steps[i]);
  }
  return slices;
}

}  // namespace

Folded FoldSlice(Folding& folding) {
  const std::vector<AxisSlice> slices = ReadSlices(folding);
  const PerAxis strides = MakeStrides(folding.GetShape(0));
  TensorInfo info = folding.GetInfo(0);
  PerAxis steps;
  std::int64_t origin = 0;
  for (std::uint32_t axis = 0; axis < info.shape.rank; ++axis) {
    info.shape[axis] = slices[axis].extent;
    steps.at[axis] = slices[axis].extent > 1 ? slices[axis].step * strides.at[axis] : 0;
    origin += slices[axis].start * strides.at[axis];
  }
  const FoldedTensor result = folding.Make(info);
  CopyElements(result, folding.Get(0).data.get(), [&](const PerAxis& index) {
    return origin + Locate(index, steps, info.shape.rank);
  });
  return {result};
}

Folded FoldTranspose(Folding& folding) {
  const TensorShape& shape = folding.GetShape(0);
  const std::uint32_t rank = shape.rank;
  const auto stated = folding.GetAttributes().FindInts("perm");
  if (stated && stated->size() != rank) throw NotFolded{};
  const PerAxis strides = MakeStrides(shape);
  PerAxis moved;
  TensorInfo info = folding.GetInfo(0);
  std::vector<bool> is_used(rank, false);
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    const std::int64_t from = stated ? (*stated)[axis] : rank - 1 - axis;
    if (from < 0 || from >= rank || is_used[static_cast<std::size_t>(from)]) throw NotFolded{};
    is_used[static_cast<std::size_t>(from)] = true;
    info.shape[axis] = shape.dims[from];
    moved.at[axis] = strides.at[from];
  }
  const FoldedTensor result = folding.Make(info);
  CopyElements(result, folding.Get(0).data.get(),
               [&](const PerAxis& index) { return Locate(index, moved, rank); });
  return {result};
}

Folded FoldExpand(Folding& folding) {
  const TensorShape wanted = MakeFoldedShape(folding.ReadInts(1));
  const TensorShape shape = BroadcastShapes(folding.GetShape(0), wanted);
  const PerAxis strides = MakeBroadcastStrides(folding.GetShape(0), shape);
  const FoldedTensor result = folding.Make({shape, folding.GetInfo(0).data_type});
  CopyElements(result, folding.Get(0).data.get(),
               [&](const PerAxis& index) { return Locate(index, strides, shape.rank); });
  return {result};
}

// Until operator set 5, Tile has one axis and one count; those are left to the conversion.
Folded FoldTile(Folding& folding) {
  const TensorShape& shape = folding.GetShape(0);
  if (folding.GetOpset() < 6) throw NotFolded{};
  const std::vector<std::int64_t> repeats = folding.ReadInts(1);
  if (repeats.size() != shape.rank) throw NotFolded{};
  std::vector<std::int64_t> dims(shape.dims, shape.dims + shape.rank);
  for (std::size_t axis = 0; axis < repeats.size(); ++axis) {
    if (repeats[axis] < 0 || __builtin_mul_overflow(dims[axis], repeats[axis], &dims[axis])) {
      throw NotFolded{};
    }
  }
  const PerAxis strides = MakeStrides(shape);
  const FoldedTensor result = folding.Make({MakeFoldedShape(dims), folding.GetInfo(0).data_type});
  CopyElements(result, folding.Get(0).data.get(), [&](const PerAxis& index) {
    std::int64_t offset = 0;
    for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
      offset += index.at[axis] % shape[axis] * strides.at[axis];
    }
    return offset;
  });
  return {result};
}

Folded FoldTrilu(Folding& folding) {
  const TensorShape& shape = folding.GetShape(0);
  if (shape.rank < 2) throw NotFolded{};
  const bool is_upper = folding.GetAttributes().GetFlag("upper", true);
  std::int64_t diagonal = 0;
  if (folding.Has(1)) {
    const auto stated = folding.ReadInts(1);
    if (stated.size() != 1) throw NotFolded{};
    diagonal = stated[0];
  }
  const PerAxis strides = MakeStrides(shape);
  const FoldedTensor result = folding.Make(folding.GetInfo(0));
  CopyElements(result, folding.Get(0).data.get(), [&](const PerAxis& index) {
    const std::int64_t distance = index.at[shape.rank - 1] - index.at[shape.rank - 2];
    const bool is_kept = is_upper ? distance >= diagonal : distance <= diagonal;
    return is_kept ? Locate(index, strides, shape.rank) : -1;
  });
  return {result};
}

}  // namespace backplane::onnx
