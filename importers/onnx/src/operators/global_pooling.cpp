#include "operators/operator_table.hpp"
#include "operators/window.hpp"
#include "tensors/shape.hpp"

namespace backplane::onnx {
namespace {

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
void Convert(Node& node, PoolingDescriptor descriptor) {
  descriptor.spatial_rank = 1;
  descriptor.kernel[0] = CheckRange(node, CountPositions(node), 1, "number of spatial elements");
  const TensorShape input = node.GetInputShape(0);
  const TensorShape flat = {input[0], input[1], descriptor.kernel[0]};
  const OutputSlot source =
      input.rank == 3 ? node.GetInput(0) : node.AddReshape(node.GetInput(0), flat, "/flat");
  const OutputSlot pooled = node.AddLayer<LayerType::kPooling>(descriptor, {source});
  if (input.rank == 3) return node.SetOutput(pooled);
  TensorShape output = {input[0], input[1]};
  for (std::uint32_t axis = 2; axis < input.rank; ++axis) output.Append(1);
  node.SetOutput(node.AddReshape(pooled, output, "/shape"));
}

// Most have two or three spatial axes, and backends that know these by their windows.
void Convert(Node& node, PoolingMethod method, float p = 2.0F) {
  PoolingDescriptor descriptor;
  descriptor.method = method;
  descriptor.p = p;
  const TensorShape& input = node.GetInputShape(0);
  if (input.rank < 3 || input.rank > 2 + kMaxSpatialRank) return Convert(node, descriptor);
  const Window window = ReadWindow(node, GetWholeWindow(node, input));
  CopyWindow(window, descriptor);
  std::copy_n(window.kernel, kMaxSpatialRank, descriptor.kernel);
  node.SetOutput(node.AddLayer<LayerType::kPooling>(descriptor, {node.GetInput(0)}));
}

}  // namespace

void ConvertGlobalAveragePool(Node& node) {
  Convert(node, PoolingMethod::kAverage);
}

void ConvertGlobalMaxPool(Node& node) {
  Convert(node, PoolingMethod::kMax);
}

void ConvertGlobalLpPool(Node& node) {
  Convert(node, PoolingMethod::kLp, ReadNormExponent(node));
}

}  // namespace backplane::onnx
