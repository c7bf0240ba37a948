#pragma once

/// Runs of bytes whose length the compiler knows when they are short, so that a copy is a move or
/// two and no call.

#include <cstddef>
#include <cstring>

namespace backplane {
namespace cpu_layers {

template <std::size_t kBytes>
struct FixedRun {
  static constexpr std::size_t kSize = kBytes;
  constexpr std::size_t GetBytes() const { return kBytes; }
};

struct AnyRun {
  static constexpr std::size_t kSize = 0;
  std::size_t GetBytes() const { return bytes; }
  std::size_t bytes;
};

/// Calls function(run) with the run of that many bytes.
template <typename Function>
auto WithRun(std::size_t bytes, Function&& function) {
  switch (bytes) {
    case 1:
      return function(FixedRun<1>());
    case 2:
      return function(FixedRun<2>());
    case 3:
      return function(FixedRun<3>());
    case 4:
      return function(FixedRun<4>());
    case 8:
      return function(FixedRun<8>());
    case 12:
      return function(FixedRun<12>());
    case 16:
      return function(FixedRun<16>());
    case 32:
      return function(FixedRun<32>());
    case 64:
      return function(FixedRun<64>());
    default:
      return function(AnyRun{bytes});
  }
}

template <typename Run>
void CopyRun(void* to, const void* from, Run run) {
  std::memcpy(to, from, run.GetBytes());
}

}  // namespace cpu_layers
}  // namespace backplane
