#include "programs/kept_programs.hpp"

#include "context/model_context.hpp"
#include "test/opencl_case.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

namespace backplane {
namespace opencl_test {
namespace {

using opencl::KeptProgram;

/// The cache of an application.
class CacheOfTest final : public ICompiledSubgraphCache {
 public:
  Status Load(const char* key, std::vector<std::uint8_t>* content) override {
    if (entries.count(key) == 0) return Status::kNotFound;
    *content = entries[key];
    return Status::kSuccess;
  }
  Status Store(const char* key, const void* content, std::uint64_t size_bytes) override {
    const auto* const bytes = static_cast<const std::uint8_t*>(content);
    entries[key].assign(bytes, bytes + size_bytes);
    ++num_stored;
    return Status::kSuccess;
  }

  std::map<std::string, std::vector<std::uint8_t>> entries;
  int num_stored = 0;
};

class KeptPrograms : public OpenClDevice {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "kept_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string GetOnlyFile() const {
    return std::filesystem::directory_iterator(folder_)->path().string();
  }
  int CountFiles() const {
    return static_cast<int>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }
  void Damage(std::streamoff position) const {
    std::fstream file(GetOnlyFile(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(position);
    file.put('\x55');
  }

  std::string folder_;
};

TEST_F(KeptPrograms, AreFoundAgain) {
  KeptProgram(folder_, "key", &log_).Store("binary");
  EXPECT_EQ(KeptProgram(folder_, "key", &log_).Load(), "binary");
  EXPECT_EQ(KeptProgram(folder_, "other key", &log_).Load(), std::nullopt);
  EXPECT_EQ(log_.text, "");
  EXPECT_EQ(CountFiles(), 1) << "nothing is left beside the entry";
}

TEST_F(KeptPrograms, ThatAreDamagedAreNotUsed) {
  for (const std::streamoff position : {0, 8, 16, 24, 33, 36}) {
    KeptProgram(folder_, "key", nullptr).Store("binary");
    Damage(position);
    EXPECT_EQ(KeptProgram(folder_, "key", &log_).Load(), std::nullopt) << position;
  }
  std::filesystem::resize_file(GetOnlyFile(), 3);
  EXPECT_EQ(KeptProgram(folder_, "key", &log_).Load(), std::nullopt);
  ExpectHas(log_.text, "it is damaged; the program is built again");
}

TEST_F(KeptPrograms, OfAnotherAreNotUsed) {
  KeptProgram(folder_, "one", nullptr).Store("binary of one");
  const std::string of_one = GetOnlyFile();
  KeptProgram(folder_, "two", nullptr).Store("binary of two");
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    if (entry.path() != of_one)
      std::filesystem::copy_file(of_one, entry.path(),
                                 std::filesystem::copy_options::overwrite_existing);
  }
  EXPECT_EQ(KeptProgram(folder_, "two", &log_).Load(), std::nullopt);
  ExpectHas(log_.text, "it is of another program, device or driver");
}

// PoCL would end the process.
TEST(IsWholeBinary, WantsTheProgramInWhatPoclMade) {
  const std::string head("poclbin\0of a device", 19);
  const std::string name("\x0b\0\0\0/program.bc", 15);
  const std::string size("\4\0\0\0", 4);
  EXPECT_TRUE(opencl::IsWholeBinary(head + name + size + "BC\xC0\xDE"));
  EXPECT_TRUE(opencl::IsWholeBinary("of another driver"));
  for (const std::string& lacking : {std::string(), head, head + name, head + name + size,
                                     head + name + std::string(4, '\0') + "kernel"}) {
    EXPECT_FALSE(opencl::IsWholeBinary(lacking)) << lacking;
  }
}

TEST_F(KeptPrograms, ThatOthersMayWriteAreNotUsed) {
  KeptProgram(folder_, "key", nullptr).Store("binary");
  ASSERT_EQ(chmod(GetOnlyFile().c_str(), 0666), 0);
  EXPECT_EQ(KeptProgram(folder_, "key", &log_).Load(), std::nullopt);
  ExpectHas(log_.text, "others may write it");
}

TEST_F(KeptPrograms, OfADeviceAreBuiltOnce) {
  OpenClDevice::SetUp();
  if (context_ == nullptr) return;
  const std::vector<float> expected = {0, 2, 0, 4};
  for (const char* state : {"nothing is kept", "kept", "damaged"}) {
    SCOPED_TRACE(state);
    Open({BackendOption("kernel-cache", folder_)});
    EXPECT_EQ(RunRelu(*MakeFactory()), expected);
    EXPECT_EQ(CountFiles(), 1);
    if (std::string(state) == "kept") Damage(40);
  }
  ExpectHas(log_.text, "is damaged; the program is built again");
}

TEST_F(KeptPrograms, OfANetworkAreInTheCacheOfTheApplication) {
  OpenClDevice::SetUp();
  if (context_ == nullptr) return;
  CacheOfTest cache;
  int num_stored = 0;
  for (const char* state : {"nothing is kept", "kept", "another's"}) {
    SCOPED_TRACE(state);
    Open();
    const bool is_used = std::string(state) == "kept";
    if (std::string(state) == "another's") cache.entries.begin()->second = {1, 2, 3};
    opencl::Programs& programs =
        opencl::MakeModelContext(context_.get(), options_)->device->GetPrograms();
    const std::string source = "__kernel void keep(__global int* x) { *x = 1; }";
    EXPECT_FALSE(programs.Has(source, ""));
    EXPECT_NE(programs.Get(source, "", "", &cache), nullptr);
    EXPECT_TRUE(programs.Has(source, ""));
    num_stored += is_used ? 0 : 1;
    EXPECT_EQ(cache.num_stored, num_stored);
    EXPECT_EQ(cache.entries.size(), 1U);
  }
  ExpectHas(log_.text, "the kept program of the compiled cache is not used");
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
