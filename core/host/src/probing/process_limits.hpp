#pragma once

#include "probing/sandbox_plan.hpp"

#include <backplane/host/diagnostic.hpp>

#include <optional>
#include <string>

namespace backplane::probing {

/// Bounds the processors and the open files of this process. Something: one that cannot be had, for
/// the file of the backend at `path`.
std::optional<Diagnostic> SetProcessLimits(const SandboxPlan& plan, const std::string& path);

}  // namespace backplane::probing
