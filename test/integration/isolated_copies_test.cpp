/// Runs whose tensors an isolated backend copies out of its own memory, and which end although the
/// copy does not.

#include "isolated_runtime.hpp"
#include "mock_rows.hpp"
#include "support/build_tree.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <thread>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using ::testing::HasSubstr;

/// Relu on Mock_LoopsInCopy, in a process of its own, and then on another backend of this one.
class IsolatedCopies : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    directory_.Add("LoopsInCopy");
    directory_.Add("OwnMemory");
    fs::copy(fs::path(InBuildTree(BACKPLANE_BACKENDS_FOLDER)) / "Backplane_CpuRef_backend.so",
             directory_.GetPath());
    CreationOptions options;
    options.dynamic_backends_path = directory_.GetPath();
    options.isolation.rules = {{GetMockRow("LoopsInCopy").id, Isolation::kProcess}};
    runtime_ = IRuntime::Create(options);
    const std::unique_ptr<INetwork> network = INetwork::Create("copied");
    OutputSlot last = network->AddInputLayer(info_, "x");
    for (const std::string& backend : {GetMockRow("LoopsInCopy").id, std::string(GetParam())}) {
      last = {AddLayer<LayerType::kActivation>(*network, ActivationDescriptor(), {last}, backend),
              0};
      network->SetBackendHint(last.layer, backend);
    }
    network->AddOutputLayer(last, "y");
    id_ = runtime_->LoadNetwork(Optimize(*network, {"CpuRef"}, runtime_->GetDeviceSpec()));
  }

  IsolatedRun Run(const RunOptions& options) const {
    const std::vector<float> x = {kCue, -1, 2, -3};
    IsolatedRun run;
    run.output.assign(4, -77);
    run.status = runtime_->EnqueueWorkload(id_, {{0, {info_, x.data()}}},
                                           {{0, run.output.data(), 16}}, options, &run.failure);
    return run;
  }

  const TensorInfo info_{{4}, DataType::kFloat32};
  MockDirectory directory_;
  std::unique_ptr<IRuntime> runtime_;
  NetworkId id_ = 0;
};

// The memory of the first is shared with the process; that of the second it gets by a copy.
INSTANTIATE_TEST_SUITE_P(To, IsolatedCopies, ::testing::Values("CpuRef", "MockOwnMemory"));

TEST_P(IsolatedCopies, EndAtTheDeadlineOfTheirRun) {
  RunOptions options;
  options.timeout = milliseconds(50);
  const IsolatedRun run = Run(options);
  EXPECT_EQ(run.status, Status::kTimeout);
  ASSERT_TRUE(run.failure.has_value());
  EXPECT_EQ(run.failure->code, DiagnosticCode::kRunTimedOut) << ToText(*run.failure);
  EXPECT_THAT(ToText(*run.failure), HasSubstr("Copy"));
}

TEST_P(IsolatedCopies, EndWhenTheirRunIsCancelled) {
  const CancellationSource source;
  RunOptions options;
  options.cancellation = source.GetToken();
  std::thread thread([&] {
    std::this_thread::sleep_for(milliseconds(50));
    source.Cancel();
  });
  const IsolatedRun run = Run(options);
  thread.join();
  EXPECT_EQ(run.status, Status::kCancelled);
  ASSERT_TRUE(run.failure.has_value());
  EXPECT_EQ(run.failure->code, DiagnosticCode::kRunCancelled) << ToText(*run.failure);
}

}  // namespace
}  // namespace backplane::test
