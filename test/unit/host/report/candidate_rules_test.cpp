#include "report/candidate_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>

namespace backplane::report {
namespace {

using ::testing::HasSubstr;

Candidate MakeLoadedCandidate() {
  Candidate candidate;
  candidate.status = CandidateStatus::kLoaded;
  candidate.stage = Stage::kCreate;
  candidate.stages = {{Stage::kOpen}, {Stage::kIdentify}, {Stage::kCreate}};
  candidate.identity = BackendIdentity{"Npu", {1, 0}};
  return candidate;
}

Candidate MakeRejectedCandidate() {
  Candidate candidate;
  candidate.status = CandidateStatus::kRejected;
  candidate.stage = Stage::kDependencies;
  candidate.stages = {{Stage::kOpen, {}, true}, {Stage::kDependencies, {}, true}};
  candidate.diagnostics.push_back(Diagnostic{DiagnosticCode::kMissingDependency});
  return candidate;
}

TEST(CandidateRules, HoldForWhatTheStagesWrite) {
  EXPECT_EQ(FindContradiction(MakeLoadedCandidate()), "");
  EXPECT_EQ(FindContradiction(MakeRejectedCandidate()), "");
  Candidate unavailable = MakeLoadedCandidate();
  unavailable.status = CandidateStatus::kUnavailable;
  unavailable.diagnostics.push_back(
      Diagnostic{DiagnosticCode::kBackendUnavailable, Severity::kWarning});
  EXPECT_EQ(FindContradiction(unavailable), "");
  Candidate identified = MakeLoadedCandidate();
  identified.stages.pop_back();
  identified.stage = Stage::kIdentify;
  EXPECT_EQ(FindContradiction(identified), "") << "no more was asked for";
}

struct Lie {
  const char* name;
  std::function<void(Candidate&)> tell;  // to a loaded one
  const char* words;
};

void PrintTo(const Lie& lie, std::ostream* stream) {
  *stream << lie.name;
}

void MakeRejected(Candidate& candidate) {
  candidate.status = CandidateStatus::kRejected;
}

const Lie kLies[] = {
    {"Nobody", [](Candidate& c) { c.identity.reset(); }, "\"loaded\" without an identity"},
    {"EmptyId", [](Candidate& c) { c.identity->id = ""; }, "an id that is not allowed"},
    {"LongId", [](Candidate& c) { c.identity->id.assign(65, 'x'); }, "an id that is not allowed"},
    {"UnprintableId", [](Candidate& c) { c.identity->id = "a\nb"; }, "an id that is not allowed"},
    {"NoStages", [](Candidate& c) { c.stages.clear(); }, "went through no stage"},
    {"StagesBackwards", [](Candidate& c) { std::swap(c.stages[0], c.stages[1]); },
     "the stage \"open\" behind the stage \"identify\""},
    {"StageTwice", [](Candidate& c) { c.stages[1] = c.stages[0]; },
     "the stage \"open\" behind the stage \"open\""},
    {"StageOfTheFile", [](Candidate& c) { c.stages[0].stage = Stage::kFile; },
     "the stage \"file\", which does not run there"},
    {"DependenciesOfAnOpenOne", [](Candidate& c) { c.stages[1].stage = Stage::kDependencies; },
     "the stage \"dependencies\" behind"},
    {"EndsBeforeItBegan", [](Candidate& c) { c.stages[1].duration = std::chrono::nanoseconds(-1); },
     "a time that cannot be"},
    {"TookYears", [](Candidate& c) { c.stages[1].duration = std::chrono::hours(100'000); },
     "a time that cannot be"},
    {"StageThatDidNotRun", [](Candidate& c) { c.stages.pop_back(); }, "which did not run"},
    {"FailedStage", [](Candidate& c) { c.stages[2].has_failed = true; },
     "\"loaded\" with a stage that failed"},
    {"Error",
     [](Candidate& c) { c.diagnostics.push_back(Diagnostic{DiagnosticCode::kBackendThrew}); },
     "\"loaded\" with an error"},
    {"StageBeforeTheLast", [](Candidate& c) { c.stage = Stage::kIdentify; },
     "in a stage that is not the last"},
    {"NotAsked",
     [](Candidate& c) {
       c.stages.resize(1, StageRecord{});
       c.stage = Stage::kOpen;
     },
     "without having been asked its id"},
    {"UnavailableForNothing", [](Candidate& c) { c.status = CandidateStatus::kUnavailable; },
     "\"unavailable\" without a reason"},
    {"RejectedForNothing", MakeRejected, "\"rejected\" without an error"},
    {"Shadowed", [](Candidate& c) { c.status = CandidateStatus::kShadowed; },
     "\"shadowed\", which no process"},
    {"EndlessText",
     [](Candidate& c) {
       Diagnostic remark{DiagnosticCode::kLeftThreads, Severity::kNote};
       remark.causes.push_back(remark);
       remark.causes[0].why.assign(300'000, 'x');
       c.diagnostics.push_back(remark);
     },
     "a diagnostic of 300000 bytes"},
    {"TooManyDiagnostics",
     [](Candidate& c) {
       c.diagnostics.assign(20'000, Diagnostic{DiagnosticCode::kLeftThreads, Severity::kNote});
     },
     "20000 diagnostics"},
    {"TooManyFactories", [](Candidate& c) { c.identity->tensor_handle_factories.resize(20'000); },
     "20000 tensor-handle factories"},
};

class CandidateLies : public ::testing::TestWithParam<Lie> {};

TEST_P(CandidateLies, AreNamed) {
  Candidate candidate = MakeLoadedCandidate();
  GetParam().tell(candidate);
  EXPECT_THAT(FindContradiction(candidate), HasSubstr(GetParam().words));
}

INSTANTIATE_TEST_SUITE_P(Table, CandidateLies, ::testing::ValuesIn(kLies),
                         [](const ::testing::TestParamInfo<Lie>& lie) {
                           return std::string(lie.param.name);
                         });

}  // namespace
}  // namespace backplane::report
