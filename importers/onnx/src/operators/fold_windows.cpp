#include "operators/operator_table.hpp"
#include "operators/window.hpp"

#include <algorithm>

namespace backplane::onnx {
namespace {

void CopyExtents(const Node& node, const std::vector<std::int64_t>& values, std::int64_t least,
                 const char* name, std::uint32_t* target) {
  for (const std::int64_t value : values) *target++ = CheckRange(node, value, least, name);
}

void CheckSpatialRank(const Node& node, const std::vector<std::int64_t>& extents,
                      const std::vector<std::int64_t>& kernel) {
  if (extents.size() != kernel.size()) {
    node.RefuseAsInvalid("image_shape has " + std::to_string(extents.size()) +
                         " axes and block_shape " + std::to_string(kernel.size()) +
                         "; the same number is expected");
  }
  if (extents.empty() || extents.size() > kMaxSpatialRank) {
    node.RefuseAsUnsupported("image_shape has " + std::to_string(extents.size()) + " axes; 1 to " +
                             std::to_string(kMaxSpatialRank) + " are supported");
  }
}

}  // namespace

void ConvertCol2Im(Node& node) {
  const std::vector<std::int64_t> extents = node.ReadConstantInts(1, "image_shape");
  const std::vector<std::int64_t> kernel = node.ReadConstantInts(2, "block_shape");
  CheckSpatialRank(node, extents, kernel);
  const std::size_t rank = extents.size();
  FoldWindowsDescriptor descriptor;
  descriptor.spatial_rank = static_cast<std::uint32_t>(rank);
  std::copy(extents.begin(), extents.end(), descriptor.extents);
  CopyExtents(node, kernel, 1, "block_shape", descriptor.kernel);
  CopyExtents(node, ReadList(node, "strides", rank, 1), 1, "strides", descriptor.strides);
  CopyExtents(node, ReadList(node, "dilations", rank, 1), 1, "dilations", descriptor.dilations);
  const std::vector<std::int64_t> pads = ReadList(node, "pads", 2 * rank, 0);
  const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(rank);
  CopyExtents(node, {pads.begin(), middle}, 0, "pads", descriptor.pads_begin);
  CopyExtents(node, {middle, pads.end()}, 0, "pads", descriptor.pads_end);
  node.SetOutput(node.AddLayer<LayerType::kFoldWindows>(descriptor, {node.GetInput(0)}));
}

}  // namespace backplane::onnx
