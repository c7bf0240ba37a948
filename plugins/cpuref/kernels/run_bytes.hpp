#pragma once

/// Copies of few bytes: when their number is known to the compiler, a copy is one or two moves and
/// not a call.

#include <cstddef>

namespace backplane {
namespace cpuref {

template <std::size_t kBytes>
struct FixedBytes {
  constexpr std::size_t operator()() const { return kBytes; }
};

struct AnyBytes {
  std::size_t operator()() const { return bytes; }
  std::size_t bytes;
};

/// Calls function(size) where size() is `bytes`, which the compiler knows when they are few: an
/// element, or a pixel of a few channels.
template <typename Function>
void WithRunBytes(std::size_t bytes, Function&& function) {
  switch (bytes) {
    case 1:
      return function(FixedBytes<1>());
    case 2:
      return function(FixedBytes<2>());
    case 3:
      return function(FixedBytes<3>());
    case 4:
      return function(FixedBytes<4>());
    case 8:
      return function(FixedBytes<8>());
    case 12:
      return function(FixedBytes<12>());
    case 16:
      return function(FixedBytes<16>());
    default:
      return function(AnyBytes{bytes});
  }
}

}  // namespace cpuref
}  // namespace backplane
