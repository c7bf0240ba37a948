#pragma once

/// Division by a number that is known before a kernel runs, as a multiplication: devices have no
/// fast one, and compilers for them vectorise none.

#include <cstdint>

namespace backplane {
namespace opencl {

/// n / extent is (ulong)n * magic >> shift for each n of 0 to 2^31 - 1.
struct Divisor {
  std::int32_t magic = 0;  // the bits of a uint
  std::int32_t shift = 31;
};

/// `extent` is 1 to 2^31 - 1. With 2^(shift - 32) < extent <= 2^(shift - 31), magic is 2^shift /
/// extent rounded up: less than 2^32, and too large by so little that no quotient changes.
inline Divisor MakeDivisor(std::int64_t extent) {
  Divisor divisor;
  while ((std::int64_t{1} << (divisor.shift - 31)) < extent) ++divisor.shift;
  const std::uint64_t power = std::uint64_t{1} << divisor.shift;
  const std::uint64_t magic = (power - 1) / static_cast<std::uint64_t>(extent) + 1;
  divisor.magic = static_cast<std::int32_t>(static_cast<std::uint32_t>(magic));
  return divisor;
}

}  // namespace opencl
}  // namespace backplane
