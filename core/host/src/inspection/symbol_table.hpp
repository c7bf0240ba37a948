#pragma once

#include "inspection/elf_file.hpp"

#include <gelf.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace backplane::inspection {

struct Symbol {
  std::string_view name;  // valid as long as the ElfFile
  GElf_Sym entry{};

  unsigned GetBinding() const { return GELF_ST_BIND(entry.st_info); }
  unsigned GetType() const { return GELF_ST_TYPE(entry.st_info); }
  /// Whether the loader would bind another file's reference to it.
  bool IsExported() const;
};

/// The dynamic symbols of a file. The file has no count of them, only the hash table through which
/// the loader finds those that are defined.
class SymbolTable {
 public:
  /// Reads the symbols that the hash table leads to, and at least the first `least_count`.
  /// Null: there is no symbol table, or its headers say something that the file cannot hold.
  static std::optional<SymbolTable> Open(const ElfFile& elf, std::uint32_t least_count = 0);

  /// Behind the last symbol that the hash table leads to; 0 without one.
  std::uint32_t GetEndOfFindable() const { return end_of_findable_; }

  /// Null: not among those read, or without a name in the file.
  std::optional<Symbol> Get(std::uint32_t index) const;

 private:
  explicit SymbolTable(const ElfFile& elf) : elf_(&elf) {}

  const ElfFile* elf_;
  Elf_Data* symbols_ = nullptr;
  std::uint32_t end_of_findable_ = 0;
};

}  // namespace backplane::inspection
