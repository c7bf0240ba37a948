/// A backend whose table lies is checked, opened and used in processes of its own. Its host gets a
/// diagnostic that names it, or success; no process dies, nothing is freed that was not given, and
/// the backend beside it works.

#include "host_state.hpp"
#include "isolated_runtime.hpp"
#include "support/build_tree.hpp"
#include "support/scoped_variable.hpp"
#include "support/temporary_directory.hpp"
#include "table_lies.hpp"

#include <backplane/api/custom_layer.hpp>

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kLiar[] = "Lying";
constexpr char kOther[] = "MockRuns";
// That run side by side.
constexpr std::uint64_t kNumParts = 4;

std::uint64_t ReadNumber(const char* variable, std::uint64_t otherwise) {
  const char* const wished = std::getenv(variable);
  return wished != nullptr ? std::strtoull(wished, nullptr, 10) : otherwise;
}

TensorInfo MakeInfo() {
  return TensorInfo({4}, DataType::kFloat32);
}

/// relu of x and a constant, or a layer of the operator that the backend declares.
std::unique_ptr<INetwork> MakeNetwork(LayerType type) {
  std::unique_ptr<INetwork> network = INetwork::Create("net");
  OutputSlot last = network->AddInputLayer(MakeInfo(), "x");
  if (type == LayerType::kCustom) {
    const CustomLayer twist("fuzz", "Twist", 1, {}, {MakeInfo()});
    last = {AddLayer<LayerType::kCustom>(*network, twist.Get(), {last}, "twist"), 0};
  } else {
    const float numbers[] = {1, 2, 3, 4};
    const OutputSlot constant =
        network->AddConstantLayer(MakeInfo(), CopyConstantData(numbers, sizeof numbers), "numbers");
    last = {AddLayer<LayerType::kElementwiseBinary>(*network, ElementwiseBinaryDescriptor(),
                                                    {last, constant}, "sum"),
            0};
    last = {AddLayer<LayerType::kActivation>(*network, ActivationDescriptor(), {last}, "relu"), 0};
  }
  network->AddOutputLayer(last, "y");
  return network;
}

IsolatedRun Run(IRuntime& runtime, NetworkId id) {
  const std::vector<float> x = {-3, 2, -3, 4};
  IsolatedRun run;
  run.output.resize(4);
  run.status = runtime.EnqueueWorkload(id, {{0, {MakeInfo(), x.data()}}},
                                       {{0, run.output.data(), run.output.size() * sizeof(float)}},
                                       &run.failure);
  return run;
}

/// A diagnostic is enough unless it is of another, or says that a process died.
void Judge(const Diagnostic& diagnostic) {
  const std::string text = ToText(diagnostic);
  EXPECT_THAT(text, HasSubstr(kLiar));
  for (const DiagnosticCode death :
       {DiagnosticCode::kPluginCrashed, DiagnosticCode::kUncaughtException,
        DiagnosticCode::kStackOverflow, DiagnosticCode::kPluginOutOfMemory,
        DiagnosticCode::kPluginTimedOut, DiagnosticCode::kPluginExited,
        DiagnosticCode::kPluginKilled, DiagnosticCode::kProbeFailed,
        DiagnosticCode::kProbeReportInvalid, DiagnosticCode::kWorkerEnded}) {
    EXPECT_THAT(text, Not(HasSubstr(GetDiagnosticId(death))));
  }
}

void Judge(const LoadReport& report) {
  for (const Candidate& candidate : report.candidates) {
    if (candidate.path.find(kLiar) == candidate.path.npos) {
      EXPECT_EQ(candidate.status, CandidateStatus::kLoaded) << candidate.path;
      continue;
    }
    for (const Diagnostic& diagnostic : candidate.diagnostics) Judge(diagnostic);
    EXPECT_TRUE(candidate.status == CandidateStatus::kLoaded || !candidate.diagnostics.empty());
  }
}

void UseLiar(IRuntime& runtime, LayerType type) {
  try {
    const NetworkId id =
        runtime.LoadNetwork(Optimize(*MakeNetwork(type), {kLiar, kOther}, runtime.GetDeviceSpec()));
    for (int i = 0; i < 2; ++i) {
      const IsolatedRun run = Run(runtime, id);
      EXPECT_EQ(run.status == Status::kSuccess, !run.failure.has_value());
      if (run.failure) Judge(*run.failure);
    }
    runtime.UnloadNetwork(id);
  } catch (const DiagnosticException& exception) {
    Judge(exception.GetDiagnostic());
  }
}

void UseOther(IRuntime& runtime) {
  const NetworkId id = runtime.LoadNetwork(
      Optimize(*MakeNetwork(LayerType::kActivation), {kOther}, runtime.GetDeviceSpec()));
  EXPECT_EQ(Run(runtime, id).output, (std::vector<float>{0, 4, 0, 8}));
}

class IsolatedTables : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  IsolatedTables() {
    directory_.Link("Fuzz_Lying_backend.so", InBuildTree(BACKPLANE_LYING_BACKEND));
    directory_.Link("Mock_Runs_backend.so", GetMockRow("Runs").path);
  }

  void Try(std::uint64_t seed) {
    SCOPED_TRACE(fuzz::TableLies(seed).Describe());
    const ScopedVariable lies("BACKPLANE_TABLE_LIES", std::to_string(seed).c_str());
    CreationOptions options;
    options.dynamic_backends_path = directory_.GetPath();
    options.probe_settings.verdicts = VerdictUse::kIgnore;
    options.isolation.rules = {{"Fuzz_Lying_*", Isolation::kProcess}};
    options.isolation.environment = {"BACKPLANE_TABLE_*"};
    options.profiling.state = ProfilingState::kOn;
    options.profiling.counters = CounterChoice::kAll;
    const auto runtime = IRuntime::Create(options);
    Judge(runtime->GetLoadReport());
    UseOther(*runtime);
    const BackendRegistry& registry = runtime->GetDeviceSpec().GetRegistry();
    if (!registry.IsBackendRegistered(kLiar)) return;
    for (const LayerType type : {LayerType::kActivation, LayerType::kCustom}) {
      UseLiar(*runtime, type);
    }
    for (const Diagnostic& diagnostic : runtime->GetProfile().diagnostics) Judge(diagnostic);
    EXPECT_LE(registry.GetRegistration(kLiar).origin->isolation->GetNumStarts(), 1U);
    ++num_used_;
  }

  const TemporaryDirectory directory_;
  // What the backend says of its host.
  const ScopedVariable complaints_{"BACKPLANE_TABLE_COMPLAINTS",
                                   (directory_ / "complaints").c_str()};
  std::uint64_t num_used_ = 0;
};

// Each kind of lie has its turn once, where nobody wishes for more.
TEST_P(IsolatedTables, GiveNoMoreThanADiagnostic) {
  const std::uint64_t first = ReadNumber("BACKPLANE_TABLE_FIRST_SEED", 0);
  const std::uint64_t count = ReadNumber("BACKPLANE_TABLE_SEEDS", fuzz::GetNumTableLies());
  Try(first + GetParam());
  const HostState before = HostState::Read();
  for (std::uint64_t at = GetParam() + kNumParts; at < count; at += kNumParts) Try(first + at);
  EXPECT_THAT(before.FindChanges(HostState::Read()), IsEmpty());
  std::ostringstream complaints;
  complaints << std::ifstream(directory_ / "complaints").rdbuf();
  EXPECT_EQ(complaints.str(), "");
  // Else nothing but openings was tried.
  EXPECT_GT(num_used_, 0U);
}

INSTANTIATE_TEST_SUITE_P(Part, IsolatedTables, ::testing::Range(std::uint64_t{0}, kNumParts));

}  // namespace
}  // namespace backplane::test
