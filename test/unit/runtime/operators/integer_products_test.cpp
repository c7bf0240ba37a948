#include "operators/infer.hpp"

namespace backplane {
namespace {

TensorInfo Signed(const TensorShape& shape) {
  return Typed(DataType::kInt8, shape);
}

TensorInfo Unsigned(const TensorShape& shape) {
  return Typed(DataType::kUInt8, shape);
}

TensorInfo Sums(const TensorShape& shape) {
  return Typed(DataType::kInt32, shape);
}

constexpr auto kConvolution = LayerType::kIntegerConvolution;
constexpr auto kMatMul = LayerType::kIntegerMatMul;

TEST(IntegerConvolution, GivesSums) {
  EXPECT_EQ(Infer<kConvolution>({}, {Unsigned({1, 2, 5, 5}), Signed({4, 2, 3, 3})}),
            Sums({1, 4, 3, 3}));
  EXPECT_EQ(Infer<kConvolution>(
                {}, {Signed({1, 2, 5, 5}), Unsigned({4, 2, 3, 3}), Signed({1}), Unsigned({4})}),
            Sums({1, 4, 3, 3}));
}

TEST(IntegerConvolution, RejectsAZeroPointOfAnotherType) {
  ExpectRefused<kConvolution>({}, {Unsigned({1, 2, 5, 5}), Signed({4, 2, 3, 3}), Signed({})},
                              DiagnosticCode::kWrongDataType, "int8 [] as zero point",
                              "expected uint8");
}

TEST(IntegerConvolution, RejectsZeroPointsThatDoNotFit) {
  ExpectRefused<kConvolution>({}, {Unsigned({1, 2, 5, 5}), Signed({4, 2, 3, 3}), Unsigned({2})},
                              DiagnosticCode::kWrongShape, "uint8 [2] as input 2",
                              "expected shape [] or [1]");
  ExpectRefused<kConvolution>(
      {}, {Unsigned({1, 2, 5, 5}), Signed({4, 2, 3, 3}), Unsigned({}), Signed({3})},
      DiagnosticCode::kWrongShape, "int8 [3] as input 3", "or [4], one for each filter");
}

TEST(IntegerConvolution, RejectsChannelsThatDoNotFit) {
  ExpectRefused<kConvolution>({}, {Unsigned({1, 2, 5, 5}), Signed({4, 3, 3, 3})},
                              DiagnosticCode::kWrongShape, "extent 3", "expected 2");
}

TEST(IntegerConvolution, RejectsOtherTypes) {
  ExpectRefused<kConvolution>({}, {Float({1, 2, 5}), Signed({4, 2, 3})},
                              DiagnosticCode::kWrongDataType, "float32 [1, 2, 5]", "int8, uint8");
  ExpectRefused<kConvolution>({}, {Signed({1, 2, 5}), Typed(DataType::kInt16, {4, 2, 3})},
                              DiagnosticCode::kWrongDataType, "int16 [4, 2, 3]", "int8, uint8");
}

TEST(IntegerMatMul, GivesSums) {
  EXPECT_EQ(Infer<kMatMul>({}, {Unsigned({2, 1, 3, 4}), Signed({5, 4, 6})}), Sums({2, 5, 3, 6}));
  EXPECT_EQ(Infer<kMatMul>({}, {Unsigned({4}), Signed({4, 6})}), Sums({6}));
}

TEST(IntegerMatMul, TakesZeroPointsOfEveryShape) {
  const TensorInfo a = Unsigned({2, 3, 4});
  const TensorInfo b = Signed({4, 6});
  for (const TensorShape& rows :
       {TensorShape{}, TensorShape{1}, TensorShape{3}, TensorShape{2, 3, 1}}) {
    for (const TensorShape& columns :
         {TensorShape{}, TensorShape{1}, TensorShape{6}, TensorShape{1, 6}}) {
      EXPECT_EQ(Infer<kMatMul>({}, {a, b, Unsigned(rows), Signed(columns)}), Sums({2, 3, 6}));
    }
  }
}

TEST(IntegerMatMul, RejectsZeroPointsThatDoNotFit) {
  ExpectRefused<kMatMul>({}, {Unsigned({2, 3, 4}), Signed({4, 6}), Unsigned({2})},
                         DiagnosticCode::kWrongShape, "uint8 [2] as input 2 for uint8 [2, 3, 4]",
                         "one for each row, or shape [2, 3, 1]");
  ExpectRefused<kMatMul>({}, {Unsigned({3, 4}), Signed({4, 6}), Unsigned({}), Signed({4, 1})},
                         DiagnosticCode::kWrongShape, "int8 [4, 1] as input 3 for int8 [4, 6]",
                         "one for each column, or shape [1, 6]");
}

TEST(IntegerMatMul, RejectsMatricesThatDoNotFit) {
  ExpectRefused<kMatMul>({}, {Unsigned({3, 4}), Signed({5, 6})}, DiagnosticCode::kWrongShape,
                         "4 columns and 5 rows", "as many columns as rows");
}

}  // namespace
}  // namespace backplane
