#pragma once

#include "probing/inspected_plugin.hpp"
#include "probing/sandbox_plan.hpp"
#include "stages/candidate_ladder.hpp"

#include <string>

namespace backplane::probing {

/// Takes from this process what the plan does not leave it, for ever. For a process in which
/// nothing runs but a plugin, before that is opened; it must have no other thread. What of it
/// cannot be done fails the ladder; the plugin must not be opened then. `path` is for words.
void EnterSandbox(const SandboxPlan& plan, const InspectedPlugin& plugin, const std::string& path,
                  stages::CandidateLadder& ladder);

}  // namespace backplane::probing
