#include "scanning/variant_pins.hpp"

#include <gtest/gtest.h>

namespace backplane::scanning {
namespace {

Candidate MakeCandidate(const std::string& path, const std::string& canonical_path) {
  Candidate candidate;
  candidate.path = path;
  candidate.canonical_path = canonical_path;
  return candidate;
}

bool Means(const std::string& file) {
  return IsMeant({{"Npu", file}},
                 MakeCandidate("/opt/a/Acme_Npu_backend.so", "/srv/Acme_Npu_backend.so.1.2"));
}

TEST(VariantPins, MeanFileNamesByAGlobWithoutSlash) {
  EXPECT_TRUE(Means("Acme_Npu_backend.so"));
  EXPECT_TRUE(Means("Acme_*"));
  EXPECT_FALSE(Means("Acme_Npu"));
  EXPECT_FALSE(Means("Acme_Npu_backend.so.1.2")) << "the name that was found, not what it leads to";
}

TEST(VariantPins, MeanPathsWithASlash) {
  EXPECT_TRUE(Means("/opt/a/Acme_Npu_backend.so"));
  EXPECT_TRUE(Means("/srv/Acme_Npu_backend.so.1.2"));
  EXPECT_TRUE(Means("/opt/*"));
  EXPECT_FALSE(Means("/opt/b/Acme_Npu_backend.so"));
  EXPECT_FALSE(Means("a/Acme_Npu_backend.so"));
}

TEST(VariantPins, MeanAPathWithTheCharactersOfGlobsLiterallyToo) {
  EXPECT_TRUE(
      IsMeant({{"Npu", "/opt/[x]/A_b_backend.so"}}, MakeCandidate("/opt/[x]/A_b_backend.so", "")));
}

TEST(VariantPins, AreOfOneId) {
  const std::vector<VariantPin> pins{{"Npu", "a"}, {"Gpu", "b"}, {"Npu", "c"}};
  EXPECT_EQ(NamePinned(SelectPins(pins, "Npu")), "\"a\" or \"c\"");
  EXPECT_TRUE(SelectPins(pins, "npu").empty());
  EXPECT_TRUE(IsMeant({}, MakeCandidate("/x", "/x"))) << "without pins every file is";
}

}  // namespace
}  // namespace backplane::scanning
