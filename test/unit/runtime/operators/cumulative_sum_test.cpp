#include "operators/infer.hpp"

namespace backplane {
namespace {

TEST(CumulativeSum, KeepsShape) {
  CumulativeSumDescriptor descriptor;
  descriptor.axis = 1;
  EXPECT_EQ(Infer<LayerType::kCumulativeSum>(descriptor, {Float({2, 0})}), Float({2, 0}));
  EXPECT_EQ(Infer<LayerType::kCumulativeSum>(descriptor, {Typed(DataType::kInt64, {2, 3})}),
            Typed(DataType::kInt64, {2, 3}));
}

TEST(CumulativeSum, RejectsAxisBehindRank) {
  CumulativeSumDescriptor descriptor;
  descriptor.axis = 2;
  ExpectRefused<LayerType::kCumulativeSum>(
      descriptor, {Float({2, 10})}, DiagnosticCode::kInvalidDescriptor, "axis 2", "less than 2");
}

TEST(CumulativeSum, RejectsScalar) {
  ExpectRefused<LayerType::kCumulativeSum>({}, {Float({})}, DiagnosticCode::kWrongRank,
                                           "float32 []", "rank 1 or more");
}

TEST(CumulativeSum, RejectsFlagsThatAreNone) {
  CumulativeSumDescriptor exclusive;
  exclusive.exclusive = 2;
  ExpectRefused<LayerType::kCumulativeSum>(exclusive, {Float({2})},
                                           DiagnosticCode::kInvalidDescriptor, "found 2", "0 or 1");
  CumulativeSumDescriptor reverse;
  reverse.reverse = 3;
  ExpectRefused<LayerType::kCumulativeSum>(reverse, {Float({2})},
                                           DiagnosticCode::kInvalidDescriptor, "found 3", "0 or 1");
}

}  // namespace
}  // namespace backplane
