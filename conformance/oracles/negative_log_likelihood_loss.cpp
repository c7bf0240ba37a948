#include "conformance/axis_oracle.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/negative_log_likelihood_loss.hpp>

namespace backplane {
namespace conformance {
namespace negative_log_likelihood_loss {

struct Loss {
  long double loss = 0;
  long double weight = 0;
};

Loss GetLoss(const NegativeLogLikelihoodLossDescriptor& descriptor,
             const Operands<long double>& inputs, const Indices& at) {
  const auto target = static_cast<std::int64_t>(inputs[1].At(at));
  if (descriptor.has_ignored_target == 1 && target == descriptor.ignored_target) return {};
  if (target < 0 || target >= inputs[0].shape[1]) return {};
  Indices of_input = at;
  of_input.insert(of_input.begin() + 1, target);
  const long double weight = inputs.size() == 3 ? inputs[2].At({target}) : 1;
  return {-weight * inputs[0].At(of_input), weight};
}

long double Compute(const NegativeLogLikelihoodLossDescriptor& descriptor,
                    const Operands<long double>& inputs, const Indices& at) {
  if (descriptor.reduction == LossReduction::kNone) return GetLoss(descriptor, inputs, at).loss;
  Loss total;
  for (std::int64_t i = 0; i < inputs[1].shape.GetNumElements(); ++i) {
    const Loss one = GetLoss(descriptor, inputs, GetIndices(inputs[1].shape, i));
    total.loss += one.loss;
    total.weight += one.weight;
  }
  return descriptor.reduction == LossReduction::kSum ? total.loss : total.loss / total.weight;
}

/// Some targets are no classes, on either side.
std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (const LossReduction reduction :
       {LossReduction::kNone, LossReduction::kMean, LossReduction::kSum}) {
    NegativeLogLikelihoodLossDescriptor descriptor;
    descriptor.reduction = reduction;
    descriptor.has_ignored_target = random.Word(0, 1);
    descriptor.ignored_target = random.Integer(0, 2);
    const TensorShape shape = random.Shape(random.Word(2, 4), 2, 4);
    TensorShape targets = {shape[0]};
    for (std::uint32_t axis = 2; axis < shape.rank; ++axis) targets.Append(shape[axis]);
    std::vector<TensorShape> inputs = {shape, targets};
    if (random.Integer(0, 1) == 1) inputs.push_back({shape[1]});
    LayerCase layer = MakeCase(LayerType::kNegativeLogLikelihoodLoss, descriptor, inputs,
                               reduction == LossReduction::kNone ? targets : TensorShape{});
    const DataType type = random.Integer(0, 1) == 1 ? DataType::kInt32 : DataType::kInt64;
    layer.own_inputs = {{1, type, -1, shape[1]}};
    cases.push_back(layer);
  }
  return cases;
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  if constexpr (kIsReal<Number>)
    return Compute(layer.Get<NegativeLogLikelihoodLossDescriptor>(), inputs, at);
  return Number{};
}

LayerCase Describe(LossReduction reduction, const std::vector<TensorShape>& inputs,
                   const TensorShape& output, std::uint32_t has_ignored_target = 0) {
  NegativeLogLikelihoodLossDescriptor descriptor;
  descriptor.reduction = reduction;
  descriptor.has_ignored_target = has_ignored_target;
  return With(MakeCase(LayerType::kNegativeLogLikelihoodLoss, descriptor, inputs, output),
              {MakeOwn(1, DataType::kInt64)});
}

constexpr LossReduction kNone = LossReduction::kNone;
constexpr LossReduction kMean = LossReduction::kMean;
constexpr LossReduction kSum = LossReduction::kSum;

/// Of three entries and two classes; the ignored target is 0.
EdgeCase Compute(LossReduction reduction, const Elements& targets, const Elements& weights,
                 const Elements& output, std::uint32_t has_ignored_target = 0) {
  const TensorShape shape = reduction == kNone ? TensorShape{3} : TensorShape{};
  EdgeCase edge = {Describe(reduction, {{3, 2}, {3}}, shape, has_ignored_target),
                   {{-1, -2, -3, -4, -5, -6}, targets},
                   {output}};
  if (weights.empty()) return edge;
  edge.layer.inputs.push_back({2});
  edge.inputs.push_back(weights);
  return edge;
}

std::vector<EdgeCase> MakeEdges() {
  return {
      Compute(kNone, {0, 1, 1}, {10, 0.5L}, {10, 2, 3}),
      Compute(kSum, {0, 1, 1}, {10, 0.5L}, {15}),
      Compute(kMean, {1, 1, 1}, {10, 0.5L}, {4}),
      // What is no class does not count, nor does the ignored target.
      Compute(kNone, {-1, 1, kMost}, {}, {0, 4, 0}),
      Compute(kMean, {-1, 1, kMost}, {}, {4}),
      Compute(kMean, {0, 1, 0}, {}, {static_cast<long double>(10.0F / 3.0F)}),
      Compute(kMean, {0, 1, 0}, {}, {4}, 1),
      Compute(kMean, {-1, -1, -1}, {}, {kNaN}),
      Compute(kSum, {-1, -1, -1}, {}, {0}),
      {Describe(kNone, {{2, 0}, {2}}, {2}), {{}, {0, 1}}, {{0, 0}}},
      {Describe(kNone, {{0, 3}, {0}}, {0}), {{}, {}}, {{}}},
  };
}

std::vector<RefusedCase> MakeRefused() {
  const char* const without = ", that of input 0 without the axis of the classes";
  return {
      {Describe(kSum, {{3}, {3}}, {}), "wrong-rank", "float32 [3]", "rank 2 or more",
       "input 0 has rank 1, but must have 2 or more, [N, C, ...]"},
      {With(Describe(kSum, {{2, 3}, {2}}, {}), {}), "wrong-data-type", "float32 [2]",
       "int32, int64", "data type float32 of input 1 is not supported, only int32 or int64"},
      {Describe(kNone, {{2, 3, 4}, {2}}, {2, 4}), "wrong-rank", "int64 [2] as input 1",
       "rank 2, [N, ...]", std::string("input 1 has shape [2], but must have [2, 4]") + without},
      {Describe(kNone, {{2, 3, 4}, {2, 3}}, {2, 4}), "wrong-shape", "extent 3 at axis 1",
       "4, the extent at axis 2 of input 0",
       std::string("input 1 has shape [2, 3], but must have [2, 4]") + without},
      {Describe(kSum, {{2, 3}, {2}, {2}}, {}), "wrong-shape", "float32 [2] as input 2",
       "3, the channels of input 0",
       "input 2 has shape [2], but must have [3], an entry for each channel of input 0"},
      {Describe(LossReduction{4}, {{2, 3}, {2}}, {}), "invalid-descriptor", "number 4",
       "None, Mean or Sum", "reduction 4 is not supported, only None (1), Mean (2) and Sum (3)"},
      {Describe(kSum, {{2, 3}, {2}}, {}, 2), "invalid-descriptor", "found 2", "0 or 1",
       "has_ignored_target is 2, but must be 0 or 1"},
  };
}

}  // namespace negative_log_likelihood_loss

BACKPLANE_ELEMENT_ORACLE(NegativeLogLikelihoodLoss, negative_log_likelihood_loss,
                         PlainTypes::kFloats);

}  // namespace conformance
}  // namespace backplane
