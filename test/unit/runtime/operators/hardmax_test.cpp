#include "operators/infer.hpp"

namespace backplane {
namespace {

TEST(Hardmax, KeepsShape) {
  HardmaxDescriptor descriptor;
  descriptor.axis = 1;
  EXPECT_EQ(Infer<LayerType::kHardmax>(descriptor, {Float({2, 0})}), Float({2, 0}));
}

TEST(Hardmax, RejectsAxisBehindRank) {
  HardmaxDescriptor descriptor;
  descriptor.axis = 2;
  ExpectRefused<LayerType::kHardmax>(descriptor, {Float({2, 10})},
                                     DiagnosticCode::kInvalidDescriptor, "axis 2", "less than 2");
}

TEST(Hardmax, RejectsScalar) {
  ExpectRefused<LayerType::kHardmax>({}, {Float({})}, DiagnosticCode::kWrongRank, "float32 []",
                                     "rank 1 or more");
}

}  // namespace
}  // namespace backplane
