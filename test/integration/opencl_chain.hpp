#pragma once

/// ReLU, tanh and sigmoid, one after the other, each on a backend of its own choice.

#include <backplane/runtime/i_runtime.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane::test {

class ActivationChain {
 public:
  /// Numbers from -2 on, `step` apart.
  ActivationChain(std::int64_t length, float step) : info_({length}, DataType::kFloat32) {
    for (std::int64_t i = 0; i < length; ++i) x_.push_back(static_cast<float>(i) * step - 2.0F);
  }

  /// Layers "first", "second" and "third", with these hints.
  std::unique_ptr<INetwork> Make(const std::vector<std::string>& backends) const {
    auto network = INetwork::Create("chain");
    OutputSlot tensor = network->AddInputLayer(info_, "x");
    constexpr ActivationFunction kFunctions[] = {
        ActivationFunction::kRelu, ActivationFunction::kTanH, ActivationFunction::kSigmoid};
    constexpr const char* kNames[] = {"first", "second", "third"};
    for (std::size_t i = 0; i < backends.size(); ++i) {
      ActivationDescriptor descriptor;
      descriptor.function = kFunctions[i];
      const LayerId layer =
          AddLayer<LayerType::kActivation>(*network, descriptor, {tensor}, kNames[i]);
      network->SetBackendHint(layer, backends[i]);
      tensor = {layer, 0};
    }
    network->AddOutputLayer(tensor, "y");
    return network;
  }

  void ExpectRuns(IRuntime& runtime, NetworkId id) const {
    std::vector<float> y(x_.size());
    std::optional<Diagnostic> failure;
    const Status status = runtime.EnqueueWorkload(
        id, {{0, {info_, x_.data()}}}, {{0, y.data(), y.size() * sizeof(float)}}, &failure);
    ASSERT_EQ(status, Status::kSuccess) << (failure ? ToText(*failure) : "");
    for (std::size_t i = 0; i < y.size(); ++i) {
      const float middle = std::tanh(std::max(x_[i], 0.0F));
      ASSERT_NEAR(y[i], 1.0F / (1.0F + std::exp(-middle)), 1e-5F) << i;
    }
  }

 private:
  const TensorInfo info_;
  std::vector<float> x_;
};

}  // namespace backplane::test
