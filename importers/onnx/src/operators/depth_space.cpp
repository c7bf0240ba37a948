#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "operators/stated_attributes.hpp"

#include <limits>

namespace backplane::onnx {
namespace {

std::uint32_t ReadBlockSize(Node& node) {
  const std::int64_t size = ReadNeededInt(node, "blocksize");
  if (size < 1 || size > std::numeric_limits<std::int32_t>::max()) {
    node.RefuseAsInvalid("its blocksize is " + std::to_string(size) + "; 1 or more is expected");
  }
  return static_cast<std::uint32_t>(size);
}

DepthOrder ReadOrder(Node& node) {
  const std::string mode = node.GetAttributes().FindString("mode").value_or("DCR");
  if (mode == "DCR") return DepthOrder::kBlockFirst;
  if (mode == "CRD") return DepthOrder::kChannelFirst;
  node.GetAttributes().Refuse("mode", mode, "DCR and CRD");
}

}  // namespace

void ConvertDepthToSpace(Node& node) {
  DepthToSpaceDescriptor descriptor;
  descriptor.block_size = ReadBlockSize(node);
  descriptor.order = ReadOrder(node);
  node.SetOutput(node.AddLayer<LayerType::kDepthToSpace>(descriptor, {node.GetMovedInput(0)}));
}

void ConvertSpaceToDepth(Node& node) {
  SpaceToDepthDescriptor descriptor;
  descriptor.block_size = ReadBlockSize(node);
  node.SetOutput(node.AddLayer<LayerType::kSpaceToDepth>(descriptor, {node.GetMovedInput(0)}));
}

}  // namespace backplane::onnx
