#include <backplane/host/diagnostic.hpp>

#include <gtest/gtest.h>

namespace backplane {
namespace {

TEST(EscapeForDisplay, LeavesPrintableTextAlone) {
  EXPECT_EQ(EscapeForDisplay("Acme_Npu_backend.so"), "Acme_Npu_backend.so");
  EXPECT_EQ(EscapeForDisplay("größer \xE2\x82\xAC \xF0\x9F\x8C\x8B"),
            "größer \xE2\x82\xAC \xF0\x9F\x8C\x8B");
}

TEST(EscapeForDisplay, EscapesControlCharacters) {
  EXPECT_EQ(EscapeForDisplay("a\x1b[31mb\n\t\x7f"), "a\\x1b[31mb\\x0a\\x09\\x7f");
  EXPECT_EQ(EscapeForDisplay("\xC2\x9B"), "\\xc2\\x9b") << "C1 control, which terminals obey";
  EXPECT_EQ(EscapeForDisplay(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(EscapeForDisplay, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(EscapeForDisplay("a\xff"), "a\\xff");
  EXPECT_EQ(EscapeForDisplay("\xC0\xAF"), "\\xc0\\xaf") << "overlong";
  EXPECT_EQ(EscapeForDisplay("\xED\xA0\x80"), "\\xed\\xa0\\x80") << "surrogate";
  EXPECT_EQ(EscapeForDisplay("\xE2\x82"), "\\xe2\\x82") << "cut short";
  EXPECT_EQ(EscapeForDisplay("\xF5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80") << "beyond Unicode";
}

}  // namespace
}  // namespace backplane
