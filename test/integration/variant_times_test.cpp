/// Files of one id that are measured against each other. What they take differs so much that no
/// other work of the machine turns it round.

#include "mock_rows.hpp"
#include "support/build_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;

class VariantTimesOfFiles : public ::testing::Test {
 protected:
  LoadReport ScanWith(VariantTimes times, ProbeMode probe = ProbeMode::kChild) {
    ScanOptions options;
    options.search_paths.push_back({backends_.GetPath()});
    options.probe = probe;
    options.variant_times = times;
    options.probe_settings = settings_;
    options.probe_settings.verdict_directory = scratch_.GetPath() + "/cache";
    return Scan(options);
  }
  VariantSpeeds Measure() {
    LoadReport report = ScanWith(VariantTimes::kReport);
    EXPECT_EQ(report.speeds.size(), 1U);
    return report.speeds.empty() ? VariantSpeeds() : report.speeds.front();
  }
  /// Of a file that was measured before: whether its times are those.
  bool IsKept(const std::string& path, VariantTimes times = VariantTimes::kReport) {
    const auto before = FindCandidate(ScanWith(times), path)->times;
    const auto after = FindCandidate(ScanWith(times), path)->times;
    return !before.empty() && before.back().time == after.back().time;
  }
  static std::string GetUsed(const LoadReport& report) {
    for (const Candidate& candidate : report.candidates) {
      if (candidate.status == CandidateStatus::kLoaded) return candidate.path;
    }
    return "";
  }
  static const VariantSpeed& Find(const VariantSpeeds& speeds, const std::string& path) {
    for (const VariantSpeed& file : speeds.files) {
      if (file.path == path) return file;
    }
    static const VariantSpeed kNone;
    ADD_FAILURE() << path << " is not among them";
    return kNone;
  }

  const MockDirectory backends_;
  const MockDirectory scratch_;
  ProbeSettings settings_;
};

TEST_F(VariantTimesOfFiles, TellThatTheRankIsNotTrue) {
  const std::string fast = backends_.Add("RunsFast");
  const std::string slow = backends_.Add("RunsLong");
  const LoadReport report = ScanWith(VariantTimes::kReport);
  ASSERT_EQ(report.speeds.size(), 1U);
  const VariantSpeeds& speeds = report.speeds[0];
  EXPECT_EQ(speeds.id, "MockRunsVariant");
  EXPECT_EQ(speeds.truth, RankTruth::kFalse);
  EXPECT_THAT(speeds.text,
              AllOf(HasSubstr("Mock_RunsLong_backend.so (rank 30) has the higher rank, "
                              "Mock_RunsFast_backend.so (rank 20) is "),
                    HasSubstr(" times as fast on this machine")));
  EXPECT_THAT(speeds.networks, ElementsAre("elements"));
  EXPECT_EQ(Find(speeds, fast).ratio, 1);
  EXPECT_GT(Find(speeds, slow).ratio, 2);
  EXPECT_EQ(GetUsed(report), slow) << "only told";
  const auto& times = FindCandidate(report, fast)->times;
  ASSERT_EQ(times.size(), 3U);
  EXPECT_THAT(times[0].refusal, HasSubstr("layer type Convolution is not supported by this mock"));
}

TEST_F(VariantTimesOfFiles, DecideBeforeTheRank) {
  const std::string fast = backends_.Add("RunsFast");
  const std::string slow = backends_.Add("RunsLong");
  const LoadReport report = ScanWith(VariantTimes::kOrder);
  EXPECT_EQ(GetUsed(report), fast);
  const Candidate* other = FindCandidate(report, slow);
  EXPECT_EQ(other->status, CandidateStatus::kShadowed);
  const Diagnostic* why = FindDiagnostic(*other, DiagnosticCode::kVariantNotChosen);
  ASSERT_NE(why, nullptr);
  EXPECT_THAT(why->why, AllOf(HasSubstr("its measured time is "),
                              HasSubstr("Mock_RunsFast_backend.so is 100 % of the shortest")));
  EXPECT_THAT(report.variants[0].files, ElementsAre(fast, slow));
}

TEST_F(VariantTimesOfFiles, OfOneThatCrashesAreNotTakenAndItComesLast) {
  const std::string fast = backends_.Add("RunsFast");
  const std::string crashes = backends_.Add("RunsAndCrashes");
  const LoadReport report = ScanWith(VariantTimes::kOrder);
  EXPECT_EQ(GetUsed(report), fast);
  const VariantSpeed& file = Find(report.speeds.at(0), crashes);
  ASSERT_TRUE(file.fault);
  EXPECT_EQ(file.fault->code, DiagnosticCode::kFailedWhileMeasured);
  EXPECT_THAT(file.fault->why, AllOf(HasSubstr("crashed in the measured network \"elements\""),
                                     HasSubstr("SIGSEGV")));
  EXPECT_EQ(FindCandidate(report, crashes)->status, CandidateStatus::kShadowed)
      << "a crash while it is measured takes nothing else from it";
}

TEST_F(VariantTimesOfFiles, OfOneThatHangsEndWithTheTimeout) {
  backends_.Add("RunsFast");
  const std::string hangs = backends_.Add("RunsAndHangs");
  settings_.timeout = std::chrono::seconds(15);
  const VariantSpeeds speeds = Measure();
  ASSERT_TRUE(Find(speeds, hangs).fault);
  EXPECT_THAT(Find(speeds, hangs).fault->why,
              HasSubstr("did not come to an end in the measured network \"elements\""));
  EXPECT_EQ(speeds.text, "there is nothing to compare: fewer than two files were measured");
}

TEST_F(VariantTimesOfFiles, OfOneThatRunsNothingLeaveTheOrderToWhatIsDeclared) {
  const std::string fast = backends_.Add("RunsFast");
  backends_.Add("RunsLong");
  const std::string nothing = backends_.Add("RunsNothing");
  const LoadReport report = ScanWith(VariantTimes::kOrder);
  const VariantSpeeds& speeds = report.speeds.at(0);
  EXPECT_EQ(Find(speeds, fast).ratio, 1);
  EXPECT_EQ(Find(speeds, nothing).ratio, 0);
  EXPECT_FALSE(Find(speeds, nothing).fault);
  EXPECT_EQ(GetUsed(report), nothing);
  EXPECT_THAT(speeds.text, HasSubstr("; what the files declare decides which is used"));
  EXPECT_THAT(FindCandidate(report, nothing)->times,
              Each(Field(&NetworkTime::refusal, HasSubstr("not supported"))));
}

TEST_F(VariantTimesOfFiles, AreKeptUntilTheFileChanges) {
  backends_.Add("RunsFast");
  const std::string slow = backends_.Add("RunsLong");
  EXPECT_TRUE(IsKept(slow));
  const auto before = FindCandidate(ScanWith(VariantTimes::kReport), slow)->times;
  fs::copy(GetMockRow("RunsSlow").path, slow + ".new");
  fs::rename(slow + ".new", slow);
  const auto after = FindCandidate(ScanWith(VariantTimes::kReport), slow)->times;
  ASSERT_EQ(after.size(), before.size());
  EXPECT_LT(after.back().time * 2, before.back().time) << "those of the file that is there now";
  EXPECT_TRUE(IsKept(slow));
  settings_.verdicts = VerdictUse::kIgnore;
  // Two measurements give the same now and then.
  constexpr int kMostTurns = 20;
  int num_same = 0;
  while (num_same < kMostTurns && IsKept(slow)) ++num_same;
  EXPECT_LT(num_same, kMostTurns);
}

TEST_F(VariantTimesOfFiles, AreNotMeasuredWhereNoProcessIsStarted) {
  const std::string fast = backends_.Add("RunsFast");
  const std::string slow = backends_.Add("RunsLong");
  const LoadReport before = ScanWith(VariantTimes::kOrder, ProbeMode::kInProcess);
  EXPECT_EQ(GetUsed(before), slow);
  for (const VariantSpeed& file : before.speeds.at(0).files) {
    ASSERT_TRUE(file.fault);
    EXPECT_EQ(file.fault->code, DiagnosticCode::kVariantNotMeasured);
  }
  EXPECT_THAT(before.speeds[0].text, HasSubstr("what the files declare decides"));
  Measure();
  EXPECT_EQ(GetUsed(ScanWith(VariantTimes::kOrder, ProbeMode::kInProcess)), fast);
}

TEST_F(VariantTimesOfFiles, AreMissingWithoutTheProgramThatMeasures) {
  const std::string probe = scratch_.GetPath() + "/backplane-probe";
  fs::create_symlink(InBuildTree(BACKPLANE_PROBE), probe);
  settings_.program = probe;
  backends_.Add("RunsFast");
  const std::string slow = backends_.Add("RunsLong");
  const LoadReport report = ScanWith(VariantTimes::kOrder);
  EXPECT_EQ(GetUsed(report), slow);
  ASSERT_TRUE(report.speeds.at(0).files.at(0).fault);
  EXPECT_EQ(report.speeds[0].files[0].fault->code, DiagnosticCode::kVariantNotMeasured);
  EXPECT_THAT(report.speeds[0].files[0].fault->why, HasSubstr("backplane-measure"));
}

TEST_F(VariantTimesOfFiles, AreOfNoUseForAFileThatIsAlone) {
  backends_.Add("Runs");
  EXPECT_EQ(Measure().text, "there is nothing to compare: only Mock_Runs_backend.so can be used");
}

TEST_F(VariantTimesOfFiles, AreNotTakenUnlessAsked) {
  const std::string fast = backends_.Add("RunsFast");
  backends_.Add("RunsLong");
  const LoadReport report = ScanWith(VariantTimes::kNone);
  EXPECT_TRUE(report.speeds.empty());
  EXPECT_TRUE(FindCandidate(report, fast)->times.empty());
}

#ifdef BACKPLANE_BACKENDS_FOLDER
TEST_F(VariantTimesOfFiles, AreOfAllNetworksWhereABackendHasTheirLayers) {
  const std::string reference =
      InBuildTree(BACKPLANE_BACKENDS_FOLDER) + "/Backplane_CpuRef_backend.so";
  for (const char* name : {"/Backplane_CpuRef_backend.so", "/Backplane_CpuOther_backend.so"}) {
    fs::copy(reference, backends_.GetPath() + name);
  }
  EXPECT_THAT(Measure().networks, ElementsAre("convolution", "product", "elements"));
}
#endif

}  // namespace
}  // namespace backplane::test
