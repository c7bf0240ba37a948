#pragma once

#include "conflicts/file_account.hpp"

#include <cstdint>

namespace backplane::conflicts {

/// What a process has left for initial-exec thread-local variables of files that are opened later.
/// The C library sets it aside when the process starts, and gives nothing of it back.
class StaticTlsReserve {
 public:
  explicit StaticTlsReserve(std::uint64_t free_bytes) : free_bytes_(free_bytes) {}

  /// As it is in this process now.
  static StaticTlsReserve OfThisProcess();
  /// As it is in a program when it has started, with the environment of this one.
  static StaticTlsReserve OfNewProcess();

  std::uint64_t GetFreeBytes() const { return free_bytes_; }

  /// Takes it as the loader does, from the end. False: there is too little, and nothing was taken.
  bool Take(const StaticTls& tls);

 private:
  std::uint64_t free_bytes_;
};

}  // namespace backplane::conflicts
