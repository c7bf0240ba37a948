#pragma once

#include "sandbox/sandbox_plan.hpp"

#include <backplane/host/diagnostic.hpp>

#include <optional>
#include <string>

namespace backplane::sandbox {

/// Bounds the processors and the open files of this process. Something: one that cannot be had, for
/// the file of the backend at `path`.
std::optional<Diagnostic> SetProcessLimits(const SandboxPlan& plan, const std::string& path);

}  // namespace backplane::sandbox
