#include "operators/average_pooling.hpp"
#include "operators/operator_table.hpp"
#include "operators/window.hpp"

namespace backplane::onnx {
namespace {

std::vector<std::int64_t> ReadKernel(Node& node) {
  auto kernel = node.GetAttributes().FindInts("kernel_shape");
  if (!kernel) node.RefuseAsInvalid("kernel_shape is absent, but is needed");
  return *kernel;
}

// What all pooling descriptors have in common.
template <typename PoolingLike>
PoolingLike ReadDescriptor(Node& node) {
  const Window window = ReadWindow(node, ReadKernel(node));
  PoolingLike descriptor;
  CopyWindow(window, descriptor);
  std::copy_n(window.kernel, kMaxSpatialRank, descriptor.kernel);
  descriptor.rounding =
      node.GetAttributes().GetFlag("ceil_mode") ? OutputRounding::kCeiling : OutputRounding::kFloor;
  return descriptor;
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

PoolingDescriptor ReadAveragePooling(Node& node) {
  auto descriptor = ReadDescriptor<PoolingDescriptor>(node);
  descriptor.method = PoolingMethod::kAverage;
  const bool is_included = node.GetAttributes().GetFlag("count_include_pad");
  descriptor.padding_in_average =
      is_included ? PaddingInAverage::kInclude : PaddingInAverage::kExclude;
  return descriptor;
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

}  // namespace backplane::onnx
