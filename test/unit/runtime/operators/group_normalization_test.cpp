#include "operators/infer.hpp"

namespace backplane {
namespace {

GroupNormalizationDescriptor Groups(std::uint32_t num_groups) {
  GroupNormalizationDescriptor descriptor;
  descriptor.num_groups = num_groups;
  return descriptor;
}

TEST(GroupNormalization, KeepsShape) {
  constexpr LayerType kType = LayerType::kGroupNormalization;
  EXPECT_EQ(Infer<kType>({}, {Float({2, 3, 4}), Float({3}), Float({3})}), Float({2, 3, 4}));
  EXPECT_EQ(Infer<kType>({}, {Float({2, 3}), Float({3}), Float({3})}), Float({2, 3}));
  EXPECT_EQ(Infer<kType>({}, {Float({2, 0, 4}), Float({0}), Float({0})}), Float({2, 0, 4}));
}

TEST(GroupNormalization, TakesGroupsThatDivideTheChannels) {
  for (const std::uint32_t num_groups : {1U, 2U, 3U, 6U}) {
    EXPECT_EQ(Infer<LayerType::kGroupNormalization>(Groups(num_groups),
                                                    {Float({2, 6}), Float({6}), Float({6})}),
              Float({2, 6}));
  }
}

TEST(GroupNormalization, RejectsGroupsThatDoNotDivideTheChannels) {
  ExpectRefused<LayerType::kGroupNormalization>(
      Groups(4), {Float({2, 6}), Float({6}), Float({6})}, DiagnosticCode::kWrongShape,
      "6 channels in float32 [2, 6] and 4 groups", "a multiple of 4");
  ExpectRefused<LayerType::kGroupNormalization>(Groups(0), {Float({2, 6}), Float({6}), Float({6})},
                                                DiagnosticCode::kInvalidDescriptor, "found 0",
                                                "1 or more");
}

TEST(GroupNormalization, RejectsInputWithoutChannels) {
  ExpectRefused<LayerType::kGroupNormalization>({}, {Float({3}), Float({3}), Float({3})},
                                                DiagnosticCode::kWrongRank, "float32 [3]",
                                                "rank 2 or more");
}

TEST(GroupNormalization, RejectsParametersOfAnotherShape) {
  ExpectRefused<LayerType::kGroupNormalization>(
      {}, {Float({2, 3}), Float({2}), Float({3})}, DiagnosticCode::kWrongShape,
      "float32 [2] as input 1", "3, the channels of input 0");
  ExpectRefused<LayerType::kGroupNormalization>({}, {Float({2, 3}), Float({3}), Float({})},
                                                DiagnosticCode::kWrongRank, "float32 [] as input 2",
                                                "rank 1, [C]");
}

TEST(GroupNormalization, RejectsNegativeEpsilon) {
  GroupNormalizationDescriptor descriptor;
  descriptor.epsilon = -1.0F;
  ExpectRefused<LayerType::kGroupNormalization>(descriptor, {Float({2, 3}), Float({3}), Float({3})},
                                                DiagnosticCode::kInvalidDescriptor, "found -1",
                                                "0 or more");
}

}  // namespace
}  // namespace backplane
