/// Backends that take from a process what an application needs to go on: seen in a process of their
/// own, they are not opened in this one unless that is allowed.

#include "mock_rows.hpp"
#include "probe_watch.hpp"
#include "support/sanitized.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <utility>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct IntrusiveRow {
  const char* name;
  Intrusion intrusion;
};

void PrintTo(const IntrusiveRow& row, std::ostream* stream) {
  *stream << row.name << ": " << GetIntrusionText(row.intrusion);
}

constexpr IntrusiveRow kRows[] = {
    {"ClosesDescriptors", Intrusion::kDescriptors}, {"RedirectsOutput", Intrusion::kDescriptors},
    {"LeavesProcess", Intrusion::kProcesses},       {"ForksAndGoesOn", Intrusion::kProcesses},
    {"ChangesState", Intrusion::kWorkingDirectory}, {"ChangesState", Intrusion::kUmask},
    {"ChangesState", Intrusion::kSignals},          {"ChangesLimits", Intrusion::kLimits},
};

/// A scan of one row that would open it here.
LoadReport Load(const std::string& row, BackendRegistry& registry, const ProbeSettings& settings) {
  ScanOptions options = MakeChildScan({GetMockRow(row).folder});
  options.probe_settings = settings;
  return LoadBackends(options, registry);
}

ProbeSettings MakeSettings(VerdictUse verdicts) {
  ProbeSettings settings;
  settings.verdicts = verdicts;
  settings.timeout = std::chrono::minutes(5);
  return settings;
}

void ExpectRejected(const LoadReport& report, const IntrusiveRow& row) {
  const Candidate* candidate = FindCandidate(report, GetMockRow(row.name).path);
  ASSERT_NE(candidate, nullptr);
  EXPECT_EQ(candidate->status, CandidateStatus::kRejected);
  EXPECT_EQ(candidate->stage, Stage::kCreate);
  EXPECT_EQ(candidate->where, ProbedIn::kChild);
  EXPECT_THAT(candidate->intrusions, Contains(row.intrusion));
  const Diagnostic* headline = GetHeadline(*candidate);
  ASSERT_NE(headline, nullptr);
  EXPECT_EQ(headline->code, DiagnosticCode::kIntrusiveBackend);
  EXPECT_THAT(headline->why, HasSubstr(GetIntrusionText(row.intrusion)));
  EXPECT_THAT(headline->fix, HasSubstr("--allow-intrusive"));
}

class IntrusiveBackend : public ::testing::TestWithParam<IntrusiveRow> {};

TEST_P(IntrusiveBackend, IsNotOpenedHere) {
  const bool is_of_limits = GetParam().intrusion == Intrusion::kLimits;
  if (is_of_limits && (HasAddressSanitizer() || HasThreadSanitizer())) {
    GTEST_SKIP() << "sanitizers need descriptors of their own";
  }
  BackendRegistry registry;
  ExpectRejected(Load(GetParam().name, registry, MakeSettings(VerdictUse::kIgnore)), GetParam());
  EXPECT_THAT(registry.GetBackendIds(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Table, IntrusiveBackend, ::testing::ValuesIn(kRows));

TEST(IntrusiveBackends, AreRejectedByKeptVerdictsToo) {
  const MockDirectory cache;
  ProbeSettings settings = MakeSettings(VerdictUse::kUse);
  settings.verdict_directory = cache.GetPath();
  for (int time = 0; time < 2; ++time) {
    BackendRegistry registry;
    const LoadReport report = Load("ChangesState", registry, settings);
    ExpectRejected(report, {"ChangesState", Intrusion::kUmask});
    EXPECT_EQ(report.candidates.front().verdict_of.has_value(), time == 1);
  }
}

// What only disturbs is not taken away.
TEST(IntrusiveBackends, AreNotThoseThatOnlyDisturb) {
  for (const char* row : {"FlushesDenormals", "LeavesThread", "LeavesDescriptor", "Prints"}) {
    const LoadReport report = Scan(MakeChildScan({GetMockRow(row).folder}));
    EXPECT_EQ(report.candidates.front().status, CandidateStatus::kLoaded) << row;
    EXPECT_THAT(report.candidates.front().intrusions, IsEmpty()) << row;
  }
}

TEST(IntrusiveBackends, AreWarnedOfThreadsOfTheirOwn) {
  const LoadReport report = Scan(MakeChildScan({GetMockRow("LeavesThread").folder}));
  const auto& found = report.candidates.front().diagnostics;
  const auto threads = std::find_if(found.begin(), found.end(), [](const Diagnostic& diagnostic) {
    return diagnostic.code == DiagnosticCode::kLeftThreads;
  });
  ASSERT_NE(threads, found.end());
  EXPECT_EQ(threads->severity, Severity::kWarning);
}

// Its code would go on where nothing is any more.
TEST(IntrusiveBackends, StayMappedWhileTheirThreadsGoOn) {
  const auto is_mapped = [](const std::string& path) {
    std::ifstream maps("/proc/self/maps");
    const std::string text{std::istreambuf_iterator<char>(maps), {}};
    return text.find(fs::path(path).filename().string()) != std::string::npos;
  };
  for (const auto& [row, stays] : {std::pair("ValidA", false), std::pair("LeavesThread", true)}) {
    {
      BackendRegistry registry;
      Load(row, registry, MakeSettings(VerdictUse::kIgnore));
      ASSERT_NE(registry.GetFactory(GetMockRow(row).id)(), nullptr) << row;
    }
    EXPECT_EQ(is_mapped(GetMockRow(row).path), stays) << row;
  }
}

}  // namespace
}  // namespace backplane::test
