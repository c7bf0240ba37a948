#include "operators/antialiased_resize.hpp"

#include "operators/calculated_constant.hpp"
#include "operators/element_layers.hpp"
#include "tensors/data_types.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace backplane::onnx {
namespace {

/// One axis that is resized.
struct ResizedAxis {
  std::uint32_t axis = 0;
  std::int64_t from = 0;  // extents
  std::int64_t to = 0;
  double scale = 1;
};

ResizedAxis GetResizedAxis(const Node& node, const ResizeDescriptor& descriptor,
                           std::uint32_t axis) {
  ResizedAxis resized;
  resized.axis = axis;
  resized.from = node.GetInputShape(0)[axis];
  resized.to = descriptor.extents[axis];
  const double stated = descriptor.scales[axis];
  resized.scale =
      stated != 0 ? stated : static_cast<double>(resized.to) / static_cast<double>(resized.from);
  return resized;
}

bool IsLeftAlone(const ResizedAxis& axis) {
  return axis.from == axis.to && axis.scale == 1;
}

// Where an element of the output lies in the input; descriptors/resize.hpp has the formulas.
double FindCoordinate(const ResizeDescriptor& descriptor, const ResizedAxis& axis,
                      std::int64_t index) {
  const auto x = static_cast<double>(index);
  const auto extent = static_cast<double>(axis.from);
  const double half_pixel = (x + 0.5) / axis.scale - 0.5;
  switch (descriptor.coordinates) {
    case ResizeCoordinates::kPytorchHalfPixel:
      return axis.to == 1 ? 0 : half_pixel;
    case ResizeCoordinates::kAlignCorners:
      return axis.to == 1 ? 0 : x * (extent - 1) / static_cast<double>(axis.to - 1);
    case ResizeCoordinates::kAsymmetric:
      return x / axis.scale;
    case ResizeCoordinates::kTfHalfPixelForNn:
      return (x + 0.5) / axis.scale;
    case ResizeCoordinates::kHalfPixelSymmetric:
      return half_pixel + (1 - static_cast<double>(axis.to) / (extent * axis.scale)) * extent / 2;
    default:
      return half_pixel;
  }
}

/// What weighs the neighbours at a distance, which is stretched where an axis shrinks.
struct Filter {
  bool is_cubic = false;
  double coefficient = 0;
  double stretch = 1;  // at least 1

  std::int64_t GetReach() const {
    return static_cast<std::int64_t>(std::ceil((is_cubic ? 2 : 1) * stretch));
  }
  double GetWeight(double distance) const {
    const double t = std::abs(distance) / stretch;
    const double a = coefficient;
    if (!is_cubic) return std::max(1 - t, 0.0);
    if (t <= 1) return ((a + 2) * t - (a + 3)) * t * t + 1;
    return t < 2 ? a * (((t - 5) * t + 8) * t - 4) : 0;
  }
};

Filter MakeFilter(const ResizeDescriptor& descriptor, const ResizedAxis& axis) {
  Filter filter;
  filter.is_cubic = descriptor.interpolation == Interpolation::kCubic;
  filter.coefficient = static_cast<double>(descriptor.cubic_coefficient);
  filter.stretch = 1 / std::min(axis.scale, 1.0);
  return filter;
}

// The weights of the input in one element of the output, which sum up to 1. What lies outside is
// the element at that end, or counts nothing.
void SetWeights(const ResizeDescriptor& descriptor, const ResizedAxis& axis, std::int64_t index,
                double* weights) {
  const Filter filter = MakeFilter(descriptor, axis);
  const double place = FindCoordinate(descriptor, axis, index);
  const std::int64_t middle = static_cast<std::int64_t>(std::floor(place));
  double sum = 0;
  for (std::int64_t i = middle - filter.GetReach(); i <= middle + filter.GetReach() + 1; ++i) {
    const std::int64_t inside = std::clamp<std::int64_t>(i, 0, axis.from - 1);
    if (i != inside && descriptor.exclude_outside != 0) continue;
    const double weight = filter.GetWeight(static_cast<double>(i) - place);
    weights[inside] += weight;
    sum += weight;
  }
  if (sum == 0) return;
  for (std::int64_t i = 0; i < axis.from; ++i) weights[i] /= sum;
}

// Shape [to, from].
OutputSlot AddMatrix(Node& node, const ResizeDescriptor& descriptor, const ResizedAxis& axis,
                     DataType type) {
  if (!TakeMemoryForNumbers(node, {axis.to, axis.from})) {
    node.RefuseAsUnsupported("with antialias, axis " + std::to_string(axis.axis) + " needs " +
                             std::to_string(axis.to) + " times " + std::to_string(axis.from) +
                             " weights; at most " + GetMostMemory() +
                             " are taken for all weights together");
  }
  std::vector<double> weights(static_cast<std::size_t>(axis.to * axis.from));
  for (std::int64_t index = 0; index < axis.to; ++index) {
    SetWeights(descriptor, axis, index, weights.data() + index * axis.from);
  }
  return AddNumbers(node, TensorInfo({axis.to, axis.from}, type), weights,
                    "/weights_" + std::to_string(axis.axis));
}

// The last two axes are those of a matrix; for an axis before them, what lies behind it counts as
// one axis.
OutputSlot AddProduct(Node& node, OutputSlot input, OutputSlot matrix, const ResizedAxis& axis) {
  const std::string number = std::to_string(axis.axis);
  TensorShape shape = node.GetInfo(input).shape;
  BatchMatMulDescriptor descriptor;
  if (axis.axis + 1 == shape.rank) {
    descriptor.transpose_b = 1;
    return node.AddLayer<LayerType::kBatchMatMul>(descriptor, {input, matrix},
                                                  "/resized_" + number);
  }
  TensorShape flat;
  for (std::uint32_t i = 0; i <= axis.axis; ++i) flat.Append(shape[i]);
  flat.Append(1);
  for (std::uint32_t i = axis.axis + 1; i < shape.rank; ++i) flat[axis.axis + 1] *= shape[i];
  if (flat.rank != shape.rank) input = node.AddReshape(input, flat, "/flat_" + number);
  const OutputSlot product =
      node.AddLayer<LayerType::kBatchMatMul>(descriptor, {matrix, input}, "/resized_" + number);
  shape[axis.axis] = axis.to;
  return flat.rank == shape.rank ? product : node.AddReshape(product, shape, "/unflat_" + number);
}

// Integers of up to 16 bits are exact in float32, those of 32 bits in float64.
DataType GetComputeType(DataType type) {
  if (IsFloat(type)) return type == DataType::kFloat64 ? type : DataType::kFloat32;
  return GetDataTypeSizeBytes(type) <= 2 ? DataType::kFloat32 : DataType::kFloat64;
}

void CheckSupported(Node& node, const ResizeDescriptor& descriptor) {
  if (descriptor.coordinates == ResizeCoordinates::kTfCropAndResize) {
    node.RefuseAsUnsupported(
        "antialias is 1 and coordinate_transformation_mode is tf_crop_and_resize; with antialias "
        "the other modes are supported");
  }
  const DataType type = node.GetInputInfo(0).data_type;
  if (IsFloat(type)) return;
  const bool is_cubic = descriptor.interpolation == Interpolation::kCubic;
  const bool is_wide = GetDataTypeSizeBytes(type) > 4;
  if (!is_cubic && !is_wide && type != DataType::kBool) return;
  node.RefuseAsUnsupported(std::string("antialias is 1 and its input is ") + GetDataTypeName(type) +
                           "; floats, and integers of up to 32 bits with mode linear, are "
                           "supported");
}

OutputSlot AddConversion(Node& node, OutputSlot result, DataType type) {
  if (IsFloat(type)) return AddCast(node, result, type, "/result");
  return AddCast(node, AddUnary(node, UnaryOperation::kRound, result, "/round"), type, "/result");
}

}  // namespace

bool NeedsAntialias(const Node& node, const ResizeDescriptor& descriptor) {
  if (descriptor.interpolation == Interpolation::kNearest) return false;
  const TensorShape& input = node.GetInputShape(0);
  if (input.GetNumElements() == 0) return false;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    if (GetResizedAxis(node, descriptor, axis).scale < 1) return true;
  }
  return false;
}

OutputSlot AddAntialiasedResize(Node& node, const ResizeDescriptor& descriptor) {
  CheckSupported(node, descriptor);
  const DataType type = node.GetInputInfo(0).data_type;
  const DataType computed = GetComputeType(type);
  OutputSlot result = AddCast(node, node.GetInput(0), computed, "/float");
  for (std::uint32_t axis = 0; axis < descriptor.rank; ++axis) {
    const ResizedAxis resized = GetResizedAxis(node, descriptor, axis);
    if (IsLeftAlone(resized)) continue;
    const OutputSlot matrix = AddMatrix(node, descriptor, resized, computed);
    result = AddProduct(node, result, matrix, resized);
  }
  return AddConversion(node, result, type);
}

}  // namespace backplane::onnx
