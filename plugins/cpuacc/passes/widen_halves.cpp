#include "graph/graph_editor.hpp"
#include "kernel_builders/widened_layer.hpp"
#include "memory/aligned_memory.hpp"
#include "passes/can_run.hpp"
#include "passes/make_layers.hpp"
#include "passes/passes.hpp"
#include "passes/run_node.hpp"
#include "simd/simd.hpp"

#include <backplane/api/descriptors/cast.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

Node MakeCastNode(const GraphEditor& editor, const std::string& name, TensorId from, TensorId to) {
  CastDescriptor cast;
  cast.to = editor.GetTensor(to).info.data_type;
  return MakeLayerNode(LayerType::kCast, cast, name, {from}, to);
}

class HalfWidener {
 public:
  explicit HalfWidener(Graph& graph) : editor_(graph), wide_(graph.tensors.size()) {}

  void Run() {
    const NodeIndex count = editor_.GetCount();
    for (NodeIndex index = 0; index < count; ++index) {
      if (!editor_[index].is_removed) WidenWhereNeeded(index);
    }
    editor_.Finish();
  }

 private:
  /// What stands for a tensor of 16 bits.
  struct Wide {
    TensorId tensor = kNoTensor;
    bool is_computed = false;  // the tensor of 16 bits is then made from it
  };

  bool IsHalfTensor(TensorId tensor) const {
    return IsHalf(editor_.GetTensor(tensor).info.data_type);
  }

  bool IsBfloat16(TensorId tensor) const {
    return editor_.GetTensor(tensor).info.data_type == DataType::kBFloat16;
  }

  bool IsComputedWide(TensorId tensor) const {
    return tensor < wide_.size() && wide_[tensor].is_computed;
  }

  void WidenWhereNeeded(NodeIndex index) {
    const Node& node = editor_[index];
    const auto is_half = [this](TensorId tensor) { return IsHalfTensor(tensor); };
    const bool has_halves = std::any_of(node.inputs.begin(), node.inputs.end(), is_half) ||
                            std::any_of(node.outputs.begin(), node.outputs.end(), is_half);
    if (!has_halves) return;
    if (node.type == LayerType::kCast) return WidenCast(index);
    const bool is_computed =
        std::any_of(node.inputs.begin(), node.inputs.end(),
                    [this](TensorId tensor) { return IsComputedWide(tensor); });
    if (is_computed || !CanRun(editor_.GetGraph(), node)) WidenNode(index);
  }

  void WidenNode(NodeIndex index) {
    Node node = editor_[index];
    node.reads_bfloat16 =
        node.inputs.size() > 1 && IsBfloat16(node.inputs[0]) && IsBfloat16(node.inputs[1]);
    for (TensorId& input : node.inputs) {
      if (IsHalfTensor(input)) input = GetWide(input, node.name);
    }
    std::vector<TensorId> halves;
    for (TensorId& output : node.outputs) {
      if (!IsHalfTensor(output)) continue;
      halves.push_back(output);
      output = editor_.AddTensor(Widen(editor_.GetTensor(output).info));
      wide_[halves.back()] = {output, true};
    }
    WidenDescriptor(node.type, node.descriptor);
    const std::string name = node.name;
    editor_.SetNode(index, std::move(node));
    for (const TensorId half : halves) {
      editor_.AddNode(MakeCastNode(editor_, name, wide_[half].tensor, half));
    }
  }

  /// Rounds where the network says so. Between types that both have no kernel for the other it goes
  /// through float32.
  void WidenCast(NodeIndex index) {
    Node node = editor_[index];
    TensorId& input = node.inputs[0];
    const TensorId output = node.outputs[0];
    const bool reads_wide =
        IsHalfTensor(input) && (IsComputedWide(input) || !CanRun(editor_.GetGraph(), node));
    if (reads_wide) input = GetWide(input, node.name);
    editor_.SetNode(index, node);
    if (CanRun(editor_.GetGraph(), node)) return;
    const TensorId wide = editor_.AddTensor(Widen(editor_.GetTensor(output).info));
    editor_.SetNode(index, MakeCastNode(editor_, node.name, node.inputs[0], wide));
    editor_.AddNode(MakeCastNode(editor_, node.name, wide, output));
  }

  TensorId GetWide(TensorId half, const std::string& name) {
    if (wide_[half].tensor != kNoTensor) return wide_[half].tensor;
    const TensorId wide =
        editor_.GetTensor(half).IsConstant() ? WidenConstant(half) : CastToWide(half, name);
    wide_[half].tensor = wide;
    return wide;
  }

  TensorId CastToWide(TensorId half, const std::string& name) {
    const TensorId wide = editor_.AddTensor(Widen(editor_.GetTensor(half).info));
    editor_.AddNode(MakeCastNode(editor_, name, half, wide));
    return wide;
  }

  TensorId WidenConstant(TensorId half) {
    const GraphTensor constant = editor_.GetTensor(half);
    const TensorId wide = editor_.AddTensor(Widen(constant.info));
    const auto make = [&] {
      std::shared_ptr<void> content = AllocateAligned(Widen(constant.info).GetSizeBytes());
      GetSimdFunctions().halves.GetWiden(constant.info.data_type)(
          constant.content.get(), content.get(), constant.info.shape.GetNumElements());
      return std::vector<FoldedNodes::Content>{std::move(content)};
    };
    Graph& graph = editor_.GetGraph();
    graph.tensors[wide].content = FindFolded(graph, MakeCastNode(editor_, "", half, wide), make)[0];
    return wide;
  }

  GraphEditor editor_;
  std::vector<Wide> wide_;  // of the tensors that the graph had
};

}  // namespace

/// Layers of float16 and bfloat16 that no kernel knows are computed in float32, and what follows
/// them too: values are rounded to 16 bits where they leave the graph, and where the network has a
/// Cast. What only moves elements of 16 bits before the first such layer moves those.
void WidenHalves(Graph& graph) {
  HalfWidener(graph).Run();
}

}  // namespace cpuacc
}  // namespace backplane
