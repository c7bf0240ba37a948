#pragma once

#include <backplane/host/isolation.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::probing {

/// What the process of one backend may use, and what it may do.
struct SandboxPlan {
  Sandbox sandbox = Sandbox::kNone;
  std::vector<std::string> permissions;   // granted to it, as its manifest states them
  std::vector<std::uint32_t> processors;  // empty: those of the host
  std::uint32_t max_open_files = 0;       // 0: as the host
  std::vector<std::string> variables;     // which it sees too, for MakeWorkerEnvironment
};

}  // namespace backplane::probing
