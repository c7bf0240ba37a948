#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {
namespace {

// The names changed in operator set 20.
Interpolation ReadInterpolation(Node& node) {
  const std::string mode = node.GetAttributes().FindString("mode").value_or("bilinear");
  if (mode == "bilinear" || mode == "linear") return Interpolation::kLinear;
  if (mode == "nearest") return Interpolation::kNearest;
  if (mode == "bicubic" || mode == "cubic") return Interpolation::kCubic;
  node.GetAttributes().Refuse("mode", mode,
                              "bilinear or linear, nearest, and bicubic or cubic are supported");
}

GridPadding ReadPadding(Node& node) {
  const std::string padding = node.GetAttributes().FindString("padding_mode").value_or("zeros");
  if (padding == "zeros") return GridPadding::kZeros;
  if (padding == "border") return GridPadding::kBorder;
  if (padding == "reflection") return GridPadding::kReflection;
  node.GetAttributes().Refuse("padding_mode", padding,
                              "zeros, border and reflection are supported");
}

}  // namespace

void ConvertGridSample(Node& node) {
  GridSampleDescriptor descriptor;
  descriptor.interpolation = ReadInterpolation(node);
  descriptor.padding = ReadPadding(node);
  const bool is_aligned = node.GetAttributes().FindInt("align_corners").value_or(0) != 0;
  descriptor.align_corners = is_aligned ? 1 : 0;
  node.SetOutput(
      node.AddLayer<LayerType::kGridSample>(descriptor, {node.GetInput(0), node.GetInput(1)}));
}

}  // namespace backplane::onnx
