#include "operators/calculated_constant.hpp"
#include "operators/conv.hpp"
#include "operators/element_layers.hpp"
#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/required_shape.hpp"
#include "operators/window.hpp"
#include "tensors/shape.hpp"

#include <vector>

namespace backplane::onnx {
namespace {

/// A convolution whose windows have an offset for each of their elements. Places are elements of
/// the output.
struct DeformedConvolution {
  Window window;
  std::int64_t batch = 0;
  std::int64_t channels = 0;
  std::int64_t extents[2] = {};  // of the input
  std::int64_t output_channels = 0;
  std::int64_t output_extents[2] = {};
  std::int64_t groups = 1;
  std::int64_t offset_groups = 1;  // of channels that have offsets, and masks, in common

  std::int64_t GetNumPlaces() const { return output_extents[0] * output_extents[1]; }
  std::int64_t GetWindowSize() const {
    return std::int64_t{window.kernel[0]} * std::int64_t{window.kernel[1]};
  }
};

void SetOutputExtents(const Node& node, DeformedConvolution& conv) {
  for (std::uint32_t axis = 0; axis < 2; ++axis) {
    const Window& window = conv.window;
    const std::int64_t reach = (std::int64_t{window.kernel[axis]} - 1) * window.dilations[axis] + 1;
    const std::int64_t room =
        conv.extents[axis] + window.pads_begin[axis] + window.pads_end[axis] - reach;
    if (room < 0) {
      node.RefuseAsInvalid("its windows are " + std::to_string(reach) +
                           " long along spatial axis " + std::to_string(axis) +
                           ", and its input with padding only " + std::to_string(room + reach));
    }
    conv.output_extents[axis] = room / window.strides[axis] + 1;
  }
}

void CheckGroups(const Node& node, const DeformedConvolution& conv) {
  const TensorShape& weights = node.GetInputShape(1);
  std::int64_t offsets = 0;
  if (conv.channels > 0 && conv.channels % conv.groups == 0 &&
      conv.output_channels % conv.groups == 0 && conv.channels % conv.offset_groups == 0 &&
      weights[1] == conv.channels / conv.groups &&
      !__builtin_mul_overflow(2 * conv.offset_groups, conv.GetWindowSize(), &offsets)) {
    return;
  }
  node.RefuseAsInvalid("its input is " + ToText(node.GetInputShape(0)) + " and its weights " +
                       ToText(weights) + ", with group " + std::to_string(conv.groups) +
                       " and offset_group " + std::to_string(conv.offset_groups) +
                       "; channels that both divide, and weights [M, C / group, height, width], "
                       "are expected");
}

DeformedConvolution ReadDeformedConvolution(Node& node) {
  const TensorShape& input = node.GetInputShape(0);
  if (input.rank != 4) {
    node.RefuseAsUnsupported("its input is " + ToText(input) + "; [N, C, H, W] is supported");
  }
  DeformedConvolution conv;
  conv.window = ReadWindow(node, ReadConvKernel(node));
  conv.batch = input[0];
  conv.channels = input[1];
  std::copy_n(input.dims + 2, 2, conv.extents);
  conv.output_channels = node.GetInputShape(1)[0];
  conv.groups = ReadGroups(node);
  conv.offset_groups =
      CheckRange(node, node.GetAttributes().FindInt("offset_group").value_or(1), 1, "offset_group");
  SetOutputExtents(node, conv);
  CheckGroups(node, conv);
  const std::int64_t masks = conv.offset_groups * conv.GetWindowSize();
  RequireShape(node, 2, {conv.batch, 2 * masks, conv.output_extents[0], conv.output_extents[1]});
  if (node.HasInput(3)) RequireShape(node, 3, {conv.output_channels});
  if (node.HasInput(4)) {
    RequireShape(node, 4, {conv.batch, masks, conv.output_extents[0], conv.output_extents[1]});
  }
  return conv;
}

// Where element `index` of the window lies along an axis for a place, without its offset, as
// GridSample counts: from -1 to 1 between the outer edges of the input.
double GetCoordinate(const DeformedConvolution& conv, std::uint32_t axis, std::int64_t index,
                     std::int64_t place) {
  const Window& window = conv.window;
  const std::int64_t at = place * window.strides[axis] - std::int64_t{window.pads_begin[axis]} +
                          index * window.dilations[axis];
  return static_cast<double>(2 * at + 1) / static_cast<double>(conv.extents[axis]) - 1;
}

// Shape [elements of the window, places, 2], the coordinate along the inner axis first.
OutputSlot AddWindows(Node& node, const DeformedConvolution& conv, DataType type) {
  if (!TakeMemoryForNumbers(
          node, {conv.GetWindowSize(), conv.output_extents[0], conv.output_extents[1], 2})) {
    node.RefuseAsUnsupported("its windows have more elements than " + GetMostMemory() +
                             " hold places of, which is the most that is taken for them");
  }
  std::vector<double> coordinates;
  for (std::int64_t element = 0; element < conv.GetWindowSize(); ++element) {
    for (std::int64_t place = 0; place < conv.GetNumPlaces(); ++place) {
      const std::int64_t width = conv.window.kernel[1];
      const std::int64_t output_width = conv.output_extents[1];
      coordinates.push_back(GetCoordinate(conv, 1, element % width, place % output_width));
      coordinates.push_back(GetCoordinate(conv, 0, element / width, place / output_width));
    }
  }
  return AddNumbers(node, TensorInfo({conv.GetWindowSize(), conv.GetNumPlaces(), 2}, type),
                    coordinates, "/windows");
}

// The offsets, [N, offset groups * elements * 2, height, width] with that along the outer axis
// first, become [N * offset groups, elements, places, 2] with the other order.
OutputSlot AddOffsets(Node& node, const DeformedConvolution& conv, DataType type) {
  const std::int64_t images = conv.batch * conv.offset_groups;
  OutputSlot offsets = AddCast(node, node.GetInput(2), type, "/offsets_as_float");
  offsets = node.AddReshape(offsets, {images, conv.GetWindowSize(), 2, conv.GetNumPlaces()},
                            "/offsets_by_element");
  offsets = AddTranspose(node, offsets, {0, 1, 3, 2}, "/offsets_by_place");
  offsets = AddSlice(node, offsets, 3, 1, 2, "/offsets_reversed", -1);
  const std::vector<double> units = {2 / static_cast<double>(conv.extents[1]),
                                     2 / static_cast<double>(conv.extents[0])};
  const OutputSlot unit = AddNumbers(node, TensorInfo({2}, type), units, "/unit");
  return AddBinary(node, BinaryOperation::kMul, offsets, unit, "/offsets");
}

// What the windows see: [N, groups, channels of a group * elements of a window, places].
OutputSlot AddSamples(Node& node, const DeformedConvolution& conv, DataType type) {
  const std::int64_t images = conv.batch * conv.offset_groups;
  const OutputSlot windows = AddWindows(node, conv, type);
  const OutputSlot grid =
      AddBinary(node, BinaryOperation::kAdd, AddOffsets(node, conv, type), windows, "/grid");
  OutputSlot input = AddCast(node, node.GetInput(0), type, "/input_as_float");
  input = node.AddReshape(
      input, {images, conv.channels / conv.offset_groups, conv.extents[0], conv.extents[1]},
      "/input");
  OutputSlot samples = node.AddLayer<LayerType::kGridSample>({}, {input, grid}, "/samples");
  if (node.HasInput(4)) {
    OutputSlot mask = AddCast(node, node.GetInput(4), type, "/mask_as_float");
    mask = node.AddReshape(mask, {images, 1, conv.GetWindowSize(), conv.GetNumPlaces()}, "/mask");
    samples = AddBinary(node, BinaryOperation::kMul, samples, mask, "/masked");
  }
  return node.AddReshape(samples,
                         {conv.batch, conv.groups,
                          conv.channels / conv.groups * conv.GetWindowSize(), conv.GetNumPlaces()},
                         "/columns");
}

}  // namespace

// The input is sampled where the windows lie; what they see is multiplied by the weights. float16
// is too coarse for places.
void ConvertDeformConv(Node& node) {
  const DeformedConvolution conv = ReadDeformedConvolution(node);
  const DataType type = node.GetInputInfo(0).data_type;
  const DataType computed = type == DataType::kFloat64 ? type : DataType::kFloat32;
  const OutputSlot samples = AddSamples(node, conv, computed);
  OutputSlot weights = AddCast(node, node.GetInput(1), computed, "/weights_as_float");
  weights = node.AddReshape(weights,
                            {conv.groups, conv.output_channels / conv.groups,
                             conv.channels / conv.groups * conv.GetWindowSize()},
                            "/weights");
  OutputSlot result = node.AddLayer<LayerType::kBatchMatMul>({}, {weights, samples}, "/products");
  result = node.AddReshape(
      result, {conv.batch, conv.output_channels, conv.output_extents[0], conv.output_extents[1]},
      "/result");
  if (node.HasInput(3)) {
    const OutputSlot bias = AddCast(node, node.GetInput(3), computed, "/bias_as_float");
    result = AddBinary(node, BinaryOperation::kAdd, result,
                       node.AddReshape(bias, {conv.output_channels, 1, 1}, "/bias"), "/biased");
  }
  node.SetOutput(AddCast(node, result, type, ""));
}

}  // namespace backplane::onnx
