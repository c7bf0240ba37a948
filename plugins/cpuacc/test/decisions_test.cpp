#include "decisions/decisions.hpp"
#include "decisions/decision_text.hpp"
#include "decisions/kept_decisions.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

namespace fs = std::filesystem;

const Answers kAnswers = {{"faster: 1x3x8x8 threads 1", true}, {"exact: 1x3x8x8", false}};

class Cache : public ICompiledSubgraphCache {
 public:
  Status Load(const char* key, std::vector<std::uint8_t>* content) override {
    const auto found = contents.find(key);
    if (found == contents.end()) return Status::kNotFound;
    *content = found->second;
    return Status::kSuccess;
  }
  Status Store(const char* key, const void* content, std::uint64_t size_bytes) override {
    ++num_stores;
    const auto* bytes = static_cast<const std::uint8_t*>(content);
    contents[key].assign(bytes, bytes + size_bytes);
    return Status::kSuccess;
  }

  std::map<std::string, std::vector<std::uint8_t>> contents;
  int num_stores = 0;
};

class Logger : public ILogger {
 public:
  bool IsEnabled(LogLevel /*level*/) const override { return true; }
  Status Log(LogLevel /*level*/, const char* message) override {
    text += message;
    return Status::kSuccess;
  }

  std::string text;
};

TEST(Decisions, AreFoundOutOnce) {
  Decisions decisions;
  int num_decided = 0;
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(decisions.Get("question", [&] { return ++num_decided == 1; }));
  }
  EXPECT_EQ(num_decided, 1);
}

TEST(Decisions, KnowWhatWasAskedSince) {
  Decisions decisions;
  decisions.Keep("old", true);
  decisions.Keep("asked again", false);
  const std::uint64_t begin = decisions.GetNumQuestions();
  decisions.Add({{"added", true}, {"old", false}});
  decisions.Find("asked again");
  decisions.Keep("new", true);
  EXPECT_EQ(decisions.GetAskedSince(begin), (Answers{{"asked again", false}, {"new", true}}));
  EXPECT_EQ(decisions.Find("old"), true);
}

TEST(DecisionText, IsReadAsItWasWritten) {
  const std::string text = WriteDecisions(kAnswers, "machine");
  EXPECT_EQ(ReadDecisions(text, "machine"), kAnswers);
  EXPECT_EQ(ReadDecisions(WriteDecisions({}, "machine"), "machine"), Answers());
}

TEST(DecisionText, OfAnotherMachineIsPassedOver) {
  EXPECT_EQ(ReadDecisions(WriteDecisions(kAnswers, "machine"), "other"), std::nullopt);
}

TEST(DecisionText, ThatIsDamagedIsPassedOver) {
  const std::string text = WriteDecisions(kAnswers, "machine");
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_EQ(ReadDecisions(text.substr(0, length), "machine"), std::nullopt) << length;
  }
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string damaged = text;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_EQ(ReadDecisions(damaged, "machine"), std::nullopt) << at;
  }
}

class KeptDecisionsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "cpuacc-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { fs::remove_all(directory_); }

  /// Compiles something that asks one question; whether it had to be decided.
  bool IsDecidedAgain(const std::string& directory) {
    Decisions decisions;  // of another process
    KeptDecisions kept(decisions, &cache_, directory, logger_);
    bool is_decided = false;
    decisions.Get("question", [&] { return is_decided = true; });
    kept.Store();
    return is_decided;
  }

  Cache cache_;
  Logger logger_;
  fs::path directory_;
};

TEST_F(KeptDecisionsTest, AreInTheCacheOfTheHost) {
  EXPECT_TRUE(IsDecidedAgain(""));
  EXPECT_FALSE(IsDecidedAgain(""));
  EXPECT_EQ(cache_.num_stores, 1);
  cache_.contents.begin()->second.back() ^= 1;
  EXPECT_TRUE(IsDecidedAgain(""));
}

TEST_F(KeptDecisionsTest, AreInADirectoryThatIsMade) {
  const std::string directory = (directory_ / "made").string();
  EXPECT_TRUE(IsDecidedAgain(directory));
  cache_.contents.clear();
  EXPECT_FALSE(IsDecidedAgain(directory));
  std::ofstream(fs::path(directory) / "cpuacc-decisions") << "something else";
  cache_.contents.clear();
  EXPECT_TRUE(IsDecidedAgain(directory));
  EXPECT_EQ(logger_.text, "");
}

TEST_F(KeptDecisionsTest, AreLoggedWhenTheyCannotBeWritten) {
  std::ofstream(directory_ / "file") << "no directory";
  EXPECT_TRUE(IsDecidedAgain((directory_ / "file").string()));
  EXPECT_EQ(logger_.text, "what was found out cannot be kept: " + (directory_ / "file").string() +
                              " cannot be written; give a directory that can as cache_directory");
}

}  // namespace
}  // namespace cpuacc
}  // namespace backplane
