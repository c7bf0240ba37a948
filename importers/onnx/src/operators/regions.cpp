#include "nodes/node.hpp"
#include "operators/element_layers.hpp"
#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/required_shape.hpp"
#include "tensors/shape.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace backplane::onnx {
namespace {

struct Crop {
  enum Inputs : std::size_t { kImages, kRegions, kImageOfRegion, kSize };
};

// Of the result.
struct CropSize {
  std::int64_t regions = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
};

CropSize ReadCropSize(Node& node) {
  RequireRank(node, Crop::kImages, 4, "its X");
  RequireRank(node, Crop::kRegions, 2, "its rois");
  const std::int64_t regions = node.GetInputShape(Crop::kRegions)[0];
  RequireShape(node, Crop::kRegions, {regions, 4}, "the shape of its rois");
  RequireShape(node, Crop::kImageOfRegion, {regions}, "its batch_indices");
  constexpr std::int64_t kMostExtent = std::int64_t{1} << 20;
  const std::vector<std::int64_t> size = node.ReadConstantInts(Crop::kSize, "crop_size");
  const bool is_possible =
      size.size() == 2 && std::all_of(size.begin(), size.end(), [](std::int64_t extent) {
        return extent > 0 && extent <= kMostExtent;
      });
  if (is_possible) return {regions, size[0], size[1]};
  node.RefuseAsInvalid("its crop_size is no pair of numbers from 1 to 2^20");
}

// Where places lie between the ends of a region; a single one lies in the middle.
OutputSlot AddParts(Node& node, std::int64_t count, const std::string& suffix) {
  std::vector<float> parts;
  for (std::int64_t i = 0; i < count; ++i) {
    parts.push_back(count == 1 ? 0.5F : static_cast<float>(i) / static_cast<float>(count - 1));
  }
  return node.AddConstant({{1, count}, DataType::kFloat32}, parts.data(), suffix);
}

// The places [regions, count] along one axis, of which the whole is from 0 to 1. The ends of a
// region are elements `first` and `first` + 2.
OutputSlot AddPlaces(Node& node, std::int64_t first, std::int64_t count,
                     const std::string& suffix) {
  const OutputSlot regions = GetReals(node, Crop::kRegions, suffix + "/regions");
  const OutputSlot begin = TakeElements(node, regions, 1, first, 1, suffix + "/begin");
  const OutputSlot end = TakeElements(node, regions, 1, first + 2, 1, suffix + "/end");
  const OutputSlot length = AddBinary(node, BinaryOperation::kSub, end, begin, suffix + "/length");
  const OutputSlot offsets =
      AddBinary(node, BinaryOperation::kMul, length, AddParts(node, count, suffix + "/parts"),
                suffix + "/offsets");
  return AddBinary(node, BinaryOperation::kAdd, begin, offsets, suffix);
}

// bool: from 0 to 1.
OutputSlot AddIsInside(Node& node, OutputSlot places, const std::string& suffix) {
  const OutputSlot zero = node.AddScalar(0.0F, suffix + "/zero");
  const OutputSlot one = node.AddScalar(1.0F, suffix + "/one");
  return node.AddLayer<LayerType::kLogicalBinary>(
      {},
      {AddComparison(node, ComparisonOperation::kGreaterOrEqual, places, zero,
                     suffix + "/not_before"),
       AddComparison(node, ComparisonOperation::kLessOrEqual, places, one, suffix + "/not_behind")},
      suffix);
}

// One coordinate of [regions, height, width, 1], as GridSample counts: from -1 to 1.
OutputSlot AddCoordinate(Node& node, OutputSlot places, const TensorShape& shape,
                         const CropSize& size, const std::string& suffix) {
  const OutputSlot scaled =
      AddActivation(node, ActivationFunction::kLinear, places, suffix + "/scaled", 2.0F, -1.0F);
  return AddBroadcast(node, node.AddReshape(scaled, shape, suffix + "/shape"),
                      {size.regions, size.height, size.width, 1}, suffix);
}

Interpolation ReadCropMode(Node& node) {
  const std::string mode = node.GetAttributes().FindString("mode").value_or("bilinear");
  if (mode == "bilinear") return Interpolation::kLinear;
  if (mode == "nearest") return Interpolation::kNearest;
  node.GetAttributes().Refuse("mode", mode, "bilinear and nearest are supported");
}

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

// Regions, y1, x1, y2 and x2 as parts of the image, at one size; one value stands for what lies
// outside.
void ConvertMicrosoftCropAndResize(Node& node) {
  const CropSize size = ReadCropSize(node);
  GridSampleDescriptor descriptor;
  descriptor.interpolation = ReadCropMode(node);
  descriptor.padding = GridPadding::kBorder;
  descriptor.align_corners = 1;
  const float outside = node.GetAttributes().FindFloat("extrapolation_value").value_or(0.0F);
  const OutputSlot rows = AddPlaces(node, 0, size.height, "/y");
  const OutputSlot columns = AddPlaces(node, 1, size.width, "/x");
  const OutputSlot grid =
      AddConcat(node,
                {AddCoordinate(node, columns, {size.regions, 1, size.width, 1}, size, "/grid/x"),
                 AddCoordinate(node, rows, {size.regions, size.height, 1, 1}, size, "/grid/y")},
                3, "/grid");
  const OutputSlot images = node.AddLayer<LayerType::kGather>(
      {}, {GetReals(node, Crop::kImages, "/images"), node.GetInput(Crop::kImageOfRegion)},
      "/images");
  const OutputSlot samples =
      node.AddLayer<LayerType::kGridSample>(descriptor, {images, grid}, "/samples");
  const OutputSlot is_inside = node.AddLayer<LayerType::kLogicalBinary>(
      {},
      {node.AddReshape(AddIsInside(node, rows, "/y/inside"), {size.regions, 1, size.height, 1},
                       "/y/inside/shape"),
       node.AddReshape(AddIsInside(node, columns, "/x/inside"), {size.regions, 1, 1, size.width},
                       "/x/inside/shape")},
      "/inside");
  const OutputSlot result = node.AddLayer<LayerType::kWhere>(
      {}, {is_inside, samples, node.AddScalar(outside, "/outside")});
  node.SetOutput(AddCast(node, result, node.GetInputInfo(Crop::kImages).data_type, "/output"));
}

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
