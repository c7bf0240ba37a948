#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "moves/replaced_part.hpp"
#include "passes/passes.hpp"

#include <backplane/api/descriptors/concat.hpp>
#include <backplane/api/descriptors/slice.hpp>

#include <optional>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// The tensor of which an input of a Concat is the part that has the same place in the output;
/// kNoTensor when there is none.
TensorId FindKept(const GraphEditor& editor, const Node& join, TensorId part,
                  const PartOfAxis& place) {
  const Node* const slice = FindLayer(editor, part, LayerType::kSlice);
  if (slice == nullptr) return kNoTensor;
  const TensorId whole = slice->inputs[0];
  const TensorInfo& output = editor.GetGraph().Output(join).info;
  if (editor.GetTensor(whole).info != output) return kNoTensor;
  const auto descriptor = slice->GetDescriptor<SliceDescriptor>();
  for (std::uint32_t axis = 0; axis < output.shape.rank; ++axis) {
    const std::int64_t start = axis == place.axis ? place.begin : 0;
    const bool is_one = editor.GetTensor(part).info.shape[axis] == 1;
    if (descriptor.starts[axis] != start || (descriptor.steps[axis] != 1 && !is_one)) {
      return kNoTensor;
    }
  }
  return whole;
}

/// A Concat of parts of one tensor, which keep their places, and of one other part.
std::optional<Node> FindReplacedPart(const GraphEditor& editor, const Node& join) {
  ReplacedPartDescriptor replaced;
  replaced.axis = join.GetDescriptor<ConcatDescriptor>().axis;
  TensorId whole = kNoTensor;
  TensorId part = kNoTensor;
  PartOfAxis place{replaced.axis, 0};
  for (const TensorId input : join.inputs) {
    const TensorId kept = FindKept(editor, join, input, place);
    if (kept == kNoTensor) {
      if (part != kNoTensor) return {};
      part = input;
      replaced.begin = place.begin;
    } else if (whole == kNoTensor || whole == kept) {
      whole = kept;
    } else {
      return {};
    }
    place.begin += editor.GetTensor(input).info.shape[place.axis];
  }
  if (whole == kNoTensor || part == kNoTensor) return {};
  Node node = join;
  node.kind = NodeKind::kReplacedPart;
  node.type = LayerType::kUndefined;
  node.inputs = {whole, part};
  node.SetDescriptor(replaced);
  return node;
}

}  // namespace

/// New rows of a cache that has room for more are written into it, where it may be overwritten.
void ReplaceParts(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) {
    if (!IsBareLayer(editor[index], LayerType::kConcat)) continue;
    if (auto node = FindReplacedPart(editor, editor[index]))
      editor.SetNode(index, *std::move(node));
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
