#include "operators/infer.hpp"

namespace backplane {
namespace {

BatchMatMulDescriptor Transposing(std::uint32_t a, std::uint32_t b) {
  BatchMatMulDescriptor descriptor;
  descriptor.transpose_a = a;
  descriptor.transpose_b = b;
  return descriptor;
}

TensorInfo Multiply(const TensorShape& a, const TensorShape& b,
                    const BatchMatMulDescriptor& descriptor = {}) {
  return Infer<LayerType::kBatchMatMul>(descriptor, {Float(a), Float(b)});
}

TEST(BatchMatMul, MultipliesTheLastTwoAxes) {
  EXPECT_EQ(Multiply({2, 3}, {3, 4}), Float({2, 4}));
  EXPECT_EQ(Multiply({3, 2}, {4, 3}, Transposing(1, 1)), Float({2, 4}));
  EXPECT_EQ(Multiply({2, 0}, {0, 4}), Float({2, 4}));
}

TEST(BatchMatMul, BroadcastsLeadingAxes) {
  EXPECT_EQ(Multiply({5, 1, 2, 3}, {6, 3, 4}), Float({5, 6, 2, 4}));
}

TEST(BatchMatMul, DropsTheAxisOfOperandsOfRankOne) {
  EXPECT_EQ(Multiply({3}, {3}), Float({}));
  EXPECT_EQ(Multiply({3}, {5, 3, 4}), Float({5, 4}));
  EXPECT_EQ(Multiply({5, 2, 3}, {3}), Float({5, 2}));
}

TEST(BatchMatMul, RejectsInnerExtentsThatDiffer) {
  ExpectRefused<LayerType::kBatchMatMul>({}, {Float({2, 3}), Float({4, 3})},
                                         DiagnosticCode::kWrongShape, "3 columns and 4 rows",
                                         "as many columns as rows");
}

TEST(BatchMatMul, RejectsLeadingExtentsThatDiffer) {
  ExpectRefused<LayerType::kBatchMatMul>({}, {Float({2, 2, 3}), Float({3, 3, 4})},
                                         DiagnosticCode::kWrongShape, "[2, 2, 3] and [3, 3, 4]",
                                         "equal or 1");
}

TEST(BatchMatMul, RejectsScalarsAndTransposedVectors) {
  ExpectRefused<LayerType::kBatchMatMul>({}, {Float({}), Float({3})}, DiagnosticCode::kWrongRank,
                                         "float32 []", "rank 1 or more");
  ExpectRefused<LayerType::kBatchMatMul>(Transposing(0, 1), {Float({3}), Float({3})},
                                         DiagnosticCode::kWrongRank, "float32 [3] as input 1",
                                         "rank 2 or more");
}

TEST(BatchMatMul, RejectsFlagOutOfRange) {
  ExpectRefused<LayerType::kBatchMatMul>(Transposing(7, 0), {Float({3}), Float({3})},
                                         DiagnosticCode::kInvalidDescriptor, "found 7", "0 or 1");
}

}  // namespace
}  // namespace backplane
