#pragma once

#include <cstdint>
#include <string>

namespace backplane::isolation {

/// "1st", "2nd", "3rd", "4th", ... "11th", ... "21st".
inline std::string DescribeOrdinal(std::uint64_t number) {
  constexpr const char* kEndings[] = {"th", "st", "nd", "rd"};
  const bool is_teen = number / 10 % 10 == 1;
  const std::uint64_t last = number % 10;
  return std::to_string(number) + (is_teen || last > 3 ? "th" : kEndings[last]);
}

}  // namespace backplane::isolation
