/// A backend throws wherever a runtime calls it. Each time there is a diagnostic with the backend,
/// the function and, where there is one, the layer; and a network on another backend still runs.

#include "mock_network.hpp"
#include "mock_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <ostream>
#include <set>

namespace backplane::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// What a runtime says it in.
enum class Said {
  kReport,     // the load report; the backend is left out
  kOptimize,   // an exception from Optimize
  kPlacement,  // a warning of the placement; the network runs
  kLoad,       // an exception from LoadNetwork
  kRun,        // the failure of EnqueueWorkload
  kLog,        // a warning; nothing fails
  kNever,      // not called for this network
};

enum class Layer { kNone, kNamed };

struct ThrowRow {
  const char* function;
  Said said;
  Layer layer = Layer::kNone;
  const char* caller = nullptr;  // the function of the backend that calls it
};

/// What GoogleTest shows for a row.
void PrintTo(const ThrowRow& row, std::ostream* stream) {
  *stream << row.function;
}

/// The functions that a runtime calls for a network of one layer, with the events of networks and
/// the destructors that may throw, and then the others.
const ThrowRow kRows[] = {
    {"GetBackendId", Said::kReport},
    {"GetVersion", Said::kReport},
    {"BackendFactory", Said::kReport},
    {"IBackendInternal::GetId", Said::kReport, Layer::kNone, "BackendFactory"},
    {"IBackendInternal::GetCapabilities", Said::kReport},
    {"IBackendInternal::GetOptionSchemas", Said::kReport},
    {"IBackendInternal::CreateBackendContext", Said::kReport},
    {"IBackendInternal::CreateBackendSpecificModelContext", Said::kOptimize},
    {"IBackendInternal::GetLayerSupport", Said::kOptimize, Layer::kNamed,
     "ILayerSupport::IsLayerSupported"},
    {"ILayerSupport::IsLayerSupported", Said::kOptimize, Layer::kNamed},
    {"IBackendInternal::OptimizeSubgraphView", Said::kPlacement, Layer::kNamed},
    {"IBackendContext::OnNetworkEvent", Said::kLoad},
    {"IBackendInternal::CreateWorkloadFactory", Said::kLoad},
    {"IWorkloadFactory::CreateWorkload", Said::kLoad, Layer::kNamed},
    {"IMemoryManager::Acquire", Said::kLoad},
    {"IWorkloadFactory::CreateExecutionState", Said::kLoad},
    {"IWorkloadFactory::GetConstantBytes", Said::kLoad},
    {"IWorkload::Execute", Said::kRun, Layer::kNamed},
    {"BeforeLoad", Said::kLoad, Layer::kNone, "IBackendContext::OnNetworkEvent"},
    {"AfterLoad", Said::kLog, Layer::kNone, "IBackendContext::OnNetworkEvent"},
    {"BeforeUnload", Said::kLog, Layer::kNone, "IBackendContext::OnNetworkEvent"},
    {"AfterUnload", Said::kLog, Layer::kNone, "IBackendContext::OnNetworkEvent"},
    {"IMemoryManager::Release", Said::kLog},
    {"~IBackendInternal", Said::kLog},
    {"~IBackendContext", Said::kLog},
    {"~IWorkloadFactory", Said::kLog},
    {"~IWorkload", Said::kLog},
    {"~IExecutionState", Said::kLog},
    {"~ITensorHandle", Said::kLog},
    {"~ITensorHandleFactory", Said::kLog},
    {"IBackendInternal::CreateBackendProfilingContext", Said::kNever},
    {"IBackendInternal::RegisterTensorHandleFactories", Said::kOptimize},
    {"IBackendInternal::GetHandleFactoryPreferences", Said::kOptimize, Layer::kNone,
     "IBackendInternal::RegisterTensorHandleFactories"},
    {"IPreCompiledObject::Resize", Said::kNever},
    {"IPreCompiledObject::GetInPlacePairs", Said::kLoad},
    {"IBackendInternal::GetOperators", Said::kNever},
    {"IBackendInternal::GetOperatorCases", Said::kNever},
    {"IWorkloadFactory::WaitForFence", Said::kNever},
    {"ITensorHandle::GetMemoryView", Said::kLoad},
    {"ITensorHandle::Bind", Said::kLoad},
    {"ITensorHandle::Map", Said::kNever},
    {"ITensorHandle::Unmap", Said::kNever},
    {"ITensorHandle::Import", Said::kLog},
    {"ITensorHandle::Unimport", Said::kLog},
    {"ITensorHandle::Export", Said::kNever},
    {"ITensorHandleFactory::GetId", Said::kOptimize, Layer::kNone,
     "IBackendInternal::RegisterTensorHandleFactories"},
    {"ITensorHandleFactory::GetProperties", Said::kOptimize, Layer::kNone,
     "IBackendInternal::RegisterTensorHandleFactories"},
    {"ITensorHandleFactory::GetRequirements", Said::kOptimize},
    {"ITensorHandleFactory::CreateTensorHandle", Said::kLoad},
    {"ITensorHandleFactory::CreateSubTensorHandle", Said::kNever},
    {"IBackendProfilingContext::GetCounters", Said::kNever},
    {"IBackendProfilingContext::ActivateCounters", Said::kNever},
    {"IBackendProfilingContext::SetTimeline", Said::kNever},
};

constexpr char kLayerName[] = "the folded layer";

struct Saying {
  Said said = Said::kNever;
  std::string text;
};

Saying RunLoaded(IRuntime& runtime, NetworkId id) {
  const TensorInfo info({4}, DataType::kFloat32);
  const std::vector<float> input{1, 2, 3, 4};
  std::vector<float> output(4);
  std::optional<Diagnostic> failure;
  const Status status =
      runtime.EnqueueWorkload(id, {{0, {info, input.data()}}}, {{0, output.data(), 16}}, &failure);
  runtime.UnloadNetwork(id);
  if (failure) return {Said::kRun, ToText(*failure)};
  EXPECT_EQ(status, Status::kSuccess);
  EXPECT_EQ(output, input);
  return {};
}

/// Takes the network through a runtime, up to where something is said.
Saying RunFold(IRuntime& runtime) {
  for (const Candidate& candidate : runtime.GetLoadReport().candidates) {
    if (candidate.status == CandidateStatus::kRejected) {
      return {Said::kReport, ToText(*GetHeadline(candidate))};
    }
  }
  std::shared_ptr<const IOptimizedNetwork> network;
  try {
    network = Optimize(*MakeFold(kLayerName), {"MockComplete"}, runtime.GetDeviceSpec());
  } catch (const DiagnosticException& exception) {
    return {Said::kOptimize, exception.what()};
  }
  NetworkId id = 0;
  try {
    id = runtime.LoadNetwork(network);
  } catch (const DiagnosticException& exception) {
    return {Said::kLoad, exception.what()};
  }
  Saying saying = RunLoaded(runtime, id);
  const std::vector<Diagnostic>& warnings = network->GetPlacement().warnings;
  if (saying.said == Said::kNever && !warnings.empty()) {
    saying = {Said::kPlacement, ToText(warnings.front())};
  }
  return saying;
}

bool IsDestructor(const ThrowRow& row) {
  return *row.function == '~';
}

std::string GetNamedFunction(const ThrowRow& row) {
  if (IsDestructor(row)) return "a destructor";
  return row.caller != nullptr ? row.caller : row.function;
}

class ThrownInARuntime : public ::testing::TestWithParam<ThrowRow> {
 protected:
  void SetUp() override {
    directory_.Add("Complete");
    directory_.Add("Runs");
  }

  Saying Run(const MockWatch& watch) const {
    auto runtime = CreateRuntime(directory_.GetPath());
    const std::vector<float> expected{4, 0};
    EXPECT_EQ(RunSumAndRelu(*runtime, {"MockRuns"}, {1, -4}, {3, 1}), expected);
    Saying saying = RunFold(*runtime);
    EXPECT_EQ(RunSumAndRelu(*runtime, {"MockRuns"}, {1, -4}, {3, 1}), expected);
    runtime.reset();
    if (saying.said == Said::kNever && !watch.GetLog().empty()) {
      saying = {Said::kLog, watch.GetLog()};
    }
    return saying;
  }

  MockDirectory directory_;
};

TEST_P(ThrownInARuntime, IsSaidWithBackendAndLayerAndOthersGoOn) {
  const ThrowRow& row = GetParam();
  for (const Thrown thrown : kAllThrown) {
    SCOPED_TRACE(GetThrownName(thrown));
    MockWatch watch;
    watch.Throw(row.function, thrown);
    const Saying saying = Run(watch);
    EXPECT_EQ(saying.said, row.said) << saying.text;
    if (row.said == Said::kNever) continue;
    EXPECT_THAT(saying.text, HasSubstr("Complete"));
    EXPECT_THAT(saying.text, HasSubstr(GetNamedFunction(row)));
    EXPECT_THAT(saying.text, HasSubstr(GetThrownText(thrown)));
    EXPECT_THAT(saying.text, HasSubstr(row.layer == Layer::kNamed ? kLayerName : ""));
  }
  EXPECT_FALSE(IsMapped(directory_.GetPath()));
}

std::string GetFunctionTestName(const ::testing::TestParamInfo<ThrowRow>& info) {
  std::string name = IsDestructor(info.param) ? "DestructorOf" : "";
  for (const char* letter = info.param.function; *letter != '\0'; ++letter) {
    if (*letter != ':' && *letter != '~') name += *letter;
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(ByTheBackend, ThrownInARuntime, ::testing::ValuesIn(kRows),
                         GetFunctionTestName);

TEST(ThrownInARuntimeRows, AreThereForEveryFunction) {
  std::set<std::string> known;
  for (const ThrowRow& row : kRows) EXPECT_TRUE(known.insert(row.function).second) << row.function;
#define BACKPLANE_APPLICATION_FUNCTION(...)
#define BACKPLANE_FUNCTION(interface, function, ...) \
  EXPECT_EQ(known.count(#interface "::" #function), 1U) << #interface "::" #function;
#include <backplane/api/functions.def>
#undef BACKPLANE_FUNCTION
}

TEST(ThrownInARuntimeRows, NothingIsSaidWhenNothingIsThrown) {
  MockDirectory directory;
  directory.Add("Complete");
  const MockWatch watch;
  const auto runtime = CreateRuntime(directory.GetPath());
  const Saying saying = RunFold(*runtime);
  EXPECT_EQ(saying.said, Said::kNever) << saying.text;
  EXPECT_EQ(watch.GetLog(), "");
}

}  // namespace
}  // namespace backplane::test
