#include "operators/infer.hpp"

namespace backplane {
namespace {

FullyConnectedDescriptor Transposed(std::uint32_t value) {
  FullyConnectedDescriptor descriptor;
  descriptor.transpose_weights = value;
  return descriptor;
}

TEST(FullyConnected, GivesRowsTimesColumns) {
  EXPECT_EQ(Infer<LayerType::kFullyConnected>({}, {Float({5, 3}), Float({3, 7})}), Float({5, 7}));
  EXPECT_EQ(
      Infer<LayerType::kFullyConnected>(Transposed(1), {Float({5, 3}), Float({7, 3}), Float({7})}),
      Float({5, 7}));
  EXPECT_EQ(Infer<LayerType::kFullyConnected>({}, {Float({0, 3}), Float({3, 7})}), Float({0, 7}));
}

TEST(FullyConnected, RejectsWeightsThatDoNotFit) {
  ExpectRefused<LayerType::kFullyConnected>({}, {Float({5, 3}), Float({7, 3})},
                                            DiagnosticCode::kWrongShape, "extent 7 at axis 0",
                                            "3, K of the input");
}

TEST(FullyConnected, RejectsBiasThatDoesNotFit) {
  ExpectRefused<LayerType::kFullyConnected>({}, {Float({5, 3}), Float({3, 7}), Float({3})},
                                            DiagnosticCode::kWrongShape, "extent 3 at axis 0",
                                            "7, M of the weights");
  ExpectRefused<LayerType::kFullyConnected>({}, {Float({5, 3}), Float({3, 7}), Float({1, 7})},
                                            DiagnosticCode::kWrongRank, "float32 [1, 7]",
                                            "rank 1, [M]");
}

TEST(FullyConnected, RejectsOtherRanks) {
  ExpectRefused<LayerType::kFullyConnected>({}, {Float({5, 1, 3}), Float({3, 7})},
                                            DiagnosticCode::kWrongRank, "float32 [5, 1, 3]",
                                            "rank 2, [N, K]");
}

TEST(FullyConnected, RejectsFlagOutOfRange) {
  ExpectRefused<LayerType::kFullyConnected>(Transposed(2), {Float({5, 3}), Float({3, 7})},
                                            DiagnosticCode::kInvalidDescriptor, "found 2",
                                            "0 or 1");
}

TEST(FullyConnected, RejectsTypesThatDiffer) {
  ExpectRefused<LayerType::kFullyConnected>({}, {Float({5, 3}), Typed(DataType::kFloat16, {3, 7})},
                                            DiagnosticCode::kWrongDataType, "float16 [3, 7]",
                                            "float32");
}

}  // namespace
}  // namespace backplane
