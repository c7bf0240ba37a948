#include "operators/infer.hpp"

namespace backplane {
namespace {

TEST(LpNormalization, KeepsShape) {
  LpNormalizationDescriptor descriptor;
  descriptor.axis = 1;
  for (const std::uint32_t order : {1U, 2U}) {
    descriptor.order = order;
    EXPECT_EQ(Infer<LayerType::kLpNormalization>(descriptor, {Float({2, 3})}), Float({2, 3}));
  }
}

TEST(LpNormalization, RejectsAxisBehindRank) {
  LpNormalizationDescriptor descriptor;
  descriptor.axis = 2;
  ExpectRefused<LayerType::kLpNormalization>(
      descriptor, {Float({2, 3})}, DiagnosticCode::kInvalidDescriptor, "axis 2", "less than 2");
}

TEST(LpNormalization, RejectsScalar) {
  ExpectRefused<LayerType::kLpNormalization>({}, {Float({})}, DiagnosticCode::kWrongRank,
                                             "float32 []", "rank 1 or more");
}

TEST(LpNormalization, RejectsOtherOrders) {
  for (const std::uint32_t order : {0U, 3U}) {
    LpNormalizationDescriptor descriptor;
    descriptor.order = order;
    ExpectRefused<LayerType::kLpNormalization>(descriptor, {Float({2})},
                                               DiagnosticCode::kInvalidDescriptor,
                                               "found " + std::to_string(order), "1 or 2");
  }
}

}  // namespace
}  // namespace backplane
