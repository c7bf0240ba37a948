#include <backplane/host/digest.hpp>

#include <gtest/gtest.h>

namespace backplane {
namespace {

// The examples of FIPS 180-2, which defines SHA-256.
TEST(Sha256, IsThatOfTheStandardsExamples) {
  EXPECT_EQ(Sha256().Finish(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  Sha256 digest;
  digest.Add("abc", 3);
  EXPECT_EQ(digest.Finish(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, IsTheSameHoweverTheBytesAreCut) {
  Sha256 digest;
  digest.Add("a", 1);
  digest.Add(nullptr, 0);
  digest.Add("bc", 2);
  EXPECT_EQ(digest.Finish(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, IsGivenOnce) {
  Sha256 digest;
  EXPECT_NE(digest.Finish(), "");
  digest.Add("abc", 3);
  EXPECT_EQ(digest.Finish(), "");
}

}  // namespace
}  // namespace backplane
