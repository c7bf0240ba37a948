#include "nodes/node.hpp"
#include "operators/element_layers.hpp"
#include "operators/operator_table.hpp"

#include <cstdint>
#include <string>
#include <vector>

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

GridSampleDescriptor ReadGridSample(Node& node) {
  GridSampleDescriptor descriptor;
  descriptor.interpolation = ReadInterpolation(node);
  descriptor.padding = ReadPadding(node);
  descriptor.align_corners = node.GetAttributes().GetFlag("align_corners") ? 1 : 0;
  return descriptor;
}

// A cubic reads two elements on either side of a place. With so many more at each border as copies
// of it, what it reads is the same wherever a place outside lies.
constexpr std::int64_t kMoreAtBorder = 3;

OutputSlot AddBorders(Node& node) {
  const std::uint32_t rank = node.GetInputShape(0).rank;
  PadDescriptor descriptor;
  descriptor.mode = PaddingMode::kEdge;
  for (std::uint32_t axis = 2; axis < rank; ++axis) {
    descriptor.pads_begin[axis] = descriptor.pads_end[axis] = kMoreAtBorder;
  }
  return node.AddLayer<LayerType::kPad>(descriptor, {node.GetInput(0)}, "/borders");
}

// The places of the grid in the input with borders.
OutputSlot AddGridWithBorders(Node& node, bool is_aligned) {
  const TensorShape& shape = node.GetInputShape(0);
  std::vector<float> factors;
  for (std::uint32_t axis = shape.rank; axis-- > 2;) {
    const auto length = static_cast<float>(is_aligned ? shape[axis] - 1 : shape[axis]);
    factors.push_back(length / (length + static_cast<float>(2 * kMoreAtBorder)));
  }
  const TensorInfo info({static_cast<std::int64_t>(factors.size())}, DataType::kFloat32);
  const OutputSlot constant = node.AddConstant(info, factors.data(), "/grid/factors");
  return AddBinary(node, BinaryOperation::kMul, node.GetInput(1),
                   AddCast(node, constant, node.GetInputInfo(1).data_type, "/grid/factors/type"),
                   "/grid");
}

}  // namespace

void ConvertGridSample(Node& node) {
  node.SetOutput(node.AddLayer<LayerType::kGridSample>(ReadGridSample(node),
                                                       {node.GetInput(0), node.GetInput(1)}));
}

// It was one of onnxruntime's own first. At a border, a cubic takes places outside as they are, and
// only the elements around them from the border.
void ConvertMicrosoftGridSample(Node& node) {
  const GridSampleDescriptor descriptor = ReadGridSample(node);
  std::vector<OutputSlot> inputs = {node.GetInput(0), node.GetInput(1)};
  if (descriptor.padding == GridPadding::kBorder &&
      descriptor.interpolation == Interpolation::kCubic) {
    inputs = {AddBorders(node), AddGridWithBorders(node, descriptor.align_corners == 1)};
  }
  node.SetOutput(node.AddLayer<LayerType::kGridSample>(descriptor, inputs));
}

}  // namespace backplane::onnx
