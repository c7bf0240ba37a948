#pragma once

#include "expect_diagnostic.hpp"
#include "runtime/runtime.hpp"
#include "test_backend.hpp"
#include "test_networks.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane {

/// A runtime of test backends, made without any file.
inline std::unique_ptr<IRuntime> MakeRuntime(
    const std::vector<std::shared_ptr<TestBackend>>& backends,
    const CreationOptions& options = {}) {
  return CreateRuntime({MakeRegistry(backends), {}, {}}, options);
}

/// A runtime with the backends A and B.
class RuntimeFixture : public testing::Test {
 protected:
  std::shared_ptr<const IOptimizedNetwork> OptimizeFor(
      const INetwork& network, const std::vector<std::string>& preferences) const {
    return Optimize(network, preferences, runtime_->GetDeviceSpec());
  }

  NetworkId Load(const INetwork& network, const std::vector<std::string>& preferences) const {
    return runtime_->LoadNetwork(OptimizeFor(network, preferences));
  }

  /// Runs a network with the input {0, 1, 2, 3}; gives the output, of [4] too. Both are copied, so
  /// that where tensors lie does not depend on the alignment of vectors.
  std::vector<float> RunChain(NetworkId id) const {
    std::vector<float> output(4, -1.0F);
    InputTensor input = MakeInput(0, input_);
    OutputTensor result = MakeOutput(0, output);
    input.use = MemoryUse::kCopy;
    result.use = MemoryUse::kCopy;
    std::optional<Diagnostic> failure;
    const Status status = runtime_->EnqueueWorkload(id, {input}, {result}, &failure);
    EXPECT_EQ(status, Status::kSuccess) << (failure ? ToText(*failure) : "");
    return output;
  }

  const std::vector<float> input_{0, 1, 2, 3};
  const std::shared_ptr<TestBackend> a_ = std::make_shared<TestBackend>("A");
  const std::shared_ptr<TestBackend> b_ = std::make_shared<TestBackend>("B");
  std::unique_ptr<IRuntime> runtime_ = MakeRuntime({a_, b_});
};

}  // namespace backplane
