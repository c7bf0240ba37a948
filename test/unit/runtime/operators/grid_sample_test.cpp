#include "operators/infer.hpp"

#include <limits>

namespace backplane {
namespace {

void ExpectSampleRefused(const GridSampleDescriptor& descriptor,
                         const std::vector<TensorInfo>& inputs, DiagnosticCode code,
                         const std::string& found, const std::string& expected) {
  ExpectRefused<LayerType::kGridSample>(descriptor, inputs, code, found, expected);
}

TEST(GridSample, HasThePlacesOfTheGrid) {
  EXPECT_EQ(Infer<LayerType::kGridSample>({}, {Float({2, 3, 4, 5}), Float({2, 6, 7, 2})}),
            Float({2, 3, 6, 7}));
  EXPECT_EQ(Infer<LayerType::kGridSample>({}, {Float({2, 3, 4}), Float({2, 0, 1})}),
            Float({2, 3, 0}));
  EXPECT_EQ(Infer<LayerType::kGridSample>({}, {Typed(DataType::kFloat16, {1, 1, 2, 2, 2}),
                                               Typed(DataType::kFloat64, {1, 3, 4, 5, 3})}),
            Typed(DataType::kFloat16, {1, 1, 3, 4, 5}));
}

TEST(GridSample, RejectsShapesThatDoNotFit) {
  ExpectSampleRefused({}, {Float({2, 3}), Float({2, 1})}, DiagnosticCode::kWrongRank, "rank 2",
                      "rank 3 to 5");
  ExpectSampleRefused({}, {Float({2, 3, 4, 5}), Float({2, 6, 2})}, DiagnosticCode::kWrongRank,
                      "rank 3", "rank 4");
  ExpectSampleRefused({}, {Float({2, 3, 4, 5}), Float({1, 6, 7, 2})}, DiagnosticCode::kWrongShape,
                      "extent 1 at axis 0", "N of the input");
  ExpectSampleRefused({}, {Float({2, 3, 4, 5}), Float({2, 6, 7, 3})}, DiagnosticCode::kWrongShape,
                      "extent 3 at axis 3", "a coordinate for each spatial axis");
  ExpectSampleRefused({}, {Float({2, 3, 0, 5}), Float({2, 6, 7, 2})}, DiagnosticCode::kWrongShape,
                      "[2, 3, 0, 5]", "1 or more");
}

TEST(GridSample, RejectsAGridOfIntegers) {
  ExpectSampleRefused({}, {Float({1, 1, 2}), Typed(DataType::kInt32, {1, 2, 1})},
                      DiagnosticCode::kWrongDataType, "int32", "float32");
}

TEST(GridSample, RejectsWrongDescriptors) {
  const std::vector<TensorInfo> inputs = {Float({1, 1, 2}), Float({1, 2, 1})};
  GridSampleDescriptor descriptor;
  descriptor.interpolation = static_cast<Interpolation>(4);
  ExpectSampleRefused(descriptor, inputs, DiagnosticCode::kInvalidDescriptor, "number 4",
                      "Nearest, Linear or Cubic");
  descriptor = {};
  descriptor.padding = static_cast<GridPadding>(0);
  ExpectSampleRefused(descriptor, inputs, DiagnosticCode::kInvalidDescriptor, "number 0",
                      "Zeros, Border or Reflection");
  descriptor = {};
  descriptor.align_corners = 3;
  ExpectSampleRefused(descriptor, inputs, DiagnosticCode::kInvalidDescriptor, "found 3", "0 or 1");
  descriptor = {};
  descriptor.cubic_coefficient = std::numeric_limits<float>::infinity();
  ExpectSampleRefused(descriptor, inputs, DiagnosticCode::kInvalidDescriptor, "inf", "finite");
}

TEST(GridSample, RejectsScalesAlongSpace) {
  TensorInfo input({1, 1, 2}, DataType::kInt8);
  input.quantization.scales = {0.5F, 0.25F};
  input.quantization.axis = 2;
  ExpectSampleRefused({}, {input, Float({1, 2, 1})}, DiagnosticCode::kWrongDataType, "along axis 2",
                      "axis 0 or 1");
}

}  // namespace
}  // namespace backplane
