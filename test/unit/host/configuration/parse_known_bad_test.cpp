#include "configuration/parse_known_bad.hpp"

#include <gtest/gtest.h>

#include <string>

namespace backplane::configuration {
namespace {

/// "vendor|id|first|last|digest|text"; "" for what is refused.
std::string Show(const std::string& value) {
  const std::optional<KnownBadBackend> bad = ParseKnownBad(value);
  if (!bad) return "";
  return bad->vendor + '|' + bad->id + '|' + bad->first_version + '|' + bad->last_version + '|' +
         bad->digest + '|' + bad->text;
}

TEST(KnownBad, IsNamedByVendorIdAndVersions) {
  EXPECT_EQ(Show("Acme/Npu 1.2: hangs: often"), "Acme|Npu|1.2|1.2||hangs: often");
  EXPECT_EQ(Show("Acme/Npu 1.2-1.10.3:   hangs"), "Acme|Npu|1.2|1.10.3||hangs");
  EXPECT_EQ(Show("Acme & Sons/Ltd./Npu  *: withdrawn"), "Acme & Sons/Ltd.|Npu||||withdrawn");
}

TEST(KnownBad, IsNamedByItsDigest) {
  const std::string digest(64, 'a');
  EXPECT_EQ(Show(digest + ": loses results"), "||||" + digest + "|loses results");
  EXPECT_EQ(Show(std::string(64, 'A') + ": loses results"), "||||" + digest + "|loses results");
}

TEST(KnownBad, RejectsWhatNamesNothingOrSaysNothing) {
  for (const char* value :
       {"", ": ", "Acme/Npu 1.2", "Acme/Npu 1.2:", "Acme/Npu 1.2: ", "Npu 1.2: hangs",
        "Acme/Npu: hangs", "Acme/ 1.2: hangs", "/Npu 1.2: hangs", "Acme/Npu 1.2-: hangs",
        "Acme/Npu -1.2: hangs", "Acme/Npu 1..2: hangs", "Acme/Npu one: hangs", "abc: hangs"}) {
    EXPECT_EQ(Show(value), "") << value;
  }
}

}  // namespace
}  // namespace backplane::configuration
