#include "folding/folding.hpp"
#include "tensors/shape.hpp"

#include <algorithm>

namespace backplane::onnx {

Folded FoldShape(Folding& folding) {
  const TensorShape& shape = folding.GetShape(0);
  const std::uint32_t rank = shape.rank;
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
