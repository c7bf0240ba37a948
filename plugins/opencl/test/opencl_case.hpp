#pragma once

/// Runs layers on OpenCl as a host would, through the entry points of the static backend. Without a
/// device the tests say why they were skipped.

#include "conformance/stored_handles.hpp"
#include "conformance/take_backend.hpp"
#include "conformance/test_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/activation.hpp>
#include <backplane/api/exceptions.hpp>
#include <backplane/api/i_backend_internal.hpp>
#include <backplane/api/static_backend.hpp>

#include <memory>
#include <string>
#include <vector>

BACKPLANE_DECLARE_STATIC_BACKEND(Backplane_OpenCl);

namespace backplane {
namespace opencl_test {

using namespace conformance;

inline void ExpectHas(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "in \"" << text << "\"";
}

inline const std::vector<float> kRelu = {0, 2, 0, 4};

inline std::unique_ptr<IBackendInternal> MakeOpenCl() {
  return conformance::TakeBackend(BACKPLANE_STATIC_ENTRY_POINTS(Backplane_OpenCl).backend_factory);
}

class LogOfTest : public ILogger {
 public:
  bool IsEnabled(LogLevel /*level*/) const override { return true; }
  Status Log(LogLevel /*level*/, const char* message) override {
    text += message;
    text += '\n';
    return Status::kSuccess;
  }

  std::string text;
};

/// A runtime's context with some options, and what is made for one network there.
class OpenClCase : public testing::Test {
 protected:
  /// Errors: as CreateBackendContext.
  void Open(const std::vector<BackendOption>& options = {}) {
    options_ = BackendOptions("OpenCl", options);
    BackendContextArgs args;
    args.options = &options_;
    args.logger = &log_;
    context_ = MakeOpenCl()->CreateBackendContext(args);
  }

  /// Why the backend is not available with these options; empty when it is.
  std::string FindWhyNot(const std::vector<BackendOption>& options, UnavailabilityReason expected) {
    try {
      Open(options);
    } catch (const BackendUnavailableException& exception) {
      EXPECT_EQ(exception.GetReason(), expected) << exception.what();
      return exception.what();
    }
    return "";
  }

  std::unique_ptr<IWorkloadFactory> MakeFactory() {
    WorkloadFactoryArgs args;
    args.options = &options_;
    args.logger = &log_;
    args.context = context_.get();
    return MakeOpenCl()->CreateWorkloadFactory(args);
  }

  LogOfTest log_;
  BackendOptions options_;
  std::unique_ptr<IBackendContext> context_;
};

/// The same where there is a device; layers are run in memory of the host, which it shares.
class OpenClDevice : public OpenClCase {
 protected:
  void SetUp() override {
    try {
      Open();
    } catch (const BackendUnavailableException& exception) {
      GTEST_SKIP() << exception.what();
    }
  }

  /// Of four elements.
  static TestLayer MakeRelu() {
    const TensorInfo info({4}, DataType::kFloat32);
    ActivationDescriptor descriptor;
    descriptor.function = ActivationFunction::kRelu;
    return TestLayer(LayerType::kActivation, descriptor, {info}, info);
  }

  /// Makes and runs MakeRelu on -1, 2, -3, 4, which gives kRelu.
  std::vector<float> RunRelu(IWorkloadFactory& factory) {
    const TestLayer layer = MakeRelu();
    const auto workload = MakeWorkload(factory, layer);
    const auto state = factory.CreateExecutionState();
    std::vector<StoredTensor> inputs = {MakeStored<float>(layer.inputs[0], {-1, 2, -3, 4})};
    std::vector<StoredTensor> outputs = {StoredTensor(layer.outputs[0])};
    const StoredHandles from(inputs);
    const StoredHandles to(outputs);
    EXPECT_EQ(Execute(*workload, from.Get(), to.Get(), state.get()), Status::kSuccess);
    return GetStored<float>(outputs[0]);
  }
};

}  // namespace opencl_test
}  // namespace backplane
