/// Contexts of backends that are loaded from files: each call counted by a mock that records, and
/// the library kept as long as a context.

#include "mock_network.hpp"
#include "mock_rows.hpp"
#include "recorded_calls.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <thread>

namespace backplane::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

constexpr char kLateId[] = "MockRecordsLate";

class Contexts : public ::testing::Test {
 protected:
  std::unique_ptr<IRuntime> Create(const CreationOptions& wanted = {}) const {
    CreationOptions options = wanted;
    options.dynamic_backends_path = directory_.GetPath();
    return IRuntime::Create(options);
  }

  static std::shared_ptr<const IOptimizedNetwork> OptimizeWith(
      const IRuntime& runtime, const std::string& id, const std::vector<BackendOption>& options) {
    OptimizerOptions optimizer;
    optimizer.model_options = {{id, options}};
    return Optimize(*MakeSumAndRelu(), {id}, runtime.GetDeviceSpec(), optimizer);
  }

  static CreationOptions MakeOptions(const std::string& id,
                                     const std::vector<BackendOption>& given) {
    CreationOptions options;
    options.backend_options = {{id, given}};
    return options;
  }

  const MockDirectory directory_;
};

TEST_F(Contexts, EveryCallIsMadeOnceAndInItsPlace) {
  directory_.Add("Records");
  const auto runtime = Create();
  auto network = OptimizeWith(*runtime, kRecords, {});
  const NetworkId id = runtime->LoadNetwork(network);
  network.reset();
  runtime->UnloadNetwork(id);
  EXPECT_THAT(
      GetCalls(*runtime, kRecords),
      ElementsAre("CreateBackendContext options=0 allocator=0 protected=0",
                  "CreateBackendSpecificModelContext", "ModelContext", "GetLayerSupport",
                  "BeforeLoad 1", "CreateWorkloadFactory", "Workload", "Workload", "AfterLoad 1",
                  "BeforeUnload 1", "~Workload", "~Workload", "~ModelContext", "AfterUnload 1"));
}

TEST_F(Contexts, OptionsReachTheOneContextThatIsMade) {
  directory_.Add("Records");
  const auto runtime = Create(MakeOptions(kRecords, {{"FailAt", "nothing"}}));
  EXPECT_THAT(GetCalls(*runtime, kRecords),
              ElementsAre("CreateBackendContext options=1 allocator=0 protected=0"));
}

TEST_F(Contexts, MistakesInOptionsOfAFileAreThrown) {
  directory_.Add("Records");
  directory_.Add("Runs");
  for (const auto& [option, code] : std::vector<std::pair<BackendOption, DiagnosticCode>>{
           {{"FailAtt", "x"}, DiagnosticCode::kUnknownOption},
           {{"FailAt", 3}, DiagnosticCode::kInvalidOption},
           {{"FailBy", "luck"}, DiagnosticCode::kInvalidOption},
           {{"WaitFor", "long"}, DiagnosticCode::kInvalidOption}}) {
    try {
      Create(MakeOptions(kRecords, {option}));
      ADD_FAILURE() << option.name;
    } catch (const DiagnosticException& exception) {
      EXPECT_EQ(exception.GetDiagnostic().code, code);
      EXPECT_EQ(exception.GetDiagnostic().subject.name, kRecords + (":" + option.name));
    }
  }
}

TEST_F(Contexts, OfALateBackendIsMadeWhenItIsFirstAsked) {
  directory_.Add("RecordsLate");
  CreationOptions lazy;
  lazy.opening = Opening::kLazy;
  const auto runtime = Create(lazy);
  EXPECT_FALSE(IsMapped(directory_.GetPath()));
  const auto network = OptimizeWith(*runtime, kLateId, {});
  runtime->UnloadNetwork(runtime->LoadNetwork(network));
  const auto calls = GetCalls(*runtime, kLateId);
  EXPECT_EQ(CountCalls(calls, "CreateBackendContext"), 1);
  EXPECT_EQ(CountCalls(calls, "AfterUnload 1"), 1);
  for (const std::string& call : calls) {
    EXPECT_EQ(call.find("without context"), std::string::npos) << call;
  }
}

TEST_F(Contexts, OfALateBackendGetsItsOptions) {
  directory_.Add("RecordsLate");
  CreationOptions lazy = MakeOptions(kLateId, {{"FailAt", "nothing"}});
  lazy.opening = Opening::kLazy;
  const auto runtime = Create(lazy);
  EXPECT_THAT(GetCalls(*runtime, kLateId),
              ElementsAre("CreateBackendContext options=1 allocator=0 protected=0"));
  EXPECT_EQ(runtime->GetLoadReport().candidates.at(0).status, CandidateStatus::kLoaded);
  lazy.backend_options = {{kLateId, {{"FailAtt", "x"}}}};
  try {
    Create(lazy);
    ADD_FAILURE() << "nobody declares the option";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kUnknownOption);
    EXPECT_EQ(exception.GetDiagnostic().subject.name, "MockRecordsLate:FailAtt");
  }
}

TEST_F(Contexts, AFailingOneLeavesItsBackendOut) {
  directory_.Add("Records");
  directory_.Add("Runs");
  for (const auto& [kind, status] : std::vector<std::pair<std::string, CandidateStatus>>{
           {"exception", CandidateStatus::kRejected},
           {"number", CandidateStatus::kRejected},
           {"absence", CandidateStatus::kUnavailable}}) {
    const auto runtime =
        Create(MakeOptions(kRecords, {{"FailAt", "CreateBackendContext"}, {"FailBy", kind}}));
    EXPECT_FALSE(runtime->GetDeviceSpec().GetRegistry().IsBackendRegistered(kRecords));
    const Candidate* candidate =
        FindCandidate(runtime->GetLoadReport(), directory_.GetPath() + "/Mock_Records_backend.so");
    ASSERT_NE(candidate, nullptr);
    EXPECT_EQ(candidate->status, status) << kind;
    EXPECT_THAT(RunSumAndRelu(*runtime, {"MockRuns"}, {5, 3}, {10, -8}), ElementsAre(15, 0));
  }
}

TEST_F(Contexts, AreToldInPairsWhicheverOfTheFourFails) {
  directory_.Add("Records");
  for (const char* function : {"BeforeLoad", "AfterLoad", "BeforeUnload", "AfterUnload"}) {
    for (const char* kind : {"refusal", "exception", "number"}) {
      const auto runtime = Create(MakeOptions(kRecords, {{"FailAt", function}, {"FailBy", kind}}));
      const auto network = OptimizeWith(*runtime, kRecords, {});
      const bool is_loaded = std::string(function) != "BeforeLoad";
      if (is_loaded) {
        runtime->UnloadNetwork(runtime->LoadNetwork(network));
      } else {
        EXPECT_THROW(runtime->LoadNetwork(network), DiagnosticException);
      }
      const auto calls = GetCalls(*runtime, kRecords);
      EXPECT_EQ(CountCalls(calls, "BeforeLoad 1"), 1);
      EXPECT_EQ(CountCalls(calls, is_loaded ? "AfterLoad 1" : "AfterLoad 1 failed"), 1);
      EXPECT_EQ(CountCalls(calls, "BeforeUnload 1"), is_loaded ? 1 : 0);
      EXPECT_EQ(CountCalls(calls, "AfterUnload 1"), is_loaded ? 1 : 0);
      EXPECT_EQ(CountCalls(calls, "Workload"), CountCalls(calls, "~Workload"));
    }
  }
}

TEST_F(Contexts, AreToldOfALoadThatFails) {
  directory_.Add("Records");
  const auto runtime = Create();
  for (const char* function : {"CreateWorkloadFactory", "CreateWorkload"}) {
    const auto network =
        OptimizeWith(*runtime, kRecords, {{"FailAt", function}, {"FailBy", "exception"}});
    EXPECT_THROW(runtime->LoadNetwork(network), DiagnosticException) << function;
  }
  const auto calls = GetCalls(*runtime, kRecords);
  EXPECT_EQ(CountCalls(calls, "BeforeLoad"), 2);
  EXPECT_EQ(CountCalls(calls, "AfterLoad 1 failed"), 1);
  EXPECT_EQ(CountCalls(calls, "AfterLoad 2 failed"), 1);
  EXPECT_EQ(CountCalls(calls, "BeforeUnload"), 0);
  EXPECT_THAT(RunSumAndRelu(*runtime, {kRecords}, {5, 3}, {10, -8}), ElementsAre(15, 0));
}

TEST_F(Contexts, AreNotToldOfNetworksThatDoNotUseTheBackend) {
  directory_.Add("Records");
  directory_.Add("Runs");
  const auto runtime = Create();
  RunSumAndRelu(*runtime, {"MockRuns", kRecords}, {5, 3}, {10, -8});
  const auto calls = GetCalls(*runtime, kRecords);
  EXPECT_EQ(CountCalls(calls, "BeforeLoad"), 0);
  EXPECT_EQ(CountCalls(calls, "AfterUnload"), 0);
  EXPECT_EQ(CountCalls(calls, "CreateBackendContext"), 1);
}

TEST_F(Contexts, KeepTheirLibraryOpenAsLongAsWhatMayUseThem) {
  directory_.Add("Records");
  auto runtime = Create();
  auto network = std::make_unique<std::shared_ptr<const IOptimizedNetwork>>(
      OptimizeWith(*runtime, kRecords, {}));
  auto device = std::make_unique<DeviceSpec>(runtime->GetDeviceSpec());
  runtime->LoadNetwork(*network);
  runtime.reset();
  auto calls = GetCalls(*device, kRecords);
  EXPECT_EQ(calls.back(), "AfterUnload 1") << "what was loaded is unloaded";
  EXPECT_THAT(calls, Not(Contains("~Context")));
  EXPECT_NO_THROW(Optimize(*MakeSumAndRelu(), {kRecords}, *device));
  device.reset();
  EXPECT_TRUE(IsMapped(directory_.GetPath())) << "the network keeps it";
  network.reset();
  EXPECT_FALSE(IsMapped(directory_.GetPath()));
}

TEST_F(Contexts, OfOneRuntimeGoWhileTheOtherRuns) {
  directory_.Add("Records");
  auto first = Create();
  const auto second = Create();
  const auto network = OptimizeWith(*second, kRecords, {});
  const NetworkId id = second->LoadNetwork(network);
  first.reset();
  EXPECT_EQ(CountCalls(GetCalls(*second, kRecords), "~Context"), 1);
  EXPECT_THAT(RunSumAndRelu(*second, {kRecords}, {5, 3}, {10, -8}), ElementsAre(15, 0));
  second->UnloadNetwork(id);
}

TEST_F(Contexts, UnloadingWaitsForARunAndOthersFindNothing) {
  directory_.Add("Records");
  const auto runtime = Create();
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const NetworkId id =
      runtime->LoadNetwork(OptimizeWith(*runtime, kRecords, {{"WaitFor", ends[0]}}));
  const TensorInfo info({2}, DataType::kFloat32);
  const std::vector<float> a{5, 3};
  std::vector<float> result(2);
  const auto run = [&](std::vector<float>& output) {
    return runtime->EnqueueWorkload(id, {{0, {info, a.data()}}, {1, {info, a.data()}}},
                                    {{0, output.data(), output.size() * sizeof(float)}});
  };
  std::thread running([&] { EXPECT_EQ(run(result), Status::kSuccess); });
  while (CountCalls(GetCalls(*runtime, kRecords), "Execute") == 0) std::this_thread::yield();
  std::thread unloading([&] { runtime->UnloadNetwork(id); });
  // It is gone for others as soon as it is being unloaded. Bindings that fit nothing do not run.
  while (runtime->EnqueueWorkload(id, {}, {}) != Status::kNotFound) std::this_thread::yield();
  EXPECT_EQ(CountCalls(GetCalls(*runtime, kRecords), "BeforeUnload"), 0);
  EXPECT_EQ(write(ends[1], "12", 2), 2);
  running.join();
  unloading.join();
  EXPECT_THAT(result, ElementsAre(10, 6));
  EXPECT_EQ(run(result), Status::kNotFound);
  EXPECT_EQ(GetCalls(*runtime, kRecords).back(), "AfterUnload 1");
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace backplane::test
