#pragma once

/// The two hash tables by which the loader finds symbols.

#include "elf/file.hpp"

#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string_view>

namespace backplane::elf {

/// The words that hash tables are made of.
constexpr std::uint64_t kWordBytes = sizeof(std::uint32_t);

/// The word with this number, wherever it lies.
inline std::uint32_t GetWord(std::string_view words, std::uint64_t index) {
  std::uint32_t word = 0;
  std::memcpy(&word, words.data() + index * kWordBytes, kWordBytes);
  return word;
}

/// The hash table by which the loader finds the symbols that a file exports (DT_GNU_HASH).
class GnuHash {
 public:
  /// Null: the table does not fit into the file, or a part of it contradicts another.
  static std::optional<GnuHash> Open(const File& elf, std::uint64_t address);

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
  bool ReadBuckets(const File& elf, FileRange table);
  bool ReadChains(const File& elf, FileRange table);

  std::uint32_t num_buckets_ = 0;
  std::uint32_t first_symbol_ = 0;
  std::uint64_t chains_offset_ = 0;  // from the beginning of the table
  std::string_view buckets_;
  std::string_view chains_;
  std::uint32_t end_ = 0;
};

/// The older hash table by which the loader finds symbols (DT_HASH).
class SysvHash {
 public:
  /// Null: the table does not fit into the file.
  static std::optional<SysvHash> Open(const File& elf, std::uint64_t address);

  /// The number of symbols of the file.
  std::uint32_t GetNumSymbols() const { return num_symbols_; }

  /// The most symbols of one chain; a search goes through all of one. More than there are symbols
  /// when chains lead into each other.
  std::uint64_t GetLongestChain() const;

  /// Looks for a name until `is_wanted` says yes to the index of a symbol; it is asked for those
  /// that may have the name. Null: it never did.
  std::optional<std::uint32_t> Find(
      std::string_view name, const std::function<bool(std::uint32_t index)>& is_wanted) const;

 private:
  std::uint32_t GetBucket(std::uint32_t index) const;
  std::uint32_t GetNext(std::uint32_t symbol) const;

  std::uint32_t num_buckets_ = 0;
  std::uint32_t num_symbols_ = 0;
  std::string_view words_;  // the buckets, then the next symbol of each
};

}  // namespace backplane::elf
