#include "graph/broadcast.hpp"

#include "tensors/tensor_text.hpp"

#include <algorithm>

namespace backplane {

std::optional<TensorShape> BroadcastShapes(const TensorShape& a, const TensorShape& b) {
  TensorShape result;
  result.rank = std::max(a.rank, b.rank);
  for (std::uint32_t from_end = 1; from_end <= result.rank; ++from_end) {
    const std::int64_t extent_a = from_end <= a.rank ? a[a.rank - from_end] : 1;
    const std::int64_t extent_b = from_end <= b.rank ? b[b.rank - from_end] : 1;
    if (extent_a != extent_b && extent_a != 1 && extent_b != 1) return std::nullopt;
    result[result.rank - from_end] = extent_a == 1 ? extent_b : extent_a;
  }
  return result;
}

namespace {

std::string DescribeShapes(const OperatorInputs& inputs) {
  std::string text;
  for (std::size_t input = 0; input < inputs.Size(); ++input) {
    text += (input == 0 ? "" : " and ") + DescribeShape(inputs[input].shape);
  }
  return text;
}

}  // namespace

TensorShape RequireBroadcast(const OperatorInputs& inputs) {
  std::optional<TensorShape> shape = inputs[0].shape;
  for (std::size_t input = 1; shape && input < inputs.Size(); ++input) {
    shape = BroadcastShapes(*shape, inputs[input].shape);
  }
  if (!shape) {
    inputs.Fail(DiagnosticCode::kWrongShape, "its inputs do not broadcast",
                "found " + DescribeShapes(inputs) +
                    "; expected extents that are equal or 1, counted from the innermost axis",
                "reshape one of the inputs");
  }
  return *shape;
}

}  // namespace backplane
