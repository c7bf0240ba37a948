#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/passes.hpp"

#include <backplane/api/descriptors/elementwise_binary.hpp>
#include <backplane/api/descriptors/pad.hpp>
#include <backplane/api/descriptors/pooling.hpp>
#include <backplane/api/descriptors/slice.hpp>
#include <backplane/api/descriptors/transpose.hpp>

#include <limits>
#include <optional>

namespace backplane {
namespace cpuacc {
namespace {

bool TakesAll(const Node& node, const TensorShape& shape) {
  const auto slice = node.GetDescriptor<SliceDescriptor>();
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    if (slice.steps[axis] != 1 && shape[axis] > 1) return false;
  }
  return true;
}

bool KeepsAxes(const Node& node, const TensorShape& shape) {
  const auto transpose = node.GetDescriptor<TransposeDescriptor>();
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    if (transpose.permutation[axis] != axis && shape[axis] != 1) return false;
  }
  return true;
}

bool PadsNothing(const Node& node, const TensorShape& shape) {
  const auto pad = node.GetDescriptor<PadDescriptor>();
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    if (pad.pads_begin[axis] != 0 || pad.pads_end[axis] != 0) return false;
  }
  return true;
}

bool HasWindowsOfOne(const Node& node) {
  const auto pooling = node.GetDescriptor<PoolingDescriptor>();
  if (pooling.method == PoolingMethod::kLp) return false;
  for (std::uint32_t axis = 0; axis < pooling.spatial_rank; ++axis) {
    if (pooling.kernel[axis] != 1 || pooling.strides[axis] != 1 || pooling.pads_begin[axis] != 0 ||
        pooling.pads_end[axis] != 0) {
      return false;
    }
  }
  return true;
}

/// x with this number as the second operand is x.
bool IsNeutral(BinaryOperation operation, float operand) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  switch (operation) {
    case BinaryOperation::kAdd:
    case BinaryOperation::kSub:
      return operand == 0.0F;
    case BinaryOperation::kMul:
    case BinaryOperation::kDiv:
    case BinaryOperation::kPower:
      return operand == 1.0F;
    case BinaryOperation::kMaximum:
      return operand == -kInfinity;
    case BinaryOperation::kMinimum:
      return operand == kInfinity;
    default:
      return false;
  }
}

/// The input that comes out as it is.
std::optional<std::size_t> FindUnchanged(const Graph& graph, const Node& node) {
  const auto operation = node.GetDescriptor<ElementwiseBinaryDescriptor>().operation;
  for (std::size_t input = 0; input < (Commutes(operation) ? 2U : 1U); ++input) {
    float operand = 0.0F;
    if (graph.Input(node, input).info == graph.Output(node).info &&
        GetUniformFloat(graph.Input(node, 1 - input), &operand) && IsNeutral(operation, operand)) {
      return input;
    }
  }
  return {};
}

/// Whether the output is input 0, of the same shape.
bool IsIdentity(const Node& node, const TensorShape& shape) {
  switch (node.type) {
    case LayerType::kReshape:
    case LayerType::kReinterpret:
    case LayerType::kCast:
    case LayerType::kExpand:
    case LayerType::kTile:
      return true;
    case LayerType::kConcat:
      return node.inputs.size() == 1;
    case LayerType::kSplit:
      return node.outputs.size() == 1;
    case LayerType::kSlice:
      return TakesAll(node, shape);
    case LayerType::kTranspose:
      return KeepsAxes(node, shape);
    case LayerType::kPad:
      return PadsNothing(node, shape);
    case LayerType::kPooling:
      return HasWindowsOfOne(node);
    default:
      return false;
  }
}

}  // namespace

/// Layers whose result is one of their inputs are left out.
void RemoveIdentities(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) {
    const Node& node = editor[index];
    if (node.is_removed || node.kind != NodeKind::kLayer || !node.chain.empty() ||
        node.inputs.empty()) {
      continue;
    }
    const TensorInfo& info = graph.Output(node).info;
    if (node.type == LayerType::kElementwiseBinary) {
      if (const auto unchanged = FindUnchanged(graph, node)) {
        editor.RemoveIdentity(index, *unchanged);
      }
    } else if (graph.Input(node, 0).info == info && IsIdentity(node, info.shape)) {
      editor.RemoveIdentity(index);
    }
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
