#include "test/limits.hpp"
#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <algorithm>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

EinsumDescriptor DescribeEinsum(const std::string& equation) {
  EinsumDescriptor descriptor;
  std::copy(equation.begin(), equation.end(), descriptor.equation);
  return descriptor;
}

std::vector<float> RunEinsum(const std::string& equation, const std::vector<FloatTensor>& inputs,
                             const TensorShape& output) {
  return RunLayer(LayerType::kEinsum, DescribeEinsum(equation), inputs, output);
}

std::string RefuseEinsum(const EinsumDescriptor& descriptor, const std::vector<TensorShape>& inputs,
                         const TensorShape& output = {}) {
  TestLayer layer(LayerType::kEinsum, descriptor, {}, TensorInfo(output, DataType::kFloat32));
  for (const TensorShape& input : inputs) layer.inputs.emplace_back(input, DataType::kFloat32);
  return GetRefusal(layer);
}

TEST(Einsum, MultipliesLargeMatrices) {
  Random random(70);
  const FloatTensor a = random.Tensor({3, 70, 300});
  const FloatTensor b = random.Tensor({300, 3, 45});
  const auto result = RunEinsum("bik,kbj->bji", {a, b}, {3, 45, 70});
  std::vector<double> expected;
  for (std::int64_t batch = 0; batch < 3; ++batch) {
    for (std::int64_t j = 0; j < 45; ++j) {
      for (std::int64_t i = 0; i < 70; ++i) {
        double sum = 0.0;
        for (std::int64_t k = 0; k < 300; ++k) {
          sum += GetElement(a, {batch, i, k}) * GetElement(b, {k, batch, j});
        }
        expected.push_back(sum);
      }
    }
  }
  ASSERT_EQ(result.size(), expected.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(result[i]), expected[i], 1e-3) << "element " << i;
  }
}

TEST(Einsum, SumsOverNothing) {
  EXPECT_EQ(RunEinsum("ik,kj->ij", {FloatTensor({2, 0}), FloatTensor({0, 1})}, {2, 1}),
            (std::vector<float>{0.0F, 0.0F}));
  EXPECT_EQ(RunEinsum("ij->i", {FloatTensor({2, 0})}, {2}), (std::vector<float>{0.0F, 0.0F}));
  EXPECT_TRUE(RunEinsum("ij->ji", {FloatTensor({2, 0})}, {0, 2}).empty());
}

TEST(Einsum, TakesScalars) {
  EXPECT_EQ(RunEinsum(",->", {FloatTensor({}, {3}), FloatTensor({}, {4})}, {}),
            std::vector<float>{12.0F});
  EXPECT_EQ(RunEinsum("->", {FloatTensor({}, {3})}, {}), std::vector<float>{3.0F});
  EXPECT_EQ(RunEinsum("...", {FloatTensor({}, {3})}, {}), std::vector<float>{3.0F});
}

TEST(Einsum, KeepsNaNAndInfinity) {
  const auto result = RunEinsum(
      "ij,j->i", {FloatTensor({3, 2}, {kNaN, 0, kInfinity, 1, 2, 3}), FloatTensor({2}, {0, 1})},
      {3});
  ASSERT_EQ(result.size(), 3U);
  EXPECT_TRUE(std::isnan(result[0]));
  EXPECT_TRUE(std::isnan(result[1]));
  EXPECT_EQ(result[2], 3.0F);
}

TEST(Einsum, TakesAsManyOperandsAsThereMayBe) {
  std::string equation = "a";
  std::vector<FloatTensor> inputs = {FloatTensor({2}, {1, 2})};
  for (std::uint32_t i = 1; i < kMaxEinsumOperands; ++i) {
    equation += ",a";
    inputs.push_back(inputs[0]);
  }
  EXPECT_EQ(RunEinsum(equation + "->a", inputs, {2}), (std::vector<float>{1.0F, 65536.0F}));
}

TEST(Einsum, RefusesEquationsThatDoNotFit) {
  const TensorShape matrix = {2, 2};
  EXPECT_EQ(RefuseEinsum(DescribeEinsum("ij,jk->ik"), {matrix}),
            "the equation has another number of terms than there are operands");
  EXPECT_EQ(RefuseEinsum(DescribeEinsum("ij"), {matrix, matrix}),
            "the equation has another number of terms than there are operands");
  EXPECT_EQ(RefuseEinsum(DescribeEinsum("ijk->i"), {matrix}),
            "the equation has a term that does not fit the rank of its operand");
  EXPECT_EQ(RefuseEinsum(DescribeEinsum("ij->ik"), {matrix}),
            "the equation has a letter in the output that no operand has");
  EXPECT_EQ(RefuseEinsum(DescribeEinsum("ij->ii"), {matrix}),
            "the equation has a letter twice in the output");
  EXPECT_EQ(RefuseEinsum(DescribeEinsum("i..->i"), {matrix}),
            "the equation has dots that are no ellipsis");
  EXPECT_EQ(RefuseEinsum(DescribeEinsum("...i...->i"), {matrix}),
            "the equation has two ellipses in one term");
  EXPECT_EQ(RefuseEinsum(DescribeEinsum("i1->i"), {matrix}),
            "the equation has a character that has no meaning");
  EXPECT_EQ(RefuseEinsum(DescribeEinsum("i...->i"), {matrix}),
            "the equation has an ellipsis that the output lacks");
  EXPECT_EQ(RefuseEinsum(DescribeEinsum("abcdefghi->a"), {matrix}),
            "the equation has a term with more letters than a tensor has axes");
  EinsumDescriptor endless;
  std::fill_n(endless.equation, kMaxEinsumEquation, 'i');
  EXPECT_EQ(RefuseEinsum(endless, {matrix}), "the equation does not end with a zero");
}

TEST(Einsum, RefusesOutputsOfMoreAxesThanATensorHas) {
  const TensorShape five = {1, 1, 1, 1, 1};
  EXPECT_EQ(RefuseEinsum(DescribeEinsum("abcde,fghij"), {five, five}),
            "the equation has an output of too many axes");
  EXPECT_EQ(
      RefuseEinsum(DescribeEinsum("abcde,fghij->abcdefgh"), {five, five}, {1, 1, 1, 1, 1, 1, 1, 1}),
      "");
}

TEST(Einsum, RefusesExtentsThatDiffer) {
  EXPECT_EQ(RefuseEinsum(DescribeEinsum("ij,jk->ik"), {{2, 3}, {2, 2}}),
            "axis 0 of input 1 has extent 2, which differs from another axis with the same letter");
  EXPECT_EQ(RefuseEinsum(DescribeEinsum("ii->i"), {{1, 3}}),
            "axis 1 of input 0 has extent 3, which differs from another axis with the same letter");
  EXPECT_EQ(RefuseEinsum(DescribeEinsum("ij,jk->ik"), {{2, 3}, {3, 4}}, {2, 3}),
            "the output has shape [2, 3], but the inputs give [2, 4]");
}

TEST(Einsum, RefusesIntermediateResultsWithoutASize) {
  const std::int64_t huge = std::int64_t{1} << 30U;
  EXPECT_EQ(RefuseEinsum(DescribeEinsum("a,b,ab,->ab"), {{huge}, {huge}, {1, 1}, {}}, {huge, huge}),
            "an intermediate result has too many elements");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
