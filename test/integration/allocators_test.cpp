/// Allocators that an application gives for backends that are loaded from files.

#include "mock_network.hpp"
#include "mock_rows.hpp"
#include "plain_allocator.hpp"
#include "recorded_calls.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace backplane::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Allocators : public ::testing::Test {
 protected:
  std::unique_ptr<IRuntime> Create(std::vector<CustomAllocator> allocators,
                                   Opening opening = Opening::kEager) const {
    CreationOptions options;
    options.dynamic_backends_path = directory_.GetPath();
    options.custom_allocators = std::move(allocators);
    options.opening = opening;
    return IRuntime::Create(options);
  }

  const Candidate& GetCandidate(const IRuntime& runtime, const std::string& row) const {
    return *FindCandidate(runtime.GetLoadReport(),
                          directory_.GetPath() + "/Mock_" + row + "_backend.so");
  }

  const MockDirectory directory_;
  const std::shared_ptr<PlainAllocator> allocator_ = std::make_shared<PlainAllocator>();
};

TEST_F(Allocators, ReachTheContextAndHoldTheTensors) {
  directory_.Add("Records");
  const auto runtime = Create({{kRecords, allocator_}});
  EXPECT_THAT(GetCalls(*runtime, kRecords),
              ElementsAre("CreateBackendContext options=0 allocator=1 protected=0"));
  EXPECT_THAT(RunSumAndRelu(*runtime, {kRecords}, {5, 3}, {10, -8}), ElementsAre(15, 0));
  EXPECT_EQ(allocator_->num_allocated, 1);
  EXPECT_EQ(allocator_->num_freed, 1);
}

TEST_F(Allocators, ARefusalIsInTheReportAndIsTheReason) {
  directory_.Add("Records");
  directory_.Add("Runs");
  const auto runtime =
      Create({{kRecords, std::make_shared<PlainAllocator>(MemorySource::kDmaBuf)}});
  const Candidate& candidate = GetCandidate(*runtime, "Records");
  EXPECT_EQ(candidate.status, CandidateStatus::kUnavailable);
  EXPECT_EQ(candidate.stage, Stage::kCreate);
  ASSERT_NE(GetHeadline(candidate), nullptr);
  EXPECT_EQ(GetHeadline(candidate)->code, DiagnosticCode::kAllocatorRefused);
  EXPECT_THAT(GetHeadline(candidate)->why, HasSubstr("does not reach the mock device"));
  try {
    Optimize(*MakeSumAndRelu(), {kRecords}, runtime->GetDeviceSpec());
    ADD_FAILURE() << "it refused";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kBackendRejected);
    EXPECT_THAT(exception.what(), HasSubstr("does not reach the mock device"));
  }
  EXPECT_FALSE(IsMapped(directory_.GetPath() + "/Mock_Records_"));
}

TEST_F(Allocators, ABackendThatTakesNoneRefuses) {
  directory_.Add("Records");
  directory_.Add("Runs");
  const auto runtime = Create({{"MockRuns", allocator_}});
  EXPECT_EQ(GetHeadline(GetCandidate(*runtime, "Runs"))->code, DiagnosticCode::kAllocatorRefused);
  EXPECT_THAT(GetHeadline(GetCandidate(*runtime, "Runs"))->why,
              HasSubstr("found no capability \"CustomAllocator\"; expected true"));
  EXPECT_EQ(GetCandidate(*runtime, "Records").status, CandidateStatus::kLoaded);
}

TEST_F(Allocators, ReachABackendThatIsOpenedAtFirstUse) {
  directory_.Add("RecordsLate");
  const auto runtime = Create({{"MockRecordsLate", allocator_}}, Opening::kLazy);
  EXPECT_FALSE(IsMapped(directory_.GetPath()));
  EXPECT_THAT(RunSumAndRelu(*runtime, {"MockRecordsLate"}, {5, 3}, {10, -8}), ElementsAre(15, 0));
  EXPECT_EQ(allocator_->num_allocated, 1);
  EXPECT_EQ(CountCalls(GetCalls(*runtime, "MockRecordsLate"),
                       "CreateBackendContext options=0 allocator=1"),
            1);
}

TEST_F(Allocators, ARefusalAtFirstUseGivesTheLayersToTheNext) {
  directory_.Add("RecordsLate");
  directory_.Add("Runs");
  const auto runtime =
      Create({{"MockRecordsLate", std::make_shared<PlainAllocator>(MemorySource::kDmaBuf)}},
             Opening::kLazy);
  EXPECT_THAT(RunSumAndRelu(*runtime, {"MockRecordsLate", "MockRuns"}, {5, 3}, {10, -8}),
              ElementsAre(15, 0));
  const Candidate& candidate = GetCandidate(*runtime, "RecordsLate");
  EXPECT_EQ(candidate.status, CandidateStatus::kUnavailable);
  EXPECT_EQ(GetHeadline(candidate)->code, DiagnosticCode::kAllocatorRefused);
}

TEST_F(Allocators, SeveralRuntimesHaveTheirOwnForOneBackendAtOnce) {
  directory_.Add("Records");
  const auto other = std::make_shared<PlainAllocator>();
  const auto first = Create({{kRecords, allocator_}});
  const auto second = Create({{kRecords, other}});
  const auto third = Create({});
  std::vector<std::thread> threads;
  for (const auto* runtime : {&first, &second, &third}) {
    threads.emplace_back([runtime] {
      EXPECT_THAT(RunSumAndRelu(**runtime, {kRecords}, {5, 3}, {10, -8}), ElementsAre(15, 0));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(allocator_->num_allocated, 1);
  EXPECT_EQ(other->num_allocated, 1);
}

TEST_F(Allocators, AreReleasedWithTheLastThatNeedsThem) {
  directory_.Add("Records");
  auto runtime = Create({{kRecords, allocator_}});
  auto network = std::make_unique<std::shared_ptr<const IOptimizedNetwork>>(
      Optimize(*MakeSumAndRelu(), {kRecords}, runtime->GetDeviceSpec()));
  runtime->LoadNetwork(*network);
  EXPECT_EQ(allocator_->num_freed, 0);
  runtime.reset();
  EXPECT_EQ(allocator_->num_freed, 1);
  EXPECT_GT(allocator_.use_count(), 1);
  network.reset();
  EXPECT_EQ(allocator_.use_count(), 1);
}

TEST_F(Allocators, CannotBeNullOrForNobody) {
  directory_.Add("Records");
  for (const auto& [allocators, code] :
       std::vector<std::pair<std::vector<CustomAllocator>, DiagnosticCode>>{
           {{{kRecords, nullptr}}, DiagnosticCode::kNullAllocator},
           {{{kRecords, allocator_}, {kRecords, allocator_}}, DiagnosticCode::kDuplicateAllocator},
           {{{"MockRecord", allocator_}}, DiagnosticCode::kBackendNotRegistered}}) {
    try {
      Create(allocators);
      ADD_FAILURE() << "a runtime was created";
    } catch (const DiagnosticException& exception) {
      EXPECT_EQ(GetDiagnosticId(exception.GetDiagnostic().code), GetDiagnosticId(code));
    }
  }
}

}  // namespace
}  // namespace backplane::test
