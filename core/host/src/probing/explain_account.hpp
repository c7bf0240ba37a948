#pragma once

#include "probing/probe_account.hpp"

#include <string>

namespace backplane::probing {

/// What a host reports of a plugin that ran in a process of its own: what the plugin's process
/// reported itself, and what its end and what it left behind mean.
Candidate ExplainAccount(const ProbeAccount& account, const std::string& path);

}  // namespace backplane::probing
