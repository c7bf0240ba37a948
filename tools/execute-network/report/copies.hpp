#pragma once

#include <backplane/runtime/i_runtime.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::execute_network {

/// A tensor that a run copies from one memory to another.
struct CopyReport {
  std::string edge;      // as "conv1 -> Npu"
  std::string strategy;  // "device copy", "map and copy", or "copy" for data of the application
  std::uint64_t size_bytes = 0;
  std::string why;
};

/// What is copied in one run: between kinds of tensor memory as the plan says, and to and from the
/// application as the runs say, because only they know its memory. Of these, the bytes are the mean
/// of the runs that copied.
std::vector<CopyReport> CollectCopies(const Placement& placement, const TransferReport& memory_use);

}  // namespace backplane::execute_network
