#pragma once

#include "expect_diagnostic.hpp"
#include "test_networks.hpp"

#include <vector>

namespace backplane {

/// The first outputs of an operator named "layer" that is alone in a network, with these inputs.
inline std::vector<TensorInfo> InferAll(LayerType type, const BaseDescriptor& descriptor,
                                        const std::vector<TensorInfo>& infos,
                                        const std::vector<OutputType>& stated,
                                        std::size_t num_outputs) {
  auto network = INetwork::Create("net");
  std::vector<OutputSlot> inputs;
  for (const TensorInfo& info : infos) {
    inputs.push_back(network->AddInputLayer(info, "in" + std::to_string(inputs.size())));
  }
  const LayerId layer = network->AddOperatorLayer(type, descriptor, inputs, "layer", stated);
  std::vector<TensorInfo> outputs;
  for (std::uint32_t i = 0; i < num_outputs; ++i) {
    outputs.push_back(network->GetTensorInfo({layer, i}));
  }
  return outputs;
}

/// The only output of an operator named "layer" with these inputs, or the first.
template <LayerType kType>
TensorInfo Infer(const typename DescriptorOf<kType>::Type& descriptor,
                 const std::vector<TensorInfo>& infos) {
  return InferAll(kType, descriptor, infos, {}, 1)[0];
}

/// Expects the operator to be refused; the message names the layer, found and expected.
template <LayerType kType>
void ExpectRefused(const typename DescriptorOf<kType>::Type& descriptor,
                   const std::vector<TensorInfo>& infos, DiagnosticCode code,
                   const std::string& found, const std::string& expected) {
  const Diagnostic diagnostic = CatchDiagnostic([&] { Infer<kType>(descriptor, infos); });
  ExpectDiagnostic(diagnostic, code, "layer", found, expected);
  ExpectContains(diagnostic.what, std::string("(") + GetLayerTypeName(kType) + ")");
}

constexpr auto kInvalid = DiagnosticCode::kInvalidDescriptor;

inline TensorInfo Typed(DataType type, const TensorShape& shape) {
  return {shape, type};
}

inline TensorInfo Quantized(const TensorShape& shape) {
  TensorInfo info(shape, DataType::kInt8);
  info.quantization.scales = {0.5F};
  return info;
}

}  // namespace backplane
