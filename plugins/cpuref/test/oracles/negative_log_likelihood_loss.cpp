#include "test/axis_oracle.hpp"

#include <backplane/api/descriptors/negative_log_likelihood_loss.hpp>

namespace backplane {
namespace cpuref_test {
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

}  // namespace negative_log_likelihood_loss

CPUREF_ELEMENT_ORACLE(NegativeLogLikelihoodLoss, negative_log_likelihood_loss, PlainTypes::kFloats);

}  // namespace cpuref_test
}  // namespace backplane
