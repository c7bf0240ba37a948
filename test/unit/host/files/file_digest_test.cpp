#include "files/file_digest.hpp"

#include "support/temporary_directory.hpp"
#include "wire/file_descriptor.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace backplane::files {
namespace {

wire::FileDescriptor OpenFileDigest(const std::string& path) {
  return wire::FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

// The examples of FIPS 180-2, which defines SHA-256.
TEST(FileDigest, IsThatOfTheStandardsExamples) {
  const test::TemporaryDirectory directory;
  EXPECT_EQ(ComputeSha256(OpenFileDigest(directory.Write("empty", "")).Get()),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(ComputeSha256(OpenFileDigest(directory.Write("short", "abc")).Get()),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(ComputeSha256(OpenFileDigest(directory.Write("long", std::string(1000000, 'a'))).Get()),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(FileDigest, IsOfTheWholeFileAndLeavesThePosition) {
  const test::TemporaryDirectory directory;
  const wire::FileDescriptor file = OpenFileDigest(directory.Write("short", "abc"));
  ASSERT_EQ(lseek(file.Get(), 2, SEEK_SET), 2);
  EXPECT_EQ(ComputeSha256(file.Get()),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(lseek(file.Get(), 0, SEEK_CUR), 2);
}

TEST(FileDigest, IsNoneWithErrnoWhenTheFileCannotBeRead) {
  const test::TemporaryDirectory directory;
  errno = 0;
  EXPECT_FALSE(ComputeSha256(OpenFileDigest(directory.GetPath()).Get()));
  EXPECT_EQ(errno, EISDIR);
}

}  // namespace
}  // namespace backplane::files
