#include "operators/infer.hpp"

#include <limits>

namespace backplane {
namespace {

std::vector<TensorInfo> MakeRoiAlignInputs(const TensorShape& input, const TensorShape& regions,
                                           const TensorShape& batches) {
  return {Float(input), Float(regions), Typed(DataType::kInt64, batches)};
}

void ExpectAlignRefused(const RoiAlignDescriptor& descriptor, const std::vector<TensorInfo>& inputs,
                        DiagnosticCode code, const std::string& found,
                        const std::string& expected) {
  ExpectRefused<LayerType::kRoiAlign>(descriptor, inputs, code, found, expected);
}

TEST(RoiAlign, HasAnOutputForEachRegion) {
  RoiAlignDescriptor descriptor;
  descriptor.output_height = 5;
  descriptor.output_width = 7;
  EXPECT_EQ(Infer<LayerType::kRoiAlign>(descriptor, MakeRoiAlignInputs({2, 3, 9, 9}, {4, 4}, {4})),
            Float({4, 3, 5, 7}));
  EXPECT_EQ(Infer<LayerType::kRoiAlign>(descriptor, MakeRoiAlignInputs({0, 3, 9, 9}, {0, 4}, {0})),
            Float({0, 3, 5, 7}));
}

TEST(RoiAlign, RejectsShapesThatDoNotFit) {
  ExpectAlignRefused({}, MakeRoiAlignInputs({3, 9, 9}, {4, 4}, {4}), DiagnosticCode::kWrongRank,
                     "[3, 9, 9]", "[N, C, H, W]");
  ExpectAlignRefused({}, MakeRoiAlignInputs({1, 3, 9, 9}, {4, 5}, {4}), DiagnosticCode::kWrongShape,
                     "extent 5", "x1, y1, x2 and y2");
  ExpectAlignRefused({}, MakeRoiAlignInputs({1, 3, 9, 9}, {4, 4}, {3}), DiagnosticCode::kWrongShape,
                     "extent 3", "one for each region");
  ExpectAlignRefused({}, MakeRoiAlignInputs({1, 3, 0, 9}, {4, 4}, {4}), DiagnosticCode::kWrongShape,
                     "[1, 3, 0, 9]", "1 or more");
}

TEST(RoiAlign, RejectsWrongDescriptors) {
  const auto inputs = MakeRoiAlignInputs({1, 1, 2, 2}, {1, 4}, {1});
  RoiAlignDescriptor descriptor;
  descriptor.method = static_cast<PoolingMethod>(3);
  ExpectAlignRefused(descriptor, inputs, DiagnosticCode::kInvalidDescriptor, "number 3",
                     "Max or Average");
  descriptor = {};
  descriptor.coordinates = static_cast<RoiCoordinates>(0);
  ExpectAlignRefused(descriptor, inputs, DiagnosticCode::kInvalidDescriptor, "number 0",
                     "HalfPixel or OutputHalfPixel");
  descriptor = {};
  descriptor.spatial_scale = std::numeric_limits<float>::quiet_NaN();
  ExpectAlignRefused(descriptor, inputs, DiagnosticCode::kInvalidDescriptor, "nan", "finite");
}

TEST(RoiAlign, TakesScalesAlongTheChannelsOnly) {
  auto inputs = MakeRoiAlignInputs({2, 2, 2, 2}, {1, 4}, {1});
  inputs[0].data_type = DataType::kInt8;
  inputs[0].quantization.scales = {0.5F, 0.25F};
  inputs[0].quantization.axis = 1;
  EXPECT_EQ(Infer<LayerType::kRoiAlign>({}, inputs).quantization, inputs[0].quantization);
  inputs[0].quantization.axis = 0;
  ExpectAlignRefused({}, inputs, DiagnosticCode::kWrongDataType, "along axis 0", "axis 1");
}

}  // namespace
}  // namespace backplane
