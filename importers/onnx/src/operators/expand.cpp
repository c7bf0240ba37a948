#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

#include <algorithm>

namespace backplane::onnx {
namespace {

std::int64_t Broadcast(const Node& node, std::int64_t extent, std::int64_t wanted) {
  if (wanted == 1) return extent;
  if (extent == 1 || extent == wanted) return wanted;
  node.RefuseAsInvalid("its input is " + ToText(node.GetInputShape(0)) + "; extent " +
                       std::to_string(extent) + " cannot be expanded to " + std::to_string(wanted));
}

}  // namespace

// Both shapes broadcast, so that the input may be the larger one.
void ConvertExpand(Node& node) {
  const TensorShape& input = node.GetInputShape(0);
  const std::vector<std::int64_t> wanted = node.ReadConstantInts(1, "shape");
  if (wanted.size() > kMaxRank) {
    node.RefuseAsUnsupported("its shape has " + std::to_string(wanted.size()) +
                             " dimensions; at most " + std::to_string(kMaxRank) + " are supported");
  }
  const auto count = static_cast<std::uint32_t>(wanted.size());
  ExpandDescriptor descriptor;
  descriptor.rank = std::max(input.rank, count);
  for (std::uint32_t from_end = 1; from_end <= descriptor.rank; ++from_end) {
    const std::int64_t extent = from_end <= input.rank ? input[input.rank - from_end] : 1;
    descriptor.dims[descriptor.rank - from_end] =
        Broadcast(node, extent, from_end <= count ? wanted[count - from_end] : 1);
  }
  node.SetOutput(node.AddLayer<LayerType::kExpand>(descriptor, {node.GetMovedInput(0)}));
}

}  // namespace backplane::onnx
