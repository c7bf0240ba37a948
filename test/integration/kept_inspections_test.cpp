/// What was read of files that are opened at first use is kept: when it stands for reading them
/// again, and when not.

#include "mock_rows.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;

class KeptInspections : public ::testing::Test {
 protected:
  LoadReport Load(VerdictUse use = VerdictUse::kUse) const {
    ScanOptions options;
    options.search_paths.push_back({backends_.GetPath()});
    options.opening = Opening::kLazy;
    options.probe_settings.verdicts = use;
    options.probe_settings.verdict_directory = cache_;
    BackendRegistry registry;
    return LoadBackends(options, registry);
  }

  /// Whether the one backend's file was read now; what is kept takes no time. It must be usable.
  bool IsRead(VerdictUse use = VerdictUse::kUse) const {
    const LoadReport report = Load(use);
    EXPECT_EQ(report.candidates.size(), 1U);
    const Candidate& candidate = report.candidates.front();
    EXPECT_EQ(candidate.status, CandidateStatus::kInspected);
    EXPECT_TRUE(candidate.identity && candidate.identity->id == GetMockRow(kRow).id);
    for (const StageRecord& stage : candidate.stages) {
      if (stage.stage == Stage::kFormat) return stage.duration.count() != 0;
    }
    ADD_FAILURE() << "the stage \"format\" is missing";
    return false;
  }

  static constexpr char kRow[] = "WithManifest";
  const MockDirectory backends_;
  const MockDirectory scratch_;
  const std::string cache_ = scratch_.GetPath() + "/cache";
  const std::string file_ = cache_ + "/inspections";
};

TEST_F(KeptInspections, StandForReadingAFile) {
  const std::string path = backends_.Add(kRow);
  EXPECT_TRUE(IsRead());
  EXPECT_FALSE(IsRead());
  fs::copy(path, path + ".new");
  fs::rename(path + ".new", path);
  EXPECT_TRUE(IsRead()) << "it is another file";
  EXPECT_FALSE(IsRead());
}

TEST_F(KeptInspections, SayTheSameAsTheFile) {
  backends_.Add(kRow);
  const LoadReport read = Load();
  const LoadReport kept = Load();
  const BackendIdentity& expected = *read.candidates[0].identity;
  const BackendIdentity& found = *kept.candidates[0].identity;
  EXPECT_TRUE(found.api_version == expected.api_version);
  EXPECT_EQ(found.vendor, expected.vendor);
  EXPECT_EQ(found.version, expected.version);
  EXPECT_EQ(found.license, expected.license);
  EXPECT_EQ(found.rank, expected.rank);
}

TEST_F(KeptInspections, AreNotTakenWhenTheyAreDamaged) {
  backends_.Add(kRow);
  EXPECT_TRUE(IsRead());
  const auto size = fs::file_size(file_);
  for (const auto bytes : {size - 1, size / 2, size_t{30}, size_t{0}}) {
    fs::resize_file(file_, bytes);
    EXPECT_TRUE(IsRead()) << bytes;
    EXPECT_FALSE(IsRead()) << "it was written anew";
  }
  std::fstream stream(file_, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(static_cast<std::streamoff>(size) - 3);
  stream.put('\x55');
  stream.close();
  EXPECT_TRUE(IsRead());
}

TEST_F(KeptInspections, AreNeitherReadNorKeptWhenTheyAreIgnored) {
  backends_.Add(kRow);
  EXPECT_TRUE(IsRead(VerdictUse::kIgnore));
  EXPECT_FALSE(fs::exists(file_));
  EXPECT_TRUE(IsRead());
  EXPECT_TRUE(IsRead(VerdictUse::kIgnore));
  EXPECT_TRUE(IsRead(VerdictUse::kRefresh));
  EXPECT_FALSE(IsRead());
}

TEST_F(KeptInspections, OfRejectedFilesAreNotKept) {
  backends_.Add("TextFile");
  Load();
  EXPECT_FALSE(fs::exists(file_));
}

}  // namespace
}  // namespace backplane::test
