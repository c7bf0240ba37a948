/// Protected mode with backends from files: whichever way a backend comes into a runtime, without
/// protected memory it is not available there.

#include "mock_network.hpp"
#include "mock_rows.hpp"
#include "plain_allocator.hpp"
#include "recorded_calls.hpp"
#include "support/build_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace backplane::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kProtected[] = "MockRecordsProtected";
constexpr char kProtectedLate[] = "MockRecordsProtectedLate";

class ProtectedMode : public ::testing::Test {
 protected:
  std::unique_ptr<IRuntime> Create(Opening opening, BackendProbe probe = BackendProbe::kNone) {
    CreationOptions options;
    options.dynamic_backends_path = directory_.GetPath();
    options.custom_allocators = allocators_;
    options.opening = opening;
    options.protection = MemoryProtection::kProtected;
    options.probe = probe;
    options.probe_settings.program = test::InBuildTree(BACKPLANE_PROBE);
    options.probe_settings.verdicts = VerdictUse::kIgnore;
    return IRuntime::Create(options);
  }

  const Candidate& GetCandidate(const IRuntime& runtime, const std::string& row) const {
    return *FindCandidate(runtime.GetLoadReport(),
                          directory_.GetPath() + "/Mock_" + row + "_backend.so");
  }

  void ExpectUnavailable(const IRuntime& runtime, const std::string& row,
                         DiagnosticCode code) const {
    const Candidate& candidate = GetCandidate(runtime, row);
    EXPECT_STREQ(GetCandidateStatusName(candidate.status), "unavailable") << row;
    ASSERT_NE(GetHeadline(candidate), nullptr) << row;
    EXPECT_EQ(GetDiagnosticId(GetHeadline(candidate)->code), GetDiagnosticId(code)) << row;
  }

  const MockDirectory directory_;
  const std::shared_ptr<PlainAllocator> allocator_ =
      std::make_shared<PlainAllocator>(MemorySource::kDmaBufProtected);
  std::vector<CustomAllocator> allocators_{{kProtected, allocator_}};
};

TEST_F(ProtectedMode, OnlyBackendsThatCanAreAvailable) {
  for (const char* row : {"RecordsProtected", "RecordsProtectedLate", "Records", "Runs"}) {
    directory_.Add(row);
  }
  allocators_.push_back({kProtectedLate, allocator_});
  for (const BackendProbe probe : {BackendProbe::kNone, BackendProbe::kChild}) {
    const auto runtime = Create(Opening::kEager, probe);
    EXPECT_THAT(runtime->GetDeviceSpec().GetBackendIdsByRank(),
                ElementsAre(kProtected, kProtectedLate));
    ExpectUnavailable(*runtime, "Records", DiagnosticCode::kNotProtected);
    ExpectUnavailable(*runtime, "Runs", DiagnosticCode::kNotProtected);
    EXPECT_EQ(CountCalls(GetCalls(*runtime, kProtected),
                         "CreateBackendContext options=0 allocator=1 protected=1"),
              1);
    EXPECT_EQ(CountCalls(GetCalls(*runtime, kProtectedLate),
                         "CreateBackendContext options=0 allocator=1 protected=1"),
              1);
  }
  EXPECT_FALSE(IsMapped(directory_.GetPath()));
}

TEST_F(ProtectedMode, ABackendWithoutAnAllocatorIsNotAvailable) {
  directory_.Add("RecordsProtected");
  directory_.Add("RecordsProtectedLate");
  allocators_ = {{kProtectedLate, allocator_}};
  const auto runtime = Create(Opening::kEager);
  ExpectUnavailable(*runtime, "RecordsProtected", DiagnosticCode::kNoProtectedAllocator);
  allocators_.push_back({kProtected, std::make_shared<PlainAllocator>()});
  ExpectUnavailable(*Create(Opening::kEager), "RecordsProtected",
                    DiagnosticCode::kNoProtectedAllocator);
}

TEST_F(ProtectedMode, ABackendIsCheckedWhenItIsOpenedAtFirstUse) {
  directory_.Add("RecordsLate");
  directory_.Add("RecordsProtectedLate");
  allocators_ = {{kProtectedLate, allocator_}};
  const auto runtime = Create(Opening::kLazy);
  EXPECT_FALSE(IsMapped(directory_.GetPath()));
  const auto network =
      Optimize(*MakeSumAndRelu(), {"MockRecordsLate", kProtectedLate}, runtime->GetDeviceSpec());
  for (const LayerPlacement& layer : network->GetPlacement().layers) {
    EXPECT_EQ(layer.backend_id, kProtectedLate);
    ASSERT_EQ(layer.refusals.size(), 1U);
    EXPECT_THAT(layer.refusals[0].reason, HasSubstr("cannot work in protected memory"));
  }
  ExpectUnavailable(*runtime, "RecordsLate", DiagnosticCode::kNotProtected);
  EXPECT_THROW(Optimize(*MakeSumAndRelu(), {"MockRecordsLate"}, runtime->GetDeviceSpec()),
               DiagnosticException);
  EXPECT_EQ(CountCalls(GetCalls(*runtime, kProtectedLate),
                       "CreateBackendContext options=0 allocator=1 protected=1"),
            1);
}

TEST_F(ProtectedMode, WithoutPreferencesOnlyProtectedBackendsGetLayers) {
  for (const char* row : {"RecordsProtected", "RecordsLate", "Runs", "LateRuns"}) {
    directory_.Add(row);
  }
  for (const Opening opening : {Opening::kEager, Opening::kLazy}) {
    const auto runtime = Create(opening);
    const auto network = Optimize(*MakeSumAndRelu(), {}, runtime->GetDeviceSpec());
    for (const LayerPlacement& layer : network->GetPlacement().layers) {
      EXPECT_EQ(layer.backend_id, kProtected);
    }
  }
}

TEST_F(ProtectedMode, TensorsLieInTheAllocatorsBlockOrTheNetworkIsNotLoaded) {
  directory_.Add("RecordsProtected");
  directory_.Add("RecordsProtectedLate");
  allocators_.push_back(
      {kProtectedLate, std::make_shared<PlainAllocator>(MemorySource::kDmaBufProtected)});
  const auto runtime = Create(Opening::kEager);
  const auto alone = Optimize(*MakeSumAndRelu(), {kProtected}, runtime->GetDeviceSpec());
  const NetworkId id = runtime->LoadNetwork(alone);
  EXPECT_EQ(allocator_->num_allocated, 1);
  const auto chain = MakeSumAndRelu();
  chain->SetBackendHint(2, kProtectedLate);
  const auto apart = Optimize(*chain, {kProtected}, runtime->GetDeviceSpec());
  try {
    runtime->LoadNetwork(apart);
    ADD_FAILURE() << "the two have no memory in common";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kUnprotectedMemory);
  }
  EXPECT_EQ(allocator_->num_allocated, 1);
  runtime->UnloadNetwork(id);
  EXPECT_EQ(allocator_->num_freed, 1);
  EXPECT_EQ(CountCalls(GetCalls(*runtime, kProtected), "AfterLoad 2 failed"), 1);
}

TEST_F(ProtectedMode, NothingIsCopiedIntoItOrOutOfIt) {
  directory_.Add("RecordsProtected");
  const auto runtime = Create(Opening::kEager);
  try {
    RunSumAndRelu(*runtime, {kProtected}, {5, 3}, {10, -8});
    ADD_FAILURE() << "it ran";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kProtectedTensor);
  }
  EXPECT_EQ(CountCalls(GetCalls(*runtime, kProtected), "Execute"), 0);
}

TEST_F(ProtectedMode, ANetworkOfAnotherRuntimeIsForeign) {
  directory_.Add("RecordsProtected");
  const auto runtime = Create(Opening::kEager);
  const auto plain = CreateRuntime(directory_.GetPath());
  const auto network = Optimize(*MakeSumAndRelu(), {kProtected}, plain->GetDeviceSpec());
  EXPECT_THROW(runtime->LoadNetwork(network), DiagnosticException);
  EXPECT_THAT(RunSumAndRelu(*plain, {kProtected}, {5, 3}, {10, -8}), ElementsAre(15, 0))
      << "the same backend works there as ever";
}

TEST_F(ProtectedMode, WithoutOneProtectedBackendThereIsNoRuntime) {
  directory_.Add("Runs");
  directory_.Add("Records");
  allocators_ = {};
  try {
    Create(Opening::kEager);
    ADD_FAILURE() << "a runtime was created";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kNoBackends);
    EXPECT_THAT(exception.what(), HasSubstr("ProtectedContentAllocation"));
  }
}

}  // namespace
}  // namespace backplane::test
