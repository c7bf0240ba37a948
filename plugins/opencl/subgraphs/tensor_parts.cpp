#include "subgraphs/tensor_parts.hpp"

#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/dense_steps.hpp"

#include <backplane/api/descriptors/concat.hpp>
#include <backplane/api/descriptors/slice.hpp>
#include <backplane/api/descriptors/split.hpp>

namespace backplane {
namespace opencl {
namespace {

std::uint64_t ToBytes(const TensorInfo& info, std::int64_t num_elements) {
  return static_cast<std::uint64_t>(num_elements) * GetDataTypeSizeBytes(info.data_type);
}

/// The tensors lie one behind the other along an axis of the whole.
std::vector<TensorPart> LineUp(const Graph& graph, const std::vector<TensorNumber>& tensors,
                               TensorNumber whole, std::uint32_t axis, bool are_outputs) {
  std::vector<TensorPart> parts;
  if (cpu_layers::MakeAxisSpan(graph.tensors[whole].info->shape, axis).outer != 1) return parts;
  std::uint64_t begin = 0;
  for (const TensorNumber tensor : tensors) {
    parts.push_back({tensor, whole, begin, are_outputs});
    begin += graph.tensors[tensor].info->GetSizeBytes();
  }
  return parts;
}

/// One that takes elements that follow each other.
std::vector<TensorPart> FindSlice(const Graph& graph, const GraphLayer& layer,
                                  const SliceDescriptor& descriptor) {
  const TensorInfo& input = *graph.tensors[layer.inputs[0]].info;
  const TensorShape& output = graph.tensors[layer.outputs[0]].info->shape;
  if (output.GetNumElements() == 0) return {};
  const cpu_layers::DenseSteps steps(input.shape);
  std::int64_t begin = 0;
  bool is_row = true;  // of whole axes so far, from the innermost
  for (std::uint32_t axis = output.rank; axis-- > 0;) {
    if (!is_row && output[axis] != 1) return {};
    if (output[axis] > 1 && descriptor.steps[axis] != 1) return {};
    is_row = is_row && output[axis] == input.shape[axis];
    begin += descriptor.starts[axis] * steps[axis];
  }
  return {{layer.outputs[0], layer.inputs[0], ToBytes(input, begin), true}};
}

}  // namespace

std::vector<TensorPart> FindParts(const Graph& graph, LayerNumber number) {
  const GraphLayer& in_graph = graph.layers[number];
  const Layer layer = graph.GetLayer(number);
  switch (layer.type) {
    case LayerType::kConcat:
      return LineUp(graph, in_graph.inputs, in_graph.outputs[0],
                    layer.GetDescriptor<ConcatDescriptor>().axis, false);
    case LayerType::kSplit:
      return LineUp(graph, in_graph.outputs, in_graph.inputs[0],
                    layer.GetDescriptor<SplitDescriptor>().axis, true);
    case LayerType::kSlice:
      return FindSlice(graph, in_graph, layer.GetDescriptor<SliceDescriptor>());
    default:
      return {};
  }
}

}  // namespace opencl
}  // namespace backplane
