/// State of the calling thread that layers leave changed.

#include "execution/checks_fixture.hpp"

#include <backplane/host/thread_state.hpp>

#include <cfenv>
#include <csignal>
#include <functional>

namespace backplane {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class CheckedState : public ChecksFixture {
 protected:
  CheckedState() : ChecksFixture(ToFlags(RunCheck::kState)) {}
  ~CheckedState() override { state_.Restore(); }

  /// A does something, and computes nothing.
  void Do(std::function<void()> work) const {
    a_->execute = [work = std::move(work)](const ExecuteArgs&) {
      work();
      return Status::kSuccess;
    };
  }

  const ThreadState state_ = ThreadState::Read();
};

TEST_F(CheckedState, ThatStaysIsNotTold) {
  const NetworkId id = Load(*MakeChain({"one", "two"}), {"A"});
  RunChain(id);
  EXPECT_THAT(GetReport(id).findings, IsEmpty());
}

TEST_F(CheckedState, IsToldWithLayerAndBackendAndPutBackForTheNext) {
  std::vector<int> roundings;
  Do([&] {
    roundings.push_back(std::fegetround());
    std::fesetround(FE_UPWARD);
  });
  const NetworkId id = Load(*MakeChain({"one", "two"}), {"A"});
  RunChain(id);
  EXPECT_EQ(roundings, (std::vector<int>{FE_TONEAREST, FE_TONEAREST}));
  EXPECT_TRUE(state_.IsCurrent());
  const CheckReport report = GetReport(id);
  ASSERT_THAT(report.findings, SizeIs(1));
  const CheckFinding& finding = report.findings[0];
  EXPECT_EQ(finding.check, RunCheck::kState);
  EXPECT_EQ(finding.backend_id, "A");
  EXPECT_EQ(finding.layer, "one");
  EXPECT_EQ(finding.num_runs, 2U);
  EXPECT_EQ(finding.diagnostic.severity, Severity::kWarning);
  ExpectDiagnostic(finding.diagnostic, DiagnosticCode::kThreadStateChanged, "one",
                   "found \"upward\"", "expected \"to nearest\"");
  EXPECT_THAT(finding.diagnostic.what,
              HasSubstr("backend \"A\" left the rounding of floating-point numbers changed"));
}

TEST_F(CheckedState, OfEachPartIsToldByItself) {
  Do([] {
    std::fesetround(FE_TOWARDZERO);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    feenableexcept(FE_DIVBYZERO);
  });
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  for (int i = 0; i < 3; ++i) RunChain(id);
  const CheckReport report = GetReport(id);
  ASSERT_THAT(report.findings, SizeIs(3));
  for (const CheckFinding& finding : report.findings) EXPECT_EQ(finding.num_runs, 3U);
  EXPECT_THAT(report.findings[1].diagnostic.why, HasSubstr("division by zero"));
  EXPECT_THAT(report.findings[2].diagnostic.why, HasSubstr("SIGUSR2"));
  EXPECT_TRUE(state_.IsCurrent());
}

// What the application has set is right for it.
TEST_F(CheckedState, OfTheApplicationIsKept) {
  std::fesetround(FE_DOWNWARD);
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  RunChain(id);
  EXPECT_EQ(std::fegetround(), FE_DOWNWARD);
  EXPECT_THAT(GetReport(id).findings, IsEmpty());
  Do([] { std::fesetround(FE_TONEAREST); });
  RunChain(id);
  EXPECT_EQ(std::fegetround(), FE_DOWNWARD);
  ASSERT_THAT(GetReport(id).findings, SizeIs(1));
  EXPECT_THAT(GetReport(id).findings[0].diagnostic.why, HasSubstr("expected \"downward\""));
}

TEST_F(CheckedState, IsPutBackWhenTheLayerFails) {
  a_->failures = {{CallPoint::kExecute, FailureKind::kRefuse}};
  a_->on_execute = [](const ExecuteArgs&) { std::fesetround(FE_UPWARD); };
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  EXPECT_EQ(Run(id, RunOptions()).status, Status::kTimeout);
  EXPECT_TRUE(state_.IsCurrent());
  EXPECT_THAT(GetReport(id).findings, SizeIs(1));
}

TEST_F(CheckedState, IsFoundInEveryThreadThatRuns) {
  Do([] { std::fesetround(FE_UPWARD); });
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  std::vector<std::thread> threads;
  std::atomic<int> num_wrong{0};
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int run = 0; run < 50; ++run) RunChain(id);
      if (std::fegetround() != FE_TONEAREST) ++num_wrong;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_wrong, 0);
  const CheckReport report = GetReport(id);
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].num_runs, 400U);
}

TEST_F(CheckedState, OfOtherThreadsCannotBeSeen) {
  Do([] { std::thread([] { std::fesetround(FE_UPWARD); }).join(); });
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  RunChain(id);
  EXPECT_THAT(GetReport(id).findings, IsEmpty());
}

TEST_F(CheckedState, IsLeftAsItIsWithoutTheCheck) {
  Do([] { std::fesetround(FE_UPWARD); });
  Start(ToFlags(RunCheck::kNumbers));
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  RunChain(id);
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  EXPECT_THAT(GetReport(id).findings, IsEmpty());
}

}  // namespace
}  // namespace backplane
