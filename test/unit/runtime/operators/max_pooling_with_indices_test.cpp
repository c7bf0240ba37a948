#include "operators/infer.hpp"

namespace backplane {
namespace {

MaxPoolingWithIndicesDescriptor SquareMaxPoolingWithIndices(std::uint32_t kernel,
                                                            std::uint32_t stride) {
  MaxPoolingWithIndicesDescriptor descriptor;
  for (std::uint32_t axis = 0; axis < 2; ++axis) {
    descriptor.kernel[axis] = kernel;
    descriptor.strides[axis] = stride;
  }
  return descriptor;
}

TEST(MaxPoolingWithIndices, HasMaximaAndTheirPlaces) {
  auto network = INetwork::Create("net");
  MaxPoolingWithIndicesDescriptor descriptor = SquareMaxPoolingWithIndices(3, 2);
  descriptor.rounding = OutputRounding::kCeiling;
  TensorInfo input = Quantized({1, 4, 8, 9});
  const OutputSlot slot = network->AddInputLayer(input, "in");
  const LayerId layer =
      AddLayer<LayerType::kMaxPoolingWithIndices>(*network, descriptor, {slot}, "layer");
  input.shape = {1, 4, 4, 4};
  EXPECT_EQ(network->GetTensorInfo({layer, 0}), input);
  EXPECT_EQ(network->GetTensorInfo({layer, 1}), Typed(DataType::kInt64, {1, 4, 4, 4}));
}

TEST(MaxPoolingWithIndices, RejectsUnknownEnumerators) {
  MaxPoolingWithIndicesDescriptor descriptor = SquareMaxPoolingWithIndices(1, 1);
  descriptor.index_order = IndexOrder{0};
  ExpectRefused<LayerType::kMaxPoolingWithIndices>(descriptor, {Float({1, 1, 4, 4})},
                                                   DiagnosticCode::kInvalidDescriptor, "number 0",
                                                   "RowMajor or ColumnMajor");
  descriptor = SquareMaxPoolingWithIndices(1, 1);
  descriptor.rounding = OutputRounding{5};
  ExpectRefused<LayerType::kMaxPoolingWithIndices>(descriptor, {Float({1, 1, 4, 4})},
                                                   DiagnosticCode::kInvalidDescriptor, "number 5",
                                                   "Floor or Ceiling");
}

TEST(MaxPoolingWithIndices, RejectsWindowsThatDoNotFit) {
  ExpectRefused<LayerType::kMaxPoolingWithIndices>(
      SquareMaxPoolingWithIndices(5, 1), {Float({1, 1, 4, 4})}, DiagnosticCode::kWrongShape,
      "spans 5", "at most 4");
  ExpectRefused<LayerType::kMaxPoolingWithIndices>(SquareMaxPoolingWithIndices(1, 1),
                                                   {Float({1, 4, 4})}, DiagnosticCode::kWrongRank,
                                                   "float32 [1, 4, 4]", "rank 4");
}

}  // namespace
}  // namespace backplane
