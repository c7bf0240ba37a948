#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace backplane::inspection {

/// The words that hash tables are made of.
constexpr std::uint64_t kWordBytes = sizeof(std::uint32_t);

/// The word with this number, wherever it lies.
inline std::uint32_t GetWord(std::string_view words, std::uint64_t index) {
  std::uint32_t word = 0;
  std::memcpy(&word, words.data() + index * kWordBytes, kWordBytes);
  return word;
}

}  // namespace backplane::inspection
