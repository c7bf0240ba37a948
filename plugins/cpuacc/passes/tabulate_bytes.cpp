#include "cpu_layers/scales.hpp"
#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "memory/aligned_memory.hpp"
#include "passes/passes.hpp"
#include "passes/run_node.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

constexpr std::int64_t kNumBytes = 256;

bool Calculates(const Node& node) {
  return IsBareLayer(node, LayerType::kActivation) ||
         IsBareLayer(node, LayerType::kElementwiseBinary) ||
         IsBareLayer(node, LayerType::kElementwiseUnary) || IsBareLayer(node, LayerType::kPrelu);
}

bool WorksOnElements(const Node& node) {
  return Calculates(node) || IsBareLayer(node, LayerType::kDequantize) ||
         IsBareLayer(node, LayerType::kQuantize);
}

/// The layers that make a tensor of one of bytes.
class ByteFunction {
 public:
  /// `shape`: of both.
  ByteFunction(const GraphEditor& editor, const TensorShape& shape)
      : editor_(editor), shape_(shape) {}

  /// False when the tensor depends on anything else, or on another tensor of bytes than those
  /// before, or by too many layers.
  bool Add(TensorId tensor) {
    const GraphTensor& added = editor_.GetTensor(tensor);
    const bool is_number = added.info.shape.GetNumElements() == 1;
    if (added.IsConstant() || (!is_number && added.info.shape != shape_)) return is_number;
    if (!is_number && cpu_layers::IsByteWithOneScale(added.info)) return AddBytes(tensor);
    const NodeIndex maker = editor_.GetMaker(tensor);
    if (maker == kNoNode || !WorksOnElements(editor_[maker])) return false;
    if (std::find(nodes_.begin(), nodes_.end(), maker) != nodes_.end()) return true;
    if (num_layers_left_-- == 0) return false;
    for (const TensorId input : editor_[maker].inputs) {
      if (!Add(input)) return false;
    }
    nodes_.push_back(maker);
    return true;
  }

  TensorId GetBytes() const { return bytes_; }

  bool Calculates() const {
    return std::any_of(nodes_.begin(), nodes_.end(),
                       [&](NodeIndex node) { return cpuacc::Calculates(editor_[node]); });
  }

  /// Of each byte what `quantize`, the reader of what was added, makes.
  std::shared_ptr<void> MakeTable(const Node& quantize) {
    const TensorId bytes = Take(bytes_);
    const std::shared_ptr<void> all = AllocateAligned(kNumBytes);
    for (std::int64_t byte = 0; byte < kNumBytes; ++byte) {
      static_cast<std::uint8_t*>(all.get())[byte] = static_cast<std::uint8_t>(byte);
    }
    table_.tensors[bytes].content = all;
    for (const NodeIndex node : nodes_) TakeNode(editor_[node]);
    TakeNode(quantize);
    table_.outputs = {Take(quantize.outputs[0])};
    return RunConstantGraph(std::move(table_))[0];
  }

 private:
  /// A table of other bytes makes one of those.
  bool AddBytes(TensorId tensor) {
    const NodeIndex maker = editor_.GetMaker(tensor);
    if (maker != kNoNode && editor_[maker].kind == NodeKind::kByteTable) {
      if (!AddBytes(editor_[maker].inputs[0])) return false;
      if (std::find(nodes_.begin(), nodes_.end(), maker) == nodes_.end()) nodes_.push_back(maker);
      return true;
    }
    if (bytes_ == kNoTensor) bytes_ = tensor;
    return bytes_ == tensor;
  }

  TensorId Take(TensorId tensor) {
    const auto found = taken_.find(tensor);
    if (found != taken_.end()) return found->second;
    GraphTensor taken = editor_.GetTensor(tensor);
    if (taken.info.shape == shape_) taken.info.shape = MakeTableShape();
    table_.tensors.push_back(std::move(taken));
    const auto id = static_cast<TensorId>(table_.tensors.size() - 1);
    taken_.emplace(tensor, id);
    return id;
  }

  /// Of as many axes, as numbers may have.
  TensorShape MakeTableShape() const {
    TensorShape shape = shape_;
    for (std::uint32_t axis = 0; axis < shape.rank; ++axis) shape[axis] = 1;
    shape[shape.rank - 1] = kNumBytes;
    return shape;
  }

  void TakeNode(Node node) {
    for (TensorId& input : node.inputs) input = Take(input);
    for (TensorId& output : node.outputs) output = Take(output);
    table_.nodes.push_back(std::move(node));
  }

  const GraphEditor& editor_;
  const TensorShape shape_;
  int num_layers_left_ = 32;  // more than any function has that is spelled out
  TensorId bytes_ = kNoTensor;
  std::vector<NodeIndex> nodes_;  // in an order in which they can run
  Graph table_;
  std::unordered_map<TensorId, TensorId> taken_;  // from the graph's to the table's
};

void Tabulate(GraphEditor& editor, NodeIndex index) {
  const Node quantize = editor[index];
  const TensorInfo& info = editor.GetTensor(quantize.outputs[0]).info;
  if (!cpu_layers::IsByteWithOneScale(info) || info.shape.GetNumElements() < kNumBytes) return;
  ByteFunction function(editor, info.shape);
  if (!function.Add(quantize.inputs[0]) || function.GetBytes() == kNoTensor ||
      !function.Calculates()) {
    return;
  }
  const TensorId bytes = function.GetBytes();
  const TensorId table = editor.AddTensor(TensorInfo({kNumBytes}, DataType::kUInt8));
  editor.GetGraph().tensors[table].content = function.MakeTable(quantize);
  const NodeIndex last = editor.GetMaker(quantize.inputs[0]);
  Node node;
  node.kind = NodeKind::kByteTable;
  node.name = editor[last].name + "+" + quantize.name;
  node.inputs = {bytes, table};
  node.outputs = quantize.outputs;
  editor.SetNode(index, std::move(node));
}

}  // namespace

/// What layers on single elements make of one quantised tensor, and Quantize makes bytes again, is
/// a function of a byte: as such models write HardSwish, Swish and Gelu, with what they quantise in
/// between. All its 256 results are computed now.
void TabulateBytes(Graph& graph) {
  GraphEditor editor(graph);
  const NodeIndex count = editor.GetCount();
  for (NodeIndex index = 0; index < count; ++index) {
    if (IsBareLayer(editor[index], LayerType::kQuantize)) Tabulate(editor, index);
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
