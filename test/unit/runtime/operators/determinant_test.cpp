#include "operators/infer.hpp"

namespace backplane {
namespace {

TensorInfo GetDeterminants(const TensorShape& matrices) {
  return Infer<LayerType::kDeterminant>({}, {Float(matrices)});
}

TEST(Determinant, LosesTheAxesOfTheMatrices) {
  EXPECT_EQ(GetDeterminants({3, 3}), Float({}));
  EXPECT_EQ(GetDeterminants({2, 5, 3, 3}), Float({2, 5}));
  EXPECT_EQ(GetDeterminants({2, 0, 0}), Float({2}));
}

TEST(Determinant, RejectsWhatIsNotSquare) {
  ExpectRefused<LayerType::kDeterminant>({}, {Float({2, 3, 4})}, DiagnosticCode::kWrongShape,
                                         "extent 4 at axis 2", "expected 3");
}

TEST(Determinant, RejectsVectors) {
  ExpectRefused<LayerType::kDeterminant>({}, {Float({3})}, DiagnosticCode::kWrongRank,
                                         "float32 [3]", "rank 2 or more");
}

}  // namespace
}  // namespace backplane
