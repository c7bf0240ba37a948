#pragma once

/// A runtime whose mock backend runs in a process of its own, and networks of layers that
/// misbehave.

#include "mock_rows.hpp"

#include <backplane/host/backend_registry.hpp>
#include <backplane/host/isolation.hpp>
#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/optimize.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane::test {

/// The input that makes a layer of Mock_Misbehaves do what its name says.
constexpr float kCue = 13;

struct IsolatedRun {
  Status status = Status::kSuccess;
  std::optional<Diagnostic> failure;
  std::vector<float> output;
};

class IsolatedRuntime {
 public:
  /// "" as the folder: that of the row.
  explicit IsolatedRuntime(IsolationSettings settings = {}, const std::string& mock = "Misbehaves",
                           const std::string& probe = "", const std::string& folder = "")
      : id_(GetMockRow(mock).id) {
    CreationOptions options;
    options.dynamic_backends_path = folder.empty() ? GetMockRow(mock).folder : folder;
    options.probe_settings.program = probe;
    options.isolation = std::move(settings);
    options.isolation.rules.push_back({id_, Isolation::kProcess});
    runtime_ = IRuntime::Create(options);
  }

  IRuntime& operator*() const { return *runtime_; }
  IRuntime* operator->() const { return runtime_.get(); }
  const std::string& GetId() const { return id_; }

  /// relu after relu, one for each name, of `num_elements` floats.
  /// Errors: as Optimize.
  std::shared_ptr<const IOptimizedNetwork> OptimizeChain(const std::vector<std::string>& layers,
                                                         std::int64_t num_elements = 4) {
    num_elements_ = num_elements;
    std::unique_ptr<INetwork> network = INetwork::Create("chain");
    const TensorInfo info({num_elements}, DataType::kFloat32);
    OutputSlot last = network->AddInputLayer(info, "x");
    for (const std::string& name : layers) {
      last = OutputSlot{
          AddLayer<LayerType::kActivation>(*network, ActivationDescriptor(), {last}, name), 0};
    }
    network->AddOutputLayer(last, "y");
    return Optimize(*network, {id_}, runtime_->GetDeviceSpec());
  }

  /// As OptimizeChain.
  /// Errors: as Optimize and LoadNetwork.
  NetworkId Load(const std::vector<std::string>& layers, std::int64_t num_elements = 4) {
    return runtime_->LoadNetwork(OptimizeChain(layers, num_elements));
  }

  IsolatedRun Run(NetworkId id, float first, const RunOptions* run_options = nullptr) const {
    std::vector<float> x(static_cast<std::size_t>(num_elements_), -1);
    x[0] = first;
    IsolatedRun run;
    run.output.assign(x.size(), -77);
    const TensorInfo info({num_elements_}, DataType::kFloat32);
    const InputTensors inputs = {{0, {info, x.data()}}};
    const OutputTensors outputs = {{0, run.output.data(), run.output.size() * sizeof(float)}};
    run.status = run_options != nullptr
                     ? runtime_->EnqueueWorkload(id, inputs, outputs, *run_options, &run.failure)
                     : runtime_->EnqueueWorkload(id, inputs, outputs, &run.failure);
    return run;
  }

  /// Fails the test unless a run is right.
  void ExpectRight(NetworkId id, float first = 7) const {
    const IsolatedRun run = Run(id, first);
    EXPECT_EQ(run.status, Status::kSuccess) << (run.failure ? ToText(*run.failure) : "");
    std::vector<float> expected(run.output.size(), 0);
    expected[0] = first;
    EXPECT_EQ(run.output, expected);
  }

  IsolatedProcess& GetProcess() const {
    return *runtime_->GetDeviceSpec().GetRegistry().GetRegistration(id_).origin->isolation;
  }

 private:
  std::string id_;
  std::int64_t num_elements_ = 4;
  std::unique_ptr<IRuntime> runtime_;
};

}  // namespace backplane::test
