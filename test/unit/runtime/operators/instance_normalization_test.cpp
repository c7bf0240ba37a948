#include "operators/infer.hpp"

namespace backplane {
namespace {

TEST(InstanceNormalization, KeepsShape) {
  constexpr LayerType kType = LayerType::kInstanceNormalization;
  EXPECT_EQ(Infer<kType>({}, {Float({2, 3, 4}), Float({3}), Float({3})}), Float({2, 3, 4}));
  EXPECT_EQ(Infer<kType>({}, {Float({2, 3}), Float({3}), Float({3})}), Float({2, 3}));
  EXPECT_EQ(Infer<kType>({}, {Float({2, 0, 4}), Float({0}), Float({0})}), Float({2, 0, 4}));
}

TEST(InstanceNormalization, RejectsInputWithoutChannels) {
  ExpectRefused<LayerType::kInstanceNormalization>({}, {Float({3}), Float({3}), Float({3})},
                                                   DiagnosticCode::kWrongRank, "float32 [3]",
                                                   "rank 2 or more");
}

TEST(InstanceNormalization, RejectsParametersOfAnotherShape) {
  ExpectRefused<LayerType::kInstanceNormalization>(
      {}, {Float({2, 3}), Float({2}), Float({3})}, DiagnosticCode::kWrongShape,
      "float32 [2] as input 1", "3, the channels of input 0");
  ExpectRefused<LayerType::kInstanceNormalization>({}, {Float({2, 3}), Float({3}), Float({})},
                                                   DiagnosticCode::kWrongRank,
                                                   "float32 [] as input 2", "rank 1, [C]");
}

TEST(InstanceNormalization, RejectsNegativeEpsilon) {
  InstanceNormalizationDescriptor descriptor;
  descriptor.epsilon = -1.0F;
  ExpectRefused<LayerType::kInstanceNormalization>(
      descriptor, {Float({2, 3}), Float({3}), Float({3})}, DiagnosticCode::kInvalidDescriptor,
      "found -1", "0 or more");
}

}  // namespace
}  // namespace backplane
