#include "files/list_directory.hpp"

#include "support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace backplane::files {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> GetFileNames(const DirectoryListing& listing) {
  std::vector<std::string> names;
  for (const auto& entry : listing.entries) names.push_back(entry.file_name);
  return names;
}

TEST(ListDirectory, PutsBackendsInOrderAndOthersBehindThem) {
  const test::TemporaryDirectory directory;
  for (const char* name : {"readme.txt", "B_x_backend.so.2", "B_x_backend.so.10", "A_x_backend.so",
                           "A_x_backend.txt"}) {
    directory.Write(name, "");
  }
  const DirectoryListing listing = ListDirectory(directory.GetPath());
  EXPECT_FALSE(listing.failure);
  EXPECT_THAT(GetFileNames(listing),
              ElementsAre("A_x_backend.so", "B_x_backend.so.10", "B_x_backend.so.2",
                          "A_x_backend.txt", "readme.txt"));
}

TEST(ListDirectory, KnowsTheCanonicalPathOfWhatIsNoLink) {
  const test::TemporaryDirectory directory;
  directory.Write("A_x_backend.so.1", "");
  directory.Link("A_x_backend.so", "A_x_backend.so.1");
  std::filesystem::create_directory_symlink(directory.GetPath(), directory / "link");
  const DirectoryListing listing = ListDirectory(directory / "link");
  ASSERT_GE(listing.entries.size(), 2U);
  EXPECT_EQ(listing.entries[1].direct_path, directory / "A_x_backend.so.1");
  EXPECT_EQ(listing.entries[1].path, (directory / "link") + "/A_x_backend.so.1");
}

TEST(ListDirectory, StopsInAHugeDirectoryAndSaysSo) {
  const test::TemporaryDirectory directory;
  for (int i = 0; i < 4; ++i) directory.Write("Acme_N" + std::to_string(i) + "_backend.so", "");
  EXPECT_FALSE(ListDirectory(directory.GetPath(), 4).failure.has_value());
  const DirectoryListing listing = ListDirectory(directory.GetPath(), 3);
  EXPECT_EQ(listing.entries.size(), 3U);
  ASSERT_TRUE(listing.failure.has_value());
  EXPECT_EQ(listing.failure->code, DiagnosticCode::kTooManyEntries);
  EXPECT_EQ(listing.failure->severity, Severity::kWarning);
  EXPECT_EQ(listing.failure->subject.name, directory.GetPath());
  EXPECT_NE(listing.failure->why.find("more than 3 names of backends"), std::string::npos);
}

TEST(ListDirectory, FindsBackendsAmongManyOtherFiles) {
  const test::TemporaryDirectory directory;
  for (int i = 0; i < 9; ++i) directory.Write("data" + std::to_string(i), "");
  std::filesystem::create_directory(directory / "x86-64-v3");
  for (int i = 0; i < 3; ++i) directory.Write("Acme_N" + std::to_string(i) + "_backend.so", "");
  const DirectoryListing listing = ListDirectory(directory.GetPath(), 3);
  const std::vector<std::string> names = GetFileNames(listing);
  EXPECT_THAT(names, ::testing::IsSupersetOf({"Acme_N0_backend.so", "Acme_N1_backend.so",
                                              "Acme_N2_backend.so", "x86-64-v3"}));
  EXPECT_LE(names.size(), 7U);
  ASSERT_TRUE(listing.failure);
  EXPECT_EQ(listing.failure->severity, Severity::kNote);
}

TEST(ListDirectory, ReportsADirectoryThatVanished) {
  std::string path;
  {
    const test::TemporaryDirectory directory;
    path = directory.GetPath();
  }
  const DirectoryListing listing = ListDirectory(path);
  ASSERT_TRUE(listing.failure);
  EXPECT_EQ(listing.failure->code, DiagnosticCode::kSearchPathUnreadable);
  EXPECT_EQ(listing.failure->subject.name, path);
  EXPECT_TRUE(listing.entries.empty());
}

}  // namespace
}  // namespace backplane::files
