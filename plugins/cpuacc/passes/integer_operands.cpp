#include "passes/integer_operands.hpp"

#include "cpu_layers/scales.hpp"
#include "graph/matching.hpp"
#include "memory/aligned_memory.hpp"
#include "passes/make_layers.hpp"
#include "passes/run_node.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/elementwise_binary.hpp>
#include <backplane/api/descriptors/fully_connected.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::GetScale;

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

/// How many products each sum has.
std::int64_t CountTerms(const Graph& graph, const Node& product) {
  const TensorShape& input = graph.Input(product, 0).info.shape;
  const TensorShape& weights = graph.Input(product, 1).info.shape;
  if (product.type != LayerType::kConvolution) return input[input.rank - 1];
  return weights.GetNumElements() / std::max<std::int64_t>(1, weights[0]);
}

}  // namespace

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

bool IsProductOfRows(const Graph& graph, const Node& node) {
  if (IsBareLayer(node, LayerType::kBatchMatMul)) {
    if (node.GetDescriptor<BatchMatMulDescriptor>().transpose_a != 0) return false;
  } else if (!IsBareLayer(node, LayerType::kFullyConnected)) {
    return false;
  }
  const TensorShape& rows = graph.Input(node, 0).info.shape;
  const TensorShape& matrix = graph.Input(node, 1).info.shape;
  return rows.rank >= 2 && matrix.rank == 2 && rows.GetNumElements() > 0 &&
         matrix.GetNumElements() > 0;
}

bool IsMatrixTransposed(const Node& product) {
  return product.type == LayerType::kBatchMatMul
             ? product.GetDescriptor<BatchMatMulDescriptor>().transpose_b != 0
             : product.GetDescriptor<FullyConnectedDescriptor>().transpose_weights != 0;
}

void ReplaceProduct(GraphEditor& editor, NodeIndex index, Node made) {
  const Node product = editor[index];
  if (product.inputs.size() == 2) return editor.SetNode(index, std::move(made));
  ElementwiseBinaryDescriptor add;
  made.outputs = {editor.AddTensor(editor.GetTensor(product.outputs[0]).info)};
  editor.SetNode(index, MakeLayerNode(LayerType::kElementwiseBinary, add, product.name,
                                      {made.outputs[0], product.inputs[2]}, product.outputs[0]));
  editor.AddNode(std::move(made));
}

std::int64_t GetRoomForBias(const Graph& graph, const Node& product) {
  constexpr std::int64_t kMostProduct = 255 * 255;  // without zero points
  for (const float scale : graph.Input(product, 1).info.quantization.scales) {
    if (!std::isnormal(GetScale(graph.Input(product, 0).info) * scale)) return -1;
  }
  return std::numeric_limits<std::int32_t>::max() - CountTerms(graph, product) * kMostProduct;
}

TensorId AddIntegerBias(GraphEditor& editor, TensorId real, const Node& product) {
  const ConstantReals reals(editor, real);
  const Graph& graph = editor.GetGraph();
  const TensorShape& shape = reals.GetShape();
  if (!reals.AreKnown() || shape.rank == 0) return kNoTensor;
  const std::int64_t count = shape[shape.rank - 1];
  const QuantizationInfo& weights = graph.Input(product, 1).info.quantization;
  if (shape.GetNumElements() != count ||
      (weights.IsPerAxis() && weights.scales.size() != static_cast<std::size_t>(count))) {
    return kNoTensor;
  }
  TensorInfo info({count}, DataType::kInt32);
  for (const float scale : weights.scales) {
    info.quantization.scales.push_back(GetScale(graph.Input(product, 0).info) * scale);
    info.quantization.zero_points.push_back(0);
  }
  const double step = static_cast<double>(GetScale(graph.Output(product).info));
  const auto most = static_cast<double>(GetRoomForBias(graph, product));
  const std::shared_ptr<void> content = AllocateAligned(info.GetSizeBytes());
  for (std::int64_t i = 0; i < count; ++i) {
    const double scale = static_cast<double>(GetScale(info, static_cast<std::size_t>(i)));
    const double exact = reals.Get(i) / scale;
    const double integer = std::nearbyint(exact);
    if (!(std::fabs(integer) <= most) || std::fabs(exact - integer) * scale > step / 2) {
      return kNoTensor;
    }
    static_cast<std::int32_t*>(content.get())[i] = static_cast<std::int32_t>(integer);
  }
  const TensorId bias = editor.AddTensor(info);
  editor.GetGraph().tensors[bias].content = content;
  return bias;
}

}  // namespace cpuacc
}  // namespace backplane
