#pragma once

/// Numbers that fuzzers put where the other side reads one.

#include <cstdint>
#include <iterator>

namespace backplane::fuzz {

/// A number at an end of what can be told, for most `value`s.
inline std::uint64_t PickTelling(std::uint32_t value) {
  constexpr std::uint64_t kTelling[] = {0,
                                        1,
                                        2,
                                        3,
                                        8,
                                        9,
                                        64,
                                        4096,
                                        0x7FFF'FFFF,
                                        0xFFFF'FFFF,
                                        std::uint64_t{1} << 40U,
                                        std::uint64_t{1} << 46U,
                                        std::uint64_t{1} << 63U,
                                        UINT64_MAX - 7,
                                        UINT64_MAX};
  return value % 4 == 3 ? value / 4 : kTelling[value / 4 % std::size(kTelling)];
}

}  // namespace backplane::fuzz
