#pragma once

/// An operator of the backend's own, which the kernels have under another name.

#include "mistake.hpp"

#include <backplane/api/custom_layer.hpp>
#include <backplane/api/descriptors/activation.hpp>

#include <cstring>
#include <vector>

namespace mutants {

/// Calls `use` with the question or the arguments as the kernels know them.
template <typename Args, typename Use>
auto WithKnownOperator(Args args, const Use& use) {
  const backplane::ActivationDescriptor relu;
  if (args.layer_type == backplane::LayerType::kCustom) {
    args.layer_type = backplane::LayerType::kActivation;
    args.descriptor = &relu;
  }
  return use(args);
}

inline backplane::OperatorDeclaration DeclareRelu() {
  backplane::OperatorDeclaration relu;
  relu.domain = "mock";
  relu.type = "Relu";
  relu.text = "Numbers below 0 become 0.";
  relu.inputs = {{"x", {backplane::DataType::kFloat32}}};
  relu.outputs = {{"y", {backplane::DataType::kFloat32}}};
  return relu;
}

inline backplane::OperatorTensor MakeTensor(const std::vector<float>& values) {
  backplane::OperatorTensor tensor;
  tensor.info.shape = {static_cast<std::int64_t>(values.size())};
  tensor.info.data_type = backplane::DataType::kFloat32;
  tensor.bytes.resize(values.size() * sizeof(float));
  std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  return tensor;
}

inline backplane::OperatorCase MakeCaseOfRelu() {
  backplane::OperatorCase relu;
  relu.name = "of both signs";
  relu.domain = "mock";
  relu.type = "Relu";
  relu.inputs = {MakeTensor({-1, 2})};
  relu.outputs = {MakeTensor({Makes(Mistake::kCaseWrong) ? -1.0F : 0.0F, 2})};
  return relu;
}

}  // namespace mutants
