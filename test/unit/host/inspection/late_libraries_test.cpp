#include "libraries/late_libraries.hpp"

#include <gtest/gtest.h>

namespace backplane::inspection {
namespace {

libraries::LateLibraries Read(const std::string& note) {
  return libraries::ReadLateLibraries({note});
}

void ExpectFault(const std::string& note, const std::string& words) {
  const libraries::LateLibraries late = Read(note);
  EXPECT_TRUE(late.libraries.empty()) << note;
  ASSERT_EQ(late.faults.size(), 1U) << note;
  EXPECT_NE(late.faults[0].find(words), std::string::npos) << late.faults[0];
}

TEST(LateLibraries, AreReadWithAllThatTheNoteMaySay) {
  const libraries::LateLibraries late = libraries::ReadLateLibraries(
      {R"([{"soname":["liba.so.2","liba.so.1"],"feature":"a","priority":"required","other":1},)"
       R"({"soname":"libb.so","priority":"suggested"}])",
       std::string_view("[{\"soname\":[\"libc.so\"]}]\0\0\0", 26)});
  EXPECT_TRUE(late.faults.empty());
  ASSERT_EQ(late.libraries.size(), 3U);
  EXPECT_EQ(late.libraries[0].sonames, (std::vector<std::string>{"liba.so.2", "liba.so.1"}));
  EXPECT_EQ(late.libraries[0].feature, "a");
  EXPECT_EQ(late.libraries[0].priority, libraries::LatePriority::kRequired);
  EXPECT_EQ(late.libraries[1].sonames, (std::vector<std::string>{"libb.so"}));
  EXPECT_EQ(late.libraries[1].priority, libraries::LatePriority::kSuggested);
  // As the metadata says of a library without priority.
  EXPECT_EQ(late.libraries[2].priority, libraries::LatePriority::kRecommended);
}

TEST(LateLibraries, AreReadBesideDamagedOnes) {
  const libraries::LateLibraries late =
      libraries::ReadLateLibraries({"[", R"([{"soname":"libb.so"},7])"});
  EXPECT_EQ(late.libraries.size(), 1U);
  EXPECT_EQ(late.faults, (std::vector<std::string>{"a note of 1 bytes is no JSON array",
                                                   "entry 1 of a note is no object"}));
}

TEST(LateLibraries, RejectWhatIsNoListOfLibraries) {
  ExpectFault("", "0 bytes is no JSON array");
  ExpectFault("{}", "no JSON array");
  ExpectFault("[[]]", "entry 0 of a note is no object");
  ExpectFault("[{}]", "has no \"soname\"");
  ExpectFault(R"([{"soname":[]}])", "has no \"soname\"");
  ExpectFault(R"([{"soname":["a",1]}])", "has no \"soname\"");
  ExpectFault(R"([{"soname":"a b"}])", "has no \"soname\"");
  ExpectFault(R"([{"soname":"\u001b[2J"}])", "has no \"soname\"");
  ExpectFault("[{\"soname\":\"" + std::string(5000, 'x') + "\"}]", "has no \"soname\"");
  ExpectFault(R"([{"soname":"a","priority":"urgent"}])", "other than required, recommended");
  ExpectFault(R"([{"soname":"a","priority":1}])", "other than required, recommended");
  ExpectFault(std::string(100 * 1024, '['), "has 102400 bytes, more than 65536");
  ExpectFault(std::string(60 * 1024, '['), "no JSON array");
}

TEST(LateLibraries, AreNotReadWithoutEnd) {
  std::string note = "[";
  for (int i = 0; i < 2000; ++i) note += R"({"soname":"a"},)";
  note.back() = ']';
  const libraries::LateLibraries late =
      libraries::ReadLateLibraries(std::vector<std::string_view>(100, std::string_view(note)));
  EXPECT_EQ(late.libraries.size(), 2000U);
  EXPECT_EQ(Read("[" + std::string(60 * 1024 - 1, '1') + "]").faults.size(), 1U);
}

}  // namespace
}  // namespace backplane::inspection
