#include "operators/infer.hpp"

#include <limits>

namespace backplane {
namespace {

TEST(LogSoftmax, KeepsShape) {
  SoftmaxDescriptor descriptor;
  descriptor.axis = 1;
  EXPECT_EQ(Infer<LayerType::kLogSoftmax>(descriptor, {Float({2, 10})}), Float({2, 10}));
}

TEST(LogSoftmax, RejectsAxisBehindRank) {
  SoftmaxDescriptor descriptor;
  descriptor.axis = 2;
  ExpectRefused<LayerType::kLogSoftmax>(
      descriptor, {Float({2, 10})}, DiagnosticCode::kInvalidDescriptor, "axis 2", "less than 2");
}

TEST(LogSoftmax, RejectsScalar) {
  ExpectRefused<LayerType::kLogSoftmax>({}, {Float({})}, DiagnosticCode::kWrongRank, "float32 []",
                                        "rank 1 or more");
}

TEST(LogSoftmax, RejectsFactorThatIsNotFinite) {
  SoftmaxDescriptor descriptor;
  descriptor.beta = std::numeric_limits<float>::infinity();
  ExpectRefused<LayerType::kLogSoftmax>(descriptor, {Float({2})},
                                        DiagnosticCode::kInvalidDescriptor, "inf", "finite");
}

}  // namespace
}  // namespace backplane
