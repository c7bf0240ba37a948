#include "operators/infer.hpp"

#include <algorithm>
#include <limits>

namespace backplane {
namespace {

EinsumDescriptor DescribeEinsum(const std::string& equation) {
  EinsumDescriptor descriptor;
  std::copy(equation.begin(), equation.end(), descriptor.equation);
  return descriptor;
}

std::vector<TensorInfo> MakeInfos(const std::vector<TensorShape>& shapes) {
  std::vector<TensorInfo> infos;
  for (const TensorShape& shape : shapes) infos.push_back(Float(shape));
  return infos;
}

TensorShape GetShape(const std::string& equation, const std::vector<TensorShape>& shapes) {
  return Infer<LayerType::kEinsum>(DescribeEinsum(equation), MakeInfos(shapes)).shape;
}

void ExpectEinsumRefused(const std::string& equation, const std::vector<TensorShape>& shapes,
                         DiagnosticCode code, const std::string& found,
                         const std::string& expected) {
  ExpectRefused<LayerType::kEinsum>(DescribeEinsum(equation), MakeInfos(shapes), code, found,
                                    expected);
}

TEST(Einsum, GivesTheOutputItsLetters) {
  EXPECT_EQ(GetShape("bij,bjk->bki", {{2, 3, 4}, {2, 4, 5}}), (TensorShape{2, 5, 3}));
  EXPECT_EQ(GetShape("ii->i", {{3, 3}}), (TensorShape{3}));
  EXPECT_EQ(GetShape("ij->", {{3, 4}}), TensorShape());
  EXPECT_EQ(GetShape(" i j , j k -> k i ", {{2, 3}, {3, 4}}), (TensorShape{4, 2}));
}

TEST(Einsum, SortsLettersThatAreThereOnce) {
  EXPECT_EQ(GetShape("ba", {{2, 3}}), (TensorShape{3, 2}));
  EXPECT_EQ(GetShape("aB,Bc", {{2, 3}, {3, 4}}), (TensorShape{2, 4}));
  EXPECT_EQ(GetShape("ab,bC", {{2, 3}, {3, 4}}), (TensorShape{4, 2}));
  EXPECT_EQ(GetShape("ii", {{3, 3}}), TensorShape());
  EXPECT_EQ(GetShape("b...a", {{2, 3, 4}}), (TensorShape{3, 4, 2}));
}

TEST(Einsum, AlignsEllipsesAtTheirEnds) {
  EXPECT_EQ(GetShape("...ij,...jk->...ik", {{5, 6, 2, 3}, {6, 3, 4}}), (TensorShape{5, 6, 2, 4}));
  EXPECT_EQ(GetShape("...,...", {{5, 6}, {}}), (TensorShape{5, 6}));
  EXPECT_EQ(GetShape("i...->...", {{2, 3, 4}}), (TensorShape{3, 4}));
  EXPECT_EQ(GetShape("i...->i", {{2}}), (TensorShape{2}));
}

TEST(Einsum, BroadcastsExtentsOfOne) {
  EXPECT_EQ(GetShape("ij,jk->ik", {{2, 1}, {3, 4}}), (TensorShape{2, 4}));
  EXPECT_EQ(GetShape("...i,...i->...i", {{5, 1, 2}, {3, 1}}), (TensorShape{5, 3, 2}));
  EXPECT_EQ(GetShape("i,i->i", {{1}, {0}}), (TensorShape{0}));
}

TEST(Einsum, RejectsExtentsThatDiffer) {
  ExpectEinsumRefused(
      "ij,jk->ik", {{2, 3}, {4, 5}}, DiagnosticCode::kWrongShape,
      "extent 4 at axis 0 of input 1 in \"ij,jk->ik\" for the shapes [2, 3], [4, 5]",
      "expected 3, as the other axes with that letter have, or 1");
  ExpectEinsumRefused("ii->i", {{1, 3}}, DiagnosticCode::kWrongShape, "extent 3 at axis 1",
                      "expected 1, as the other axis with that letter has");
}

TEST(Einsum, RejectsEquationsThatDoNotFit) {
  for (const char* equation : {"ij,jk->ik", "ijk->i", "i->i", "ij->k", "ij->ii", "i..->i", "i?->i",
                               "i...j...->ij", "i...->i", "ij-i", "ij->i->j", "ij->i,j"}) {
    ExpectEinsumRefused(equation, {{2, 3}}, DiagnosticCode::kInvalidDescriptor,
                        std::string("\"") + equation + "\" for the shapes [2, 3]",
                        "a letter for each axis");
  }
}

TEST(Einsum, RejectsAnEquationWithoutAnEnd) {
  EinsumDescriptor descriptor;
  std::fill_n(descriptor.equation, kMaxEinsumEquation, 'i');
  ExpectRefused<LayerType::kEinsum>(descriptor, {Float({2})}, DiagnosticCode::kInvalidDescriptor,
                                    "iii", "terms");
}

TEST(Einsum, RejectsAResultOfTooManyAxes) {
  const TensorShape five = {1, 1, 1, 1, 1};
  ExpectEinsumRefused("abcde,fghij", {five, five}, DiagnosticCode::kInvalidDescriptor,
                      "abcde,fghij", "terms");
  EXPECT_EQ(GetShape("abcde,fghij->j", {five, five}), (TensorShape{1}));
}

TEST(Einsum, RejectsAResultWithoutASize) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 40U;
  const Diagnostic diagnostic = CatchDiagnostic([&] { GetShape("i,j->ij", {{kHuge}, {kHuge}}); });
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kTensorTooLarge);
}

}  // namespace
}  // namespace backplane
