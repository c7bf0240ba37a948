#include "operator_case.hpp"

namespace bench {
namespace {

using namespace backplane;

const TensorShape kImage = {1, 64, 112, 112};
const TensorShape kTokens = {8, 197, 768};

OperatorCase MakeReduction(const char* name, ReduceOperation operation,
                           const std::vector<std::uint32_t>& axes) {
  ReduceDescriptor descriptor;
  descriptor.operation = operation;
  for (const std::uint32_t axis : axes) descriptor.axes[descriptor.num_axes++] = axis;
  return {
      name, LayerType::kReduce, std::make_shared<ReduceDescriptor>(descriptor), {Float(kImage)}};
}

template <typename Descriptor>
OperatorCase AlongAxis(const char* name, LayerType type, const TensorShape& shape,
                       std::uint32_t axis) {
  return {name, type, Describe<Descriptor>([&](auto& d) { d.axis = axis; }), {Float(shape)}};
}

void AddNormalizations(std::vector<OperatorCase>& cases) {
  const CaseInput channel = Weights({64});
  cases.push_back({"batch normalization",
                   LayerType::kBatchNormalization,
                   Describe<BatchNormalizationDescriptor>(),
                   {Float(kImage), channel, channel, channel, channel}});
  cases.push_back({"instance normalization",
                   LayerType::kInstanceNormalization,
                   Describe<InstanceNormalizationDescriptor>(),
                   {Float(kImage), channel, channel}});
  cases.push_back({"group normalization, 8 groups",
                   LayerType::kGroupNormalization,
                   Describe<GroupNormalizationDescriptor>([](auto& d) { d.num_groups = 8; }),
                   {Float(kImage), channel, channel}});
  cases.push_back({"layer normalization",
                   LayerType::kLayerNormalization,
                   Describe<LayerNormalizationDescriptor>([](auto& d) { d.axis = 2; }),
                   {Float(kTokens), Weights({768}), Weights({768})}});
  cases.push_back({"local response normalization, size 5",
                   LayerType::kLocalResponseNormalization,
                   Describe<LocalResponseNormalizationDescriptor>([](auto& d) { d.size = 5; }),
                   {Float(kImage)}});
  cases.push_back({"mean-variance normalization",
                   LayerType::kMeanVarianceNormalization,
                   Describe<MeanVarianceNormalizationDescriptor>([](auto& d) {
                     d.num_axes = 2;
                     d.axes[0] = 2;
                     d.axes[1] = 3;
                   }),
                   {Float(kImage)}});
  cases.push_back(AlongAxis<LpNormalizationDescriptor>("L2 normalization",
                                                       LayerType::kLpNormalization, kTokens, 2));
}

}  // namespace

std::vector<OperatorCase> MakeAxisCases() {
  std::vector<OperatorCase> cases = {
      AlongAxis<SoftmaxDescriptor>("softmax", LayerType::kSoftmax, {12, 197, 197}, 2),
      AlongAxis<SoftmaxDescriptor>("softmax over channels", LayerType::kSoftmax, kImage, 1),
      AlongAxis<SoftmaxDescriptor>("log-softmax", LayerType::kLogSoftmax, {12, 197, 197}, 2),
      AlongAxis<HardmaxDescriptor>("hardmax", LayerType::kHardmax, {12, 197, 197}, 2),
      MakeReduction("mean over height and width", ReduceOperation::kMean, {2, 3}),
      MakeReduction("sum over channels", ReduceOperation::kSum, {1}),
      MakeReduction("maximum over all", ReduceOperation::kMaximum, {0, 1, 2, 3}),
      MakeReduction("log-sum-exp over channels", ReduceOperation::kLogSumExp, {1}),
      AlongAxis<ArgMinMaxDescriptor>("arg-max over channels", LayerType::kArgMinMax, kImage, 1),
      AlongAxis<CumulativeSumDescriptor>("cumulative sum", LayerType::kCumulativeSum, kTokens, 2),
  };
  cases.push_back({"top 5 of 1000",
                   LayerType::kTopK,
                   Describe<TopKDescriptor>([](auto& d) {
                     d.axis = 1;
                     d.k = 5;
                   }),
                   {Float({256, 1000})}});
  cases.push_back({"negative log-likelihood loss",
                   LayerType::kNegativeLogLikelihoodLoss,
                   Describe<NegativeLogLikelihoodLossDescriptor>(),
                   {Float({256, 1000}), Indices({256}, 999)}});
  AddNormalizations(cases);
  return cases;
}

}  // namespace bench
