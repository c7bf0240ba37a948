#pragma once

/// What the host says of the file, before any rule runs code of the backend.

#include "options.hpp"
#include "running/run_rule.hpp"

#include <backplane/host/load_report.hpp>

#include <vector>

namespace backplane::check_backend {

struct FileCheck {
  Candidate candidate;
  std::vector<RuleResult> results;  // of the rules of the family kFile, in their order
};

/// Takes the file through every stage in a process of its own. No code of the backend runs here.
FileCheck CheckFile(const Options& options);

/// Whether the other rules can be applied: the file loads.
bool IsUsable(const Candidate& candidate);

}  // namespace backplane::check_backend
