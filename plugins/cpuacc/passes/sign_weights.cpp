#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "memory/aligned_memory.hpp"
#include "passes/passes.hpp"
#include "quantised/quantised_types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

/// Constants of uint8 as int8, each made once.
class SignedConstants {
 public:
  explicit SignedConstants(GraphEditor& editor) : editor_(editor) {}

  bool CanSign(TensorId tensor) const {
    const GraphTensor& constant = editor_.GetTensor(tensor);
    return constant.IsConstant() && constant.info.data_type == DataType::kUInt8;
  }

  /// Elements and zero points less 128.
  TensorId Get(TensorId tensor) {
    const auto known = signed_.find(tensor);
    if (known != signed_.end()) return known->second;
    TensorInfo info = editor_.GetTensor(tensor).info;
    info.data_type = DataType::kInt8;
    SharedVector<std::int32_t>& zero_points = info.quantization.zero_points;
    if (info.quantization.IsQuantized()) zero_points.resize(info.quantization.scales.size());
    for (std::size_t i = 0; i < zero_points.size(); ++i) zero_points[i] -= kSignBit;
    const auto* from = static_cast<const std::uint8_t*>(editor_.GetTensor(tensor).content.get());
    const std::shared_ptr<void> content = AllocateAligned(info.GetSizeBytes());
    auto* to = static_cast<std::uint8_t*>(content.get());
    for (std::uint64_t i = 0; i < info.GetSizeBytes(); ++i) {
      to[i] = static_cast<std::uint8_t>(from[i] ^ kSignBit);
    }
    const TensorId made = editor_.AddTensor(info);
    editor_.GetGraph().tensors[made].content = content;
    return signed_[tensor] = made;
  }

 private:
  GraphEditor& editor_;
  std::map<TensorId, TensorId> signed_;
};

/// Which inputs have to be signed together; none where the layer is no product of bytes. Zero
/// points of plain bytes are an input of their own.
std::vector<std::size_t> FindWeights(const GraphEditor& editor, const Node& node) {
  if (!node.is_removed && MultipliesPlainBytes(node)) {
    if (CountLayerInputs(node) == 4) return {1, 3};
    return {};
  }
  const bool is_product = IsBareLayer(node, LayerType::kConvolution) ||
                          IsBareLayer(node, LayerType::kFullyConnected) ||
                          IsBareLayer(node, LayerType::kBatchMatMul);
  if (!is_product || !editor.GetTensor(node.inputs[1]).info.quantization.IsQuantized()) return {};
  return {1};
}

}  // namespace

/// Weights of products of bytes are int8, because the processor's instructions multiply uint8 with
/// int8.
void SignWeights(Graph& graph) {
  GraphEditor editor(graph);
  SignedConstants constants(editor);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) {
    if (editor[index].is_removed) continue;
    Node node = editor[index];
    const std::vector<std::size_t> weights = FindWeights(editor, node);
    const bool can_sign = std::all_of(weights.begin(), weights.end(), [&](std::size_t input) {
      return constants.CanSign(node.inputs[input]);
    });
    if (weights.empty() || !can_sign) continue;
    for (const std::size_t input : weights) node.inputs[input] = constants.Get(node.inputs[input]);
    editor.SetNode(index, std::move(node));
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
