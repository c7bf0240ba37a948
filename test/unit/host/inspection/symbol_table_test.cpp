#include "elf/symbol_table.hpp"

#include "elf/relocations.hpp"
#include "object_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

namespace backplane::inspection {
namespace {

elf::File OpenObject(const std::string& name) {
  const std::string bytes = ReadBytes(GetObjectPath(name));
  auto content = std::make_unique<char[]>(bytes.size());
  bytes.copy(content.get(), bytes.size());
  std::optional<elf::File> elf =
      elf::File::Open(-1, bytes.size(), {std::move(content), bytes.size()});
  EXPECT_TRUE(elf.has_value());
  return std::move(*elf);
}

class HashTable : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Kinds, HashTable, testing::Values("unhygienic.so", "sysv_hash.so"),
                         [](const auto& row) { return row.index == 0 ? "Gnu" : "Sysv"; });

TEST_P(HashTable, FindsWhatReadingAllFinds) {
  const elf::File elf = OpenObject(GetParam());
  const std::optional<elf::SymbolTable> symbols = elf::SymbolTable::Open(elf);
  ASSERT_TRUE(symbols.has_value());
  int num_exported = 0;
  for (std::uint32_t i = 0; i < symbols->GetEndOfFindable(); ++i) {
    const std::optional<elf::Symbol> symbol = symbols->Get(i);
    ASSERT_TRUE(symbol.has_value());
    if (!symbol->IsExported()) {
      EXPECT_FALSE(symbols->FindExported(symbol->name)) << symbol->name;
      continue;
    }
    const std::optional<elf::Symbol> found = symbols->FindExported(symbol->name);
    ASSERT_TRUE(found.has_value()) << symbol->name;
    EXPECT_EQ(found->entry.st_value, symbol->entry.st_value);
    ++num_exported;
  }
  EXPECT_GE(num_exported, 3);
  EXPECT_GE(symbols->GetLongestChain(), 1U);
  EXPECT_LT(symbols->GetLongestChain(), 10U);
  EXPECT_FALSE(symbols->FindExported("AbsentFunction"));
}

TEST(SymbolTable, FindsNothingInAFileThatExportsNothing) {
  const elf::File elf = OpenObject("exports_nothing.so");
  const std::optional<elf::SymbolTable> symbols = elf::SymbolTable::Open(elf);
  ASSERT_TRUE(symbols.has_value());
  EXPECT_FALSE(symbols->FindExported("GetBackendId"));
}

TEST(Relocations, NameEachSymbolOnceInOrder) {
  const elf::File elf = OpenObject("many_undefined.so");
  const std::vector<std::uint32_t> symbols = elf::ReadRelocatedSymbols(elf);
  EXPECT_GE(symbols.size(), 12U);
  for (std::size_t i = 1; i < symbols.size(); ++i) EXPECT_LT(symbols[i - 1], symbols[i]);
}

}  // namespace
}  // namespace backplane::inspection
