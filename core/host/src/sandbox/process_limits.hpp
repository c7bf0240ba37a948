#pragma once

#include "sandbox/sandbox_plan.hpp"

#include <backplane/host/diagnostic.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace backplane::sandbox {

/// Bounds the processors and the open files of this process. Something: one that cannot be had, for
/// the file of the backend at `path`.
std::optional<Diagnostic> SetProcessLimits(const SandboxPlan& plan, const std::string& path);

/// Bounds a resource (RLIMIT_...) of this process, so that it cannot have more of it again; what is
/// bounded lower stays so.
/// Returns errno, or 0.
int BoundResource(int resource, std::uint64_t most);

}  // namespace backplane::sandbox
