#include "folding/folding.hpp"

#include <algorithm>

namespace backplane::onnx {
namespace {

std::int64_t ClampAxis(std::int64_t axis, std::int64_t rank) {
  return std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
}

}  // namespace

Folded FoldShape(Folding& folding) {
  const TensorShape& shape = folding.GetShape(0);
  const std::int64_t rank = shape.rank;
  const auto begin = ClampAxis(folding.GetAttributes().FindInt("start").value_or(0), rank);
  const auto end = ClampAxis(folding.GetAttributes().FindInt("end").value_or(rank), rank);
  return {folding.MakeInts({shape.dims + begin, shape.dims + std::max(begin, end)})};
}

Folded FoldSize(Folding& folding) {
  const FoldedTensor size = folding.Make({{}, DataType::kInt64});
  *size.As<std::int64_t>() = folding.GetShape(0).GetNumElements();
  return {size};
}

}  // namespace backplane::onnx
