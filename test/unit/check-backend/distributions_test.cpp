#include "distributions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace backplane::check_backend {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> FindMissing(const std::string& distribution, const std::string& version) {
  return FindMissingVersions(distribution, {{"libsome.so.1", {version}}});
}

TEST(Distributions, HaveWhatIsAsOldAsThey) {
  for (const std::string& name : GetDistributionNames()) {
    for (const char* version : {"GLIBC_2.2.5", "GLIBC_2.27", "GLIBCXX_3.4", "CXXABI_1.3.9"}) {
      EXPECT_THAT(FindMissing(name, version), IsEmpty()) << name << " " << version;
    }
  }
}

TEST(Distributions, LackWhatIsNewer) {
  EXPECT_THAT(FindMissing("debian:11", "GLIBC_2.31"), IsEmpty());
  EXPECT_THAT(FindMissing("debian:11", "GLIBC_2.34"),
              ElementsAre("GLIBC_2.34 of libsome.so.1, where debian:11 has up to GLIBC_2.31"));
  EXPECT_THAT(FindMissing("debian:11", "GLIBCXX_3.4.29"),
              ElementsAre("GLIBCXX_3.4.29 of libsome.so.1, where debian:11 has up to "
                          "GLIBCXX_3.4.28"));
  EXPECT_THAT(FindMissing("debian:11", "CXXABI_1.3.13"),
              ElementsAre("CXXABI_1.3.13 of libsome.so.1, where debian:11 has up to "
                          "CXXABI_1.3.12"));
}

TEST(Distributions, CompareNumbersAndNotTexts) {
  EXPECT_THAT(FindMissing("debian:12", "GLIBC_2.9"), IsEmpty());
  EXPECT_THAT(FindMissing("debian:12", "GLIBC_2.100"), ElementsAre(::testing::_));
}

TEST(Distributions, AreNotAskedForOtherVersions) {
  for (const char* version : {"GLIBC_PRIVATE", "GCC_3.0", "OPENSSL_3.0.0", "", "GLIBC_", "2.40",
                              "GLIBC_2.x", "GLIBC_99999999999999999999"}) {
    EXPECT_THAT(FindMissing("debian:10", version), IsEmpty()) << version;
  }
}

}  // namespace
}  // namespace backplane::check_backend
