/// A directory of so many files that several threads read them: the report must not show it.

#include "mock_rows.hpp"
#include "support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sched.h>

#include <filesystem>
#include <string>
#include <vector>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;

/// Leaves the test one of its processors, for a while.
class OneProcessor {
 public:
  OneProcessor() {
    sched_getaffinity(0, sizeof(before_), &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    EXPECT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  }
  ~OneProcessor() { sched_setaffinity(0, sizeof(before_), &before_); }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

  int CountBefore() const { return CPU_COUNT(&before_); }

 private:
  cpu_set_t before_{};
};

/// All that is the same in two scans, without times.
std::string Describe(const Candidate& candidate) {
  std::string text = candidate.path + " " + candidate.canonical_path + " " +
                     GetCandidateStatusName(candidate.status) + " " +
                     GetStageName(candidate.stage) + " behind " + candidate.shadowed_by;
  if (candidate.identity) text += " id " + candidate.identity->id;
  for (const StageRecord& record : candidate.stages) {
    text += std::string(" ") + GetStageName(record.stage) + (record.has_failed ? "!" : "");
  }
  for (const Diagnostic& diagnostic : candidate.diagnostics) text += "\n  " + ToText(diagnostic);
  return text;
}

std::vector<std::string> DescribeAll(const LoadReport& report) {
  std::vector<std::string> texts;
  for (const Candidate& candidate : report.candidates) texts.push_back(Describe(candidate));
  return texts;
}

class ManyFiles : public ::testing::TestWithParam<ProbeMode> {
 protected:
  /// Good files, versions of them, damaged ones, and names that lead to one file.
  ManyFiles() {
    for (int i = 10; i < 40; ++i) {
      const std::string name = "Many_B" + std::to_string(i) + "_backend.so";
      Add(i % 3 == 0 ? "Mangled" : "ValidA", name);
      Add("ValidB", name + ".2");
      if (i % 5 == 0) fs::create_symlink(GetPath(name), GetPath("Link_" + name));
      if (i % 7 == 0) fs::create_hard_link(GetPath(name), GetPath("Again_" + name));
    }
    Add("TextFile", "Many_Text_backend.so");
  }

  std::string GetPath(const std::string& name) const { return directory_ / name; }
  void Add(const std::string& row, const std::string& name) const {
    fs::copy(GetMockRow(row).path, GetPath(name));
  }

  LoadReport ScanThem() const {
    ScanOptions options;
    options.search_paths = {{directory_.GetPath()}};
    options.probe = GetParam();
    options.opening = Opening::kLazy;  // what is opened at once is read by one thread
    options.disabled = {"Many_B11_backend.so*"};
    return Scan(options);
  }

  TemporaryDirectory directory_;
};

INSTANTIATE_TEST_SUITE_P(Modes, ManyFiles,
                         ::testing::Values(ProbeMode::kInspect, ProbeMode::kInProcess),
                         [](const auto& mode) {
                           return mode.index == 0 ? "Inspect" : "OpenLater";
                         });

TEST_P(ManyFiles, AreReportedAsByOneThread) {
  std::vector<std::string> alone;
  {
    const OneProcessor one;
    if (one.CountBefore() < 2) GTEST_SKIP() << "this machine has one processor";
    alone = DescribeAll(ScanThem());
  }
  ASSERT_GT(alone.size(), 64U);
  for (int round = 0; round < 5; ++round) EXPECT_EQ(DescribeAll(ScanThem()), alone);
}

TEST_P(ManyFiles, AreToldOneByOneAsTheyAreLookedAt) {
  std::vector<ScanStep> steps;
  ScanOptions options;
  options.search_paths = {{directory_.GetPath()}};
  options.probe = GetParam();
  options.opening = Opening::kLazy;
  options.on_step = [&](const ScanStep& step) { steps.push_back(step); };
  Scan(options);
  ASSERT_FALSE(steps.empty());
  EXPECT_EQ(steps.front().deed, ScanDeed::kRead);
  EXPECT_EQ(steps.size(), steps.front().count);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].number, i + 1);
    EXPECT_EQ(steps[i].path.rfind(directory_.GetPath(), 0), 0U) << steps[i].path;
  }
}

}  // namespace
}  // namespace backplane::test
