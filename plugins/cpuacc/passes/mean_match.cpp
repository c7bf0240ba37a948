#include "passes/mean_match.hpp"

#include "graph/matching.hpp"

#include <backplane/api/descriptors/reduce.hpp>

#include <algorithm>
#include <cmath>

namespace backplane {
namespace cpuacc {
namespace {

/// The first of the axes when they are all from there on.
std::optional<std::uint32_t> FindFirstAxis(const ReduceDescriptor& reduce, std::uint32_t rank) {
  if (reduce.num_axes == 0 || reduce.num_axes > rank) return {};
  const std::uint32_t first = *std::min_element(reduce.axes, reduce.axes + reduce.num_axes);
  if (first + reduce.num_axes != rank) return {};
  return first;
}

/// What a sum has to be multiplied with to be a mean.
double GetFactorOfMean(ReduceOperation operation, const TensorShape& shape,
                       std::uint32_t first_axis) {
  double count = 1;
  for (std::uint32_t axis = first_axis; axis < shape.rank; ++axis) {
    count *= static_cast<double>(shape[axis]);
  }
  return operation == ReduceOperation::kSum ? 1 / count : 1;
}

}  // namespace

std::optional<MeanMatch> FindMean(const GraphEditor& editor, TensorId tensor) {
  tensor = SkipReshapes(editor, tensor);
  LinearMatch linear;
  if (const auto found = FindLinear(editor, tensor)) {
    linear = *found;
    tensor = SkipReshapes(editor, linear.variable);
  }
  const Node* reduce = FindLayer(editor, tensor, LayerType::kReduce);
  if (reduce == nullptr) return {};
  const auto descriptor = reduce->GetDescriptor<ReduceDescriptor>();
  if (descriptor.operation != ReduceOperation::kMean &&
      descriptor.operation != ReduceOperation::kSum) {
    return {};
  }
  const TensorShape& shape = editor.GetTensor(reduce->inputs[0]).info.shape;
  const auto first_axis = FindFirstAxis(descriptor, shape.rank);
  if (!first_axis) return {};
  const double factor = GetFactorOfMean(descriptor.operation, shape, *first_axis);
  constexpr double kRounding = 1e-6;
  if (!(std::fabs(static_cast<double>(linear.alpha) / factor - 1) <= kRounding)) return {};
  return MeanMatch{reduce->inputs[0], *first_axis, linear.beta};
}

bool KeepsReducedAxes(const GraphEditor& editor, TensorId tensor, const MeanMatch& mean) {
  const TensorShape& shape = editor.GetTensor(mean.variable).info.shape;
  const TensorShape& own = editor.GetTensor(tensor).info.shape;
  if (own.rank > shape.rank) return false;
  const std::uint32_t missing = shape.rank - own.rank;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    const std::int64_t extent = axis < missing ? 1 : own[axis - missing];
    if (extent != (axis < mean.first_axis ? shape[axis] : 1)) return false;
  }
  return true;
}

}  // namespace cpuacc
}  // namespace backplane
