#include "elf/string_table.hpp"

#include <gtest/gtest.h>

#include <string>

namespace backplane::inspection {
namespace {

TEST(StringTable, GivesEveryTextOfALongTable) {
  std::string bytes;
  for (int length : {0, 1, 4094, 4095, 4096, 4097, 20000, 3}) {
    bytes += std::string(static_cast<std::size_t>(length), 'x') + '\0';
  }
  const elf::StringTable table(bytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    ASSERT_TRUE(table.Get(i)) << i;
    ASSERT_EQ(*table.Get(i), std::string_view(bytes.c_str() + i)) << i;
  }
  EXPECT_FALSE(table.Get(bytes.size()));
}

TEST(StringTable, HasNoTextWithoutEnd) {
  const std::string bytes = std::string("one\0", 4) + std::string(9000, 'x');
  const elf::StringTable table(bytes);
  EXPECT_EQ(table.Get(0), "one");
  EXPECT_EQ(table.Get(3), "");
  EXPECT_FALSE(table.Has(4));
  EXPECT_FALSE(table.Get(4));
  EXPECT_FALSE(elf::StringTable("x").Get(0));
  EXPECT_FALSE(elf::StringTable("").Get(0));
}

}  // namespace
}  // namespace backplane::inspection
