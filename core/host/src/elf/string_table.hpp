#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace backplane::elf {

/// Texts that end with a zero byte, found by where they begin. Each may begin anywhere, so that
/// very many may share one end: finding it takes the same short time for all.
class StringTable {
 public:
  StringTable() = default;
  explicit StringTable(std::string_view bytes);

  std::uint64_t GetSizeBytes() const { return bytes_.size(); }
  /// Whether a text begins there and has an end.
  bool Has(std::uint64_t offset) const { return offset < bytes_.size(); }
  /// Null: there is none.
  std::optional<std::string_view> Get(std::uint64_t offset) const;

 private:
  std::string_view bytes_;  // up to the last zero byte
  // Of each block, where the first end in or behind it is; none when there is one block, which ends
  // with an end.
  std::vector<std::uint64_t> next_ends_;
};

}  // namespace backplane::elf
