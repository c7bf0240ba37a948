#include "probing/contain.hpp"

#include <backplane/host/system_refusal.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <new>
#include <stdexcept>

namespace backplane::probing {
namespace {

using ::testing::HasSubstr;

Candidate RunAndThrow(const std::function<void()>& part) {
  Candidate candidate;
  candidate.path = "/a/Mock_X_backend.so";
  CandidateLadder ladder(candidate);
  ladder.Begin(Stage::kAbi);
  EXPECT_FALSE(Contain(candidate, ladder, part));
  ladder.Finish(CandidateStatus::kLoaded);
  return candidate;
}

TEST(Contain, MakesWhatIsThrownAnErrorOfTheCandidateInItsStage) {
  const Candidate candidate = RunAndThrow([] { throw std::length_error("far too long"); });
  EXPECT_EQ(candidate.status, CandidateStatus::kRejected);
  EXPECT_EQ(candidate.stage, Stage::kAbi);
  ASSERT_EQ(candidate.diagnostics.size(), 1U);
  const Diagnostic& diagnostic = candidate.diagnostics[0];
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kExaminationFailed);
  EXPECT_EQ(diagnostic.subject.name, candidate.path);
  EXPECT_THAT(diagnostic.what, HasSubstr("/a/Mock_X_backend.so could not be examined to the end"));
  EXPECT_THAT(diagnostic.why, HasSubstr("in the stage \"abi\" the host was given: far too long"));
  EXPECT_THAT(diagnostic.why, HasSubstr("the other candidates are not affected"));
}

TEST(Contain, NamesMemoryThatIsRefusedAndItsCure) {
  const Candidate candidate = RunAndThrow([] { throw std::bad_alloc(); });
  ASSERT_EQ(candidate.diagnostics.size(), 1U);
  EXPECT_THAT(candidate.diagnostics[0].why, HasSubstr("memory was refused"));
  const Diagnostic refused = DescribeOutOfMemory("");
  EXPECT_THAT(candidate.diagnostics[0].fix, HasSubstr(refused.fix));
}

TEST(Contain, TakesWhatIsNoStandardException) {
  const Candidate candidate = RunAndThrow([] { throw 42; });
  ASSERT_EQ(candidate.diagnostics.size(), 1U);
  EXPECT_THAT(candidate.diagnostics[0].why, HasSubstr("something that is no std::exception"));
}

TEST(Contain, LeavesAloneWhatThrowsNothing) {
  Candidate candidate;
  CandidateLadder ladder(candidate);
  EXPECT_TRUE(Contain(candidate, ladder, [] {}));
  EXPECT_TRUE(candidate.diagnostics.empty());
}

}  // namespace
}  // namespace backplane::probing
