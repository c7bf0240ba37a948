#include "cpu_layers/scales.hpp"
#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/integer_operands.hpp"
#include "passes/make_layers.hpp"
#include "passes/passes.hpp"
#include "products/packed_panels.hpp"
#include "quantised/byte_weights.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>

#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// The constant bytes that were dequantised to a matrix, perhaps in another shape; kNoTensor: there
/// are none.
TensorId FindBytes(GraphEditor& editor, TensorId matrix) {
  const TensorId bytes = FindInteger(editor, SkipReshapes(editor, matrix));
  if (bytes == kNoTensor) return kNoTensor;
  const GraphTensor& tensor = editor.GetTensor(bytes);
  return tensor.IsConstant() && cpu_layers::IsQuantisedByte(tensor.info) ? bytes : kNoTensor;
}

bool HasLargeMatrix(const Graph& graph, const Node& product) {
  return graph.Input(product, 1).info.shape.GetNumElements() >= kLargeMatrix;
}

void KeepBytes(GraphEditor& editor, NodeIndex index) {
  const Node product = editor[index];
  const Graph& graph = editor.GetGraph();
  if (!IsProductOfRows(graph, product) || !HasLargeMatrix(graph, product) ||
      !IsFloat32(graph.Input(product, 0).info) || graph.Input(product, 0).IsConstant()) {
    return;
  }
  const TensorId bytes = FindBytes(editor, product.inputs[1]);
  if (bytes == kNoTensor) return;
  const TensorInfo output = editor.GetTensor(product.outputs[0]).info;
  const TensorShape& rows = graph.Input(product, 0).info.shape;
  BatchMatMulDescriptor descriptor;
  if (product.type == LayerType::kBatchMatMul) {
    descriptor.rounded_block = product.GetDescriptor<BatchMatMulDescriptor>().rounded_block;
  }
  descriptor.transpose_b = IsMatrixTransposed(product) ? 1 : 0;
  const ByteMatrixShape shape =
      FindByteMatrix(editor.GetTensor(bytes).info, rows[rows.rank - 1],
                     output.shape[output.shape.rank - 1], descriptor.transpose_b == 1);
  if (shape.inner == 0) return;
  Node made = MakeLayerNode(LayerType::kBatchMatMul, descriptor, product.name,
                            {product.inputs[0], bytes}, product.outputs[0]);
  made.kind = NodeKind::kByteWeights;
  ReplaceProduct(editor, index, std::move(made));
}

}  // namespace

/// Where only the weights of a product are quantised, it reads the bytes: the reals that they stand
/// for take four or eight times as long to read, and as much memory.
void KeepByteWeights(Graph& graph) {
  GraphEditor editor(graph);
  const NodeIndex count = editor.GetCount();
  for (NodeIndex index = 0; index < count; ++index) {
    if (!editor[index].is_removed) KeepBytes(editor, index);
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
