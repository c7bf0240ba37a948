#include "operators/infer.hpp"

namespace backplane {
namespace {

constexpr LayerType kNegativeLogLikelihoodLossType = LayerType::kNegativeLogLikelihoodLoss;

NegativeLogLikelihoodLossDescriptor Reduced(LossReduction reduction) {
  NegativeLogLikelihoodLossDescriptor descriptor;
  descriptor.reduction = reduction;
  return descriptor;
}

TensorInfo Targets(const TensorShape& shape) {
  return Typed(DataType::kInt64, shape);
}

TEST(NegativeLogLikelihoodLoss, HasTheShapeOfTheTargetsOrNone) {
  const std::vector<TensorInfo> inputs = {Float({2, 3, 4, 5}), Targets({2, 4, 5}), Float({3})};
  EXPECT_EQ(Infer<kNegativeLogLikelihoodLossType>(Reduced(LossReduction::kNone), inputs),
            Float({2, 4, 5}));
  EXPECT_EQ(Infer<kNegativeLogLikelihoodLossType>(Reduced(LossReduction::kMean), inputs),
            Float({}));
  EXPECT_EQ(Infer<kNegativeLogLikelihoodLossType>(Reduced(LossReduction::kSum), inputs), Float({}));
}

TEST(NegativeLogLikelihoodLoss, TakesNoWeightsAndNoEntries) {
  EXPECT_EQ(Infer<kNegativeLogLikelihoodLossType>(Reduced(LossReduction::kNone),
                                                  {Float({0, 3}), Typed(DataType::kInt32, {0})}),
            Float({0}));
}

TEST(NegativeLogLikelihoodLoss, RejectsTargetsOfOtherTypes) {
  ExpectRefused<kNegativeLogLikelihoodLossType>({}, {Float({2, 3}), Float({2})},
                                                DiagnosticCode::kWrongDataType, "float32 [2]",
                                                "int32, int64");
}

TEST(NegativeLogLikelihoodLoss, RejectsInputWithoutClasses) {
  ExpectRefused<kNegativeLogLikelihoodLossType>(
      {}, {Float({2}), Targets({2})}, DiagnosticCode::kWrongRank, "float32 [2]", "rank 2 or more");
}

TEST(NegativeLogLikelihoodLoss, RejectsTargetsOfAnotherShape) {
  ExpectRefused<kNegativeLogLikelihoodLossType>({}, {Float({2, 3, 4}), Targets({2})},
                                                DiagnosticCode::kWrongRank, "int64 [2] as input 1",
                                                "rank 2, [N, ...]");
  ExpectRefused<kNegativeLogLikelihoodLossType>({}, {Float({2, 3, 4}), Targets({2, 3})},
                                                DiagnosticCode::kWrongShape, "extent 3 at axis 1",
                                                "4, the extent at axis 2 of input 0");
}

TEST(NegativeLogLikelihoodLoss, RejectsWeightsOfAnotherShape) {
  ExpectRefused<kNegativeLogLikelihoodLossType>(
      {}, {Float({2, 3}), Targets({2}), Float({2})}, DiagnosticCode::kWrongShape,
      "float32 [2] as input 2", "3, the channels of input 0");
}

TEST(NegativeLogLikelihoodLoss, RejectsUnknownReduction) {
  ExpectRefused<kNegativeLogLikelihoodLossType>(
      Reduced(LossReduction{4}), {Float({2, 3}), Targets({2})}, DiagnosticCode::kInvalidDescriptor,
      "number 4", "None, Mean or Sum");
}

TEST(NegativeLogLikelihoodLoss, RejectsFlagThatIsNone) {
  NegativeLogLikelihoodLossDescriptor descriptor;
  descriptor.has_ignored_target = 2;
  ExpectRefused<kNegativeLogLikelihoodLossType>(descriptor, {Float({2, 3}), Targets({2})},
                                                DiagnosticCode::kInvalidDescriptor, "found 2",
                                                "0 or 1");
}

}  // namespace
}  // namespace backplane
