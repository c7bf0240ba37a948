#include "files/digest_list.hpp"

#include "files/load_digest_list.hpp"
#include "support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

namespace backplane::files {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

const std::string kA(64, 'a');
const std::string kB(64, 'b');

DigestList ReadDigestList(const std::string& text) {
  DigestList list;
  list.Read(text);
  return list;
}

TEST(DigestList, ReadsWhatSha256sumWrites) {
  const DigestList list = ReadDigestList(kA + "  one.so\n" + kB + " */opt/two.so\n");
  EXPECT_THAT(list.GetFaults(), IsEmpty());
  EXPECT_EQ(list.GetSize(), 2U);
  EXPECT_TRUE(list.Contains(kA));
  EXPECT_TRUE(list.Contains(kB));
  EXPECT_FALSE(list.Contains(std::string(64, 'c')));
  EXPECT_THAT(list.FindDigests("one.so"), ElementsAre(kA));
  EXPECT_THAT(list.FindDigests("two.so"), ElementsAre(kB));
}

TEST(DigestList, ReadsCommentsEmptyLinesUpperCaseAndCarriageReturns) {
  const DigestList list =
      ReadDigestList("# allowed\r\n\r\n   \n" + std::string(64, 'A') + "  one.so\r\n" + kB);
  EXPECT_THAT(list.GetFaults(), IsEmpty());
  EXPECT_TRUE(list.Contains(kA));
  EXPECT_TRUE(list.Contains(kB)) << "the last line has no end, and needs no name";
  EXPECT_THAT(list.FindDigests("one.so"), ElementsAre(kA));
}

TEST(DigestList, ReadsALineWhoseNameIsEscaped) {
  EXPECT_TRUE(ReadDigestList('\\' + kA + "  one\\nline.so\n").Contains(kA));
}

TEST(DigestList, KeepsSeveralDigestsOfOneName) {
  const DigestList list = ReadDigestList(kA + "  v1/one.so\n" + kB + "  v2/one.so\n");
  EXPECT_THAT(list.FindDigests("one.so"), UnorderedElementsAre(kA, kB));
}

TEST(DigestList, NumbersTheLinesThatCannotBeRead) {
  const DigestList list =
      ReadDigestList("# first\n" + kA + "  one.so\n" + kA.substr(1) + "  short.so\n\n" + kA +
                     "f  long.so\n" + std::string(64, 'g') + "  no-digits.so\n");
  std::vector<std::size_t> lines;
  for (const DigestList::Fault& fault : list.GetFaults()) lines.push_back(fault.line);
  EXPECT_THAT(lines, ElementsAre(3U, 5U, 6U));
  EXPECT_EQ(list.GetFaults()[0].found, kA.substr(1) + "  short.so");
}

void ExpectUnusable(const std::string& path, const std::string& reason) {
  const LoadedDigestList loaded = LoadDigestList(path);
  ASSERT_TRUE(loaded.failure) << path;
  EXPECT_EQ(loaded.failure->code, DiagnosticCode::kDigestListUnreadable);
  EXPECT_EQ(loaded.failure->severity, Severity::kError);
  EXPECT_THAT(loaded.failure->what, HasSubstr(path));
  EXPECT_THAT(loaded.failure->why, HasSubstr(reason));
  EXPECT_THAT(loaded.failure->fix, HasSubstr("sha256sum"));
}

TEST(LoadDigestList, ReadsAFile) {
  const test::TemporaryDirectory directory;
  const LoadedDigestList loaded = LoadDigestList(directory.Write("list", kA + "  one.so\n"));
  EXPECT_FALSE(loaded.failure);
  EXPECT_TRUE(loaded.list.Contains(kA));
}

TEST(LoadDigestList, TakesAnEmptyFileAsAListThatAllowsNothing) {
  const test::TemporaryDirectory directory;
  const LoadedDigestList loaded = LoadDigestList(directory.Write("list", ""));
  EXPECT_FALSE(loaded.failure);
  EXPECT_EQ(loaded.list.GetSize(), 0U);
}

TEST(LoadDigestList, RejectsWhatIsNoRegularFile) {
  const test::TemporaryDirectory directory;
  ExpectUnusable(directory / "none", "No such file or directory");
  ExpectUnusable(directory.GetPath(), "a directory");
  ASSERT_EQ(mkfifo((directory / "fifo").c_str(), 0600), 0);
  ExpectUnusable(directory / "fifo", "a special file");
}

TEST(LoadDigestList, NamesEachLineThatCannotBeRead) {
  const test::TemporaryDirectory directory;
  const std::string path =
      directory.Write("list", kA + "  one.so\nSHA256 (two.so) = " + kB + "\nnonsense\n");
  ExpectUnusable(path, "2 lines");
  const LoadedDigestList loaded = LoadDigestList(path);
  ASSERT_EQ(loaded.failure->causes.size(), 2U);
  EXPECT_THAT(loaded.failure->causes[0].what, HasSubstr("line 2 "));
  EXPECT_THAT(loaded.failure->causes[1].what, HasSubstr("line 3 "));
  EXPECT_THAT(loaded.failure->causes[1].why, HasSubstr("nonsense"));
}

TEST(LoadDigestList, ShowsOnlyTheFirstOfManyLinesThatCannotBeRead) {
  const test::TemporaryDirectory directory;
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "nonsense\n";
  const LoadedDigestList loaded = LoadDigestList(directory.Write("list", text));
  ASSERT_TRUE(loaded.failure);
  EXPECT_THAT(loaded.failure->why, HasSubstr("1000 lines"));
  EXPECT_EQ(loaded.failure->causes.size(), 20U);
}

}  // namespace
}  // namespace backplane::files
