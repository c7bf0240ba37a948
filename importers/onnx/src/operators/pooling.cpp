#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/quantization.hpp"
#include "operators/window.hpp"
#include "tensors/shape.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace backplane::onnx {
namespace {

std::vector<std::int64_t> ReadKernel(Node& node) {
  auto kernel = node.GetAttributes().FindInts("kernel_shape");
  if (!kernel) node.RefuseAsInvalid("kernel_shape is absent, but is needed");
  return *kernel;
}

// What all pooling descriptors have in common.
template <typename PoolingLike>
PoolingLike MakeDescriptor(const Window& window) {
  PoolingLike descriptor;
  CopyWindow(window, descriptor);
  std::copy_n(window.kernel, kMaxSpatialRank, descriptor.kernel);
  return descriptor;
}

template <typename PoolingLike>
PoolingLike ReadDescriptor(Node& node) {
  auto descriptor = MakeDescriptor<PoolingLike>(ReadWindow(node, ReadKernel(node)));
  descriptor.rounding =
      node.GetAttributes().GetFlag("ceil_mode") ? OutputRounding::kCeiling : OutputRounding::kFloor;
  return descriptor;
}

// Errors: as ReadWindow, and kInvalidModel without a kernel.
PoolingDescriptor ReadAveragePooling(Node& node) {
  auto descriptor = ReadDescriptor<PoolingDescriptor>(node);
  descriptor.method = PoolingMethod::kAverage;
  descriptor.padding_in_average = node.GetAttributes().GetFlag("count_include_pad")
                                      ? PaddingInAverage::kInclude
                                      : PaddingInAverage::kExclude;
  return descriptor;
}

float ReadNormExponent(Node& node) {
  if (node.GetOpset() < 2) return node.GetAttributes().FindFloat("p").value_or(2.0F);
  return static_cast<float>(node.GetAttributes().FindInt("p").value_or(2));
}

// A window that sees all of the input, which has the shape; refuses one without elements.
PoolingDescriptor ReadWholePooling(Node& node, const TensorShape& shape) {
  const std::vector<std::int64_t> kernel = GetSpatialExtents(node, shape);
  if (std::find(kernel.begin(), kernel.end(), 0) != kernel.end()) {
    node.RefuseAsUnsupported("its input is " + ToText(shape) +
                             "; spatial axes with elements are supported");
  }
  return MakeDescriptor<PoolingDescriptor>(ReadWindow(node, kernel));
}

void AddPooling(Node& node, const PoolingDescriptor& descriptor) {
  node.SetOutput(node.AddLayer<LayerType::kPooling>(descriptor, {node.GetInput(0)}));
}

void AddPoolingWithIndices(Node& node, std::int64_t storage_order) {
  auto descriptor = ReadDescriptor<MaxPoolingWithIndicesDescriptor>(node);
  descriptor.index_order = storage_order == 0 ? IndexOrder::kRowMajor : IndexOrder::kColumnMajor;
  const OutputSlot maxima =
      node.AddLayer<LayerType::kMaxPoolingWithIndices>(descriptor, {node.GetInput(0)});
  node.SetOutput(0, maxima);
  node.SetOutput(1, OutputSlot{maxima.layer, 1});
}

std::int64_t CountPositions(const Node& node) {
  const TensorShape& input = node.GetInputShape(0);
  if (input.rank < 2) {
    node.RefuseAsInvalid("its input is " + ToText(input) + "; [N, C, spatial...] is expected");
  }
  std::int64_t count = 1;
  for (std::uint32_t axis = 2; axis < input.rank; ++axis) count *= input[axis];
  return count;
}

// A window as large as the input, whose spatial axes are one, however many there are.
void ConvertFlattened(Node& node, PoolingDescriptor descriptor) {
  descriptor.spatial_rank = 1;
  descriptor.kernel[0] = CheckRange(node, CountPositions(node), 1, "number of spatial elements");
  const TensorShape input = node.GetInputShape(0);
  const TensorShape flat = {input[0], input[1], descriptor.kernel[0]};
  const OutputSlot pooled = node.AddLayer<LayerType::kPooling>(
      descriptor, {node.AddReshape(node.GetInput(0), flat, "/flat")});
  TensorShape output = {input[0], input[1]};
  for (std::uint32_t axis = 2; axis < input.rank; ++axis) output.Append(1);
  node.SetOutput(node.AddReshape(pooled, output, "/shape"));
}

// Most have two or three spatial axes, and backends that know these by their windows.
void ConvertGlobal(Node& node, PoolingMethod method, float p = 2.0F) {
  const TensorShape& input = node.GetInputShape(0);
  const bool is_usual = input.rank >= 3 && input.rank <= 2 + kMaxSpatialRank;
  PoolingDescriptor descriptor = is_usual ? ReadWholePooling(node, input) : PoolingDescriptor();
  descriptor.method = method;
  descriptor.p = p;
  is_usual ? AddPooling(node, descriptor) : ConvertFlattened(node, descriptor);
}

bool ReadChannelsLast(Node& node) {
  const bool is_last = node.GetAttributes().GetFlag("channels_last");
  if (is_last && node.GetInputShape(0).rank < 3) {
    node.RefuseAsInvalid("its input is " + ToText(node.GetInputShape(0)) +
                         "; [N, spatial..., C] is expected");
  }
  return is_last;
}

// How much such padding is, the extents say, which are looked for where they are not.
void RefuseAutomaticPads(Node& node) {
  const std::string mode = node.GetAttributes().FindString("auto_pad").value_or("NOTSET");
  if (mode == "NOTSET" || mode == "VALID") return;
  node.GetAttributes().Refuse("auto_pad", mode,
                              "with channels_last only NOTSET and VALID are supported");
}

// Inputs: X, its scale and zero point, scale and zero point of Y.
void AddQuantisedPooling(Node& node, const PoolingDescriptor& descriptor, bool is_last) {
  const OutputSlot result =
      AddBetweenQuantized(node, {{0, {1, 2}}}, {3, 4},
                          [&](std::vector<OutputSlot> slots, const std::vector<OutputType>& types) {
                            if (is_last)
                              slots[0] = MoveChannelsSecond(node, slots[0], "/channels_second");
                            return node.AddLayer<LayerType::kPooling>(descriptor, slots, "", types);
                          });
  node.SetOutput(is_last ? MoveChannelsLast(node, result, "/channels_last") : result);
}

// The extents that the pooling had, from those of its output.
void ReadPooledExtents(Node& node, MaxUnpoolingDescriptor& descriptor) {
  Window window = ReadSteps(node, ReadKernel(node));
  ReadPads(node, window);
  descriptor.spatial_rank = window.spatial_rank;
  for (std::uint32_t axis = 0; axis < window.spatial_rank; ++axis) {
    const std::int64_t input =
        CheckRange(node, node.GetInputShape(0)[axis + 2], 1, "extent of the input");
    const std::int64_t padding = std::int64_t{window.pads_begin[axis]} + window.pads_end[axis];
    const std::int64_t extent = (input - 1) * window.strides[axis] + window.kernel[axis] - padding;
    if (extent < 1) {
      node.RefuseAsInvalid("pads leave no output along spatial axis " + std::to_string(axis));
    }
    descriptor.index_extents[axis] = descriptor.extents[axis] = extent;
  }
}

void ReadOutputShape(const Node& node, MaxUnpoolingDescriptor& descriptor) {
  const auto dims = node.ReadConstantInts(2, "output_shape");
  const TensorShape& input = node.GetInputShape(0);
  const auto shape = MakeShape(dims);
  if (dims.size() != input.rank || dims[0] != input[0] || dims[1] != input[1]) {
    node.RefuseAsInvalid("output_shape is " + (shape ? ToText(*shape) : "too long") +
                         ", which does not go with its input, " + ToText(input));
  }
  std::copy(dims.begin() + 2, dims.end(), descriptor.extents);
}

}  // namespace

void ConvertMaxPool(Node& node) {
  const std::int64_t storage_order = node.GetAttributes().FindInt("storage_order").value_or(0);
  if (storage_order != 0 && storage_order != 1) {
    node.RefuseAsInvalid("storage_order is " + std::to_string(storage_order) +
                         "; 0 or 1 is expected");
  }
  if (node.IsOutputRead(1)) return AddPoolingWithIndices(node, storage_order);
  auto descriptor = ReadDescriptor<PoolingDescriptor>(node);
  descriptor.method = PoolingMethod::kMax;
  // The greatest stored integer is the greatest real number too.
  node.SetOutput(node.AddLayer<LayerType::kPooling>(descriptor, {node.GetMovedInput(0)}));
}

void ConvertAveragePool(Node& node) {
  AddPooling(node, ReadAveragePooling(node));
}

void ConvertLpPool(Node& node) {
  auto descriptor = ReadDescriptor<PoolingDescriptor>(node);
  descriptor.method = PoolingMethod::kLp;
  descriptor.p = ReadNormExponent(node);
  AddPooling(node, descriptor);
}

void ConvertGlobalAveragePool(Node& node) {
  ConvertGlobal(node, PoolingMethod::kAverage);
}

void ConvertGlobalMaxPool(Node& node) {
  ConvertGlobal(node, PoolingMethod::kMax);
}

void ConvertGlobalLpPool(Node& node) {
  ConvertGlobal(node, PoolingMethod::kLp, ReadNormExponent(node));
}

void ConvertMicrosoftQLinearAveragePool(Node& node) {
  const bool is_last = ReadChannelsLast(node);
  if (is_last) RefuseAutomaticPads(node);
  AddQuantisedPooling(node, ReadAveragePooling(node), is_last);
}

void ConvertMicrosoftQLinearGlobalAveragePool(Node& node) {
  const bool is_last = ReadChannelsLast(node);
  TensorShape shape = node.GetInputShape(0);
  for (std::uint32_t axis = shape.rank; is_last && axis-- > 2;) shape[axis] = shape[axis - 1];
  PoolingDescriptor descriptor = ReadWholePooling(node, shape);
  descriptor.method = PoolingMethod::kAverage;
  AddQuantisedPooling(node, descriptor, is_last);
}

// Indices count the elements of what was pooled, also when the output is stated to be larger.
void ConvertMaxUnpool(Node& node) {
  MaxUnpoolingDescriptor descriptor;
  ReadPooledExtents(node, descriptor);
  if (node.HasInput(2)) ReadOutputShape(node, descriptor);
  node.SetOutput(
      node.AddLayer<LayerType::kMaxUnpooling>(descriptor, {node.GetInput(0), node.GetInput(1)}));
}

}  // namespace backplane::onnx
