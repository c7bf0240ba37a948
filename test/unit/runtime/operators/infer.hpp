#pragma once

#include "expect_diagnostic.hpp"
#include "test_networks.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace backplane {

/// The first outputs of an operator named "layer" with these inputs.
template <LayerType kType>
std::vector<TensorInfo> InferAll(const typename DescriptorOf<kType>::Type& descriptor,
                                 const std::vector<TensorInfo>& infos, std::uint32_t num_outputs) {
  auto network = INetwork::Create("net");
  std::vector<OutputSlot> inputs;
  for (const TensorInfo& info : infos) {
    inputs.push_back(network->AddInputLayer(info, "in" + std::to_string(inputs.size())));
  }
  const LayerId layer = AddLayer<kType>(*network, descriptor, inputs, "layer");
  std::vector<TensorInfo> outputs;
  for (std::uint32_t i = 0; i < num_outputs; ++i) {
    outputs.push_back(network->GetTensorInfo({layer, i}));
  }
  return outputs;
}

/// The only output of an operator, or the first.
template <LayerType kType>
TensorInfo Infer(const typename DescriptorOf<kType>::Type& descriptor,
                 const std::vector<TensorInfo>& infos) {
  return InferAll<kType>(descriptor, infos, 1)[0];
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
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

inline TensorInfo Typed(DataType type, const TensorShape& shape) {
  return {shape, type};
}

inline TensorInfo PerAxis(const TensorShape& shape, std::uint32_t axis) {
  TensorInfo info(shape, DataType::kInt8);
  info.quantization.scales.assign(static_cast<std::size_t>(shape[axis]), 0.5F);
  info.quantization.axis = static_cast<std::int32_t>(axis);
  return info;
}

inline TensorInfo Indices(const TensorShape& shape) {
  return Typed(DataType::kInt64, shape);
}

inline TensorInfo Quantized(const TensorShape& shape) {
  TensorInfo info(shape, DataType::kInt8);
  info.quantization.scales = {0.5F};
  return info;
}

}  // namespace backplane
