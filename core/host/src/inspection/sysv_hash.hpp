#pragma once

#include "inspection/elf_file.hpp"
#include "inspection/hash_words.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace backplane::inspection {

/// The older hash table by which the loader finds symbols (DT_HASH).
class SysvHash {
 public:
  /// Null: the table does not fit into the file.
  static std::optional<SysvHash> Open(const ElfFile& elf, std::uint64_t address);

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

}  // namespace backplane::inspection
