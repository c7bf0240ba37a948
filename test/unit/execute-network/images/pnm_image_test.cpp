#include "images/pnm_image.hpp"

#include "refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace backplane::execute_network::test {
namespace {

using testing::ElementsAre;

const std::string kColourFile =
    std::string("P6\n2 1\n255\n") + std::string("\x00\x01\x02\xFD\xFE\xFF", 6);

TEST(PnmImage, OfColourHasThreeChannels) {
  const Image image = ParsePnm(kColourFile, kPath);
  EXPECT_EQ(image.width, 2U);
  EXPECT_EQ(image.height, 1U);
  EXPECT_EQ(image.channels, 3U);
  EXPECT_EQ(image.max_sample, 255U);
  EXPECT_THAT(image.samples, ElementsAre(0, 1, 2, 253, 254, 255));
}

TEST(PnmImage, OfSixteenBitsHasItsHighByteFirst) {
  const Image image = ParsePnm(std::string("P5 1 2 65535\n\x01\x02\xFF\x00", 17), kPath);
  EXPECT_EQ(image.channels, 1U);
  EXPECT_EQ(image.max_sample, 65535U);
  EXPECT_THAT(image.samples, ElementsAre(0x102, 0xFF00));
}

TEST(PnmImage, MayStateAnyLargestSample) {
  const Image image = ParsePnm("P5 2 1 15\n\x0F\x03", kPath);
  EXPECT_EQ(image.max_sample, 15U);
  EXPECT_THAT(image.samples, ElementsAre(15, 3));
  ExpectUnreadable([] { ParsePnm("P5 2 1 15\n\x10\x03", kPath); },
                   {"it has the sample 16, but states 15 as the largest"});
}

TEST(PnmImage, MayHaveComments) {
  EXPECT_THAT(ParsePnm("P5#one\n# 9 9\n 2#two\r1\t#\n255\n#!", kPath).samples,
              ElementsAre('#', '!'));
}

TEST(PnmImage, EndsItsHeaderWithOneBlank) {
  EXPECT_THAT(ParsePnm("P5 2 1 255\n\n ", kPath).samples, ElementsAre('\n', ' '));
}

TEST(PnmImage, IsRefusedWhereverItEnds) {
  for (std::size_t size = 0; size < kColourFile.size(); ++size) {
    ExpectUnreadable([&] { ParsePnm(kColourFile.substr(0, size), kPath); }, {});
  }
  ExpectUnreadable([] { ParsePnm(kColourFile + "x", kPath); },
                   {"it has 7 bytes of pixels; 2x1 pixels need 6"});
}

TEST(PnmImage, MayHaveAnyByteChanged) {
  for (std::size_t position = 0; position < kColourFile.size(); ++position) {
    for (int value = 0; value < 256; ++value) {
      std::string damaged = kColourFile;
      damaged[position] = static_cast<char>(value);
      try {
        const Image image = ParsePnm(damaged, kPath);
        EXPECT_EQ(image.samples.size(), std::size_t{image.width} * image.height * image.channels);
      } catch (const DiagnosticException& exception) {
        EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kTensorFileUnreadable);
      }
    }
  }
}

TEST(PnmImage, MayClaimAnyExtents) {
  ExpectUnreadable([] { ParsePnm("P6 65536 1 255\n", kPath); },
                   {"it is 65536x1 pixels; at most 65535"});
  ExpectUnreadable([] { ParsePnm("P6 60000 60000 65535\n", kPath); }, {"67108864 in all"});
  ExpectUnreadable([] { ParsePnm("P6 8192 8192 65535\n", kPath); },
                   {"it has 0 bytes of pixels; 8192x8192 pixels need 402653184"});
  ExpectUnreadable([] { ParsePnm("P5 0 7 255\n", kPath); }, {"which is none"});
  ExpectUnreadable([] { ParsePnm("P5 99999999999999999999 1 255\n", kPath); }, {"the width"});
  ExpectUnreadable([] { ParsePnm("P5 1 1 65536\n1", kPath); }, {"possible are 1 to 65535"});
  ExpectUnreadable([] { ParsePnm("P5 1 1 0\n1", kPath); }, {"possible are 1 to 65535"});
  ExpectUnreadable([] { ParsePnm("P5 -1 1 255\n1", kPath); }, {"the width, a whole number"});
}

TEST(PnmImage, NamesTheFormsThatAreNotSupported) {
  for (const char* kind : {"P1", "P2", "P3", "P4"}) {
    ExpectUnreadable([&] { ParsePnm(std::string(kind) + " 1 1 255\n1", kPath); },
                     {std::string("it is ") + kind, "P5", "P6"});
  }
  ExpectUnreadable([] { ParsePnm("P7 1 1 255\n1", kPath); }, {"it is no PGM, PPM or PNG image"});
}

}  // namespace
}  // namespace backplane::execute_network::test
