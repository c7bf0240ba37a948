#pragma once

#include "probing/sandbox_plan.hpp"

#include <backplane/host/diagnostic.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace backplane::probing {

/// The file of the backend, opened and not run.
struct SandboxedFile {
  int descriptor = -1;  // stays the caller's
  std::string path;     // for words
  std::string canonical_path;
};

/// Takes from this process what the plan does not leave it, for ever. For a process in which
/// nothing runs but a plugin, before that is opened; it must have no other thread.
/// Something: what of it cannot be done; the plugin must not be opened then.
std::optional<Diagnostic> EnterSandbox(const SandboxPlan& plan, const SandboxedFile& file);

}  // namespace backplane::probing
