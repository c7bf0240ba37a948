#include "operators/infer.hpp"

namespace backplane {
namespace {

DftDescriptor DescribeDft(std::uint32_t axis, std::int64_t length = 0) {
  DftDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.length = length;
  return descriptor;
}

void ExpectDftRefused(const DftDescriptor& descriptor, const TensorInfo& input, DiagnosticCode code,
                      const std::string& found, const std::string& expected) {
  ExpectRefused<LayerType::kDft>(descriptor, {input}, code, found, expected);
}

TEST(Dft, HasComplexNumbersAlongAnAxisOfItsLength) {
  EXPECT_EQ(Infer<LayerType::kDft>(DescribeDft(1), {Float({2, 10, 1})}), Float({2, 10, 2}));
  EXPECT_EQ(Infer<LayerType::kDft>(DescribeDft(0, 7), {Float({2, 10, 2})}), Float({7, 10, 2}));
  EXPECT_EQ(Infer<LayerType::kDft>(DescribeDft(0, 7), {Float({0, 10, 2})}), Float({7, 10, 2}));
}

TEST(Dft, HasHalfOfTheSpectrumWhenOneSided) {
  DftDescriptor descriptor = DescribeDft(1);
  descriptor.is_one_sided = 1;
  EXPECT_EQ(Infer<LayerType::kDft>(descriptor, {Float({2, 10, 1})}), Float({2, 6, 2}));
  EXPECT_EQ(Infer<LayerType::kDft>(descriptor, {Float({2, 9, 1})}), Float({2, 5, 2}));
  descriptor.is_inverse = 1;
  ExpectDftRefused(descriptor, Float({2, 9, 1}), DiagnosticCode::kInvalidDescriptor,
                   "is_one_sided 1", "one of them");
}

TEST(Dft, RejectsAxesThatHoldNoElements) {
  ExpectDftRefused(DescribeDft(1), Float({10, 2}), DiagnosticCode::kInvalidDescriptor, "axis 1",
                   "less than 1");
  ExpectDftRefused(DescribeDft(2), Float({10, 2}), DiagnosticCode::kInvalidDescriptor, "axis 2",
                   "less than 2");
  ExpectDftRefused(DescribeDft(0), Float({10}), DiagnosticCode::kWrongRank, "[10]", "rank 2");
}

TEST(Dft, RejectsNumbersOfThreeParts) {
  ExpectDftRefused(DescribeDft(0), Float({10, 3}), DiagnosticCode::kWrongShape, "[10, 3]",
                   "real and imaginary part");
}

TEST(Dft, RejectsLengthsThatAreNotPositive) {
  ExpectDftRefused(DescribeDft(0, -1), Float({10, 2}), DiagnosticCode::kInvalidDescriptor,
                   "length -1", "1 or more");
  ExpectDftRefused(DescribeDft(0), Float({0, 2}), DiagnosticCode::kInvalidDescriptor, "extent 0",
                   "1 or more");
  ExpectDftRefused(DescribeDft(0, std::int64_t{1} << 62), Float({1, 2}),
                   DiagnosticCode::kTensorTooLarge, "4611686018427387904", "63 bits");
}

}  // namespace
}  // namespace backplane
