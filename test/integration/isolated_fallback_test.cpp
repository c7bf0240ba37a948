/// Networks of a backend that fails while it runs, in a process of its own or in this one, which
/// are placed on another then.

#include "mock_rows.hpp"
#include "support/build_tree.hpp"
#include "support/forked_child.hpp"

#include <backplane/host/backend_registry.hpp>
#include <backplane/host/isolation.hpp>
#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/optimize.hpp>

#include <gmock/gmock.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using Values = std::vector<float>;

/// The input that makes a layer do what its name says.
constexpr float kFailingCue = 13;

const std::string& GetFailingId() {
  return GetMockRow("Misbehaves").id;
}

template <typename Action>
std::optional<DiagnosticCode> CatchCode(const Action& action) {
  try {
    action();
  } catch (const DiagnosticException& exception) {
    return exception.GetDiagnostic().code;
  }
  return std::nullopt;
}

/// A runtime of Mock_Misbehaves and CpuRef, and networks that prefer them in this order.
class IsolatedFallback : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_.Add("Misbehaves");
    fs::copy(fs::path(InBuildTree(BACKPLANE_BACKENDS_FOLDER)) / "Backplane_CpuRef_backend.so",
             directory_.GetPath());
  }

  void Create(const std::vector<IsolationRule>& rules, std::uint32_t max_deaths = 5) {
    CreationOptions options;
    options.dynamic_backends_path = directory_.GetPath();
    options.isolation.rules = rules;
    options.isolation.max_deaths = max_deaths;
    runtime_ = IRuntime::Create(options);
  }
  void CreateIsolated() { Create({{GetFailingId(), Isolation::kProcess}}); }

  /// One whose failing backend stays out after its second death.
  void CreateDying() { Create({{GetFailingId(), Isolation::kProcess}}, 1); }
  void KeepOut() const {
    const NetworkId deadly = Load("Kill in execute", FailurePolicy::kFail);
    const Values x(4, kFailingCue);
    Values y(4);
    for (int death = 0; death < 2; ++death) {
      EXPECT_NE(runtime_->EnqueueWorkload(deadly, {{0, {info_, x.data()}}}, {{0, y.data(), 16}}),
                Status::kSuccess);
    }
  }

  NetworkId Load(const std::string& layer,
                 FailurePolicy on_failure = FailurePolicy::kPlaceElsewhere) const {
    const std::unique_ptr<INetwork> network = INetwork::Create("relus");
    OutputSlot last = network->AddInputLayer(info_, "x");
    for (const std::string& name : {std::string("before"), layer}) {
      last = {AddLayer<LayerType::kActivation>(*network, ActivationDescriptor(), {last}, name), 0};
    }
    network->AddOutputLayer(last, "y");
    OptimizerOptions options;
    options.on_failure = on_failure;
    return runtime_->LoadNetwork(
        Optimize(*network, {GetFailingId(), "CpuRef"}, runtime_->GetDeviceSpec(), options));
  }

  /// Fails the test unless a run is right.
  void ExpectRight(NetworkId id, float first) const {
    const Values x = {first, -1, 2, -3};
    Values y(4, -77);
    std::optional<Diagnostic> failure;
    const Status status =
        runtime_->EnqueueWorkload(id, {{0, {info_, x.data()}}}, {{0, y.data(), 16}}, &failure);
    EXPECT_EQ(status, Status::kSuccess) << (failure ? ToText(*failure) : "");
    EXPECT_EQ(y, (Values{first, 0, 2, 0}));
    EXPECT_EQ(x, (Values{first, -1, 2, -3}));
  }

  std::string GetBackend(NetworkId id) const {
    return runtime_->GetFallbackReport(id).placement.layers[0].backend_id;
  }

  void ExpectElsewhere(NetworkId id, std::uint64_t num_repeated_runs, DiagnosticCode cause) const {
    const FallbackReport report = runtime_->GetFallbackReport(id);
    EXPECT_EQ(report.failed_backend, GetFailingId());
    EXPECT_EQ(report.num_repeated_runs, num_repeated_runs);
    for (const LayerPlacement& layer : report.placement.layers) {
      EXPECT_EQ(layer.backend_id, "CpuRef");
    }
    ASSERT_TRUE(report.outcome);
    EXPECT_EQ(report.outcome->code, DiagnosticCode::kPlacedElsewhere);
    ASSERT_EQ(report.outcome->causes.size(), 1U);
    EXPECT_EQ(report.outcome->causes[0].code, cause) << ToText(*report.outcome);
  }

  /// A file that makes the layer fail.
  InputTensor ImportFile(NetworkId id, unsigned flags = MFD_ALLOW_SEALING) const {
    const int file = memfd_create("input", MFD_CLOEXEC | flags);
    const Values x = {kFailingCue, -1, 2, -3};
    EXPECT_EQ(pwrite(file, x.data(), 16, 0), 16);
    MemoryView view;
    view.source = MemorySource::kFileDescriptor;
    view.file_descriptor = file;
    view.size_bytes = 16;
    InputTensor input;
    input.imported = runtime_->ImportTensor(id, BindingKind::kInput, 0, view);
    close(file);
    return input;
  }

  IsolatedProcess& GetProcess() const {
    const BackendRegistry& registry = runtime_->GetDeviceSpec().GetRegistry();
    return *registry.GetRegistration(GetFailingId()).origin->isolation;
  }

  const TensorInfo info_{{4}, DataType::kFloat32};
  MockDirectory directory_;
  std::unique_ptr<IRuntime> runtime_;
};

/// What a layer does, and how that is told.
struct FailingDeed {
  const char* layer;
  DiagnosticCode code;
  const char* words;
};

void PrintTo(const FailingDeed& deed, std::ostream* stream) {
  *stream << deed.layer;
}

class IsolatedFallbackDeeds : public IsolatedFallback,
                              public ::testing::WithParamInterface<FailingDeed> {
 protected:
  void ExpectFallback() const {
    const NetworkId id = Load(GetParam().layer);
    ExpectRight(id, 7);
    EXPECT_EQ(GetBackend(id), GetFailingId());
    EXPECT_FALSE(runtime_->GetFallbackReport(id).outcome);
    ExpectRight(id, kFailingCue);
    ExpectElsewhere(id, 1, GetParam().code);
    EXPECT_THAT(ToText(*runtime_->GetFallbackReport(id).outcome), HasSubstr(GetParam().words));
    ExpectRight(id, kFailingCue);
    ExpectRight(id, 7);
    ExpectElsewhere(id, 1, GetParam().code);
    runtime_->UnloadNetwork(id);
  }
};

TEST_P(IsolatedFallbackDeeds, OfAProcessOfTheirOwnCostNoRun) {
  CreateIsolated();
  ExpectFallback();
  EXPECT_EQ(GetProcess().GetNumStarts(), 1U) << "it is not asked again";
}

TEST_P(IsolatedFallbackDeeds, LeadToAnotherProcess) {
  Create({{"*", Isolation::kProcess}});
  ExpectFallback();
}

INSTANTIATE_TEST_SUITE_P(
    Table, IsolatedFallbackDeeds,
    ::testing::Values(FailingDeed{"Segfault in execute", DiagnosticCode::kWorkerEnded, "SIGSEGV"},
                      FailingDeed{"Kill in execute", DiagnosticCode::kWorkerEnded, "SIGKILL"},
                      FailingDeed{"Exit in execute", DiagnosticCode::kWorkerEnded, "exit"},
                      FailingDeed{"Abort in thread", DiagnosticCode::kWorkerEnded, "SIGABRT"},
                      FailingDeed{"Throw in execute", DiagnosticCode::kBackendThrew, "execute"}),
    [](const auto& row) {
      std::string name = row.param.layer;
      std::replace(name.begin(), name.end(), ' ', '_');
      return name;
    });

TEST_F(IsolatedFallback, InOneProcessCostsNoRun) {
  Create({});
  const NetworkId id = Load("Throw in execute");
  ExpectRight(id, kFailingCue);
  ExpectElsewhere(id, 1, DiagnosticCode::kBackendThrew);
  ExpectRight(id, kFailingCue);
}

TEST_F(IsolatedFallback, LeavesOtherNetworksWhereTheyAre) {
  CreateIsolated();
  const NetworkId id = Load("Kill in execute");
  const NetworkId other = Load("Kill in execute", FailurePolicy::kFail);
  const NetworkId patient = Load("second");
  ExpectRight(id, kFailingCue);
  ExpectRight(other, 7);
  ExpectRight(patient, 7);
  EXPECT_EQ(GetBackend(id), "CpuRef");
  EXPECT_EQ(GetBackend(other), GetFailingId());
  EXPECT_EQ(GetBackend(patient), GetFailingId());
}

TEST_F(IsolatedFallback, IsForBackendsThatStayOutToo) {
  CreateDying();
  const NetworkId patient = Load("second");
  KeepOut();
  ExpectRight(patient, 7);
  ExpectElsewhere(patient, 1, DiagnosticCode::kWorkerStaysOut);
}

TEST_F(IsolatedFallback, BlamesNoBackendOfTheParentInAForkedProcess) {
  CreateIsolated();
  const NetworkId id = Load("second");
  ExpectRight(id, 7);
  {
    const ForkedChild child([&] {
      const Values x(4, 7);
      Values y(4);
      std::optional<Diagnostic> failure;
      EXPECT_EQ(
          runtime_->EnqueueWorkload(id, {{0, {info_, x.data()}}}, {{0, y.data(), 16}}, &failure),
          Status::kFailure);
      ASSERT_TRUE(failure);
      EXPECT_EQ(failure->code, DiagnosticCode::kForked) << ToText(*failure);
      EXPECT_EQ(runtime_->GetFallbackReport(id).failed_backend, "");
      const std::unique_ptr<INetwork> network = INetwork::Create("relu");
      const OutputSlot input = network->AddInputLayer(info_, "x");
      network->AddOutputLayer(
          {AddLayer<LayerType::kActivation>(*network, ActivationDescriptor(), {input}, "one"), 0},
          "y");
      const auto placed = Optimize(*network, {}, runtime_->GetDeviceSpec());
      EXPECT_EQ(placed->GetPlacement().layers[0].backend_id, "CpuRef");
    });
  }
  ExpectRight(id, 7);
}

TEST_F(IsolatedFallback, PlacesNothingAnewOnABackendThatStaysOutAndThatNobodyNames) {
  CreateDying();
  KeepOut();
  const std::unique_ptr<INetwork> network = INetwork::Create("relu");
  const OutputSlot input = network->AddInputLayer(info_, "x");
  network->AddOutputLayer(
      {AddLayer<LayerType::kActivation>(*network, ActivationDescriptor(), {input}, "one"), 0}, "y");
  const auto placed = Optimize(*network, {}, runtime_->GetDeviceSpec());
  const LayerPlacement& layer = placed->GetPlacement().layers[0];
  EXPECT_EQ(layer.backend_id, "CpuRef");
  ASSERT_EQ(layer.refusals.size(), 1U);
  EXPECT_EQ(layer.refusals[0].backend_id, GetFailingId());
  EXPECT_THAT(layer.refusals[0].reason, HasSubstr("SIGKILL"));
  EXPECT_EQ(CatchCode([&] {
              Optimize(*network, {GetFailingId(), "CpuRef"}, runtime_->GetDeviceSpec());
            }),
            DiagnosticCode::kWorkerStaysOut);
}

TEST_F(IsolatedFallback, IsOneForManyThreads) {
  CreateIsolated();
  const NetworkId id = Load("Segfault in execute");
  std::vector<std::thread> threads;
  constexpr int kNumThreads = 6;
  threads.reserve(kNumThreads);
  for (int i = 0; i < kNumThreads; ++i) {
    threads.emplace_back([&] {
      for (int run = 0; run < 20; ++run) ExpectRight(id, kFailingCue);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const FallbackReport report = runtime_->GetFallbackReport(id);
  ASSERT_TRUE(report.outcome);
  EXPECT_EQ(report.outcome->code, DiagnosticCode::kPlacedElsewhere);
  EXPECT_GE(report.num_repeated_runs, 1U);
  EXPECT_LE(report.num_repeated_runs, 6U);
}

TEST_F(IsolatedFallback, IsOneWhereAnotherThreadLoadsAgainFirst) {
  constexpr int kNumNetworks = 40;
  Create({{GetFailingId(), Isolation::kProcess}}, 2 * kNumNetworks);
  for (int i = 0; i < kNumNetworks && !HasFailure(); ++i) {
    const NetworkId id = Load("Segfault in execute");
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 3; ++thread) {
      threads.emplace_back([&] {
        for (int run = 0; run < 2; ++run) ExpectRight(id, kFailingCue);
      });
    }
    for (std::thread& thread : threads) thread.join();
    runtime_->UnloadNetwork(id);
  }
}

TEST_F(IsolatedFallback, TakesImportedTensorsAlong) {
  const std::vector<std::vector<IsolationRule>> both = {{{GetFailingId(), Isolation::kProcess}},
                                                        {{"*", Isolation::kProcess}}};
  for (const std::vector<IsolationRule>& rules : both) {
    Create(rules);
    const NetworkId id = Load("Segfault in execute");
    const auto import = [&](BindingKind kind, const std::shared_ptr<void>& memory) {
      MemoryView view;
      view.source = MemorySource::kMalloc;
      view.data = memory.get();
      view.size_bytes = 16;
      return runtime_->ImportTensor(id, kind, 0, view);
    };
    const std::shared_ptr<void> x_memory = runtime_->AllocateTensorMemory(16);
    const std::shared_ptr<void> y_memory = runtime_->AllocateTensorMemory(16);
    const Values x = {kFailingCue, -1, 2, -3};
    std::copy(x.begin(), x.end(), static_cast<float*>(x_memory.get()));
    InputTensor input;
    input.imported = import(BindingKind::kInput, x_memory);
    OutputTensor output;
    output.imported = import(BindingKind::kOutput, y_memory);
    auto* const y = static_cast<float*>(y_memory.get());
    for (int run = 0; run < 2; ++run) {
      std::fill(y, y + 4, -77.0F);
      std::optional<Diagnostic> failure;
      EXPECT_EQ(runtime_->EnqueueWorkload(id, {input}, {output}, &failure), Status::kSuccess)
          << (failure ? ToText(*failure) : "");
      EXPECT_EQ(Values(y, y + 4), (Values{kFailingCue, 0, 2, 0}));
    }
    ExpectElsewhere(id, 1, DiagnosticCode::kWorkerEnded);
    runtime_->ReleaseImportedTensor(id, input.imported);
    runtime_->ReleaseImportedTensor(id, output.imported);
  }
}

// The other backend takes addresses only.
TEST_F(IsolatedFallback, TakesImportedFilesAlong) {
  const std::vector<std::vector<IsolationRule>> both = {{{GetFailingId(), Isolation::kProcess}},
                                                        {{"*", Isolation::kProcess}}};
  for (const std::vector<IsolationRule>& rules : both) {
    Create(rules);
    const NetworkId id = Load("Segfault in execute");
    const InputTensor input = ImportFile(id);
    for (int run = 0; run < 2; ++run) {
      Values y(4, -77);
      std::optional<Diagnostic> failure;
      EXPECT_EQ(runtime_->EnqueueWorkload(id, {input}, {{0, y.data(), 16}}, &failure),
                Status::kSuccess)
          << (failure ? ToText(*failure) : "");
      EXPECT_EQ(y, (Values{kFailingCue, 0, 2, 0}));
    }
    ExpectElsewhere(id, 1, DiagnosticCode::kWorkerEnded);
    runtime_->ReleaseImportedTensor(id, input.imported);
  }
}

TEST_F(IsolatedFallback, TakesFilesThatCannotBeSealedAlong) {
  Create({});
  const NetworkId id = Load("Throw in execute");
  const InputTensor input = ImportFile(id, 0);
  Values y(4, -77);
  EXPECT_EQ(runtime_->EnqueueWorkload(id, {input}, {{0, y.data(), 16}}), Status::kSuccess);
  EXPECT_EQ(y, (Values{kFailingCue, 0, 2, 0}));
  ExpectElsewhere(id, 1, DiagnosticCode::kBackendThrew);
}

TEST_F(IsolatedFallback, RefusesImportedTensorsThatTheOtherBackendCannotUse) {
  Create({{"CpuRef", Isolation::kProcess}});
  const NetworkId id = Load("Throw in execute");
  const InputTensor input = ImportFile(id, 0);
  Values y(4);
  std::optional<Diagnostic> failure;
  EXPECT_EQ(runtime_->EnqueueWorkload(id, {input}, {{0, y.data(), 16}}, &failure),
            Status::kInvalidArgument);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, DiagnosticCode::kImportRefused) << ToText(*failure);
  EXPECT_THAT(failure->what, HasSubstr("imported before the network was placed elsewhere"));
  EXPECT_THAT(failure->why, HasSubstr("MFD_ALLOW_SEALING"));
  ASSERT_EQ(failure->causes.size(), 1U);
  EXPECT_EQ(failure->causes[0].code, DiagnosticCode::kBackendThrew);
  runtime_->ReleaseImportedTensor(id, input.imported);
  ExpectRight(id, kFailingCue);
}

TEST_F(IsolatedFallback, IsNotForRunsThatEndAtTheirDeadline) {
  CreateIsolated();
  const NetworkId id = Load("Loop in execute");
  const Values x(4, kFailingCue);
  Values y(4);
  RunOptions options;
  options.timeout = std::chrono::milliseconds(50);
  std::optional<Diagnostic> failure;
  EXPECT_EQ(runtime_->EnqueueWorkload(id, {{0, {info_, x.data()}}}, {{0, y.data(), 16}}, options,
                                      &failure),
            Status::kTimeout);
  EXPECT_FALSE(runtime_->GetFallbackReport(id).outcome) << (failure ? ToText(*failure) : "");
  ExpectRight(id, 7);
  EXPECT_EQ(GetBackend(id), GetFailingId());
}

}  // namespace
}  // namespace backplane::test
