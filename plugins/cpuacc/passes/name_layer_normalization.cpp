#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/can_run.hpp"
#include "passes/make_layers.hpp"
#include "passes/mean_match.hpp"
#include "passes/passes.hpp"

#include <backplane/api/descriptors/layer_normalization.hpp>

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

/// x, less its mean over the innermost axes from `axis` on, divided by sqrt(variance + epsilon).
struct Normalized {
  TensorId variable = kNoTensor;
  std::uint32_t axis = 0;
  float epsilon = 0.0F;
};

/// What a normalisation is scaled and shifted with; kNoTensor: nothing.
struct Affine {
  TensorId scale = kNoTensor;
  TensorId shift = kNoTensor;
};

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

std::optional<Normalized> MakeNormalized(const MeanMatch& mean, std::optional<float> epsilon) {
  if (!epsilon || !(*epsilon >= 0.0F) || !std::isfinite(*epsilon)) return {};
  return Normalized{mean.variable, mean.first_axis, *epsilon};
}

std::optional<Normalized> FindQuotient(const GraphEditor& editor, const Node& node) {
  const auto centred = FindCentred(editor, node.inputs[0]);
  if (!centred || node.chain[0].operand_is_first) return {};
  return MakeNormalized(*centred, FindDeviation(editor, node.inputs[1], *centred));
}

/// (x - mean) * inverse deviation, or (x - mean) * (inverse deviation * scale).
std::optional<Normalized> FindProduct(const GraphEditor& editor, const Node& node, Affine* affine) {
  for (std::size_t side = 0; side < 2; ++side) {
    const auto centred = FindCentred(editor, node.inputs[side]);
    if (!centred) continue;
    const TensorId factor = node.inputs[1 - side];
    if (const auto epsilon = FindInverseDeviation(editor, factor, *centred)) {
      return MakeNormalized(*centred, epsilon);
    }
    const Node* scaled = FindBinary(editor, factor, BinaryOperation::kMul);
    for (std::size_t other = 0; scaled != nullptr && other < 2; ++other) {
      if (!editor.GetTensor(scaled->inputs[1 - other]).IsConstant()) continue;
      const auto epsilon = FindInverseDeviation(editor, scaled->inputs[other], *centred);
      if (!epsilon) continue;
      affine->scale = scaled->inputs[1 - other];
      return MakeNormalized(*centred, epsilon);
    }
  }
  return {};
}

std::optional<Normalized> FindNormalized(const GraphEditor& editor, const Node& node,
                                         Affine* affine) {
  const ElementOp* op = FindOnlyOp(node);
  if (op == nullptr || op->kind != ElementOp::Kind::kBinary) return {};
  if (op->binary == BinaryOperation::kDiv) return FindQuotient(editor, node);
  return op->binary == BinaryOperation::kMul ? FindProduct(editor, node, affine) : std::nullopt;
}

/// The values of a constant for the axes from `first_axis` on, when it is the same along those
/// before; empty when it is not.
std::vector<float> FindOverInnerAxes(const GraphTensor& constant, const TensorShape& shape,
                                     std::uint32_t first_axis) {
  const TensorShape& own = constant.info.shape;
  if (!IsFloat32(constant.info) || own.rank > shape.rank) return {};
  const std::uint32_t missing = shape.rank - own.rank;
  std::vector<std::int64_t> offsets = {0};
  std::int64_t stride = own.GetNumElements();
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    const std::int64_t extent = axis < missing ? 1 : own[axis - missing];
    if (axis < first_axis && extent != 1) return {};
    if (extent != 0) stride /= extent;
    if (axis < first_axis) continue;
    std::vector<std::int64_t> longer;
    for (const std::int64_t offset : offsets) {
      for (std::int64_t i = 0; i < shape[axis]; ++i) {
        longer.push_back(offset + (extent == 1 ? 0 : i * stride));
      }
    }
    offsets = std::move(longer);
  }
  std::vector<float> values;
  for (const std::int64_t offset : offsets) values.push_back(GetFloats(constant)[offset]);
  return values;
}

/// A normalisation with all that belongs to it.
class Normalization {
 public:
  Normalization(GraphEditor& editor, NodeIndex last, const Normalized& normalized)
      : editor_(editor),
        last_(last),
        normalized_(normalized),
        shape_(editor.GetTensor(normalized.variable).info.shape) {}

  bool SetScale(TensorId tensor) { return Set(tensor, &scale_); }

  /// A multiplication or an addition with a constant behind it, when nobody else reads it.
  bool TakeReader(BinaryOperation operation) {
    const TensorId result = editor_[last_].outputs[0];
    if (editor_.CountReads(result) != 1 || editor_.IsOutput(result)) return false;
    const NodeIndex reader = editor_.GetReaders(result)[0];
    const Node* node = FindBinary(editor_, editor_[reader].outputs[0], operation);
    if (node == nullptr || node->inputs[0] != result ||
        editor_.GetTensor(node->outputs[0]).info != editor_.GetTensor(result).info) {
      return false;
    }
    std::vector<float>* values = operation == BinaryOperation::kMul ? &scale_ : &shift_;
    if (!Set(node->inputs[1], values)) return false;
    last_ = reader;
    return true;
  }

  void TakeReaders() {
    if (scale_.empty()) TakeReader(BinaryOperation::kMul);
    TakeReader(BinaryOperation::kAdd);
  }

  /// Puts the layer in the place of the last node; what went before is left to itself.
  void Replace() {
    Graph& graph = editor_.GetGraph();
    TensorShape inner;
    for (std::uint32_t axis = normalized_.axis; axis < shape_.rank; ++axis) {
      inner.Append(shape_[axis]);
    }
    const auto count = static_cast<std::size_t>(inner.GetNumElements());
    if (scale_.empty()) scale_.assign(count, 1.0F);
    LayerNormalizationDescriptor descriptor;
    descriptor.axis = normalized_.axis;
    descriptor.epsilon = normalized_.epsilon;
    std::vector<TensorId> inputs = {normalized_.variable, AddConstant(graph, inner, scale_)};
    if (!shift_.empty()) inputs.push_back(AddConstant(graph, inner, shift_));
    Node node = MakeLayerNode(LayerType::kLayerNormalization, descriptor, editor_[last_].name,
                              std::move(inputs), editor_[last_].outputs[0]);
    if (CanRun(graph, node)) editor_.SetNode(last_, std::move(node));
  }

 private:
  bool Set(TensorId tensor, std::vector<float>* values) const {
    const GraphTensor& constant = editor_.GetTensor(tensor);
    if (!constant.IsConstant()) return false;
    std::vector<float> found = FindOverInnerAxes(constant, shape_, normalized_.axis);
    if (found.empty()) return false;
    *values = std::move(found);
    return true;
  }

  GraphEditor& editor_;
  NodeIndex last_;
  Normalized normalized_;
  TensorShape shape_;
  std::vector<float> scale_;
  std::vector<float> shift_;
};

void NameNormalization(GraphEditor& editor, NodeIndex index) {
  Affine affine;
  const auto found = FindNormalized(editor, editor[index], &affine);
  if (!found ||
      editor.GetTensor(found->variable).info != editor.GetTensor(editor[index].outputs[0]).info) {
    return;
  }
  Normalization normalization(editor, index, *found);
  if (affine.scale != kNoTensor && !normalization.SetScale(affine.scale)) return;
  normalization.TakeReaders();
  normalization.Replace();
}

}  // namespace

/// Layer normalisation that is spelled out, from the mean to the bias, becomes one layer.
void NameLayerNormalization(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) {
    NameNormalization(editor, index);
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
