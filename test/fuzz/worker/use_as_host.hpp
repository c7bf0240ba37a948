#pragma once

#include "isolation/worker_life.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace backplane::fuzz {

/// Parts of what a host does that can be left out, by the bits of a script.
enum class HostPart : std::uint32_t {
  kQuestions,
  kContexts,
  kOptimisation,
  kMemory,
  kBlocks,
  kMaps,
  kImports,
  kExports,
  kRunsWithPrivateMemory,
  kRunsWithSharedMemory,
  kRunsWithHandles,
  kProfiling,
};
constexpr std::uint32_t kNumHostParts = 12;

struct HostResult {
  std::string fault;     // what the host should not have let through; "": nothing
  int num_failures = 0;  // how often something did not work
  bool is_right = true;  // what was computed
};

/// Does what a host does with one backend, from the first question to the end, whatever it is told.
/// What it is given is used as far as it may be: memory is read, and written where that is
/// promised.
HostResult UseAsHost(const std::shared_ptr<isolation::WorkerLife>& life, std::uint32_t left_out);

}  // namespace backplane::fuzz
