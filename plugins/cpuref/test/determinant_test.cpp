#include "test/limits.hpp"
#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

std::vector<float> GetDeterminants(const FloatTensor& matrices) {
  TensorShape output = matrices.shape;
  output.rank -= 2;
  return RunLayer(LayerType::kDeterminant, NoDescriptor(), {matrices}, output);
}

TEST(Determinant, HasTheSignOfThePermutation) {
  EXPECT_EQ(GetDeterminants({{2, 2}, {0, 1, 1, 0}}), std::vector<float>{-1.0F});
  EXPECT_EQ(GetDeterminants({{3, 3}, {0, 1, 0, 0, 0, 1, 1, 0, 0}}), std::vector<float>{1.0F});
  EXPECT_EQ(GetDeterminants({{4, 4}, {0, 0, 0, 2, 0, 0, 3, 0, 0, 5, 0, 0, 7, 0, 0, 0}}),
            std::vector<float>{210.0F});
}

TEST(Determinant, OfNothingIsOne) {
  EXPECT_EQ(GetDeterminants(FloatTensor({2, 0, 0})), (std::vector<float>{1.0F, 1.0F}));
  EXPECT_TRUE(GetDeterminants(FloatTensor({0, 2, 2})).empty());
}

TEST(Determinant, OfEachMatrixOfAStack) {
  EXPECT_EQ(GetDeterminants({{2, 1, 2, 2}, {1, 2, 3, 4, 2, 0, 0, 3}}),
            (std::vector<float>{-2.0F, 6.0F}));
  EXPECT_EQ(GetDeterminants({{3, 1, 1}, {5, -6, 0}}), (std::vector<float>{5.0F, -6.0F, 0.0F}));
}

TEST(Determinant, OfASingularMatrixIsZero) {
  EXPECT_EQ(GetDeterminants({{3, 3}, {1, 2, 3, 0, 0, 0, 4, 5, 6}}), std::vector<float>{0.0F});
  EXPECT_EQ(GetDeterminants({{2, 2}, {0, 2, 0, 3}}), std::vector<float>{0.0F});
}

TEST(Determinant, NeedsNoLuckWithSmallPivots) {
  // Without the exchange of rows, 1e-30 would swallow the rest.
  EXPECT_EQ(GetDeterminants({{2, 2}, {1e-30F, 1, 1, 1}}), std::vector<float>{-1.0F});
}

TEST(Determinant, KeepsNaNAndInfinity) {
  EXPECT_TRUE(std::isnan(GetDeterminants({{2, 2}, {1, 2, kNaN, 4}}).at(0)));
  EXPECT_TRUE(std::isnan(GetDeterminants({{2, 2}, {0, 0, kNaN, 4}}).at(0)));
  EXPECT_EQ(GetDeterminants({{2, 2}, {kInfinity, 0, 0, -1}}).at(0), -kInfinity);
}

TEST(Determinant, RefusesWhatIsNotSquare) {
  const TestLayer layer(LayerType::kDeterminant, NoDescriptor(),
                        {TensorInfo({2, 3}, DataType::kFloat32)},
                        TensorInfo(TensorShape(), DataType::kFloat32));
  EXPECT_EQ(GetRefusal(layer),
            "input 0 has shape [2, 3], but must have square matrices in its last two axes");
  const TestLayer vector(LayerType::kDeterminant, NoDescriptor(),
                         {TensorInfo({2}, DataType::kFloat32)},
                         TensorInfo(TensorShape(), DataType::kFloat32));
  EXPECT_EQ(GetRefusal(vector),
            "input 0 has shape [2], but must have square matrices in its last two axes");
}

TEST(Determinant, RefusesIntegersAndAnotherOutput) {
  TestLayer layer(LayerType::kDeterminant, NoDescriptor(),
                  {TensorInfo({3, 2, 2}, DataType::kFloat32)}, TensorInfo({2}, DataType::kFloat32));
  EXPECT_EQ(GetRefusal(layer), "the output has shape [2], but the inputs give [3]");
  layer.inputs[0].data_type = layer.outputs[0].data_type = DataType::kInt32;
  EXPECT_EQ(GetRefusal(layer), std::string("data type int32 of input 0") + kOnlyFloats +
                                   "; data type int32 of the output" + kOnlyFloats);
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
