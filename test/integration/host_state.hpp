#pragma once

/// What of the process of the application is not a backend's to change.

#include "probing/process_state.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace backplane::test {

class HostState {
 public:
  /// Of this process, now.
  static HostState Read();

  /// What is another in `after`, in words: what a process has (as processes that check a backend
  /// look at it), descriptors, threads, child processes, what of the project is mapped, and memory
  /// that was taken and not given back.
  std::vector<std::string> FindChanges(const HostState& after) const;

 private:
  probing::ProcessState process_;
  std::vector<std::string> children_;
  std::vector<std::string> mappings_;
  std::uint64_t resident_bytes_ = 0;
};

/// The processes below this one, however far.
std::vector<int> FindDescendants();

}  // namespace backplane::test
