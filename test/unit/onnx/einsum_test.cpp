#include "model_builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace backplane::onnx::test {
namespace {

ModelBuilder MakeEinsum(const std::string& equation, const Dims& a, const Dims& b) {
  ModelBuilder builder;
  builder.Input("a", a).Input("b", b).Output("y");
  builder.Node("Einsum", {"a", "b"}, {"y"}).String("equation", equation);
  return builder;
}

bool HasLayer(const ModelBuilder& builder, LayerType type) {
  const auto imported = builder.Import();
  const std::vector<NetworkOperator> layers = imported.network->GetOperators();
  return std::any_of(layers.begin(), layers.end(),
                     [type](const NetworkOperator& layer) { return layer.type == type; });
}

/// Products of the numbers from 1 on.
struct Product {
  const char* equation;
  Dims a;
  Dims b;
  std::vector<float> expected;
};

TEST(Einsum, IsAProductOfMatricesWhereItsEquationIs) {
  const Product kProducts[] = {
      {" i j , j -> i ", {2, 2}, {2}, {5, 11}},
      {"ij,jk", {2, 2}, {2, 2}, {7, 10, 15, 22}},
      {"ij,kj->ki", {2, 2}, {1, 2}, {5, 11}},
      {"i,j->ji", {2}, {3}, {1, 2, 2, 4, 3, 6}},
      {"ij,ij->", {2, 2}, {2, 2}, {30}},
      {"ij,ij->i", {2, 2}, {2, 2}, {5, 25}},
      {"bij,jkl->kbli", {1, 2, 2}, {2, 1, 2}, {7, 15, 10, 22}},
      {"...qhd,...khd->...hqk", {1, 1, 2, 2}, {1, 2, 2, 2}, {5, 17, 25, 53}},
      {"...hqk,...khd->...qhd", {1, 2, 1, 2}, {1, 2, 2, 1}, {7, 22}},
      {"...i,...ij->...j", {2, 2}, {1, 2, 1}, {5, 11}},
  };
  for (const Product& product : kProducts) {
    SCOPED_TRACE(product.equation);
    const ModelBuilder builder = MakeEinsum(product.equation, product.a, product.b);
    std::vector<std::vector<float>> inputs;
    for (const Dims& dims : {product.a, product.b}) {
      std::vector<float> numbers(1);
      for (const std::int64_t dim : dims)
        numbers.resize(numbers.size() * static_cast<std::size_t>(dim));
      for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i + 1);
      inputs.push_back(numbers);
    }
    EXPECT_EQ(builder.Run(inputs), product.expected);
    EXPECT_TRUE(HasLayer(builder, LayerType::kBatchMatMul));
    EXPECT_FALSE(HasLayer(builder, LayerType::kEinsum));
  }
}

/// A diagonal, a sum of one operand alone, and one that repeats along an axis that is summed over.
TEST(Einsum, StaysOneWhereItIsMore) {
  const Product kProducts[] = {{"ii,i->i", {2, 2}, {2}, {1, 8}},
                               {"ij,k->k", {2, 2}, {2}, {10, 20}},
                               {"ij,jk->ik", {1, 2}, {1, 1}, {3}}};
  for (const Product& product : kProducts) {
    SCOPED_TRACE(product.equation);
    const ModelBuilder builder = MakeEinsum(product.equation, product.a, product.b);
    EXPECT_TRUE(HasLayer(builder, LayerType::kEinsum));
  }
}

TEST(Einsum, RefusesEquationsThatAreTooLong) {
  ModelBuilder builder;
  builder.Input("a", {2}).Output("y");
  builder.Node("Einsum", {"a"}, {"y"}).String("equation", std::string(256, 'i'));
  EXPECT_EQ(builder.ImportError().causes.at(0).why,
            "its equation has 256 characters; at most 255 are supported");
}

}  // namespace
}  // namespace backplane::onnx::test
