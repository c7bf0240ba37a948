#include <backplane/host/code_file.hpp>

#include "backend/shared_library.hpp"
#include "support/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace backplane {
namespace {

constexpr char kDigestOfAbc[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST(CodeFile, HasTheDigestOfItsContent) {
  const test::TemporaryDirectory directory;
  const CodeFile file(directory.Write("library", "abc"));
  EXPECT_EQ(file.GetPath(), directory / "library");
  EXPECT_EQ(file.GetDigest(), kDigestOfAbc);
}

TEST(CodeFile, KeepsTheDigestThatWasComputed) {
  const test::TemporaryDirectory directory;
  const CodeFile file(directory.Write("library", "abc"));
  EXPECT_EQ(file.GetDigest(), kDigestOfAbc);
  directory.Write("library", "another");
  EXPECT_EQ(file.GetDigest(), kDigestOfAbc);
}

// The code that runs is that of the file which was there before.
TEST(CodeFile, HasNoDigestWhenTheFileWasReplaced) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.Write("library", "abc");
  const CodeFile file(path);
  const std::string other = directory.Write("other", "abc");
  ASSERT_EQ(std::rename(other.c_str(), path.c_str()), 0);
  EXPECT_EQ(file.GetDigest(), "");
}

TEST(CodeFile, HasNoDigestWithoutFile) {
  const test::TemporaryDirectory directory;
  EXPECT_EQ(CodeFile(directory / "absent").GetDigest(), "");
  EXPECT_EQ(CodeFile("").GetDigest(), "");
}

TEST(CodeFile, IsFoundByAnAddressInIt) {
  static const char kHere = 0;
  const std::string program = backend::FindFileOf(&kHere);
  EXPECT_EQ(program.substr(program.find_last_of('/') + 1), "host_unit_test");
  const std::string library = backend::FindFileOf(reinterpret_cast<const void*>(&std::perror));
  EXPECT_NE(library.find("libc.so"), std::string::npos) << library;
  EXPECT_EQ(backend::FindFileOf(nullptr), "");
}

}  // namespace
}  // namespace backplane
