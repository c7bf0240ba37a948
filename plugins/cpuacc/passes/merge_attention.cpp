#include "attention/attention_descriptor.hpp"
#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "graph/strided_view.hpp"
#include "layout/reshaped_steps.hpp"
#include "passes/attention_match.hpp"
#include "passes/passes.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// Above, the scratch memory of a thread would be larger than its cache.
constexpr std::int64_t kMostDepthAndWidth = 2048;

/// An axis of the batch that is taken apart into groups of heads and the heads of one group.
struct HeadGroups {
  std::uint32_t axis;  // none: kMaxRank
  std::int64_t num_groups;
  std::int64_t num_heads;
};

constexpr HeadGroups kNoGroups = {kMaxRank, 1, 1};

/// The shape with the axis taken apart. An axis that repeats becomes two that do.
TensorShape TakeApart(const TensorShape& shape, std::uint32_t result_rank,
                      const HeadGroups& groups) {
  TensorShape apart;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    if (axis + result_rank != groups.axis + shape.rank) {
      apart.Append(shape[axis]);
    } else {
      apart.Append(shape[axis] == 1 ? 1 : groups.num_groups);
      apart.Append(shape[axis] == 1 ? 1 : groups.num_heads);
    }
  }
  return apart;
}

/// Keys that are repeated for each head of a group, by an Expand of [..., groups, 1, keys, depth]
/// and a Reshape, tell where the groups are.
HeadGroups FindHeadGroups(const GraphEditor& editor, TensorId keys, std::uint32_t result_rank) {
  const Node* reshape = FindLayer(editor, keys, LayerType::kReshape);
  const TensorShape shape = editor.GetTensor(keys).info.shape;
  if (reshape == nullptr || shape.rank != result_rank || result_rank - 2 == kMostBatchAxes ||
      FindLayer(editor, reshape->inputs[0], LayerType::kExpand) == nullptr) {
    return kNoGroups;
  }
  const TensorShape& before = editor.GetTensor(reshape->inputs[0]).info.shape;
  for (std::uint32_t axis = 0; axis + 2 < shape.rank; ++axis) {
    if (before.rank != shape.rank + 1) break;
    const HeadGroups groups = {axis, before[axis], before[axis + 1]};
    if (groups.num_groups * groups.num_heads == shape[axis] &&
        TakeApart(shape, result_rank, groups) == before) {
      return groups;
    }
  }
  return kNoGroups;
}

/// The steps of a tensor whose last two axes are rows and columns, for a batch of so many axes.
AttentionOperand MakeOperand(const TensorShape& shape, const std::int64_t* steps,
                             std::uint32_t num_batch_axes) {
  const auto find_step = [&](std::uint32_t from_last) {
    if (from_last > shape.rank) return std::int64_t{0};
    const std::uint32_t axis = shape.rank - from_last;
    return shape[axis] == 1 ? 0 : steps[axis];
  };
  AttentionOperand operand;
  operand.column = find_step(1);
  operand.row = find_step(2);
  for (std::uint32_t axis = 0; axis < num_batch_axes; ++axis) {
    operand.batch[axis] = find_step(num_batch_axes + 2 - axis);
  }
  return operand;
}

/// Makes the node of a match.
class AttentionMaker {
 public:
  AttentionMaker(GraphEditor& editor, const AttentionMatch& match, TensorId result)
      : editor_(editor),
        match_(match),
        result_(result),
        rank_(GetShape(result).rank),
        groups_(FindHeadGroups(editor, match.keys.tensor, rank_)) {
    const TensorShape batch = TakeApart(GetShape(result), rank_, groups_);
    attention_.num_batch_axes = batch.rank - 2;
    std::copy_n(batch.dims, attention_.num_batch_axes, attention_.batch);
    const TensorShape& scores = GetShape(match.scores);
    const TensorShape& queries = GetShape(match.queries.tensor);
    attention_.num_queries = scores[scores.rank - 2];
    attention_.num_keys = scores[scores.rank - 1];
    attention_.depth = queries[queries.rank - (match.queries.is_transposed ? 2 : 1)];
    attention_.width = batch[batch.rank - 1];
    attention_.scale = match.scale;
    attention_.replaces_nan = match.replaces_nan ? 1 : 0;
  }

  bool IsWorthwhile() const { return attention_.depth + attention_.width <= kMostDepthAndWidth; }

  /// Takes the place of a node, and of those behind that only moved its result.
  void Replace(NodeIndex index) {
    node_.kind = NodeKind::kAttention;
    node_.name = match_.name;
    attention_.queries = ReadMatrix(match_.queries);
    attention_.keys = ReadMatrix(match_.keys);
    attention_.values = ReadMatrix(match_.values);
    for (std::size_t mask = 0; mask < match_.masks.size(); ++mask) {
      const MatchedMask& matched = match_.masks[mask];
      attention_.masks[mask] = {ReadMatrix({matched.tensor, false}), matched.kind, matched.fill};
    }
    WriteResult();
    node_.SetDescriptor(attention_);
    editor_.SetNode(index, std::move(node_));
  }

 private:
  const TensorShape& GetShape(TensorId tensor) const {
    return editor_.GetTensor(tensor).info.shape;
  }

  /// Steps of a tensor, for the axes of the batch.
  AttentionOperand MakeSteps(TensorId tensor, const std::vector<std::int64_t>& steps) const {
    const TensorShape apart = TakeApart(GetShape(tensor), rank_, groups_);
    // One axis can always be taken apart.
    const auto steps_apart = FindReshapedSteps(GetShape(tensor), steps.data(), apart);
    return MakeOperand(apart, steps_apart->data(), attention_.num_batch_axes);
  }

  /// Heads of a group read what is repeated for them.
  bool IsRepeated(TensorId tensor) const {
    const Node* reshape = FindLayer(editor_, tensor, LayerType::kReshape);
    return groups_.axis != kNoGroups.axis && reshape != nullptr &&
           GetShape(reshape->inputs[0]) == TakeApart(GetShape(tensor), rank_, groups_);
  }

  AttentionOperand ReadTensor(TensorId tensor) {
    const bool is_repeated = IsRepeated(tensor);
    if (is_repeated) tensor = editor_[editor_.GetMaker(tensor)].inputs[0];
    const StridedView view = FindStridedView(editor_, tensor);
    node_.inputs.push_back(view.source);
    AttentionOperand operand =
        is_repeated ? MakeOperand(GetShape(tensor), view.steps.data(), attention_.num_batch_axes)
                    : MakeSteps(tensor, view.steps);
    operand.offset = view.offset;
    return operand;
  }

  AttentionOperand ReadMatrix(const MatchedMatrix& matrix) {
    AttentionOperand operand = ReadTensor(matrix.tensor);
    if (matrix.is_transposed) std::swap(operand.row, operand.column);
    return operand;
  }

  void WriteResult() {
    const StridedTarget target = FindStridedTarget(editor_, result_);
    attention_.result = MakeSteps(result_, target.steps);
    for (const NodeIndex move : target.nodes) editor_.Remove(move);
    node_.outputs = {target.target};
  }

  GraphEditor& editor_;
  const AttentionMatch& match_;
  const TensorId result_;
  const std::uint32_t rank_;
  const HeadGroups groups_;
  AttentionDescriptor attention_;
  Node node_;
};

}  // namespace

/// Attention becomes one node, which reads and writes heads where they lie, so that nobody has to
/// move them, and whose scores are never all in memory.
void MergeAttention(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) {
    const auto match = FindAttention(editor, index);
    if (!match) continue;
    AttentionMaker maker(editor, *match, editor[index].outputs[0]);
    if (maker.IsWorthwhile()) maker.Replace(index);
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
