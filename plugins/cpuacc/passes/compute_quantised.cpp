#include "cpu_layers/scales.hpp"
#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "memory/aligned_memory.hpp"
#include "passes/can_run.hpp"
#include "passes/passes.hpp"
#include "passes/run_node.hpp"
#include "quantised/quantised_types.hpp"

#include <backplane/api/descriptors/activation.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::GetScale;

/// What was dequantised to a tensor; kNoTensor when it is not made so.
TensorId FindInteger(GraphEditor& editor, TensorId real) {
  const Node* dequantize = FindLayer(editor, real, LayerType::kDequantize);
  if (dequantize == nullptr) return kNoTensor;
  const TensorId integer = dequantize->inputs[0];
  const Node* quantize = FindLayer(editor, integer, LayerType::kQuantize);
  if (quantize != nullptr && editor.GetTensor(quantize->inputs[0]).IsConstant() &&
      !editor.IsOutput(integer)) {
    FoldNode(editor, editor.GetMaker(integer));
  }
  return integer;
}

/// The element of a constant that is float32, or int32 that was dequantised.
class ConstantReals {
 public:
  ConstantReals(GraphEditor& editor, TensorId real) {
    const TensorId integer = FindInteger(editor, real);
    const GraphTensor& source = editor.GetTensor(integer == kNoTensor ? real : integer);
    if (!source.IsConstant()) return;
    info_ = source.info;
    if (IsFloat32(info_)) floats_ = static_cast<const float*>(source.content.get());
    if (info_.data_type != DataType::kInt32 || !info_.quantization.IsQuantized()) return;
    for (const std::int32_t zero_point : info_.quantization.zero_points) {
      if (zero_point != 0) return;
    }
    integers_ = static_cast<const std::int32_t*>(source.content.get());
  }

  bool AreKnown() const { return floats_ != nullptr || integers_ != nullptr; }
  const TensorShape& GetShape() const { return info_.shape; }

  double Get(std::int64_t index) const {
    if (floats_ != nullptr) return floats_[index];
    return static_cast<double>(integers_[index]) *
           static_cast<double>(GetScale(info_, static_cast<std::size_t>(index)));
  }

 private:
  TensorInfo info_;
  const float* floats_ = nullptr;
  const std::int32_t* integers_ = nullptr;
};

/// The bias as sums of products of integers have it: in int32, with the product of their scales.
/// kNoTensor: it is not constant, or too great.
TensorId AddIntegerBias(GraphEditor& editor, TensorId real, TensorId input, TensorId weights) {
  const ConstantReals reals(editor, real);
  if (!reals.AreKnown() || reals.GetShape().rank != 1) return kNoTensor;
  const TensorInfo& weights_info = editor.GetTensor(weights).info;
  const std::int64_t count = reals.GetShape()[0];
  if (weights_info.quantization.IsPerAxis() &&
      weights_info.quantization.scales.size() != static_cast<std::size_t>(count)) {
    return kNoTensor;
  }
  TensorInfo info(reals.GetShape(), DataType::kInt32);
  for (const float scale : weights_info.quantization.scales) {
    info.quantization.scales.push_back(GetScale(editor.GetTensor(input).info) * scale);
    info.quantization.zero_points.push_back(0);
  }
  const std::shared_ptr<void> content = AllocateAligned(info.GetSizeBytes());
  for (std::int64_t i = 0; i < count; ++i) {
    const double scale = static_cast<double>(GetScale(info, static_cast<std::size_t>(i)));
    const double integer = std::nearbyint(reals.Get(i) / scale);
    if (!(std::fabs(integer) <= std::numeric_limits<std::int32_t>::max())) return kNoTensor;
    static_cast<std::int32_t*>(content.get())[i] = static_cast<std::int32_t>(integer);
  }
  const TensorId bias = editor.AddTensor(info);
  editor.GetGraph().tensors[bias].content = content;
  return bias;
}

/// Layers whose kernels look at the scales of what they read and write. Others move elements from
/// tensors to tensors that are quantised alike, and QuantizeEarly knows them.
bool Calculates(LayerType type) {
  switch (type) {
    case LayerType::kActivation:
    case LayerType::kBatchMatMul:
    case LayerType::kConvolution:
    case LayerType::kElementwiseBinary:
    case LayerType::kElementwiseUnary:
    case LayerType::kFullyConnected:
    case LayerType::kPooling:
    case LayerType::kSoftmax:
      return true;
    default:
      return false;
  }
}

bool MayHaveBias(const Node& node) {
  return node.type == LayerType::kConvolution || node.type == LayerType::kFullyConnected;
}

/// The layer with integers in place of the reals that it reads, and `result` in place of what it
/// makes. Empty when those do not come from integers, or there is no kernel for these.
std::optional<Node> MakeIntegerNode(GraphEditor& editor, const Node& node, TensorId result) {
  if (!Calculates(node.type)) return {};
  Node made = node;
  for (std::size_t index = 0; index < node.inputs.size(); ++index) {
    made.inputs[index] =
        index == 2 && MayHaveBias(node)
            ? AddIntegerBias(editor, node.inputs[2], made.inputs[0], made.inputs[1])
            : FindInteger(editor, node.inputs[index]);
    if (made.inputs[index] == kNoTensor) return {};
    if (!editor.GetTensor(made.inputs[index]).info.quantization.IsQuantized()) return {};
  }
  made.outputs = {result};
  if (!CanRun(editor.GetGraph(), made)) return {};
  return made;
}

/// The layer that makes a tensor which nobody else reads; kNoNode when it is no layer, or makes
/// more.
NodeIndex FindOwnMaker(const GraphEditor& editor, TensorId tensor) {
  const NodeIndex maker = editor.GetMaker(tensor);
  if (maker == kNoNode || editor.CountReads(tensor) != 1) return kNoNode;
  const Node& node = editor[maker];
  const bool is_plain =
      node.kind == NodeKind::kLayer && node.chain.empty() && node.outputs.size() == 1;
  return is_plain && !node.inputs.empty() ? maker : kNoNode;
}

/// Bounds do the same to numbers before they are quantised and after.
bool IsBound(const Node& node) {
  if (!IsBareLayer(node, LayerType::kActivation)) return false;
  const auto function = node.GetDescriptor<ActivationDescriptor>().function;
  return function == ActivationFunction::kRelu || function == ActivationFunction::kBoundedRelu;
}

/// Whether there is no integer for what ReLU takes away.
bool IsBoundByType(const Node& bound, const TensorInfo& result) {
  return bound.GetDescriptor<ActivationDescriptor>().function == ActivationFunction::kRelu &&
         cpu_layers::GetZeroPoint(result) == -GetSignBit(result);
}

/// Lets the layer before a Quantize make what it makes.
void ComputeResult(GraphEditor& editor, NodeIndex quantize) {
  const TensorId result = editor[quantize].outputs[0];
  const TensorInfo info = editor.GetTensor(result).info;
  const NodeIndex last = FindOwnMaker(editor, editor[quantize].inputs[0]);
  if (last == kNoNode) return;
  if (auto made = MakeIntegerNode(editor, editor[last], result)) {
    return editor.SetNode(quantize, std::move(*made));
  }
  if (!IsBound(editor[last])) return;
  const NodeIndex maker = FindOwnMaker(editor, editor[last].inputs[0]);
  if (maker == kNoNode) return;
  const bool is_bound = IsBoundByType(editor[last], info);
  Node bound = editor[last];
  bound.inputs = {is_bound ? result : editor.AddTensor(info)};
  bound.outputs = {result};
  if (!is_bound && !CanRun(editor.GetGraph(), bound)) return;
  auto made = MakeIntegerNode(editor, editor[maker], bound.inputs[0]);
  if (!made) return;
  if (is_bound) return editor.SetNode(quantize, std::move(*made));
  editor.SetNode(quantize, std::move(bound));
  editor.AddNode(std::move(*made));
}

}  // namespace

/// A layer between Dequantize and Quantize, as most quantised models are written, computes with the
/// integers themselves when it has a kernel for them. Products of integers are exact; those of the
/// reals that they stand for need not be, so that now and then a result is the next integer.
void ComputeQuantised(Graph& graph) {
  GraphEditor editor(graph);
  const NodeIndex count = editor.GetCount();
  for (NodeIndex index = 0; index < count; ++index) {
    const Node& node = editor[index];
    if (!IsBareLayer(node, LayerType::kQuantize)) continue;
    if (IsFloat32(editor.GetTensor(node.inputs[0]).info)) ComputeResult(editor, index);
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
