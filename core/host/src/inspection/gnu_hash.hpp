#pragma once

#include "inspection/elf_file.hpp"
#include "inspection/hash_words.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace backplane::inspection {

/// The hash table by which the loader finds the symbols that a file exports (DT_GNU_HASH).
class GnuHash {
 public:
  /// Null: the table does not fit into the file, or a part of it contradicts another.
  static std::optional<GnuHash> Open(const ElfFile& elf, std::uint64_t address);

  /// Behind the last symbol that the table leads to; 0 when it leads to none.
  std::uint32_t GetEnd() const { return end_; }

  /// The first symbol that it may lead to; those before it are defined elsewhere.
  std::uint32_t GetFirst() const { return first_symbol_; }

  /// The most symbols of one chain; a search goes through all of one.
  std::uint64_t GetLongestChain() const;

  /// Looks for a name until `is_wanted` says yes to the index of a symbol; it is asked for those
  /// that may have the name. Null: it never did.
  std::optional<std::uint32_t> Find(
      std::string_view name, const std::function<bool(std::uint32_t index)>& is_wanted) const;

 private:
  bool ReadBuckets(const ElfFile& elf, FileRange table);
  bool ReadChains(const ElfFile& elf, FileRange table);

  std::uint32_t num_buckets_ = 0;
  std::uint32_t first_symbol_ = 0;
  std::uint64_t chains_offset_ = 0;  // from the beginning of the table
  std::string_view buckets_;
  std::string_view chains_;
  std::uint32_t end_ = 0;
};

}  // namespace backplane::inspection
