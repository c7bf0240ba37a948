#include "nodes/node.hpp"
#include "operators/calculated_constant.hpp"
#include "operators/element_layers.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace backplane::onnx {
namespace {

// The spatial extents of [N, C, spatial...], of which there are as many as rows in each matrix.
std::vector<std::int64_t> ReadExtents(Node& node) {
  const std::vector<std::int64_t> size = node.ReadConstantInts(1, "size");
  const TensorShape& theta = node.GetInputShape(0);
  const bool is_plane = size.size() == 4;
  const std::int64_t rank = is_plane ? 2 : 3;
  const bool fits = (is_plane || size.size() == 5) && theta.rank == 3 && theta[0] == size[0] &&
                    theta[1] == rank && theta[2] == rank + 1;
  if (!fits) {
    const auto shape = MakeShape(size);
    node.RefuseAsInvalid("theta is " + ToText(theta) + " and size " +
                         (shape ? ToText(*shape) : "too long") +
                         "; theta [N, 2, 3] with size [N, C, H, W], or [N, 3, 4] with "
                         "[N, C, D, H, W], are expected");
  }
  std::vector<std::int64_t> extents(size.begin() + 2, size.end());
  for (const std::int64_t extent : extents) {
    if (extent >= 0) continue;
    node.RefuseAsInvalid("size has the extent " + std::to_string(extent) +
                         "; 0 or more is expected");
  }
  return extents;
}

std::int64_t CountPlaces(Node& node, const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> counts = extents;
  counts.push_back(static_cast<std::int64_t>(extents.size()) + 1);
  if (!TakeMemoryForNumbers(node, counts)) {
    node.RefuseAsUnsupported("its grid has more places than " + GetMostMemory() +
                             " hold, which is the most that is taken for them");
  }
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

// From -1 to 1: the middles of the elements at the ends, or their outer edges.
double GetCoordinate(std::int64_t index, std::int64_t extent, bool aligns_corners) {
  const auto length = static_cast<double>(extent);
  const auto i = static_cast<double>(index);
  if (!aligns_corners) return (2 * i + 1) / length - 1;
  return extent == 1 ? 0 : 2 * i / (length - 1) - 1;
}

// Shape [places, spatial rank + 1]: the coordinates of each place, the innermost axis first, and 1.
OutputSlot AddPlaces(Node& node, const std::vector<std::int64_t>& extents, bool aligns_corners) {
  const std::int64_t count = CountPlaces(node, extents);
  const auto num_axes = static_cast<std::int64_t>(extents.size());
  std::vector<double> places;
  for (std::int64_t place = 0; place < count; ++place) {
    std::int64_t rest = place;
    for (auto extent = extents.rbegin(); extent != extents.rend(); ++extent) {
      places.push_back(GetCoordinate(rest % *extent, *extent, aligns_corners));
      rest /= *extent;
    }
    places.push_back(1);
  }
  const DataType type = node.GetInputInfo(0).data_type;
  return AddNumbers(node, TensorInfo({count, num_axes + 1}, type), places, "/places");
}

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

}  // namespace

// Each place times each matrix.
void ConvertAffineGrid(Node& node) {
  const bool aligns_corners = node.GetAttributes().GetFlag("align_corners");
  const std::vector<std::int64_t> extents = ReadExtents(node);
  BatchMatMulDescriptor descriptor;
  descriptor.transpose_b = 1;
  const OutputSlot products = node.AddLayer<LayerType::kBatchMatMul>(
      descriptor, {AddPlaces(node, extents, aligns_corners), node.GetInput(0)}, "/products");
  TensorShape shape = {node.GetInputShape(0)[0]};
  for (const std::int64_t extent : extents) shape.Append(extent);
  shape.Append(static_cast<std::int64_t>(extents.size()));
  node.SetOutput(node.AddReshape(products, shape));
}

void ConvertGridSample(Node& node) {
  node.SetOutput(node.AddLayer<LayerType::kGridSample>(ReadGridSample(node),
                                                       {node.GetInput(0), node.GetInput(1)}));
}

// It was one of onnxruntime's own first.
void ConvertMicrosoftGridSample(Node& node) {
  ConvertGridSample(node);
}

}  // namespace backplane::onnx
