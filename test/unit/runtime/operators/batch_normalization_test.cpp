#include "operators/infer.hpp"

#include <limits>

namespace backplane {
namespace {

std::vector<TensorInfo> Inputs(const TensorShape& shape, std::int64_t channels) {
  return {Float(shape), Float({channels}), Float({channels}), Float({channels}), Float({channels})};
}

BatchNormalizationDescriptor AlongBatchNormalization(std::uint32_t axis) {
  BatchNormalizationDescriptor descriptor;
  descriptor.axis = axis;
  return descriptor;
}

TEST(BatchNormalization, KeepsShape) {
  constexpr LayerType kType = LayerType::kBatchNormalization;
  EXPECT_EQ(Infer<kType>({}, Inputs({2, 3, 4}, 3)), Float({2, 3, 4}));
  EXPECT_EQ(Infer<kType>(AlongBatchNormalization(2), Inputs({2, 3, 4}, 4)), Float({2, 3, 4}));
  EXPECT_EQ(Infer<kType>(AlongBatchNormalization(0), Inputs({5}, 5)), Float({5}));
  EXPECT_EQ(Infer<kType>({}, Inputs({2, 0}, 0)), Float({2, 0}));
}

TEST(BatchNormalization, RejectsScalar) {
  ExpectRefused<LayerType::kBatchNormalization>(AlongBatchNormalization(0), Inputs({}, 1),
                                                DiagnosticCode::kWrongRank, "float32 []",
                                                "rank 1 or more");
}

TEST(BatchNormalization, RejectsAxisBehindRank) {
  ExpectRefused<LayerType::kBatchNormalization>(AlongBatchNormalization(3), Inputs({2, 3, 4}, 3),
                                                DiagnosticCode::kInvalidDescriptor, "axis 3",
                                                "less than 3");
}

TEST(BatchNormalization, RejectsParametersOfAnotherShape) {
  for (std::size_t input = 1; input < 5; ++input) {
    const std::string as_input = "as input " + std::to_string(input);
    std::vector<TensorInfo> inputs = Inputs({2, 3, 4}, 3);
    inputs[input] = Float({4});
    ExpectRefused<LayerType::kBatchNormalization>({}, inputs, DiagnosticCode::kWrongShape,
                                                  "float32 [4] " + as_input,
                                                  "3, the channels of input 0");
    inputs[input] = Float({3, 1});
    ExpectRefused<LayerType::kBatchNormalization>({}, inputs, DiagnosticCode::kWrongRank,
                                                  "float32 [3, 1] " + as_input, "rank 1, [C]");
  }
}

TEST(BatchNormalization, RejectsEpsilonThatIsNegativeOrNotFinite) {
  for (const float epsilon :
       {-1.0F, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    BatchNormalizationDescriptor descriptor;
    descriptor.epsilon = epsilon;
    ExpectRefused<LayerType::kBatchNormalization>(
        descriptor, Inputs({2, 3}, 3), DiagnosticCode::kInvalidDescriptor,
        "found " + std::to_string(epsilon), "finite number of 0 or more");
  }
}

}  // namespace
}  // namespace backplane
