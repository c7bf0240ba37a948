#include "nodes/node.hpp"
#include "operators/antialiased_resize.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace backplane::onnx {
namespace {

template <typename Enumeration>
using Name = std::pair<const char*, Enumeration>;

constexpr std::array<Name<Interpolation>, 4> kModes = {{{"nearest", Interpolation::kNearest},
                                                        {"linear", Interpolation::kLinear},
                                                        {"bilinear", Interpolation::kLinear},
                                                        {"cubic", Interpolation::kCubic}}};

constexpr std::array<Name<ResizeCoordinates>, 7> kCoordinates = {
    {{"half_pixel", ResizeCoordinates::kHalfPixel},
     {"half_pixel_symmetric", ResizeCoordinates::kHalfPixelSymmetric},
     {"pytorch_half_pixel", ResizeCoordinates::kPytorchHalfPixel},
     {"align_corners", ResizeCoordinates::kAlignCorners},
     {"asymmetric", ResizeCoordinates::kAsymmetric},
     {"tf_half_pixel_for_nn", ResizeCoordinates::kTfHalfPixelForNn},
     {"tf_crop_and_resize", ResizeCoordinates::kTfCropAndResize}}};

constexpr std::array<Name<NearestRounding>, 4> kRoundings = {
    {{"round_prefer_floor", NearestRounding::kRoundPreferFloor},
     {"round_prefer_ceil", NearestRounding::kRoundPreferCeil},
     {"floor", NearestRounding::kFloor},
     {"ceil", NearestRounding::kCeil}}};

template <typename Enumeration, std::size_t kCount>
Enumeration ReadName(Node& node, const char* attribute, const char* value_when_absent,
                     const std::array<Name<Enumeration>, kCount>& names) {
  const std::string found = node.GetAttributes().FindString(attribute).value_or(value_when_absent);
  std::string known;
  for (const auto& [name, value] : names) {
    if (found == name) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  node.GetAttributes().Refuse(attribute, found, known + " are supported");
}

bool IsPresent(const Node& node, std::size_t input) {
  return node.HasInput(input) && node.GetInputShape(input).GetNumElements() > 0;
}

void CheckCount(const Node& node, const char* what, std::size_t found, std::size_t expected) {
  if (found == expected) return;
  node.RefuseAsInvalid(std::string(what) + " has " + std::to_string(found) + " values; " +
                       std::to_string(expected) + " are expected for its input " +
                       ToText(node.GetInputShape(0)));
}

// The extents of the output are rounded down in float32, as ONNX infers them.
void SetScales(const Node& node, const std::vector<double>& scales, ResizeDescriptor& descriptor) {
  const TensorShape& input = node.GetInputShape(0);
  CheckCount(node, "scales", scales.size(), input.rank);
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    const float extent = static_cast<float>(input[axis]) * static_cast<float>(scales[axis]);
    if (!(scales[axis] > 0) || !(extent < 0x1p62F)) {
      node.RefuseAsInvalid("the scale of axis " + std::to_string(axis) + " is " +
                           std::to_string(scales[axis]) +
                           "; more than 0, and extents that fit 62 bits, are expected");
    }
    descriptor.scales[axis] = scales[axis];
    descriptor.extents[axis] = static_cast<std::int64_t>(std::floor(extent));
  }
}

void SetRegion(const Node& node, const std::vector<std::uint32_t>& axes,
               ResizeDescriptor& descriptor) {
  const std::vector<double> region = node.ReadConstantReals(1, "roi");
  CheckCount(node, "roi", region.size(), 2 * axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    descriptor.roi_begin[axes[i]] = region[i];
    descriptor.roi_end[axes[i]] = region[axes.size() + i];
  }
}

// What is stated for some axes; the others are as they are in `all`.
template <typename Number>
std::vector<Number> SpreadOver(const Node& node, const char* what,
                               const std::vector<std::uint32_t>& axes,
                               const std::vector<Number>& stated, std::vector<Number> all) {
  CheckCount(node, what, stated.size(), axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) all[axes[i]] = stated[i];
  return all;
}

// Since operator set 18, sizes may only bound the output from above or from below: the axes that
// they are stated for then keep their proportions.
enum class AspectRatio { kStretch, kNotLarger, kNotSmaller };

constexpr std::array<Name<AspectRatio>, 3> kAspectRatios = {
    {{"stretch", AspectRatio::kStretch},
     {"not_larger", AspectRatio::kNotLarger},
     {"not_smaller", AspectRatio::kNotSmaller}}};

// What all axes are to be stretched by.
double FindCommonScale(const Node& node, const std::vector<std::uint32_t>& axes,
                       const std::vector<std::int64_t>& sizes, AspectRatio ratio) {
  const TensorShape& input = node.GetInputShape(0);
  std::vector<double> scales;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (input[axes[i]] == 0 || sizes[i] < 0) {
      node.RefuseAsInvalid("it keeps proportions, and the size of axis " + std::to_string(axes[i]) +
                           " is " + std::to_string(sizes[i]) + " for its input " + ToText(input) +
                           "; 0 or more, for axes with elements, is expected");
    }
    scales.push_back(static_cast<double>(sizes[i]) / static_cast<double>(input[axes[i]]));
  }
  if (scales.empty()) return 1;
  return ratio == AspectRatio::kNotLarger ? *std::min_element(scales.begin(), scales.end())
                                          : *std::max_element(scales.begin(), scales.end());
}

// Extents of half an element more are rounded up.
void SetBoundedSizes(const Node& node, const std::vector<std::uint32_t>& axes,
                     const std::vector<std::int64_t>& sizes, AspectRatio ratio,
                     ResizeDescriptor& descriptor) {
  const double scale = FindCommonScale(node, axes, sizes, ratio);
  for (const std::uint32_t axis : axes) {
    const auto input = static_cast<double>(node.GetInputShape(0)[axis]);
    const double extent = std::floor(scale * input + 0.5);
    if (!(extent < 0x1p62)) {
      node.RefuseAsInvalid("with its proportions kept, axis " + std::to_string(axis) +
                           " would be " + std::to_string(extent) +
                           " long; extents that fit 62 bits are expected");
    }
    descriptor.extents[axis] = static_cast<std::int64_t>(extent);
    descriptor.scales[axis] = scale;
  }
}

void ReadAttributes(Node& node, ResizeDescriptor& descriptor) {
  Attributes& attributes = node.GetAttributes();
  descriptor.coordinates =
      ReadName(node, "coordinate_transformation_mode", "half_pixel", kCoordinates);
  descriptor.rounding = ReadName(node, "nearest_mode", "round_prefer_floor", kRoundings);
  descriptor.cubic_coefficient = attributes.FindFloat("cubic_coeff_a").value_or(-0.75F);
  descriptor.extrapolation_value = attributes.FindFloat("extrapolation_value").value_or(0.0F);
  descriptor.exclude_outside = attributes.GetFlag("exclude_outside") ? 1 : 0;
}

ResizeDescriptor BeginDescriptor(Node& node) {
  ResizeDescriptor descriptor;
  descriptor.rank = node.GetInputShape(0).rank;
  descriptor.interpolation = ReadName(node, "mode", "nearest", kModes);
  return descriptor;
}

// Before coordinates could be chosen, they were these.
void SetFirstCoordinates(ResizeDescriptor& descriptor) {
  descriptor.coordinates = ResizeCoordinates::kAsymmetric;
  descriptor.rounding = NearestRounding::kFloor;
}

void AddResize(Node& node, const ResizeDescriptor& descriptor) {
  node.SetOutput(node.AddLayer<LayerType::kResize>(descriptor, {node.GetInput(0)}));
}

// By sizes, or else by scales.
void SetExtents(Node& node, const std::vector<std::uint32_t>& axes, ResizeDescriptor& descriptor) {
  const AspectRatio ratio = ReadName(node, "keep_aspect_ratio_policy", "stretch", kAspectRatios);
  const TensorShape& input = node.GetInputShape(0);
  if (!IsPresent(node, 3)) {
    const std::vector<double> ones(input.rank, 1.0);
    const auto stated = node.ReadConstantReals(2, "scales");
    return SetScales(node, SpreadOver(node, "scales", axes, stated, ones), descriptor);
  }
  const std::vector<std::int64_t> extents(input.dims, input.dims + input.rank);
  const auto stated = node.ReadConstantInts(3, "sizes");
  const auto sizes = SpreadOver(node, "sizes", axes, stated, extents);
  std::copy(sizes.begin(), sizes.end(), descriptor.extents);
  if (ratio != AspectRatio::kStretch) SetBoundedSizes(node, axes, stated, ratio, descriptor);
}

// An input since operator set 9; in the first one, scales of the last two axes.
std::vector<double> ReadUpsampleScales(Node& node) {
  if (node.HasInput(1)) return node.ReadConstantReals(1, "scales");
  Attributes& attributes = node.GetAttributes();
  if (const auto scales = attributes.FindFloats("scales")) return {scales->begin(), scales->end()};
  const auto height = attributes.FindFloat("height_scale");
  const auto width = attributes.FindFloat("width_scale");
  if (!height || !width) node.RefuseAsInvalid("scales are absent, but are needed");
  return {1, 1, static_cast<double>(*height), static_cast<double>(*width)};
}

}  // namespace

void ConvertResize(Node& node) {
  ResizeDescriptor descriptor = BeginDescriptor(node);
  if (node.GetOpset() < 11) {
    SetFirstCoordinates(descriptor);
    SetScales(node, node.ReadConstantReals(1, "scales"), descriptor);
    return AddResize(node, descriptor);
  }
  ReadAttributes(node, descriptor);
  const bool has_antialias = node.GetAttributes().GetFlag("antialias");
  const TensorShape input = node.GetInputShape(0);
  // Scales, sizes and the region are stated for all axes, or since operator set 18 for some.
  const std::vector<std::uint32_t> axes =
      node.ResolveAxesInOrder(node.GetAttributes().FindInts("axes"), input.rank);
  if (descriptor.coordinates == ResizeCoordinates::kTfCropAndResize) {
    SetRegion(node, axes, descriptor);
  }
  SetExtents(node, axes, descriptor);
  if (has_antialias && NeedsAntialias(node, descriptor)) {
    return node.SetOutput(AddAntialiasedResize(node, descriptor));
  }
  AddResize(node, descriptor);
}

void ConvertUpsample(Node& node) {
  ResizeDescriptor descriptor = BeginDescriptor(node);
  SetFirstCoordinates(descriptor);
  SetScales(node, ReadUpsampleScales(node), descriptor);
  AddResize(node, descriptor);
}

}  // namespace backplane::onnx
