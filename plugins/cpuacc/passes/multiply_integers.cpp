#include "cpu_layers/scales.hpp"
#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/integer_operands.hpp"
#include "passes/make_layers.hpp"
#include "passes/passes.hpp"
#include "quantised/exact_sums.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>

#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// Bytes with one scale for all rows, and constant ones with one for all columns or for each.
bool CanMultiply(const Graph& graph, const Node& made, bool is_transposed) {
  const TensorInfo& rows = graph.Input(made, 0).info;
  const GraphTensor& matrix = graph.Input(made, 1);
  const QuantizationInfo& quantization = matrix.info.quantization;
  return cpu_layers::IsByteWithOneScale(rows) && cpu_layers::IsQuantisedByte(matrix.info) &&
         matrix.IsConstant() &&
         (!quantization.IsPerAxis() || quantization.axis == (is_transposed ? 0 : 1)) &&
         GetRoomForBias(graph, made) >= 0;
}

void Multiply(GraphEditor& editor, NodeIndex index) {
  const Node product = editor[index];
  if (!IsProductOfRows(editor.GetGraph(), product)) return;
  const bool is_transposed = IsMatrixTransposed(product);
  BatchMatMulDescriptor descriptor;
  descriptor.transpose_b = is_transposed ? 1 : 0;
  Node made = MakeLayerNode(
      LayerType::kBatchMatMul, descriptor, product.name,
      {FindInteger(editor, product.inputs[0]), FindInteger(editor, product.inputs[1])},
      product.outputs[0]);
  if (made.inputs[0] == kNoTensor || made.inputs[1] == kNoTensor ||
      !CanMultiply(editor.GetGraph(), made, is_transposed)) {
    return;
  }
  ReplaceProduct(editor, index, std::move(made));
}

/// Two tensors of as many matrices, as attention multiplies them, that are large enough for the
/// kernel to gain more than it takes to begin.
bool HasManyProducts(const Graph& graph, const Node& node) {
  constexpr std::int64_t kFewProducts = std::int64_t{1} << 18;
  if (!IsBareLayer(node, LayerType::kBatchMatMul) ||
      node.GetDescriptor<BatchMatMulDescriptor>().transpose_a != 0) {
    return false;
  }
  const TensorShape& a = graph.Input(node, 0).info.shape;
  const TensorShape& b = graph.Input(node, 1).info.shape;
  if (a.rank != b.rank || a.rank < 2) return false;
  for (std::uint32_t axis = 0; axis + 2 < a.rank; ++axis) {
    if (a[axis] != b[axis]) return false;
  }
  return graph.Output(node).info.shape.GetNumElements() * a[a.rank - 1] > kFewProducts;
}

/// Whether the kernel sums up what integers do; the reals that they stand for may be closer.
bool IsExact(const Graph& graph, const Node& product) {
  const TensorInfo& a = graph.Input(product, 0).info;
  const TensorInfo& b = graph.Input(product, 1).info;
  const bool have_none = cpu_layers::GetZeroPoint(a) == 0 && cpu_layers::GetZeroPoint(b) == 0 &&
                         b.data_type == DataType::kInt8;
  return have_none || AreZeroPointsExact(a.shape[a.shape.rank - 1]);
}

/// Both are known in the run only, and have one scale.
void MultiplyActivations(GraphEditor& editor, NodeIndex index) {
  Node made = editor[index];
  if (!HasManyProducts(editor.GetGraph(), made)) return;
  for (TensorId& input : made.inputs) {
    input = FindInteger(editor, input);
    if (input == kNoTensor || editor.GetTensor(input).IsConstant() ||
        !cpu_layers::IsByteWithOneScale(editor.GetTensor(input).info)) {
      return;
    }
  }
  const Graph& graph = editor.GetGraph();
  if (GetRoomForBias(graph, made) >= 0 && IsExact(graph, made)) {
    editor.SetNode(index, std::move(made));
  }
}

}  // namespace

/// Products of rows that were dequantised with constant weights that were, too, sum up integers,
/// which then are scaled to reals; a bias is added behind. So do products of two tensors that are
/// not constant, where the processor has instructions for them. What is not quantised again as a
/// whole (ComputeQuantised) comes here. No layer of the Backend API is like that: only the kernels
/// of products know bytes that become float32.
void MultiplyIntegers(Graph& graph) {
  GraphEditor editor(graph);
  const NodeIndex count = editor.GetCount();
  for (NodeIndex index = 0; index < count; ++index) {
    if (editor[index].is_removed) continue;
    Multiply(editor, index);
    if (HasExactByteProducts()) MultiplyActivations(editor, index);
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
