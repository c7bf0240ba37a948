#include "compile/worthwhile_threads.hpp"

#include "attention/attention_descriptor.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

/// Threads meet twice, which takes a microsecond or two: so many multiplications are done in some
/// microseconds, so many bytes in ten or twenty.
constexpr double kLeastProducts = 1 << 18;
constexpr std::uint64_t kLeastBytes = 1 << 19;
/// How many times as long the same bytes take where the best are selected.
constexpr std::uint64_t kSelectionWeight = 4;

bool IsProduct(LayerType type) {
  switch (type) {
    case LayerType::kConvolution:
    case LayerType::kIntegerConvolution:
    case LayerType::kTransposedConvolution:
    case LayerType::kFullyConnected:
    case LayerType::kBatchMatMul:
    case LayerType::kIntegerMatMul:
      return true;
    default:
      return false;
  }
}

double CountProductsOfAttention(const Node& node) {
  const auto attention = node.GetDescriptor<AttentionDescriptor>();
  return static_cast<double>(CountBatches(attention)) * static_cast<double>(attention.num_queries) *
         static_cast<double>(attention.num_keys) *
         static_cast<double>(attention.depth + attention.width);
}

double CountElements(const TensorShape& shape) {
  return static_cast<double>(shape.GetNumElements());
}

/// The multiplications of each element of the output, or of the input where convolutions are
/// transposed: all weights but those of other outputs; a row of a matrix.
double CountProducts(const Graph& graph, const Node& node) {
  const TensorShape& input = graph.Input(node, 0).info.shape;
  const TensorShape& weights = graph.Input(node, 1).info.shape;
  const TensorShape& output = graph.Output(node).info.shape;
  if (weights.rank == 0 || input.rank == 0 || output.rank == 0) return 0;
  const double outermost = static_cast<double>(std::max<std::int64_t>(weights[0], 1));
  switch (node.type) {
    case LayerType::kConvolution:
    case LayerType::kIntegerConvolution:
      return CountElements(output) * CountElements(weights) / outermost;
    case LayerType::kTransposedConvolution:
      return CountElements(input) * CountElements(weights) / outermost;
    case LayerType::kFullyConnected:
      return CountElements(weights) * static_cast<double>(input[0]);
    default:
      return CountElements(output) * static_cast<double>(input[input.rank - 1]);
  }
}

std::uint64_t CountBytes(const Graph& graph, const Node& node) {
  std::uint64_t size_bytes = 0;
  for (const TensorId input : node.inputs) size_bytes += graph.tensors[input].info.GetSizeBytes();
  for (const TensorId output : node.outputs) {
    size_bytes += graph.tensors[output].info.GetSizeBytes();
  }
  return size_bytes;
}

}  // namespace

int ChooseThreads(const Graph& graph, const Node& node, int num_threads) {
  if (node.kind == NodeKind::kLayer && IsProduct(node.type)) {
    const bool are_few = CountProducts(graph, node) < kLeastProducts;
    return are_few ? ChooseThreads(CountBytes(graph, node), num_threads) : num_threads;
  }
  if (node.kind == NodeKind::kAttention) {
    return CountProductsOfAttention(node) < kLeastProducts ? 1 : num_threads;
  }
  const bool selects = node.kind == NodeKind::kLayer && node.type == LayerType::kTopK;
  return ChooseThreads(CountBytes(graph, node) * (selects ? kSelectionWeight : 1), num_threads);
}

int ChooseThreads(std::uint64_t size_bytes, int num_threads) {
  return size_bytes < kLeastBytes ? 1 : num_threads;
}

}  // namespace cpuacc
}  // namespace backplane
