#include "operators/infer.hpp"

#include <limits>

namespace backplane {
namespace {

TEST(Softmax, KeepsShape) {
  SoftmaxDescriptor descriptor;
  descriptor.axis = 1;
  EXPECT_EQ(Infer<LayerType::kSoftmax>(descriptor, {Float({2, 10})}), Float({2, 10}));
}

TEST(Softmax, RejectsAxisBehindRank) {
  SoftmaxDescriptor descriptor;
  descriptor.axis = 2;
  ExpectRefused<LayerType::kSoftmax>(descriptor, {Float({2, 10})},
                                     DiagnosticCode::kInvalidDescriptor, "axis 2", "less than 2");
}

TEST(Softmax, RejectsScalar) {
  ExpectRefused<LayerType::kSoftmax>({}, {Float({})}, DiagnosticCode::kWrongRank, "float32 []",
                                     "rank 1 or more");
}

TEST(Softmax, RejectsFactorThatIsNotFinite) {
  SoftmaxDescriptor descriptor;
  descriptor.beta = std::numeric_limits<float>::infinity();
  ExpectRefused<LayerType::kSoftmax>(descriptor, {Float({2})}, DiagnosticCode::kInvalidDescriptor,
                                     "inf", "finite");
}

TEST(Softmax, RejectsIntegers) {
  ExpectRefused<LayerType::kSoftmax>({}, {Typed(DataType::kInt64, {2})},
                                     DiagnosticCode::kWrongDataType, "int64 [2]", "float32");
}

}  // namespace
}  // namespace backplane
