#include "operators/infer.hpp"

#include <algorithm>
#include <limits>

namespace backplane {
namespace {

TensorInfo ConvolveTransposedConvolution(const TransposedConvolutionDescriptor& descriptor,
                                         const std::vector<TensorShape>& shapes) {
  std::vector<TensorInfo> infos;
  for (const TensorShape& shape : shapes) infos.push_back(Float(shape));
  return Infer<LayerType::kTransposedConvolution>(descriptor, infos);
}

void ExpectConvolutionRefusedTransposedConvolution(
    const TransposedConvolutionDescriptor& descriptor, const std::vector<TensorShape>& shapes,
    DiagnosticCode code, const std::string& found, const std::string& expected) {
  std::vector<TensorInfo> infos;
  for (const TensorShape& shape : shapes) infos.push_back(Float(shape));
  ExpectRefused<LayerType::kTransposedConvolution>(descriptor, infos, code, found, expected);
}

TEST(TransposedConvolution, CountsStridesDilationAndPadding) {
  TransposedConvolutionDescriptor descriptor;
  EXPECT_EQ(ConvolveTransposedConvolution(descriptor, {{2, 4, 5, 6}, {4, 7, 3, 2}}),
            Float({2, 7, 7, 7}));
  descriptor.strides[0] = 2;
  descriptor.dilations[1] = 3;
  EXPECT_EQ(ConvolveTransposedConvolution(descriptor, {{2, 4, 5, 6}, {4, 7, 3, 2}}),
            Float({2, 7, 11, 9}));
  descriptor.pads_begin[0] = 2;
  descriptor.pads_end[1] = 1;
  descriptor.output_padding[1] = 5;
  EXPECT_EQ(ConvolveTransposedConvolution(descriptor, {{2, 4, 5, 6}, {4, 7, 3, 2}}),
            Float({2, 7, 9, 13}));
}

TEST(TransposedConvolution, HasFiltersInEachGroup) {
  TransposedConvolutionDescriptor descriptor;
  descriptor.spatial_rank = 1;
  descriptor.groups = 2;
  EXPECT_EQ(ConvolveTransposedConvolution(descriptor, {{1, 4, 5}, {4, 3, 1}, {6}}),
            Float({1, 6, 5}));
  ExpectConvolutionRefusedTransposedConvolution(descriptor, {{1, 4, 5}, {4, 3, 1}, {3}},
                                                DiagnosticCode::kWrongShape, "extent 3",
                                                "expected 6, the number of filters");
  ExpectConvolutionRefusedTransposedConvolution(descriptor, {{1, 3, 5}, {3, 3, 1}},
                                                DiagnosticCode::kWrongShape, "3 channels",
                                                "a multiple of 2");
  ExpectConvolutionRefusedTransposedConvolution(descriptor, {{1, 4, 5}, {2, 3, 1}},
                                                DiagnosticCode::kWrongShape, "extent 2 at axis 0",
                                                "expected 4, the channels of the input");
}

TEST(TransposedConvolution, RejectsAnEmptySpatialAxis) {
  TransposedConvolutionDescriptor descriptor;
  descriptor.spatial_rank = 1;
  ExpectConvolutionRefusedTransposedConvolution(descriptor, {{1, 1, 0}, {1, 1, 3}},
                                                DiagnosticCode::kWrongShape, "extent 0",
                                                "an extent of 1 or more");
  EXPECT_EQ(ConvolveTransposedConvolution(descriptor, {{0, 1, 2}, {1, 1, 3}}), Float({0, 1, 4}));
}

TEST(TransposedConvolution, RejectsPaddingWiderThanTheOutput) {
  TransposedConvolutionDescriptor descriptor;
  descriptor.spatial_rank = 1;
  descriptor.pads_begin[0] = 3;
  descriptor.pads_end[0] = 1;
  EXPECT_EQ(ConvolveTransposedConvolution(descriptor, {{1, 1, 2}, {1, 1, 3}}), Float({1, 1, 0}));
  descriptor.pads_end[0] = 2;
  ExpectConvolutionRefusedTransposedConvolution(descriptor, {{1, 1, 2}, {1, 1, 3}},
                                                DiagnosticCode::kWrongShape, "padding 3 + 2",
                                                "padding of at most 4");
}

TEST(TransposedConvolution, RejectsValuesOfZero) {
  TransposedConvolutionDescriptor stride;
  stride.strides[1] = 0;
  ExpectConvolutionRefusedTransposedConvolution(stride, {{1, 1, 4, 4}, {1, 1, 1, 1}},
                                                DiagnosticCode::kInvalidDescriptor, "found 0",
                                                "1 or more");
  ExpectConvolutionRefusedTransposedConvolution(
      {}, {{1, 1, 4, 4}, {1, 1, 0, 1}}, DiagnosticCode::kInvalidDescriptor, "found 0", "1 or more");
  TransposedConvolutionDescriptor groups;
  groups.groups = 0;
  ExpectConvolutionRefusedTransposedConvolution(groups, {{1, 1, 4, 4}, {1, 1, 1, 1}},
                                                DiagnosticCode::kInvalidDescriptor, "found 0",
                                                "1 or more");
}

TEST(TransposedConvolution, RejectsAnOutputThatCannotBeCounted) {
  TransposedConvolutionDescriptor descriptor;
  descriptor.spatial_rank = 1;
  descriptor.strides[0] = std::numeric_limits<std::uint32_t>::max();
  ExpectConvolutionRefusedTransposedConvolution(
      descriptor, {{1, 1, std::int64_t{1} << 40U}, {1, 1, 1}}, DiagnosticCode::kTensorTooLarge,
      "stride 4294967295", "63 bits");
}

}  // namespace
}  // namespace backplane
