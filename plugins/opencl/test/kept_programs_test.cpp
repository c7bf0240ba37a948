#include "programs/kept_programs.hpp"

#include "test/opencl_case.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace backplane {
namespace opencl_test {
namespace {

using opencl::KeptProgram;

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

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
