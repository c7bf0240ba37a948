#include "operators/infer.hpp"

#include <limits>

namespace backplane {
namespace {

TensorInfo ConvolveConvolution(const ConvolutionDescriptor& descriptor, const TensorShape& input,
                               const TensorShape& weights) {
  return Infer<LayerType::kConvolution>(descriptor, {Float(input), Float(weights)});
}

void ExpectConvolutionRefusedConvolution(const ConvolutionDescriptor& descriptor,
                                         const std::vector<TensorInfo>& inputs, DiagnosticCode code,
                                         const std::string& found, const std::string& expected) {
  ExpectRefused<LayerType::kConvolution>(descriptor, inputs, code, found, expected);
}

TEST(Convolution, FollowsTheFormula) {
  ConvolutionDescriptor descriptor;
  EXPECT_EQ(ConvolveConvolution(descriptor, {1, 3, 8, 9}, {5, 3, 3, 2}), Float({1, 5, 6, 8}));
  descriptor.strides[0] = 2;
  descriptor.dilations[1] = 3;
  descriptor.pads_begin[0] = 1;
  descriptor.pads_end[0] = 2;
  // floor((8 + 3 - 3) / 2) + 1 and floor((9 - 4) / 1) + 1
  EXPECT_EQ(ConvolveConvolution(descriptor, {1, 3, 8, 9}, {5, 3, 3, 2}), Float({1, 5, 5, 6}));
}

TEST(Convolution, HasOneToThreeSpatialAxes) {
  ConvolutionDescriptor descriptor;
  descriptor.spatial_rank = 1;
  EXPECT_EQ(ConvolveConvolution(descriptor, {2, 3, 8}, {5, 3, 3}), Float({2, 5, 6}));
  descriptor.spatial_rank = 3;
  EXPECT_EQ(ConvolveConvolution(descriptor, {2, 3, 8, 8, 8}, {5, 3, 1, 2, 3}),
            Float({2, 5, 8, 7, 6}));
  descriptor.spatial_rank = 4;
  ExpectConvolutionRefusedConvolution(descriptor,
                                      {Float({1, 1, 1, 1, 1, 1}), Float({1, 1, 1, 1, 1, 1})},
                                      DiagnosticCode::kInvalidDescriptor, "found 4", "1 to 3");
  descriptor.spatial_rank = 0;
  ExpectConvolutionRefusedConvolution(descriptor, {Float({1, 1}), Float({1, 1})},
                                      DiagnosticCode::kInvalidDescriptor, "found 0", "1 to 3");
}

TEST(Convolution, DividesChannelsByGroups) {
  ConvolutionDescriptor descriptor;
  descriptor.groups = 4;
  EXPECT_EQ(ConvolveConvolution(descriptor, {1, 4, 5, 5}, {8, 1, 3, 3}), Float({1, 8, 3, 3}));
  ExpectConvolutionRefusedConvolution(descriptor, {Float({1, 6, 5, 5}), Float({8, 1, 3, 3})},
                                      DiagnosticCode::kWrongShape, "6 channels", "a multiple of 4");
  ExpectConvolutionRefusedConvolution(descriptor, {Float({1, 4, 5, 5}), Float({6, 1, 3, 3})},
                                      DiagnosticCode::kWrongShape, "6 filters", "a multiple of 4");
  ExpectConvolutionRefusedConvolution(descriptor, {Float({1, 4, 5, 5}), Float({8, 2, 3, 3})},
                                      DiagnosticCode::kWrongShape, "extent 2 at axis 1",
                                      "expected 1");
  descriptor.groups = 0;
  ExpectConvolutionRefusedConvolution(descriptor, {Float({1, 4, 5, 5}), Float({8, 4, 3, 3})},
                                      DiagnosticCode::kInvalidDescriptor, "found 0", "1 or more");
}

TEST(Convolution, RejectsRanksThatDoNotFit) {
  ExpectConvolutionRefusedConvolution({}, {Float({1, 3, 8}), Float({5, 3, 3})},
                                      DiagnosticCode::kWrongRank, "float32 [1, 3, 8] as input 0",
                                      "rank 4, [N, C, spatial...]");
  ExpectConvolutionRefusedConvolution({}, {Float({1, 3, 8, 8}), Float({5, 3, 3})},
                                      DiagnosticCode::kWrongRank, "float32 [5, 3, 3] as input 1",
                                      "rank 4, [M, C / groups, kernel...]");
}

TEST(Convolution, ChecksBias) {
  EXPECT_EQ(
      Infer<LayerType::kConvolution>({}, {Float({1, 3, 4, 4}), Float({5, 3, 1, 1}), Float({5})}),
      Float({1, 5, 4, 4}));
  ExpectConvolutionRefusedConvolution({}, {Float({1, 3, 4, 4}), Float({5, 3, 1, 1}), Float({3})},
                                      DiagnosticCode::kWrongShape, "extent 3 at axis 0",
                                      "5, the number of filters");
}

TEST(Convolution, RejectsStrideAndDilationOfZero) {
  ConvolutionDescriptor stride;
  stride.strides[1] = 0;
  const std::vector<TensorInfo> inputs{Float({1, 3, 8, 8}), Float({5, 3, 3, 3})};
  ExpectConvolutionRefusedConvolution(stride, inputs, DiagnosticCode::kInvalidDescriptor, "found 0",
                                      "1 or more");
  ConvolutionDescriptor dilation;
  dilation.dilations[0] = 0;
  ExpectConvolutionRefusedConvolution(dilation, inputs, DiagnosticCode::kInvalidDescriptor,
                                      "found 0", "1 or more");
  ExpectConvolutionRefusedConvolution({}, {Float({1, 3, 8, 8}), Float({5, 3, 0, 3})},
                                      DiagnosticCode::kInvalidDescriptor, "found 0", "1 or more");
}

TEST(Convolution, IgnoresEntriesBehindSpatialRank) {
  ConvolutionDescriptor descriptor;
  descriptor.strides[2] = 0;
  EXPECT_EQ(ConvolveConvolution(descriptor, {1, 3, 8, 8}, {5, 3, 3, 3}), Float({1, 5, 6, 6}));
}

TEST(Convolution, RejectsKernelLargerThanPaddedInput) {
  ConvolutionDescriptor descriptor;
  descriptor.dilations[0] = 4;
  ExpectConvolutionRefusedConvolution(descriptor, {Float({1, 3, 8, 8}), Float({5, 3, 3, 3})},
                                      DiagnosticCode::kWrongShape, "a kernel that spans 9",
                                      "a span of at most 8");
}

TEST(Convolution, RejectsSizesThatOverflow) {
  ConvolutionDescriptor descriptor;
  descriptor.spatial_rank = 1;
  descriptor.pads_end[0] = 1;
  ExpectConvolutionRefusedConvolution(
      descriptor, {Typed(DataType::kInt8, {1, 1, kMost}), Typed(DataType::kInt8, {1, 1, 1})},
      DiagnosticCode::kTensorTooLarge, "padding 0 + 1", "fits 63 bits");
  descriptor.dilations[0] = 4;
  ExpectConvolutionRefusedConvolution(
      descriptor, {Typed(DataType::kInt8, {1, 1, 1}), Typed(DataType::kInt8, {1, 1, kMost})},
      DiagnosticCode::kTensorTooLarge, "with dilation 4", "fits 63 bits");
}

TEST(Convolution, AcceptsEmptyBatch) {
  EXPECT_EQ(ConvolveConvolution({}, {0, 3, 8, 8}, {5, 3, 3, 3}), Float({0, 5, 6, 6}));
}

}  // namespace
}  // namespace backplane
