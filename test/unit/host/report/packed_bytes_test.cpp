#include "report/packed_bytes.hpp"

#include <gtest/gtest.h>

namespace backplane::report {
namespace {

TEST(PackedBytes, LeavesAsciiAsItIs) {
  EXPECT_EQ(PackBytes("a b\n\x7f"), "a b\n\x7f");
  EXPECT_EQ(PackBytes(""), "");
}

TEST(PackedBytes, MakesOneCharacterOfEachOtherByte) {
  EXPECT_EQ(PackBytes("\x80\xbf\xc0\xff"), "\xc2\x80\xc2\xbf\xc3\x80\xc3\xbf");
}

TEST(PackedBytes, EveryByteComesBack) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(UnpackBytes(PackBytes(all)), all);
  EXPECT_EQ(UnpackBytes(PackBytes(PackBytes(all))), PackBytes(all));
}

TEST(PackedBytes, OtherTextGivesNothing) {
  EXPECT_FALSE(UnpackBytes("\xc2"));  // cut short
  EXPECT_FALSE(
      UnpackBytes("\xc2"
                  "A"));                      // not continued
  EXPECT_FALSE(UnpackBytes("\x80"));          // not begun
  EXPECT_FALSE(UnpackBytes("\xc4\x80"));      // beyond a byte
  EXPECT_FALSE(UnpackBytes("\xe2\x82\xac"));  // of three bytes
}

}  // namespace
}  // namespace backplane::report
