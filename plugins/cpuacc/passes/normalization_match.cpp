#include "passes/normalization_match.hpp"

#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"

#include <backplane/api/descriptors/reduce.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

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

/// The factor that makes a mean of a sum.
double GetFactorOfMean(ReduceOperation operation, const TensorShape& shape,
                       std::uint32_t first_axis) {
  double count = 1;
  for (std::uint32_t axis = first_axis; axis < shape.rank; ++axis) {
    count *= static_cast<double>(shape[axis]);
  }
  return operation == ReduceOperation::kSum ? 1 / count : 1;
}

/// mean(variable) + added, over the axes from `first_axis` on.
struct MeanMatch {
  TensorId variable = kNoTensor;
  std::uint32_t first_axis = 0;
  float added = 0.0F;
};

/// A Reduce by mean, or by sum and a division, under whatever shape. Empty when it is none, or over
/// other axes.
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

/// Whether a tensor of a mean has the axes that were reduced with extent 1, so that it broadcasts
/// to the variable as it should.
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

/// x - mean(x), as the mean that was taken away.
std::optional<MeanMatch> FindCentred(const GraphEditor& editor, TensorId tensor) {
  const Node* difference = FindBinary(editor, tensor, BinaryOperation::kSub);
  if (difference == nullptr || difference->chain[0].operand_is_first) return {};
  const auto mean = FindMean(editor, difference->inputs[1]);
  if (!mean || mean->variable != difference->inputs[0] || mean->added != 0.0F ||
      !KeepsReducedAxes(editor, difference->inputs[1], *mean)) {
    return {};
  }
  return mean;
}

bool IsSame(const MeanMatch& a, const MeanMatch& b) {
  return a.variable == b.variable && a.first_axis == b.first_axis;
}

/// mean((x - mean(x))^2) + epsilon; the epsilon.
std::optional<float> FindVarianceOfCentred(const GraphEditor& editor, TensorId tensor,
                                           const MeanMatch& of) {
  const auto mean = FindMean(editor, tensor);
  if (!mean || mean->first_axis != of.first_axis) return {};
  const TensorId centred = FindSquared(editor, mean->variable);
  if (centred == kNoTensor) return {};
  const auto taken = FindCentred(editor, centred);
  if (!taken || !IsSame(*taken, of)) return {};
  return mean->added;
}

bool IsMeanOfSquares(const GraphEditor& editor, TensorId tensor, const MeanMatch& of) {
  const auto mean = FindMean(editor, tensor);
  return mean && mean->added == 0.0F && mean->first_axis == of.first_axis &&
         FindSquared(editor, mean->variable) == of.variable;
}

bool IsSquareOfMean(const GraphEditor& editor, TensorId tensor, const MeanMatch& of) {
  const TensorId root = FindSquared(editor, SkipReshapes(editor, tensor));
  if (root == kNoTensor) return false;
  const auto mean = FindMean(editor, root);
  return mean && mean->added == 0.0F && IsSame(*mean, of);
}

/// max(0, mean(x^2) - mean(x)^2) + epsilon, with or without the maximum; the epsilon.
std::optional<float> FindVarianceOfSquares(const GraphEditor& editor, TensorId tensor,
                                           const MeanMatch& of) {
  const auto sum = FindLinear(editor, SkipReshapes(editor, tensor));
  if (!sum || sum->alpha != 1.0F) return {};
  TensorId variance = SkipReshapes(editor, sum->variable);
  if (const Node* maximum = FindBinary(editor, variance, BinaryOperation::kMaximum)) {
    float least = -1.0F;
    if (!GetUniformFloat(editor.GetTensor(maximum->inputs[1]), &least) || least != 0.0F) return {};
    variance = SkipReshapes(editor, maximum->inputs[0]);
  }
  const Node* difference = FindBinary(editor, variance, BinaryOperation::kSub);
  if (difference == nullptr) return {};
  const bool is_swapped = difference->chain[0].operand_is_first;
  const TensorId squares = difference->inputs[is_swapped ? 1 : 0];
  const TensorId square = difference->inputs[is_swapped ? 0 : 1];
  const bool is_variance =
      IsMeanOfSquares(editor, squares, of) && IsSquareOfMean(editor, square, of);
  return is_variance ? std::optional<float>(sum->beta) : std::nullopt;
}

std::optional<float> FindVariance(const GraphEditor& editor, TensorId tensor, const MeanMatch& of) {
  const auto epsilon = FindVarianceOfCentred(editor, tensor, of);
  return epsilon ? epsilon : FindVarianceOfSquares(editor, tensor, of);
}

/// sqrt(variance + epsilon); the epsilon.
std::optional<float> FindDeviation(const GraphEditor& editor, TensorId tensor,
                                   const MeanMatch& of) {
  const Node* root = FindUnary(editor, SkipReshapes(editor, tensor), UnaryOperation::kSqrt);
  return root == nullptr ? std::nullopt : FindVariance(editor, root->inputs[0], of);
}

/// 1 / sqrt(variance + epsilon); the epsilon.
std::optional<float> FindInverseDeviation(const GraphEditor& editor, TensorId tensor,
                                          const MeanMatch& of) {
  tensor = SkipReshapes(editor, tensor);
  if (const Node* reciprocal = FindUnary(editor, tensor, UnaryOperation::kReciprocal)) {
    return FindDeviation(editor, reciprocal->inputs[0], of);
  }
  float number = 0.0F;
  if (const Node* power = FindBinary(editor, tensor, BinaryOperation::kPower)) {
    const bool is_inverse_root = !power->chain[0].operand_is_first &&
                                 GetUniformFloat(editor.GetTensor(power->inputs[1]), &number) &&
                                 number == -0.5F;
    return is_inverse_root ? FindVariance(editor, power->inputs[0], of) : std::nullopt;
  }
  if (const Node* quotient = FindBinary(editor, tensor, BinaryOperation::kDiv)) {
    const bool is_inverse = quotient->chain[0].operand_is_first &&
                            GetUniformFloat(editor.GetTensor(quotient->inputs[1]), &number) &&
                            number == 1.0F;
    return is_inverse ? FindDeviation(editor, quotient->inputs[0], of) : std::nullopt;
  }
  return {};
}

std::optional<NormalizationMatch> MakeMatch(const MeanMatch& mean, std::optional<float> epsilon) {
  if (!epsilon || !(*epsilon >= 0.0F) || !std::isfinite(*epsilon)) return {};
  return NormalizationMatch{mean.variable, mean.first_axis, *epsilon, kNoTensor};
}

std::optional<NormalizationMatch> FindQuotient(const GraphEditor& editor, const Node& node) {
  const auto centred = FindCentred(editor, node.inputs[0]);
  if (!centred || node.chain[0].operand_is_first) return {};
  return MakeMatch(*centred, FindDeviation(editor, node.inputs[1], *centred));
}

/// (x - mean) * inverse deviation, or (x - mean) * (inverse deviation * scale).
std::optional<NormalizationMatch> FindProduct(const GraphEditor& editor, const Node& node) {
  for (std::size_t side = 0; side < 2; ++side) {
    const auto centred = FindCentred(editor, node.inputs[side]);
    if (!centred) continue;
    const TensorId factor = node.inputs[1 - side];
    if (const auto epsilon = FindInverseDeviation(editor, factor, *centred)) {
      return MakeMatch(*centred, epsilon);
    }
    const Node* scaled = FindBinary(editor, factor, BinaryOperation::kMul);
    for (std::size_t other = 0; scaled != nullptr && other < 2; ++other) {
      if (!editor.GetTensor(scaled->inputs[1 - other]).IsConstant()) continue;
      const auto epsilon = FindInverseDeviation(editor, scaled->inputs[other], *centred);
      if (!epsilon) continue;
      auto match = MakeMatch(*centred, epsilon);
      if (match) match->scale = scaled->inputs[1 - other];
      return match;
    }
  }
  return {};
}

}  // namespace

std::optional<NormalizationMatch> FindNormalization(const GraphEditor& editor, const Node& node) {
  const ElementOp* op = FindOnlyOp(node);
  if (op == nullptr || op->kind != ElementOp::Kind::kBinary) return {};
  if (op->binary == BinaryOperation::kDiv) return FindQuotient(editor, node);
  return op->binary == BinaryOperation::kMul ? FindProduct(editor, node) : std::nullopt;
}

}  // namespace cpuacc
}  // namespace backplane
