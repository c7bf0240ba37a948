#include "operators/infer.hpp"

namespace backplane {
namespace {

ReduceDescriptor OverReduce(const std::vector<std::uint32_t>& axes, std::uint32_t keep_dims = 0) {
  ReduceDescriptor descriptor;
  descriptor.keep_dims = keep_dims;
  for (const std::uint32_t axis : axes) descriptor.axes[descriptor.num_axes++] = axis;
  return descriptor;
}

TEST(Reduce, RemovesAxesOrKeepsThem) {
  const TensorInfo input = Float({2, 3, 4, 5});
  EXPECT_EQ(Infer<LayerType::kReduce>(OverReduce({3, 1}), {input}), Float({2, 4}));
  EXPECT_EQ(Infer<LayerType::kReduce>(OverReduce({3, 1}, 1), {input}), Float({2, 1, 4, 1}));
  EXPECT_EQ(Infer<LayerType::kReduce>(OverReduce({0, 1, 2, 3}), {input}), Float({}));
}

TEST(Reduce, TakesNoAxesAndScalars) {
  EXPECT_EQ(Infer<LayerType::kReduce>(OverReduce({}), {Float({2, 3})}), Float({2, 3}));
  EXPECT_EQ(Infer<LayerType::kReduce>(OverReduce({}, 1), {Float({})}), Float({}));
}

TEST(Reduce, ReducesNothingToSomething) {
  EXPECT_EQ(Infer<LayerType::kReduce>(OverReduce({1}), {Float({2, 0})}), Float({2}));
}

TEST(Reduce, TakesIntegersWhereTheResultIsOne) {
  const TensorInfo input = Typed(DataType::kInt32, {2, 3});
  for (std::uint32_t operation = 1; operation <= 10; ++operation) {
    ReduceDescriptor descriptor = OverReduce({1});
    descriptor.operation = ReduceOperation{operation};
    if (operation >= 7 && operation <= 9) {
      ExpectRefused<LayerType::kReduce>(descriptor, {input}, DiagnosticCode::kWrongDataType,
                                        "int32 [2, 3]", "float32, float16");
    } else {
      EXPECT_EQ(Infer<LayerType::kReduce>(descriptor, {input}), Typed(DataType::kInt32, {2}));
    }
  }
}

TEST(Reduce, MeanAndExtremesKeepTheQuantization) {
  for (const auto operation :
       {ReduceOperation::kMean, ReduceOperation::kMaximum, ReduceOperation::kMinimum}) {
    ReduceDescriptor descriptor = OverReduce({1});
    descriptor.operation = operation;
    EXPECT_EQ(Infer<LayerType::kReduce>(descriptor, {Quantized({2, 3})}), Quantized({2}));
  }
}

TEST(Reduce, ScalesMoveWithTheirAxis) {
  TensorInfo input({2, 3, 4}, DataType::kInt8);
  input.quantization.scales = {1.0F, 2.0F, 3.0F, 4.0F};
  input.quantization.axis = 2;
  ReduceDescriptor descriptor = OverReduce({0});
  descriptor.operation = ReduceOperation::kMaximum;
  TensorInfo output = input;
  output.shape = {3, 4};
  output.quantization.axis = 1;
  EXPECT_EQ(Infer<LayerType::kReduce>(descriptor, {input}), output);
  descriptor.keep_dims = 1;
  output.shape = {1, 3, 4};
  output.quantization.axis = 2;
  EXPECT_EQ(Infer<LayerType::kReduce>(descriptor, {input}), output);
}

TEST(Reduce, RejectsScalesAlongAReducedAxisUnlessOthersAreStated) {
  TensorInfo input({2, 3}, DataType::kInt8);
  input.quantization.scales = {1.0F, 2.0F, 3.0F};
  input.quantization.axis = 1;
  ReduceDescriptor descriptor = OverReduce({1}, 1);
  descriptor.operation = ReduceOperation::kMaximum;
  ExpectRefused<LayerType::kReduce>(descriptor, {input}, DiagnosticCode::kWrongShape,
                                    "found 3 scales", "expected 1");
  auto network = INetwork::Create("net");
  const OutputSlot slot = network->AddInputLayer(input, "in");
  QuantizationInfo stated;
  stated.scales = {3.0F};
  EXPECT_NO_THROW(AddLayer<LayerType::kReduce>(*network, descriptor, {slot}, "layer",
                                               {{DataType::kInt8, stated}}));
}

TEST(Reduce, RejectsAxisBehindRankOrTwice) {
  ExpectRefused<LayerType::kReduce>(OverReduce({0, 2}), {Float({2, 3})},
                                    DiagnosticCode::kInvalidDescriptor, "axis 2", "less than 2");
  ExpectRefused<LayerType::kReduce>(OverReduce({1, 1}), {Float({2, 3})},
                                    DiagnosticCode::kInvalidDescriptor, "axis 1 more than once",
                                    "different axes");
}

TEST(Reduce, RejectsMoreAxesThanADescriptorHolds) {
  ReduceDescriptor descriptor;
  descriptor.num_axes = kMaxRank + 1;
  ExpectRefused<LayerType::kReduce>(descriptor, {Float({2, 3})}, DiagnosticCode::kInvalidDescriptor,
                                    "found 9", "at most 8");
}

TEST(Reduce, RejectsUnknownOperation) {
  for (const std::uint32_t operation : {0U, 11U}) {
    ReduceDescriptor descriptor;
    descriptor.operation = ReduceOperation{operation};
    ExpectRefused<LayerType::kReduce>(
        descriptor, {Float({2, 3})}, DiagnosticCode::kInvalidDescriptor,
        "number " + std::to_string(operation), "Sum (1) to SumSquare");
  }
}

TEST(Reduce, RejectsFlagThatIsNone) {
  ExpectRefused<LayerType::kReduce>(OverReduce({0}, 2), {Float({2, 3})},
                                    DiagnosticCode::kInvalidDescriptor, "found 2", "0 or 1");
}

}  // namespace
}  // namespace backplane
