/// Backends that run in processes of their own.

#include <backplane/host/late_backend.hpp>

#include "isolated_runtime.hpp"
#include "plain_allocator.hpp"
#include "support/build_tree.hpp"
#include "support/scoped_variable.hpp"
#include "support/temporary_directory.hpp"

#include <unistd.h>

#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>
#include <vector>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;

TEST(Isolation, RunsABackendInAProcessOfItsOwn) {
  IsolatedRuntime runtime;
  const NetworkId network = runtime.Load({"a", "b"});
  for (int i = 0; i < 20; ++i) runtime.ExpectRight(network, static_cast<float>(i + 20));
  EXPECT_GT(runtime.GetProcess().GetProcessId(), 0);
  EXPECT_NE(runtime.GetProcess().GetProcessId(), getpid());
  EXPECT_EQ(runtime.GetProcess().GetNumStarts(), 1U);
}

TEST(Isolation, IsToldInTheReport) {
  IsolatedRuntime runtime;
  bool is_told = false;
  for (const Candidate& candidate : runtime->GetLoadReport().candidates) {
    for (const Diagnostic& diagnostic : candidate.diagnostics) {
      is_told = is_told || diagnostic.code == DiagnosticCode::kIsolated;
    }
  }
  EXPECT_TRUE(is_told);
}

TEST(Isolation, OfAnUnknownBackendIsRefused) {
  CreationOptions options;
  options.dynamic_backends_path = GetMockRow("Misbehaves").folder;
  options.isolation.rules = {{"MockMisbehave", Isolation::kProcess}};
  try {
    IRuntime::Create(options);
    FAIL() << "nothing was thrown";
  } catch (const DiagnosticException& exception) {
    EXPECT_THAT(exception.what(), HasSubstr("MockMisbehaves"));
  }
}

TEST(Isolation, TakesNoAllocatorOfTheApplication) {
  CreationOptions options;
  options.dynamic_backends_path = GetMockRow("Records").folder;
  options.custom_allocators = {{"MockRecords", std::make_shared<PlainAllocator>()}};
  options.isolation.rules = {{"MockRecords", Isolation::kProcess}};
  try {
    IRuntime::Create(options);
    FAIL() << "nothing was thrown";
  } catch (const DiagnosticException& exception) {
    const std::string text = ToText(exception.GetDiagnostic());
    EXPECT_THAT(text, HasSubstr(GetDiagnosticId(DiagnosticCode::kAllocatorRefused)));
    EXPECT_THAT(text, HasSubstr("which cannot use memory that this one allocates"));
  }
}

TEST(Isolation, SaysThatItsProgramIsMissing) {
  const TemporaryDirectory directory;
  const std::string probe = directory.GetPath() + "/backplane-probe";
  ASSERT_EQ(symlink(InBuildTree(BACKPLANE_PROBE).c_str(), probe.c_str()), 0);
  try {
    IsolatedRuntime(IsolationSettings(), "Misbehaves", probe);
    FAIL() << "nothing was thrown";
  } catch (const DiagnosticException& exception) {
    const std::string text = ToText(exception.GetDiagnostic());
    EXPECT_THAT(text, HasSubstr(GetDiagnosticId(DiagnosticCode::kWorkerNotStarted)));
    EXPECT_THAT(text, HasSubstr("backplane-worker"));
  }
}

TEST(Isolation, StartsNoProcessBeforeTheFirstUseWhereOpeningIsLazy) {
  CreationOptions options;
  options.dynamic_backends_path = GetMockRow("Misbehaves").folder;
  options.opening = Opening::kLazy;
  options.isolation.rules = {{"MockMisbehaves", Isolation::kProcess}};
  const auto runtime = IRuntime::Create(options);
  const BackendRegistration registration =
      runtime->GetDeviceSpec().GetRegistry().GetRegistration("MockMisbehaves");
  ASSERT_NE(registration.late, nullptr);
  EXPECT_EQ(registration.late->GetOutcome(), nullptr);
  const auto network = INetwork::Create("chain");
  const OutputSlot x = network->AddInputLayer(TensorInfo({4}, DataType::kFloat32), "x");
  network->AddOutputLayer(
      {AddLayer<LayerType::kActivation>(*network, ActivationDescriptor(), {x}, "relu"), 0}, "y");
  const NetworkId id =
      runtime->LoadNetwork(Optimize(*network, {"MockMisbehaves"}, runtime->GetDeviceSpec()));
  const LateOutcome* const outcome = registration.late->GetOutcome();
  ASSERT_NE(outcome, nullptr);
  ASSERT_NE(outcome->registration.origin->isolation, nullptr);
  EXPECT_EQ(outcome->registration.origin->isolation->GetNumStarts(), 1U);
  EXPECT_NE(outcome->registration.origin->isolation->GetProcessId(), getpid());
  std::vector<float> values = {-1, 2, -3, 4};
  std::vector<float> results(4, -77);
  EXPECT_EQ(
      runtime->EnqueueWorkload(id, {{0, {TensorInfo({4}, DataType::kFloat32), values.data()}}},
                               {{0, results.data(), results.size() * sizeof(float)}}),
      Status::kSuccess);
  EXPECT_EQ(results, (std::vector<float>{0, 2, 0, 4}));
  EXPECT_FALSE(IsMapped(GetMockRow("Misbehaves").path));
}

TEST(Isolation, EndsWithTheRuntime) {
  std::int64_t process = 0;
  {
    IsolatedRuntime runtime;
    runtime.Load({"a"});
    process = runtime.GetProcess().GetProcessId();
    EXPECT_EQ(kill(static_cast<pid_t>(process), 0), 0);
  }
  EXPECT_NE(kill(static_cast<pid_t>(process), 0), 0);
}

TEST(Isolation, CopiesNothingOfMemoryOfTheRuntime) {
  IsolatedRuntime runtime;
  const NetworkId network = runtime.Load({"a"});
  const std::shared_ptr<void> of_input = runtime->AllocateTensorMemory(4 * sizeof(float));
  const std::shared_ptr<void> of_output = runtime->AllocateTensorMemory(4 * sizeof(float));
  auto* const floats = static_cast<float*>(of_input.get());
  auto* const results = static_cast<float*>(of_output.get());
  const TensorInfo info({4}, DataType::kFloat32);
  const float values[] = {-1, 2, -3, 4};
  std::copy(values, values + 4, floats);
  const Status status =
      runtime->EnqueueWorkload(network, {{0, {info, floats}}}, {{0, results, 4 * sizeof(float)}});
  EXPECT_EQ(status, Status::kSuccess);
  EXPECT_EQ(std::vector<float>(results, results + 4), (std::vector<float>{0, 2, 0, 4}));
  const TransferReport report = runtime->GetTransferReport(network);
  EXPECT_EQ(report.inputs[0].copied_bytes, 0U);
  EXPECT_EQ(report.outputs[0].copied_bytes, 0U);
}

TEST(Isolation, CopiesOtherMemoryOnceAndSaysWhy) {
  IsolatedRuntime runtime;
  const NetworkId network = runtime.Load({"a"});
  runtime.ExpectRight(network);
  const TransferReport report = runtime->GetTransferReport(network);
  EXPECT_EQ(report.inputs[0].copied_bytes, 4 * sizeof(float));
  EXPECT_EQ(report.outputs[0].copied_bytes, 4 * sizeof(float));
  EXPECT_THAT(report.inputs[0].reason, HasSubstr("isolated"));
}

TEST(Isolation, RefusesToImportMemoryOfThisProcessAlone) {
  IsolatedRuntime runtime;
  const NetworkId network = runtime.Load({"a"});
  alignas(64) float values[4] = {};
  MemoryView view;
  view.data = values;
  view.source = MemorySource::kMalloc;
  view.size_bytes = sizeof(values);
  try {
    runtime->ImportTensor(network, BindingKind::kInput, 0, view);
    FAIL() << "nothing was thrown";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kMemoryCannotCross);
  }
}

TEST(Isolation, KeepsImportedMemoryInTheNextProcess) {
  IsolatedRuntime runtime;
  const NetworkId network = runtime.Load({"Kill in execute"});
  const std::shared_ptr<void> memory = runtime->AllocateTensorMemory(4 * sizeof(float));
  auto* const values = static_cast<float*>(memory.get());
  MemoryView view;
  view.data = values;
  view.source = MemorySource::kMalloc;
  view.size_bytes = 4 * sizeof(float);
  const ImportedTensorId imported = runtime->ImportTensor(network, BindingKind::kInput, 0, view);
  const auto run = [&](float first) {
    values[0] = first;
    std::vector<float> output(4, -77);
    const Status status =
        runtime->EnqueueWorkload(network, {{0, {}, MemoryUse::kImportElseCopy, imported}},
                                 {{0, output.data(), output.size() * sizeof(float)}});
    return std::make_pair(status, output[0]);
  };
  EXPECT_EQ(run(3), std::make_pair(Status::kSuccess, 3.0F));
  EXPECT_EQ(run(kCue).first, Status::kFailure);
  EXPECT_EQ(run(5), std::make_pair(Status::kSuccess, 5.0F));
}

void KillProcess(const IsolatedRuntime& runtime) {
  IsolatedProcess& process = runtime.GetProcess();
  const std::uint32_t number = process.GetNumStarts();
  kill(static_cast<pid_t>(process.GetProcessId()), SIGKILL);
  while (!process.HasEnded(number)) std::this_thread::yield();
}

// What a backend hands over in another order must not take the place of something else.
TEST(Isolation, CompilesAgainInTheNextProcess) {
  const TemporaryDirectory directory;
  const std::string order_file = directory / "order";
  const ScopedVariable order("MOCK_ORDER_FILE", order_file.c_str());
  IsolationSettings settings;
  settings.environment = {"MOCK_*"};
  IsolatedRuntime runtime(settings, "CompilesInAnyOrder");
  const std::unique_ptr<INetwork> network = INetwork::Create("three products");
  const TensorInfo info({1}, DataType::kFloat32);
  const OutputSlot x = network->AddInputLayer(info, "x");
  for (const char* const name : {"by 52", "by 63", "by 74"}) {
    const ActivationDescriptor relu;
    network->AddOutputLayer({AddLayer<LayerType::kActivation>(*network, relu, {x}, name), 0}, name);
  }
  const NetworkId id =
      runtime->LoadNetwork(Optimize(*network, {runtime.GetId()}, runtime->GetDeviceSpec()));
  const auto run = [&] {
    const float one = 1;
    std::vector<float> results(3, -77);
    const Status status = runtime->EnqueueWorkload(
        id, {{0, {info, &one}}}, {{0, &results[0], 4}, {1, &results[1], 4}, {2, &results[2], 4}});
    EXPECT_EQ(status, Status::kSuccess);
    return results;
  };
  const std::vector<float> expected = {52, 63, 74};
  EXPECT_EQ(run(), expected);
  KillProcess(runtime);
  EXPECT_TRUE(std::filesystem::exists(order_file)) << "the order was the same each time";
  EXPECT_EQ(run(), expected);
  EXPECT_EQ(runtime.GetProcess().GetNumStarts(), 2U);
}

TEST(Isolation, LoadsWhatWasOptimizedInAProcessThatHasEnded) {
  IsolatedRuntime runtime;
  const auto optimized = runtime.OptimizeChain({"a", "b"});
  for (std::uint32_t i = 1; i <= 3; ++i) {
    KillProcess(runtime);
    const NetworkId network = runtime->LoadNetwork(optimized);
    runtime.ExpectRight(network);
    EXPECT_EQ(runtime.GetProcess().GetNumStarts(), i + 1);
  }
}

TEST(Isolation, GivesTheNextProcessTheConstantsOfANetworkThatWasGivenUp) {
  IsolatedRuntime runtime(IsolationSettings(), "RunsBinary");
  std::unique_ptr<INetwork> network = INetwork::Create("sum");
  const TensorInfo info({4}, DataType::kFloat32);
  const OutputSlot x = network->AddInputLayer(info, "x");
  const std::vector<float> values = {1, 2, 3, 4};
  const OutputSlot c =
      network->AddConstantLayer(info, CopyConstantData(values.data(), sizeof(float) * 4), "c");
  ElementwiseBinaryDescriptor add;
  add.operation = BinaryOperation::kAdd;
  network->AddOutputLayer(
      {AddLayer<LayerType::kElementwiseBinary>(*network, add, {x, c}, "sum"), 0}, "y");
  const NetworkId id = runtime->LoadNetwork(
      Optimize(std::move(network), {runtime.GetId()}, runtime->GetDeviceSpec()));
  for (int i = 0; i < 3; ++i) {
    const std::vector<float> input = {10, 20, 30, 40};
    std::vector<float> output(4, -77);
    const Status status =
        runtime->EnqueueWorkload(id, {{0, {info, input.data()}}}, {{0, output.data(), 16}});
    EXPECT_EQ(status, Status::kSuccess);
    EXPECT_EQ(output, (std::vector<float>{11, 22, 33, 44}));
    KillProcess(runtime);
  }
}

TEST(Isolation, WarnsWhenTheNextProcessTakesOtherLayers) {
  const TemporaryDirectory directory;
  const MockDirectory backends;
  backends.Add("CompilesInAnyOrder");
  backends.Add("Runs");
  const std::string refusal = directory / "refusal";
  const ScopedVariable variable("MOCK_REFUSAL_FILE", refusal.c_str());
  IsolationSettings settings;
  settings.environment = {"MOCK_*"};
  IsolatedRuntime runtime(settings, "CompilesInAnyOrder", "", backends.GetPath());
  const std::unique_ptr<INetwork> network = INetwork::Create("one product");
  const TensorInfo info({1}, DataType::kFloat32);
  const OutputSlot x = network->AddInputLayer(info, "x");
  const ActivationDescriptor relu;
  network->AddOutputLayer({AddLayer<LayerType::kActivation>(*network, relu, {x}, "by 1"), 0}, "y");
  const NetworkId id = runtime->LoadNetwork(
      Optimize(*network, {runtime.GetId(), GetMockRow("Runs").id}, runtime->GetDeviceSpec()));
  const auto run = [&] {
    const float five = 5;
    float result = -77;
    const Status status =
        runtime->EnqueueWorkload(id, {{0, {info, &five}}}, {{0, &result, sizeof(result)}});
    EXPECT_EQ(status, Status::kSuccess);
    EXPECT_EQ(result, 5);
  };
  run();
  EXPECT_TRUE(runtime->GetFallbackReport(id).placement.warnings.empty());
  directory.Write("refusal", "");
  KillProcess(runtime);
  run();
  const Placement placement = runtime->GetFallbackReport(id).placement;
  ASSERT_EQ(placement.warnings.size(), 1U);
  EXPECT_EQ(placement.warnings[0].code, DiagnosticCode::kPlacedOtherwise);
  EXPECT_THAT(placement.warnings[0].why, HasSubstr("\"by 1\" runs on MockRuns"));
}

TEST(Isolation, KeepsOtherRunsGoingWhenAProcessIsKilled) {
  IsolatedRuntime runtime;
  const NetworkId network = runtime.Load({"a", "b"});
  for (int i = 0; i < 3; ++i) {
    runtime.ExpectRight(network);
    kill(static_cast<pid_t>(runtime.GetProcess().GetProcessId()), SIGKILL);
    // What was running has failed; it may be seen a moment later that the process is gone.
    while (runtime.Run(network, 5).status == Status::kSuccess &&
           runtime.GetProcess().GetNumStarts() == static_cast<std::uint32_t>(i) + 1) {
      continue;
    }
    runtime.ExpectRight(network);
  }
  EXPECT_EQ(runtime.GetProcess().GetNumStarts(), 4U);
}

// It is another file then, which nobody has checked.
TEST(IsolatedBackends, WhoseFileHasChangedAreNotOpenedAgainAndSaySo) {
  const MockDirectory directory;
  directory.Add("Misbehaves");
  IsolatedRuntime runtime(IsolationSettings(), "Misbehaves", "", directory.GetPath());
  const NetworkId network = runtime.Load({"ChangeOwnFileAndCrash in execute"});
  const IsolatedRun first = runtime.Run(network, kCue);
  ASSERT_TRUE(first.failure.has_value());
  EXPECT_THAT(ToText(*first.failure), HasSubstr("SIGSEGV"));
  const IsolatedRun second = runtime.Run(network, 7);
  ASSERT_TRUE(second.failure.has_value());
  EXPECT_THAT(ToText(*second.failure), HasSubstr("changed"));
}

// Not all that comes behind it can be handed over at once.
TEST(IsolatedHangs, AreEndedInLongNetworksToo) {
  IsolatedRuntime runtime;
  std::vector<std::string> layers = {"Loop in execute"};
  while (layers.size() < 1200) layers.push_back("layer " + std::to_string(layers.size()));
  const NetworkId network = runtime.Load(layers);
  RunOptions options;
  options.timeout = std::chrono::milliseconds(300);
  const IsolatedRun run = runtime.Run(network, kCue, &options);
  EXPECT_EQ(run.status, Status::kTimeout);
  ASSERT_TRUE(run.failure.has_value());
  EXPECT_THAT(run.failure->what, HasSubstr(" in layer \"Loop in execute\""));
  EXPECT_THAT(run.failure->why, HasSubstr("found 0 of 1200 layers run"));
  runtime.ExpectRight(network);
}

// And not in the one that was handed over last.
TEST(IsolatedHangs, AreSaidToBeInTheLayerThatRuns) {
  IsolatedRuntime runtime;
  const NetworkId network = runtime.Load({"before", "Loop in execute", "behind"});
  for (const bool is_bounded : {true, false}) {
    RunOptions options;
    if (is_bounded) options.timeout = std::chrono::hours(1);
    std::thread run([&] { runtime.Run(network, kCue, &options); });
    const auto is_said = [&] {
      const std::vector<RunInProgress> runs = runtime->GetRunsInProgress();
      return !runs.empty() && runs[0].layer == "layer \"Loop in execute\" (Activation)";
    };
    while (!is_said()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    kill(static_cast<pid_t>(runtime.GetProcess().GetProcessId()), SIGKILL);
    run.join();
  }
}

TEST(IsolatedBackends, StayOutWhenTheyDieTooOften) {
  IsolationSettings settings;
  settings.max_deaths = 2;
  IsolatedRuntime runtime(settings);
  const NetworkId network = runtime.Load({"Segfault in execute"});
  for (int i = 0; i < 3; ++i) runtime.Run(network, kCue);
  const IsolatedRun run = runtime.Run(network, 7);
  ASSERT_TRUE(run.failure.has_value());
  EXPECT_EQ(run.failure->code, DiagnosticCode::kWorkerStaysOut) << ToText(*run.failure);
  EXPECT_THAT(ToText(*run.failure), HasSubstr("SIGSEGV"));
  EXPECT_EQ(runtime.GetProcess().GetNumStarts(), 3U);
}

}  // namespace
}  // namespace backplane::test
