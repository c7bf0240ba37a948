#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

#include <limits>

namespace backplane::onnx {
namespace {

PoolingMethod ReadPoolingMethod(Node& node) {
  const std::string mode = node.GetAttributes().FindString("mode").value_or("avg");
  if (mode == "avg") return PoolingMethod::kAverage;
  if (mode == "max") return PoolingMethod::kMax;
  node.GetAttributes().Refuse("mode", mode, "avg and max are supported");
}

// Chosen by an attribute since operator set 16.
RoiCoordinates ReadCoordinates(Node& node) {
  const char* name = "coordinate_transformation_mode";
  const char* when_absent = node.GetOpset() < 16 ? "output_half_pixel" : "half_pixel";
  const std::string mode = node.GetAttributes().FindString(name).value_or(when_absent);
  if (mode == "half_pixel") return RoiCoordinates::kHalfPixel;
  if (mode == "output_half_pixel") return RoiCoordinates::kOutputHalfPixel;
  node.GetAttributes().Refuse(name, mode, "half_pixel and output_half_pixel are supported");
}

std::uint32_t ReadCount(Node& node, const char* attribute, std::int64_t when_absent) {
  const std::int64_t value = node.GetAttributes().FindInt(attribute).value_or(when_absent);
  if (value < 0 || value > std::numeric_limits<std::int32_t>::max()) {
    node.RefuseAsInvalid(std::string(attribute) + " is " + std::to_string(value) +
                         "; a number of 0 or more that fits 31 bits is expected");
  }
  return static_cast<std::uint32_t>(value);
}

}  // namespace

void ConvertRoiAlign(Node& node) {
  RoiAlignDescriptor descriptor;
  descriptor.method = ReadPoolingMethod(node);
  descriptor.coordinates = ReadCoordinates(node);
  descriptor.output_height = ReadCount(node, "output_height", 1);
  descriptor.output_width = ReadCount(node, "output_width", 1);
  descriptor.sampling_ratio = ReadCount(node, "sampling_ratio", 0);
  descriptor.spatial_scale = node.GetAttributes().FindFloat("spatial_scale").value_or(1.0F);
  node.SetOutput(node.AddLayer<LayerType::kRoiAlign>(
      descriptor, {node.GetInput(0), node.GetInput(1), node.GetInput(2)}));
}

}  // namespace backplane::onnx
