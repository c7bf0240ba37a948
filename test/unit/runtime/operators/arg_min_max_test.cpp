#include "operators/infer.hpp"

namespace backplane {
namespace {

constexpr LayerType kArgMinMaxType = LayerType::kArgMinMax;

ArgMinMaxDescriptor AlongArgMinMax(std::uint32_t axis, std::uint32_t keep_dims = 0) {
  ArgMinMaxDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.keep_dims = keep_dims;
  return descriptor;
}

TEST(ArgMinMax, RemovesTheAxisOrKeepsIt) {
  EXPECT_EQ(Infer<kArgMinMaxType>(AlongArgMinMax(1), {Float({2, 3, 4})}),
            Typed(DataType::kInt64, {2, 4}));
  EXPECT_EQ(Infer<kArgMinMaxType>(AlongArgMinMax(1, 1), {Float({2, 3, 4})}),
            Typed(DataType::kInt64, {2, 1, 4}));
  EXPECT_EQ(Infer<kArgMinMaxType>(AlongArgMinMax(0), {Float({3})}), Typed(DataType::kInt64, {}));
  EXPECT_EQ(Infer<kArgMinMaxType>(AlongArgMinMax(1), {Float({0, 3})}),
            Typed(DataType::kInt64, {0}));
}

TEST(ArgMinMax, IndicesAreNotQuantized) {
  EXPECT_EQ(Infer<kArgMinMaxType>(AlongArgMinMax(1), {Quantized({2, 3})}),
            Typed(DataType::kInt64, {2}));
}

TEST(ArgMinMax, RejectsNothingToChooseFrom) {
  ExpectRefused<kArgMinMaxType>(AlongArgMinMax(1), {Float({2, 0})}, DiagnosticCode::kWrongShape,
                                "extent 0 at axis 1 of float32 [2, 0]", "1 or more");
}

TEST(ArgMinMax, RejectsAxisBehindRank) {
  ExpectRefused<kArgMinMaxType>(AlongArgMinMax(2), {Float({2, 3})},
                                DiagnosticCode::kInvalidDescriptor, "axis 2", "less than 2");
}

TEST(ArgMinMax, RejectsScalar) {
  ExpectRefused<kArgMinMaxType>(AlongArgMinMax(0), {Float({})}, DiagnosticCode::kWrongRank,
                                "float32 []", "rank 1 or more");
}

TEST(ArgMinMax, RejectsUnknownOperation) {
  ArgMinMaxDescriptor descriptor;
  descriptor.operation = ArgOperation{3};
  ExpectRefused<kArgMinMaxType>(descriptor, {Float({2})}, DiagnosticCode::kInvalidDescriptor,
                                "number 3", "Minimum or Maximum");
}

TEST(ArgMinMax, RejectsFlagsThatAreNone) {
  ExpectRefused<kArgMinMaxType>(AlongArgMinMax(0, 2), {Float({2})},
                                DiagnosticCode::kInvalidDescriptor, "found 2", "0 or 1");
  ArgMinMaxDescriptor descriptor;
  descriptor.select_last = 3;
  ExpectRefused<kArgMinMaxType>(descriptor, {Float({2})}, DiagnosticCode::kInvalidDescriptor,
                                "found 3", "0 or 1");
}

}  // namespace
}  // namespace backplane
