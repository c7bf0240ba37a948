#pragma once

#include "elf/file.hpp"
#include "elf/symbol_hashes.hpp"

#include <link.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace backplane::elf {

struct Symbol {
  std::string_view name;  // valid as long as the elf::File
  ElfW(Sym) entry{};
  std::uint32_t index = 0;

  unsigned GetBinding() const { return ELF64_ST_BIND(entry.st_info); }
  unsigned GetType() const { return ELF64_ST_TYPE(entry.st_info); }
  /// Whether the loader would bind another file's reference to it.
  bool IsExported() const;
};

/// How long the names of symbols are.
struct NameLengths {
  std::uint64_t longest_bytes = 0;
  std::uint64_t all_bytes = 0;
};

/// The dynamic symbols of a file. The file has no count of them, only the hash table through which
/// the loader finds those that are defined.
class SymbolTable {
 public:
  /// Reads the symbols that the hash table leads to, and at least the first `least_count`.
  /// Null: there is no symbol table, or its headers say something that the file cannot hold.
  static std::optional<SymbolTable> Open(const File& elf, std::uint32_t least_count = 0);

  /// Behind the last symbol that the hash table leads to; 0 without one.
  std::uint32_t GetEndOfFindable() const { return end_of_findable_; }

  /// The most symbols that a search for one name looks at.
  std::uint64_t GetLongestChain() const;

  /// Of the symbols before `end`.
  NameLengths MeasureNames(std::uint32_t end) const;

  /// Behind the last symbol that may be one that the file takes from elsewhere: those come first.
  std::uint32_t GetEndOfImports() const;

  /// Null: not among those read, or without a name in the file.
  std::optional<Symbol> Get(std::uint32_t index) const;

  /// The first symbol in a range of indexes that Get does not give; `end` when it gives all.
  std::uint32_t FindNameless(std::uint32_t begin, std::uint32_t end) const;

  /// The first symbol in a range of indexes that is defined as an address outside the memory of the
  /// file; `end` when there is none.
  std::uint32_t FindMisplaced(std::uint32_t begin, std::uint32_t end) const;

  /// The symbol that the loader would bind a reference to this name to, whatever its version.
  /// Null: the file does not export it.
  std::optional<Symbol> FindExported(std::string_view name) const;
  /// As FindExported, but as who asks for no version finds it.
  std::optional<Symbol> FindWithoutVersion(std::string_view name) const;

 private:
  enum class Versions { kAny, kNotOld };

  explicit SymbolTable(const File& elf) : elf_(&elf) {}
  bool ReadHash();
  std::optional<Symbol> Find(std::string_view name, Versions versions) const;
  ElfW(Sym) ReadEntry(std::uint32_t index) const;

  const File* elf_;
  std::string_view entries_;
  std::optional<GnuHash> hash_;
  std::optional<SysvHash> sysv_hash_;  // only without the other
  std::uint32_t end_of_findable_ = 0;
};

}  // namespace backplane::elf
