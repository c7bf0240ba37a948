#include "passes/attention_match.hpp"

#include "graph/matching.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/float_classification.hpp>
#include <backplane/api/descriptors/softmax.hpp>

#include <algorithm>
#include <cmath>

namespace backplane {
namespace cpuacc {
namespace {

const TensorShape& GetShapeOfMatch(const GraphEditor& editor, TensorId tensor) {
  return editor.GetTensor(tensor).info.shape;
}

bool IsMatrix(const GraphEditor& editor, TensorId tensor) {
  const TensorInfo& info = editor.GetTensor(tensor).info;
  return IsFloat32(info) && info.shape.rank >= 2 && info.shape.GetNumElements() > 0;
}

/// Goes back from the exponents of a Softmax to the product of queries and keys.
class ScoreMatcher {
 public:
  ScoreMatcher(const GraphEditor& editor, AttentionMatch& match) : editor_(editor), match_(match) {}

  bool Run(TensorId exponents) {
    TensorId scores = SkipScale(exponents);
    while (match_.scale == 1.0F && match_.masks.size() < kMostMasks && TakeMask(scores)) {
      scores = SkipScale(masked_);
    }
    return TakeProduct(scores) && std::isnormal(match_.scale);
  }

 private:
  bool IsReadOnce(TensorId tensor) const { return editor_.CountReads(tensor) == 1; }

  void AddName(const std::string& name) { match_.name = name + "+" + match_.name; }

  /// What the tensor is a multiple of.
  TensorId SkipScale(TensorId tensor) {
    const auto linear = FindLinear(editor_, tensor);
    if (!linear || linear->beta != 0.0F || !IsReadOnce(tensor)) return tensor;
    AddName(editor_[editor_.GetMaker(tensor)].name);
    match_.scale *= linear->alpha;
    return linear->variable;
  }

  /// Whether scores may be what this tensor is made of: a product, or what becomes of one by a
  /// scale and masks.
  bool MayBeScores(TensorId tensor, const TensorShape& shape, std::size_t num_changes = 0) const {
    if (num_changes > kMostMasks + 1 || !IsReadOnce(tensor) ||
        GetShapeOfMatch(editor_, tensor) != shape) {
      return false;
    }
    if (FindLayer(editor_, tensor, LayerType::kBatchMatMul) != nullptr) return true;
    const auto may_be = [&](TensorId input) { return MayBeScores(input, shape, num_changes + 1); };
    if (const auto linear = FindLinear(editor_, tensor)) return may_be(linear->variable);
    const Node* node = FindBinary(editor_, tensor, BinaryOperation::kAdd);
    if (node == nullptr) node = FindLayer(editor_, tensor, LayerType::kWhere);
    return node != nullptr && std::any_of(node->inputs.begin(), node->inputs.end(), may_be);
  }

  bool TakeMask(TensorId tensor) {
    if (!IsReadOnce(tensor)) return false;
    return TakeSum(tensor) || TakeChoice(tensor);
  }

  bool TakeSum(TensorId tensor) {
    const Node* sum = FindBinary(editor_, tensor, BinaryOperation::kAdd);
    if (sum == nullptr) return false;
    const TensorShape& shape = GetShapeOfMatch(editor_, tensor);
    for (const std::size_t scores : {0, 1}) {
      if (!MayBeScores(sum->inputs[scores], shape)) continue;
      TakeMaskOf(*sum, sum->inputs[scores], {sum->inputs[1 - scores], MaskKind::kAdded, 0.0F});
      return true;
    }
    return false;
  }

  bool TakeChoice(TensorId tensor) {
    const Node* choice = FindLayer(editor_, tensor, LayerType::kWhere);
    if (choice == nullptr) return false;
    const TensorShape& shape = GetShapeOfMatch(editor_, tensor);
    for (const std::size_t scores : {1, 2}) {
      const GraphTensor& other = editor_.GetTensor(choice->inputs[3 - scores]);
      MatchedMask mask = {choice->inputs[0], scores == 1 ? MaskKind::kKept : MaskKind::kFilled,
                          0.0F};
      if (!MayBeScores(choice->inputs[scores], shape) || !GetUniformFloat(other, &mask.fill)) {
        continue;
      }
      TakeMaskOf(*choice, choice->inputs[scores], mask);
      return true;
    }
    return false;
  }

  /// Those that apply before it come to stand before it.
  void TakeMaskOf(const Node& node, TensorId scores, const MatchedMask& mask) {
    AddName(node.name);
    masked_ = scores;
    match_.masks.insert(match_.masks.begin(), mask);
  }

  bool TakeProduct(TensorId scores) {
    const Node* product = FindLayer(editor_, scores, LayerType::kBatchMatMul);
    if (product == nullptr || !IsReadOnce(scores) || !IsMatrix(editor_, scores)) return false;
    const auto descriptor = product->GetDescriptor<BatchMatMulDescriptor>();
    match_.scores = scores;
    match_.queries = TakeFactor(product->inputs[0], descriptor.transpose_a == 1);
    match_.keys = TakeFactor(product->inputs[1], descriptor.transpose_b == 0);
    AddName(product->name);
    return IsMatrix(editor_, match_.queries.tensor) && IsMatrix(editor_, match_.keys.tensor);
  }

  /// Keys may be scaled after they were transposed.
  MatchedMatrix TakeFactor(TensorId tensor, bool is_transposed) {
    const auto linear = FindLinear(editor_, tensor);
    if (linear && linear->beta == 0.0F) {
      match_.scale *= linear->alpha;
      tensor = linear->variable;
    }
    const Node* exchange = FindExchange(editor_, tensor);
    if (exchange == nullptr) return {tensor, is_transposed};
    return {exchange->inputs[0], !is_transposed};
  }

  const GraphEditor& editor_;
  AttentionMatch& match_;
  TensorId masked_ = kNoTensor;
};

/// A choice of 0 where the elements of a tensor are NaN, and of these elsewhere. Null: the tensor
/// is made otherwise.
const Node* FindNanReplacement(const GraphEditor& editor, TensorId tensor) {
  const Node* choice = FindLayer(editor, tensor, LayerType::kWhere);
  if (choice == nullptr || editor.CountReads(tensor) != 1) return nullptr;
  const Node* test = FindLayer(editor, choice->inputs[0], LayerType::kFloatClassification);
  float replacement = 1.0F;
  if (test == nullptr || test->inputs[0] != choice->inputs[2] ||
      editor.CountReads(test->outputs[0]) != 1 ||
      !GetUniformFloat(editor.GetTensor(choice->inputs[1]), &replacement)) {
    return nullptr;
  }
  const auto descriptor = test->GetDescriptor<FloatClassificationDescriptor>();
  const bool tests_nan = descriptor.detect_nan != 0 && descriptor.detect_positive_infinity == 0 &&
                         descriptor.detect_negative_infinity == 0;
  return tests_nan && replacement == 0.0F ? choice : nullptr;
}

/// Whether the probabilities are those of the last axis, which are read so many times.
bool IsSoftmaxOfRows(const GraphEditor& editor, const Node& softmax, std::uint32_t num_reads) {
  const TensorId probabilities = softmax.outputs[0];
  return IsMatrix(editor, probabilities) && editor.CountReads(probabilities) == num_reads &&
         softmax.GetDescriptor<SoftmaxDescriptor>().axis + 1 ==
             GetShapeOfMatch(editor, probabilities).rank;
}

/// Whether each matrix of scores meets one matrix of values.
bool HasBatchOf(const GraphEditor& editor, TensorId scores, TensorId result) {
  TensorShape a = GetShapeOfMatch(editor, scores);
  TensorShape b = GetShapeOfMatch(editor, result);
  a[a.rank - 1] = b[b.rank - 1] = 1;
  return a == b;
}

}  // namespace

std::optional<AttentionMatch> FindAttention(const GraphEditor& editor, NodeIndex index) {
  const Node& product = editor[index];
  if (!IsBareLayer(product, LayerType::kBatchMatMul)) return {};
  const auto descriptor = product.GetDescriptor<BatchMatMulDescriptor>();
  const Node* replacement = FindNanReplacement(editor, product.inputs[0]);
  const Node* softmax =
      FindLayer(editor, replacement != nullptr ? replacement->inputs[2] : product.inputs[0],
                LayerType::kSoftmax);
  if (softmax == nullptr || descriptor.transpose_a == 1 ||
      !IsSoftmaxOfRows(editor, *softmax, replacement != nullptr ? 2 : 1) ||
      !IsMatrix(editor, product.inputs[1]) || !IsMatrix(editor, product.outputs[0])) {
    return {};
  }
  AttentionMatch match;
  match.values = {product.inputs[1], descriptor.transpose_b == 1};
  match.scale = softmax->GetDescriptor<SoftmaxDescriptor>().beta;
  match.replaces_nan = replacement != nullptr;
  match.name = softmax->name + "+" + (replacement ? replacement->name + "+" : "") + product.name;
  if (!ScoreMatcher(editor, match).Run(softmax->inputs[0]) ||
      GetShapeOfMatch(editor, match.scores) != GetShapeOfMatch(editor, product.inputs[0]) ||
      !HasBatchOf(editor, match.scores, product.outputs[0])) {
    return {};
  }
  return match;
}

}  // namespace cpuacc
}  // namespace backplane
