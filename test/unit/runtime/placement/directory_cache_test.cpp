#include <backplane/runtime/compiled_cache.hpp>

#include "expect_diagnostic.hpp"
#include "support/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

namespace backplane {
namespace {

namespace fs = std::filesystem;

using Bytes = std::vector<std::uint8_t>;

const std::string kKey(64, 'a');
const std::string kOtherKey(64, 'b');

class DirectoryCacheTest : public testing::Test {
 protected:
  std::shared_ptr<ICompiledNetworkCache> Open(CompiledCacheOptions options = {}) const {
    return MakeCompiledNetworkCache(path_, options);
  }

  std::size_t CountFiles() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

  fs::path GetFile(const std::string& key) const { return fs::path(path_) / (key + ".compiled"); }

  void SetAge(const std::string& key, std::chrono::minutes age) const {
    fs::last_write_time(GetFile(key), fs::file_time_type::clock::now() - age);
  }

  static Bytes Load(ICompiledNetworkCache& cache, const std::string& key) {
    Bytes content;
    EXPECT_EQ(cache.Load(key, content), Status::kSuccess);
    return content;
  }

  static Status Find(ICompiledNetworkCache& cache, const std::string& key) {
    Bytes content;
    return cache.Load(key, content);
  }

  const test::TemporaryDirectory directory_;
  const std::string path_ = directory_ / "new/cache";
};

TEST_F(DirectoryCacheTest, GivesWhatWasStored) {
  EXPECT_EQ(Find(*Open(), kKey), Status::kNotFound);
  ASSERT_EQ(Open()->Store(kKey, {1, 2, 3}), Status::kSuccess);
  EXPECT_EQ(Load(*Open(), kKey), (Bytes{1, 2, 3}));
  EXPECT_EQ(Find(*Open(), kOtherKey), Status::kNotFound);
  ASSERT_EQ(Open()->Store(kKey, {}), Status::kSuccess);
  EXPECT_EQ(Load(*Open(), kKey), Bytes());
}

TEST_F(DirectoryCacheTest, IsForThisUserAlone) {
  ASSERT_EQ(Open()->Store(kKey, {1}), Status::kSuccess);
  struct stat status {};
  for (const std::string& path : {path_, directory_ / "new"}) {
    ASSERT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0700U) << path;
  }
  ASSERT_EQ(stat(GetFile(kKey).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(DirectoryCacheTest, StaysWhereItIsWhenTheWorkingDirectoryChanges) {
  const fs::path before = fs::current_path();
  fs::current_path(directory_.GetPath());
  const auto cache = MakeCompiledNetworkCache("relative");
  fs::current_path(before);
  ASSERT_EQ(cache->Store(kKey, {1}), Status::kSuccess);
  EXPECT_TRUE(fs::exists(directory_ / "relative"));
}

TEST_F(DirectoryCacheTest, RefusesKeysThatAreNone) {
  const auto cache = Open();
  for (const std::string& key : {std::string(), std::string("../up"), std::string(64, 'A'),
                                 std::string(63, 'a'), std::string(64, '/')}) {
    EXPECT_EQ(cache->Store(key, {1}), Status::kInvalidArgument) << key;
    EXPECT_EQ(Find(*cache, key), Status::kInvalidArgument) << key;
  }
  EXPECT_EQ(CountFiles(), 0U);
}

TEST_F(DirectoryCacheTest, RefusesADirectoryThatOthersCanWrite) {
  fs::create_directories(path_);
  fs::permissions(path_, fs::perms::all);
  ExpectDiagnostic(CatchDiagnostic([&] { Open(); }), DiagnosticCode::kCompiledCacheUnusable, path_,
                   "others may write it", "only its owner");
}

TEST_F(DirectoryCacheTest, RefusesWhatCannotBeMade) {
  const std::string file = directory_.Write("file", "");
  EXPECT_EQ(CatchDiagnostic([&] { MakeCompiledNetworkCache(file); }).why,
            "found a file; expected a directory");
  ExpectContains(CatchDiagnostic([&] { MakeCompiledNetworkCache(file + "/below"); }).why,
                 "Not a directory");
  EXPECT_EQ(CatchDiagnostic([&] { MakeCompiledNetworkCache(""); }).code,
            DiagnosticCode::kCompiledCacheUnusable);
}

TEST_F(DirectoryCacheTest, RefusesFilesThatOthersMayHaveWritten) {
  const auto cache = Open();
  ASSERT_EQ(cache->Store(kKey, {1}), Status::kSuccess);
  fs::permissions(GetFile(kKey), fs::perms::others_write, fs::perm_options::add);
  const Diagnostic diagnostic = CatchDiagnostic([&] { static_cast<void>(Find(*cache, kKey)); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kCompiledEntryRefused, GetFile(kKey).string(),
                   "others may write it", "only its owner");
  ASSERT_EQ(cache->Store(kKey, {2}), Status::kSuccess);
  EXPECT_EQ(Load(*cache, kKey), Bytes{2});
}

TEST_F(DirectoryCacheTest, RefusesWhatIsNoFile) {
  const auto cache = Open();
  fs::create_symlink(directory_.Write("elsewhere", "x"), GetFile(kKey));
  EXPECT_EQ(CatchDiagnostic([&] { static_cast<void>(Find(*cache, kKey)); }).code,
            DiagnosticCode::kCompiledEntryRefused);
  ASSERT_EQ(mkfifo(GetFile(kOtherKey).c_str(), 0600), 0);
  ExpectContains(CatchDiagnostic([&] { static_cast<void>(Find(*cache, kOtherKey)); }).why,
                 "no regular file");
}

TEST_F(DirectoryCacheTest, SaysWhyItCannotWrite) {
  const auto cache = Open();
  fs::remove_all(path_);
  const Diagnostic diagnostic =
      CatchDiagnostic([&] { static_cast<void>(cache->Store(kKey, {1})); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kCompiledCacheUnusable, GetFile(kKey).string(),
                   "No such file", "");
  EXPECT_EQ(Find(*cache, kKey), Status::kNotFound);
}

TEST_F(DirectoryCacheTest, RemovesWhatWasNotUsedForTheLongestTime) {
  const std::string third(64, 'c');
  const auto cache = Open({250});
  ASSERT_EQ(cache->Store(kKey, Bytes(100)), Status::kSuccess);
  ASSERT_EQ(cache->Store(kOtherKey, Bytes(100)), Status::kSuccess);
  SetAge(kKey, std::chrono::minutes(20));
  SetAge(kOtherKey, std::chrono::minutes(10));
  EXPECT_EQ(Load(*cache, kKey), Bytes(100));  // used now
  ASSERT_EQ(cache->Store(third, Bytes(100)), Status::kSuccess);
  EXPECT_EQ(Find(*cache, kOtherKey), Status::kNotFound);
  EXPECT_EQ(Load(*cache, kKey), Bytes(100));
  EXPECT_EQ(Load(*cache, third), Bytes(100));
}

TEST_F(DirectoryCacheTest, RefusesWhatIsLargerThanAllMayBe) {
  const auto cache = Open({99});
  const Diagnostic diagnostic =
      CatchDiagnostic([&] { static_cast<void>(cache->Store(kKey, Bytes(100))); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kCompiledCacheUnusable, GetFile(kKey).string(),
                   "100 bytes", "at most 99");
  ASSERT_EQ(Open()->Store(kKey, Bytes(100)), Status::kSuccess);
  ExpectContains(CatchDiagnostic([&] { static_cast<void>(Find(*cache, kKey)); }).why, "at most 99");
}

TEST_F(DirectoryCacheTest, RemovesWhatEndedWritersLeftAndNothingElse) {
  const auto cache = Open();
  const std::string old_part = kKey + ".compiled.Ab12Cd";
  const std::string new_part = kOtherKey + ".compiled.Ab12Cd";
  for (const std::string& name : {old_part, new_part, std::string("notes.txt")}) {
    std::ofstream(fs::path(path_) / name) << "x";
  }
  fs::last_write_time(fs::path(path_) / old_part,
                      fs::file_time_type::clock::now() - std::chrono::hours(2));
  ASSERT_EQ(cache->Store(kKey, {1}), Status::kSuccess);
  EXPECT_FALSE(fs::exists(fs::path(path_) / old_part));
  EXPECT_TRUE(fs::exists(fs::path(path_) / new_part));
  EXPECT_TRUE(fs::exists(fs::path(path_) / "notes.txt"));
}

// Each reader finds the whole of what one of the writers stored.
void StoreAndLoad(const std::string& path, std::uint8_t self) {
  constexpr std::size_t kSize = 100'000;
  const auto cache = MakeCompiledNetworkCache(path);
  for (int i = 0; i < 50; ++i) {
    if (cache->Store(kKey, Bytes(kSize, self)) != Status::kSuccess) _exit(1);
    Bytes content;
    if (cache->Load(kKey, content) != Status::kSuccess || content.size() != kSize) _exit(2);
    if (content != Bytes(kSize, content[0])) _exit(3);
  }
  _exit(0);
}

TEST_F(DirectoryCacheTest, IsSharedByProcesses) {
  std::vector<pid_t> children;
  for (std::uint8_t child = 1; child <= 3; ++child) {
    const pid_t id = fork();
    if (id == 0) StoreAndLoad(path_, child);
    children.push_back(id);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(CountFiles(), 1U);
}

TEST_F(DirectoryCacheTest, IsSharedByThreads) {
  const auto cache = Open({1000});
  std::vector<std::thread> threads;
  for (std::uint8_t i = 0; i < 3; ++i) {
    threads.emplace_back([&cache, i] {
      for (int round = 0; round < 30; ++round) {
        const std::string key(64, static_cast<char>('a' + (round + i) % 6));
        EXPECT_EQ(cache->Store(key, Bytes(400, i)), Status::kSuccess);
        Bytes content;
        if (cache->Load(key, content) == Status::kSuccess) {
          EXPECT_EQ(content.size(), 400U);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(CountFiles(), 2U);
}

}  // namespace
}  // namespace backplane
