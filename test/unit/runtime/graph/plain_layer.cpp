#include "graph/plain_layer.hpp"

#include "conformance/typed_case.hpp"
#include "graph/infer.hpp"

namespace backplane {
namespace {

using conformance::FindOwn;
using conformance::LayerCase;
using conformance::LayerTraits;
using conformance::QuantisedTypes;

Types GetAccepted(const LayerTraits& traits) {
  Types accepted;
  for (const DataType type : conformance::kDataTypes) {
    if (traits.plain.Has(type)) accepted.insert(type);
  }
  return accepted;
}

WithQuantized GetWithQuantized(const LayerCase& layer, const LayerTraits& traits) {
  if (traits.quantised == QuantisedTypes::kRefused) return WithQuantized::kRefused;
  if (traits.is_restated || FindOwn(layer.own_outputs, 0) != nullptr) return WithQuantized::kInput;
  if (traits.quantised == QuantisedTypes::kMoved) return WithQuantized::kMoved;
  return traits.quantised == QuantisedTypes::kInRange ? WithQuantized::kInRange
                                                      : WithQuantized::kRequantized;
}

PlainLayer MakePlainLayer(const LayerCase& layer, const LayerTraits& traits) {
  PlainLayer plain;
  plain.type = layer.type;
  plain.descriptor = layer.descriptor;
  plain.accepted = GetAccepted(traits);
  plain.quantized = GetWithQuantized(layer, traits);
  for (std::size_t index = 0; index < layer.inputs.size(); ++index) {
    const auto* own = FindOwn(layer.own_inputs, index);
    plain.inputs.push_back({layer.inputs[index], own ? own->data_type : DataType::kUndefined});
  }
  const auto* own_output = FindOwn(layer.own_outputs, 0);
  if (own_output != nullptr && !own_output->quantization.IsQuantized()) {
    plain.own_output = own_output->data_type;
  }
  return plain;
}

/// Which no oracle can know.
PlainLayer MakeCustom() {
  auto layer =
      std::make_shared<CustomLayer>("x", "y", 1, std::vector<OperatorAttribute>(),
                                    std::vector<TensorInfo>{{TensorShape{1, 1}, DataType::kInt8}});
  PlainLayer plain;
  plain.type = LayerType::kCustom;
  plain.descriptor = std::make_shared<CustomDescriptor>(layer->Get());
  plain.owner = std::move(layer);
  plain.inputs = {{{1, 1}, DataType::kFloat32}};
  plain.accepted = {DataType::kFloat32};
  plain.quantized = WithQuantized::kRefused;
  plain.own_output = DataType::kInt8;
  return plain;
}

}  // namespace

TensorInfo PlainLayer::Infer(DataType values, const QuantizationInfo& quantization,
                             const std::vector<OutputType>& stated) const {
  std::vector<TensorInfo> infos;
  for (const PlainInput& input : inputs) {
    const bool is_value = input.own_type == DataType::kUndefined;
    infos.emplace_back(input.shape, is_value ? values : input.own_type);
    if (is_value) infos.back().quantization = quantization;
  }
  return InferAll(type, *descriptor, infos, stated, 1)[0];
}

std::vector<PlainLayer> MakePlainLayers() {
  std::vector<PlainLayer> layers = {MakeCustom()};
  conformance::Random random(1);
  for (const conformance::Oracle& oracle : conformance::ListOperatorOracles()) {
    const LayerCase layer = oracle.make_cases(random).at(0);
    layers.push_back(MakePlainLayer(layer, oracle.get_traits(layer)));
  }
  return layers;
}

}  // namespace backplane
