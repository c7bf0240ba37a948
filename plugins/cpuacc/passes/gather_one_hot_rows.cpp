#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/make_layers.hpp"
#include "passes/passes.hpp"
#include "passes/run_node.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/cast.hpp>
#include <backplane/api/descriptors/comparison.hpp>
#include <backplane/api/descriptors/gather.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

/// Beyond so many rows not every number of one would be a float32.
constexpr std::int64_t kMostRows = 1 << 20;

template <typename Index>
bool CountsUp(const GraphTensor& tensor) {
  const auto* values = static_cast<const Index*>(tensor.content.get());
  for (std::int64_t i = 0; i < tensor.info.shape.GetNumElements(); ++i) {
    if (values[i] != static_cast<Index>(i)) return false;
  }
  return true;
}

/// Whether a constant is 0, 1, 2 ... along its last axis, of so many elements.
bool IsCount(const GraphTensor& tensor, std::int64_t count) {
  const TensorShape& shape = tensor.info.shape;
  if (!tensor.IsConstant() || shape.rank == 0 || shape[shape.rank - 1] != count ||
      shape.GetNumElements() != count) {
    return false;
  }
  if (tensor.info.data_type == DataType::kInt32) return CountsUp<std::int32_t>(tensor);
  return tensor.info.data_type == DataType::kInt64 && CountsUp<std::int64_t>(tensor);
}

/// What is compared with all numbers of rows, each element by itself; kNoTensor when the tensor is
/// made otherwise.
TensorId FindIndices(const GraphEditor& editor, TensorId tensor) {
  const Node* cast = FindLayer(editor, tensor, LayerType::kCast);
  if (cast == nullptr) return kNoTensor;
  const Node* equal = FindLayer(editor, cast->inputs[0], LayerType::kComparison);
  if (equal == nullptr ||
      equal->GetDescriptor<ComparisonDescriptor>().operation != ComparisonOperation::kEqual) {
    return kNoTensor;
  }
  TensorShape shape = editor.GetTensor(tensor).info.shape;
  const std::uint32_t last = shape.rank - 1;
  for (const bool is_first : {false, true}) {
    const TensorId indices = equal->inputs[is_first ? 0 : 1];
    TensorShape expected = shape;
    expected[last] = 1;
    if (editor.GetTensor(indices).info.shape == expected &&
        IsCount(editor.GetTensor(equal->inputs[is_first ? 1 : 0]), shape[last])) {
      return indices;
    }
  }
  return kNoTensor;
}

/// Whether a chain does the same to all rows, with what is known.
bool TreatsRowsAlike(const GraphEditor& editor, const Node& node) {
  const TensorShape& output = editor.GetTensor(node.outputs[0]).info.shape;
  return std::all_of(node.inputs.begin() + 2, node.inputs.end(), [&](TensorId input) {
    const GraphTensor& operand = editor.GetTensor(input);
    const std::int64_t count = operand.info.shape.GetNumElements();
    const std::uint32_t rank = operand.info.shape.rank;
    return operand.IsConstant() && (count == 1 || (rank > 0 && count == output[output.rank - 1] &&
                                                   operand.info.shape[rank - 1] == count));
  });
}

TensorId AddTable(GraphEditor& editor, const Node& product) {
  const GraphTensor& weights = editor.GetTensor(product.inputs[1]);
  const TensorShape& shape = weights.info.shape;
  const std::int64_t columns = shape[shape.rank - 1];
  const float* values = GetFloats(weights);
  std::vector<float> rows(values, values + shape.GetNumElements());
  rows.resize(rows.size() + static_cast<std::size_t>(columns), 0.0F);
  const TensorShape table = {shape[shape.rank - 2] + 1, columns};
  return AddConstant(editor.GetGraph(), table, rows);
}

/// The rows of the weights, then one of zeros, with the chain of the product applied to all.
TensorId MakeTable(GraphEditor& editor, const Node& product) {
  const TensorId rows = AddTable(editor, product);
  if (product.chain.empty()) return rows;
  const TensorId table = editor.AddTensor(editor.GetTensor(rows).info);
  Node chain;
  chain.kind = NodeKind::kElements;
  chain.name = product.name;
  chain.chain = product.chain;
  chain.inputs = {rows};
  chain.outputs = {table};
  for (ElementOp& op : chain.chain) {
    if (!HasOperand(op)) continue;
    const GraphTensor& operand = editor.GetTensor(product.inputs[op.operand]);
    const std::int64_t count = operand.info.shape.GetNumElements();
    const float* values = GetFloats(operand);
    op.operand = static_cast<std::uint32_t>(chain.inputs.size());
    chain.inputs.push_back(AddConstant(editor.GetGraph(), TensorShape{1, count},
                                       std::vector<float>(values, values + count)));
  }
  editor.GetGraph().tensors[table].content = RunNode(editor.GetGraph(), chain)[0];
  return table;
}

/// The numbers of rows, where those of no row are that of the row of zeros. In float32 large
/// numbers are not exact, but remain large.
TensorId AddRowNumbers(GraphEditor& editor, const Node& product, TensorId indices,
                       std::int64_t num_rows) {
  const TensorShape shape = editor.GetTensor(indices).info.shape;
  const TensorId floats = editor.AddTensor(TensorInfo(shape, DataType::kFloat32));
  const TensorId numbers = editor.AddTensor(TensorInfo(shape, DataType::kInt32));
  CastDescriptor to_float;
  Node cast = MakeLayerNode(LayerType::kCast, to_float, product.name, {indices}, floats);
  const TensorId lowest = AddConstant(editor.GetGraph(), TensorShape{1}, {-1.0F});
  const TensorId highest =
      AddConstant(editor.GetGraph(), TensorShape{1}, {static_cast<float>(num_rows)});
  cast.inputs.insert(cast.inputs.end(), {lowest, highest});
  cast.chain = {MakeBinary(BinaryOperation::kMaximum, 1, false),
                MakeBinary(BinaryOperation::kMinimum, 2, false)};
  editor.AddNode(std::move(cast));
  CastDescriptor to_integer;
  to_integer.to = DataType::kInt32;
  editor.AddNode(MakeLayerNode(LayerType::kCast, to_integer, product.name, {floats}, numbers));
  return numbers;
}

/// Zeros times anything else would not be zeros.
bool AreFinite(const GraphTensor& weights) {
  const float* values = GetFloats(weights);
  return std::all_of(values, values + weights.info.shape.GetNumElements(),
                     [](float value) { return std::isfinite(value); });
}

bool IsProductWithRows(const GraphEditor& editor, const Node& node) {
  if (!IsLayer(node, LayerType::kBatchMatMul) || CountLayerInputs(node) != 2) return false;
  const auto descriptor = node.GetDescriptor<BatchMatMulDescriptor>();
  const GraphTensor& weights = editor.GetTensor(node.inputs[1]);
  const TensorShape& shape = weights.info.shape;
  const TensorShape& output = editor.GetTensor(node.outputs[0]).info.shape;
  return descriptor.transpose_a == 0 && descriptor.transpose_b == 0 && weights.IsConstant() &&
         IsFloat32(weights.info) && shape.rank >= 2 && output.rank >= 2 &&
         output.rank == editor.GetTensor(node.inputs[0]).info.shape.rank &&
         shape.GetNumElements() == shape[shape.rank - 2] * shape[shape.rank - 1] &&
         shape[shape.rank - 2] < kMostRows;
}

void Gather(GraphEditor& editor, NodeIndex index) {
  const Node product = editor[index];
  if (!IsProductWithRows(editor, product)) return;
  const TensorId indices = FindIndices(editor, product.inputs[0]);
  if (indices == kNoTensor || !TreatsRowsAlike(editor, product)) return;
  // Last, because all weights are read for it.
  if (!AreFinite(editor.GetTensor(product.inputs[1]))) return;
  const TensorShape& weights = editor.GetTensor(product.inputs[1]).info.shape;
  const std::int64_t num_rows = weights[weights.rank - 2];
  const TensorId table = MakeTable(editor, product);
  const TensorId numbers = AddRowNumbers(editor, product, indices, num_rows);
  // The last axis of the indices, which is 1, gives way to the columns.
  TensorInfo flat = editor.GetTensor(numbers).info;
  flat.shape.rank -= 1;
  const TensorId rows = editor.AddTensor(flat);
  editor.AddNode(MakeReshapeNode(editor.GetGraph(), product.name, numbers, rows));
  editor.SetNode(index, MakeLayerNode(LayerType::kGather, GatherDescriptor(), product.name,
                                      {table, rows}, product.outputs[0]));
}

}  // namespace

/// A product of rows that are 1 at one place and 0 elsewhere with constant weights copies rows of
/// the weights, to which what is done afterwards can be done once.
void GatherOneHotRows(Graph& graph) {
  GraphEditor editor(graph);
  const NodeIndex count = editor.GetCount();
  for (NodeIndex index = 0; index < count; ++index) Gather(editor, index);
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
