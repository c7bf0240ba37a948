#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/can_run.hpp"
#include "passes/make_layers.hpp"
#include "passes/normalization_match.hpp"
#include "passes/passes.hpp"

#include <backplane/api/descriptors/layer_normalization.hpp>

#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

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
  Normalization(GraphEditor& editor, NodeIndex last, const NormalizationMatch& normalized)
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
  NormalizationMatch normalized_;
  TensorShape shape_;
  std::vector<float> scale_;
  std::vector<float> shift_;
};

void NameNormalization(GraphEditor& editor, NodeIndex index) {
  const auto found = FindNormalization(editor, editor[index]);
  if (!found ||
      editor.GetTensor(found->variable).info != editor.GetTensor(editor[index].outputs[0]).info) {
    return;
  }
  Normalization normalization(editor, index, *found);
  if (found->scale != kNoTensor && !normalization.SetScale(found->scale)) return;
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
